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

/// A kernel of a binary, and the dies that it lies on.
struct LinkedKernel {
  llvm::StringRef name;
  llvm::SmallVector<llvm::StringRef> dies;
  llvm::SmallVector<Connection> connections;
};

/// A stream from a kernel to another, by the name of the argument that it is of both.
struct LinkedStream {
  llvm::StringRef name, writer, reader;
  int64_t depth;
};

/// The v++ link configuration of the binary `name`.
std::string emitConnectivity(llvm::StringRef name, llvm::ArrayRef<LinkedKernel> kernels,
                             llvm::ArrayRef<LinkedStream> streams, const DeviceModel &device);

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
