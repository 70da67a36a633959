//===- ReferenceDesign.h - The machine of a design by enumeration -*- C++ -*-===//
//
// Visits every iteration of every leaf: its guards, and of external memory every element
// that an access moves, in order. Evaluates maps and sets itself, and knows no pattern: what
// lib/Sim finds in closed form must be the same.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_UNITTESTS_SIM_REFERENCEDESIGN_H
#define STREAMTENSOR_UNITTESTS_SIM_REFERENCEDESIGN_H

#include "ReferenceMachine.h"

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::sim {

/// The machine of a scheduled and sized design for these values of its scalars, FIFOs and buffers
/// in the order of the IR.
ReferenceMachine enumerateDesign(dataflow::DesignOp design, const DeviceModel &device,
                                 llvm::ArrayRef<int64_t> scalars);

} // namespace streamtensor::sim

#endif
