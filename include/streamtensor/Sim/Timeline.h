//===- Timeline.h - A run as a Chrome trace ---------------------*- C++ -*-===//

#ifndef STREAMTENSOR_SIM_TIMELINE_H
#define STREAMTENSOR_SIM_TIMELINE_H

#include "streamtensor/Sim/Simulator.h"
#include "llvm/Support/raw_ostream.h"

namespace streamtensor::sim {

/// Appends the run's spans to `trace` as events of the Chrome trace format; one
/// cycle is one microsecond of the viewer. `process` numbers the launch and
/// `begin` is its first cycle.
void appendTrace(llvm::raw_ostream &trace, const Machine &machine, const SimResult &result,
                 int64_t process, int64_t begin, bool &first);

} // namespace streamtensor::sim

#endif
