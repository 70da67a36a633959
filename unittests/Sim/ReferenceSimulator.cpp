//===- ReferenceSimulator.cpp - Literal stepping of a machine -------------===//

#include "ReferenceSimulator.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace streamtensor::sim {
namespace {

struct PendingWrite {
  int64_t tick;
  int32_t fifo;
  Chains chains;
};

struct Pipeline {
  const ReferenceTask *task = nullptr;

  bool inTrip = false, done = false;
  int64_t trip = 0, iteration = 0, tripEnd = 0, ready = 0;
  int64_t tick = 0, due = 0, lastIssue = 0;
  std::vector<PendingWrite> inFlight;
  bool asked = false;     // for the bursts of this iteration
  size_t ungranted = 0;   // of them
  int64_t granted = -1;   // the cycle of the last of them
  int64_t frozen = 0;     // cycles of this tick so far
  int64_t frozenAsks = 0; // of them those in which only bursts were missing
  /// Why the next iteration is not due earlier, the bursts are not asked for earlier, and the trip
  /// does not end earlier.
  Chains dueChains, askChains, endChains;
  ReferenceTimes times;
};

/// A channel of external memory: it can take up a burst in a cycle in which, or before which, the
/// last one is through. Time in parts of a cycle, `bytes` of its rate to each.
struct Channel {
  int64_t free = 0;
  int32_t last = -1;                 // the way served last
  std::map<int32_t, int64_t> asking; // bytes by way
};

/// Something that becomes visible in `cycle`, and why not earlier.
struct Event {
  int64_t cycle;
  Chains chains;
};

/// Which of the things that a wait is for came last.
struct Arrivals {
  Chains chains;
  bool token = false, burst = false;
};

class Stepper {
public:
  Stepper(const ReferenceMachine &machine, const SimOptions &options, bool followsChains)
      : machine(machine), options(options), followsChains(followsChains),
        blockWrites(machine.blocks.size()), blockReads(machine.blocks.size()),
        writeChains(machine.fifos.size()), readChains(machine.fifos.size()) {
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
      pipeline.endChains = {0};
      pipelines.push_back(pipeline);
    }
  }

  ReferenceResult run() {
    // A slot becomes visible a cycle after its event, a token after the latency of its FIFO.
    int64_t latest = 2;
    for (size_t fifo = 0; fifo < machine.fifos.size(); ++fifo)
      latest = std::max(latest, latency(fifo));
    for (int64_t idle = 0; idle < latest + 2; ++cycle)
      idle = step() ? 0 : idle + 1;
    result.completed = true;
    for (const Pipeline &pipeline : pipelines) {
      result.completed &= pipeline.done;
      result.tasks.push_back(pipeline.times);
      result.cycles = std::max(result.cycles, pipeline.times.end);
    }
    for (const Pipeline &pipeline : pipelines)
      if (pipeline.times.end == result.cycles)
        add(result.chains, pipeline.endChains);
    return result;
  }

private:
  /// `more` too, with the slots of `fifo` if one is given.
  void add(Chains &chains, const Chains &more, int32_t fifo = -1) const {
    for (uint64_t chain : more)
      if (followsChains)
        chains.insert(fifo < 0 ? chain : chain | uint64_t(1) << (fifo % 64));
  }

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
    Arrivals arrivals;
    noteTokens(accesses.reads, arrivals);
    pipeline.askChains = arrivals.chains;
    if (pipeline.tick == pipeline.due && pipeline.frozen == 0)
      add(pipeline.askChains, pipeline.dueChains);
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
      pipelines[ownerOfWay[next->first]].granted = cycle;
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
        (acquire.writes ? blockWrites : blockReads)[acquire.buffer].push_back(
            {cycle, pipeline.endChains});
    pipeline.done = pipeline.trip == pipeline.task->trips;
    if (pipeline.done)
      pipeline.times.end = cycle;
    return true;
  }

  /// The event that gives the next block, if the block has not been there from the beginning.
  const Event *findBlock(const ReferenceTask::Acquire &acquire) const {
    const std::vector<Event> &writes = blockWrites[acquire.buffer];
    const std::vector<Event> &reads = blockReads[acquire.buffer];
    if (!acquire.writes)
      return &writes[reads.size()];
    int64_t freed = static_cast<int64_t>(writes.size()) - machine.blocks[acquire.buffer];
    return freed < 0 ? nullptr : &reads[freed];
  }

  /// Who waits for several blocks has waited for the last.
  void noteStart(Pipeline &pipeline) {
    Chains chains;
    bool writes = false, reads = false;
    for (const ReferenceTask::Acquire &acquire : pipeline.task->acquires) {
      const Event *block = pipeline.trip % acquire.period == 0 ? findBlock(acquire) : nullptr;
      if (!block || block->cycle != cycle)
        continue;
      add(chains, block->chains);
      (acquire.writes ? writes : reads) = true;
    }
    if (pipeline.ready == cycle)
      add(chains, pipeline.endChains);
    pipeline.dueChains = chains;
    ReferenceTimes &times = pipeline.times;
    (writes && reads ? times.eitherStall
     : writes        ? times.outputStall
                     : times.inputStall) += cycle - pipeline.ready;
  }

  bool startTrip(Pipeline &pipeline) {
    for (const ReferenceTask::Acquire &acquire : pipeline.task->acquires) {
      if (pipeline.trip % acquire.period != 0)
        continue;
      int64_t full = blockWrites[acquire.buffer].size() - blockReads[acquire.buffer].size();
      if (acquire.writes ? full >= machine.blocks[acquire.buffer] : full <= 0)
        return false;
    }
    noteStart(pipeline);
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

  /// A slot that is freed in this cycle can be written in the next. `before` others are written in
  /// the same cycle.
  bool hasSlot(int32_t fifo, int64_t before) const {
    int64_t depth = machine.fifos[fifo].depth;
    if (depth == 0 || options.unbounded)
      return true;
    int64_t freed = llvm::lower_bound(result.reads[fifo], cycle) - result.reads[fifo].begin();
    return static_cast<int64_t>(result.writes[fifo].size()) + before - freed < depth;
  }

  /// Does a write of this tick find no slot?
  bool isFrozen(const Pipeline &pipeline) const {
    std::map<int32_t, int64_t> before;
    return llvm::any_of(pipeline.inFlight, [&](const PendingWrite &write) {
      return write.tick == pipeline.tick && !hasSlot(write.fifo, before[write.fifo]++);
    });
  }

  /// Those of these tokens that become visible in this cycle.
  void noteTokens(const std::vector<int32_t> &fifos, Arrivals &arrivals) const {
    for (auto [index, fifo] : llvm::enumerate(fifos)) {
      size_t token =
          result.reads[fifo].size() + std::count(fifos.begin(), fifos.begin() + index, fifo);
      if (result.writes[fifo][token] + latency(fifo) != cycle)
        continue;
      arrivals.token = true;
      if (followsChains)
        add(arrivals.chains, writeChains[fifo][token]);
    }
  }

  /// The slots of this tick's writes that become visible in this cycle.
  void noteSlots(const Pipeline &pipeline, Arrivals &arrivals) const {
    for (const PendingWrite &write : pipeline.inFlight) {
      int64_t depth = options.unbounded ? 0 : machine.fifos[write.fifo].depth;
      int64_t freed = static_cast<int64_t>(result.writes[write.fifo].size()) - depth;
      if (write.tick != pipeline.tick || depth == 0 || freed < 0 ||
          result.reads[write.fifo][freed] + 1 != cycle)
        continue;
      if (followsChains)
        add(arrivals.chains, readChains[write.fifo][freed], write.fifo);
    }
  }

  void noteBursts(const Pipeline &pipeline, Arrivals &arrivals) const {
    if (pipeline.granted != cycle)
      return;
    arrivals.burst = true;
    add(arrivals.chains, pipeline.askChains);
  }

  /// What is in flight is late by what came last: the chains to it go through this. A slot that
  /// came together with what the iteration reads has not been waited for.
  void thaw(Pipeline &pipeline, const Arrivals &last) {
    for (PendingWrite &write : pipeline.inFlight)
      write.chains = last.chains;
    pipeline.dueChains = pipeline.endChains = last.chains;
    bool forSlot = !last.token && !last.burst;
    int64_t asks = forSlot ? 0 : pipeline.frozenAsks;
    pipeline.times.memoryStall += asks;
    (forSlot ? pipeline.times.outputStall : pipeline.times.inputStall) += pipeline.frozen - asks;
  }

  bool stepPipeline(Pipeline &pipeline) {
    bool flowing =
        !pipeline.inFlight.empty() || pipeline.tick < pipeline.due || allIssued(pipeline);
    bool isDue = !allIssued(pipeline) && pipeline.tick >= pipeline.due;
    const ReferenceTask::Iteration *accesses =
        isDue ? &pipeline.task->iterations[pipeline.iteration] : nullptr;
    bool hasTokens = isDue && tokensVisible(accesses->reads);
    bool issues = hasTokens && pipeline.ungranted == 0;
    bool freezes = pipeline.task->freezesOnEmpty;
    if (isFrozen(pipeline) || (isDue && !issues && freezes)) {
      ++pipeline.frozen;
      pipeline.frozenAsks += freezes && hasTokens && !issues;
      return false;
    }
    Arrivals last;
    if (issues) {
      noteTokens(accesses->reads, last);
      noteBursts(pipeline, last);
    }
    Arrivals frozenBy = freezes ? last : Arrivals();
    noteSlots(pipeline, frozenBy);
    if (pipeline.frozen > 0)
      thaw(pipeline, frozenBy);
    if (pipeline.frozen > 0 || pipeline.tick == pipeline.due)
      add(last.chains, pipeline.dueChains);
    if (isDue && !issues)
      ++(hasTokens ? pipeline.times.memoryStall : pipeline.times.inputStall);
    pipeline.frozen = pipeline.frozenAsks = 0;
    std::erase_if(pipeline.inFlight, [&](const PendingWrite &write) {
      if (write.tick == pipeline.tick) {
        result.writes[write.fifo].push_back(cycle);
        if (followsChains)
          writeChains[write.fifo].push_back(write.chains);
      }
      return write.tick == pipeline.tick;
    });
    if (issues)
      issue(pipeline, *accesses, last.chains);
    ++pipeline.tick;
    return issues || flowing;
  }

  void issue(Pipeline &pipeline, const ReferenceTask::Iteration &accesses, const Chains &chains) {
    for (int32_t fifo : accesses.reads) {
      result.reads[fifo].push_back(cycle);
      if (followsChains)
        readChains[fifo].push_back(chains);
    }
    for (ReferenceTask::Write write : accesses.writes)
      pipeline.inFlight.push_back({pipeline.tick + write.stage, write.fifo, chains});
    const ReferenceTask::Phase &phase = phaseOf(pipeline);
    if (pipeline.times.start < 0)
      pipeline.times.start = cycle;
    pipeline.times.busy += phase.ii;
    pipeline.dueChains = pipeline.endChains = chains;
    pipeline.lastIssue = pipeline.tick;
    ++pipeline.iteration;
    pipeline.asked = false;
    pipeline.due = pipeline.tick + (options.oneInFlight ? phase.depth : phase.ii);
    addGap(pipeline);
  }

  const ReferenceMachine &machine;
  const SimOptions &options;
  bool followsChains;
  std::vector<Pipeline> pipelines;
  std::vector<Channel> channels;
  std::vector<int32_t> ownerOfWay;
  std::vector<std::vector<Event>> blockWrites, blockReads;  // by buffer
  std::vector<std::vector<Chains>> writeChains, readChains; // by FIFO and token
  ReferenceResult result;
  int64_t cycle = 0;
};

} // namespace

ReferenceResult simulateByCycle(const ReferenceMachine &machine, const SimOptions &options,
                                bool followsChains) {
  return Stepper(machine, options, followsChains).run();
}

} // namespace streamtensor::sim
