//===- Ports.h - Words of external memory -----------------------*- C++ -*-===//

#ifndef STREAMTENSOR_SCHEDULE_PORTS_H
#define STREAMTENSOR_SCHEDULE_PORTS_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Schedule/Passes.h"

namespace streamtensor::schedule {

/// States the interface of every port and the channel of every interface, where they are not
/// stated, and the words of every access. Errors: more ports than the channels take.
llvm::LogicalResult planPorts(mlir::ModuleOp module, const DeviceModel &device,
                              const PlanPortsOptions &options);

/// Tensors that `design`, whose ports are not planned, reads and writes, and for each of which it
/// would wait if it came over one channel.
llvm::SmallVector<dataflow::PortOp> getSlowCaches(dataflow::DesignOp design,
                                                  const DeviceModel &device);

/// How a master of the device reaches external memory.
dataflow::InterfaceAttr getInterfaceFacts(mlir::MLIRContext *context, const DeviceModel &device);

/// The memory of a master for all words that may be on the way in one direction (UG1399: bursts
/// outstanding x longest burst x bits of a word).
Resources countWordsOnTheWay(dataflow::WordsAttr words, int64_t wordBits,
                             const DeviceModel &device);

/// Leaves external memory out, for comparison with work that does: every port answers like block
/// RAM, whole accesses at once and without bursts. Leaves are scheduled anew.
llvm::LogicalResult moveTensorsOnChip(dataflow::DesignOp design, const DeviceModel &device);

} // namespace streamtensor::schedule

#endif
