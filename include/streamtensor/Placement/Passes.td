//===- Passes.td - Dies ------------------------------------*- tablegen -*-===//
//
// Reads the device of the module.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_PLACEMENT_PASSES_TD
#define STREAMTENSOR_PLACEMENT_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignDies : Pass<"dataflow-assign-dies", "::mlir::ModuleOp"> {
  let summary = "Place the leaves of sized designs on the dies of the card";
  let description = [{
    Each leaf gets the `die` that minimises the bits crossing between dies, within the share of each
    die's resources that can be placed and the wires between neighbours: an integer program, limited
    by nodes. Leaves that share a buffer or a master stay together; FIFOs lie with their readers.
    Where nothing fits, what is too much is least; where not even all dies together are large
    enough, the search ends soon after it is. Designs get `#dataflow.placement`. On a card of
    one die nothing is chosen.
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect"];
  let options = [Option<"nodes", "nodes", "int64_t", "500", "Nodes of the search, at most">];
}

#endif
