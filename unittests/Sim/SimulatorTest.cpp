//===- SimulatorTest.cpp - The simulator against literal stepping ---------===//

#include "RandomMachine.h"
#include "ReferenceSimulator.h"

#include "gtest/gtest.h"

using namespace streamtensor::sim;

namespace {

std::vector<int64_t> highWaterMarks(const SimResult &result) {
  std::vector<int64_t> depths;
  for (const FifoResult &fifo : result.fifos)
    depths.push_back(std::max<int64_t>(1, fifo.highWater));
  return depths;
}

/// Most slots in use at once, from the cycles of writes and reads.
int64_t countHighWater(const std::vector<int64_t> &writes, const std::vector<int64_t> &reads) {
  int64_t highest = 0;
  for (size_t token = 0; token < writes.size(); ++token) {
    int64_t freed = llvm::count_if(reads, [&](int64_t read) { return read < writes[token]; });
    highest = std::max<int64_t>(highest, token + 1 - freed);
  }
  return highest;
}

void expectEqual(const Machine &machine, const SimOptions &options) {
  ReferenceResult expected = simulateByCycle(unroll(machine), options);
  SimResult actual = simulate(machine, options);
  RC_ASSERT(actual.completed() == expected.completed);
  for (size_t fifo = 0; fifo < machine.fifos.size(); ++fifo)
    RC_ASSERT(actual.fifos[fifo].tokens == static_cast<int64_t>(expected.writes[fifo].size()));
  RC_ASSERT(actual.cycles == expected.cycles);
  for (size_t task = 0; task < machine.tasks.size(); ++task)
    RC_ASSERT(actual.tasks[task].end == expected.ends[task]);
  if (!expected.completed) {
    RC_ASSERT(!actual.waits.empty());
    return;
  }
  for (size_t channel = 0; channel < machine.channels.size(); ++channel)
    RC_ASSERT(actual.channels[channel].bytes == expected.bytes[channel]);
  for (size_t fifo = 0; fifo < machine.fifos.size(); ++fifo)
    RC_ASSERT(actual.fifos[fifo].highWater ==
              countHighWater(expected.writes[fifo], expected.reads[fifo]));
}

TEST(Simulator, GivesTheCyclesOfLiteralStepping) {
  EXPECT_TRUE(rc::check([] {
    Machine machine = randomMachine();
    RC_ASSERT(!machine.verify());
    expectEqual(machine, {});
  }));
}

TEST(Simulator, GivesTheCyclesOfLiteralSteppingWithOneIterationInFlight) {
  EXPECT_TRUE(rc::check([] {
    SimOptions options;
    options.oneInFlight = true;
    expectEqual(randomMachine(), options);
  }));
}

TEST(Simulator, GivesTheCyclesOfLiteralSteppingUnbounded) {
  EXPECT_TRUE(rc::check([] {
    SimOptions options;
    options.unbounded = true;
    expectEqual(randomMachine(), options);
  }));
}

/// Tasks that give to each other in a circle, through FIFOs that go back.
TEST(Simulator, GivesTheCyclesOfLiteralSteppingOnCycles) {
  int drawn = 0, completed = 0;
  EXPECT_TRUE(rc::check([&] {
    Machine machine = randomMachine(/*cyclic=*/true);
    RC_ASSERT(!machine.verify());
    SimOptions options;
    options.oneInFlight = pick(0, 2) == 0;
    options.unbounded = pick(0, 3) == 0;
    expectEqual(machine, options);
    ++drawn;
    completed += simulate(machine, options).completed();
  }));
  EXPECT_GT(20 * completed, drawn);
  EXPECT_GT(20 * (drawn - completed), drawn);
}

TEST(Simulator, HighWaterMarksAreDepthsWithoutAnyStall) {
  EXPECT_TRUE(rc::check([] {
    Machine machine = randomMachine();
    machine.fifoRules->ramLatency = machine.fifoRules->shiftRegisterLatency;
    for (Fifo &fifo : machine.fifos)
      fifo.latency = machine.fifoRules->shiftRegisterLatency;
    SimOptions unbounded;
    unbounded.unbounded = true;
    SimResult free = simulate(machine, unbounded);
    RC_PRE(free.completed());
    SimResult sized = simulate(machine, highWaterMarks(free));
    RC_ASSERT(sized.completed());
    RC_ASSERT(sized.cycles == free.cycles);
    RC_ASSERT(sized.criticalFifos.empty());
  }));
}

/// A fork whose second reader starts only after `first` tokens have passed the first.
Machine forkAndJoin(int64_t depth) {
  Machine machine = emptyMachine();
  machine.name = "fork_join";
  machine.fifos = {{"direct", 0, 2, depth, 32}, {"around", 0, 1, 2, 32}, {"back", 1, 2, 2, 32}};
  auto task = [](const char *name, std::vector<AccessClass> classes, std::vector<Run> runs) {
    Task result;
    result.name = name;
    int64_t iterations = 0;
    for (const Run &run : runs)
      iterations += run.length;
    result.pattern.classes = std::move(classes);
    result.pattern.tables = {std::move(runs)};
    result.pattern.sequence = {0};
    result.phases = {{1, 3, 1, iterations}};
    return result;
  };
  machine.tasks = {task("fork", {{{}, {{0, 1}, {1, 1}}}}, {{0, 8}}),
                   task("sum", {{{1}, {}}, {{1}, {{2, 2}}}}, {{0, 7}, {1, 1}}),
                   task("join", {{{0, 2}, {}}, {{0}, {}}}, {{0, 1}, {1, 7}})};
  return machine;
}

TEST(Simulator, ADeadlockNamesTheCycleOfWaitingTasks) {
  SimResult result = simulate(forkAndJoin(2));
  ASSERT_EQ(result.status, SimResult::Status::Deadlock);
  // fork waits for a slot of `direct`, join for the sum, sum for the fork.
  ASSERT_EQ(result.waitCycle.size(), 3u);
  bool full = false;
  for (const Wait &wait : result.waitCycle)
    if (wait.kind == WaitKind::Slot) {
      full = true;
      EXPECT_EQ(wait.channel, 0);
      EXPECT_EQ(wait.occupancy, 2);
    }
  EXPECT_TRUE(full);
  EXPECT_TRUE(simulate(forkAndJoin(8)).completed());
}

TEST(Simulator, CriticalFifosAreThoseWhoseSlotsDelayTheEnd) {
  SimOptions unbounded;
  unbounded.unbounded = true;
  int64_t best = simulate(forkAndJoin(8), unbounded).cycles;
  for (int64_t depth = 1; depth <= 12; ++depth) {
    SimResult result = simulate(forkAndJoin(depth));
    if (result.completed() && result.cycles > best)
      EXPECT_FALSE(result.criticalFifos.empty()) << depth;
  }
}

TEST(Simulator, BurstsComeInOrderWithinTheActivation) {
  Machine machine = forkAndJoin(8);
  machine.ways = {{"gmem", 0}};
  auto verifies = [&](std::vector<Burst> bursts) {
    machine.tasks[0].bursts = std::move(bursts);
    return !llvm::errorToBool(machine.verify());
  };
  EXPECT_TRUE(verifies({{0, 0, 64}, {7, 0, 64}}));
  EXPECT_FALSE(verifies({{7, 0, 64}, {0, 0, 64}}));
  EXPECT_FALSE(verifies({{7, 0, 64}, {7, 0, 64}}));
  EXPECT_FALSE(verifies({{8, 0, 64}})); // of eight iterations
  EXPECT_FALSE(verifies({{0, 0, 0}}));
}

TEST(Simulator, TheLimitOnStepsIsAStatus) {
  SimOptions options;
  options.maxSteps = 3;
  EXPECT_EQ(simulate(forkAndJoin(8), options).status, SimResult::Status::StepLimit);
}

} // namespace
