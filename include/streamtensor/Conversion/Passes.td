//===- Passes.td - From tiled Linalg to leaf tasks ---------*- tablegen -*-===//
//
// From one form of a program to the next, in pipeline order.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_CONVERSION_PASSES_TD
#define STREAMTENSOR_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def LinalgToDataflow : Pass<"streamtensor-linalg-to-dataflow", "mlir::func::FuncOp"> {
  let summary = "each tiled op becomes a kernel with one task over itensors";
  let description = [{
    The itensor types are read off the loops (iteration space) and the slices (map
    and element shape).
  }];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect"];
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
