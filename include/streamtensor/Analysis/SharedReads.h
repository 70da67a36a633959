//===- SharedReads.h - Products that may share a read -----------*- C++ -*-===//

#ifndef STREAMTENSOR_ANALYSIS_SHAREDREADS_H
#define STREAMTENSOR_ANALYSIS_SHAREDREADS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor {

/// The operands that are `tensor` of products that take each element of it once, in program order.
llvm::SmallVector<mlir::OpOperand *> getReadsOnce(mlir::Value tensor);

/// The input of `op` in external memory of which it takes each element once, as other products do:
/// one read can serve them all. None if there is no such input.
mlir::OpOperand *findSharedRead(mlir::linalg::LinalgOp op);

} // namespace streamtensor

#endif
