//===- LaneChoices.h - What the lanes of contractions can be ----*- C++ -*-===//
//
// Lanes of a contraction grow one loop after the other, each to the next divisor of its tile. For
// tiles of 10 rows that ends at 32 of 44 lanes and leaves 5 x 8 out. So of a budget that is a
// number of lanes, all that lanes can be are compared, and shared out exactly.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_TRANSFORMS_TILE_LANECHOICES_H
#define STREAMTENSOR_LIB_TRANSFORMS_TILE_LANECHOICES_H

#include "streamtensor/Transforms/Tile/UnrollBudget.h"

namespace streamtensor {

constexpr int64_t widestScalar = 64; ///< Bits.

/// The unroll one step larger than `unroll`, or nothing if every loop is unrolled fully. A loop
/// that a launch may end early has no lanes: it could end between groups of them only.
std::optional<llvm::SmallVector<int64_t>> grow(mlir::linalg::LinalgOp op,
                                               const DimensionClasses &classes,
                                               llvm::ArrayRef<int64_t> unroll, int64_t maxLanes,
                                               bool reductionsFirst);

/// Iterations with so many lanes, or, if that is more, those in which an input that another
/// operation gives comes in words: all of it for each tile of loops that it does not depend on.
int64_t getCyclesWithInputs(mlir::linalg::LinalgOp op, const DimensionClasses &classes,
                            llvm::ArrayRef<int64_t> unroll, int64_t bitsOfWord);

/// Unroll factors with so many lanes, and what the contraction takes with them.
struct LaneChoice {
  int64_t lanes, cycles;
  llvm::SmallVector<int64_t> unroll;
};

/// All that lanes can be, at most `most`: the fewest for each number of cycles, fewest first. Of
/// those that are as many, those come first which `grow` would reach first.
std::vector<LaneChoice> getLaneChoices(mlir::linalg::LinalgOp op, const DimensionClasses &classes,
                                       int64_t most, const LaneLimits &limits, bool reductionsFirst,
                                       int64_t bitsOfWord);

/// Of a budget that is a number of lanes: growing doubles the lanes of the slowest while others
/// have more than they need. The fewest cycles that all contractions can keep, if they are fewer
/// than with `factors`, which then change. Gives the lanes that are spent.
std::optional<int64_t> shareExactly(llvm::ArrayRef<mlir::linalg::LinalgOp> contractions,
                                    const DimensionClasses &classes, const LaneLimits &limits,
                                    bool reductionsFirst, int64_t bitsOfWord,
                                    UnrollFactors &factors);

} // namespace streamtensor

#endif
