//===- ReferenceAffine.h - Affine values for references ---------*- C++ -*-===//
//
// What the references of the tests evaluate with: nothing of lib/, so that a fault there cannot
// hide itself.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_UNITTESTS_REFERENCEAFFINE_H
#define STREAMTENSOR_UNITTESTS_REFERENCEAFFINE_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/IntegerSet.h"

namespace streamtensor::reference {

/// Between 0 and b - 1.
inline int64_t modulo(int64_t a, int64_t b) { return ((a % b) + b) % b; }

inline int64_t valueOf(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims,
                       llvm::ArrayRef<int64_t> symbols = {}) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  int64_t a = valueOf(binary.getLHS(), dims, symbols), b = valueOf(binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case mlir::AffineExprKind::Add:
    return a + b;
  case mlir::AffineExprKind::Mul:
    return a * b;
  case mlir::AffineExprKind::Mod:
    return modulo(a, b);
  case mlir::AffineExprKind::FloorDiv:
    return (a - modulo(a, b)) / b;
  default: // rounded up
    return (a + modulo(-a, b)) / b;
  }
}

inline bool isInside(mlir::IntegerSet set, llvm::ArrayRef<int64_t> dims,
                     llvm::ArrayRef<int64_t> symbols = {}) {
  for (unsigned index = 0; index < set.getNumConstraints(); ++index) {
    int64_t value = valueOf(set.getConstraint(index), dims, symbols);
    if (set.isEq(index) ? value != 0 : value < 0)
      return false;
  }
  return true;
}

} // namespace streamtensor::reference

#endif
