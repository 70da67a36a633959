//===- RandomMachine.h - Small machines at random ---------------*- C++ -*-===//

#ifndef STREAMTENSOR_UNITTESTS_SIM_RANDOMMACHINE_H
#define STREAMTENSOR_UNITTESTS_SIM_RANDOMMACHINE_H

#include "streamtensor/Sim/Machine.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <rapidcheck.h>

namespace streamtensor::sim {

inline int64_t pick(int64_t least, int64_t most) {
  return *rc::gen::noShrink(rc::gen::inRange<int64_t>(least, most + 1));
}

/// Of a simulation.
inline int64_t randomQuantum() { return int64_t(1) << pick(0, 10); }

/// A divisor of `number`.
inline int64_t pickDivisor(int64_t number) {
  int64_t divisor = pick(1, number);
  return number % divisor == 0 ? divisor : 1;
}

/// The class of one iteration, found or added.
inline int32_t internClass(AccessPattern &pattern, const AccessClass &accesses) {
  auto it = llvm::find(pattern.classes, accesses);
  if (it == pattern.classes.end()) {
    pattern.classes.push_back(accesses);
    return pattern.classes.size() - 1;
  }
  return it - pattern.classes.begin();
}

/// Which iterations access, `count` of `total`: in order from a start with a
/// stride where that fits, else anywhere.
inline std::vector<bool> pickIterations(int64_t count, int64_t total) {
  std::vector<bool> chosen(total, false);
  int64_t stride = std::max<int64_t>(1, pick(1, std::max<int64_t>(1, total / count)));
  int64_t start = pick(0, total - 1 - (count - 1) * stride);
  if (pick(0, 3) > 0) {
    for (int64_t index = 0; index < count; ++index)
      chosen[start + index * stride] = true;
    return chosen;
  }
  for (int64_t left = count; left > 0;) {
    int64_t index = pick(0, total - 1);
    left -= !chosen[index];
    chosen[index] = true;
  }
  return chosen;
}

/// A machine without tasks, with the figures of a usual card.
inline Machine emptyMachine() {
  Machine machine;
  machine.fifoRules = {/*shiftRegisterLatency=*/1, /*ramLatency=*/2, /*shiftRegisterBits=*/1024,
                       /*shiftRegisterDepth=*/2, /*minimumDepth=*/2};
  return machine;
}

/// Two tokens of a FIFO in an iteration ask for an interval of two, in every phase.
inline bool canTakeTwo(const Task &task) {
  return llvm::all_of(task.phases, [](const Phase &phase) { return phase.ii > 1; });
}

/// Up to two ways to channels, and iterations that start bursts over them.
inline void addBursts(Machine &machine, Task &task, int64_t iterations) {
  int32_t first = machine.ways.size();
  for (int64_t way = machine.channels.empty() ? 0 : pick(0, 2); way > 0; --way)
    machine.ways.push_back({"w" + std::to_string(machine.ways.size()),
                            static_cast<int32_t>(pick(0, machine.channels.size() - 1))});
  for (int64_t iteration = 0; iteration < iterations; ++iteration)
    for (int32_t way = first; way < static_cast<int32_t>(machine.ways.size()); ++way)
      if (pick(0, 3) == 0)
        task.bursts.push_back({iteration, way, pick(1, 40)});
}

/// The iterations that access a FIFO which goes back: mostly early ones write and late ones read
/// it, so that the machine may end.
inline std::vector<bool> pickIterationsBack(int64_t count, int64_t total, bool reads) {
  if (pick(0, 5) == 0)
    return pickIterations(count, total);
  std::vector<bool> chosen(total, false);
  int64_t start = pick(0, (total - count) / 3);
  for (int64_t index = 0; index < count; ++index)
    chosen[reads ? total - 1 - start - index : start + index] = true;
  return chosen;
}

/// A graph of tasks joined by FIFOs and block buffers; if it is `cyclic`, with FIFOs from later
/// tasks to earlier ones.
inline Machine randomMachine(bool cyclic = false) {
  Machine machine = emptyMachine();
  machine.fifoRules->ramLatency = pick(1, 2);
  machine.fifoRules->shiftRegisterBits = 64;
  machine.entry = pick(0, 2);
  machine.swap = pick(0, 2);
  int32_t tasks = pick(2, 6);
  // Numbers with many divisors: blocks are held for one trip or several.
  std::vector<int64_t> trips, tokens, activations;
  for (int32_t id = 0; id < tasks; ++id)
    trips.push_back(std::array{1, 2, 3, 4, 4, 6}[pick(0, 5)]);
  for (int32_t reader = 1; reader < tasks; ++reader)
    for (int64_t edges = pick(1, 2); edges > 0; --edges) {
      int32_t writer = pick(0, reader - 1);
      if (pick(0, 4) == 0) {
        machine.buffers.push_back(
            {"b" + std::to_string(machine.buffers.size()), writer, reader, pick(1, 3)});
        activations.push_back(pickDivisor(std::gcd(trips[writer], trips[reader])));
        continue;
      }
      std::string name = "f" + std::to_string(machine.fifos.size());
      int64_t depth = pick(0, 4) ? pick(1, 6) : 0;
      machine.fifos.push_back(
          {name, writer, reader, depth, 32, machine.fifoRules->getLatency(32, depth)});
      tokens.push_back(pick(1, 12));
    }
  for (int64_t edges = cyclic ? pick(1, 2) : 0; edges > 0; --edges) {
    int32_t reader = pick(0, tasks - 2), writer = pick(reader + 1, tasks - 1);
    int64_t depth = pick(0, 4) ? pick(1, 8) : 0;
    machine.fifos.push_back({"back" + std::to_string(edges), writer, reader, depth, 32,
                             machine.fifoRules->getLatency(32, depth), /*isBack=*/true});
    tokens.push_back(pick(1, 6));
  }
  for (int64_t channel = pick(0, 2); channel > 0; --channel)
    machine.channels.push_back(
        {"c" + std::to_string(machine.channels.size()), pick(1, 9), pick(1, 3)});
  for (int32_t id = 0; id < tasks; ++id) {
    Task task;
    task.name = "t" + std::to_string(id);
    task.freezesOnEmpty = pick(0, 3) == 0;
    for (auto [index, buffer] : llvm::enumerate(machine.buffers))
      if (buffer.writer == id || buffer.reader == id)
        task.acquires.push_back(
            {static_cast<int32_t>(index), buffer.writer == id, trips[id] / activations[index]});
    task.trips = trips[id];
    // Trips may go through phases of their own intervals and depths; blocks are held for whole
    // rounds.
    int64_t common = task.trips;
    for (const Acquire &acquire : task.acquires)
      common = std::gcd(common, acquire.period);
    task.phases.assign(pick(0, 2) == 0 ? pickDivisor(common) : 1, Phase());
    for (Phase &phase : task.phases)
      phase.ii = pick(1, 3);
    int64_t perTrip = pick(12 / trips[id] + 1, 20);
    int64_t total = perTrip * trips[id];
    std::vector<AccessClass> iterations(total);
    for (auto [index, fifo] : llvm::enumerate(machine.fifos)) {
      if (fifo.reader != id && fifo.writer != id)
        continue;
      // Two tokens in an iteration ask for an interval of two.
      int64_t together = tokens[index] % 2 == 0 && canTakeTwo(task) && pick(0, 2) == 0 ? 2 : 1;
      std::vector<bool> chosen =
          fifo.isBack ? pickIterationsBack(tokens[index] / together, total, fifo.reader == id)
                      : pickIterations(tokens[index] / together, total);
      int32_t stage = pick(1, 6);
      for (int64_t iteration = 0; iteration < total; ++iteration) {
        if (!chosen[iteration])
          continue;
        for (int32_t token = 0; token < together; ++token)
          if (fifo.reader == id)
            iterations[iteration].reads.push_back(index);
          else
            iterations[iteration].writes.push_back({static_cast<int32_t>(index), stage + token});
      }
    }
    for (int64_t trip = 0; trip < trips[id]; ++trip) {
      std::vector<Run> table;
      for (int64_t iteration = trip * perTrip; iteration < (trip + 1) * perTrip; ++iteration) {
        AccessClass accesses = iterations[iteration];
        llvm::sort(accesses.writes, [](auto a, auto b) { return a.stage < b.stage; });
        int32_t accessClass = internClass(task.pattern, accesses);
        if (!table.empty() && table.back().accessClass == accessClass)
          ++table.back().length;
        else
          table.push_back({accessClass, 1});
      }
      task.pattern.sequence.push_back(task.pattern.tables.size());
      task.pattern.tables.push_back(table);
    }
    for (int64_t iteration = 1; iteration < total; ++iteration)
      if (pick(0, 15) == 0)
        task.gaps.push_back({iteration, pick(1, 5)});
    addBursts(machine, task, total);
    for (Phase &phase : task.phases) {
      phase.iterations = perTrip;
      phase.depth = task.getLastWriteStage() + pick(1, 3);
    }
    machine.tasks.push_back(task);
  }
  return machine;
}

} // namespace streamtensor::sim

#endif
