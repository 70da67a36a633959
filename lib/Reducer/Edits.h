//===- Edits.h - Ways to make a program smaller -----------------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_REDUCER_EDITS_H
#define STREAMTENSOR_LIB_REDUCER_EDITS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace streamtensor {

/// An edit of the function's `position`-th operation (or argument, or result). It keeps the
/// function valid, or says by `false` that there is nothing to do here, before any change.
using Edit = bool (*)(mlir::func::FuncOp function, size_t position);

/// The function returns what the operation makes, and nothing else.
bool returnOnly(mlir::func::FuncOp function, size_t position);
/// The function no longer returns one of its results.
bool dropResult(mlir::func::FuncOp function, size_t position);
/// What the operation makes becomes an argument.
bool cutToArgument(mlir::func::FuncOp function, size_t position);
/// The operation's result is replaced by one of its operands of the same type.
bool bypass(mlir::func::FuncOp function, size_t position);
/// The same for an operation in the body of another.
bool bypassInBody(mlir::func::FuncOp function, size_t position);
/// Operands and results of Linalg operations that no body and nobody else uses go away.
bool dropUnusedOperands(mlir::func::FuncOp function);
/// Erases operations and arguments that nothing needs; true if there were any.
bool dropUnused(mlir::func::FuncOp function);

/// Operations outside of bodies, and inside of them.
llvm::SmallVector<mlir::Operation *> getOuterOps(mlir::func::FuncOp function);
llvm::SmallVector<mlir::Operation *> getBodyOps(mlir::func::FuncOp function);

} // namespace streamtensor

#endif
