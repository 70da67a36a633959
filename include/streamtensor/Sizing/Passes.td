//===- Passes.td - Passes of the phase size -------------------*- tablegen -*-===//
//
// Memories, schedules and FIFO depths of stream-level designs. Every pass
// reads the device of the module.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIZING_PASSES
#define STREAMTENSOR_SIZING_PASSES

include "mlir/Pass/PassBase.td"

class SizePhasePass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect"];
}

def PartitionBuffers : SizePhasePass<"dataflow-partition-buffers"> {
  let summary = "Set the partition of block buffers from the shapes of their accesses";
  let description = [{
    The cyclic factor of a dimension is the least common multiple of the extents
    with which accesses of the writer and the reader box it, so that the lanes of
    every access lie in different banks. A partition that is set is kept.
  }];
}

def AssignMemories : SizePhasePass<"dataflow-assign-memories"> {
  let summary = "Set the memory kind of block buffers and of leaves' private memories";
  let description = [{
    Each memory takes the kind (LUTRAM, block RAM, UltraRAM; registers for banks of
    one word) that uses the smallest share of the card, the largest memories first;
    once a kind is used up the next best follows. A design whose buffers do not fit
    is an error that names them. Leaves get `private_memories` and
    `private_partitions`, one entry per private memory.
  }];
}

def ScheduleLeaves : SizePhasePass<"dataflow-schedule-leaves"> {
  let summary = "Set the initiation interval, pipeline depth and access stages of leaves";
  let description = [{
    Stages follow from the device's latencies; the interval from recurrences through
    memories, accesses to one FIFO or one bank in one iteration, and the width of
    memory ports. `ii_limit` says what keeps an interval above 1.
  }];
}

def SizeFifos : SizePhasePass<"dataflow-size-fifos"> {
  let summary = "Set FIFO depths and their memory kinds; prove that the design ends";
  let description = [{
    `lp` is the linear program of the StreamTensor paper, `highwater` takes the
    largest use of each FIFO in an unbounded run, `search` looks for small depths
    that keep the cycles of that run. The depths of all but `lp` and `force-depth`
    are then enlarged until freedom from deadlock does not depend on timing, and a
    last run must end; a deadlock is an error that names the waiting tasks, the
    FIFOs and the depth that would release them.

    Streams get `sizing = {lp, high_water, least, tokens}`, designs `sizing = {strategy,
    cycles, unbounded_cycles, lp_cycles}` (`lp_cycles` is absent if a run at the
    depths of the linear program deadlocks).
  }];
  let options = [
    Option<"strategy", "strategy", "Strategy", "Strategy::Search", "How depths are found",
      [{::llvm::cl::values(
        clEnumValN(Strategy::LinearProgram, "lp", "linear program of the paper"),
        clEnumValN(Strategy::HighWater, "highwater", "largest use in an unbounded run"),
        clEnumValN(Strategy::Search, "search", "small depths that keep the cycles"))}]>,
    Option<"conservative", "conservative", "bool", "false",
           "In the linear program, scale all tasks to the slowest">,
    Option<"forceDepth", "force-depth", "int64_t", "0",
           "Give every FIFO this depth (experiments and tests)">,
    Option<"loss", "loss", "double", "0.01", "Allowed loss of speed of `search`, a fraction">,
    Option<"searchSteps", "search-steps", "int64_t", "600000000",
           "Token accesses that all candidate runs of `search` may simulate">
  ];
}

#endif
