//===- Snapshot.cpp - What states of a run are compared by ----------------===//

#include "Snapshot.h"

using namespace llvm;

namespace streamtensor::sim {

/// Of a FIFO. With more on their way a run is not looked at.
constexpr int64_t mostTimes = 16384;

static void addStamp(Code &code, Stamp stamp, int64_t base) {
  code.push_back(stamp - makeStamp(base, 0));
}

void encode(const TaskState &task, Code &code) {
  code.assign({task.inTrip, task.done, task.started,
               static_cast<int64_t>(task.trip % task.task->phases.size())});
  for (const Acquire &acquire : task.task->acquires)
    code.push_back(task.trip % acquire.period);
  if (!task.inTrip) {
    code.push_back(tagOf(task.ready));
    return;
  }
  llvm::append_values(code, task.cursor.getTableNumber(), task.cursor.getRunsLeft(),
                      task.cursor.accessClass, task.issueTag, task.freezeTag,
                      task.delta - task.issueDelta, task.lastTick - task.nextTick,
                      task.lastIssueDelta - task.issueDelta, task.asked);
  if (task.asked >= 0) {
    code.push_back(task.askedTick - task.nextTick);
    addStamp(code, task.granted, task.getNextIssue());
  }
  code.push_back(task.freezes.size());
  for (const Freeze &freeze : task.freezes)
    llvm::append_values(code, freeze.tick - task.nextTick, freeze.delta - task.issueDelta,
                        freeze.tag);
  for (const WriteStage &stage : task.stages) {
    code.push_back(stage.getNumPending());
    for (int64_t number = 0; number < stage.getNumPending(); ++number) {
      const PendingWrite &write = stage.getPending(number);
      code.push_back(write.tick - task.nextTick);
      addStamp(code, write.due, task.getNextIssue());
      code.push_back(reinterpret_cast<intptr_t>(write.writes));
    }
  }
}

bool encodeTokens(const Channel &channel, const ChannelMark &mark,
                  const std::vector<TaskMark> &tasks, Code &code) {
  code.assign({channel.written - channel.read, channel.written - mark.lateToken});
  if (channel.written - mark.lateToken > mostTimes)
    return false;
  for (int64_t position = mark.lateToken; position < channel.written; ++position)
    addStamp(code, channel.getTime(position), tasks[channel.reader].base);
  return true;
}

bool encodeSlots(const Channel &channel, const ChannelMark &mark,
                 const std::vector<TaskMark> &tasks, Code &code) {
  code.assign({channel.read - mark.lateSlot});
  if (channel.read - mark.lateSlot > mostTimes)
    return false;
  for (int64_t position = mark.lateSlot; position < channel.read; ++position)
    addStamp(code, channel.getTime(position), tasks[channel.writer].writeBase);
  return true;
}

void encode(const Arbiter &arbiter, ArrayRef<int32_t> wayOwner, const std::vector<TaskMark> &tasks,
            Code &code) {
  code.assign({arbiter.getLast()});
  for (const auto &[way, request] : arbiter.getRequests())
    llvm::append_values(code, way, request.cycle - tasks[wayOwner[way]].base, request.bytes);
}

std::vector<TaskMark> getMarks(const std::vector<TaskState> &tasks) {
  return std::vector<TaskMark>(tasks.begin(), tasks.end());
}

ArbiterWaits getWaits(const EngineState &state, const std::vector<TaskMark> &tasks) {
  ArbiterWaits waits(state.arbiters.size());
  for (auto [way, owner] : llvm::enumerate(state.wayOwner))
    if (int32_t channel = state.machine.ways[way].channel; owner >= 0)
      waits[channel].emplace_back(owner, state.arbiters[channel].getWait(tasks[owner].base));
  return waits;
}

Snapshot::Snapshot(const EngineState &state, ArrayRef<Flow> flows)
    : tasks(getMarks(state.tasks)), arbiterWaits(getWaits(state, tasks)) {
  Code code;
  for (const TaskState &task : state.tasks) {
    encode(task, code);
    taskCodes.add(code);
  }
  for (const Flow &flow : flows) {
    const ChannelMark &mark = channels.emplace_back(*flow.channel, tasks);
    encodeTokens(*flow.channel, mark, tasks, code);
    tokens.add(code);
    encodeSlots(*flow.channel, mark, tasks, code);
    slots.add(code);
  }
  for (const Arbiter &arbiter : state.arbiters) {
    arbiterBytes.push_back(arbiter.getBytes());
    encode(arbiter, state.wayOwner, tasks, code);
    arbiterCodes.add(code);
  }
}

} // namespace streamtensor::sim
