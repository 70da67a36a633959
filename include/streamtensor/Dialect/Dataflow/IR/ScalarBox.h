//===- ScalarBox.h - Boxes of iterations that scalars bound -----*- C++ -*-===//
//
// A guard compares single loop indices with constants or with affine forms of the leaf's scalars,
// so the iterations in which it holds form a box whose bounds are such forms. What is said here of
// a box is proved for every value of the scalars. Readers that know the values bind them first
// (BindScalars.h) and have boxes of numbers (IterationBox.h).
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_SCALARBOX_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_SCALARBOX_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/Dataflow/IR/IterationBox.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarPolynomial.h"

namespace streamtensor::dataflow {

/// Trips of a loop, both ends included, as expressions over the scalars of the leaf, its symbols.
struct ScalarRange {
  mlir::AffineExpr low, high;
  bool operator==(const ScalarRange &other) const { return low == other.low && high == other.high; }
};
using ScalarBox = llvm::SmallVector<ScalarRange>;

/// The values that each scalar of the leaf may have, in the order of its symbols.
llvm::SmallVector<IndexRange> getScalarRanges(LeafOp leaf);

/// The trip count of each loop of the nest, the shared ones first, as an expression over the
/// scalars.
llvm::SmallVector<mlir::AffineExpr> getCounts(NestOpInterface nest);

/// Is every factor and divisor in `expr` a constant, the divisors positive?
bool isAffineInScalars(mlir::AffineExpr expr);

/// Boxes of one nest.
class LeafBoxes {
public:
  /// Of a leaf with nests: its shared loops.
  explicit LeafBoxes(NestOpInterface nest);

  /// Every iteration.
  const ScalarBox &getWhole() const { return whole; }
  /// The iterations inside `guard`, all without one; nullopt if it is not of the form above, or if
  /// which of two bounds is the tighter one, or whether one lies beyond the loop, depends on
  /// values.
  std::optional<ScalarBox> getBox(mlir::IntegerSet guard) const;
  /// The iterations outside `box`, if they form a box.
  std::optional<ScalarBox> getComplement(const ScalarBox &box) const;
  /// The box for these values of the scalars.
  IterationBox getBoxAt(const ScalarBox &box, llvm::ArrayRef<int64_t> values) const;
  /// How many iterations.
  ScalarPolynomial getNumIterations(const ScalarBox &box) const;

  // Whatever the values of the scalars:
  bool isEmpty(const ScalarBox &box) const;
  bool containsFirst(const ScalarBox &box) const;
  bool contains(const ScalarBox &outer, const ScalarBox &inner) const;
  bool exclude(const ScalarBox &first, const ScalarBox &second) const;
  /// Does `expr`, over loop indices and scalars, stay within `allowed` in all iterations of `box`?
  bool staysWithin(mlir::AffineExpr expr, const ScalarBox &box, IndexRange allowed) const;

  /// A range that contains the values of `expr` over `box`.
  IndexRange getRange(mlir::AffineExpr expr, const ScalarBox &box) const;

private:
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const;
  bool isNonNegative(mlir::AffineExpr expr) const;
  bool isNonEmpty(const ScalarRange &range) const;
  mlir::AffineExpr bind(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> values) const;
  mlir::AffineExpr withoutSymbols(mlir::AffineExpr expr) const;
  IterationBox getHull(const ScalarBox &box) const;
  bool tighten(ScalarRange &range, mlir::AffineExpr bound, bool isLow) const;
  std::optional<mlir::AffineExpr> getExtreme(mlir::AffineExpr expr, const ScalarBox &box,
                                             bool largest) const;
  bool staysWithinForEachValue(mlir::AffineExpr expr, const ScalarBox &box,
                               IndexRange allowed) const;

  mlir::MLIRContext *context;
  llvm::SmallVector<IndexRange> scalars;
  llvm::SmallVector<llvm::StringRef> names;
  ScalarBox whole;
};

} // namespace streamtensor::dataflow

#endif
