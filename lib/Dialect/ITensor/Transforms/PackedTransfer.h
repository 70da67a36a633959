//===- PackedTransfer.h - Transfers and layouts of external memory *- C++ -*-===//
//
// What the passes that lay out external memory share: how a transfer walks through a tensor in
// a given layout, and the rewriting of both sides of a kernel's boundary.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_DIALECT_ITENSOR_TRANSFORMS_PACKEDTRANSFER_H
#define STREAMTENSOR_LIB_DIALECT_ITENSOR_TRANSFORMS_PACKEDTRANSFER_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace streamtensor {

/// A dimension of a walk: trips or elements, and the elements of memory that one of them moves.
struct WalkDim {
  int64_t extent, stride;
  bool operator==(const WalkDim &) const = default;
};

/// A packed layout in normal form: the dimensions as they lie, outermost first, each with its
/// stride in the row-major tensor, without extents of 1, and those without a gap between them as
/// one. That is how layouts of reshaped tensors and of loops that were cut compare.
using MemoryLayout = llvm::SmallVector<WalkDim>;

/// One pass of a kernel over a tensor in external memory.
class Transfer {
public:
  /// A read of a tensor of shape `shape`.
  Transfer(itensor::FromTensorOp from, llvm::ArrayRef<int64_t> shape);
  explicit Transfer(itensor::ToTensorOp to);

  /// The layout in which the tokens lie in the order of the loops `order`; without, in that of
  /// this transfer.
  MemoryLayout getLayout(llvm::ArrayRef<int64_t> order = {}) const;
  /// The loops of the type as they lie in `layout`, if the tokens lie there one by one.
  std::optional<llvm::SmallVector<int64_t>> findOrder(const MemoryLayout &layout) const;
  /// Bursts of at most `burstBytes` bytes where the tokens lie in the order of the loops `order`;
  /// without it, where the tensor is row-major.
  int64_t countBursts(std::optional<llvm::ArrayRef<int64_t>> order, int64_t burstBytes) const;
  /// The loops that move in the order of this transfer.
  llvm::SmallVector<int64_t> getOwnOrder() const { return itensor::getMovingLoops(type); }

  /// In the row-major tensor, does each vector of `lanes` elements fill a word of a power of two?
  /// The first one starts at `offset`.
  bool movesWords(int64_t lanes, int64_t offset) const;

private:
  itensor::ITensorType type;
  llvm::SmallVector<int64_t> shape;
};

/// The tensor outside of `kernel` that `from` reads.
mlir::Value getOuter(dataflow::KernelOp kernel, itensor::FromTensorOp from);

/// Lets `from` read the packed tensor `packed`, whose tokens lie as `order` says.
void readPacked(dataflow::KernelOp kernel, itensor::FromTensorOp from, mlir::Value packed,
                itensor::PackedOrder order);

/// Erases the inputs of `kernel` that nothing reads.
void dropUnusedInputs(dataflow::KernelOp kernel);

/// The uses of a tensor that a kernel writes, reshaped or not.
struct Uses {
  llvm::SmallVector<itensor::FromTensorOp> readers;
  /// Is it read in a way that no packed layout serves (a part of it, a table, by others)?
  bool asItLies = false;
};
Uses collectUses(mlir::Value tensor);

/// First element, in a row-major tensor of shape `shape`, that `from` reads.
int64_t getOffset(itensor::FromTensorOp from, llvm::ArrayRef<int64_t> shape);

/// The packs and unpacks of one function, which the host runs: one for each layout of a tensor.
class HostLayouts {
public:
  explicit HostLayouts(mlir::func::FuncOp function) : function(function) {}

  /// The host's tensor `outer` as `from` reads it.
  mlir::Value pack(mlir::Value outer, itensor::FromTensorOp from);
  /// The same in words of `lanes` elements; `outer` may be packed already.
  mlir::Value packWords(mlir::Value outer, itensor::FromTensorOp from, int64_t lanes);
  /// Lets `to` store packed tokens, gives its users outside of kernels the row-major tensor, and
  /// returns the packed one.
  mlir::Value unpack(dataflow::KernelOp kernel, itensor::ToTensorOp to, itensor::PackedOrder order);
  /// Removes pairs of packs and unpacks, and reshapes that only they used.
  void cleanUp();

private:
  struct Layout {
    mlir::RankedTensorType type;
    llvm::SmallVector<int64_t> strides;
    int64_t offset, lanes;
  };
  mlir::Value pack(mlir::Value source, const Layout &layout, itensor::FromTensorOp from);

  mlir::func::FuncOp function;
};

} // namespace streamtensor

#endif
