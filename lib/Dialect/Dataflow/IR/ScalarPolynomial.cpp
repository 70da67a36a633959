//===- ScalarPolynomial.cpp - Counts that depend on scalars ---------------===//

#include "streamtensor/Dialect/Dataflow/IR/ScalarPolynomial.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace streamtensor::dataflow {

ScalarPolynomial::ScalarPolynomial(int64_t constant) { add({}, constant); }

void ScalarPolynomial::add(const Product &product, int64_t coefficient) {
  int64_t &sum = terms[product];
  sum += coefficient;
  if (sum == 0)
    terms.erase(product);
}

ScalarPolynomial ScalarPolynomial::operator+(const ScalarPolynomial &other) const {
  ScalarPolynomial sum = *this;
  for (const auto &[product, coefficient] : other.terms)
    sum.add(product, coefficient);
  return sum;
}

ScalarPolynomial ScalarPolynomial::operator*(const ScalarPolynomial &other) const {
  ScalarPolynomial result;
  for (const auto &[left, leftFactor] : terms)
    for (const auto &[right, rightFactor] : other.terms) {
      Product product = left;
      llvm::append_range(product, right);
      llvm::sort(product);
      result.add(product, leftFactor * rightFactor);
    }
  return result;
}

/// What the divisor divides leaves the quotient: (5 x + 6) floordiv 4 = x + 1 + (x + 2) floordiv 4.
ScalarPolynomial ScalarPolynomial::floorDivide(int64_t divisor) const {
  ScalarPolynomial outside, rest;
  int64_t common = divisor;
  for (const auto &[product, coefficient] : terms) {
    int64_t whole = llvm::divideFloorSigned(coefficient, divisor);
    int64_t left = coefficient - whole * divisor;
    outside.add(product, whole);
    rest.add(product, left);
    if (!product.empty())
      common = std::gcd(common, left);
  }
  ScalarPolynomial reduced;
  for (const auto &[product, coefficient] : rest.terms)
    reduced.add(product, coefficient / common); // of the constant, rounded down
  if (divisor == common)
    return outside + reduced;
  if (llvm::all_of(reduced.terms, [](const auto &term) { return term.first.empty(); }))
    return outside;
  std::string dividend = reduced.str();
  if (StringRef(dividend).contains(' '))
    dividend = "(" + dividend + ")";
  outside.add({"(" + dividend + " floordiv " + std::to_string(divisor / common) + ")"}, 1);
  return outside;
}

ScalarPolynomial ScalarPolynomial::get(AffineExpr expr, ArrayRef<StringRef> names) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return ScalarPolynomial(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    ScalarPolynomial atom;
    atom.add({names[symbol.getPosition()].str()}, 1);
    return atom;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  ScalarPolynomial left = get(binary.getLHS(), names);
  if (expr.getKind() == AffineExprKind::Add)
    return left + get(binary.getRHS(), names);
  if (expr.getKind() == AffineExprKind::Mul)
    return left * get(binary.getRHS(), names);
  int64_t divisor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return left.floorDivide(divisor);
  case AffineExprKind::CeilDiv:
    return (left + ScalarPolynomial(divisor - 1)).floorDivide(divisor);
  default:
    return left + left.floorDivide(divisor) * ScalarPolynomial(-divisor);
  }
}

std::string ScalarPolynomial::str() const {
  std::string text;
  // The constant, which is the first of the sorted terms, is printed last.
  for (const auto &[product, coefficient] : llvm::reverse(terms)) {
    int64_t size = std::abs(coefficient);
    text += text.empty() ? (coefficient < 0 ? "-" : "") : (coefficient < 0 ? " - " : " + ");
    if (product.empty() || size != 1)
      text += std::to_string(size) + (product.empty() ? "" : " * ");
    text += llvm::join(product, " * ");
  }
  return text.empty() ? "0" : text;
}

} // namespace streamtensor::dataflow
