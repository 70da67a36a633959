//===- ExternalMemory.td - Channels, interfaces and ports --*- tablegen -*-===//
//
// How a design reaches the memory beside the chip: channels of the card, AXI masters of the
// design, and the tensors that leaf tasks read and write through them. Laws:
// lib/Dialect/Dataflow/IR/PortVerifiers.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_EXTERNALMEMORY_TD
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_EXTERNALMEMORY_TD

def Dataflow_ChannelType : TypeDef<Dataflow_Dialect, "Channel"> {
  let mnemonic = "channel";
  let summary = "a channel of external memory";
  let builderCall = "$_builder.getType<::streamtensor::dataflow::ChannelType>()";
}

def Dataflow_InterfaceType : TypeDef<Dataflow_Dialect, "Interface"> {
  let mnemonic = "interface";
  let summary = "an AXI master of a design";
  let builderCall = "$_builder.getType<::streamtensor::dataflow::InterfaceType>()";
}

def Dataflow_ChannelAttr : Dataflow_Attr<"Channel", "channel"> {
  let summary = "width and rates of a channel of external memory";
  let description = [{
    `#dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>`:
    bits and clock of its side towards the design, bytes in a microsecond (MB/s) at most and in
    sequential bursts, and the clock in which the design counts its cycles.
  }];
  let parameters = (ins "int64_t":$bits, "int64_t":$khz, "int64_t":$peak, "int64_t":$sustained,
                        "int64_t":$cycles_khz);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Dataflow_ChannelOp : Dataflow_Op<"channel", [HasParent<"DesignOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a channel of external memory that the design uses";
  let description = [{
    `"HBM"[3]` is what the card calls it. The interfaces bound to it share its rate.

    ```mlir
    %hbm3 = dataflow.channel "HBM"[3] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
    ```
  }];
  let arguments = (ins StrAttr:$memory, I64Attr:$number, Dataflow_ChannelAttr:$facts);
  let results = (outs Dataflow_ChannelType:$result);
  let assemblyFormat = "$memory `[` $number `]` $facts attr-dict";
}

def Dataflow_InterfaceOp : Dataflow_Op<"interface", [HasParent<"DesignOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "an AXI master of the design";
  let description = [{
    Reads and writes have ways of their own; one leaf reads through an interface and one writes.
    Several tensors may share it. It is bound to a channel in phase `size`.

    ```mlir
    %gmem_x = dataflow.interface "gmem_x" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %hbm3
    ```
  }];
  let arguments = (ins StrAttr:$name, Dataflow_InterfaceAttr:$facts,
                       Optional<Dataflow_ChannelType>:$channel);
  let results = (outs Dataflow_InterfaceType:$result);
  let assemblyFormat = "$name $facts (`on` $channel^)? attr-dict";
}

// A port is part of the design's interface: no memory effects, so that none is ever removed.
def Dataflow_PortOp : Dataflow_Op<"port", [HasParent<"DesignOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a tensor in external memory";
  let description = [{
    Row-major in memory; what is packed has the packed shape. `via` names the interface that reaches
    it, or several: then the tensor is striped, and stripe k holds the k-th part of each row (of the
    last dimension), so that one beat of every stripe together is one row.

    An `inout` tensor is read and written in place. What orders its reads and writes is declared: a
    FIFO (`dataflow.stream … orders %kv`), or `next_launch`: what one launch writes only a later one
    reads, and no launch reads what it writes.

    ```mlir
    %x = dataflow.port in "x" via %gmem_x : !dataflow.port<64xf32>
    %kv = dataflow.port inout "kv" next_launch via %gmem_0, %gmem_1 : !dataflow.port<128x32xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Dataflow_Direction:$direction, UnitAttr:$nextLaunch,
                       Variadic<Dataflow_InterfaceType>:$interfaces);
  let results = (outs Dataflow_PortType:$result);
  let assemblyFormat = [{
    $direction $name (`next_launch` $nextLaunch^)? (`via` $interfaces^)? attr-dict `:` type($result)
  }];
  let builders = [OpBuilder<(ins "::streamtensor::dataflow::PortType":$type, "::mlir::StringRef":$name,
    "::streamtensor::dataflow::Direction":$direction), [{
    build($_builder, $_state, type, name, direction, /*nextLaunch=*/false, ::mlir::ValueRange());
  }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Is the tensor an operand of the launch?
    bool isRead() { return getDirection() != Direction::Out; }
    /// Is it a result of the launch?
    bool isWritten() { return getDirection() != Direction::In; }
    /// How memory is reached, by every stripe alike; nothing before interfaces are planned.
    std::optional<InterfaceAttr> getInterface();
    /// Interfaces among which a row is divided; one where none is stated.
    int64_t getNumStripes() { return std::max<int64_t>(1, getInterfaces().size()); }
    /// The part of the tensor that lies in one stripe; all of it where it is not striped.
    PortType getStripeType();
  }];
}

#endif
