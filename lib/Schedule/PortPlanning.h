//===- PortPlanning.h - Steps of planning external memory -------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_SCHEDULE_PORTPLANNING_H
#define STREAMTENSOR_LIB_SCHEDULE_PORTPLANNING_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::schedule {

/// The launches of `design` in its module.
llvm::SmallVector<dataflow::LaunchOp> getLaunches(dataflow::DesignOp design);

/// What moves over an interface one way, in a launch with the largest scalars.
struct WayTraffic {
  int64_t bytes = 0, bursts = 0;
  /// Of the longest burst.
  int64_t mostBytes = 0;
};
/// By interface, and whether it is written.
using Traffic = llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, WayTraffic>;

/// Visits every iteration that moves words of external memory. Words must be planned.
mlir::FailureOr<Traffic> measureTraffic(dataflow::DesignOp design);

/// Bursts of so many words that must be on the way so that none is waited for: as many as begin
/// while memory answers the first, and that one. Latency and gap in cycles.
int64_t countOutstanding(double words, int64_t latency, int64_t gap);

/// The load of a leaf that only loads a tensor into FIFOs, in every iteration; null if it does
/// anything else.
dataflow::LoadOp getOnlyLoad(dataflow::LeafOp leaf);

/// The outermost loops of a leaf up to the last one whose count the launch gives.
unsigned getNumCountedLoops(dataflow::LeafOp leaf);

/// Have both leaves the same scalars, and the same counts of their first `loops` loops?
bool haveSameCounts(dataflow::LeafOp leaf, dataflow::LeafOp other, unsigned loops);

/// One leaf of a nest for each of `leaves`, in program order, under their first `shared` loops,
/// where the first of them stood. They have the same counts of these, and other loops have constant
/// ones.
dataflow::LeafOp mergeLoads(llvm::SmallVector<dataflow::LeafOp> leaves, unsigned shared);

/// Masters of the design: its interfaces, and one for each port that has none yet.
int64_t countMasters(dataflow::DesignOp design);

/// What loads of several words an iteration ask for.
struct StripeWishes {
  int64_t masters = 0; ///< Beyond one for each tensor; negative if they share masters.
  int64_t cycles = 0;  ///< That the slowest of them takes with these.
};
StripeWishes getStripeWishes(dataflow::DesignOp design, const DeviceModel &device);

/// Deals what an iteration of a load moves, if that is several words, to as many masters as the
/// device has left. Loads that pass their tensors once share theirs, one tensor after the other.
void stripeLoads(dataflow::DesignOp design, const DeviceModel &device);

/// Merges leaves that only load a tensor into a FIFO, so that they share an interface: small
/// tensors, for which a master costs more than a FIFO for a round of them, as long as they take at
/// most `loss` of the slowest leaf's time; and further ones as long as the design has more masters
/// than the device.
void shareInterfaces(dataflow::DesignOp design, const DeviceModel &device, double loss);

/// Binds the interfaces of all designs to channels. Each tensor has one channel for each of its
/// stripes, whoever reads or writes it; what is stated is kept. `traffic` is that of each design.
mlir::LogicalResult bindChannels(mlir::ModuleOp module, const DeviceModel &device,
                                 llvm::DenseMap<mlir::Operation *, Traffic> &traffic);

} // namespace streamtensor::schedule

#endif
