//===- Passes.td - FIFO depths -----------------------------*- tablegen -*-===//
//
// Reads the device of the module.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIZING_PASSES_TD
#define STREAMTENSOR_SIZING_PASSES_TD

include "mlir/Pass/PassBase.td"

def SizeFifos : Pass<"dataflow-size-fifos", "::mlir::ModuleOp"> {
  let summary = "Set FIFO depths and their memory kinds; prove that the design ends";
  let description = [{
    `lp` is the linear program of the StreamTensor paper, `highwater` takes the
    largest use of each FIFO in an unbounded run, `search` looks for small depths
    that keep the cycles of that run. The depths of all but `lp` and `force-depth`
    are then enlarged until freedom from deadlock does not depend on timing, and a
    last run must end; a deadlock is an error that names the waiting tasks, the
    FIFOs and the depth that would release them.

    Streams get their memory, its latency and `#dataflow.fifo_sizing`, designs
    `#dataflow.design_sizing` (without `lp` if a run at the depths of the linear program deadlocks).
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect"];
  let options = [
    Option<"strategy", "strategy", "Strategy", "Strategy::Search", "How depths are found",
      [{::llvm::cl::values(
        clEnumValN(Strategy::LinearProgram, "lp", "linear program of the paper"),
        clEnumValN(Strategy::HighWater, "highwater", "largest use in an unbounded run"),
        clEnumValN(Strategy::Search, "search", "small depths that keep the cycles"))}]>,
    Option<"conservative", "conservative", "bool", "false",
           "In the linear program, scale all tasks to the slowest">,
    Option<"forceDepth", "force-depth", "int64_t", "0",
           "Give every FIFO this depth (experiments and tests)">,
    Option<"loss", "loss", "double", "0.01", "Allowed loss of speed of `search`, a fraction">,
    Option<"searchSteps", "search-steps", "int64_t", "600000000",
           "Token accesses that all candidate runs of `search` may simulate">,
    Option<"rounds", "rounds", "int64_t", "4",
           "Rounds of a cycle of leaves, such as the layers of a model, that `search` looks at; at "
           "these depths all must be as near to their best time as these, else it goes on with all">,
    Option<"strict", "strict", "bool", "false",
           "An error, rather than a larger loss, where the FIFOs of `search` take more of the memory "
           "than dies can hold">
  ];
}

def CutKernels : Pass<"dataflow-cut-kernels", "::mlir::ModuleOp"> {
  let summary = "Make a kernel for each die of a placed design";
  let description = [{
    A design whose leaves lie on several dies becomes `per_die`. Its FIFOs between dies are links:
    they get the depth, the memory and the latency that a stream of the platform has, never fewer
    slots than they had. Where the latency costs more than `loss` of the speed, FIFOs get deeper,
    as far as the dies hold them. Leaves are placed again where a die cannot hold its links. A design on one die stays one kernel. Errors: a device of one die,
    a link deeper than there are, one of a hand-written kernel.
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect"];
  let options = [
    Option<"loss", "loss", "double", "0.01", "Part of the speed that links may cost with the depths as they are">,
    Option<"searchSteps", "search-steps", "int64_t", "600000000",
           "Token accesses that all candidate runs of the search may simulate">,
    Option<"rounds", "rounds", "int64_t", "4", "Rounds of a cycle of leaves that the search looks at">
  ];
}

#endif
