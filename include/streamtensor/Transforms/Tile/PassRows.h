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

/// The operations between products of `engines` that have passes of fewer tokens than all: what
/// they take is external or comes from such products, what they give goes to those with as many
/// tokens in a pass, by way of others like them or not.
llvm::DenseMap<mlir::Operation *, PassRows> findPassRows(mlir::func::FuncOp function,
                                                         const Engines &engines);

} // namespace streamtensor

#endif
