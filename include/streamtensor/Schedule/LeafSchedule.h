//===- LeafSchedule.h - Stages, depth and interval of a leaf ----*- C++ -*-===//
//
// The schedule of each flat pipeline of a leaf: each operation as soon as its operands
// are there, loads from on-chip memory as late as their users allow (so that an
// accumulation's distance is that of its adder and its memory), and the smallest
// initiation interval that recurrences, ports and FIFOs allow.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SCHEDULE_LEAFSCHEDULE_H
#define STREAMTENSOR_SCHEDULE_LEAFSCHEDULE_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"

#include <string>

namespace streamtensor::schedule {

struct PipelineSchedule {
  int64_t ii = 1, depth = 1;
  /// What set the interval, for reports; empty at 1.
  std::string limit;
  /// When each operation begins, how long it takes, and on which operator.
  llvm::DenseMap<mlir::Operation *, dataflow::TimingAttr> timing;
};

/// One for each pipeline of the leaf, in order.
using LeafSchedule = std::vector<PipelineSchedule>;

/// Fails, with a diagnostic, on an operation that the device cannot price.
mlir::FailureOr<LeafSchedule> scheduleLeaf(dataflow::LeafOp leaf, const DeviceModel &device);

/// Writes the schedule into the leaf and its nests: `ii`, `depth`, `limit`, `dataflow.timing`,
/// `distance`.
void annotate(dataflow::LeafOp leaf, const LeafSchedule &schedule);

/// Schedules and annotates every leaf of `design`, and states what control costs.
llvm::LogicalResult scheduleDesign(dataflow::DesignOp design, const DeviceModel &device);

/// Operators (shared over the interval and by nests in sequence), private memories, multiplexers,
/// loop control and port logic of a scheduled leaf.
Resources countLeaf(dataflow::LeafOp leaf, const DeviceModel &device);
/// Of these, the masters of external memory and the words on the way.
Resources countMasters(dataflow::LeafOp leaf, const DeviceModel &device);

} // namespace streamtensor::schedule

#endif
