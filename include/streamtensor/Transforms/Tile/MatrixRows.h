//===- MatrixRows.h - Rows of matrices that come at once --------*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_MATRIXROWS_H
#define STREAMTENSOR_TRANSFORMS_TILE_MATRIXROWS_H

#include "streamtensor/Device/DeviceModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <limits>

namespace streamtensor {

/// The first dimension of a matrix in external memory, which a product takes with a vector, and how
/// many of its rows the product may take in an iteration, a word of each.
struct MatrixRows {
  mlir::Value matrix;
  int64_t most;
  int64_t mostInHalves; ///< The same, if a word of each has two masters, for half of it each.
  double sustained;     ///< Of a word in each cycle, what a channel brings.
  int64_t word;         ///< Elements of a word of memory, of which a row must have whole ones.
};

/// Those of a function whose contractions all are products of matrices in memory with vectors, of
/// elements that are taken once. Such a function is as fast as memory, so each matrix gets the
/// masters that arguments and results beside the matrices leave, or an equal part of them with
/// matrices that are needed at the same time, and no product more rows than its part of `lanes`
/// multiplies, or `lanesOfTask`. Nothing where that is less than half of `tileSize`.
llvm::SmallVector<MatrixRows>
findMatrixRows(mlir::func::FuncOp function, const DeviceModel &device, int64_t tileSize = 1,
               int64_t lanes = std::numeric_limits<int64_t>::max(),
               int64_t lanesOfTask = std::numeric_limits<int64_t>::max());

/// How many of `extent` rows the product takes in an iteration, of so many words of each: the most
/// that divide them, or fewer in halves if these come sooner.
int64_t getRowsAtOnce(int64_t extent, int64_t words, const MatrixRows &rows);

/// The largest divisor of `extent` that is at most `limit`.
int64_t getLargestDivisor(int64_t extent, int64_t limit);

} // namespace streamtensor

#endif
