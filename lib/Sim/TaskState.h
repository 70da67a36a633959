//===- TaskState.h - A task under simulation --------------------*- C++ -*-===//
//
// A pipeline has its own time, counted in ticks: a tick passes in every cycle in
// which the pipeline is not frozen. `cycle = tick + delta`, and delta grows by the
// length of every freeze. Iterations issue and write at fixed distances in ticks.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_SIM_TASKSTATE_H
#define STREAMTENSOR_LIB_SIM_TASKSTATE_H

#include "Channel.h"
#include "streamtensor/Sim/Machine.h"
#include "streamtensor/Sim/Simulator.h"

namespace streamtensor::sim {

constexpr int64_t never = std::numeric_limits<int64_t>::max() / 4;

/// Writes of one stage by one iteration in flight.
struct PendingWrite {
  int64_t tick;
  int64_t delta; // when the iteration issued
  int32_t accessClass;
  int32_t tag; // of the issue
};

/// All writes that a task makes at one stage, with those in flight.
class WriteStage {
public:
  WriteStage(int64_t stage, int64_t inFlight, size_t classes) : stage(stage), fifos(classes) {
    int64_t size = 2;
    while (size < inFlight)
      size *= 2;
    ring.resize(size);
    mask = size - 1;
  }
  int64_t nextTick() const { return next; }
  const PendingWrite &front() const { return ring[head & mask]; }
  void pop() { next = ++head == tail ? never : front().tick; }
  void push(const PendingWrite &pending) {
    assert(tail - head < static_cast<int64_t>(ring.size()) &&
           "more iterations in flight than stages");
    next = std::min(next, pending.tick); // ticks only grow
    ring[tail++ & mask] = pending;
  }

  int64_t stage;
  std::vector<std::vector<int32_t>> fifos; // by access class

private:
  std::vector<PendingWrite> ring;
  int64_t mask, head = 0, tail = 0;
  int64_t next = never; // tick of the front
};

/// From `tick` on, cycles are ticks plus `delta`.
struct Freeze {
  int64_t tick, delta;
  int32_t tag;
};

/// Walks the runs of an access pattern.
class PatternCursor {
public:
  explicit PatternCursor(const AccessPattern &pattern) : pattern(&pattern) {}

  /// Moves to the next run of this trip if the current one is used up; false at the trip's end.
  bool fetch() {
    if (remaining > 0)
      return true;
    if (run == end) {
      if (table == tripEnd)
        return false;
      const std::vector<Run> &runs = pattern->tables[pattern->sequence[table++]];
      run = runs.data();
      end = run + runs.size();
    }
    accessClass = run->accessClass;
    remaining = run->length;
    ++run;
    return true;
  }
  void startTrip(int64_t tables) { tripEnd += tables; }

  int32_t accessClass = 0;
  int64_t remaining = 0;

private:
  const AccessPattern *pattern;
  const Run *run = nullptr, *end = nullptr;
  int64_t table = 0, tripEnd = 0;
};

struct TaskState {
  TaskState(const Task &task, bool oneInFlight);

  /// The next iteration that starts bursts.
  int64_t nextBurst() const {
    return burst < task->bursts.size() ? task->bursts[burst].iteration : never;
  }

  int64_t nextWriteTick() const {
    int64_t tick = never;
    for (const WriteStage &stage : stages)
      tick = std::min(tick, stage.nextTick());
    return tick;
  }
  int64_t lastDelta() const { return freezes.empty() ? issueDelta : freezes.back().delta; }
  int32_t lastTag() const { return freezes.empty() ? issueTag : freezes.back().tag; }
  /// The tag of what follows an issue by so many ticks as its stage says: that of the issue, or of
  /// the last freeze since.
  int32_t tagSince(int64_t delta, int32_t tag) const {
    return delta == lastDelta() ? tag : freezeTag;
  }

  void enterPhase() {
    phase = task->getPhase(trip);
    interval = oneInFlight ? phase.depth : phase.ii;
  }

  const Task *task;
  bool oneInFlight;
  int64_t firstWriteStage = never;
  PatternCursor cursor;
  std::vector<WriteStage> stages;

  int64_t nextTick = 0; // earliest tick of the next issue
  int64_t lastTick = 0; // of the last issue
  int64_t issueDelta = 0;
  int32_t issueTag = 0;
  int64_t lastIssueDelta = 0;
  /// Freezes that writes have caused at ticks which issue has not reached.
  std::deque<Freeze> freezes;
  int32_t freezeTag = 0; // of the last freeze

  int64_t trip = 0;
  Phase phase; // of the trip
  int64_t interval = 1;
  int64_t iteration = 0;
  size_t gap = 0;
  /// The first burst of this iteration or a later one.
  size_t burst = 0;
  /// Bursts of this iteration that are asked for and not yet taken up; -1 before they are asked
  /// for.
  int32_t asked = -1;
  int64_t askedTick = 0;
  Stamp granted = 0; // the last of them
  Stamp ready = 0;   // end of the trip before
  bool inTrip = false, done = false, queued = false;
  /// Waits for a token of unknown time while writes of later stages are in flight.
  bool ambiguous = false;
  WaitKind waitKind = WaitKind::Token;
  int32_t waitChannel = -1;
  TaskResult result;
};

} // namespace streamtensor::sim

#endif
