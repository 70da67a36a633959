//===- Affine.cpp - Values of affine expressions and sets -----------------===//

#include "streamtensor/Support/Affine.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

int64_t streamtensor::evaluate(AffineExpr expression, ArrayRef<int64_t> dims,
                               ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  int64_t lhs = evaluate(binary.getLHS(), dims, symbols);
  int64_t rhs = evaluate(binary.getRHS(), dims, symbols);
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return llvm::mod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(lhs, rhs);
  default:
    llvm_unreachable("leaves are handled above");
  }
}

bool streamtensor::contains(IntegerSet set, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
  return llvm::all_of(llvm::seq(set.getNumConstraints()), [&](unsigned index) {
    int64_t value = evaluate(set.getConstraint(index), dims, symbols);
    return set.isEq(index) ? value == 0 : value >= 0;
  });
}
