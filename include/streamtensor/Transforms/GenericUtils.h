//===- GenericUtils.h - Questions about linalg.generic ----------*- C++ -*-===//
//
// Shared by the passes of the phase `linalg`. The words: a generic is
// *elementwise* if all its loops are parallel; a *copy* is an elementwise
// generic with one input that yields it unchanged (a transpose, a broadcast).
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_TRANSFORMS_GENERICUTILS_H
#define STREAMTENSOR_TRANSFORMS_GENERICUTILS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <string>

namespace streamtensor {

/// True if all loops are parallel and each result is written by a permutation
/// of them.
bool isElementwise(mlir::linalg::GenericOp op);

/// True if `op` moves its one input without changing it.
bool isCopy(mlir::linalg::GenericOp op);

/// The map by which each element of a copy's result is read from its source.
mlir::AffineMap getCopyMap(mlir::linalg::GenericOp copy);

/// Patterns that let generics read through copies (see the pass AbsorbCopies).
void populateAbsorbCopyPatterns(mlir::RewritePatternSet &patterns);

/// True if the body reads the initial value of any result.
bool readsInit(mlir::linalg::GenericOp op);

/// The constant that fills the tensor `value`: of a splat constant, or of a
/// linalg.fill of a constant. Null if there is none.
mlir::TypedAttr getFillConstant(mlir::Value value);

/// Replaces `op` by a generic with other inputs, inits, maps and loops that
/// keeps its body; `maps` are those of the inputs, then of the inits. The body's
/// linalg.index ops are not renumbered.
mlir::linalg::GenericOp cloneGeneric(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op,
                                     mlir::ValueRange inputs, mlir::ValueRange inits,
                                     llvm::ArrayRef<mlir::AffineMap> maps,
                                     llvm::ArrayRef<mlir::utils::IteratorType> iterators);

/// Creates a copy: loops of `map`'s domain, read by `map`, written by identity.
mlir::linalg::GenericOp createCopy(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
                                   mlir::AffineMap map, llvm::ArrayRef<int64_t> resultShape);

} // namespace streamtensor

#endif // STREAMTENSOR_TRANSFORMS_GENERICUTILS_H
