//===- Simulator.h - Cycle-accurate simulation of a machine -----*- C++ -*-===//
//
// Gives exactly the cycles of stepping every task cycle by cycle, at a cost per
// token instead of per cycle: every event's time follows from the times of the
// events it waits for (max-plus), so each task runs ahead as far as those are
// known.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIM_SIMULATOR_H
#define STREAMTENSOR_SIM_SIMULATOR_H

#include "streamtensor/Sim/Machine.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace streamtensor::sim {

struct SimOptions {
  /// The next iteration of a task issues when the one before has ended: the run
  /// whose completion does not depend on timing.
  bool oneInFlight = false;
  /// Ignore the depths of FIFOs.
  bool unbounded = false;
  /// If given, one per FIFO: on deadlock, double the depth of the FIFO with the least traffic
  /// among those in the cycle of waiting tasks that are full and below this depth, and go on.
  /// The run is one at the larger depth from then on.
  std::vector<int64_t> ceilings;
  /// Record stalls of at least `minSpan` cycles for a timeline.
  bool recordSpans = false;
  int64_t minSpan = 16;
  /// The first so many of them.
  size_t maxSpans = 200000;
  /// Tell where in the run each task waits, in at most so many equal parts of it; 0: do not.
  int64_t activityParts = 0;
  /// Token accesses after which the run is given up.
  int64_t maxSteps = int64_t(20) * 1000 * 1000 * 1000;
  /// A run that takes longer is given up.
  int64_t maxCycles = std::numeric_limits<int64_t>::max();
  /// Cycles that tasks go on before others do. The result is the same with any.
  int64_t quantum = 1024;
  /// Token accesses after which the run is looked at for periods that repeat, to pass them at once.
  /// Short runs are over sooner.
  int64_t firstSkip = 100 * 1000;
  /// Of these accesses for each number that was compared, before the run is looked at again.
  int64_t stepsPerNumber = 16;
};

struct TaskResult {
  /// First issue, end of the last iteration (cycles); -1 if never.
  int64_t start = -1, end = -1;
  int64_t busy = 0;        // cycles spent at its own rate: iterations times II
  int64_t inputStall = 0;  // waiting for tokens or full blocks
  int64_t startStall = 0;  // of these, before the first issue
  int64_t outputStall = 0; // waiting for slots or free blocks
  int64_t memoryStall = 0; // waiting for a channel of external memory
  int64_t iterations = 0;
};

struct FifoResult {
  int64_t tokens = 0;
  /// Largest number of slots in use at once; a slot freed in cycle c counts in c.
  int64_t highWater = 0;
};

struct ChannelResult {
  int64_t bytes = 0;
  /// Cycles in which bursts were on the way, rounded up.
  int64_t busy = 0;
};

enum class WaitKind { Token, Slot, FullBlock, FreeBlock, Memory };

/// `task` waits for `peer` to fill or free `channel` (a FIFO, or a buffer for the
/// block kinds). Who waits for external memory gets it, and is no part of a deadlock.
struct Wait {
  int32_t task, peer;
  WaitKind kind;
  int32_t channel;
  int64_t occupancy;
};

/// A stall or an activity of a task, for timelines.
struct Span {
  enum class Kind { Trip, InputStall, OutputStall, MemoryStall };
  int32_t task;
  Kind kind;
  int64_t begin, end;
};

/// The cycles that a task waits in each part of a run.
struct TaskActivity {
  std::vector<int64_t> input, output, memory;
};

struct SimResult {
  enum class Status { Completed, Deadlock, StepLimit, CycleLimit };
  Status status = Status::Completed;
  int64_t cycles = 0;
  int64_t steps = 0;          ///< Accesses of FIFOs, buffers and external memory.
  int64_t skippedPeriods = 0; ///< Passed at once; all figures are as without.
  std::vector<TaskResult> tasks;
  std::vector<FifoResult> fifos;
  std::vector<ChannelResult> channels;
  /// Depths at the end of the run: those given, but for FIFOs enlarged on deadlock.
  std::vector<int64_t> depths;
  /// FIFOs whose lack of slots lies on a critical path of the run; enlarging others
  /// does not make it faster (but in rare runs of pipelines that flush).
  std::vector<int32_t> criticalFifos;
  /// On deadlock: a cycle of waiting tasks, each waiting for the next.
  std::vector<Wait> waitCycle;
  /// On deadlock: all waiting tasks.
  std::vector<Wait> waits;
  std::vector<Span> spans;
  /// If asked for, one per task, and the cycles of a part of the run.
  std::vector<TaskActivity> activity;
  int64_t partCycles = 0;

  bool completed() const { return status == Status::Completed; }
};

SimResult simulate(const Machine &machine, const SimOptions &options = {});

/// Same, at other depths than the machine's.
SimResult simulate(const Machine &machine, const std::vector<int64_t> &depths,
                   const SimOptions &options = {});

} // namespace streamtensor::sim

#endif
