//===- SumProgram.h - A reduction added as hardware adds it -----*- C++ -*-===//
//
// Runs a generic with the attribute `dataflow.sums`: lanes are added by balanced trees, each
// tree's sum goes to one of several partial sums, and these are added by trees at the end.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_SUMPROGRAM_H
#define STREAMTENSOR_LIB_INTERPRETER_SUMPROGRAM_H

#include "Body.h"
#include "OperandAccess.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor::interpreter {

class SumProgram {
public:
  static mlir::FailureOr<std::unique_ptr<SumProgram>> compile(mlir::linalg::GenericOp op);

  Body &getBody() { return body; }
  unsigned getNumTileLoops() const { return numTileLoops; }
  /// Adds one tile. The inits' arrays hold the sums so far; `tileTrips` counts the trips of the
  /// loops over the reduction outside.
  void run(llvm::ArrayRef<ArrayPtr> operands, llvm::ArrayRef<int64_t> tileTrips);

private:
  /// A result: its combiner on one pair of words.
  struct Result {
    OperandAccess where;
    Registers contribution; ///< Or, without a combiner, what the body yields.
    Registers accumulator;  ///< The body's argument for it.
    StepPtr combine;        ///< Null: the body carries the value from point to point.
    Registers left, right, sum;
    std::optional<Word> otherStart; ///< Of all partial sums but the first; none: the init.
  };
  struct Input {
    OperandAccess where;
    Registers argument;
  };

  mlir::LogicalResult readOrder(mlir::linalg::GenericOp op);
  mlir::LogicalResult addBody(mlir::linalg::GenericOp op);
  void addCombiner(Result &result, mlir::Operation *combiner, mlir::Value accumulator);
  void start(Array &array, const Result &result);
  void finish(Array &array, const Result &result);
  void addPoints(llvm::ArrayRef<ArrayPtr> operands, llvm::ArrayRef<int64_t> first, int64_t bank);
  void computePoint(llvm::ArrayRef<ArrayPtr> operands, llvm::ArrayRef<int64_t> index);
  Word combine(const Result &result, Word left, Word right);
  void addTree(const Result &result, Word *words, int64_t count, int64_t width);

  Body body;
  llvm::SmallVector<Input> inputs;
  llvm::SmallVector<Result> results;
  llvm::SmallVector<std::pair<unsigned, Registers>> indices; ///< linalg.index
  llvm::SmallVector<int64_t> extents, points, lanes, trees, banks;
  llvm::SmallVector<int64_t> reductionPoints; ///< Dimensions of `banks` after the tile loops.
  llvm::SmallVector<int64_t> parallelLanes;   ///< Lanes per dimension, 1 along reductions.
  llvm::SmallVector<int64_t> treeLanes;       ///< Lanes along `trees`.
  unsigned numTileLoops = 0;
};

} // namespace streamtensor::interpreter

#endif
