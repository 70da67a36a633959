//===- Dataflow.td - The dataflow dialect -------------------*- tablegen -*-===//
//
// Structure (kernels, tasks), FIFOs, block buffers, and the leaf-task normal
// form that the HLS emitter, the simulator and the interpreter all read.
// Rationale: docs/rationale/dataflow.md.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_DATAFLOW_TD
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_DATAFLOW_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "streamtensor/Dialect/Dataflow/IR/DataflowInterfaces.td"
include "streamtensor/Dialect/ITensor/IR/ITensorBase.td"

def Dataflow_Dialect : Dialect {
  let name = "dataflow";
  let cppNamespace = "::streamtensor::dataflow";
  let summary = "Kernels, tasks, FIFOs, block buffers and leaf tasks";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::streamtensor::itensor::ITensorDialect",
                           "::streamtensor::program::ProgramDialect"];
  let hasOperationAttrVerify = 1;
  // `tiling`, `sums` and `lanes` stand on operations on tensors and itensors (Tiling.td), `timing` on
  // every operation in the body of a scheduled leaf, foreign ones too (LeafAttributes.td). `order`,
  // an itensor type, says in which order an access to a FIFO expects the tokens. `device` stands at
  // the module (DataflowDevice.td).
  let discardableAttrs = (ins "::streamtensor::dataflow::TilingAttr":$tiling,
    "::streamtensor::dataflow::SumsAttr":$sums, "::mlir::DenseI64ArrayAttr":$lanes,
    "::mlir::DenseI64ArrayAttr":$least, "::mlir::DenseI64ArrayAttr":$odd,
    "::mlir::IntegerAttr":$token_inputs,
    "::mlir::DenseI64ArrayAttr":$padded,
    "::streamtensor::dataflow::TimingAttr":$timing, "::mlir::TypeAttr":$order,
    "::streamtensor::dataflow::DeviceAttr":$device);
}

include "streamtensor/Dialect/Dataflow/IR/Tiling.td"
include "streamtensor/Dialect/Dataflow/IR/DataflowDevice.td"

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

def Dataflow_DirectionEnum : I32Enum<"Direction", "way of an external port", [
    I32EnumCase<"In", 0, "in">, I32EnumCase<"Out", 1, "out">, I32EnumCase<"InOut", 2, "inout">]> {
  let cppNamespace = "::streamtensor::dataflow";
}

/// Where the blocks of a buffer, the slots of a FIFO or a private memory live.
/// `unset` until the size phase.
def Dataflow_MemoryKindEnum : I32Enum<"MemoryKind", "on-chip memory kind", [
    I32EnumCase<"Unset", 0, "unset">, I32EnumCase<"Registers", 1, "registers">,
    I32EnumCase<"ShiftRegister", 2, "srl">, I32EnumCase<"LUTRAM", 3, "lutram">,
    I32EnumCase<"BRAM", 4, "bram">, I32EnumCase<"URAM", 5, "uram">]> {
  let cppNamespace = "::streamtensor::dataflow";
}

/// What a leaf task is for. Reports and checks group tasks by it.
def Dataflow_RoleEnum : I32Enum<"Role", "purpose of a leaf task", [
    I32EnumCase<"Compute", 0, "compute">, I32EnumCase<"Load", 1, "load">,
    I32EnumCase<"Store", 2, "store">, I32EnumCase<"Fork", 3, "fork">,
    I32EnumCase<"Fill", 4, "fill">, I32EnumCase<"Drain", 5, "drain">,
    I32EnumCase<"ConvertIn", 6, "convert_in">, I32EnumCase<"ConvertOut", 7, "convert_out">,
    I32EnumCase<"Chunk", 8, "chunk">, I32EnumCase<"Concat", 9, "concat">,
    I32EnumCase<"Pad", 10, "pad">, I32EnumCase<"Extern", 11, "extern">,
    I32EnumCase<"Regroup", 12, "regroup">, I32EnumCase<"Discard", 13, "discard">,
    I32EnumCase<"Join", 14, "join">, I32EnumCase<"Unjoin", 15, "unjoin">]> {
  let cppNamespace = "::streamtensor::dataflow";
}

/// What a pipeline does on an empty input: `flp` inserts a bubble and flushes,
/// `stp` freezes.
def Dataflow_PipelineStyleEnum : I32Enum<"PipelineStyle", "behaviour on an empty input", [
    I32EnumCase<"Flp", 0, "flp">, I32EnumCase<"Stp", 1, "stp">]> {
  let cppNamespace = "::streamtensor::dataflow";
}

class Dataflow_EnumAttr<EnumInfo info, string mnemonic> : EnumAttr<Dataflow_Dialect, info, mnemonic>;
def Dataflow_Direction : Dataflow_EnumAttr<Dataflow_DirectionEnum, "direction">;
def Dataflow_MemoryKind : Dataflow_EnumAttr<Dataflow_MemoryKindEnum, "memory"> {
  let assemblyFormat = "`<` $value `>`";
}
def Dataflow_Role : Dataflow_EnumAttr<Dataflow_RoleEnum, "role">;
def Dataflow_PipelineStyle : Dataflow_EnumAttr<Dataflow_PipelineStyleEnum, "style"> {
  let assemblyFormat = "`<` $value `>`";
}

include "streamtensor/Dialect/Dataflow/IR/LeafAttributes.td"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Dataflow_Type<string name, string typeMnemonic> : TypeDef<Dataflow_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Dataflow_StreamType : Dataflow_Type<"Stream", "stream"> {
  let summary = "a FIFO of scalars, one-dimensional vectors, or tuples of these";
  let description = [{
    `!dataflow.stream<vector<16xf32>, 2>`: element and depth in slots. Depth 0,
    the default, is printed as `!dataflow.stream<vector<16xf32>>`: not yet sized, unbounded.
    The members of a tuple travel side by side: the FIFO is as wide as all of them.
  }];
  let parameters = (ins "::mlir::Type":$elementType, DefaultValuedParameter<"int64_t", "0">:$depth);
  let assemblyFormat = "`<` $elementType (`,` $depth^)? `>`";
  let genVerifyDecl = 1;
}

class Dataflow_MemoryType<string name, string typeMnemonic> : Dataflow_Type<name, typeMnemonic> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getNumElements() const { return ::llvm::product_of(getShape()); }
  }];
}

def Dataflow_BufferType : Dataflow_MemoryType<"Buffer", "buffer"> {
  let summary = "a FIFO of blocks: `!dataflow.buffer<16x64xf32>` is the shape of one block";
}

def Dataflow_PortType : Dataflow_MemoryType<"Port", "port"> {
  let summary = "a tensor in external memory, row-major: `!dataflow.port<16x576xf32>`";
}

def Dataflow_PrivateType : Dataflow_MemoryType<"Private", "private"> {
  let summary = "a memory that belongs to one leaf task: `!dataflow.private<16x16xf32>`";
}

//===----------------------------------------------------------------------===//
// Hand-written kernels: their ports
//===----------------------------------------------------------------------===//

def Dataflow_ExternPortAttr : AttrDef<Dataflow_Dialect, "ExternPort"> {
  let mnemonic = "extern_port";
  let summary = "one FIFO of a hand-written kernel";
  let description = [{
    Its name, the order in which the kernel takes or gives the data (an itensor type), what one
    token of the FIFO holds (a stream type: lanes of the order's elements, or one integer of as many
    bits), and the iterations of the kernel's nest that move a token (all of them without `when`).
  }];
  let parameters = (ins "::mlir::StringAttr":$name,
    "::streamtensor::itensor::ITensorType":$order, "::streamtensor::dataflow::StreamType":$token,
    OptionalParameter<"::mlir::IntegerSetAttr">:$guard);
  let assemblyFormat = "`<` $name (`when` $guard^)? `of` $order `as` $token `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Elements of the data tensor in one token of the FIFO.
    int64_t getLanes() const;
    /// Tokens of the FIFO in one activation.
    int64_t getNumTokens() const;
  }];
}
def Dataflow_ExternPorts : TypedArrayAttrBase<Dataflow_ExternPortAttr, "FIFOs of a hand-written kernel">;

def Dataflow_AnyMemory : AnyTypeOf<[Dataflow_BufferType, Dataflow_PortType, Dataflow_PrivateType]>;

/// The operations of a body stand in a leaf, or in one of its nests.
def Dataflow_InNest : ParentOneOf<["LeafOp", "NestOp"]>;

class Dataflow_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dataflow_Dialect, mnemonic, traits>;

include "streamtensor/Dialect/Dataflow/IR/ExternalMemory.td"

//===----------------------------------------------------------------------===//
// Structure at itensor level
//===----------------------------------------------------------------------===//

def Dataflow_KernelOp : Dataflow_Op<"kernel", [IsolatedFromAbove, SingleBlock, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands", "getRegionInvocationBounds"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "one accelerator: tensors outside, itensors inside";
  let description = [{
    Operands are the tensors that the kernel reads; the body's block arguments
    stand for them. `itensor.from_tensor` and `itensor.to_tensor` inside are the
    boundary crossings, each an implicit DMA. `dataflow.yield` gives the results.

    ```mlir
    %y = dataflow.kernel "twice" (%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
    ^bb0(%a: tensor<4x8xf32>):
      %s = itensor.from_tensor %a : tensor<4x8xf32> -> !rows
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name `(` $inputs `)` attr-dict `:` functional-type($inputs, $results) $body";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Dataflow_TaskOp : Dataflow_Op<"task", [SingleBlock, Pure,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands", "getRegionInvocationBounds"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a unit of work inside a kernel (transparent, destination-carried)";
  let description = [{
    `outs` are the itensors that the task writes; the body's block arguments stand
    for them and `dataflow.yield` gives their final values, which are the results.
    The body is one nest of `scf.for` that reads tokens with `itensor.read`,
    computes on them with one `linalg.generic`, and writes with `itensor.write`.

    ```mlir
    %t = dataflow.task "add" outs(%e : !rows) -> !rows {
    ^bb0(%out: !rows):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%o = %out) -> !rows {
        %tile = itensor.read %s[%i] : !rows -> tensor<4x4xf32>
        %sum = arith.addf %tile, %tile : tensor<4x4xf32>
        %w = itensor.write %sum into %o[%i] : tensor<4x4xf32>, !rows
        scf.yield %w : !rows
      }
      dataflow.yield %r : !rows
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<ITensor_ITensorType>:$outs);
  let results = (outs Variadic<ITensor_ITensorType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name `outs` `(` $outs `:` type($outs) `)` attr-dict-with-keyword `->` type($results) $body";
  let hasVerifier = 1;
}

def Dataflow_YieldOp : Dataflow_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["KernelOp", "TaskOp", "ExternOp"]>]> {
  let summary = "results of a kernel, a task or a reference";
  let description = [{
    Ends the body of a kernel, of a task, and of the reference of a hand-written kernel.

    ```mlir
      dataflow.yield %r : !rows
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

//===----------------------------------------------------------------------===//
// Kernels that the user wrote by hand
//===----------------------------------------------------------------------===//

def Dataflow_ExternOp : Dataflow_Op<"extern", [IsolatedFromAbove, SingleBlock, Symbol]> {
  let summary = "declaration of a kernel written by hand in HLS C++";
  let description = [{
    `source` is the header that defines the function (`function`, by default the symbol), which takes
    one `hls::stream` per port, inputs first. `nest`, `ii`, `delay` and the guards of the ports say
    when tokens move: iteration i of the nest begins `ii` cycles after the one before, takes a token
    of each input whose guard holds, and gives a token of each output whose guard holds `delay` cycles
    later. `resources` are counted as those of any task. The region says on tensors what the kernel
    computes; every level but the HLS C++ runs it, and a native run checks the function against it.

    ```mlir
    dataflow.extern @scale_rows source "scale_rows.h" function "kernels::scale"
        nest [4, 2] ii 1 delay 6 resources {dsp = 12, lut = 600}
        takes ["x" : !rows as !dataflow.stream<vector<4xf32>>, "gain" when #first : !gains as !dataflow.stream<f32>]
        gives ["y" : !rows as !dataflow.stream<i128>] {
    ^bb0(%x: tensor<4x8xf32>, %gain: tensor<4xf32>):
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$source, OptionalAttr<StrAttr>:$function,
    DenseI64ArrayAttr:$nest, I64Attr:$ii, I64Attr:$delay, OptionalAttr<DictionaryAttr>:$resources,
    Dataflow_ExternPorts:$inputs, Dataflow_ExternPorts:$outputs);
  let regions = (region SizedRegion<1>:$reference);
  let assemblyFormat = [{
    $sym_name `source` $source (`function` $function^)? `nest` $nest `ii` $ii `delay` $delay
    (`resources` $resources^)? `takes` custom<ExternPorts>($inputs) `gives` custom<ExternPorts>($outputs)
    attr-dict-with-keyword $reference
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Name of the C++ function.
    ::llvm::StringRef getFunctionName() { return getFunction().value_or(getSymName()); }
    ::llvm::SmallVector<ExternPortAttr> getInputPorts();
    ::llvm::SmallVector<ExternPortAttr> getOutputPorts();
    /// A count of the resources, by its name ("dsp"); 0 if it is not stated.
    double getResource(::llvm::StringRef kind);
  }];
}

def Dataflow_TensorOrStream : AnyTypeOf<[AnyRankedTensor, Dataflow_StreamType]>;

def Dataflow_ExternTaskOp : Dataflow_Op<"extern_task", [DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "one activation of a hand-written kernel";
  let description = [{
    On tensors beside Linalg; inside a kernel on FIFOs, which bridges join to itensors of the
    declared orders.

    ```mlir
    %y = dataflow.extern_task @scale_rows(%x, %gain) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Dataflow_TensorOrStream>:$inputs);
  let results = (outs Variadic<Dataflow_TensorOrStream>:$results);
  let assemblyFormat = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $results)";
}

def Dataflow_ITensorToStreamOp : Dataflow_Op<"itensor_to_stream"> {
  let summary = "an itensor as a FIFO of stated tokens";
  let description = [{
    The tokens of the FIFO hold the elements in the order of the itensor, row-major inside its
    tokens, `lanes` neighbours of the last dimension at a time. The FIFO has one reader.

    ```mlir
    %xf = dataflow.itensor_to_stream %xs : !rows to !dataflow.stream<vector<4xf32>>
    ```
  }];
  let arguments = (ins ITensor_ITensorType:$source);
  let results = (outs Res<Dataflow_StreamType, "the FIFO", [MemAlloc]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Dataflow_StreamToITensorOp : Dataflow_Op<"stream_to_itensor"> {
  let summary = "the tokens of a FIFO as an itensor";
  let description = [{
    The inverse of `itensor_to_stream`; the itensor covers its data exactly.

    ```mlir
    %ys = dataflow.stream_to_itensor %yv : !dataflow.stream<vector<4xf32>> to !rows
    ```
  }];
  let arguments = (ins Arg<Dataflow_StreamType, "the FIFO", [MemRead]>:$source);
  let results = (outs ITensor_ITensorType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Dataflow_StreamCastOp : Dataflow_Op<"stream_cast", [Pure]> {
  let summary = "a FIFO under another token type of as many bits";
  let description = [{
    Lane 0 lies in the lowest bits of an integer. No hardware: a view, through which one end of the
    FIFO is reached. Stands in kernels and in designs.

    ```mlir
    %yv = dataflow.stream_cast %yf : !dataflow.stream<i128> to !dataflow.stream<vector<4xf32>>
    ```
  }];
  let arguments = (ins Dataflow_StreamType:$source);
  let results = (outs Dataflow_StreamType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Structure at stream level
//===----------------------------------------------------------------------===//

def Dataflow_DesignOp : Dataflow_Op<"design", [IsolatedFromAbove, SingleBlock, NoTerminator, Symbol]> {
  let summary = "a flat graph of leaf tasks, FIFOs, block buffers and ports";
  let description = [{
    What one kernel becomes in the stream phase. Channels, interfaces and ports are declared first, ports
    in the order of the operands and results of the `dataflow.launch` that runs the design: the
    tensors read, those read and written, those written. Scalars follow, in the order of its scalars.
    One that is `per_die` is a kernel for each die (IR/DesignKernels.h), others are one.

    ```mlir
    dataflow.design @views {
      %x = dataflow.port in "x" : !dataflow.port<8xi16>
      %y = dataflow.port out "y" : !dataflow.port<2xi64>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<Dataflow_ControlAttr>:$control,
    OptionalAttr<Dataflow_DesignSizingAttr>:$sizing,
    OptionalAttr<Dataflow_PlacementAttr>:$placement, UnitAttr:$per_die);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Dataflow_LaunchOp : Dataflow_Op<"launch", [NoMemoryEffect, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "run a design once on tensors in external memory";
  let description = [{
    Operands are the tensors of the `in` and `inout` ports, results those of the `inout` and `out`
    ports, in order. An `inout` result is what its operand becomes. `scalars` gives the values of the
    design's scalars, in order. What a launch does not write of an `out` result is 0.

    ```mlir
    %y = dataflow.launch @rows(%x) scalars(%n, %w) : (tensor<8x6xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$design, Variadic<AnyRankedTensor>:$inputs,
                       Variadic<Index>:$scalars);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $design `(` $inputs `)` (`scalars` `(` $scalars^ `)`)? attr-dict `:` functional-type($inputs, $results)
  }];
}

def Dataflow_ScalarOp : Dataflow_Op<"scalar", [HasParent<"DesignOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a number that each launch gives, fixed for one activation";
  let description = [{
    Trip counts, guards, addresses and values may depend on it. Depths, blocks and buffers are made
    for every value of the range; a launch with a value outside of it is an error.

    ```mlir
    %tokens = dataflow.scalar "tokens" from 1 to 8 : index
    ```
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$low, I64Attr:$high);
  let results = (outs Index:$result);
  let assemblyFormat = "$name `from` $low `to` $high attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Dataflow_StreamOp : Dataflow_Op<"stream", [HasParent<"DesignOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a FIFO with one writer and one reader";
  let description = [{
    Depth, memory and latency (cycles from the write of a token to the first in which it can be
    read) stay unset until the size phase. A stream that is `back` closes a cycle of leaves: its
    reader comes before its writer in the graph without such streams. A FIFO that `orders` an `inout`
    port says by each token that what its writer did to the tensor before is done: reads have their
    data, writes are in memory.

    ```mlir
    %r = dataflow.stream "r" {latency = 1 : i64, memory = #dataflow.memory<srl>} : !dataflow.stream<f32, 2>
    ```
  }];
  let arguments = (ins StrAttr:$name,
    DefaultValuedAttr<Dataflow_MemoryKind, "::streamtensor::dataflow::MemoryKind::Unset">:$memory,
    OptionalAttr<I64Attr>:$latency, OptionalAttr<Dataflow_FifoSizingAttr>:$sizing, UnitAttr:$back,
    Optional<Dataflow_PortType>:$orders);
  let results = (outs Res<Dataflow_StreamType, "the FIFO", [MemAlloc]>:$result);
  let assemblyFormat = "$name (`back` $back^)? (`orders` $orders^ `:` type($orders))? attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "::streamtensor::dataflow::StreamType":$type, "::mlir::StringRef":$name), [{
    build($_builder, $_state, type, name, MemoryKind::Unset, nullptr, nullptr, /*back=*/false, ::mlir::Value());
  }]>];
  let hasVerifier = 1;
}

def Dataflow_BufferOp : Dataflow_Op<"buffer", [HasParent<"DesignOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a FIFO of blocks with one writer and one reader; two blocks are ping-pong";
  let description = [{
    The partition of its storage lets every access of a vector find its lanes in different banks.

    ```mlir
    %tile = dataflow.buffer "tile" blocks 2 {storage = #dataflow.storage<bram partition [1, 4] ports 2 read 2 write 1>} : !dataflow.buffer<4x64xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$blocks, OptionalAttr<Dataflow_StorageAttr>:$storage);
  let results = (outs Res<Dataflow_BufferType, "the blocks", [MemAlloc]>:$result);
  let assemblyFormat = "$name `blocks` $blocks attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    MemoryKind getMemoryKind() { return getStorage() ? getStorage()->getKind() : MemoryKind::Unset; }
    /// Banks per dimension; one each where the partition is not stated.
    ::llvm::SmallVector<int64_t> getPartition();
  }];
}

include "streamtensor/Dialect/Dataflow/IR/LeafOps.td"

#endif
