//===- IterationBox.h - Boxes of iterations and ranges of maps --*- C++ -*-===//
//
// A guard compares single loop indices with constants, so the iterations in which
// it holds form a box: they are counted, not enumerated. The range of an affine
// expression over a box proves accesses in bounds.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_ITERATIONBOX_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_ITERATIONBOX_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace streamtensor::dataflow {

/// A range of integers, both ends included; empty if `high < low`.
struct IndexRange {
  int64_t low = 0;
  int64_t high = -1;

  bool isEmpty() const { return high < low; }
  int64_t getSize() const { return isEmpty() ? 0 : high - low + 1; }
  bool contains(IndexRange other) const {
    return other.isEmpty() || (low <= other.low && other.high <= high);
  }
  bool operator==(const IndexRange &other) const { return low == other.low && high == other.high; }
};

/// Iterations of a nest: a range of trips for each loop.
struct IterationBox {
  llvm::SmallVector<IndexRange> loops;

  bool isEmpty() const;
  int64_t getNumIterations() const;
  /// Is iteration 0, 0, … inside?
  bool containsFirst() const;
  bool contains(const IterationBox &other) const;
  IterationBox intersect(const IterationBox &other) const;
};

/// Every iteration of a nest with these trip counts.
IterationBox getWholeBox(llvm::ArrayRef<int64_t> trips);

/// The iterations inside `set`; nullopt if its dimensions are not the loops or a
/// constraint does not compare one index with a constant. No set: all iterations.
std::optional<IterationBox> getGuardBox(std::optional<mlir::IntegerSet> set,
                                        llvm::ArrayRef<int64_t> trips);

/// The iterations of `whole` outside `box`, if they form a box.
std::optional<IterationBox> getComplement(const IterationBox &box, const IterationBox &whole);

/// A range that contains the values of `expression` over `box` (not empty), by
/// interval and stride arithmetic; exact if each index occurs once and `mod` is
/// applied to evenly spaced values. Dimensions are loop indices; divisors are positive.
IndexRange getRange(mlir::AffineExpr expression, const IterationBox &box);

/// Does `expression` stay within `allowed` over `box`? Where interval arithmetic
/// cannot tell, the indices it uses are enumerated, up to 65,536 points.
bool staysWithin(mlir::AffineExpr expression, const IterationBox &box, IndexRange allowed);

} // namespace streamtensor::dataflow

#endif
