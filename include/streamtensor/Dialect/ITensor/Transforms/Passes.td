//===- Passes.td - Passes on itensors ----------------------*- tablegen -*-===//
//
// Forks, converters, lanes of streams, and layouts of external memory.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_ITENSOR_TRANSFORMS_PASSES_TD
#define STREAMTENSOR_DIALECT_ITENSOR_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "streamtensor/Dialect/ITensor/IR/ConverterRuleOption.td"

def EnsureSingleUse : Pass<"streamtensor-ensure-single-use", "mlir::func::FuncOp"> {
  let summary = "make every fan-out of an itensor a fork";
  let dependentDialects = ["::streamtensor::itensor::ITensorDialect"];
}

def MaterialiseConverters : Pass<"streamtensor-materialise", "mlir::func::FuncOp"> {
  let summary = "give each converter its buffer";
  let description = [{
    Each converter's types become the common refinement of its two nests, and its
    buffer is written down: its kind, the loops shared, the shape of one block, the number
    of blocks, and the fewest elements that any converter between the two types holds. A
    converter between equal orders becomes a cast.
  }];
  let options = [ConverterRuleOption];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect"];
}

def MergeStreams : Pass<"streamtensor-merge-streams", "mlir::func::FuncOp"> {
  let summary = "make once what would flow twice";
  let description = [{
    Equal converters, reassociations and the like of one value become one, also behind the branches of
    a fork and behind equal chains of such operations: the fork then follows. Chunks of one value along
    one dimension whose parts do not overlap become one chunk with all parts. What nobody reads goes away.
  }];
  let dependentDialects = ["::streamtensor::itensor::ITensorDialect"];
}

def ShareLoads : Pass<"streamtensor-share-loads", "mlir::func::FuncOp"> {
  let summary = "let products take one tensor from one read of memory";
  let description = [{
    Products of one kernel that take each element of an external tensor once, in one order and at one
    pace, and of which none waits for more of another than a trip of its outermost loop, read it once.
    So do those that take it again and again, in words, where its channel would take longer than any
    task: each holds it then.
  }];
  let dependentDialects = ["::streamtensor::itensor::ITensorDialect"];
}

def PackTensors : Pass<"streamtensor-pack", "mlir::func::FuncOp"> {
  let summary = "lay tensors in external memory out in the order of their tiles";
  let description = [{
    What a kernel reads or writes in pieces is packed, one tile after the other, so that the
    transfers are few bursts. Arguments and constants go through `itensor.pack`, results through
    `itensor.unpack`, both run by the host: once for parameters, around a launch for activations.
    Between two kernels the tensor is laid out as the fewest bursts of all its transfers ask for.
  }];
  let dependentDialects = ["::streamtensor::itensor::ITensorDialect", "::mlir::tensor::TensorDialect"];
}

def VectoriseITensors : Pass<"streamtensor-vectorise", "mlir::func::FuncOp"> {
  let summary = "choose the lanes of every itensor";
  let description = [{
    Values connected by ops that pass elements on in stream order share their
    lanes. The choice is written to the defining ops as `dataflow.lanes`.
  }];
}

def WidenPorts : Pass<"streamtensor-widen", "mlir::func::FuncOp"> {
  let summary = "let every access to external memory move whole words";
  let description = [{
    A vector whose number of lanes is no power of two, or that starts inside of a word, cannot be read as a word.
    The tensors of such transfers are packed in vectors that are padded to the next power of two.
    Needs the lanes that `streamtensor-vectorise` chose.
  }];
  let dependentDialects = ["::streamtensor::itensor::ITensorDialect"];
}

def WidenLoads : Pass<"streamtensor-widen-loads", "mlir::func::FuncOp"> {
  let summary = "let loads bring as many elements at once as the task behind them takes";
  let description = [{
    A task that takes each token through a block, and uses it in fewer iterations than the token has rows, would
    wait for a load of one row at a time. Its load moves several rows at once, which phase `size` deals to several
    masters. Needs the lanes that `streamtensor-vectorise` chose.
  }];
}

def WidenStores : Pass<"streamtensor-widen-stores", "mlir::func::FuncOp"> {
  let summary = "let stores take as many elements at once as leave the task before them";
  let description = [{
    A contraction that adds up in its outermost loop has all of its results at the end, sooner than a store of one row
    at a time takes them. Such a store moves several rows at once, which phase `size` deals to several masters. Needs
    the lanes that `streamtensor-vectorise` chose.
  }];
}

#endif
