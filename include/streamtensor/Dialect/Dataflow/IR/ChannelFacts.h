//===- ChannelFacts.h - Channels of external memory -------------*- C++ -*-===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_CHANNELFACTS_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_CHANNELFACTS_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::dataflow {

/// What a channel of the device's external memory gives.
ChannelAttr getChannelFacts(mlir::MLIRContext *context, const DeviceModel &device);

} // namespace streamtensor::dataflow

#endif
