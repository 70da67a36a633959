//===- Affine.cpp - Values of affine expressions and sets -----------------===//

#include "streamtensor/Support/Affine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using streamtensor::AffineValues;

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

IntegerSet streamtensor::addEquality(std::optional<IntegerSet> set, AffineExpr zero,
                                     unsigned numDims, unsigned numSymbols) {
  SmallVector<AffineExpr> constraints;
  SmallVector<bool> areEqualities;
  if (set) {
    llvm::append_range(constraints, set->getConstraints());
    llvm::append_range(areEqualities, set->getEqFlags());
  }
  constraints.push_back(zero);
  areEqualities.push_back(true);
  return IntegerSet::get(numDims, numSymbols, constraints, areEqualities);
}

bool streamtensor::contains(IntegerSet set, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
  return llvm::all_of(llvm::seq(set.getNumConstraints()), [&](unsigned index) {
    int64_t value = evaluate(set.getConstraint(index), dims, symbols);
    return set.isEq(index) ? value == 0 : value >= 0;
  });
}

AffineValues streamtensor::getValues(AffineExpr expr, const AffineRanges &ranges) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return {0, ranges.trips[dim.getPosition()] - 1};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr);
      symbol && symbol.getPosition() < ranges.symbolRanges.size())
    return {ranges.symbolRanges[symbol.getPosition()].first,
            ranges.symbolRanges[symbol.getPosition()].second};
  if (isa<AffineSymbolExpr>(expr))
    return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  AffineValues lhs = getValues(binary.getLHS(), ranges);
  AffineValues rhs = getValues(binary.getRHS(), ranges);
  auto corners = [&](auto apply) {
    int64_t values[] = {apply(lhs.low, rhs.low), apply(lhs.low, rhs.high), apply(lhs.high, rhs.low),
                        apply(lhs.high, rhs.high)};
    return AffineValues{*llvm::min_element(values), *llvm::max_element(values)};
  };
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return {lhs.low + rhs.low, lhs.high + rhs.high};
  case AffineExprKind::Mul:
    return corners([](int64_t a, int64_t b) { return a * b; });
  case AffineExprKind::FloorDiv:
    return corners([](int64_t a, int64_t b) { return llvm::divideFloorSigned(a, b); });
  case AffineExprKind::CeilDiv:
    return corners([](int64_t a, int64_t b) { return llvm::divideCeilSigned(a, b); });
  default:
    if (lhs.low >= 0 && lhs.high < rhs.low)
      return lhs;
    return {0, rhs.high - 1};
  }
}

/// The sum of the products that a product of a sum is: each is then divided by itself.
static AffineExpr distribute(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = distribute(binary.getLHS()), rhs = binary.getRHS();
  if (expr.getKind() == AffineExprKind::Add)
    return lhs + distribute(rhs);
  auto sum = dyn_cast<AffineBinaryOpExpr>(lhs);
  if (expr.getKind() != AffineExprKind::Mul || !sum || sum.getKind() != AffineExprKind::Add)
    return expr;
  return distribute(sum.getLHS() * rhs) + distribute(sum.getRHS() * rhs);
}

AffineExpr streamtensor::simplifyIn(AffineExpr expr, const AffineRanges &ranges) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = simplifyIn(binary.getLHS(), ranges);
  AffineExpr rhs = simplifyIn(binary.getRHS(), ranges);
  if (llvm::is_contained({AffineExprKind::Mod, AffineExprKind::FloorDiv}, expr.getKind()))
    lhs = distribute(lhs);
  AffineExpr result = getAffineBinaryOpExpr(expr.getKind(), lhs, rhs);
  binary = dyn_cast<AffineBinaryOpExpr>(result);
  if (!binary)
    return result;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  bool divides =
      llvm::is_contained({AffineExprKind::Mod, AffineExprKind::FloorDiv}, result.getKind());
  if (!divides || !divisor)
    return result == expr ? result : simplifyIn(result, ranges);
  AffineValues values = getValues(binary.getLHS(), ranges);
  if (values.low < 0 || values.high >= divisor.getValue())
    return result;
  return result.getKind() == AffineExprKind::Mod ? binary.getLHS()
                                                 : getAffineConstantExpr(0, expr.getContext());
}
