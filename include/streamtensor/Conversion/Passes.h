//===- Passes.h - From tiled Linalg to leaf tasks ---------------*- C++ -*-===//

#ifndef STREAMTENSOR_CONVERSION_PASSES_H
#define STREAMTENSOR_CONVERSION_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace streamtensor {

#define GEN_PASS_DECL
#include "streamtensor/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "streamtensor/Conversion/Passes.h.inc"

} // namespace streamtensor

#endif
