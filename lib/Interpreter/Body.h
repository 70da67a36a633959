//===- Body.h - A straight-line body, compiled to steps ---------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_BODY_H
#define STREAMTENSOR_LIB_INTERPRETER_BODY_H

#include "Step.h"

#include "mlir/IR/Value.h"
#include "streamtensor/Interpreter/Array.h"
#include "llvm/Support/Allocator.h"

namespace streamtensor::interpreter {

/// Scalars and vectors of a block: their registers and the steps between them. What is defined
/// outside the block is a capture, to be set before the body runs.
class Body {
public:
  /// With a width above 1 the body runs at that many points at once: every scalar that it binds
  /// has a lane per point.
  explicit Body(int64_t width = 1) : width(width) {}
  Body(const Body &) = delete;
  Body &operator=(const Body &) = delete;

  /// Registers that belong to no value.
  Registers allocate(mlir::Type type);
  /// The registers of a value, made on first sight.
  Registers bind(mlir::Value value);
  /// The same for a value that all points share.
  Registers bindShared(mlir::Value value);
  /// The registers of an operand of the body: bound, a constant, or a capture.
  Registers use(mlir::Value value);

  /// Appends an operation of arith, math, affine or vector, or a read of a captured tensor.
  mlir::LogicalResult add(mlir::Operation *op);
  void append(StepPtr step) { steps.push_back(std::move(step)); }

  /// Scalars and vectors from outside.
  llvm::ArrayRef<std::pair<mlir::Value, Registers>> getCaptures() const { return captures; }
  /// Tensors from outside, read element by element.
  llvm::ArrayRef<std::pair<mlir::Value, std::shared_ptr<ArrayPtr>>> getTensors() const {
    return tensors;
  }
  Fault &getFault() { return fault; }

  void run() {
    for (const StepPtr &step : steps)
      step->run();
  }

private:
  bool bindConstant(mlir::Value value);
  mlir::LogicalResult addExtract(mlir::Operation *op);

  int64_t width;
  llvm::SpecificBumpPtrAllocator<Word> memory;
  llvm::DenseMap<mlir::Value, Registers> registers;
  std::vector<StepPtr> steps;
  llvm::SmallVector<std::pair<mlir::Value, Registers>> captures;
  llvm::SmallVector<std::pair<mlir::Value, std::shared_ptr<ArrayPtr>>> tensors;
  Fault fault;
};

/// Emits the error for an operation without meaning here; always fails.
mlir::LogicalResult rejectUnknown(mlir::Operation *op);

} // namespace streamtensor::interpreter

#endif
