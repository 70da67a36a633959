//===- Passes.h - FIFO depths -----------------------------------*- C++ -*-===//

#ifndef STREAMTENSOR_SIZING_PASSES_H
#define STREAMTENSOR_SIZING_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "llvm/Support/CommandLine.h"

namespace streamtensor::sizing {

/// How FIFO depths are found.
enum class Strategy { LinearProgram, HighWater, Search };

#define GEN_PASS_DECL
#include "streamtensor/Sizing/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "streamtensor/Sizing/Passes.h.inc"

} // namespace streamtensor::sizing

#endif
