//===- VitisCores.h - Operations that pragma bind_op binds ------*- C++ -*-===//
//
// Left alone, Vitis HLS chooses the latency of each operation anew, and with it the interval of a
// recurrence and the depth of a pipeline. So that a design runs as it was scheduled, its operations
// are bound to an implementation and a latency (UG1399, pragma HLS bind_op). Which of both there
// are is the table of VitisCores.def; which of them a card uses, its device file says.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DEVICE_VITISCORES_H
#define STREAMTENSOR_DEVICE_VITISCORES_H

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>
#include <vector>

namespace streamtensor {

/// What bind_op calls the operation: `fadd`, `dmul`, `mul`. Empty for what it cannot bind, or what
/// the generated C++ computes in several operations.
std::string getVitisOperation(mlir::Operation *op);

/// What it calls the operations that an operator of the library computes: `fadd` and `fsub` of
/// `add_f32`.
std::vector<std::string> getVitisOperations(llvm::StringRef operatorName);

/// The largest latency in cycles of an operation with an implementation; nothing if there is no
/// such implementation.
std::optional<int64_t> getMostCycles(llvm::StringRef operation, llvm::StringRef implementation);

/// The implementations of an operation, with commas between.
std::string listImplementations(llvm::StringRef operation);

} // namespace streamtensor

#endif
