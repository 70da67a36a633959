//===- Jit.h - Linalg through MLIR's own lowering ---------------*- C++ -*-===//
//
// A second opinion on what a program of Linalg computes, which shares no code with the
// interpreter: MLIR bufferises it, lowers it to loops and LLVM, and runs it.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_INTERPRETER_JIT_H
#define STREAMTENSOR_INTERPRETER_JIT_H

#include "mlir/IR/BuiltinOps.h"
#include "streamtensor/Interpreter/Array.h"

namespace streamtensor::interpreter {

/// Compiles the entry function and runs it on tensors. Sums are added in the order of the loops,
/// without contraction or fast math; functions are those of the platform's math library. What MLIR
/// cannot lower is an emitted error.
mlir::FailureOr<llvm::SmallVector<Array>> runWithJit(mlir::ModuleOp module,
                                                     llvm::ArrayRef<Array> arguments);

} // namespace streamtensor::interpreter

#endif
