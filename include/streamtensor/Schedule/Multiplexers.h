//===- Multiplexers.h - What chooses among sources --------------*- C++ -*-===//
//
// Nests of a leaf that run one after the other, and iterations of one that takes several cycles,
// share operators, ways into FIFOs and ports of memories. Where these take an operand from
// different places by turns, a multiplexer stands in front.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SCHEDULE_MULTIPLEXERS_H
#define STREAMTENSOR_SCHEDULE_MULTIPLEXERS_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::schedule {

/// The operators of a leaf with the multiplexers in front of them. Of each kind there are as many
/// as the nest needs that needs most; each nest has its own where that takes a smaller share of the
/// device than choosing among operands.
Resources countOperators(dataflow::LeafOp leaf, const DeviceModel &device);

/// The same with the multiplexers in front of FIFOs, memories and masters that a leaf writes from
/// several places; of the addresses of memories and masters; and behind banks, where a load takes
/// fewer words than there are banks.
Resources countOperatorsAndAccesses(dataflow::LeafOp leaf, const DeviceModel &device);

} // namespace streamtensor::schedule

#endif
