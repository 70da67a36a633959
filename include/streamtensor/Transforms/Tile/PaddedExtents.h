//===- PaddedExtents.h - Which extents are padded, and how far --*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_PADDEDEXTENTS_H
#define STREAMTENSOR_TRANSFORMS_TILE_PADDEDEXTENTS_H

#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Transforms/Tile/MatrixRows.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"

namespace streamtensor {

/// Dimensions of the tensors of a function that are one extent, as operations relate them, and the
/// padded extent of each. Padded are extents of contractions that have few lanes, if every
/// operation that meets them gives the same elements whatever lies behind.
class PaddedExtents {
public:
  /// For words of the device's memory, which brings many rows of some matrices at once.
  /// `percent`: how many elements more an extent may have.
  /// `odd`: factors that lanes would have.
  PaddedExtents(mlir::func::FuncOp function, const DeviceModel &device, int64_t percent,
                dataflow::OddFactors odd = {});
  /// `padded`: what extents become that may be padded; none: they stay.
  PaddedExtents(mlir::func::FuncOp function, llvm::ArrayRef<int64_t> padded = {});

  /// Extents that may be padded, in the order in which operations have them.
  llvm::SmallVector<int64_t> getPaddable() const;
  /// What they become.
  llvm::SmallVector<int64_t> getPadded() const;
  /// For each extent that may be padded the least that the lanes divide which contractions have in
  /// `decided`, the function as it was padded and decided on, with tiles that are about as large;
  /// empty where all are as they were.
  llvm::SmallVector<int64_t> fitToLanes(mlir::func::FuncOp decided);

  bool empty() const { return extents.empty(); }
  /// The shape of the tensor `value` after padding.
  llvm::SmallVector<int64_t> getShape(mlir::Value value) const;
  bool isPadded(mlir::Value value, unsigned dim) const;

private:
  void visit(mlir::Operation *op);
  void visitGeneric(mlir::linalg::GenericOp op);
  void visitReshape(mlir::Value high, mlir::Value low,
                    llvm::ArrayRef<llvm::SmallVector<int64_t, 2>> groups);
  /// Dimension `dim` of both is one extent if `stays`, else both stay as they are.
  void relate(mlir::Value lhs, unsigned lhsDim, mlir::Value rhs, unsigned rhsDim, bool stays);
  void keep(mlir::Value value);
  void choose(int64_t word, int64_t percent, dataflow::OddFactors odd,
              llvm::ArrayRef<MatrixRows> matrices);
  void visitAll();
  /// Classes that may be padded, in the order of their first nodes.
  llvm::SmallVector<unsigned> getPaddableClasses() const;
  unsigned nodeOf(mlir::Value value, unsigned dim);

  mlir::func::FuncOp function;
  llvm::IntEqClasses classes;
  llvm::SmallVector<int64_t> size;          ///< Of each node.
  llvm::SmallVector<unsigned> kept;         ///< Nodes that stay as they are.
  llvm::SmallVector<unsigned> rows, others; ///< Of contractions: neighbours in memory or not.
  llvm::SmallVector<unsigned> inWords;      ///< Rows of what is no vector.
  llvm::DenseMap<mlir::Value, unsigned> firstNode; ///< Of its dimension 0.
  llvm::DenseMap<unsigned, int64_t> extents;       ///< By class, where it is padded.
};

/// Does `op`, a sum of products, add nothing along the reduction `loop` where its inputs are zero?
bool addsNothingForZeros(mlir::linalg::GenericOp op, unsigned loop);

/// Do launches say how many elements an extent has, or does one write what the next reads?
bool changesBetweenLaunches(mlir::func::FuncOp function);

/// `extent`, or the multiple of a larger power of two, up to `word`, that has at most `percent`
/// more. Vectors of other lengths fill no words of memory, and their sums no trees of adders.
int64_t getPaddedExtent(int64_t extent, int64_t word, int64_t percent);

/// `extent`, or the multiple of `odd`, of four times as much if that is near enough, that has at
/// most `percent` more: 44 lanes are 4 x 11.
int64_t getOddExtent(int64_t extent, int64_t odd, int64_t percent);

/// `padded`, or, where `extent` is padded and has a quarter more groups of rows that come at once
/// than it must have, one with as few as can be.
int64_t getGroupedExtent(int64_t extent, int64_t padded, const MatrixRows &rows, int64_t percent);

} // namespace streamtensor

#endif
