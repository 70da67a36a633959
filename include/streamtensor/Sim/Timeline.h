//===- Timeline.h - A run as a Chrome trace ---------------------*- C++ -*-===//

#ifndef STREAMTENSOR_SIM_TIMELINE_H
#define STREAMTENSOR_SIM_TIMELINE_H

#include "streamtensor/Sim/Simulator.h"
#include "llvm/Support/raw_ostream.h"

namespace streamtensor::sim {

/// Appends the run's spans to `stream` as events of the Chrome trace format, in
/// real time at `clockMHz`: microseconds with three decimals, so nanoseconds.
/// `process` numbers the launch and `begin` is its first cycle; `first` says
/// whether no event was written before.
void appendTrace(llvm::raw_ostream &stream, const Machine &machine, const SimResult &result,
                 double clockMHz, int64_t process, int64_t begin, bool &first);

} // namespace streamtensor::sim

#endif
