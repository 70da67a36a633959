//===- ReferenceMachine.cpp - A machine, iteration by iteration -----------===//

#include "ReferenceMachine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace streamtensor::sim {

static ReferenceTask::Iteration toIteration(const AccessClass &accesses) {
  ReferenceTask::Iteration iteration;
  iteration.reads = accesses.reads;
  for (const AccessClass::Write &write : accesses.writes)
    iteration.writes.push_back({write.stage, write.fifo});
  llvm::sort(iteration.reads);
  llvm::sort(iteration.writes);
  return iteration;
}

static ReferenceTask unrollTask(const Task &task) {
  ReferenceTask result{task.name, {}, task.freezesOnEmpty, task.trips, {}, {}};
  for (const Phase &phase : task.phases)
    result.phases.push_back({phase.ii, phase.depth, phase.iterations});
  for (int32_t table : task.pattern.sequence)
    for (const Run &run : task.pattern.tables[table])
      for (int64_t count = 0; count < run.length; ++count)
        result.iterations.push_back(toIteration(task.pattern.classes[run.accessClass]));
  for (const BurstGap &gap : task.gaps)
    result.iterations[gap.iteration].gap = gap.cycles;
  for (const Burst &burst : task.bursts)
    result.iterations[burst.iteration].bursts.push_back({burst.way, burst.bytes});
  for (const Acquire &acquire : task.acquires)
    result.acquires.push_back({acquire.buffer, acquire.writes, acquire.period});
  llvm::sort(result.acquires);
  return result;
}

ReferenceMachine unroll(const Machine &machine) {
  ReferenceMachine result;
  for (const Task &task : machine.tasks)
    result.tasks.push_back(unrollTask(task));
  for (const Fifo &fifo : machine.fifos)
    result.fifos.push_back({fifo.depth, fifo.bits, fifo.latency});
  for (const BlockBuffer &buffer : machine.buffers)
    result.blocks.push_back(buffer.blocks);
  for (const MemoryChannel &channel : machine.channels)
    result.channels.push_back({channel.bytes, channel.cycles});
  for (const Way &way : machine.ways)
    result.channelOfWay.push_back(way.channel);
  result.taskEntry = machine.entry;
  result.blockSwap = machine.swap;
  if (machine.fifoRules)
    result.unboundedLatency = machine.fifoRules->shiftRegisterLatency;
  return result;
}

static std::string describeIteration(const ReferenceTask::Iteration &iteration) {
  std::string text = "reads";
  for (int32_t fifo : iteration.reads)
    text += formatv(" {0}", fifo);
  text += ", writes";
  for (ReferenceTask::Write write : iteration.writes)
    text += formatv(" {0} at {1}", write.fifo, write.stage);
  for (auto [way, bytes] : iteration.bursts)
    text += formatv(", {0} bytes on way {1}", bytes, way);
  return text + formatv(", gap {0}", iteration.gap).str();
}

static std::string describeDifference(const ReferenceTask &one, const ReferenceTask &other) {
  if (one.trips != other.trips || one.phases.size() != other.phases.size())
    return formatv("{0} trips in {1} phases, against {2} in {3}", one.trips, one.phases.size(),
                   other.trips, other.phases.size());
  for (auto [a, b] : llvm::zip_equal(one.phases, other.phases))
    if (!(a == b))
      return formatv("interval {0}, depth {1}, {2} iterations a trip, against {3}, {4}, {5}", a.ii,
                     a.depth, a.iterations, b.ii, b.depth, b.iterations);
  if (one.freezesOnEmpty != other.freezesOnEmpty || one.acquires != other.acquires)
    return "pipeline style or acquired blocks";
  if (one.iterations.size() != other.iterations.size())
    return "number of iterations";
  for (auto [index, a, b] : llvm::enumerate(one.iterations, other.iterations))
    if (!(a == b))
      return formatv("iteration {0}: {1}, against {2}", index, describeIteration(a),
                     describeIteration(b));
  return "";
}

std::string describeDifference(const ReferenceMachine &one, const ReferenceMachine &other) {
  if (one.tasks.size() != other.tasks.size() || one.fifos.size() != other.fifos.size() ||
      one.blocks != other.blocks || one.channels != other.channels ||
      one.channelOfWay != other.channelOfWay)
    return "tasks, FIFOs, blocks or channels";
  for (auto [index, a, b] : llvm::enumerate(one.fifos, other.fifos))
    if (a.depth != b.depth || a.bits != b.bits || a.latency != b.latency)
      return formatv("FIFO {0}: {1} x {2} bits in {3} cycles, against {4} x {5} in {6}", index,
                     a.depth, a.bits, a.latency, b.depth, b.bits, b.latency);
  for (auto [a, b] : llvm::zip_equal(one.tasks, other.tasks))
    if (std::string difference = describeDifference(a, b); !difference.empty())
      return formatv("task '{0}': {1}", a.name, difference);
  return "";
}

} // namespace streamtensor::sim
