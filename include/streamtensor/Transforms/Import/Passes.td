//===- Passes.td - The passes of the phase import ----------*- tablegen -*-===//
//
// Accepts what torch-mlir prints.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_TRANSFORMS_IMPORT_PASSES_TD
#define STREAMTENSOR_TRANSFORMS_IMPORT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ImportModule : Pass<"streamtensor-import", "::mlir::ModuleOp"> {
  let summary = "Accept a module of Linalg on tensors and name its entry @main";
  let description = [{
    The module must hold exactly one public `func.func` with a body, on static
    ranked tensors. It is renamed to `@main`; every argument gets the attributes
    `streamtensor.name` (default `argN`) and `streamtensor.kind` (default
    `input`) if the front end has not set them. Remnants that carry no meaning
    for inference are dropped: `ml_program.global` seeds that nothing uses, and
    `cf.assert` whose condition is a true constant (conditions about static
    shapes fold to one). Everything else that cannot be compiled is an error
    that names the operation, its source and a remedy.

    A `tensor.pad` by negative amounts becomes a slice that is padded by the others.

    Declarations of hand-written kernels stay, those that nothing uses are dropped; their
    headers are looked for in `source-dir`, or beside the file that declares them, and named
    by their full paths from here on.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect",
                           "::streamtensor::program::ProgramDialect"];
  let options = [Option<"sourceDir", "source-dir", "std::string", "",
                        "where the headers of hand-written kernels lie">];
}

#endif
