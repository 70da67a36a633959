//===- SharedReads.h - Products that may share a read -----------*- C++ -*-===//

#ifndef STREAMTENSOR_ANALYSIS_SHAREDREADS_H
#define STREAMTENSOR_ANALYSIS_SHAREDREADS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor {

/// Products that take each element of `tensor` once, in program order.
llvm::SmallVector<mlir::linalg::GenericOp> getReadersOnce(mlir::Value tensor);

/// The input of `op` in external memory of which it takes each element once, as other products do:
/// one read can serve them all. None if there is no such input.
mlir::OpOperand *findSharedRead(mlir::linalg::GenericOp op);

} // namespace streamtensor

#endif
