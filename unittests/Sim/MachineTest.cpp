//===- MachineTest.cpp - What every algorithm on machines assumes ---------===//

#include "RandomMachine.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <array>
#include <functional>

using namespace streamtensor::sim;

namespace {

/// Three tasks: "first" hands eight tokens to "second" and eight blocks to "third". Two of them
/// begin a burst in their first iteration, each over a way of its own.
Machine machine() {
  auto task = [](const char *name, AccessClass accesses, int64_t trips) {
    Task result;
    result.name = name;
    result.trips = trips;
    result.pattern = {{std::move(accesses)}, {{{0, 8 / trips}}}, {}};
    result.pattern.sequence.assign(trips, 0);
    result.phases = {{1, 2, 1, 8 / trips}};
    return result;
  };
  Machine machine = emptyMachine();
  machine.fifos = {{"tokens", 0, 1, 8, 32}};
  machine.buffers = {{"blocks", 0, 2, 2}};
  machine.channels = {{"channel", 32, 1}};
  machine.ways = {{"near", 0}, {"far", 0}};
  machine.tasks = {task("first", {{}, {{0, 1}}}, 8), task("second", {{0}, {}}, 1),
                   task("third", {{}, {}}, 8)};
  machine.tasks[0].acquires = {{0, true, 1}};
  machine.tasks[2].acquires = {{0, false, 1}};
  machine.tasks[0].bursts = {{0, 0, 64}};
  machine.tasks[1].bursts = {{0, 1, 64}};
  return machine;
}

struct Fault {
  const char *said;
  std::function<void(Machine &)> make;
};

/// One fault each, and what is said about it.
TEST(Machine, EachFaultIsFound) {
  EXPECT_EQ(llvm::toString(machine().verify()), "");
  std::vector<Fault> faults = {
      {"FIFO 'tokens' has no writer", [](Machine &m) { m.fifos[0].writer = -1; }},
      {"FIFO 'tokens' has no reader", [](Machine &m) { m.fifos[0].reader = -1; }},
      {"writes 8 tokens in one activation, task 'second' reads 7",
       [](Machine &m) {
         m.tasks[1].pattern.tables = {{{0, 7}}};
         m.tasks[1].phases[0].iterations = 7;
       }},
      {"buffer 'blocks' has no writer", [](Machine &m) { m.buffers[0].writer = -1; }},
      {"buffer 'blocks' has no reader", [](Machine &m) { m.buffers[0].reader = -1; }},
      {"fills 4 blocks in one activation, task 'third' empties 8",
       [](Machine &m) { m.tasks[0].acquires[0].period = 2; }},
      {"a write happens at stage 1 or later",
       [](Machine &m) { m.tasks[0].pattern.classes[0].writes[0].stage = 0; }},
      {"the trips end in the middle of its phases", [](Machine &m) { m.tasks[0].phases.clear(); }},
      {"the trips end in the middle of its phases",
       [](Machine &m) { m.tasks[0].phases.assign(3, m.tasks[0].phases[0]); }},
      {"the interval must be at least 1", [](Machine &m) { m.tasks[1].phases[0].ii = 0; }},
      {"the pipeline deeper than every write stage",
       [](Machine &m) { m.tasks[0].phases[0].depth = 1; }},
      {"the access pattern does not cover the trips",
       [](Machine &m) { m.tasks[0].pattern.sequence.push_back(0); }},
      {"a block is held beyond the last trip",
       [](Machine &m) { m.tasks[0].acquires[0].period = 3; }},
      {"a block is held beyond the last trip",
       [](Machine &m) { m.tasks[0].acquires[0].period = 0; }},
      {"bursts come in order", [](Machine &m) { m.tasks[0].bursts[0].iteration = -1; }},
      {"way 'near' to memory belongs to two tasks",
       [](Machine &m) { m.tasks[1].bursts[0].way = 0; }},
      {"bursts come in order", [](Machine &m) { m.tasks[0].bursts[0].bytes = 0; }},
      {"bursts come in order", [](Machine &m) { m.tasks[0].bursts[0].iteration = 8; }},
      {"bursts come in order", [](Machine &m) { m.tasks[0].bursts = {{3, 0, 64}, {3, 0, 64}}; }},
      {"bursts come in order", [](Machine &m) { m.tasks[0].bursts = {{3, 0, 64}, {2, 0, 64}}; }},
  };
  for (const Fault &fault : faults) {
    Machine broken = machine();
    fault.make(broken);
    std::string said = llvm::toString(broken.verify());
    EXPECT_NE(said.find(fault.said), std::string::npos) << fault.said << ": " << said;
  }
}

/// What is at its limit is no fault: the last iteration, the deepest write but one, two ways in one
/// iteration, a block held over all trips.
TEST(Machine, WhatIsAtItsLimitIsAllowed) {
  Machine limit = machine();
  limit.tasks[0].bursts = {{7, 0, 1}};
  limit.ways.push_back({"third", 0});
  limit.tasks[1].bursts = {{0, 1, 64}, {0, 2, 64}, {1, 1, 64}};
  limit.tasks[0].acquires[0].period = 8;
  limit.tasks[2].acquires[0].period = 8;
  EXPECT_EQ(llvm::toString(limit.verify()), "");
}

/// Who stands where in the list of tasks says nothing.
TEST(Machine, TasksMayStandInAnyOrder) {
  std::array<int32_t, 3> place = {0, 1, 2};
  do {
    Machine moved = machine();
    for (int32_t task : {0, 1, 2})
      moved.tasks[place[task]] = machine().tasks[task];
    moved.fifos[0].writer = place[0];
    moved.fifos[0].reader = place[1];
    moved.buffers[0].writer = place[0];
    moved.buffers[0].reader = place[2];
    EXPECT_EQ(llvm::toString(moved.verify()), "");
  } while (std::next_permutation(place.begin(), place.end()));
}

} // namespace
