//===- Packing.h - Rewriting of packed tensors ------------------*- C++ -*-===//

#ifndef STREAMTENSOR_DIALECT_ITENSOR_IR_PACKING_H
#define STREAMTENSOR_DIALECT_ITENSOR_IR_PACKING_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace streamtensor::itensor {

/// The elements of the tensor `value`, in their row-major order, as `type`.
mlir::Value createReshape(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                          mlir::RankedTensorType type);

} // namespace streamtensor::itensor

#endif
