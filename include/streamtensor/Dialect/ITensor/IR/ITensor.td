//===- ITensor.td - Operations of the itensor dialect -------*- tablegen -*-===//
//
// Rationale: docs/rationale/itensor.md.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_ITENSOR_IR_ITENSOR_TD
#define STREAMTENSOR_DIALECT_ITENSOR_IR_ITENSOR_TD

include "streamtensor/Dialect/ITensor/IR/ConverterBuffer.td"

class ITensor_Op<string mnemonic, list<Trait> traits = []>
    : Op<ITensor_Dialect, mnemonic, traits>;

def ITensor_InstanceOp : ITensor_Op<"instance", [Pure]> {
  let summary = "a fresh itensor that will become a FIFO";
  let description = [{
    The destination of a task's result. Every task that takes one gets a FIFO of its own, so equal
    instances may merge. It has no contents: a task writes every token.

    ```mlir
    %i = itensor.instance : !a
    ```
  }];
  let results = (outs ITensor_ITensorType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def ITensor_EmptyOp : ITensor_Op<"empty", [Pure]> {
  let summary = "an itensor without contents, destination of a write nest";
  let description = [{
    The initial value of the loops that write all tokens.

    ```mlir
    %e = itensor.empty : !a
    ```
  }];
  let results = (outs ITensor_ITensorType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def ITensor_ReadOp : ITensor_Op<"read", [Pure]> {
  let summary = "the token at an iteration point";
  let description = [{
    One index per iteration dimension of the source type; each is the induction
    variable of an enclosing `scf.for`, in nest order, whose trip count is that
    of the dimension. Enclosing loops that are not named hold the token.

    ```mlir
    %t = itensor.read %b[%n, %r, %k] : !b -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins ITensor_ITensorType:$source, Variadic<Index>:$indices);
  let results = (outs AnyRankedTensor:$token);
  let assemblyFormat = "$source `[` $indices `]` attr-dict `:` type($source) `->` type($token)";
  let hasVerifier = 1;
}

def ITensor_WriteOp : ITensor_Op<"write", [Pure, AllTypesMatch<["dest", "result"]>]> {
  let summary = "write the token at an iteration point (destination-carried)";
  let description = [{
    The result is the destination with the token added. The indices are those of a read; no
    other loop may repeat the write.

    ```mlir
    %w = itensor.write %held into %y[%n, %k] : tensor<4x2xf32>, !a
    ```
  }];
  let arguments = (ins AnyRankedTensor:$token, ITensor_ITensorType:$dest, Variadic<Index>:$indices);
  let results = (outs ITensor_ITensorType:$result);
  let assemblyFormat = "$token `into` $dest `[` $indices `]` attr-dict `:` type($token) `,` type($dest)";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$token, "::mlir::Value":$dest, "::mlir::ValueRange":$indices), [{
    build($_builder, $_state, dest.getType(), token, dest, indices);
  }]>];
}

def ITensor_CastOp : ITensor_Op<"cast", [Pure]> {
  let summary = "another type of the same token order";
  let description = [{
    Both types have one normal form; nothing happens in hardware.

    ```mlir
    %y = itensor.cast %f#1 : !rows to !split
    ```
  }];
  let arguments = (ins ITensor_ITensorType:$source);
  let results = (outs ITensor_ITensorType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def ITensor_ReassociateOp : ITensor_Op<"reassociate", [Pure]> {
  let summary = "group or split data dimensions without changing the order of elements";
  let description = [{
    `reassociation` lists, for each dimension of the type of lower data rank,
    the consecutive dimensions of the type of higher data rank that it groups
    (as in `tensor.expand_shape` and `tensor.collapse_shape`).

    ```mlir
    %h = itensor.reassociate %y [[0], [1, 2]] : !split to !heads
    ```
  }];
  let arguments = (ins ITensor_ITensorType:$source, ArrayAttr:$reassociation);
  let results = (outs ITensor_ITensorType:$result);
  let assemblyFormat = "$source $reassociation attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def ITensor_ConverterOp : ITensor_Op<"converter", [Pure]> {
  let summary = "reorder tokens through an inferred buffer";
  let description = [{
    The source covers the data exactly; the result is any type that reads it. The materialise
    phase says what it goes `through`.

    ```mlir
    %c = itensor.converter %f#0 : !rows to !again
    ```
  }];
  let arguments = (ins ITensor_ITensorType:$source, OptionalAttr<ITensor_BufferAttr>:$buffer);
  let results = (outs ITensor_ITensorType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source),
                            "build($_builder, $_state, result, source, BufferAttr());">];
  let assemblyFormat = [{
    $source (`through` $buffer^)? attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def ITensor_ChunkOp : ITensor_Op<"chunk", [Pure]> {
  let summary = "split along a data dimension into consecutive parts";
  let description = [{
    Result i carries the elements of the source whose index along `dim` lies in
    the i-th consecutive range, in the source's order. A part that nobody reads
    is dropped by the lowering.

    ```mlir
    %lo, %hi = itensor.chunk %h dim 2 : !heads -> !half, !half
    ```
  }];
  let arguments = (ins ITensor_ITensorType:$source, I64Attr:$dim);
  let results = (outs Variadic<ITensor_ITensorType>:$results);
  let assemblyFormat = "$source `dim` $dim attr-dict `:` type($source) `->` type($results)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def ITensor_ConcatOp : ITensor_Op<"concat", [Pure]> {
  let summary = "put parts together along a data dimension, the inverse of chunk";
  let description = [{
    Source i brings the i-th consecutive range of data dimension `dim` of the result.

    ```mlir
    %j = itensor.concat %hi, %lo dim 2 : !half, !half -> !heads
    ```
  }];
  let arguments = (ins Variadic<ITensor_ITensorType>:$sources, I64Attr:$dim);
  let results = (outs ITensor_ITensorType:$result);
  let assemblyFormat = "$sources `dim` $dim attr-dict `:` type($sources) `->` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def ITensor_PadOp : ITensor_Op<"pad", [Pure]> {
  let summary = "add constant elements around the data";
  let description = [{
    `low` and `high` count the elements added before and after each data
    dimension; each is a multiple of the token's extent there.

    ```mlir
    %p = itensor.pad %f#2 low [0, 16] high [0, 16] value 0.0 : f32 : !rows to !padded
    ```
  }];
  let arguments = (ins ITensor_ITensorType:$source, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high, TypedAttrInterface:$value);
  let results = (outs ITensor_ITensorType:$result);
  let assemblyFormat = "$source `low` $low `high` $high `value` $value attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def ITensor_ForkOp : ITensor_Op<"fork", [Pure]> {
  let summary = "one stream to many, each of the input's type";
  let description = [{
    A FIFO has one reader, so every fan-out becomes a fork.

    ```mlir
    %f:3 = itensor.fork %x : !rows -> !rows, !rows, !rows
    ```
  }];
  let arguments = (ins ITensor_ITensorType:$source);
  let results = (outs Variadic<ITensor_ITensorType>:$results);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($results)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def ITensor_JoinOp : ITensor_Op<"join", [Pure]> {
  let summary = "streams of equal order to one stream of tuples";
  let description = [{
    Each token of the result holds one token of every source: its elements are tuples of
    their elements. The order is that of the sources. No tensor has such elements, so a stream
    of tuples is passed on (cast, reassociate, fork, chunk, concat) and taken apart by `unjoin`.

    ```mlir
    %z = itensor.join %x, %m : !a, !flags -> !pairs
    ```
  }];
  let arguments = (ins Variadic<ITensor_ITensorType>:$sources);
  let results = (outs ITensor_ITensorType:$result);
  let assemblyFormat = "$sources attr-dict `:` type($sources) `->` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def ITensor_UnjoinOp : ITensor_Op<"unjoin", [Pure]> {
  let summary = "the members of a stream of tuples, the inverse of join";
  let description = [{
    Result i carries member i of each tuple, in the source's order. Where one task reads all members
    in one order it takes them out of the tuple's FIFO itself; else they get FIFOs of their own.

    ```mlir
    %u, %v = itensor.unjoin %z : !pairs -> !a, !flags
    ```
  }];
  let arguments = (ins ITensor_ITensorType:$source);
  let results = (outs Variadic<ITensor_ITensorType>:$results);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($results)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def ITensor_PackOp : ITensor_Op<"pack", [Pure]> {
  let summary = "a tensor in the order in which its tiles will be read (outside kernels)";
  let description = [{
    Element (i0, i1, ...) of the result is the element of the row-major source at
    `offset` + i0 * strides[0] + i1 * strides[1] + .... Parameters are packed once,
    activations by the host before a launch. With `lanes` the last dimension is a word of memory:
    its first elements, as many as lanes, are data, the others are zero.

    ```mlir
    %q = itensor.pack %m strides [128, 4, 8, 1] offset 0 : tensor<32x8xf32> -> tensor<2x2x16x4xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, DenseI64ArrayAttr:$strides, I64Attr:$offset,
                       OptionalAttr<I64Attr>:$lanes);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `strides` $strides `offset` $offset (`lanes` $lanes^)? attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def ITensor_UnpackOp : ITensor_Op<"unpack", [Pure]> {
  let summary = "the row-major tensor of a packed one (outside kernels)";
  let description = [{
    The inverse of `itensor.pack`: element (i0, i1, ...) of the source is the element of the
    row-major result at i0 * strides[0] + i1 * strides[1] + .... The source holds each element
    once; elements of a word behind its `lanes` are dropped.

    ```mlir
    %u = itensor.unpack %q strides [128, 4, 8, 1] : tensor<2x2x16x4xf32> -> tensor<32x8xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, DenseI64ArrayAttr:$strides,
                       OptionalAttr<I64Attr>:$lanes);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `strides` $strides (`lanes` $lanes^)? attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def ITensor_FromTensorOp : ITensor_Op<"from_tensor", [Pure]> {
  let summary = "stream a tensor in any read order (kernel boundary)";
  let description = [{
    With `offsets` the data is the box of the source that starts there. With `packed` the
    source holds the tokens one after the other: its shape is the trips of the loops that move,
    then the token's shape. They lie in the order of the type without its revisits, or, with
    `order`, in that of the loops named. With `lanes` the token's last extent above 1 is
    cut into vectors of as many elements, each in a word of its own: the source's shape ends
    with the number of vectors, then the word, a power of two.

    ```mlir
    %x = itensor.from_tensor %t : tensor<16x576xf32> -> !rows
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, OptionalAttr<DenseI64ArrayAttr>:$offsets, UnitAttr:$packed,
                       OptionalAttr<DenseI64ArrayAttr>:$order, OptionalAttr<I64Attr>:$lanes);
  let results = (outs ITensor_ITensorType:$result);
  let assemblyFormat = "$source (`packed` $packed^)? (`order` $order^)? (`lanes` $lanes^)? (`offsets` $offsets^)? attr-dict `:` type($source) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source,
                                 CArg<"::mlir::DenseI64ArrayAttr", "{}">:$offsets), [{
    build($_builder, $_state, result, source, offsets, /*packed=*/false, /*order=*/{}, /*lanes=*/{});
  }]>];
  let hasVerifier = 1;
}

def ITensor_ToTensorOp : ITensor_Op<"to_tensor", [Pure]> {
  let summary = "collect a stream into a tensor (kernel boundary)";
  let description = [{
    The stream is an exact cover of the tensor. With `packed`, `order` and `lanes` the tokens are
    stored as `itensor.from_tensor` reads them with the same words.

    ```mlir
    %r = itensor.to_tensor %b : !rows -> tensor<16x576xf32>
    ```
  }];
  let arguments = (ins ITensor_ITensorType:$source, UnitAttr:$packed,
                       OptionalAttr<DenseI64ArrayAttr>:$order, OptionalAttr<I64Attr>:$lanes);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source (`packed` $packed^)? (`order` $order^)? (`lanes` $lanes^)? attr-dict `:` type($source) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source), [{
    build($_builder, $_state, result, source, /*packed=*/false, /*order=*/{}, /*lanes=*/{});
  }]>];
  let hasVerifier = 1;
}

#endif
