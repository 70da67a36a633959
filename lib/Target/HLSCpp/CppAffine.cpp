//===- CppAffine.cpp - Affine expressions and sets as C++ -----------------===//

#include "streamtensor/Target/HLSCpp/CppText.h"

#include "streamtensor/Analysis/IndexCounters.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;

namespace {

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

/// The counter that holds the expression, if it has one.
const std::string *findCounter(AffineExpr expr, const AffineNames &names) {
  std::optional<IndexCounter> counter = matchCounter(expr, names);
  for (auto &[known, name] : names.counters)
    if (counter == known)
      return &name;
  return nullptr;
}

/// A remainder as a sum of counters that is brought below the divisor by subtractions; none if a
/// part of it has no counter.
std::optional<Expression> printCounters(AffineBinaryOpExpr binary, const AffineNames &names) {
  std::optional<RemainderParts> parts = splitRemainder(binary, names);
  if (!parts || parts->parts.empty())
    return std::nullopt;
  std::string text;
  bool isSum = parts->parts.size() > 1;
  for (AffineExpr part : parts->parts) {
    if (matchCounter(part, names) && !findCounter(part, names))
      return std::nullopt;
    Expression printed = print(part, names);
    isSum |= printed.isSum;
    text += (text.empty() ? "" : " + ") + printed.text;
  }
  int64_t divisor = cast<AffineConstantExpr>(binary.getRHS()).getValue(), step = divisor;
  while (step * 2 <= parts->most)
    step *= 2;
  for (; step >= divisor && parts->most >= divisor; step /= 2, isSum = false)
    text = "st::wrap(" + text + ", " + std::to_string(step) + ")";
  return Expression{text, !isSum, isSum};
}

/// A division or remainder. Plain operators serve when the dividend is never negative.
Expression printDivision(AffineBinaryOpExpr binary, const AffineNames &names) {
  if (const std::string *counter = findCounter(binary, names))
    return {*counter};
  if (std::optional<Expression> sum = printCounters(binary, names))
    return *sum;
  Expression lhs = print(binary.getLHS(), names);
  Expression rhs = print(binary.getRHS(), names);
  bool plain = getValues(binary.getLHS(), names).low >= 0;
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
  if (term.coefficient == -1 && factor.isSum)
    return {factor.operand()};
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
  return {text, false, sum.terms.size() > 1 || sum.constant != 0};
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
  return print(simplifyIn(expr, names), names).text;
}

Expression streamtensor::target::cppCondition(IntegerSet set, const AffineNames &names) {
  SmallVector<std::string> parts;
  for (auto [written, equality] : llvm::zip_equal(set.getConstraints(), set.getEqFlags())) {
    AffineExpr constraint = simplifyIn(written, names);
    AffineValues values = getValues(constraint, names);
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
