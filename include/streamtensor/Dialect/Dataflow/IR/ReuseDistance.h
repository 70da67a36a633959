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
/// an element to one in which `second` does, both of one pipeline and between two drains of it;
/// nothing if there is none. A load counts only in iterations in which its value is used: what a
/// `select` on a `test` replaces is no dependence. Where nests with lag are of unequal length, a
/// step counts as the shortest that can lie between: the distance is then a lower bound, reached at
/// the ends of the pipeline.
std::optional<int64_t> getReuseDistance(AccessOpInterface first, AccessOpInterface second,
                                        int64_t limit);

/// Do both touch one element in one iteration of their pipeline? For nests with lag; in one nest
/// guards decide.
bool meetInOneIteration(AccessOpInterface first, AccessOpInterface second);

/// Does `first`, whose nest has less lag, touch an element for a later block than `second` and yet
/// not after it?
bool meetOutOfOrder(AccessOpInterface first, AccessOpInterface second);

/// The least distance, below the depth of the pipeline, at which `load` meets what a store has
/// written: what `distance` of the load states.
std::optional<int64_t> getReuseDistance(LoadOp load);

} // namespace streamtensor::dataflow

#endif
