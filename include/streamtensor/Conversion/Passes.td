//===- Passes.td - From tiled Linalg to leaf tasks ----------*- tablegen -*-===//
//
// One pass per phase of the middle of the pipeline, in pipeline order.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_CONVERSION_PASSES_TD
#define STREAMTENSOR_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"
include "streamtensor/Dialect/ITensor/IR/ConverterRuleOption.td"

def AttachDevice : Pass<"dataflow-attach-device", "mlir::ModuleOp"> {
  let summary = "give the module its device";
  let description = [{
    The one pass that reads a device's file. What the file says becomes the attribute
    `dataflow.device` of the module; all other passes and tools read it there. A module that has
    another device already is an error: what earlier phases decided holds for that one.
  }];
  let options = [Option<"device", "device", "std::string", "",
                        "device file, or the name of a known device">];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect"];
}

def LinalgToDataflow : Pass<"streamtensor-linalg-to-dataflow", "mlir::func::FuncOp"> {
  let summary = "each tiled op becomes a kernel with one task over itensors";
  let description = [{
    The itensor types are read off the loops (iteration space) and the slices (map
    and element shape).
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect"];
}

def RematerialiseKernels : Pass<"streamtensor-rematerialise-kernels", "mlir::func::FuncOp"> {
  let summary = "compute again what one branch would hold while another is read whole";
  let description = [{
    Attention reads the keys whole before the first row of queries, and both come from one
    normalised input: the queries' branch would hold all rows in the meantime. Where kernels
    without contraction compute such a value from external memory alone, the branch that
    streams gets kernels of its own and reads the memory again when its time has come.
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect"];
}

def FuseKernels : Pass<"streamtensor-fuse-kernels", "mlir::func::FuncOp"> {
  let summary = "apply the greedy fusion plan";
  let description = [{
    Nodes in topological order; a kernel joins the nearest group that holds one of its
    producers if the converters it needs fit on chip, else it opens a new group.
    Inside a group equal types connect, unequal ones get a converter, equal
    converters merge.
  }];
  let options = [Option<"maxBytes", "max-bytes", "int64_t", "0",
                        "on-chip bytes for the converters of one group; 0: what the device has">,
                 Option<"groupBytes", "group-bytes", "int64_t", "0",
                        "bytes of converters with which a group takes no more kernels; 0: as many "
                        "as may be">,
                 ConverterRuleOption];
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

def WidenPorts : Pass<"streamtensor-widen", "mlir::func::FuncOp"> {
  let summary = "let every access to external memory move whole words";
  let description = [{
    A vector whose number of lanes is no power of two, or that starts inside of a word, cannot be read as a word.
    The tensors of such transfers are packed in vectors that are padded to the next power of two.
    Needs the lanes that `streamtensor-vectorise` chose.
  }];
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

def EnsureSingleUse : Pass<"streamtensor-ensure-single-use", "mlir::func::FuncOp"> {
  let summary = "make every fan-out of an itensor a fork";
  let dependentDialects = ["::streamtensor::itensor::ITensorDialect"];
}

def VectoriseITensors : Pass<"streamtensor-vectorise", "mlir::func::FuncOp"> {
  let summary = "choose the lanes of every itensor";
  let description = [{
    Values connected by ops that pass elements on in stream order share their
    lanes. The choice is written to the defining ops as `dataflow.lanes`.
  }];
}

def PlanSums : Pass<"streamtensor-plan-sums", "mlir::func::FuncOp"> {
  let summary = "write down in which order each reduction adds";
  let description = [{
    Each reduction gets the attribute `dataflow.sums`: the order of its point loops
    (`points`), the points taken at once along each loop (`lanes`), the reduction loops
    whose lanes a balanced tree adds, the last one first (`trees`), and the number of
    partial sums that each loop over the reduction takes in turn, tile loops before
    point loops (`banks`).
  }];
}

def ITensorToStream : Pass<"streamtensor-itensor-to-stream", "mlir::ModuleOp"> {
  let summary = "kernels over itensors become designs of leaf tasks";
  let description = [{
    Each task becomes leaf tasks in normal form joined by FIFOs and block buffers.
    FIFO depths stay unset.
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect", "mlir::vector::VectorDialect",
                           "mlir::arith::ArithDialect"];
}

#endif
