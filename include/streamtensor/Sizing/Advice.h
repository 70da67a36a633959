//===- Advice.h - What to widen next ----------------------------*- C++ -*-===//
//
// Tries wider tasks, wider ports and deeper FIFOs of a simulated design one by one, and those that
// could help most together. Each trial is a simulation of the edited machine.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIZING_ADVICE_H
#define STREAMTENSOR_SIZING_ADVICE_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Sim/WhatIf.h"

namespace streamtensor::sizing {

/// A design with its run, as it is or as questions made it.
struct SimulatedDesign {
  const sim::DesignMachine *built;
  const sim::Machine *machine;
  const sim::SimResult *result;
  int64_t launches;
};

struct AdviceOptions {
  /// Parts that are tried alone, and how many of the first of them together: in pairs, and the
  /// first three, the first four and so on.
  size_t parts = 16, joined = 5;
  /// What several at once must gain beyond each alone in sum, and beyond fewer, to be listed.
  double more = 0.1;
  /// Token accesses of all trials after which no further one begins.
  int64_t maxSteps = int64_t(400) * 1000 * 1000;
};

/// One trial. Without cycles the machine deadlocked, or cannot be edited so for other scalars.
struct Advice {
  std::vector<sim::WhatIf> questions; // one, or several at once
  std::optional<int64_t> cycles;      // of all launches
  Resources cost;
};

struct Advised {
  /// The fastest first. Several at once are here if they gain `more`.
  std::vector<Advice> trials;
  /// Parts that could have been tried too.
  size_t untried = 0;
};

/// Trials beside what was `asked` already; deterministic.
Advised advise(llvm::ArrayRef<SimulatedDesign> designs, llvm::ArrayRef<sim::WhatIf> asked,
               const DeviceModel &device, const AdviceOptions &options = {});

/// What the part takes besides, by the tables of the device: operators again for each further lane
/// and the banks of private memories, masters, slots of FIFOs.
Resources countQuestion(const sim::DesignMachine &built, const sim::Machine &machine,
                        const sim::WhatIf &question, const DeviceModel &device);

} // namespace streamtensor::sizing

#endif
