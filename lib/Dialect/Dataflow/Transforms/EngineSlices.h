//===- EngineSlices.h - The lanes of an engine on several dies --*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_ENGINESLICES_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_ENGINESLICES_H

#include "mlir/IR/IRMapping.h"
#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "llvm/ADT/SetVector.h"

namespace streamtensor::dataflow {

struct EnginePart;

/// How the lanes of a sum, and what they are made of, are dealt to slices of equal size: the
/// dimension along which each vector is cut. What is not cut goes to every slice whole.
class LaneSlices {
public:
  /// False if lanes of one slice need a part of a token, or lanes do not lie side by side.
  bool plan(EnginePart &part, int64_t slices);
  /// The dimension of the sum that is dealt.
  unsigned getSumDim() const { return sumDim; }

  /// Does each slice hand `value`, which all need, on to the next? Where a slice has some of the
  /// lanes of what the leaf hands over, what is whole are weights, which are wide; else the first
  /// one hands it to all.
  bool isHandedOn(mlir::Value value) const;

  /// Clones an operation of the part for a slice; null if it has nothing of it.
  mlir::Operation *clone(mlir::OpBuilder &builder, mlir::Operation *op, mlir::IRMapping &mapping,
                         int64_t slice, int64_t slices) const;
  /// The memory of a slice for the lanes that it has of `memory`.
  mlir::Type getPartOfMemory(mlir::Value memory, int64_t slices) const;
  /// The type of the lanes that a slice has of `operand`.
  mlir::Type getPartOf(mlir::Value operand, int64_t slices) const;
  /// The lanes that a slice has of `operand`, which is there as `whole`.
  mlir::Value extract(mlir::OpBuilder &builder, mlir::Value operand, mlir::Value whole,
                      int64_t slice, int64_t slices) const;
  /// Is the result of `op` there in every slice?
  bool isWhole(mlir::Operation *op) const {
    return !cuts.contains(op->getResult(0)) && !dealt.contains(op);
  }

private:
  bool planAlong(EnginePart &part, unsigned dim, int64_t slices);
  bool cut(mlir::Value value, unsigned dim);
  bool cutOperands(mlir::Operation *op, unsigned dim);
  bool cutAccess(AccessOpInterface access, unsigned dim);

  llvm::SmallVector<mlir::Value> handedOver; ///< By the leaf, whole.
  llvm::DenseMap<mlir::Value, unsigned> cuts;
  llvm::DenseMap<mlir::Value, unsigned> memories; ///< Of sums.
  mlir::Block *block = nullptr;
  int64_t slices = 1;
  unsigned sumDim = 0;
  /// Tokens that are a part of the lanes that are cut: their slice, by how far in they lie.
  llvm::DenseMap<mlir::Operation *, int64_t> dealt;
};

/// What of a leaf goes to an engine.
struct EnginePart {
  LeafOp leaf;
  NestOpInterface nest;
  llvm::SmallSetVector<mlir::Operation *, 32> moved; ///< In the order of the body.
  llvm::SmallVector<mlir::Value> operands;           ///< Of the products, that the leaf hands over.
  llvm::SmallVector<mlir::Value> accumulators; ///< Memories that go along with the sums in them.
  mlir::Value sum;
  llvm::SmallVector<StreamWriteOp> writes; ///< Of the sum; empty if the leaf takes it back.
  /// What makes the operands, if the leaf takes the sum back.
  llvm::DenseSet<mlir::Operation *> first;
  LaneSlices slices = {};
};

/// Into how many slices of equal size an engine of `parts` is cut, so that each leaves room on any
/// die of the device; 1 for what all dies together have no DSPs for.
int64_t chooseSlices(llvm::MutableArrayRef<EnginePart> parts, const DeviceModel &device);

} // namespace streamtensor::dataflow

#endif
