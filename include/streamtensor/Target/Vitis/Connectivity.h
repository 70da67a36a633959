//===- Connectivity.h - Linking a design to a card --------------*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_VITIS_CONNECTIVITY_H
#define STREAMTENSOR_TARGET_VITIS_CONNECTIVITY_H

#include "streamtensor/Device/DeviceModel.h"

#include <string>

namespace streamtensor::target {

/// A master of a design and the channel that it is bound to, as the card names it.
struct Connection {
  std::string interface, memory;
  int64_t channel = 0;
};

/// The v++ link configuration of a design.
std::string emitConnectivity(llvm::StringRef design, llvm::ArrayRef<Connection> connections,
                             const DeviceModel &device);

} // namespace streamtensor::target

#endif
