//===- HostFiles.h - What runs around the designs ---------------*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_HOST_HOSTFILES_H
#define STREAMTENSOR_TARGET_HOST_HOSTFILES_H

#include "streamtensor/Target/HLSCpp/KernelModel.h"
#include "streamtensor/Target/Host/MainSchedule.h"

namespace streamtensor::target {

/// `interface.json`: ports of each kernel and the schedule of @main.
std::string emitInterfaceDescription(llvm::MutableArrayRef<KernelModel> kernels,
                                     const MainSchedule &schedule);
/// `host/program.h`: the schedule as a table of runtime/host/st_program.h.
std::string emitHostProgram(llvm::MutableArrayRef<KernelModel> kernels,
                            const MainSchedule &schedule);
/// `hls/testbench.cpp`: runs the program with native kernels.
std::string emitTestbench(llvm::MutableArrayRef<KernelModel> kernels);
/// `host/host.cpp`: runs the program on a card.
std::string emitXrtHost();
/// `hls/Makefile`: the native run.
std::string emitNativeMakefile(llvm::MutableArrayRef<KernelModel> kernels);
/// `host/Makefile`
std::string emitHostMakefile();

} // namespace streamtensor::target

#endif
