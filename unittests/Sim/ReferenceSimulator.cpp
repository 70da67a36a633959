//===- ReferenceSimulator.cpp - Literal stepping of a machine -------------===//

#include "ReferenceSimulator.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace streamtensor::sim {
namespace {

struct Pipeline {
  const ReferenceTask *task = nullptr;

  bool inTrip = false, done = false;
  int64_t trip = 0, iteration = 0, tripEnd = 0, ready = 0;
  int64_t tick = 0, due = 0, lastIssue = 0;
  std::vector<std::pair<int64_t, int32_t>> inFlight; // tick and FIFO of a write
  bool asked = false;                                // for the bursts of this iteration
  size_t ungranted = 0;                              // of them
};

/// A channel of external memory: it can take up a burst in a cycle in which, or before which, the
/// last one is through. Time in parts of a cycle, `bytes` of its rate to each.
struct Channel {
  int64_t free = 0;
  int32_t last = -1;                 // the way served last
  std::map<int32_t, int64_t> asking; // bytes by way
};

class Stepper {
public:
  Stepper(const ReferenceMachine &machine, const SimOptions &options)
      : machine(machine), options(options), blockWrites(machine.blocks.size()),
        blockReads(machine.blocks.size()) {
    result.writes.resize(machine.fifos.size());
    result.reads.resize(machine.fifos.size());
    channels.resize(machine.channels.size());
    result.bytes.resize(machine.channels.size());
    ownerOfWay.resize(machine.channelOfWay.size());
    for (const ReferenceTask &task : machine.tasks) {
      for (const ReferenceTask::Iteration &iteration : task.iterations)
        for (auto [way, bytes] : iteration.bursts)
          ownerOfWay[way] = pipelines.size();
      Pipeline pipeline;
      pipeline.task = &task;
      pipeline.ready = machine.taskEntry;
      pipelines.push_back(pipeline);
    }
  }

  ReferenceResult run() {
    // Tokens and slots become visible at most two cycles after an event.
    for (int idle = 0; idle < 4; ++cycle)
      idle = step() ? 0 : idle + 1;
    result.completed = true;
    for (const Pipeline &pipeline : pipelines) {
      result.completed &= pipeline.done;
      result.ends.push_back(pipeline.done ? pipeline.ready : -1);
      if (pipeline.done)
        result.cycles = std::max(result.cycles, pipeline.ready);
    }
    return result;
  }

private:
  /// One cycle. False when nothing happened and nothing is under way.
  bool step() {
    bool active = false;
    for (Pipeline &pipeline : pipelines)
      if (pipeline.inTrip && allIssued(pipeline) &&
          pipeline.tick == pipeline.lastIssue + phaseOf(pipeline).depth)
        active |= endTrip(pipeline);
    for (Pipeline &pipeline : pipelines)
      if (!pipeline.done && !pipeline.inTrip)
        active |= cycle < pipeline.ready || startTrip(pipeline);
    for (Pipeline &pipeline : pipelines)
      if (pipeline.inTrip)
        askForBursts(pipeline);
    for (size_t channel = 0; channel < channels.size(); ++channel)
      active |= serve(channel);
    for (Pipeline &pipeline : pipelines)
      if (pipeline.inTrip)
        active |= stepPipeline(pipeline);
    return active;
  }

  /// An iteration whose tick has come and whose tokens are there asks for its bursts.
  void askForBursts(Pipeline &pipeline) {
    if (allIssued(pipeline) || pipeline.asked || pipeline.tick < pipeline.due)
      return;
    const ReferenceTask::Iteration &accesses = pipeline.task->iterations[pipeline.iteration];
    if (!tokensVisible(accesses.reads))
      return;
    pipeline.asked = true;
    pipeline.ungranted = accesses.bursts.size();
    for (auto [way, bytes] : accesses.bursts)
      channels[machine.channelOfWay[way]].asking[way] = bytes;
  }

  /// Takes up bursts, round and round among the ways that ask; does anyone still wait?
  bool serve(size_t number) {
    Channel &channel = channels[number];
    const ReferenceChannel &rate = machine.channels[number];
    while (!channel.asking.empty() && channel.free < (cycle + 1) * rate.bytes) {
      auto next = channel.asking.upper_bound(channel.last);
      if (next == channel.asking.end())
        next = channel.asking.begin();
      channel.last = next->first;
      channel.free = std::max(channel.free, cycle * rate.bytes) + next->second * rate.cycles;
      result.bytes[number] += next->second;
      --pipelines[ownerOfWay[next->first]].ungranted;
      channel.asking.erase(next);
    }
    return !channel.asking.empty();
  }

  bool allIssued(const Pipeline &pipeline) const { return pipeline.iteration == pipeline.tripEnd; }

  const ReferenceTask::Phase &phaseOf(const Pipeline &pipeline) const {
    return pipeline.task->phases[pipeline.trip % pipeline.task->phases.size()];
  }

  bool endTrip(Pipeline &pipeline) {
    pipeline.inTrip = false;
    pipeline.ready = cycle;
    ++pipeline.trip;
    for (const ReferenceTask::Acquire &acquire : pipeline.task->acquires)
      if (pipeline.trip % acquire.period == 0)
        (acquire.writes ? blockWrites : blockReads)[acquire.buffer] += 1;
    pipeline.done = pipeline.trip == pipeline.task->trips;
    return true;
  }

  bool startTrip(Pipeline &pipeline) {
    for (const ReferenceTask::Acquire &acquire : pipeline.task->acquires) {
      if (pipeline.trip % acquire.period != 0)
        continue;
      int64_t full = blockWrites[acquire.buffer] - blockReads[acquire.buffer];
      if (acquire.writes ? full >= machine.blocks[acquire.buffer] : full <= 0)
        return false;
    }
    pipeline.inTrip = true;
    pipeline.tick = 0;
    pipeline.tripEnd = pipeline.iteration + phaseOf(pipeline).iterations;
    bool swaps =
        !pipeline.task->acquires.empty() && &phaseOf(pipeline) == &pipeline.task->phases[0];
    pipeline.due = swaps ? machine.blockSwap : 0;
    addGap(pipeline);
    return true;
  }

  void addGap(Pipeline &pipeline) {
    if (!allIssued(pipeline))
      pipeline.due += pipeline.task->iterations[pipeline.iteration].gap;
  }

  /// Tokens that one iteration takes, a FIFO as often as it takes from it.
  bool tokensVisible(const std::vector<int32_t> &fifos) const {
    for (auto [index, fifo] : llvm::enumerate(fifos)) {
      size_t token =
          result.reads[fifo].size() + std::count(fifos.begin(), fifos.begin() + index, fifo);
      if (token >= result.writes[fifo].size() || result.writes[fifo][token] + latency(fifo) > cycle)
        return false;
    }
    return true;
  }

  int64_t latency(int32_t fifo) const {
    return options.unbounded ? machine.unboundedLatency : machine.fifos[fifo].latency;
  }

  /// A slot that is freed in this cycle can be written in the next.
  bool hasSlot(int32_t fifo) const {
    int64_t depth = machine.fifos[fifo].depth;
    if (depth == 0 || options.unbounded)
      return true;
    int64_t freed = llvm::lower_bound(result.reads[fifo], cycle) - result.reads[fifo].begin();
    return static_cast<int64_t>(result.writes[fifo].size()) - freed < depth;
  }

  /// Does a write of this tick find no slot?
  bool isFrozen(const Pipeline &pipeline) const {
    return llvm::any_of(pipeline.inFlight, [&](auto write) {
      return write.first == pipeline.tick && !hasSlot(write.second);
    });
  }

  bool stepPipeline(Pipeline &pipeline) {
    bool flowing =
        !pipeline.inFlight.empty() || pipeline.tick < pipeline.due || allIssued(pipeline);
    if (isFrozen(pipeline))
      return false;
    bool issues = !allIssued(pipeline) && pipeline.tick >= pipeline.due;
    const ReferenceTask::Iteration *accesses =
        issues ? &pipeline.task->iterations[pipeline.iteration] : nullptr;
    if (issues && (!tokensVisible(accesses->reads) || pipeline.ungranted > 0)) {
      if (pipeline.task->freezesOnEmpty)
        return false;
      issues = false;
    }
    std::erase_if(pipeline.inFlight, [&](auto write) {
      if (write.first == pipeline.tick)
        result.writes[write.second].push_back(cycle);
      return write.first == pipeline.tick;
    });
    if (issues)
      issue(pipeline, *accesses);
    ++pipeline.tick;
    return issues || flowing;
  }

  void issue(Pipeline &pipeline, const ReferenceTask::Iteration &accesses) {
    for (int32_t fifo : accesses.reads)
      result.reads[fifo].push_back(cycle);
    for (ReferenceTask::Write write : accesses.writes)
      pipeline.inFlight.emplace_back(pipeline.tick + write.stage, write.fifo);
    pipeline.lastIssue = pipeline.tick;
    ++pipeline.iteration;
    pipeline.asked = false;
    pipeline.due =
        pipeline.tick + (options.oneInFlight ? phaseOf(pipeline).depth : phaseOf(pipeline).ii);
    addGap(pipeline);
  }

  const ReferenceMachine &machine;
  const SimOptions &options;
  std::vector<Pipeline> pipelines;
  std::vector<Channel> channels;
  std::vector<int32_t> ownerOfWay;
  std::vector<int64_t> blockWrites, blockReads;
  ReferenceResult result;
  int64_t cycle = 0;
};

} // namespace

ReferenceResult simulateByCycle(const ReferenceMachine &machine, const SimOptions &options) {
  return Stepper(machine, options).run();
}

} // namespace streamtensor::sim
