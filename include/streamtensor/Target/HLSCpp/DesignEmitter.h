//===- DesignEmitter.h - The C++ files of one design ------------*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_HLSCPP_DESIGNEMITTER_H
#define STREAMTENSOR_TARGET_HLSCPP_DESIGNEMITTER_H

#include "streamtensor/Target/HLSCpp/DesignModel.h"

namespace streamtensor::target {

/// `<design>.h`: the declaration of the top function.
std::string emitHeader(DesignModel &model);
/// `<design>.cpp`: the leaf tasks and the dataflow region.
llvm::FailureOr<std::string> emitSource(DesignModel &model);
/// `<design>_native.cpp`: the call that a native run goes through; turns runtime errors into text.
std::string emitNativeCall(DesignModel &model);

} // namespace streamtensor::target

#endif
