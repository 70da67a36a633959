//===- DeviceOption.h - The device of a pass --------------------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_SIZING_DEVICEOPTION_H
#define STREAMTENSOR_LIB_SIZING_DEVICEOPTION_H

#include "mlir/IR/BuiltinOps.h"
#include "streamtensor/Support/DeviceModel.h"

namespace streamtensor::sizing {

/// Loads the device or reports at `module` why it cannot.
inline mlir::FailureOr<DeviceModel> loadDevice(mlir::ModuleOp module, llvm::StringRef path) {
  llvm::Expected<DeviceModel> device = DeviceModel::load(path);
  if (!device)
    return mlir::emitError(module.getLoc()) << llvm::toString(device.takeError());
  return std::move(*device);
}

} // namespace streamtensor::sizing

#endif
