//===- Passes.h - Dies ------------------------------------------*- C++ -*-===//

#ifndef STREAMTENSOR_PLACEMENT_PASSES_H
#define STREAMTENSOR_PLACEMENT_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::placement {

#define GEN_PASS_DECL
#include "streamtensor/Placement/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "streamtensor/Placement/Passes.h.inc"

} // namespace streamtensor::placement

#endif
