//===- LeafEmitter.h - One leaf task as a C++ function ----------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_TARGET_HLSCPP_LEAFEMITTER_H
#define STREAMTENSOR_LIB_TARGET_HLSCPP_LEAFEMITTER_H

#include "streamtensor/Target/HLSCpp/CppWriter.h"
#include "streamtensor/Target/HLSCpp/DesignModel.h"

namespace streamtensor::target {

/// Prints the function of a leaf task: its loops, locks, pipeline and body.
llvm::LogicalResult emitLeaf(DesignModel &model, dataflow::LeafOp leaf, CppWriter &writer);

} // namespace streamtensor::target

#endif
