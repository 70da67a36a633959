//===- BitWidth.h - Bits of types in hardware -------------------*- C++ -*-===//

#ifndef STREAMTENSOR_SUPPORT_BITWIDTH_H
#define STREAMTENSOR_SUPPORT_BITWIDTH_H

#include "mlir/IR/Types.h"

namespace streamtensor {

/// Bits of a value: all lanes of a vector, all elements of a tensor and all members of a tuple
/// together; an index has 32.
int64_t getBitWidth(mlir::Type type);

/// Bits of one lane of a vector, of one element of a tensor, or of a scalar.
int64_t getLaneBits(mlir::Type type);

} // namespace streamtensor

#endif
