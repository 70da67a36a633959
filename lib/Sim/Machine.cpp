//===- Machine.cpp - Facts about a machine --------------------------------===//

#include "streamtensor/Sim/Machine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <cmath>

using namespace llvm;

namespace streamtensor::sim {

int64_t Task::getIterationsPerRound() const {
  int64_t iterations = 0;
  for (const Phase &phase : phases)
    iterations += phase.iterations;
  return iterations;
}

int64_t Task::getBusyCycles() const {
  int64_t cycles = 0;
  for (const Phase &phase : phases)
    cycles += phase.iterations * phase.ii;
  return trips / phases.size() * cycles;
}

bool Task::hasTurns() const {
  if (phases.size() < 2 || trips != static_cast<int64_t>(phases.size()))
    return false;
  auto anyClass = [&](ArrayRef<int32_t> tables, auto does) {
    return any_of(tables, [&](int32_t table) {
      return any_of(pattern.tables[table],
                    [&](const Run &run) { return does(pattern.classes[run.accessClass]); });
    });
  };
  ArrayRef<int32_t> sequence = pattern.sequence;
  for (const Phase &phase : phases) {
    ArrayRef<int32_t> turn = sequence.take_front(phase.tables);
    if (!anyClass(turn, [](const AccessClass &c) { return !c.reads.empty(); }) ||
        !anyClass(turn, [](const AccessClass &c) { return !c.writes.empty(); }))
      return false;
    sequence = sequence.drop_front(phase.tables);
  }
  return true;
}

int64_t Task::getLastWriteStage() const {
  int64_t last = 0;
  for (const AccessClass &accessClass : pattern.classes)
    for (const AccessClass::Write &write : accessClass.writes)
      last = std::max<int64_t>(last, write.stage);
  return last;
}

int64_t Machine::getLatency(int32_t fifo, int64_t depth) const {
  if (depth == fifos[fifo].depth || fifos[fifo].isLink || !fifoRules)
    return fifos[fifo].latency;
  return fifoRules->getLatency(fifos[fifo].bits, depth);
}

int64_t Machine::getWriteStage(int32_t fifo) const {
  for (const AccessClass &accessClass : tasks[fifos[fifo].writer].pattern.classes)
    for (const AccessClass::Write &write : accessClass.writes)
      if (write.fifo == fifo)
        return write.stage;
  return 0;
}

std::vector<int64_t> AccessPattern::countIterations() const {
  std::vector<int64_t> uses(tables.size()), iterations(classes.size());
  for (int32_t table : sequence)
    ++uses[table];
  for (auto [table, count] : zip_equal(tables, uses))
    for (const Run &run : table)
      iterations[run.accessClass] += run.length * count;
  return iterations;
}

TokenCounts Machine::countTokens() const {
  TokenCounts tokens = {std::vector<int64_t>(fifos.size()), std::vector<int64_t>(fifos.size())};
  for (const Task &task : tasks)
    for (auto [accesses, count] : zip_equal(task.pattern.classes, task.pattern.countIterations())) {
      for (const AccessClass::Write &write : accesses.writes)
        tokens.written[write.fifo] += count;
      for (int32_t fifo : accesses.reads)
        tokens.read[fifo] += count;
    }
  return tokens;
}

int64_t Machine::countWrites(int32_t fifo) const {
  const AccessPattern &pattern = tasks[fifos[fifo].writer].pattern;
  int64_t tokens = 0;
  for (auto [accesses, count] : zip_equal(pattern.classes, pattern.countIterations()))
    tokens += count * llvm::count_if(accesses.writes,
                                     [&](const AccessClass::Write &w) { return w.fifo == fifo; });
  return tokens;
}

/// Of the iterations in each table.
static std::vector<int64_t> getLastWriteStages(const AccessPattern &pattern) {
  std::vector<int64_t> stages;
  for (const std::vector<Run> &table : pattern.tables) {
    int64_t last = 0;
    for (const Run &run : table)
      for (const AccessClass::Write &write : pattern.classes[run.accessClass].writes)
        last = std::max<int64_t>(last, write.stage);
    stages.push_back(last);
  }
  return stages;
}

/// Of the rates that stand for shares of a channel.
constexpr int64_t shareScale = 1 << 10;

Machine Machine::withFixedShares() const {
  std::vector<double> roots(ways.size()), sums(channels.size());
  for (const Task &task : tasks)
    for (const Burst &burst : task.bursts)
      roots[burst.way] += burst.bytes;
  for (auto [way, root] : zip_equal(ways, roots)) {
    root = std::sqrt(std::max(root, 1.0));
    sums[way.channel] += root;
  }
  Machine shared = *this;
  shared.channels.clear();
  for (auto [way, root] : zip_equal(shared.ways, roots)) {
    MemoryChannel channel = channels[way.channel];
    channel.cycles = std::llround(shareScale * channel.cycles * sums[way.channel] / root);
    channel.bytes *= shareScale;
    way.channel = shared.channels.size();
    shared.channels.push_back(channel);
  }
  return shared;
}

static Error verifyBursts(const Machine &machine) {
  std::vector<int32_t> owner(machine.ways.size(), -1);
  for (auto [id, task] : enumerate(machine.tasks)) {
    std::pair<int64_t, int32_t> previous = {0, -1};
    for (const Burst &burst : task.bursts) {
      std::pair<int64_t, int32_t> place = {burst.iteration, burst.way};
      if (place <= previous || burst.iteration >= task.getIterations() || burst.bytes < 1)
        return createStringError("task '" + task.name +
                                 "': bursts come in order, one for each way and iteration");
      previous = place;
      int32_t &known = owner[burst.way];
      if (known >= 0 && known != static_cast<int32_t>(id))
        return createStringError("way '" + machine.ways[burst.way].name +
                                 "' to memory belongs to two tasks");
      known = id;
    }
  }
  return Error::success();
}

static Error verifyTask(const Task &task) {
  for (const AccessClass &accessClass : task.pattern.classes)
    for (const AccessClass::Write &write : accessClass.writes)
      if (write.stage < 1)
        return createStringError("task '" + task.name + "': a write happens at stage 1 or later");
  if (task.phases.empty() || task.trips % task.phases.size() != 0)
    return createStringError("task '" + task.name + "': the trips end in the middle of its phases");
  int64_t tables = 0;
  for (const Phase &phase : task.phases)
    tables += task.trips / task.phases.size() * phase.tables;
  if (task.pattern.sequence.size() != static_cast<size_t>(tables))
    return createStringError("task '" + task.name +
                             "': the access pattern does not cover the trips");
  std::vector<int64_t> lastStages = getLastWriteStages(task.pattern);
  ArrayRef<int32_t> sequence = task.pattern.sequence;
  for (int64_t trip = 0; trip < task.trips; ++trip) {
    const Phase &phase = task.getPhase(trip);
    bool isDeep = all_of(sequence.take_front(phase.tables),
                         [&](int32_t table) { return lastStages[table] < phase.depth; });
    if (phase.ii < 1 || !isDeep)
      return createStringError("task '" + task.name +
                               "': the interval must be at least 1 and the pipeline deeper than "
                               "every write stage; was the task scheduled?");
    sequence = sequence.drop_front(phase.tables);
  }
  for (const Acquire &acquire : task.acquires)
    if (acquire.period < 1 || task.trips % acquire.period != 0 ||
        acquire.period % task.phases.size() != 0)
      return createStringError("task '" + task.name + "': a block is held beyond the last trip");
  return Error::success();
}

Error Machine::verify() const {
  for (const Task &task : tasks)
    if (Error error = verifyTask(task))
      return error;
  if (Error error = verifyBursts(*this))
    return error;
  TokenCounts tokens = countTokens();
  for (auto [index, fifo] : enumerate(fifos)) {
    if (fifo.writer < 0 || fifo.reader < 0)
      return createStringError("FIFO '" + fifo.name + "' has no " +
                               (fifo.writer < 0 ? "writer" : "reader"));
    int64_t writes = tokens.written[index], reads = tokens.read[index];
    if (writes != reads)
      return createStringError("FIFO '" + fifo.name + "': task '" + tasks[fifo.writer].name +
                               "' writes " + Twine(writes) + " tokens in one activation, task '" +
                               tasks[fifo.reader].name + "' reads " + Twine(reads));
  }
  for (auto [index, buffer] : enumerate(buffers)) {
    if (buffer.writer < 0 || buffer.reader < 0)
      return createStringError("buffer '" + buffer.name + "' has no " +
                               (buffer.writer < 0 ? "writer" : "reader"));
    int64_t moved[2] = {0, 0};
    for (int32_t task : {buffer.writer, buffer.reader})
      for (const Acquire &acquire : tasks[task].acquires)
        if (acquire.buffer == static_cast<int32_t>(index))
          moved[acquire.writes] = tasks[task].trips / acquire.period;
    if (moved[0] != moved[1])
      return createStringError("buffer '" + buffer.name + "': task '" + tasks[buffer.writer].name +
                               "' fills " + Twine(moved[1]) + " blocks in one activation, task '" +
                               tasks[buffer.reader].name + "' empties " + Twine(moved[0]));
  }
  return Error::success();
}

} // namespace streamtensor::sim
