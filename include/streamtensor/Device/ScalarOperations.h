//===- ScalarOperations.h - The operations of bodies ------------*- C++ -*-===//
//
// The one table of what may stand in the body of a leaf, or in a Linalg body that becomes one:
// each operation with the kind of operator that computes it.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DEVICE_SCALAROPERATIONS_H
#define STREAMTENSOR_DEVICE_SCALAROPERATIONS_H

#include "mlir/IR/Operation.h"

namespace streamtensor {

/// What computes `op`: `add`, `mul`, `exp` and so on, operators of the type that `getOperatorType`
/// names; `select` and `mux`, operators of bits; `wire`, `guard`, `access` and `extern`, which need
/// no operator of their own. Empty for what no body may hold.
llvm::StringRef getOperatorKind(mlir::Operation *op);
/// The same by the operation's name, as far as the name says it.
llvm::StringRef getOperatorKind(llvm::StringRef operation);

/// Has `kind` one operator for all types?
bool isUntypedKind(llvm::StringRef kind);

/// Is `name` a kind with one operator for all types, or another kind, `_` and a type?
bool isOperatorName(llvm::StringRef name);

/// The type that sets the cost of `op`: for casts and comparisons not the result's. Scalar or
/// vector.
mlir::Type getOperatorType(mlir::Operation *op, llvm::StringRef kind);

/// Bits that a signed integer value can take: those before its extension and its moves among lanes,
/// and those that sums and products of such values need.
int64_t getSignificantBits(mlir::Value value);

/// The operator that multiplies two numbers by one, in one DSP. A sum corrects the upper product: a
/// cycle behind the DSP's.
constexpr llvm::StringLiteral pairedProduct = "mul_pair_int";
constexpr int64_t pairedSumCycles = 1;

/// An operand of a product that neighbours along a dimension of its lanes share.
struct SharedOperand {
  unsigned number, dim;
};

/// The operand of a product of integers whose lanes come in pairs that share it, if one does.
std::optional<SharedOperand> findSharedOperand(mlir::Operation *product);

/// The operator that multiplies two numbers by two others, in one DSP: numbers lie above others in
/// both operands, so far that products overlap in `crossedOverlap` bits, which logic takes apart.
/// With fewer, 8 bits beside 4 would be too wide for an operand of 18; `runtime/include/st_math.h`
/// multiplies so.
constexpr llvm::StringLiteral crossedProduct = "mul_cross_int";
constexpr int64_t crossedOverlap = 3;
/// Two sums one behind the other: what overlaps is taken apart, then the upper products corrected.
constexpr int64_t crossedSumCycles = 2;

/// A product of integers whose lanes share both operands: each number of a pair meets each of
/// another.
struct CrossedOperands {
  std::array<unsigned, 2> dims; ///< Along which neighbours share the first and the second operand.
  unsigned wide;                ///< The operand of fewer bits, whose numbers lie farther apart.
};

std::optional<CrossedOperands> findCrossedOperands(mlir::Operation *product);

/// All operations that the table names, with their kinds.
llvm::ArrayRef<std::pair<llvm::StringLiteral, llvm::StringLiteral>> getScalarOperations();

} // namespace streamtensor

#endif
