//===- PlacementReport.h - Dies and masters of a design ---------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_SIZING_PLACEMENTREPORT_H
#define STREAMTENSOR_LIB_SIZING_PLACEMENTREPORT_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Sim/BuildMachine.h"
#include "streamtensor/Sim/Simulator.h"
#include "llvm/Support/JSON.h"

namespace streamtensor::sizing {

llvm::json::Object reportShare(const Resources &used);

/// Adds `dies` (what each uses of what can be placed), `crossings` (bits over each boundary, of the
/// wires there) and `placement`, if the leaves state their dies.
void reportDies(dataflow::DesignOp design, const DeviceModel &device, llvm::json::Object &report);

/// The ways of all masters: tensors, task, channel, words, the bytes of a launch and the share of
/// the channel's sustained rate that they are.
llvm::json::Array reportPorts(const sim::DesignMachine &built, const sim::SimResult &result);

} // namespace streamtensor::sizing

#endif
