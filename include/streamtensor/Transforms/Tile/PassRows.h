//===- PassRows.h - Rows between the passes of two products -----*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_PASSROWS_H
#define STREAMTENSOR_TRANSFORMS_TILE_PASSROWS_H

#include "streamtensor/Transforms/Tile/Engines.h"

namespace streamtensor {

/// A loop over tokens, and those of a pass.
struct PassRows {
  unsigned loop;
  int64_t rows;
  bool operator==(const PassRows &other) const { return loop == other.loop && rows == other.rows; }
};

/// The operations that take nothing but what products of `engines` give in passes of fewer tokens
/// than all, and give it to products with as many in a pass.
llvm::DenseMap<mlir::Operation *, PassRows> findPassRows(mlir::func::FuncOp function,
                                                         const Engines &engines);

} // namespace streamtensor

#endif
