//===- Passes.h - Memories and schedules of leaf tasks ----------*- C++ -*-===//

#ifndef STREAMTENSOR_SCHEDULE_PASSES_H
#define STREAMTENSOR_SCHEDULE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "llvm/Support/CommandLine.h"

namespace streamtensor::schedule {

#define GEN_PASS_DECL
#include "streamtensor/Schedule/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "streamtensor/Schedule/Passes.h.inc"

} // namespace streamtensor::schedule

#endif
