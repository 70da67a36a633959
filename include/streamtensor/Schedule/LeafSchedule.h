//===- LeafSchedule.h - Stages, depth and interval of a leaf ----*- C++ -*-===//
//
// The schedule of a leaf's flat pipeline: each operation as soon as its operands
// are there, loads from on-chip memory as late as their users allow (so that an
// accumulation's distance is that of its adder and its memory), and the smallest
// initiation interval that recurrences, ports and FIFOs allow.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIZING_LEAFSCHEDULE_H
#define STREAMTENSOR_SIZING_LEAFSCHEDULE_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include <string>

namespace streamtensor::sizing {

struct LeafSchedule {
  int64_t ii = 1, depth = 1;
  /// What set the interval, for reports; empty at 1.
  std::string limit;
  /// Cycle after issue in which each operation starts.
  llvm::DenseMap<mlir::Operation *, int64_t> stages;
};

/// Fails, with a diagnostic, on an operation that the device cannot price.
mlir::FailureOr<LeafSchedule> scheduleLeaf(dataflow::LeafOp leaf, const DeviceModel &device);

/// Writes `ii`, `depth` and the stages of accesses into the leaf.
void annotate(dataflow::LeafOp leaf, const LeafSchedule &schedule);

/// Operators (shared over the interval), private memories, loop control and port
/// logic of a scheduled leaf.
Resources countLeaf(dataflow::LeafOp leaf, const DeviceModel &device);

/// Smallest number of iterations, at least 1 and at most `limit`, after which
/// `load` can meet an address that `store` wrote, both in one trip of the serial
/// loops; `limit` if it takes as many or never happens.
int64_t getReuseDistance(dataflow::LeafOp leaf, dataflow::StoreOp store, dataflow::LoadOp load,
                         int64_t limit);

} // namespace streamtensor::sizing

#endif
