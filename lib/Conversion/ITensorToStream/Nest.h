//===- Nest.h - Loops, guards and addresses of a leaf task ------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_NEST_H
#define STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_NEST_H

#include "streamtensor/Analysis/TaskNest.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

namespace streamtensor {

/// The loops of a leaf task, outermost first. Loops with one trip are not built: their
/// index is the constant 0.
class Nest {
public:
  explicit Nest(mlir::MLIRContext *context) : context(context) {}

  /// Adds a loop inside all others and returns its index.
  mlir::AffineExpr add(int64_t trips);
  unsigned getLevel() const { return trips.size(); }
  llvm::ArrayRef<int64_t> getTrips() const { return trips; }
  int64_t getTrips(mlir::AffineExpr index) const;
  mlir::MLIRContext *getContext() const { return context; }
  mlir::AffineExpr zero() const { return mlir::getAffineConstantExpr(0, context); }

  /// Adds loops [begin, end) of `type` and their steps to `offsets`, one per data dimension.
  llvm::SmallVector<mlir::AffineExpr> addLoops(itensor::ITensorType type, unsigned begin,
                                               unsigned end,
                                               llvm::MutableArrayRef<mlir::AffineExpr> offsets);
  /// Adds the loops over the elements of a token in vectors of `lanes`.
  void addPoints(itensor::ITensorType type, int64_t lanes,
                 llvm::MutableArrayRef<mlir::AffineExpr> offsets);
  llvm::SmallVector<mlir::AffineExpr> zeros(unsigned rank) const {
    return llvm::SmallVector<mlir::AffineExpr>(rank, zero());
  }

private:
  mlir::MLIRContext *context;
  llvm::SmallVector<int64_t> trips;
};

/// A conjunction of comparisons of loop indices with constants.
class Guard {
public:
  Guard &equals(mlir::AffineExpr index, int64_t value);
  Guard &atLeast(mlir::AffineExpr index, int64_t value);
  Guard &atMost(mlir::AffineExpr index, int64_t value);
  bool isTrivial() const { return constraints.empty(); }
  mlir::IntegerSet getSet(const Nest &nest) const;
  /// Null if the guard is trivial.
  mlir::IntegerSetAttr getAttr(const Nest &nest) const;

private:
  void add(mlir::AffineExpr constraint, bool isEquality);
  llvm::SmallVector<mlir::AffineExpr> constraints;
  llvm::SmallVector<bool> equalities;
};

} // namespace streamtensor

#endif
