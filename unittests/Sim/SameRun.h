//===- SameRun.h - Two runs with the same figures ---------------*- C++ -*-===//

#ifndef STREAMTENSOR_UNITTESTS_SIM_SAMERUN_H
#define STREAMTENSOR_UNITTESTS_SIM_SAMERUN_H

#include "streamtensor/Sim/Simulator.h"
#include "llvm/ADT/STLExtras.h"

#include <rapidcheck.h>

namespace streamtensor::sim {

inline void expectSameRun(const SimResult &one, const SimResult &other) {
  RC_ASSERT(one.status == other.status);
  RC_ASSERT(one.cycles == other.cycles);
  RC_ASSERT(one.steps == other.steps);
  RC_ASSERT(one.depths == other.depths);
  RC_ASSERT(one.criticalFifos == other.criticalFifos);
  for (auto [a, b] : llvm::zip_equal(one.tasks, other.tasks)) {
    RC_ASSERT(a.start == b.start);
    RC_ASSERT(a.end == b.end);
    RC_ASSERT(a.busy == b.busy);
    RC_ASSERT(a.inputStall == b.inputStall);
    RC_ASSERT(a.startStall == b.startStall);
    RC_ASSERT(a.outputStall == b.outputStall);
    RC_ASSERT(a.memoryStall == b.memoryStall);
    RC_ASSERT(a.iterations == b.iterations);
  }
  for (auto [a, b] : llvm::zip_equal(one.fifos, other.fifos)) {
    RC_ASSERT(a.tokens == b.tokens);
    RC_ASSERT(a.highWater == b.highWater);
  }
  for (auto [a, b] : llvm::zip_equal(one.channels, other.channels)) {
    RC_ASSERT(a.bytes == b.bytes);
    RC_ASSERT(a.busy == b.busy);
  }
}

} // namespace streamtensor::sim

#endif
