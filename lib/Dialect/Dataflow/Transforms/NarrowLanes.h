//===- NarrowLanes.h - Integers of fewer bits -------------------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_NARROWLANES_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_NARROWLANES_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace streamtensor::dataflow {

/// `element` with the lanes of `type`; of one lane a scalar.
inline mlir::Type withElement(mlir::Type type, mlir::Type element) {
  auto vector = mlir::dyn_cast<mlir::VectorType>(type);
  return vector ? mlir::Type(vector.clone(element)) : element;
}

/// The low bits of `lanes`, as many as `element` has.
inline mlir::Value narrow(mlir::OpBuilder &builder, mlir::Value lanes, mlir::Type element) {
  return mlir::arith::TruncIOp::create(builder, lanes.getLoc(),
                                       withElement(lanes.getType(), element), lanes);
}

/// `lanes` that were narrowed, as `element` again; or as they are, if they were not.
inline mlir::Value widen(mlir::OpBuilder &builder, mlir::Value lanes, mlir::Type element) {
  mlir::Type type = withElement(lanes.getType(), element);
  if (lanes.getType() == type)
    return lanes;
  return mlir::arith::ExtSIOp::create(builder, lanes.getLoc(), type, lanes);
}

} // namespace streamtensor::dataflow

#endif
