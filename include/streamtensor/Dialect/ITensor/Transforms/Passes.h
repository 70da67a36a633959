//===- Passes.h - Passes on itensors ----------------------------*- C++ -*-===//

#ifndef STREAMTENSOR_DIALECT_ITENSOR_TRANSFORMS_PASSES_H
#define STREAMTENSOR_DIALECT_ITENSOR_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "llvm/Support/CommandLine.h"

namespace streamtensor {

#define GEN_PASS_DECL
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h.inc"

} // namespace streamtensor

#endif
