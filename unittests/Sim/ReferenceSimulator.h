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

namespace streamtensor::sim {

struct ReferenceResult {
  bool completed = false;
  int64_t cycles = 0;
  std::vector<int64_t> ends;
  /// Cycles of the writes and the reads of every FIFO.
  std::vector<std::vector<int64_t>> writes, reads;
  /// That every channel of external memory has taken up.
  std::vector<int64_t> bytes;
};

ReferenceResult simulateByCycle(const ReferenceMachine &machine, const SimOptions &options = {});

} // namespace streamtensor::sim

#endif
