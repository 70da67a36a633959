//===- Passes.h - The passes of the phase import ----------------*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_IMPORT_PASSES_H
#define STREAMTENSOR_TRANSFORMS_IMPORT_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace streamtensor {

#define GEN_PASS_DECL
#include "streamtensor/Transforms/Import/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "streamtensor/Transforms/Import/Passes.h.inc"

} // namespace streamtensor

#endif
