//===- Affine.h - Values of affine expressions and sets ---------*- C++ -*-===//

#ifndef STREAMTENSOR_SUPPORT_AFFINE_H
#define STREAMTENSOR_SUPPORT_AFFINE_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/IntegerSet.h"

#include <optional>

namespace streamtensor {

/// The value of `expression` where its dimensions and symbols have these values; no divisor is 0.
int64_t evaluate(mlir::AffineExpr expression, llvm::ArrayRef<int64_t> dims,
                 llvm::ArrayRef<int64_t> symbols = {});

/// Whether the point lies in `set`.
bool contains(mlir::IntegerSet set, llvm::ArrayRef<int64_t> dims,
              llvm::ArrayRef<int64_t> symbols = {});

/// The points of `set`, or of all, where `zero` is 0 as well.
mlir::IntegerSet addEquality(std::optional<mlir::IntegerSet> set, mlir::AffineExpr zero,
                             unsigned numDims, unsigned numSymbols);

/// What affine expressions range over: a dimension counts from 0 to below its extent; the first
/// symbols have a least and a largest value, the others may be anything within 32 bits.
struct AffineRanges {
  llvm::SmallVector<int64_t> trips;
  llvm::SmallVector<std::pair<int64_t, int64_t>> symbolRanges;
};

/// Closed interval of the values that an expression takes.
struct AffineValues {
  int64_t low, high;
};
AffineValues getValues(mlir::AffineExpr expr, const AffineRanges &ranges);

/// Drops divisions and remainders that the extents decide: `d1 mod 4` with d1 < 4.
mlir::AffineExpr simplifyIn(mlir::AffineExpr expr, const AffineRanges &ranges);

} // namespace streamtensor

#endif
