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

/// The top function of a kernel and its C++ files, without their ending.
struct KernelFiles {
  std::string name;
  llvm::SmallVector<std::string> stems;
};

/// The HLS configuration of one of `kernels` (the testbench calls all of them), with
/// @OUT@, @RUNTIME@, @DATA@ and @TOLERANCE@ for what the Makefile knows.
std::string emitHlsConfig(const KernelFiles &kernel, llvm::ArrayRef<KernelFiles> kernels,
                          const DeviceModel &device);

/// `vitis/Makefile`: C simulation, synthesis, co-simulation, link, run.
std::string emitVitisMakefile(llvm::ArrayRef<KernelFiles> kernels, const DeviceModel &device);

} // namespace streamtensor::target

#endif
