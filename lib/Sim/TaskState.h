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

#include "llvm/ADT/SmallVector.h"

#include <deque>

namespace streamtensor::sim {

using llvm::ArrayRef, llvm::SmallVector;

constexpr int64_t never = std::numeric_limits<int64_t>::max() / 4;

/// Of a FIFO: the next token or slot, or that `ahead` tokens later.
struct Access {
  Channel *channel;
  int32_t fifo, ahead;
};

/// What an iteration writes at one of its task's stages.
struct StageWrites {
  int32_t stage; // index in the task
  SmallVector<Access, 2> accesses;
};

/// What the iterations of one class take at issue and write later.
struct ClassAccesses {
  ClassAccesses(const AccessClass &accessClass, ArrayRef<int32_t> stages, Channel *fifos);
  bool isIdle() const { return reads.empty() && writes.empty(); }

  SmallVector<Access, 2> reads;
  SmallVector<StageWrites, 1> writes;
};

/// Writes of one stage by one iteration in flight.
struct PendingWrite {
  int64_t tick;
  Stamp due; // if no freeze comes before
  const StageWrites *writes;
};

/// The writes in flight that a task makes at one stage.
class WriteStage {
public:
  WriteStage(int64_t stage, int64_t inFlight)
      : stage(stage), ring(llvm::PowerOf2Ceil(inFlight)), mask(ring.size() - 1) {}
  int64_t nextTick() const { return next; }
  int64_t getNumPending() const { return tail - head; }
  const PendingWrite &getPending(int64_t number) const { return ring[(head + number) & mask]; }
  /// All that is pending comes later.
  void postpone(int64_t ticks, Stamp cycles) {
    for (int64_t position = head; position < tail; ++position) {
      ring[position & mask].tick += ticks;
      ring[position & mask].due += cycles;
    }
    if (head < tail)
      next += ticks;
  }
  const PendingWrite &front() const { return ring[head & mask]; }
  void pop() { next = ++head == tail ? never : front().tick; }
  void push(const PendingWrite &pending) {
    assert(tail - head <= mask && "more iterations in flight than stages");
    next = std::min(next, pending.tick); // ticks only grow
    ring[tail++ & mask] = pending;
  }

  const int64_t stage;

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

  int64_t getTable() const { return table; }
  int64_t getTablesLeft() const { return tripEnd - table; }
  /// Of the current table, behind the current run.
  int64_t getRunsLeft() const { return end - run; }
  /// Which table the current one is; -1 before the first.
  int32_t getTableNumber() const { return table > 0 ? pattern->sequence[table - 1] : -1; }
  /// How many tables come that are those `period` before them; at most `most`.
  int64_t countRepeated(int64_t period, int64_t most) const {
    const std::vector<int32_t> &sequence = pattern->sequence;
    most = std::min<int64_t>(most, sequence.size() - table);
    int64_t count = 0;
    while (count < most && sequence[table + count] == sequence[table + count - period])
      ++count;
    return count;
  }
  /// Goes on to the same run of a table that is like the current one, or inside a run.
  void pass(int64_t tables, int64_t tablesOfTrips, int64_t iterationsOfRun) {
    table += tables;
    tripEnd += tablesOfTrips;
    remaining -= iterationsOfRun;
  }

  int32_t accessClass = 0;
  int64_t remaining = 0;

private:
  const AccessPattern *pattern;
  const Run *run = nullptr, *end = nullptr;
  int64_t table = 0, tripEnd = 0;
};

/// What every step looks at comes first, in few lines of the cache: while others go on, a task's
/// lines leave the innermost one.
struct alignas(64) TaskState {
  TaskState(const Task &task, bool oneInFlight, Channel *fifos);

  int32_t lastTag() const { return freezes.empty() ? issueTag : freezes.back().tag; }
  /// What the next iteration does.
  const ClassAccesses &nextAccesses() const { return classes[cursor.accessClass]; }

  void enterPhase() {
    phase = task->getPhase(trip);
    firstOfTrip = iteration;
    interval = oneInFlight ? phase.depth : phase.ii;
  }
  /// The end of the iterations of this run that neither start bursts, nor wait for gaps, nor freeze
  /// when a token is missing.
  int64_t getPlainEnd() const { return std::min(iteration + cursor.remaining, nextSpecial); }
  /// Do writes in flight come before any of an iteration that has yet to issue?
  bool writesFirst() const { return nextWriteTick < nextTick + firstWriteStage; }
  /// The bursts of this iteration are taken up.
  void passBursts() {
    asked = -1;
    while (nextBurst <= iteration) {
      ++burst;
      findBurst();
    }
    findSpecial();
  }
  /// Pays the gaps of all iterations up to `last`.
  void payGaps(int64_t last) {
    if (nextGap > last)
      return;
    for (; nextGap <= last; findGap())
      nextTick += task->gaps[gap++].cycles;
    findSpecial();
  }

  int64_t getLastIssue() const { return lastTick + lastIssueDelta; }
  /// No iteration issues before.
  int64_t getNextIssue() const { return inTrip ? nextTick + issueDelta : cycleOf(ready); }
  /// Nothing is written before.
  int64_t getNextWrite() const {
    return nextWriteTick == never ? getNextIssue()
                                  : std::min(getNextIssue(), nextWriteTick + delta);
  }
  /// Time at which the next writes happen, not before `time`; false, with the FIFO, if a slot's
  /// time is unknown. `cause` is the FIFO that delays them, if any.
  LLVM_ATTRIBUTE_ALWAYS_INLINE bool findWriteTime(Stamp &time, int32_t &cause) const {
    for (const WriteStage &stage : stages) {
      if (stage.nextTick() != nextWriteTick)
        continue;
      for (auto [channel, fifo, ahead] : stage.front().writes->accesses) {
        if (!channel->hasSlot(ahead)) {
          cause = fifo;
          return false;
        }
        Stamp slot = channel->slotTime(ahead);
        if (cycleOf(slot) > cycleOf(time)) {
          time = slot;
          cause = fifo;
        }
      }
    }
    return true;
  }

  /// All that it is about to do comes later.
  void postpone(int64_t ticks, int64_t deltas, Stamp cycles) {
    nextTick += ticks;
    lastTick += ticks;
    askedTick += ticks;
    delta += deltas;
    issueDelta += deltas;
    lastIssueDelta += deltas;
    granted += cycles;
    if (!inTrip)
      ready += cycles;
    if (nextWriteTick < never)
      nextWriteTick += ticks;
    for (WriteStage &stage : stages)
      stage.postpone(ticks, cycles);
    for (Freeze &freeze : freezes) {
      freeze.tick += ticks;
      freeze.delta += deltas;
    }
    if (!freezes.empty())
      nextFreeze = freezes.front().tick;
  }
  /// Counts what it does as done; the pattern behind it is as the one in front of it was.
  void passIterations(int64_t iterations, int64_t trips, int64_t gaps, int64_t bursts) {
    iteration += iterations;
    if (trips > 0)
      firstOfTrip += iterations;
    trip += trips;
    gap += gaps;
    burst += bursts;
    findGap();
    findBurst();
    findSpecial();
  }

  int64_t getBusyOfTrip() const { return (iteration - firstOfTrip) * phase.ii; }

  /// An iteration that issues at `tick` will write later.
  void push(const StageWrites &writes, int64_t tick, Stamp issue) {
    WriteStage &stage = stages[writes.stage];
    int64_t writeTick = tick + stage.stage;
    stage.push({writeTick, issue + makeStamp(stage.stage, 0), &writes});
    nextWriteTick = std::min(nextWriteTick, writeTick);
  }
  /// From `tick` on, cycles are ticks plus `newDelta`.
  void freeze(int64_t tick, int64_t newDelta, int32_t tag) {
    delta = newDelta;
    freezeTag = tag;
    freezes.push_back({tick, newDelta, tag});
    nextFreeze = freezes.front().tick;
  }
  void passFreeze() {
    freezes.pop_front();
    nextFreeze = freezes.empty() ? never : freezes.front().tick;
  }
  void passAllFreezes() {
    issueDelta = delta;
    freezes.clear();
    nextFreeze = never;
  }

  PatternCursor cursor;
  int64_t iteration = 0;
  int64_t nextSpecial = 0;                    // an iteration that is not plain
  int64_t nextTick = 0;                       // earliest tick of the next issue
  int64_t nextWriteTick = never;              // of the writes in flight
  int64_t nextGap = never, nextBurst = never; // the next iteration that has one
  int64_t delta = 0;                          // behind all freezes that are known
  int64_t issueDelta = 0;
  int64_t nextFreeze = never; // tick of the first of `freezes`
  int64_t interval = 1, firstWriteStage = 0;
  int32_t issueTag = 0;
  int32_t freezeTag = 0; // of the last freeze
  int64_t lastTick = 0;  // of the last issue
  int64_t lastIssueDelta = 0;
  bool inTrip = false, done = false, started = false, queued = false;
  bool parked = false;     ///< Its next issue is behind the horizon.
  bool isLandmark = false; ///< Periods are looked for when it comes to a next table.
  /// Waits for a token of unknown time while writes of later stages are in flight.
  bool ambiguous = false;
  bool freezesOnEmpty;
  bool oneInFlight;
  WaitKind waitKind = WaitKind::Token;
  int32_t waitChannel = -1;
  std::vector<ClassAccesses> classes;
  std::vector<WriteStage> stages;

  const Task *task;
  /// Freezes that writes have caused at ticks which issue has not reached.
  std::deque<Freeze> freezes;
  int64_t trip = 0, firstOfTrip = 0;
  Phase phase; // of the trip
  size_t gap = 0;
  /// The first burst of this iteration or a later one.
  size_t burst = 0;
  /// Bursts of this iteration that are asked for and not yet taken up; -1 before they are asked
  /// for.
  int32_t asked = -1;
  int64_t askedTick = 0;
  Stamp granted = 0; // the last of them
  Stamp ready = 0;   // end of the trip before
  TaskResult result;

private:
  void findSpecial() { nextSpecial = freezesOnEmpty ? 0 : std::min(nextGap, nextBurst); }
  void findBurst() {
    nextBurst = burst < task->bursts.size() ? task->bursts[burst].iteration : never;
  }
  void findGap() { nextGap = gap < task->gaps.size() ? task->gaps[gap].iteration : never; }
};

} // namespace streamtensor::sim

#endif
