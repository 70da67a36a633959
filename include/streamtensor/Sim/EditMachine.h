//===- EditMachine.h - The same machine but for one part --------*- C++ -*-===//
//
// Edits of a machine as plain data, each with one exact meaning (docs/rationale/simulation.md,
// "What if"). What a compilation would change besides is not changed. After an edit the machine
// verifies as it did before; an edit that fails leaves it as it was.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIM_EDITMACHINE_H
#define STREAMTENSOR_SIM_EDITMACHINE_H

#include "streamtensor/Sim/Machine.h"

#include "llvm/ADT/ArrayRef.h"

namespace streamtensor::sim {

/// Does a phase of a task start bursts, or wait for their gaps? One entry for each phase.
std::vector<bool> findMemoryPhases(const Task &task);

/// The largest number that divides the iterations of every phase that `widenTask` would change; 1
/// if it would change none.
int64_t getCommonIterations(const Task &task);

/// Gives `fifo` so many slots (tokens, for a FIFO of which several are moved at once), and the
/// latency that the machine's rules say for them. Error: fewer than the rules' least depth.
llvm::Error setDepth(Machine &machine, int32_t fifo, int64_t depth);

/// One iteration does what `factor` consecutive ones of a trip did, in the interval and the depth
/// of one: it takes all their tokens at its issue and puts all that they wrote at one stage at
/// once. Phases that move words of external memory stay as they are. FIFOs of which it moves
/// several tokens at once have slots for so many, and slots more for those that it now waits for.
/// Errors: a factor that does not divide the iterations of a phase; no phase to change.
llvm::Error widenTask(Machine &machine, int32_t task, int64_t factor);

/// Issues iterations `interval` cycles apart in phases of larger intervals. Phases that move words
/// of external memory stay as they are. Errors: no phase has a larger one; an iteration moves more
/// tokens of one FIFO, one a cycle.
llvm::Error setInterval(Machine &machine, int32_t task, int64_t interval);

/// Words of these ways become `factor` times as wide: phases whose bursts go over them alone do
/// `factor` iterations in one, as `widenTask` says. Each way becomes `parts` ways with as many
/// parts of its bytes, the first on its channel and each other on a new one of equal rate. Errors:
/// as of `widenTask`.
llvm::Error widenWays(Machine &machine, llvm::ArrayRef<int32_t> ways, int64_t factor,
                      int64_t parts);

} // namespace streamtensor::sim

#endif
