//===- Passes.td - Passes on kernels and modules -----------*- tablegen -*-===//
//
// The device of a module, which kernels become one, which leaves, and designs for fixed scalars.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_TRANSFORMS_PASSES_TD
#define STREAMTENSOR_DIALECT_DATAFLOW_TRANSFORMS_PASSES_TD

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

def BindScalars : Pass<"dataflow-bind-scalars", "mlir::ModuleOp"> {
  let summary = "make designs for fixed values of their scalars";
  let description = [{
    Trip counts, guards, addresses and values that depend on scalars become constants; the program
    loses the arguments that gave them. Depths, blocks and schedules stay as they are: they hold for
    every value. A scalar without a value has its largest one.
  }];
  let options = [ListOption<"values", "values", "std::string", "values of scalars: tokens=5,width=3">];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect", "::mlir::arith::ArithDialect"];
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
  let summary = "apply a fusion plan";
  let description = [{
    `greedy` is the plan of the StreamTensor paper: nodes in topological order; a kernel joins the
    nearest group that holds one of its producers if the converters it needs fit on chip, else it
    opens a new group. `optimal` starts from it and looks for the plan whose launches and whose
    transfers between groups take the least time (FusionProblem.h).
    Inside a group equal types connect, unequal ones get a converter, equal
    converters merge.
  }];
  let options = [Option<"maxBytes", "max-bytes", "int64_t", "0",
                        "on-chip bytes for the converters of one group; 0: what the device has">,
                 Option<"groupBytes", "group-bytes", "int64_t", "0",
                        "bytes of converters with which a group takes no more kernels; 0: as many "
                        "as may be">,
                 Option<"planner", "planner", "FusionPlanner", "FusionPlanner::Greedy",
                        "how kernels are dealt to groups", [{::llvm::cl::values(
                          clEnumValN(FusionPlanner::Greedy, "greedy", "the plan of the paper"),
                          clEnumValN(FusionPlanner::Optimal, "optimal",
                                     "the least time of launches and of what crosses groups"))}]>,
                 Option<"searchNodes", "search-nodes", "int64_t", "1000",
                        "nodes that the search of `optimal` may visit">,
                 ConverterRuleOption];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect"];
}

def EarlyDrains : Pass<"dataflow-early-drains", "mlir::ModuleOp"> {
  let summary = "let sums leave with the last terms, not behind all of them";
  let description = [{
    Where a reduction stands outermost, a block of all sums is complete when the task ends, and is drained then. Its
    parts are complete one after the other before: they go through a FIFO to a block of one part, which is drained
    while the task computes the next.
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect", "::mlir::vector::VectorDialect",
                           "::mlir::arith::ArithDialect"];
}

def NestBlocks : Pass<"dataflow-nest-blocks", "mlir::ModuleOp"> {
  let summary = "make the fills, the core and the drains of a task nests of one leaf";
  let description = [{
    A compute leaf takes blocks that others fill, and gives blocks that others drain; each block is
    a lock, and where it holds two, locks are nested, which Vitis forbids. Where fills and drains go
    through the same outer loops as the core, all become nests of one leaf, together and a block apart:
    no lock, and no pipeline that empties at each block. A block that is held over other loops stays.
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect", "::mlir::vector::VectorDialect"];
}

def SingleLocks : Pass<"dataflow-single-locks", "mlir::ModuleOp"> {
  let summary = "leave each leaf one block at most";
  let description = [{
    A leaf that holds blocks of several loops, or takes one and gives one, nests their locks, which
    Vitis forbids. All but one go to leaves of their own: what the leaf stores in a block, or loads
    from one, passes through a FIFO, or through several where one is too narrow, in the order in which the leaf
    does so. An access to a row that a value chooses stays; the emitter warns of it.
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect", "::mlir::vector::VectorDialect",
                           "::mlir::arith::ArithDialect"];
}

def NarrowMemories : Pass<"dataflow-narrow-memories", "mlir::ModuleOp"> {
  let summary = "give memories of leaves the bits that their integers take";
  let description = [{
    A private memory of integers gets elements of as many bits as what is stored in it can take, and
    what is loaded is extended again: sums of the slices of an engine come with as few bits, and wait
    in such memories for their turn. Sums that a leaf adds to in its memory keep their type, since
    only their values say how large they become.
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect", "::mlir::arith::ArithDialect"];
}

def RunTimeCounts : Pass<"dataflow-run-time-counts", "mlir::ModuleOp"> {
  let summary = "make trip counts of scalars of the launch where arguments declare extents";
  let description = [{
    `streamtensor.extents = ["", "context"]` at an argument of the program says that of its second
    dimension each launch has as many elements as its scalar `context`, at most those of the type,
    and that the program masks the others: where it combines elements along the extent, those behind
    the scalar count as neutral, and what it gives for them is not looked at. The loops that
    walk along the extent are found from the ports on; they get counts, the design gets the scalar,
    and the program an argument that gives it. Nests with lag whose scalars have
    many values run one after the other. An extent with a loop that cannot end early stays at its maximum, with a warning.
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect", "::mlir::vector::VectorDialect",
                           "::mlir::arith::ArithDialect"];
}

def WriteInPlace : Pass<"dataflow-write-in-place", "mlir::ModuleOp"> {
  let summary = "store results into the arguments that they are rows of";
  let description = [{
    A result with `streamtensor.into = "keys"` and `streamtensor.at = "position"` is rows of the
    argument `keys`, from the scalar `position` of the launch on, along the one dimension in which
    the types differ. The argument's port becomes one that is read and written; the rows are stored
    there in the layout in which it is read, after a token says that it has been; the result is the
    whole tensor. What one launch writes the next one reads. Where a word holds several rows, the reader
    hands the one that the place lies in to the store, which keeps the rows in front of the new ones and
    makes those behind them, in the same word, zero. Where the argument or the rows are reached by more
    than one access, or words of the argument cannot be filled one after another or are not read in the
    order in which rows are stored, the rows stay a result, with a warning.
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect", "::mlir::vector::VectorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def LoopLayers : Pass<"dataflow-loop-layers", "mlir::ModuleOp"> {
  let summary = "let one launch go through all layers of a model";
  let description = [{
    `streamtensor.layers = 30` at the program says that it is one of 30 layers, whose argument with
    `streamtensor.next = 0` is result 0 of the layer before; each layer has an own tensor for arguments with
    `streamtensor.stacked`. Every leaf gets the layer as outermost loop, counted by the scalar `layers`
    of the launch; stacked arguments, and all results, get the layer as first dimension. What a layer
    gives the next one goes back through a FIFO, and is held whole for each leaf that reads it. Where a
    layer is more than one launch, has a kernel written by hand, or does not read and write what
    is handed on one run after another, the program stays that of one layer, with a warning.
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect", "::streamtensor::itensor::ITensorDialect",
                           "::mlir::vector::VectorDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ShareEngines : Pass<"dataflow-share-engines", "mlir::ModuleOp"> {
  let summary = "make the products of several leaves with the multipliers of one";
  let description = [{
    Leaves that name one `engine` hand their products, and the sums of products of one iteration, to nests
    of one leaf, which take turns in each layer; a design without a loop over layers goes round once. So do
    memories that only sums are added up in, unless these are integers and the engine is cut into slices. What needs another memory stays: blocks that are filled, results that are
    drained. A leaf that goes through other layers than the others, has operands in a memory and adds to one, or would hand over what is wider than a FIFO, keeps its products, with a warning.
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect", "::mlir::vector::VectorDialect"];
}

def JoinPrograms : Pass<"dataflow-join-programs", "mlir::ModuleOp"> {
  let summary = "put programs of files in the place of calls";
  let description = [{
    A function without a body that has `streamtensor.program = "PATH"` stands for the `@main` of that
    file, a path from where the naming file lies, which is at the level of the phase `size`: calls of it become the launches, layouts and reshapes
    of that program, and the module gets its designs, with the name of the function. All designs stay as
    they are; they were compiled for the device of the module, or for what other designs leave of it.
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect", "::streamtensor::itensor::ITensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
}

def KeepLayouts : Pass<"dataflow-keep-layouts", "mlir::func::FuncOp"> {
  let summary = "let loops over launches carry tensors as launches lay them";
  let description = [{
    A loop over launches is one kernel, in which nobody packs. What a turn packs first and unpacks last, in
    the same layout, is packed once in front of the loop and unpacked behind it; so is what no turn
    changes. Layouts that are row-major become reshapes.
  }];
  let dependentDialects = ["::streamtensor::itensor::ITensorDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif
