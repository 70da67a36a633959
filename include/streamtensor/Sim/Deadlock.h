//===- Deadlock.h - Why a machine stands still ------------------*- C++ -*-===//

#ifndef STREAMTENSOR_SIM_DEADLOCK_H
#define STREAMTENSOR_SIM_DEADLOCK_H

#include "streamtensor/Sim/Simulator.h"

#include <optional>

namespace streamtensor::sim {

/// FIFOs whose enlargement lets a deadlocked run end.
struct Release {
  /// FIFO and a sufficient depth (slots), found by running the machine; the least one
  /// where a single FIFO suffices and the machine is not too large.
  std::vector<std::pair<int32_t, int64_t>> depths;
};

/// A single FIFO of the wait cycle if one suffices, else the full FIFOs of the
/// cycles one after the other. Nothing if no depth helps.
std::optional<Release> findRelease(const Machine &machine, const std::vector<int64_t> &depths,
                                   const SimResult &deadlock);

/// The cycle of waiting tasks, with the depth and occupancy of each channel; the
/// middle of a long one is left out.
std::string describeWaits(const Machine &machine, const std::vector<int64_t> &depths,
                          const SimResult &deadlock);

/// `describeWaits` and what would release it.
std::string describeDeadlock(const Machine &machine, const std::vector<int64_t> &depths,
                             const SimResult &deadlock);

} // namespace streamtensor::sim

#endif
