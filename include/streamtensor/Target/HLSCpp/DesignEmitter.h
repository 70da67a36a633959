//===- DesignEmitter.h - The C++ files of one design ------------*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_HLSCPP_DESIGNEMITTER_H
#define STREAMTENSOR_TARGET_HLSCPP_DESIGNEMITTER_H

#include "streamtensor/Target/HLSCpp/CppWriter.h"
#include "streamtensor/Target/HLSCpp/DesignModel.h"

namespace streamtensor::target {

/// `<design>.h`: the declaration of the top function.
std::string emitHeader(DesignModel &model);
/// `<design>.cpp`: the leaf tasks and the dataflow region. Only the top function of a kernel states
/// its interfaces. A design that is several kernels has a top function for each, and for C the
/// region of all.
llvm::FailureOr<std::string> emitSource(DesignModel &model, bool isKernel);

/// The parameters of a top function: what reaches memory, then the numbers that the host sets, then
/// what comes from other kernels and goes there.
struct TopParameters {
  struct Memory {
    PortArgument *argument;
    std::string name, bundle;
    int64_t burst, outstanding;
  };
  /// A stream from or to another kernel.
  struct Link {
    std::string type, name;
  };
  std::vector<Memory> memory;
  std::vector<std::string> numbers;
  std::vector<Link> links;

  /// As C++ declares them.
  llvm::SmallVector<std::string> declare() const;
  llvm::SmallVector<std::string> getNames() const;
};

/// States the interfaces of a kernel.
void emitInterface(const TopParameters &parameters, CppWriter &writer);

} // namespace streamtensor::target

#endif
