//===- CppAffine.cpp - Affine expressions and sets as C++ -----------------===//

#include "streamtensor/Target/HLSCpp/CppText.h"

#include "mlir/IR/AffineExprVisitor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace streamtensor::target;

namespace {

/// Closed interval of the values that an expression takes.
struct Interval {
  int64_t low, high;
};

Interval intervalOf(AffineExpr expr, const AffineNames &names) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return {0, names.trips[dim.getPosition()] - 1};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr);
      symbol && symbol.getPosition() < names.symbolRanges.size())
    return {names.symbolRanges[symbol.getPosition()].first,
            names.symbolRanges[symbol.getPosition()].second};
  if (isa<AffineSymbolExpr>(expr))
    return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Interval lhs = intervalOf(binary.getLHS(), names);
  Interval rhs = intervalOf(binary.getRHS(), names);
  auto corners = [&](auto apply) {
    int64_t values[] = {apply(lhs.low, rhs.low), apply(lhs.low, rhs.high), apply(lhs.high, rhs.low),
                        apply(lhs.high, rhs.high)};
    return Interval{*llvm::min_element(values), *llvm::max_element(values)};
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

/// Drops divisions and remainders that the extents decide: `u1 mod 4` with u1 < 4.
AffineExpr simplify(AffineExpr expr, const AffineNames &names) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = simplify(binary.getLHS(), names);
  AffineExpr rhs = simplify(binary.getRHS(), names);
  AffineExpr result = getAffineBinaryOpExpr(expr.getKind(), lhs, rhs);
  binary = dyn_cast<AffineBinaryOpExpr>(result);
  if (!binary)
    return result;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  bool divides =
      llvm::is_contained({AffineExprKind::Mod, AffineExprKind::FloorDiv}, result.getKind());
  if (!divides || !divisor)
    return result == expr ? result : simplify(result, names);
  Interval values = intervalOf(binary.getLHS(), names);
  if (values.low < 0 || values.high >= divisor.getValue())
    return result;
  return result.getKind() == AffineExprKind::Mod ? binary.getLHS()
                                                 : getAffineConstantExpr(0, expr.getContext());
}

/// One summand: a coefficient times an expression that is not a sum.
struct Term {
  AffineExpr factor;
  int64_t coefficient;
};

/// expr = sum of terms + constant.
struct Sum {
  SmallVector<Term> terms;
  int64_t constant = 0;
};

void collect(AffineExpr expr, int64_t coefficient, Sum &sum) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    sum.constant += coefficient * constant.getValue();
    return;
  }
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    if (binary.getKind() == AffineExprKind::Add) {
      collect(binary.getLHS(), coefficient, sum);
      collect(binary.getRHS(), coefficient, sum);
      return;
    }
    if (auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
        factor && binary.getKind() == AffineExprKind::Mul) {
      collect(binary.getLHS(), coefficient * factor.getValue(), sum);
      return;
    }
  }
  sum.terms.push_back({expr, coefficient});
}

Expression print(AffineExpr expr, const AffineNames &names);

/// A division or remainder. Plain operators serve when the dividend is never negative.
Expression printDivision(AffineBinaryOpExpr binary, const AffineNames &names) {
  Expression lhs = print(binary.getLHS(), names);
  Expression rhs = print(binary.getRHS(), names);
  bool plain = intervalOf(binary.getLHS(), names).low >= 0;
  switch (binary.getKind()) {
  case AffineExprKind::Mod:
    if (plain)
      return {lhs.operand() + " % " + rhs.operand(), false};
    return {"st::floor_mod(" + lhs.text + ", " + rhs.text + ")"};
  case AffineExprKind::FloorDiv:
    if (plain)
      return {lhs.operand() + " / " + rhs.operand(), false};
    return {"st::floor_div(" + lhs.text + ", " + rhs.text + ")"};
  default:
    return {"st::ceil_div(" + lhs.text + ", " + rhs.text + ")"};
  }
}

Expression printTerm(const Term &term, const AffineNames &names) {
  Expression factor = print(term.factor, names);
  int64_t size = std::abs(term.coefficient);
  if (size == 1)
    return factor;
  return {factor.operand() + " * " + std::to_string(size), false};
}

/// Sum of the terms whose coefficient has the wanted sign, each taken positive.
std::string printSide(const Sum &sum, bool positive, int64_t constant, const AffineNames &names) {
  std::string text;
  for (const Term &term : sum.terms)
    if ((term.coefficient > 0) == positive)
      text += (text.empty() ? "" : " + ") + printTerm(term, names).text;
  if (text.empty())
    return std::to_string(constant);
  if (constant != 0)
    text += (constant > 0 ? " + " : " - ") + std::to_string(std::abs(constant));
  return text;
}

Expression print(AffineExpr expr, const AffineNames &names) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return {names.dims[dim.getPosition()]};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return {names.symbols[symbol.getPosition()]};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary &&
      llvm::is_contained({AffineExprKind::Mod, AffineExprKind::FloorDiv, AffineExprKind::CeilDiv},
                         binary.getKind()))
    return printDivision(binary, names);
  Sum sum;
  collect(expr, 1, sum);
  if (sum.terms.empty())
    return {std::to_string(sum.constant), sum.constant >= 0};
  std::string text;
  for (const Term &term : sum.terms) {
    if (text.empty())
      text = term.coefficient < 0 ? "-" : "";
    else
      text += term.coefficient < 0 ? " - " : " + ";
    text += printTerm(term, names).text;
  }
  if (sum.constant != 0)
    text += (sum.constant > 0 ? " + " : " - ") + std::to_string(std::abs(sum.constant));
  return {text, false};
}

/// `positive terms OP negative terms - constant`, so that `d0 - 3 == 0` reads `i0 == 3`.
std::string printConstraint(AffineExpr expr, bool equality, const AffineNames &names) {
  Sum sum;
  collect(expr, 1, sum);
  bool anyPositive = llvm::any_of(sum.terms, [](const Term &term) { return term.coefficient > 0; });
  if (anyPositive)
    return printSide(sum, true, 0, names) + (equality ? " == " : " >= ") +
           printSide(sum, false, -sum.constant, names);
  return printSide(sum, false, 0, names) + (equality ? " == " : " <= ") +
         std::to_string(sum.constant);
}

} // namespace

std::string streamtensor::target::cppAffine(AffineExpr expr, const AffineNames &names) {
  return print(simplify(expr, names), names).text;
}

Expression streamtensor::target::cppCondition(IntegerSet set, const AffineNames &names) {
  SmallVector<std::string> parts;
  for (auto [written, equality] : llvm::zip_equal(set.getConstraints(), set.getEqFlags())) {
    AffineExpr constraint = simplify(written, names);
    Interval values = intervalOf(constraint, names);
    if (equality ? values.low == 0 && values.high == 0 : values.low >= 0)
      continue;
    if (values.high < 0 || (equality && values.low > 0))
      return {"false"};
    parts.push_back(printConstraint(constraint, equality, names));
  }
  if (parts.empty())
    return {"true"};
  return {llvm::join(parts, " && "), false};
}
