//===- GreedyRewrite.h - Rewrite until nothing changes ----------*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_GREEDYREWRITE_H
#define STREAMTENSOR_TRANSFORMS_GREEDYREWRITE_H

#include "mlir/IR/PatternMatch.h"

namespace streamtensor {

/// Applies `patterns` inside `op` until none matches. MLIR's driver gives up, in silence, after ten
/// rounds, which long chains of operations need; here the limit is one that only patterns that undo
/// each other reach, and reaching it is an error.
mlir::LogicalResult rewriteToFixpoint(mlir::Operation *op, mlir::RewritePatternSet patterns);

} // namespace streamtensor

#endif
