//===- EngineParts.h - What of a leaf an engine computes --------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_ENGINEPARTS_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_ENGINEPARTS_H

#include "EngineSlices.h"

namespace streamtensor::dataflow {

/// What of `leaf` can go to an engine: its widest products and their sums in an iteration, or, if
/// `accumulates`, in all of them. `reason` says why nothing can.
mlir::FailureOr<EnginePart> findPart(LeafOp leaf, bool accumulates, std::string &reason);

} // namespace streamtensor::dataflow

#endif
