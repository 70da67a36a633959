//===- ExternKernels.h - Kernels around hand-written ones -------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_CONVERSION_LINALGTODATAFLOW_EXTERNKERNELS_H
#define STREAMTENSOR_LIB_CONVERSION_LINALGTODATAFLOW_EXTERNKERNELS_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor {

/// A kernel before `task`, which is on tensors, that does the same over itensors of the declared
/// orders, with a bridge at each port.
dataflow::KernelOp buildExternKernel(dataflow::ExternTaskOp task, llvm::StringRef name);

} // namespace streamtensor

#endif
