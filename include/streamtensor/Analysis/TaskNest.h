//===- TaskNest.h - The structure of a compute task -------------*- C++ -*-===//

#ifndef STREAMTENSOR_ANALYSIS_TASKNEST_H
#define STREAMTENSOR_ANALYSIS_TASKNEST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor {

/// A compute task at itensor level, read off its loops.
struct TaskNest {
  struct Loop {
    int64_t trips;
    int64_t step; ///< Step of the induction variable, in elements.
    mlir::Value induction;
    bool isReduction;
  };
  struct Input {
    mlir::Value stream;
    itensor::ITensorType type;
    unsigned depth;      ///< The token is read inside the `depth` outermost loops.
    mlir::AffineMap map; ///< Indexing map of the generic for this operand.
  };

  llvm::SmallVector<Loop> loops;            ///< Tile loops, outermost first.
  mlir::linalg::GenericOp generic;          ///< The computation on one tile.
  llvm::SmallVector<Input> inputs;          ///< One per input with data.
  llvm::SmallVector<mlir::TypedAttr> inits; ///< Start value of each result; null if unused.
  llvm::SmallVector<itensor::ITensorType> results;

  bool reduces() const { return mlir::linalg::GenericOp(generic).getNumReductionLoops() > 0; }
  /// The parallel loops: one per iteration dimension of the results, in order.
  llvm::SmallVector<unsigned> getParallelLoops() const;
  /// Loops outside the first reduction: on each of their trips, accumulators start anew.
  unsigned getNumOuterLoops() const;
  /// Do parallel loops stand inside a reduction, so that it keeps the accumulators of all their
  /// tiles and the results leave on its last trip?
  bool carriesTiles() const { return getNumOuterLoops() < getParallelLoops().size(); }

  static mlir::FailureOr<TaskNest> read(dataflow::TaskOp task);
};

/// A task and the unroll factors that were chosen for it. Fails, with an error, if none were.
struct UnrolledNest {
  TaskNest nest;
  llvm::SmallVector<int64_t> unroll;

  static mlir::FailureOr<UnrolledNest> read(dataflow::TaskOp task);
};

/// How an input of a compute task is read by the point loops.
enum class InputMode {
  Stream, ///< In the order of the FIFO: each vector is read once, held by inner loops.
  Single, ///< A token of one element, held until the loops that name it move on.
  Block,  ///< Through a block buffer.
};

/// The order of the point loops inside a tile and the way each input is read.
struct PointPlan {
  llvm::SmallVector<unsigned> order;  ///< Dimensions of the generic, outermost first.
  llvm::SmallVector<int64_t> unroll;  ///< Unrolled points per dimension.
  llvm::SmallVector<InputMode> modes; ///< One per input.
  /// Lanes of the FIFO that each streamed input needs; 1 for single elements.
  llvm::SmallVector<int64_t> lanes;
  /// Do streamed inputs and results pass whole rows, so that any number of lanes that
  /// divides the row will do? (Everything but contractions.)
  bool isFlexible = false;
  /// The dimension that lanes run along in flexible plans.
  std::optional<unsigned> laneDim;
};

/// Plans the point loops of `nest` with the given unroll factors.
PointPlan planPoints(const TaskNest &nest, llvm::ArrayRef<int64_t> unroll);

/// Iterations over loops of `extents`, `unroll` points of each side by side.
int64_t countPointIterations(llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<int64_t> unroll);

/// Iterations of a task inside its `depth` outermost loops over tiles, with points in loops of
/// `extents`.
int64_t countIterationsInside(const TaskNest &nest, unsigned depth, llvm::ArrayRef<int64_t> extents,
                              llvm::ArrayRef<int64_t> unroll);

/// Is `stream` read from external memory, apart from ops that only pass it on?
bool comesFromMemory(mlir::Value stream);

} // namespace streamtensor

#endif
