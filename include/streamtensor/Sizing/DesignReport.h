//===- DesignReport.h - A sized design simulated and counted ----*- C++ -*-===//
//
// What streamtensor-sim prints: cycles, tasks, FIFOs, buffers, resources.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIZING_DESIGNREPORT_H
#define STREAMTENSOR_SIZING_DESIGNREPORT_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Sim/BuildMachine.h"
#include "streamtensor/Sim/Simulator.h"
#include "llvm/Support/JSON.h"

namespace streamtensor::sizing {

/// Resources of a design but its FIFOs.
Resources countTasksAndBuffers(const sim::DesignMachine &built, const DeviceModel &device);
/// What each FIFO is made of at these depths, beside the tasks and buffers of the design.
llvm::SmallVector<dataflow::MemoryKind> chooseFifoKinds(const sim::DesignMachine &built,
                                                        llvm::ArrayRef<int64_t> depths,
                                                        const DeviceModel &device);
/// The same where depths are decided: what they leave of the blocks may spare logic.
llvm::SmallVector<dataflow::MemoryKind> chooseKindsOfSized(const sim::DesignMachine &built,
                                                           llvm::ArrayRef<int64_t> depths,
                                                           const DeviceModel &device);
/// Memory and logic of the FIFOs by the first.
Resources countFifos(const sim::DesignMachine &built, llvm::ArrayRef<int64_t> depths,
                     const DeviceModel &device);
/// Whole resources of a sized design.
Resources countDesign(const sim::DesignMachine &built, const DeviceModel &device);

/// Bytes of block buffers, FIFO slots and private memories, as declared.
struct MemoryBytes {
  int64_t buffers = 0, fifos = 0, privates = 0;
};
MemoryBytes countBytes(const sim::DesignMachine &built);

llvm::json::Object reportDesign(const sim::DesignMachine &built, const sim::SimResult &result,
                                const DeviceModel &device);

/// `{"lut": {"used": ..., "available": ...}, ...}`.
llvm::json::Object reportResources(const Resources &used, const DeviceModel &device);

} // namespace streamtensor::sizing

#endif
