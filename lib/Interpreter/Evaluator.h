//===- Evaluator.h - Running functions, loops, kernels and tasks *- C++ -*-===//
//
// A walk over regions with one value per SSA value. Each group of operations has a file of
// its own; a value that nobody needs any more is overwritten in place.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_EVALUATOR_H
#define STREAMTENSOR_LIB_INTERPRETER_EVALUATOR_H

#include "Body.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "streamtensor/Analysis/LaunchLoop.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Interpreter/Interpreter.h"

namespace streamtensor::interpreter {

/// A scalar, or a tensor or itensor.
struct RuntimeValue {
  Word word;
  ArrayPtr array;
};

class GenericProgram;
class SumProgram;

class Evaluator {
public:
  explicit Evaluator(bool overlaps = false);
  ~Evaluator();

  /// Runs the function on these arguments.
  mlir::FailureOr<llvm::SmallVector<RuntimeValue>> call(mlir::Operation *function,
                                                        llvm::ArrayRef<RuntimeValue> arguments);

private:
  // Control (Evaluator.cpp).
  mlir::LogicalResult runBlock(mlir::Block &block);
  mlir::LogicalResult runOp(mlir::Operation *op);
  mlir::LogicalResult runFor(mlir::scf::ForOp op);
  mlir::LogicalResult runIf(mlir::scf::IfOp op);
  mlir::LogicalResult runRegion(mlir::Operation *op, mlir::ValueRange arguments);
  mlir::LogicalResult runScalar(mlir::Operation *op);
  mlir::LogicalResult runLaunch(dataflow::LaunchOp op);
  mlir::FailureOr<llvm::SmallVector<ArrayPtr>> getKept(dataflow::LaunchOp op);
  mlir::LogicalResult runConstant(mlir::Operation *op, mlir::Attribute value);

  // Tensors (TensorOps.cpp).
  std::optional<mlir::LogicalResult> runTensorOp(mlir::Operation *op);
  mlir::LogicalResult runSlice(mlir::tensor::ExtractSliceOp op);
  mlir::LogicalResult runInsertSlice(mlir::tensor::InsertSliceOp op);
  mlir::LogicalResult runConcat(mlir::tensor::ConcatOp op);
  mlir::LogicalResult runPad(mlir::tensor::PadOp op);
  mlir::LogicalResult runExtract(mlir::tensor::ExtractOp op);
  mlir::LogicalResult runInsert(mlir::tensor::InsertOp op);
  mlir::LogicalResult runGenerate(mlir::tensor::GenerateOp op);
  llvm::SmallVector<int64_t> getIntegers(llvm::ArrayRef<mlir::OpFoldResult> values);

  // Linalg (LinalgOps.cpp).
  mlir::LogicalResult runLinalg(mlir::linalg::LinalgOp op);
  mlir::LogicalResult runAggregate(mlir::linalg::AggregatedOpInterface op);
  mlir::LogicalResult runSums(mlir::linalg::GenericOp op);
  void setCaptures(Body &body);
  llvm::SmallVector<int64_t> getTrips(mlir::Operation *op, llvm::ArrayRef<int64_t> numbers);

  // Itensors (ITensorOps.cpp).
  std::optional<mlir::LogicalResult> runITensorOp(mlir::Operation *op);
  void runRead(itensor::ReadOp op);
  void runWrite(itensor::WriteOp op);
  void runRegrouping(mlir::Operation *op);
  void runJoin(itensor::JoinOp op);
  void runUnjoin(itensor::UnjoinOp op);
  void runConverter(itensor::ConverterOp op);
  void runChunk(itensor::ChunkOp op);
  void runStreamConcat(itensor::ConcatOp op);
  void runStreamPad(itensor::PadOp op);
  void runPack(itensor::PackOp op);
  void runUnpack(itensor::UnpackOp op);
  void runFromTensor(itensor::FromTensorOp op);
  void runToTensor(itensor::ToTensorOp op);
  int64_t getTokenIndex(itensor::ITensorType type, mlir::ValueRange indices);

  // Hand-written kernels and FIFOs of kernels (ExternTasks.cpp).
  std::optional<mlir::LogicalResult> runStreamOp(mlir::Operation *op);
  mlir::LogicalResult runExternTask(dataflow::ExternTaskOp op);

  // Values.
  const RuntimeValue &get(mlir::Value value) const;
  const Array &getArray(mlir::Value value) const { return *get(value).array; }
  int64_t getInteger(mlir::Value value) const { return get(value).word.asInteger(); }
  void set(mlir::Value value, Word word) { values[value] = {word, nullptr}; }
  void set(mlir::Value value, ArrayPtr array) { values[value] = {{}, std::move(array)}; }
  /// The array of an operand, for `op` to overwrite: the operand's own if this is its last use.
  ArrayPtr takeArray(mlir::Operation *op, mlir::Value operand);
  RuntimeValue take(mlir::Operation *op, mlir::Value operand);
  bool isLastUse(mlir::Operation *op, mlir::Value operand);
  /// A new array for the op's result.
  ArrayPtr makeResult(mlir::Value result);

  /// Do iterations of leaves overlap as their schedule says?
  bool overlaps;
  llvm::DenseMap<mlir::Value, RuntimeValue> values;
  llvm::DenseMap<mlir::Value, mlir::Operation *> lastUses;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Body>> scalarBodies;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<GenericProgram>> generics;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<SumProgram>> sums;
  /// What aggregates consist of: a function's block and what it returns.
  struct Parts;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Parts>> parts;
  llvm::DenseMap<mlir::Operation *, LaunchLoop> launchLoops;
};

/// The array type of a tensor or an itensor.
mlir::RankedTensorType getArrayType(mlir::Type type);

/// Runs a design once on the tensors of its `in` and `inout` ports; gives those of its `inout` and
/// `out` ports, of which the latter begin as what was `kept` there, by the number of the result.
/// The others are `zeroed` before or hold nothing in particular.
mlir::FailureOr<llvm::SmallVector<ArrayPtr>> runDesign(dataflow::DesignOp design,
                                                       llvm::ArrayRef<ArrayPtr> inputs,
                                                       llvm::ArrayRef<ArrayPtr> kept, bool overlaps,
                                                       bool zeroed);

} // namespace streamtensor::interpreter

#endif
