//===- KernelEmitter.h - The C++ files of one kernel ------------*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_HLSCPP_KERNELEMITTER_H
#define STREAMTENSOR_TARGET_HLSCPP_KERNELEMITTER_H

#include "streamtensor/Target/HLSCpp/KernelModel.h"

namespace streamtensor::target {

/// `<kernel>.h` of a loop: the declaration of the top function.
std::string emitLoopHeader(KernelModel &kernel);
/// `<kernel>.cpp` of a loop: the top function, which calls the designs in turn.
std::string emitLoopSource(KernelModel &kernel);
/// `<kernel>_native.cpp`: the call that a native run goes through; turns runtime errors into text.
std::string emitNativeCall(KernelModel &kernel);

} // namespace streamtensor::target

#endif
