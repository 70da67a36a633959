//===- Connectivity.h - Linking a design to a card --------------*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_VITIS_CONNECTIVITY_H
#define STREAMTENSOR_TARGET_VITIS_CONNECTIVITY_H

#include "streamtensor/Device/DeviceModel.h"

#include <string>

namespace streamtensor::target {

/// A bundle of a design and the number of the tensor that it reads or writes.
struct Connection {
  std::string bundle;
  unsigned tensor = 0;
};

/// The v++ link configuration of a design: tensors on memory channels in turn, all bundles of
/// one tensor on its channel.
std::string emitConnectivity(llvm::StringRef design, llvm::ArrayRef<Connection> connections,
                             const DeviceModel &device);

} // namespace streamtensor::target

#endif
