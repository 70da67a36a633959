//===- Interpreter.h - What a program computes ------------------*- C++ -*-===//
//
// Executes a module at any level of the compiler: Linalg on tensors, kernels over itensors,
// designs of leaf tasks. Laws: docs/rationale/interpreter.md.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_INTERPRETER_INTERPRETER_H
#define STREAMTENSOR_INTERPRETER_INTERPRETER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "streamtensor/Interpreter/Comparison.h"

#include <functional>

namespace streamtensor::interpreter {

enum class Level { Linalg, ITensor, Stream };

llvm::StringRef stringifyLevel(Level level);

/// The lowest level that the module holds operations of.
Level getLevel(mlir::ModuleOp module);

/// What fixes the order in which float sums are added.
enum class SumOrder {
  Unstated, ///< Nothing yet: passes may change it.
  Loops,    ///< The loops, from phase `tile` on.
  None,     ///< As `Loops`, but nothing is added.
  Hardware, ///< Lanes, adder trees and partial sums, from `streamtensor-plan-sums` on.
};
SumOrder getSumOrder(mlir::ModuleOp module);

/// How exactly a module must agree with one that it was made from.
Agreement getAgreement(SumOrder before, SumOrder after);

/// The function that a run enters: `main`, or the only one. Errors are emitted at the module.
mlir::FailureOr<mlir::FunctionOpInterface> getEntry(mlir::ModuleOp module);

/// The tensor type of each argument of the entry function; rank 0 for scalars. An argument of
/// another type is an emitted error.
mlir::FailureOr<llvm::SmallVector<mlir::RankedTensorType>> getArgumentTypes(mlir::ModuleOp module);

/// Runs the entry function. Arguments and results are tensors, or scalars as arrays of rank 0.
/// What the program does wrong, and what the interpreter does not know, is an emitted error.
/// If it `overlaps`, the iterations of scheduled leaves overlap: each access to a private
/// memory happens at its stage, and a wrong stage or interval is a wrong result, or an error where
/// something is overwritten before it is read.
mlir::FailureOr<llvm::SmallVector<Array>>
interpret(mlir::ModuleOp module, llvm::ArrayRef<Array> arguments, bool overlaps = false);

/// Arguments for the entry function, the same for the same seed: floats in [-1, 1), integers in
/// [-8, 8) as far as their type has them.
mlir::FailureOr<llvm::SmallVector<Array>> makeRandomArguments(mlir::ModuleOp module, uint64_t seed);

} // namespace streamtensor::interpreter

#endif
