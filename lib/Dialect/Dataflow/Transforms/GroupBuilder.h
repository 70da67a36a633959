//===- GroupBuilder.h - Body of a fused kernel ------------------*- C++ -*-===//
//
// Grows the body of one fused kernel: tasks are moved in one by one, their operands
// are found as itensors, and views of tensors (reshape, slice, concat, pad) become
// itensor ops, with converters where an order does not fit.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_GROUPBUILDER_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_GROUPBUILDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

namespace streamtensor::dataflow {

class GroupBuilder {
public:
  GroupBuilder(mlir::MLIRContext *context, mlir::Location loc, itensor::ConverterRule rule);
  ~GroupBuilder();
  GroupBuilder(GroupBuilder &&) = default;

  /// Moves a copy of `kernel`'s task in; its operands must be external, from this group,
  /// or from an earlier group (then they are read from external memory).
  mlir::LogicalResult addKernel(KernelOp kernel);

  /// Makes `tensor` (a kernel's result of this group, or a view) a result.
  mlir::LogicalResult addResult(mlir::Value tensor);

  bool contains(KernelOp kernel) const { return kernels.contains(kernel); }

  /// Bytes of all converters so far.
  int64_t getConverterBytes() const { return converterBytes; }

  /// A converter with the kernels of this group whose results flow into it (none: it is behind
  /// external memory), and those that read it.
  struct ConverterUse {
    llvm::SmallVector<KernelOp> writers, readers;
    int64_t bytes;
  };
  llvm::SmallVector<ConverterUse> getConverters() const;

  /// State to return to, when a kernel turns out not to fit.
  struct Checkpoint;
  Checkpoint getCheckpoint();
  void rollBack(const Checkpoint &checkpoint);

  /// Creates the kernel before the builder's insertion point; its results replace
  /// those given to `addResult`.
  KernelOp finish(mlir::OpBuilder &builder, llvm::StringRef name);

  /// Outer tensors that it reads.
  llvm::ArrayRef<mlir::Value> getInputs() const { return inputs; }
  llvm::ArrayRef<mlir::Value> getResults() const { return results; }

private:
  using ITensorType = itensor::ITensorType;

  /// The itensor of `tensor` in the order of `wanted`.
  mlir::FailureOr<mlir::Value> resolve(mlir::Value tensor, ITensorType wanted);
  /// The itensor of `tensor` in whatever order it comes; `hint` chooses the order of
  /// what is read from external memory.
  mlir::FailureOr<mlir::Value> lift(mlir::Value tensor, ITensorType hint);
  mlir::FailureOr<mlir::Value> liftReshape(mlir::Operation *op,
                                           llvm::ArrayRef<llvm::SmallVector<int64_t, 2>> groups);
  mlir::FailureOr<mlir::Value> liftSlice(mlir::tensor::ExtractSliceOp op, ITensorType hint);
  mlir::FailureOr<mlir::Value> liftConcat(mlir::tensor::ConcatOp op);
  mlir::FailureOr<mlir::Value> liftPad(mlir::tensor::PadOp op);
  /// Every reader of external memory has a port and a DMA of its own: memory repeats for
  /// nothing what a FIFO would have to hold until the last reader takes it.
  mlir::Value readExternal(mlir::Value tensor, ITensorType type,
                           llvm::ArrayRef<int64_t> offsets = {});
  mlir::FailureOr<mlir::Value> connect(mlir::Value stream, ITensorType wanted);
  mlir::Value reassociate(mlir::Value stream, ITensorType type,
                          llvm::ArrayRef<llvm::SmallVector<int64_t, 2>> groups);
  mlir::Value addInput(mlir::Value tensor);
  int64_t getBufferBytes(mlir::Type source, ITensorType wanted) const;
  bool isOutside(mlir::Value tensor) const;

  mlir::Location loc;
  itensor::ConverterRule rule;
  std::unique_ptr<mlir::Region> region;
  mlir::OpBuilder builder;
  llvm::SmallVector<mlir::Value> inputs;            ///< Outer tensors, one per block argument.
  llvm::SmallVector<mlir::Value> results;           ///< Outer tensors that the kernel yields.
  llvm::SmallVector<mlir::Value> yielded;           ///< Inner tensors, one per result.
  llvm::DenseMap<mlir::Value, mlir::Value> streams; ///< Outer tensor to inner itensor.
  /// Converters, casts and views by (source, type), so that equal ones merge.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Type>, mlir::Value> cache;
  llvm::DenseSet<mlir::Operation *> kernels;
  /// The kernel that an operation of the group comes from; views and converters have none.
  llvm::DenseMap<mlir::Operation *, KernelOp> origins;
  int64_t converterBytes = 0;
};

struct GroupBuilder::Checkpoint {
  mlir::Operation *lastOp;
  size_t numInputs;
  llvm::DenseMap<mlir::Value, mlir::Value> streams;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Type>, mlir::Value> cache;
  int64_t converterBytes;
};

} // namespace streamtensor::dataflow

#endif
