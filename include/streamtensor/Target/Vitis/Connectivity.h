//===- Connectivity.h - Linking a design to a card --------------*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_VITIS_CONNECTIVITY_H
#define STREAMTENSOR_TARGET_VITIS_CONNECTIVITY_H

#include "streamtensor/Device/DeviceModel.h"

#include <string>

namespace streamtensor::target {

/// A master of a design and the channel that it is bound to, as the card names it.
struct Connection {
  std::string interface;
  int64_t channel = 0;
};

/// The v++ link configuration of a design, a kernel that is placed on `dies`.
std::string emitConnectivity(llvm::StringRef design, llvm::ArrayRef<Connection> connections,
                             llvm::ArrayRef<llvm::StringRef> dies, const DeviceModel &device);

/// The Tcl script that places leaf tasks on dies, to be run before Vivado places the design: names
/// of the functions in C++, each with its die.
std::string emitFloorplan(llvm::StringRef design,
                          llvm::ArrayRef<std::pair<std::string, llvm::StringRef>> leaves);

} // namespace streamtensor::target

#endif
