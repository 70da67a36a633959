//===- ReferenceSimulator.h - Literal stepping of a machine -----*- C++ -*-===//
//
// The machine model stepped cycle by cycle, as slow and as plain as can be: the
// simulator must give the same cycles. Every law is its own: nothing of lib/Sim is called.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_UNITTESTS_SIM_REFERENCESIMULATOR_H
#define STREAMTENSOR_UNITTESTS_SIM_REFERENCESIMULATOR_H

#include "ReferenceMachine.h"

#include "streamtensor/Sim/Simulator.h"

#include <set>

namespace streamtensor::sim {

/// Of each chain of events that may have set the time of an event, each without slack behind the
/// one before: the FIFOs whose slots it has waited for, a bit each.
using Chains = std::set<uint64_t>;

struct ReferenceTimes {
  int64_t start = -1, end = -1; // -1 if never
  int64_t busy = 0, inputStall = 0, outputStall = 0, memoryStall = 0;
  /// Waiting for a block to write and one to read, which came in one cycle.
  int64_t eitherStall = 0;
};

struct ReferenceResult {
  bool completed = false;
  int64_t cycles = 0;
  std::vector<ReferenceTimes> tasks;
  /// Cycles of the writes and the reads of every FIFO.
  std::vector<std::vector<int64_t>> writes, reads;
  /// That every channel of external memory has taken up.
  std::vector<int64_t> bytes;
  /// Of the last end of a task.
  Chains chains;
};

/// Chains are followed only if it is asked, and then for the first 64 FIFOs.
ReferenceResult simulateByCycle(const ReferenceMachine &machine, const SimOptions &options = {},
                                bool followsChains = false);

} // namespace streamtensor::sim

#endif
