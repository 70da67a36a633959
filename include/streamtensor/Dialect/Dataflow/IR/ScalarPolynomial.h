//===- ScalarPolynomial.h - Counts that depend on scalars -------*- C++ -*-===//
//
// Numbers of tokens and blocks as polynomials over the scalars of a design, in a normal form:
// two that are equal as polynomials are equal for every value.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_SCALARPOLYNOMIAL_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_SCALARPOLYNOMIAL_H

#include "mlir/IR/AffineExpr.h"

#include <map>
#include <string>
#include <vector>

namespace streamtensor::dataflow {

/// A sum of products of atoms. An atom is a scalar, by its name, or the quotient, rounded down, of
/// a sum by a constant, in a normal form: `(tokens + 3) floordiv 4`.
class ScalarPolynomial {
public:
  explicit ScalarPolynomial(int64_t constant = 0);
  /// `expr` over symbols alone, which stand for the scalars of these names; divisors are positive
  /// constants.
  static ScalarPolynomial get(mlir::AffineExpr expr, llvm::ArrayRef<llvm::StringRef> names);

  ScalarPolynomial operator+(const ScalarPolynomial &other) const;
  ScalarPolynomial operator*(const ScalarPolynomial &other) const;
  bool operator==(const ScalarPolynomial &other) const { return terms == other.terms; }

  /// `2 * tokens * width + 8`
  std::string str() const;

private:
  using Product = std::vector<std::string>; // atoms, sorted; empty: a constant

  void add(const Product &product, int64_t coefficient);
  ScalarPolynomial floorDivide(int64_t divisor) const;

  std::map<Product, int64_t> terms; // no coefficient is 0
};

} // namespace streamtensor::dataflow

#endif
