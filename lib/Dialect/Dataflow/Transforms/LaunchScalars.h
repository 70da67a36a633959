//===- LaunchScalars.h - Arguments that give scalars to launches -*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_LAUNCHSCALARS_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_LAUNCHSCALARS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::dataflow {

/// A scalar of the design behind those that it has; the one of this name if there is one.
mlir::Value addScalar(DesignOp design, llvm::StringRef name, int64_t low, int64_t high);

/// Gives launches the scalars of their designs that they lack, from arguments of `function` by
/// their name, which are added where they are missing.
void addScalarArguments(mlir::func::FuncOp function);

} // namespace streamtensor::dataflow

#endif
