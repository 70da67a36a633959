//===- Snapshot.h - What states of a run are compared by --------*- C++ -*-===//
//
// Codes are equal where states are, whatever the time and however many repetitions of their
// patterns tasks are further. Marks are what may be more.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_SIM_SNAPSHOT_H
#define STREAMTENSOR_LIB_SIM_SNAPSHOT_H

#include "EngineState.h"

namespace streamtensor::sim {

using Code = SmallVector<int64_t, 64>;

constexpr int64_t numbersPerMark = 16;

/// A FIFO or a buffer, of which either end has one more block that it holds.
struct Flow {
  Channel *channel;
  int64_t held;
};

/// Of a task, what may be more after a period.
struct TaskMark {
  explicit TaskMark(const TaskState &task)
      : iteration(task.iteration), trip(task.trip), firstOfTrip(task.firstOfTrip),
        table(task.cursor.getTable()), tablesLeft(task.cursor.getTablesLeft()),
        remaining(task.cursor.remaining), gap(task.gap), burst(task.burst), nextGap(task.nextGap),
        nextBurst(task.nextBurst), tick(task.nextTick), delta(task.issueDelta),
        base(task.getNextIssue()), writeBase(task.getNextWrite()), busy(task.result.busy),
        inputStall(task.result.inputStall), outputStall(task.result.outputStall),
        memoryStall(task.result.memoryStall) {}

  bool isAt(const TaskMark &other) const {
    return iteration == other.iteration && trip == other.trip;
  }

  int64_t iteration, trip, firstOfTrip;
  int64_t table, tablesLeft, remaining;
  int64_t gap, burst, nextGap, nextBurst;
  int64_t tick, delta;
  int64_t base, writeBase; ///< No issue, or write, comes before.
  int64_t busy, inputStall, outputStall, memoryStall;
};

/// Of a FIFO or a buffer. What comes before the first late token or slot delays nobody.
struct ChannelMark {
  ChannelMark(const Channel &channel, const std::vector<TaskMark> &tasks)
      : written(channel.written), read(channel.read), highWater(channel.getHighWater()),
        hasHighestMark(channel.hasHighestMark()),
        lateToken(channel.findToken(tasks[channel.reader].base)),
        lateSlot(channel.findSlot(tasks[channel.writer].writeBase)) {}

  int64_t written, read, highWater;
  bool hasHighestMark;
  int64_t lateToken, lateSlot;
};

/// Codes one behind the other.
class CodeList {
public:
  void add(const Code &code) {
    llvm::append_range(all, code);
    ends.push_back(all.size());
  }
  size_t size() const { return all.size(); }
  ArrayRef<int64_t> operator[](size_t number) const {
    size_t begin = number == 0 ? 0 : ends[number - 1];
    return ArrayRef(all).slice(begin, ends[number] - begin);
  }

private:
  std::vector<int64_t> all;
  std::vector<size_t> ends;
};

/// Of each channel of memory, until it is free for the owners of its ways.
using ArbiterWaits = std::vector<std::vector<std::pair<int32_t, int64_t>>>;

/// What is compared of a state, and what grows.
struct Snapshot {
  Snapshot(const EngineState &state, ArrayRef<Flow> flows);

  std::vector<TaskMark> tasks;
  std::vector<ChannelMark> channels; ///< Of each flow.
  std::vector<int64_t> arbiterBytes;
  ArbiterWaits arbiterWaits;
  CodeList taskCodes, arbiterCodes, tokens, slots;

  int64_t getSize() const {
    return (tasks.size() + channels.size()) * numbersPerMark + taskCodes.size() +
           arbiterCodes.size() + tokens.size() + slots.size();
  }
};

std::vector<TaskMark> getMarks(const std::vector<TaskState> &tasks);

/// What a task is, with times from its next issue on.
void encode(const TaskState &task, Code &code);
/// Tokens of a FIFO whose time can still delay its reader; false if they are too many to compare.
bool encodeTokens(const Channel &channel, const ChannelMark &mark,
                  const std::vector<TaskMark> &tasks, Code &code);
/// The same of slots and its writer.
bool encodeSlots(const Channel &channel, const ChannelMark &mark,
                 const std::vector<TaskMark> &tasks, Code &code);
void encode(const Arbiter &arbiter, ArrayRef<int32_t> wayOwner, const std::vector<TaskMark> &tasks,
            Code &code);
ArbiterWaits getWaits(const EngineState &state, const std::vector<TaskMark> &tasks);

} // namespace streamtensor::sim

#endif
