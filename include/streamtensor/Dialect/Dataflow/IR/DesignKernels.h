//===- DesignKernels.h - The kernels that a design becomes ------*- C++ -*-===//
//
// A design is one kernel, or one for each die that its leaves lie on. Kernels are joined by the
// FIFOs between dies, which are streams of the platform: links.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_DESIGNKERNELS_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_DESIGNKERNELS_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "llvm/ADT/SmallVectorExtras.h"

namespace streamtensor {
class DeviceModel;
}

namespace streamtensor::dataflow {

struct DesignKernel {
  /// The die that it lies on; empty where the design is one kernel.
  llvm::StringRef die;
  /// In the order of the design.
  llvm::SmallVector<LeafOp> leaves;
  /// Links that it reads and that it writes, in the order of the design.
  llvm::SmallVector<StreamOp> reads, writes;

  /// The scalars that its leaves take, in the order of the design.
  llvm::SmallVector<ScalarOp> getScalars() const;
  bool contains(LeafOp leaf) const { return llvm::is_contained(leaves, leaf); }
};

/// The dies that its leaves lie on, in the order of the leaves.
llvm::SmallVector<llvm::StringRef> getDies(DesignOp design);

/// Its kernels, in the order of `getDies`; one where it is not `per_die`.
llvm::SmallVector<DesignKernel> getKernels(DesignOp design);

/// The leaves that write and that read a FIFO; none for an end that it lacks.
std::pair<LeafOp, LeafOp> getEnds(StreamOp stream);

/// Do the ends of the FIFO lie in two kernels?
bool isLink(StreamOp stream);

/// Cycles from the write of a token in a FIFO of a known memory to the first in which it can be
/// read; a link takes some more.
int64_t getFifoLatency(StreamOp stream, const DeviceModel &device);

/// `[design.kernels]`: a design that is `per_die` lies on several dies as a whole, its kernels
/// share FIFOs alone, and these are such as a link can be.
mlir::LogicalResult verifyKernels(DesignOp design);

} // namespace streamtensor::dataflow

#endif
