//===- ReshapeUtils.h - Dropping dimensions of extent one -------*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_RESHAPEUTILS_H
#define STREAMTENSOR_TRANSFORMS_RESHAPEUTILS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

namespace streamtensor {

/// The dimensions of extent one.
llvm::SmallBitVector findUnitDims(mlir::RankedTensorType type);

/// collapse_shape of `value` that drops the unit dimensions `dropped`; `value`
/// itself if there are none.
mlir::Value dropUnitDims(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                         const llvm::SmallBitVector &dropped);

/// expand_shape of `value` to `type`, whose unit dimensions `dropped` are
/// missing in `value`; `value` itself if there are none.
mlir::Value restoreUnitDims(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                            mlir::RankedTensorType type, const llvm::SmallBitVector &dropped);

/// Patterns that cancel and compose adjacent reshapes, and reshape constants,
/// fills and empty tensors in place. They move no reshape past arithmetic.
void populateReshapeCleanupPatterns(mlir::RewritePatternSet &patterns);

} // namespace streamtensor

#endif // STREAMTENSOR_TRANSFORMS_RESHAPEUTILS_H
