//===- Passes.h - Passes of the phases decide and tile ----------*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_PASSES_H
#define STREAMTENSOR_TRANSFORMS_TILE_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "llvm/Support/CommandLine.h"

namespace streamtensor {

#define GEN_PASS_DECL
#include "streamtensor/Transforms/Tile/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "streamtensor/Transforms/Tile/Passes.h.inc"

} // namespace streamtensor

#endif
