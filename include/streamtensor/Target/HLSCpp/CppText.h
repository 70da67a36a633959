//===- CppText.h - Pieces of C++ text ---------------------------*- C++ -*-===//
//
// Identifiers, types, literals, and affine expressions and sets as C++.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_TARGET_HLSCPP_CPPTEXT_H
#define STREAMTENSOR_TARGET_HLSCPP_CPPTEXT_H

#include "streamtensor/Analysis/IndexCounters.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace streamtensor::target {

//===----------------------------------------------------------------------===//
// Identifiers
//===----------------------------------------------------------------------===//

/// Hands out identifiers that are valid C++ and distinct in one scope.
class NameScope {
public:
  NameScope() = default;
  /// Names of `outer` stay taken.
  explicit NameScope(const NameScope &outer, bool) : used(outer.used) {}
  std::string unique(llvm::StringRef wish);

private:
  llvm::StringSet<> used;
};

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// `float`, `std::int8_t`, `ap_int<4>`, `bool`, `st::half`; empty when C++ has no such type.
std::string cppScalarType(mlir::Type type);
/// The element of a FIFO or a wide port: a scalar, `hls::vector<float, 16>`, or the name of a
/// struct with the members m0, m1, … of a tuple.
std::string cppTokenType(mlir::Type type);
/// The name that numpy and the interface description use: `float32`, `int8`, `bfloat16`; empty when
/// there is none.
std::string dtypeName(mlir::Type type);
/// Bytes of one element in host memory.
int64_t hostBytes(mlir::Type type);
bool usesArbitraryPrecision(mlir::Type type);

/// Element type of a vector, or the type itself.
mlir::Type laneType(mlir::Type type);
/// Shape of a vector, or none for a scalar.
llvm::ArrayRef<int64_t> laneShape(mlir::Type type);
int64_t laneCount(mlir::Type type);

/// A number as C++ text of the given type.
std::string cppLiteral(mlir::Attribute value);

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// C++ text that knows whether it must be put in parentheses as an operand, and behind a minus.
struct Expression {
  std::string text;
  bool primary = true;
  bool isSum = false;

  std::string operand() const { return primary ? text : "(" + text + ")"; }
};

/// The names of what affine expressions range over; what a counter holds is read from it.
struct AffineNames : AffineRanges {
  llvm::SmallVector<std::string> dims;
  llvm::SmallVector<std::string> symbols;
  std::vector<std::pair<IndexCounter, std::string>> counters;
};

std::string cppAffine(mlir::AffineExpr expr, const AffineNames &names);
/// A condition; `true` or `false` when the extents decide.
Expression cppCondition(mlir::IntegerSet set, const AffineNames &names);

} // namespace streamtensor::target

#endif
