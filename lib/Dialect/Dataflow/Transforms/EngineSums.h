//===- EngineSums.h - One memory for the sums of all turns ------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_ENGINESUMS_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_ENGINESUMS_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::dataflow {

/// Turns of `engine` that move as many elements of a type at once add up their sums in one memory.
void shareSums(LeafOp engine);

} // namespace streamtensor::dataflow

#endif
