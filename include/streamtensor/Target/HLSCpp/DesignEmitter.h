//===- DesignEmitter.h - The C++ files of one design ------------*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_HLSCPP_DESIGNEMITTER_H
#define STREAMTENSOR_TARGET_HLSCPP_DESIGNEMITTER_H

#include "streamtensor/Target/HLSCpp/DesignModel.h"

namespace streamtensor::target {

/// `<design>.h`: the declaration of the top function.
std::string emitHeader(DesignModel &model);
/// `<design>.cpp`: the leaf tasks and the dataflow region. Only the top function of a kernel states
/// its interfaces.
llvm::FailureOr<std::string> emitSource(DesignModel &model, bool isKernel);

/// What is stated of an argument of a kernel that reaches memory, and of one that the host sets.
std::string memoryPragma(const PortArgument &argument, llvm::StringRef name,
                         llvm::StringRef bundle);
std::string controlPragma(llvm::StringRef name);

} // namespace streamtensor::target

#endif
