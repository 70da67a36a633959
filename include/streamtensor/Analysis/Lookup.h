//===- Lookup.h - Rows of a table at computed places ------------*- C++ -*-===//
//
// An embedding, an index_select: an element-wise generic whose body extracts
// `table[row, i, j, ...]`, the row computed from the inputs, the rest loops of the generic. The
// table lies in external memory; the row is clamped to it.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_ANALYSIS_LOOKUP_H
#define STREAMTENSOR_ANALYSIS_LOOKUP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"

namespace streamtensor {

struct Lookup {
  mlir::tensor::ExtractOp extract;
  mlir::Value row; ///< In the body.
  /// For each index after the row the loop of the generic that moves it, if one does.
  llvm::SmallVector<std::optional<unsigned>> columns;

  /// Where the points of the generic lie in a row: (loops) -> (0, columns).
  mlir::AffineMap getMap(unsigned numLoops) const;
};

/// The lookup in `op`'s body, if it has one of this form, before or after tiling.
std::optional<Lookup> findLookup(mlir::linalg::LinalgOp op);

/// Does the body extract elements of a tensor at all?
bool extractsElements(mlir::linalg::LinalgOp op);

/// The operations of the body that only the indices of the lookup need.
llvm::DenseSet<mlir::Operation *> getIndexOperations(Lookup lookup);

/// Does the row depend on `loop`, through the inputs or as an index?
bool dependsOnLoop(mlir::linalg::LinalgOp op, mlir::Value row, unsigned loop);

} // namespace streamtensor

#endif
