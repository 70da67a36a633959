//===- LeafOps.td - Leaf tasks and what stands in their bodies -*- tablegen -*-===//
//
// The leaf-task normal form: leaves, their nests, and the operations of a body. Included by
// Dataflow.td, whose classes and types it uses.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_LEAFOPS_TD
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_LEAFOPS_TD

def Dataflow_LeafOp : Dataflow_Op<"leaf", [AttrSizedOperandSegments, SingleBlock, NoTerminator,
    HasParent<"DesignOp">, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<Dataflow_NestInterface, ["getLeafOperation", "getLoopTrips", "getOperations"]>]> {
  let summary = "a leaf task in normal form";
  let description = [{
    One perfect nest of loops with constant trip counts around a straight-line
    body. The first block arguments are the loop indices (0 .. trip-1, outermost
    first), then come the private memories (`!dataflow.private`).

    `reads(%b at L)`: a block of `%b` is acquired for reading at the start of each
    iteration of loops 0..L-1 and released at its end; likewise `writes`. Loops
    outside the innermost acquire run one trip after the other, the loops inside
    are one flat pipeline.

    `counts MAP (%n)`: the nest depends on scalars of the launch. The map takes them, its symbols, to
    the trip count of each loop; `trips` are then the largest counts. Guards, tests and access maps
    have the same symbols, and the body may use the scalars as values.

    `ii` (cycles between iterations), `depth` (pipeline depth, cycles) and the `dataflow.timing` of
    each operation of the body follow from the device's library; 0 means not yet scheduled. `limit`
    says what keeps the interval above 1. `storages` has an entry for each private memory. `die` is the
    die of the card on which the leaf is placed, with the buffers that it uses and the FIFOs that it
    reads.

    `serial`: the outermost loops that run one trip after the other whatever is acquired inside: what
    a trip reads (the activations of a layer) may hang on what the trip before has written.

    `engine`: the engine that is to make the products of the leaf (`dataflow-share-engines`).

    Instead of a straight-line body a leaf may hold a list of nests (`dataflow.nest`) inside its loops,
    which they share along with the private memories. The nests run one after the other, each a pipeline
    that drains; with `together` they are one flat pipeline, each `lag` iterations of the shared loops
    behind the first.

    ```mlir
    dataflow.leaf "load_w" load [4, 4, 16] writes(%tile at 1 : !dataflow.buffer<4x64xf32>) attributes {ii = 1 : i64, depth = 78 : i64} {
    ^bb0(%n: index, %m: index, %k: index):
      %v = dataflow.load %w affine_map<(n, m, k) -> (n * 4 + m, k * 4)> {dataflow.timing = #dataflow.timing<at 0 for 77>, words = #dataflow.words<count = 1, lanes = 4, used = 4, burst = 256, outstanding = 1>} : !dataflow.port<16x64xf32> -> vector<1x4xf32>
      dataflow.store %v, %tile affine_map<(n, m, k) -> (m, k * 4)> {dataflow.timing = #dataflow.timing<at 77 for 1>} : vector<1x4xf32>, !dataflow.buffer<4x64xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, DenseI64ArrayAttr:$trips,
    Arg<Variadic<Dataflow_BufferType>, "blocks that it takes", [MemRead, MemWrite]>:$reads,
    DenseI64ArrayAttr:$readLevels,
    Arg<Variadic<Dataflow_BufferType>, "blocks that it gives", [MemWrite]>:$writes,
    DenseI64ArrayAttr:$writeLevels,
    Variadic<Index>:$scalars, OptionalAttr<AffineMapAttr>:$counts,
    Dataflow_Role:$role,
    DefaultValuedAttr<Dataflow_PipelineStyle, "::streamtensor::dataflow::PipelineStyle::Flp">:$style,
    DefaultValuedAttr<I64Attr, "0">:$serial, UnitAttr:$together,
    DefaultValuedAttr<I64Attr, "0">:$ii, DefaultValuedAttr<I64Attr, "0">:$depth,
    OptionalAttr<StrAttr>:$limit, OptionalAttr<Dataflow_Storages>:$storages,
    OptionalAttr<StrAttr>:$die, OptionalAttr<StrAttr>:$engine);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getNumLoops() { return getTrips().size(); }
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// Block arguments that are loop indices.
    ::mlir::Block::BlockArgListType getIndices() {
      return getBlock().getArguments().take_front(getNumLoops());
    }
    /// Block arguments that are private memories.
    ::mlir::Block::BlockArgListType getPrivates() {
      return getBlock().getArguments().drop_front(getNumLoops());
    }
    /// Number of loops that run one trip after the other: `serial`, or the innermost acquire level.
    int64_t getSerialLevel();
    /// How the private memory is built; null before memories are assigned.
    StorageAttr getStorageOf(::mlir::Value memory);
    /// Does it hold a list of nests?
    bool hasNests();
    /// Its nests; of a straight-line body the leaf itself.
    ::llvm::SmallVector<NestOpInterface> getNests();
    /// What is one flat pipeline each, in the order in which they run.
    std::vector<Pipeline> getPipelines();
    bool isScheduled();
    /// Number of iterations in one activation, at most.
    int64_t getNumIterations();
  }];
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::llvm::ArrayRef<int64_t>":$trips,
    "::mlir::ValueRange":$reads, "::llvm::ArrayRef<int64_t>":$readLevels,
    "::mlir::ValueRange":$writes, "::llvm::ArrayRef<int64_t>":$writeLevels,
    "::streamtensor::dataflow::Role":$role, "::mlir::TypeRange":$privates)>];
  let skipDefaultBuilders = 1;
}

def Dataflow_NestOp : Dataflow_Op<"nest", [SingleBlock, NoTerminator, HasParent<"LeafOp">,
    RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<Dataflow_NestInterface, ["getLeafOperation", "getLoopTrips", "getOperations"]>]> {
  let summary = "one perfect nest of several in a leaf task";
  let description = [{
    Its block arguments are the indices of its own loops. `counts` takes the leaf's scalars to the counts of
    these; those of nests that run together hang on few values. `lag`: where nests run together, the number of
    blocks (iterations of the shared loops) that it is behind the first. Guards, tests and maps of its body are over the
    shared loops of the leaf and then its own. `ii`, `depth` and `limit` are those of a nest
    that runs by itself; nests that run together have those of their leaf.

    ```mlir
    dataflow.nest "drain" [4, 4] lag 1 {
    ^bb0(%i: index, %j: index):
      %v = dataflow.load %tile affine_map<(n, i, j) -> (n mod 2, j, i)> : !dataflow.private<2x4x4xf32> -> f32
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, DenseI64ArrayAttr:$trips, OptionalAttr<AffineMapAttr>:$counts,
    DefaultValuedAttr<I64Attr, "0">:$lag,
    DefaultValuedAttr<I64Attr, "0">:$ii, DefaultValuedAttr<I64Attr, "0">:$depth,
    OptionalAttr<StrAttr>:$limit);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name custom<Trips>($trips) (`counts` $counts^)? (`lag` $lag^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    LeafOp getLeaf();
    ::mlir::Block &getBlock() { return getBody().front(); }
  }];
}

def Dataflow_StreamReadOp : Dataflow_Op<"stream_read", [Dataflow_InNest,
    DeclareOpInterfaceMethods<Dataflow_AccessInterface>]> {
  let summary = "take a token from a FIFO";
  let description = [{
    With a guard (an integer set over the loop indices, each constraint comparing
    one index with a constant or with an affine form of the scalars) the read happens only in iterations inside the set;
    in the others the value is the last one read. The guard holds in the first
    iteration, or else the value is used only where the guard holds.

    A discardable attribute `dataflow.order`, an itensor type, says in which order
    the leaf expects the tokens; it must be the order in which they are written.

    ```mlir
    %l = dataflow.stream_read %a when affine_set<(h, i) : (h == 0)> : !dataflow.stream<f32> -> f32
    ```
  }];
  let arguments = (ins Arg<Dataflow_StreamType, "what the token is taken from", [MemRead, MemWrite]>:$stream,
                       OptionalAttr<IntegerSetAttr>:$guard);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$stream (`when` $guard^)? attr-dict `:` type($stream) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = "/// The FIFO behind all casts.\n::mlir::Value getFifo();";
}

def Dataflow_StreamWriteOp : Dataflow_Op<"stream_write", [Dataflow_InNest,
    DeclareOpInterfaceMethods<Dataflow_AccessInterface>]> {
  let summary = "put a token into a FIFO, in iterations inside the guard";
  let description = [{
    One token for each iteration in which the guard holds; without a guard, for each.

    ```mlir
    dataflow.stream_write %last, %r when affine_set<(n, k) : (k - 12 >= 0)> : f32, !dataflow.stream<f32, 2>
    ```
  }];
  let arguments = (ins AnyType:$value, Arg<Dataflow_StreamType, "what takes the token", [MemWrite]>:$stream,
                       OptionalAttr<IntegerSetAttr>:$guard);
  let assemblyFormat = "$value `,` $stream (`when` $guard^)? attr-dict `:` type($value) `,` type($stream)";
  let hasVerifier = 1;
  let extraClassDeclaration = "/// The FIFO behind all casts.\n::mlir::Value getFifo();";
}

def Dataflow_LoadOp : Dataflow_Op<"load", [Dataflow_InNest,
    DeclareOpInterfaceMethods<Dataflow_AccessInterface, ["getPlace", "setPlace"]>]> {
  let summary = "read a scalar or a box from a block, a private memory or a port";
  let description = [{
    The map takes the leaf's loop indices to the first element; `mod` and `floordiv` by
    constants are allowed. A vector result has the rank of the memory and names the
    box of elements that starts there. A guarded load holds its last value, as
    `stream_read` does.

    `distance`: the fewest iterations, below the depth of the pipeline, after which the load meets
    what a store of the leaf has written to the private memory; absent if it takes more. `words`: how
    it is moved over a port.

    `row %i`: the first index of a port is `%i`, which the data decide; a row outside the
    port is the nearest one inside. The map then gives 0 for it.

    ```mlir
    %old = dataflow.load %acc affine_map<(n, k) -> (0)> : !dataflow.private<4xf32> -> vector<4xf32>
    ```
  }];
  let arguments = (ins Arg<Dataflow_AnyMemory, "what is read", [MemRead]>:$memory,
                       Optional<Index>:$row, AffineMapAttr:$map,
                       OptionalAttr<IntegerSetAttr>:$guard, OptionalAttr<Dataflow_WordsAttr>:$words,
                       OptionalAttr<I64Attr>:$distance);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$memory (`row` $row^)? custom<AccessMap>($map) (`when` $guard^)? attr-dict `:` type($memory) `->` type($result)";
  let hasVerifier = 1;
}

def Dataflow_StoreOp : Dataflow_Op<"store", [Dataflow_InNest,
    DeclareOpInterfaceMethods<Dataflow_AccessInterface, ["getPlace", "setPlace"]>]> {
  let summary = "write a scalar or a box to a block, a private memory or a port";
  let description = [{
    The map and the box are those of a load. A block is stored only while it is acquired for writing.

    ```mlir
    dataflow.store %v, %y affine_map<(n) -> (n)> : f32, !dataflow.port<16xf32>
    ```
  }];
  let arguments = (ins AnyType:$value, Arg<Dataflow_AnyMemory, "what is written", [MemWrite]>:$memory,
                       AffineMapAttr:$map,
                       OptionalAttr<IntegerSetAttr>:$guard, OptionalAttr<Dataflow_WordsAttr>:$words);
  let assemblyFormat = "$value `,` $memory custom<AccessMap>($map) (`when` $guard^)? attr-dict `:` type($value) `,` type($memory)";
  let hasVerifier = 1;
}

def Dataflow_ExternStepOp : Dataflow_Op<"extern_step", [HasParent<"LeafOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one iteration of a hand-written kernel";
  let description = [{
    Takes what the leaf reads and gives what it writes. The leaf is the kernel's declaration in
    normal form: its nest, one guarded read per input, this step, one guarded write per output. What
    the values are, the kernel's reference says on whole tensors.

    ```mlir
    %r = dataflow.extern_step @copy(%t) : (vector<4xf32>) -> vector<4xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $results)";
}

def Dataflow_TupleOp : Dataflow_Op<"tuple", [Pure, Dataflow_InNest]> {
  let summary = "the token of a FIFO of tuples, from its members";
  let description = [{
    One value for a FIFO of tuples.

    ```mlir
    %both = dataflow.tuple %row, %last : vector<4xf32>, f32 -> tuple<vector<4xf32>, f32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$members);
  let results = (outs AnyTuple:$result);
  let assemblyFormat = "$members attr-dict `:` type($members) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$members), [{
    build($_builder, $_state, ::mlir::TupleType::get($_builder.getContext(), members.getTypes()), members);
  }]>];
  let hasVerifier = 1;
}

def Dataflow_MemberOp : Dataflow_Op<"member", [Pure, Dataflow_InNest]> {
  let summary = "one member of a token";
  let description = [{
    The inverse of `dataflow.tuple`, member by member.

    ```mlir
    %second = dataflow.member %both[1] : tuple<vector<4xf32>, f32> -> f32
    ```
  }];
  let arguments = (ins AnyTuple:$source, I64Attr:$index);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source `[` $index `]` attr-dict `:` type($source) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "int64_t":$index), [{
    build($_builder, $_state, ::llvm::cast<::mlir::TupleType>(source.getType()).getType(index), source, index);
  }]>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Dataflow_TestOp : Dataflow_Op<"test", [Pure, Dataflow_InNest]> {
  let summary = "is this iteration inside the set of loop indices?";
  let description = [{
    Any affine set: unlike a guard it moves no token.

    ```mlir
    %first = dataflow.test affine_set<(n, k) : (k == 0)>
    %start = arith.select %first, %zero, %old : vector<4xf32>
    ```
  }];
  let arguments = (ins IntegerSetAttr:$set);
  let results = (outs I1:$result);
  let assemblyFormat = "$set attr-dict";
  let hasVerifier = 1;
}

#endif
