//===- HandWritten.h - Files of hand-written kernels ------------*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_HLSCPP_HANDWRITTEN_H
#define STREAMTENSOR_TARGET_HLSCPP_HANDWRITTEN_H

#include "streamtensor/Target/HLSCpp/DesignModel.h"

#include "mlir/IR/BuiltinOps.h"

namespace streamtensor::target {

/// A file of the user's, copied beside the generated ones.
struct HandWrittenFile {
  std::string name; ///< Relative to the folder of generated code.
  std::string path;
  std::string content;
};

/// The headers of all hand-written kernels that designs run, and what these include by names in
/// quotes. A file that is missing, or two under one name, is an error.
llvm::FailureOr<llvm::SmallVector<HandWrittenFile>>
collectHandWritten(mlir::ModuleOp module, llvm::ArrayRef<DesignModel> models);

} // namespace streamtensor::target

#endif
