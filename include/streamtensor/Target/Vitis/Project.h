//===- Project.h - A project for v++ and vitis-run --------------*- C++ -*-===//
//
// For Vitis 2023.2 and later, which have `vitis-run` and configuration files of HLS (UG1399,
// "v++ Mode HLS").
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_TARGET_VITIS_PROJECT_H
#define STREAMTENSOR_TARGET_VITIS_PROJECT_H

#include "streamtensor/Device/DeviceModel.h"

#include <string>

namespace streamtensor::target {

/// What becomes one binary: its name, its C++ files without their ending, and the top functions of
/// its kernels.
struct BinaryFiles {
  std::string name;
  llvm::SmallVector<std::string> stems, tops;
};

/// The HLS configuration of the kernel `top` of one of `binaries` (the testbench calls all of
/// them), with @OUT@, @RUNTIME@, @DATA@ and @TOLERANCE@ for what the Makefile knows.
std::string emitHlsConfig(llvm::StringRef top, const BinaryFiles &binary,
                          llvm::ArrayRef<BinaryFiles> binaries, const DeviceModel &device);

/// `vitis/Makefile`: C simulation, synthesis, co-simulation, link, run.
std::string emitVitisMakefile(llvm::ArrayRef<BinaryFiles> binaries, const DeviceModel &device);

} // namespace streamtensor::target

#endif
