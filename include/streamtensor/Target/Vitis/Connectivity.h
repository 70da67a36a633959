//===- Connectivity.h - Linking a design to a card --------------*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_VITIS_CONNECTIVITY_H
#define STREAMTENSOR_TARGET_VITIS_CONNECTIVITY_H

#include "streamtensor/Target/HLSCpp/HLSCpp.h"

#include <string>

namespace streamtensor::target {

/// The v++ link configuration of a design: each bundle on a memory channel of its
/// own, in turn.
std::string emitConnectivity(llvm::StringRef design, llvm::ArrayRef<std::string> bundles,
                             const EmitOptions &options);

} // namespace streamtensor::target

#endif
