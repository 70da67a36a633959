//===- Passes.td - Memories and schedules of leaf tasks ----*- tablegen -*-===//
//
// Every pass reads the device of the module.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SCHEDULE_PASSES_TD
#define STREAMTENSOR_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

class LeafPass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect"];
}

def PartitionBuffers : LeafPass<"dataflow-partition-buffers"> {
  let summary = "Set the partition of block buffers from the shapes of their accesses";
  let description = [{
    The cyclic factor of a dimension is the least common multiple of the extents
    with which accesses of the writer and the reader box it, so that the lanes of
    every access lie in different banks. A partition that is set is kept.
  }];
}

def AssignMemories : LeafPass<"dataflow-assign-memories"> {
  let summary = "Set the memory kind of block buffers and of leaves' private memories";
  let description = [{
    Each memory takes the kind (LUTRAM, block RAM, UltraRAM; registers for banks of
    one word) that uses the smallest share of the card, the largest memories first;
    once a kind is used up the next best follows. A design whose buffers do not fit
    is an error that names them. Leaves get `private_memories` and
    `private_partitions`, one entry per private memory.
  }];
}

def ScheduleLeaves : LeafPass<"dataflow-schedule-leaves"> {
  let summary = "Set the initiation interval, pipeline depth and access stages of leaves";
  let description = [{
    Stages follow from the device's latencies; the interval from recurrences through
    memories, accesses to one FIFO or one bank in one iteration, and the width of
    memory ports. `ii_limit` says what keeps an interval above 1.
  }];
}

#endif
