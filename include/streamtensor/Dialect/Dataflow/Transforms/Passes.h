//===- Passes.h - Passes on kernels and modules -----------------*- C++ -*-===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_TRANSFORMS_PASSES_H
#define STREAMTENSOR_DIALECT_DATAFLOW_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "llvm/Support/CommandLine.h"

namespace streamtensor {

/// How kernels are dealt to groups.
enum class FusionPlanner { Greedy, Optimal };

#define GEN_PASS_DECL
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"

} // namespace streamtensor

#endif
