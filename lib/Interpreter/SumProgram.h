//===- SumProgram.h - A reduction added as hardware adds it -----*- C++ -*-===//
//
// Runs a generic with the attribute `dataflow.sums`: lanes are added by balanced trees, each
// tree's sum goes to one of several partial sums, and these are added by trees at the end. Loops
// that are not reductions have no order here: neighbours along one of them run together.
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
  /// The loops over the reduction outside, counted from the outermost loop.
  llvm::ArrayRef<int64_t> getTileLoops() const { return loops; }
  /// Adds one tile. The inits' arrays hold the sums so far; `tileTrips` counts the trips of the
  /// loops over the reduction outside.
  void run(llvm::ArrayRef<ArrayPtr> operands, llvm::ArrayRef<int64_t> tileTrips);

private:
  struct Input {
    OperandAccess where;
    Registers argument;
    int64_t laneStep;
  };
  /// A result: its combiner, on one word per point that runs at once.
  struct Result {
    OperandAccess where;
    Registers contribution; ///< Or, without a combiner, what the body yields.
    Registers accumulator;  ///< The body's argument for it.
    StepPtr combine;        ///< Null: the body carries the value from point to point.
    Registers left, right, sum;
    std::optional<Word> otherStart; ///< Of all partial sums but the first; none: the init.
    int64_t laneStep = 0;
  };

  SumProgram(std::optional<unsigned> laneLoop, int64_t width)
      : body(width), laneLoop(laneLoop), width(width) {}
  int64_t getLaneStep(const OperandAccess &where) const {
    return laneLoop ? where.steps[*laneLoop] : 0;
  }
  void readOrder(mlir::linalg::GenericOp op);
  mlir::LogicalResult addBody(mlir::linalg::GenericOp op);
  void addCombiner(Result &result, mlir::Operation *combiner, mlir::Value accumulator);
  void start(Array &array, const Result &result, bool isFirst);
  void finish(Array &array, const Result &result);
  void addPoints(llvm::ArrayRef<ArrayPtr> operands, llvm::ArrayRef<int64_t> first, int64_t bank);
  void computePoints(llvm::ArrayRef<ArrayPtr> operands, llvm::ArrayRef<int64_t> index);
  void combine(const Result &result, Word *left, const Word *right, int64_t count);
  void addLeaves(const Result &result, Word *words);
  void addTree(const Result &result, Word *words, int64_t count, int64_t rowWords);

  Body body;
  std::optional<unsigned> laneLoop; ///< A parallel loop whose points run together.
  int64_t width;                    ///< How many of them do.
  llvm::SmallVector<Input> inputs;
  llvm::SmallVector<Result> results;
  llvm::SmallVector<std::pair<unsigned, Registers>> indices; ///< linalg.index
  llvm::SmallVector<int64_t> extents, loops, points, lanes, trees, banks;
  llvm::SmallVector<int64_t> advance;   ///< Points of each loop that are taken at once.
  llvm::SmallVector<bool> isReduction;  ///< Per loop.
  llvm::SmallVector<int64_t> treeLanes; ///< Lanes along `trees`.
};

} // namespace streamtensor::interpreter

#endif
