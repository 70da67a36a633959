//===- Reducer.h - The smallest program that shows a fault ------*- C++ -*-===//

#ifndef STREAMTENSOR_REDUCER_REDUCER_H
#define STREAMTENSOR_REDUCER_REDUCER_H

#include "mlir/IR/BuiltinOps.h"

#include <chrono>

namespace streamtensor {

/// Takes operations, results, arguments and parts of bodies away from a program of Linalg on
/// tensors (any program of pure operations in one function) as long as `isInteresting` holds of
/// what is left. Each step keeps the program valid. Ends when nothing more can go, or at the
/// deadline with the smallest program found so far. Returns the number of programs tried.
unsigned reduceProgram(mlir::ModuleOp module,
                       llvm::function_ref<bool(mlir::ModuleOp)> isInteresting,
                       std::chrono::steady_clock::time_point deadline);

/// The text of a program as a file holds it.
std::string printModule(mlir::ModuleOp module);

} // namespace streamtensor

#endif
