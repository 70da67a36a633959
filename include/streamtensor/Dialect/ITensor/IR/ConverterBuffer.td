//===- ConverterBuffer.td - How a converter is built ----------*- tablegen -*-===//
//
// The materialise phase plans the buffer of each converter and writes it down as an attribute;
// the lowering builds what it says. Rationale: docs/rationale/converters.md.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_ITENSOR_IR_CONVERTERBUFFER_TD
#define STREAMTENSOR_DIALECT_ITENSOR_IR_CONVERTERBUFFER_TD

include "streamtensor/Dialect/ITensor/IR/ITensorBase.td"
include "mlir/IR/EnumAttr.td"

/// Smallest first. `fifo`: equal orders of elements, no buffer of its own. `line_buffer`: a ring of
/// lines, filled while windows over earlier lines are read. `repeat_buffer`: one block that keeps
/// what passes through, to send it again. `single_buffer`: one block, filled once and drained once.
/// `ping_pong`: two blocks, one is filled while the other is drained.
def ITensor_ConverterKindEnum : I32Enum<"ConverterKind", "form of a converter", [
    I32EnumCase<"Fifo", 0, "fifo">, I32EnumCase<"LineBuffer", 1, "line_buffer">,
    I32EnumCase<"RepeatBuffer", 2, "repeat_buffer">,
    I32EnumCase<"SingleBuffer", 3, "single_buffer">, I32EnumCase<"PingPong", 4, "ping_pong">]> {
  let cppNamespace = "::streamtensor::itensor";
}

def ITensor_BufferAttr : AttrDef<ITensor_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "the buffer of a converter";
  let description = [{
    `#itensor.buffer<ping_pong shared 1 box [8, 2] blocks 2 minimum 24>`: the form, the number of
    outermost loops that both types share, the shape of a block (an extent per data dimension) and
    the number of blocks. `minimum` is the fewest elements that any converter between the two types
    holds, `ahead` what waits in the FIFO in front of a line or repeat buffer, both at an even pace
    of both sides, where that can be told.
  }];
  let parameters = (ins EnumParameter<ITensor_ConverterKindEnum>:$kind, "int64_t":$shared,
    ArrayRefParameter<"int64_t">:$box, "int64_t":$blocks,
    OptionalParameter<"std::optional<int64_t>">:$minimum,
    DefaultValuedParameter<"int64_t", "0">:$ahead);
  let assemblyFormat = [{
    `<` $kind `shared` $shared `box` ` ` `[` $box `]` `blocks` $blocks (`minimum` $minimum^)?
    (`ahead` $ahead^)? `>`
  }];
}

#endif
