//===- ExternalTensors.h - Tensors that no kernel makes ---------*- C++ -*-===//

#ifndef STREAMTENSOR_ANALYSIS_EXTERNALTENSORS_H
#define STREAMTENSOR_ANALYSIS_EXTERNALTENSORS_H

#include "mlir/IR/Value.h"

namespace streamtensor {

/// Is `value` a tensor in external memory for every kernel: a function argument, a
/// constant, or a reshape of one?
bool isExternal(mlir::Value value);

} // namespace streamtensor

#endif
