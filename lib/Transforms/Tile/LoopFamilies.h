//===- LoopFamilies.h - Loops that go along each other ----------*- C++ -*-===//
//
// Heads of attention are columns of a projection, a batch of two products, and what the projection
// behind them sums. Such loops are one family: put outermost together, every head flows through all
// of these operations; put outermost in one of them alone, it meets a converter on both sides.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_TRANSFORMS_TILE_LOOPFAMILIES_H
#define STREAMTENSOR_LIB_TRANSFORMS_TILE_LOOPFAMILIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace streamtensor {

/// Loops of the linalg ops of a function, related by the dimensions of tensors that they index,
/// also through reshapes, slices and concatenations.
class LoopFamilies {
public:
  explicit LoopFamilies(mlir::func::FuncOp function);

  struct Loop {
    mlir::Operation *op;
    unsigned dim;
  };
  /// By family, in the order of their first ops; without those of one op alone.
  llvm::ArrayRef<llvm::SmallVector<Loop>> getFamilies() const { return families; }

private:
  using Node = std::pair<const void *, unsigned>; ///< A value's dimension, or an op's loop.
  void relate(mlir::Value left, unsigned leftDim, mlir::Value right, unsigned rightDim);
  void visit(mlir::Operation *op);
  void visitReshape(mlir::Value high, mlir::Value low,
                    llvm::ArrayRef<llvm::SmallVector<int64_t, 2>> reassociation);

  llvm::EquivalenceClasses<Node> related;
  llvm::SmallVector<llvm::SmallVector<Loop>> families;
};

} // namespace streamtensor

#endif
