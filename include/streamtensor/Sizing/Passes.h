//===- Passes.h - Passes of the phase size ----------------------*- C++ -*-===//

#ifndef STREAMTENSOR_SIZING_PASSES_H
#define STREAMTENSOR_SIZING_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "llvm/Support/CommandLine.h"

#include <string>

namespace streamtensor {
namespace sizing {

/// How FIFO depths are found.
enum class Strategy { LinearProgram, HighWater, Search };

#define GEN_PASS_DECL
#include "streamtensor/Sizing/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "streamtensor/Sizing/Passes.h.inc"

} // namespace sizing

struct SizePhaseOptions {
  sizing::Strategy strategy = sizing::Strategy::Search;
  /// Every FIFO at this depth; 0 follows the strategy.
  int64_t forceDepth = 0;
};

/// Appends the phase `size`: partition, memory kinds, schedules, FIFO depths.
void buildSizePhase(mlir::OpPassManager &pm, const SizePhaseOptions &options);

/// Registers the passes above and the pipeline `streamtensor-size-phase`.
void registerSizePhase();

} // namespace streamtensor

#endif
