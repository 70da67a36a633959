//===- Passes.h - Passes of the phases import and linalg --------*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_PASSES_H
#define STREAMTENSOR_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace streamtensor {

#define GEN_PASS_DECL
#include "streamtensor/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "streamtensor/Transforms/Passes.h.inc"

/// Appends the phase `import`: torch-mlir's Linalg in, one function @main of
/// static tensors out. Headers of hand-written kernels lie in `sourceDirectory`; empty: beside
/// the module's file.
void buildImportPhase(mlir::OpPassManager &pm, llvm::StringRef sourceDirectory = "");

/// Appends the phase `linalg`: the normal form that tiling expects, verified.
void buildLinalgPhase(mlir::OpPassManager &pm);

/// Registers the passes above and the pipelines `streamtensor-import-phase` and
/// `streamtensor-linalg-phase`.
void registerImportAndLinalgPhases();

} // namespace streamtensor

#endif // STREAMTENSOR_TRANSFORMS_PASSES_H
