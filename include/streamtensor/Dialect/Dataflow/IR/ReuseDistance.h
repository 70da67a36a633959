//===- ReuseDistance.h - Iterations between equal places --------*- C++ -*-===//
//
// How many iterations of a flat pipeline lie between two accesses that touch one element of a
// private memory: exact whatever the maps and the guards, as an integer program over the loops.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_REUSEDISTANCE_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_REUSEDISTANCE_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include <optional>

namespace streamtensor::dataflow {

/// Smallest number of iterations, at least 1 and below `limit`, from one in which `first` touches
/// an element to one in which `second` does, both in one trip of the serial loops; nothing if there
/// is none. A load counts only in iterations in which its value is used: what a `select` on a
/// `test` replaces is no dependence.
std::optional<int64_t> getReuseDistance(LeafOp leaf, AccessOpInterface first,
                                        AccessOpInterface second, int64_t limit);

/// The least distance, below the depth of the leaf, at which `load` meets what a store of the leaf
/// has written: what `distance` of the load states.
std::optional<int64_t> getReuseDistance(LeafOp leaf, LoadOp load);

} // namespace streamtensor::dataflow

#endif
