//===- Affine.h - Values of affine expressions and sets ---------*- C++ -*-===//

#ifndef STREAMTENSOR_SUPPORT_AFFINE_H
#define STREAMTENSOR_SUPPORT_AFFINE_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/IntegerSet.h"

namespace streamtensor {

/// The value of `expression` where its dimensions and symbols have these values; no divisor is 0.
int64_t evaluate(mlir::AffineExpr expression, llvm::ArrayRef<int64_t> dims,
                 llvm::ArrayRef<int64_t> symbols = {});

/// Whether the point lies in `set`.
bool contains(mlir::IntegerSet set, llvm::ArrayRef<int64_t> dims,
              llvm::ArrayRef<int64_t> symbols = {});

} // namespace streamtensor

#endif
