//===- SizingComparison.h - Ways to size FIFOs, side by side ----*- C++ -*-===//
//
// Sizes the FIFOs of one design by every strategy and simulates each: what their memory buys in
// cycles. A sizing that deadlocks is an answer, not an error.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIZING_SIZINGCOMPARISON_H
#define STREAMTENSOR_SIZING_SIZINGCOMPARISON_H

#include "streamtensor/Sim/BuildMachine.h"
#include "streamtensor/Sizing/FifoSizing.h"
#include "llvm/Support/JSON.h"

namespace streamtensor::sizing {

/// One way to size the FIFOs of a design, and what comes of it.
struct ComparedSizing {
  llvm::StringRef strategy;      ///< `lp`, `lp-conservative`, `highwater` or `search`.
  std::optional<double> loss;    ///< What `search` was allowed, a fraction.
  Depths depths;                 ///< Empty if the strategy finds none.
  std::optional<int64_t> cycles; ///< Nothing if the design does not end at these depths.
  std::string fault;             ///< Then, why.
  bool isAccepted = false;       ///< Does the design end whatever the timing?
  Resources used;                ///< Of the FIFOs, in whole blocks.
  double share = 0;              ///< The largest part of a resource of the card that they take.
  int64_t bits = 0;              ///< Of all slots.
  SearchEffort effort;           ///< Of `search`.
};

/// The linear program in both rate strategies, high-water marks, and `search` with each of
/// `losses`, at the scalars of `built`, each search within the budget that the pass has. Depths
/// are those that the pass `dataflow-size-fifos` sets where a design has no scalars; with scalars,
/// the pass also asks for freedom from deadlock at their least values.
/// Fails where a run with unbounded FIFOs deadlocks.
llvm::Expected<std::vector<ComparedSizing>> compareSizings(const sim::DesignMachine &built,
                                                           const DeviceModel &device,
                                                           llvm::ArrayRef<double> losses);

/// Positions of the sizings that end whatever the timing and that no other one of these beats in
/// both memory (`share`, then `bits`) and cycles; memory increases and cycles decrease.
std::vector<size_t> findFront(llvm::ArrayRef<ComparedSizing> sizings);

/// An object for each sizing: what it is, cycles or the fault, memory, whether it is on the front.
llvm::json::Array reportSizings(llvm::ArrayRef<ComparedSizing> sizings, const DeviceModel &device);

} // namespace streamtensor::sizing

#endif
