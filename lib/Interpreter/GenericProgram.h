//===- GenericProgram.h - A Linalg operation, ready to run ------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_GENERICPROGRAM_H
#define STREAMTENSOR_LIB_INTERPRETER_GENERICPROGRAM_H

#include "Body.h"
#include "OperandAccess.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor::interpreter {

/// Any structured operation of Linalg: its body runs at each point of its iteration space, in
/// lexicographic order. Neighbours along one parallel loop run together: they write different
/// elements, so each element sees its points in the same order as before.
class GenericProgram {
public:
  static mlir::FailureOr<std::unique_ptr<GenericProgram>> compile(mlir::linalg::LinalgOp op);

  Body &getBody() { return body; }
  /// Runs on the operands' elements; those of the inits are overwritten.
  void run(llvm::ArrayRef<Word *> operands);

private:
  struct Access {
    OperandAccess where;
    Registers argument;
    int64_t laneStep;       ///< From one lane to the next, in elements.
    Registers yielded = {}; ///< For inits: what is stored.
  };
  GenericProgram(std::optional<unsigned> laneLoop, int64_t width)
      : body(width), laneLoop(laneLoop), width(width) {}
  mlir::LogicalResult addBody(mlir::linalg::LinalgOp op);
  void setIndices(llvm::ArrayRef<int64_t> index);
  void runPoints(llvm::ArrayRef<Word *> operands, llvm::ArrayRef<int64_t> places);

  Body body;
  std::optional<unsigned> laneLoop;
  int64_t width; ///< Points that run together along `laneLoop`.
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<Access> accesses;
  llvm::SmallVector<std::pair<unsigned, Registers>> indices; ///< linalg.index
};

} // namespace streamtensor::interpreter

#endif
