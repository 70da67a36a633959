//===- DesignDies.h - A design and the dies of its card ---------*- C++ -*-===//

#ifndef STREAMTENSOR_PLACEMENT_DESIGNDIES_H
#define STREAMTENSOR_PLACEMENT_DESIGNDIES_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Placement/DieProblem.h"

namespace streamtensor::placement {

/// The assignment problem of a scheduled design.
struct DesignDies {
  DieProblem problem;
  std::vector<dataflow::LeafOp> leaves;
  /// The task of each leaf: leaves that share a buffer or a master are one.
  std::vector<int32_t> taskOf;

  /// The dies that the leaves state; nothing if they do not all.
  std::optional<Dies> getStated(const DeviceModel &device);
};

/// Resources of leaves, with the FIFOs that they read and the buffers that they use, and the bits
/// between them.
DesignDies describeDies(dataflow::DesignOp design, const DeviceModel &device);

/// Do moves find a place for the leaves of a sized design? FIFOs in blocks may change between BRAM
/// and URAM for that.
bool isFittedByMoves(dataflow::DesignOp design, const DeviceModel &device);

/// Gives each leaf its die and the design what the search found (`dataflow-assign-dies`). Of each
/// die `room`, if given, is left.
void placeLeaves(dataflow::DesignOp design, const DeviceModel &device, int64_t nodes,
                 llvm::ArrayRef<Resources> room = {});

} // namespace streamtensor::placement

#endif
