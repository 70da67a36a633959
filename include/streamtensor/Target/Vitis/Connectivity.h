//===- Connectivity.h - Linking a design to a card --------------*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_VITIS_CONNECTIVITY_H
#define STREAMTENSOR_TARGET_VITIS_CONNECTIVITY_H

#include "streamtensor/Device/DeviceModel.h"

#include <string>

namespace streamtensor::target {

/// A master of a kernel and the channels that it reaches, as the card names them.
struct Connection {
  std::string interface;
  int64_t first = 0, last = 0;
};

/// The v++ link configuration of a kernel that is placed on `dies`.
std::string emitConnectivity(llvm::StringRef kernel, llvm::ArrayRef<Connection> connections,
                             llvm::ArrayRef<llvm::StringRef> dies, const DeviceModel &device);

/// A leaf task by its function in C++, that of its design, and its die.
struct PlacedTask {
  std::string task, design;
  llvm::StringRef die;
};

/// The Tcl script that places leaf tasks on dies, to be run before Vivado places the kernel, which
/// calls its designs or is the one.
std::string emitFloorplan(llvm::StringRef kernel, llvm::ArrayRef<PlacedTask> tasks);

} // namespace streamtensor::target

#endif
