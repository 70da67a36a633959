//===- Device.h - The device of a module ------------------------*- C++ -*-===//
//
// A module carries its device as the attribute `dataflow.device`. The model is made of it once
// for each context.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_DEVICE_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_DEVICE_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::dataflow {

/// The device of the module that holds `op`; null if it has none.
DeviceAttr findDevice(mlir::Operation *op);

/// The model of that device, alive as long as the context. Law [module.device]: a module without a
/// device is reported.
mlir::FailureOr<const DeviceModel *> getDevice(mlir::Operation *op);

/// Gives `module` the device of a file, named by its path or a known name, or finds that it has
/// just this one. Errors: no such file, or one that is not as it must be; a module that was
/// compiled for another device.
llvm::LogicalResult attachDevice(mlir::ModuleOp module, llvm::StringRef device);

/// Takes the device away, for printing to those who do not know the dialect.
void dropDevice(mlir::ModuleOp module);

} // namespace streamtensor::dataflow

#endif
