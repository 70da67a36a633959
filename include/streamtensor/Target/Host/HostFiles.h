//===- HostFiles.h - What runs around the designs ---------------*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_HOST_HOSTFILES_H
#define STREAMTENSOR_TARGET_HOST_HOSTFILES_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Target/HLSCpp/DesignModel.h"
#include "streamtensor/Target/Host/MainSchedule.h"

namespace streamtensor::target {

/// `interface.json`: ports of each design and the schedule of @main.
std::string emitInterfaceDescription(llvm::MutableArrayRef<DesignModel> models,
                                     const MainSchedule &schedule);
/// `hls/testbench.cpp`: runs the schedule on raw binary files.
std::string emitTestbench(llvm::MutableArrayRef<DesignModel> models, const MainSchedule &schedule);
/// `hls/Makefile`: native run and Vitis.
std::string emitMakefile(llvm::MutableArrayRef<DesignModel> models, const DeviceModel &device);

} // namespace streamtensor::target

#endif
