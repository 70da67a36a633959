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

def AssembleWords : LeafPass<"dataflow-assemble-words"> {
  let summary = "Write block buffers in the words in which they are read";
  let description = [{
    A leaf that writes an element at a time where vectors are read holds them in registers and stores
    a vector when it is complete, where the block takes less of the card as one memory of wide words
    (`word` of its storage) than in a bank for each lane.
  }];
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
    What accesses reach at a time lies in banks of its own, or in one word where each access moves
    whole words and fewer blocks of RAM are taken so. Each memory takes the kind (LUTRAM, block RAM,
    UltraRAM; registers for banks of one word) that uses the smallest share of the card, the largest memories first;
    once a kind is used up the next best follows. A design whose buffers do not fit
    is an error that names them. Leaves get `storages`, one entry per private memory; FIFOs whose
    depth is stated get their memory. What is stated already is kept.
  }];
}

def PlanPorts : LeafPass<"dataflow-plan-ports"> {
  let summary = "Declare masters and channels of external memory; set the words of accesses";
  let description = [{
    A tensor that several leaves read comes in by a port for each. Leaves that load small tensors are
    merged and share an interface; if there are more interfaces than the device has masters, further
    ones are. Each other port gets an interface of its own, each interface a channel of the card, so that
    bytes are spread evenly; a tensor has one channel, and so have a result and the argument that it
    is in the next launch (`streamtensor.next`). What is stated is kept.
    Tensors that are read and written (caches), and keep a design waiting for one channel, are dealt
    to several masters where `cache-stripes` allows that.
    A word is the widest that fits into the port and holds the elements of an access at consecutive
    places. A burst is as long as the device's limit of bytes and of words allows, and as many are on
    the way as the latency takes.
  }];
  let options = [Option<"loss", "loss", "double", "0.01",
                        "Part of the time that sharing an interface may cost">,
                 Option<"cacheStripes", "cache-stripes", "int64_t", "1",
                        "Masters of a tensor that is read and written, at most">];
}

def ScheduleLeaves : LeafPass<"dataflow-schedule-leaves"> {
  let summary = "Set the interval and depth of leaves, and when each operation begins";
  let description = [{
    Modulo scheduling: stages follow from the latencies of operators, memories and ports, the
    interval from recurrences through memories, accesses to one FIFO or to one bank in one
    iteration, and the words of memory ports. `limit` says what keeps an interval above 1.
  }];
}

#endif
