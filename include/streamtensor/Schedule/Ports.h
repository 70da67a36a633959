//===- Ports.h - Words of external memory -----------------------*- C++ -*-===//

#ifndef STREAMTENSOR_SCHEDULE_PORTS_H
#define STREAMTENSOR_SCHEDULE_PORTS_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::schedule {

/// States the interface of every port, where it is not stated, and the words of every access.
void planPorts(dataflow::DesignOp design, const DeviceModel &device);

/// Leaves external memory out, for comparison with work that does: every port answers like block
/// RAM, whole accesses at once and without bursts. Leaves are scheduled anew.
llvm::LogicalResult moveTensorsOnChip(dataflow::DesignOp design, const DeviceModel &device);

} // namespace streamtensor::schedule

#endif
