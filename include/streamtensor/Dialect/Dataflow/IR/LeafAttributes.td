//===- LeafAttributes.td - What a scheduled design says -------*- tablegen -*-===//
//
// How memories, ports and FIFOs are built, when each operation of a leaf begins and on what it
// runs. Passes of the phase size choose these with a device at hand; the emitter, the simulators
// and the reports read them here and nowhere else. Latencies, intervals and stages are in cycles.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_LEAFATTRIBUTES_TD
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_LEAFATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"

class Dataflow_Attr<string name, string attrMnemonic> : AttrDef<Dataflow_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Dataflow_StorageAttr : Dataflow_Attr<"Storage", "storage"> {
  let summary = "how an on-chip memory is built";
  let description = [{
    `#dataflow.storage<bram partition [1, 4] ports 2 read 2 write 1>`: the kind of memory, the cyclic
    partition factor (number of banks) of each dimension, the accesses that a bank serves in a
    cycle (0: any number), how many of these may write where not all may (`ports 4 write_ports 1`),
    the cycles from an address to its data, and those from a write to its being visible. The kind is
    `unset` until memories are assigned.

    `partition [1, 1, 16] word 16`: the 16 elements are one word of one memory, no banks. Every
    access then moves whole words.
  }];
  let parameters = (ins EnumParameter<Dataflow_MemoryKindEnum>:$kind,
    OptionalArrayRefParameter<"int64_t">:$partition, DefaultValuedParameter<"int64_t", "0">:$ports,
    DefaultValuedParameter<"int64_t", "0">:$writePorts,
    DefaultValuedParameter<"int64_t", "0">:$readLatency,
    DefaultValuedParameter<"int64_t", "0">:$writeLatency,
    DefaultValuedParameter<"int64_t", "1">:$word);
  let assemblyFormat = [{
    `<` $kind (`partition` ` ` `[` $partition^ `]`)? (`word` $word^)? (`ports` $ports^)?
    (`write_ports` $writePorts^)? (`read` $readLatency^)? (`write` $writeLatency^)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Elements that are reached at a time: one of each bank, or a word.
    int64_t getNumLanes() const { return ::llvm::product_of(getPartition()); }
    /// Cycles in which accesses to `elements` neighbours keep a port of their bank.
    int64_t getBeats(int64_t elements) const;
    /// Accesses of one way that a bank serves in a cycle; 0: any number.
    int64_t getPortsOf(bool writes) const {
      return writes && getWritePorts() ? getWritePorts() : getPorts();
    }
  }];
}
def Dataflow_Storages : TypedArrayAttrBase<Dataflow_StorageAttr, "how private memories are built">;

def Dataflow_InterfaceAttr : Dataflow_Attr<"Interface", "interface"> {
  let summary = "how external memory is reached through a port";
  let description = [{
    `#dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>`: the widest word, the cycles from
    an address to its first word and from a word to its being written, and the cycles that each
    further burst costs.
  }];
  let parameters = (ins "int64_t":$bits, "int64_t":$read, "int64_t":$write, "int64_t":$gap);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Dataflow_WordsAttr : Dataflow_Attr<"Words", "words"> {
  let summary = "the words in which an access moves its elements";
  let description = [{
    `#dataflow.words<count = 1, lanes = 16, used = 16, burst = 64, outstanding = 3>`: words per access,
    elements that fit into a word, those of them that the access moves, the words of a burst at
    most, and the bursts that may be on the way at a time. A burst ends where the address is a
    multiple of its length. The interface has room for all words on the way. `request = 8` behind that:
    each iteration begins bursts of its own, of so many words at most, since that is all that Vitis
    infers from the C++ of this access.
  }];
  let parameters = (ins "int64_t":$count, "int64_t":$lanes, "int64_t":$used, "int64_t":$burst,
                        "int64_t":$outstanding, DefaultValuedParameter<"int64_t", "0">:$request);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The words of the longest burst that the access begins.
    int64_t getLongest() const { return getRequest() > 0 ? getRequest() : getBurst(); }
  }];
}

def Dataflow_TimingAttr : Dataflow_Attr<"Timing", "timing"> {
  let summary = "when an operation of a leaf begins, how long it takes, and on what";
  let description = [{
    `#dataflow.timing<at 8 for 6 on "add_f32">`: the cycle after the issue of its iteration in which it
    begins, the cycles until its result can be used, and the operator of the device's library. An
    access has no operator: its memory, port or FIFO says what it is. `as "fulldsp"` behind the operator
    is what Vitis HLS is told to build it of, with this latency (pragma bind_op); without it Vitis chooses.
  }];
  let parameters = (ins "int64_t":$stage, "int64_t":$latency,
                        OptionalParameter<"::mlir::StringAttr">:$on,
                        OptionalParameter<"::mlir::StringAttr">:$core);
  let assemblyFormat = "`<` `at` $stage `for` $latency (`on` $on^)? (`as` $core^)? `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = "int64_t getEnd() const { return getStage() + getLatency(); }";
}

def Dataflow_ControlAttr : Dataflow_Attr<"Control", "control"> {
  let summary = "cycles to enter a task, and to take and give back blocks for one trip";
  let parameters = (ins "int64_t":$entry, "int64_t":$swap);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Dataflow_FifoSizingAttr : Dataflow_Attr<"FifoSizing", "fifo_sizing"> {
  let summary = "what sizing found out about a FIFO, in slots";
  let description = [{
    Tokens of one activation, largest use in a run without bounds, depth of the paper's linear
    program, and the least depth with which no timing leads to a deadlock.
  }];
  let parameters = (ins "int64_t":$tokens, "int64_t":$highWater,
    OptionalParameter<"std::optional<int64_t>">:$lp, OptionalParameter<"std::optional<int64_t>">:$least);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Dataflow_DesignSizingAttr : Dataflow_Attr<"DesignSizing", "design_sizing"> {
  let summary = "cycles of a design at its depths, without bounds, and at those of the linear program";
  let parameters = (ins "::mlir::StringAttr":$strategy, "int64_t":$cycles, "int64_t":$unbounded,
                        OptionalParameter<"std::optional<int64_t>">:$lp);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Dataflow_PlacementAttr : Dataflow_Attr<"Placement", "placement"> {
  let summary = "what the assignment of leaves to dies found";
  let description = [{
    `#dataflow.placement<bits = 4128, bound = 4128, nodes = 17>`: the bits that cross boundaries between dies,
    those that every assignment that fits makes cross at least, as far as the search came, and the
    nodes that it visited.
  }];
  let parameters = (ins "int64_t":$bits, "int64_t":$bound, "int64_t":$nodes);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif
