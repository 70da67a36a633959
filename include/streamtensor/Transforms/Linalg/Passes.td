//===- Passes.td - The passes of the phase linalg ----------*- tablegen -*-===//
//
// Brings Linalg to the normal form that tiling expects; the last pass checks that form.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_TRANSFORMS_LINALG_PASSES_TD
#define STREAMTENSOR_TRANSFORMS_LINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

class LinalgPhasePass<string argument, string operation = "::mlir::func::FuncOp">
    : Pass<argument, operation> {
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def GeneralizeOps : LinalgPhasePass<"streamtensor-generalize"> {
  let summary = "Rewrite named Linalg ops as linalg.generic";
  let description = [{
    Matmuls, transposes, broadcasts and the like become `linalg.generic`, as do
    operations of arith and math on whole tensors; a softmax becomes the
    reductions and elementwise operations it consists of; and an `insert_slice` chain that builds a tensor out of adjacent pieces becomes
    `tensor.concat`. `linalg.fill` keeps its name: it is the initial value of a
    reduction. Slices that drop dimensions become a slice and a `collapse_shape`.
  }];
}

def SelectGathers : LinalgPhasePass<"streamtensor-select-gathers"> {
  let summary = "Make reads at computed positions searches";
  let description = [{
    A body that reads an element of a tensor at a computed position (a gather, a
    flip, an interpolation, a row of a tensor that the design computes) becomes
    a search: the bits of each element of the table or none, by comparison of
    its position, all joined by or. That takes as many steps as the searched
    dimensions have elements for each element of the result. Rows of a table in
    external memory stay lookups. A position outside of the tensor is the
    nearest inside.
  }];
}

def SimplifyBodies : LinalgPhasePass<"streamtensor-simplify-bodies"> {
  let summary = "Fold constants in bodies and drop what no result needs";
  let description = [{
    - conversions of constants fold, rounding to nearest even (torch-mlir writes
      scalars as f64 and truncates them in each body);
    - a comparison of an extended value with a constant that the narrow type can
      represent is made in the narrow type;
    - small integer powers become multiplications;
    - divisions by powers of two become multiplications, differences with a
      constant sums: the C++ compiler of synthesis would write them so;
    - splat operands and fills become constants of the body;
    - results that nothing reads (the indices of a maximum) are dropped, with
      the operands that only they needed.
  }];
}

def FoldUnitExtents : LinalgPhasePass<"streamtensor-fold-unit-extents"> {
  let summary = "Remove dimensions of extent one from everything but the signature";
  let description = [{
    Generics, slices, concats and pads lose their unit dimensions; reshapes at
    the function's arguments and results keep its signature. No reshape moves
    past another operation here: unit folding and reshape propagation in one
    greedy run undo each other without end.
  }];
}

def NarrowIntegers : LinalgPhasePass<"streamtensor-narrow-integers"> {
  let summary = "Store integers in as few bits as their range needs";
  let description = [{
    The range of each integer tensor follows from those of the operands. A tensor
    between generics whose range needs fewer bits than its type has takes that
    width: its writer computes modulo that power of two, its readers extend what they read.
    An operation that only extends thus becomes a copy, and a contraction of
    extended operands reads the narrow ones: int4 weights and the 9-bit
    differences of int8 activations and their zero points meet in its
    multipliers. A sum keeps at least 32 bits. Arguments, results, and what a
    concat or a pad reads keep their types.
  }];
}

def AbsorbCopies : LinalgPhasePass<"streamtensor-absorb-copies"> {
  let summary = "Read through transposes and broadcasts";
  let description = [{
    A generic that reads a copy (a transpose or a broadcast) reads the copy's
    source through the composed map instead. Weight transposes and the repeated
    heads of grouped attention thus become read maps.
  }];
}

def PropagateCopies : LinalgPhasePass<"streamtensor-propagate-copies"> {
  let summary = "Move transposes and broadcasts down to their readers";
  let description = [{
    A slice, concat, pad or reshape of a copy becomes a copy of the slice,
    concat, pad or reshape. An elementwise operation whose inputs all have one
    other order than its result writes in their order, and one that would
    compute a value several times along a broadcast computes it before. Generics
    absorb the copies that reach them.
  }];
}

def HoistSlices : LinalgPhasePass<"streamtensor-hoist-slices"> {
  let summary = "Slice weights instead of what is computed from them";
  let description = [{
    Where slices partition the result of a contraction, perhaps after elementwise
    operations, and nothing else reads it (a fused projection of queries, keys
    and values), each slice becomes a contraction of sliced weights. Slices move
    above reshapes and concats where they stay one box. All other slices remain: they
    split a stream.
  }];
}

def FoldCopiesIntoWriters : LinalgPhasePass<"streamtensor-fold-copies-into-writers"> {
  let summary = "Let the writer of a tensor transpose it";
  let description = [{
    A transpose that no reader could absorb (before a reshape, or of a result of
    the function) becomes the order in which the generic before it writes. The
    loops of elementwise generics then follow their results.

    With `rows-of-sums`, before readers absorb anything: only transposes that move
    the last dimension of what a contraction writes, and that elementwise generics
    read, whole or in slices. Those would hand on the order in which the product was
    spelt, outputs before tokens, to everything behind them: rows of tokens, of which a
    launch may have one.
  }];
  let options = [Option<"rowsOfSums", "rows-of-sums", "bool", "false",
                        "Only what elementwise generics would read across the rows of a sum">];
}

def SinkReshapes : LinalgPhasePass<"streamtensor-sink-reshapes"> {
  let summary = "Move collapse_shape past generics where that frees a copy";
  let description = [{
    A generic that reads a collapsed tensor works on the expanded one, and its
    result is collapsed instead: elementwise operations and reductions where no
    other operand needs a reshape for it, contractions only where the collapsed tensor
    is a broadcast, which they then absorb (the repeated heads of grouped
    attention). An expand_shape between two elementwise operations moves above
    the first, so that they can fuse.
  }];
}

def FuseElementwise : LinalgPhasePass<"streamtensor-fuse-elementwise"> {
  let summary = "Fuse chains of elementwise operations without repeating work";
  let description = [{
    An elementwise producer joins its consumer only if the consumer is
    elementwise, is its only reader, and reads it by a permutation of all its
    dimensions. A function of loop indices alone (a causal mask) joins every
    elementwise reader: it is cheaper than a stream. A conversion of numbers (an integer
    sum to float) also joins a reduction that is its only reader and reads each
    element once. Other arithmetic never enters a contraction or a reduction,
    and nothing is evaluated more often than its tensor has elements.
  }];
}

def LocalizeInits : LinalgPhasePass<"streamtensor-localize-inits"> {
  let summary = "Give each reduction its own initial value, each body its own constants";
  let description = [{
    The last rewriting pass of the phase. Elementwise generics write into a
    `tensor.empty` of their own, reductions into a `linalg.fill` of their own.
    A reduction that accumulates into a tensor of the program starts from its
    combiner's neutral element instead, and an elementwise generic adds the
    tensor afterwards. Constants move into the bodies that use them; a splat that
    gives a reduction its extent is written out.
  }];
}

def VerifyLinalgContract : LinalgPhasePass<"streamtensor-verify-linalg"> {
  let summary = "Check the normal form in which Linalg is handed to tiling";
  let description = [{
    Fails on the first operation outside the normal form, naming the operation,
    the PyTorch module it came from, and what to do about it.
  }];
}

def CountOperations : LinalgPhasePass<"streamtensor-count-operations"> {
  let summary = "Print how often each scalar function is evaluated";
  let description = [{
    For every scalar operation of a generic's body, the product of the
    generic's loop extents; summed per operation name over the function, and
    printed as `name count`, sorted by name.
  }];
  let options = [
    ListOption<"operations", "operations", "std::string",
               "Names to count, e.g. math.exp (default: all of math, and arith.divf)">
  ];
}

#endif
