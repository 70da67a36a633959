//===- SimulatorTest.cpp - The simulator against literal stepping ---------===//

#include "RandomMachine.h"
#include "ReferenceSimulator.h"

#include "gtest/gtest.h"

#include <map>
#include <numeric>

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

/// A wait counts for what comes last.
void expectEqual(const TaskResult &actual, const ReferenceTimes &expected) {
  RC_ASSERT(actual.start == expected.start);
  RC_ASSERT(actual.busy == expected.busy);
  RC_ASSERT(actual.memoryStall == expected.memoryStall);
  int64_t either = actual.inputStall - expected.inputStall;
  RC_ASSERT(either >= 0 && either <= expected.eitherStall);
  RC_ASSERT(actual.outputStall == expected.outputStall + expected.eitherStall - either);
}

/// The critical FIFOs are those of one of the chains of events that lead to the end.
void expectEqual(const Machine &machine, SimOptions options) {
  options.quantum = randomQuantum();
  ReferenceResult expected = simulateByCycle(unroll(machine), options, /*followsChains=*/true);
  SimResult actual = simulate(machine, options);
  RC_ASSERT(actual.completed() == expected.completed);
  for (size_t fifo = 0; fifo < machine.fifos.size(); ++fifo)
    RC_ASSERT(actual.fifos[fifo].tokens == static_cast<int64_t>(expected.writes[fifo].size()));
  RC_ASSERT(actual.cycles == expected.cycles);
  for (size_t task = 0; task < machine.tasks.size(); ++task)
    RC_ASSERT(actual.tasks[task].end == expected.tasks[task].end);
  if (!expected.completed) {
    RC_ASSERT(!actual.waits.empty());
    return;
  }
  std::vector<int64_t> tokens = machine.getTokens();
  RC_ASSERT(tokens.size() == machine.fifos.size());
  for (size_t fifo = 0; fifo < machine.fifos.size(); ++fifo)
    RC_ASSERT(tokens[fifo] == static_cast<int64_t>(expected.writes[fifo].size()));
  for (size_t channel = 0; channel < machine.channels.size(); ++channel)
    RC_ASSERT(actual.channels[channel].bytes == expected.bytes[channel]);
  for (size_t fifo = 0; fifo < machine.fifos.size(); ++fifo)
    RC_ASSERT(actual.fifos[fifo].highWater ==
              countHighWater(expected.writes[fifo], expected.reads[fifo]));
  for (size_t task = 0; task < machine.tasks.size(); ++task)
    expectEqual(actual.tasks[task], expected.tasks[task]);
  uint64_t critical = 0;
  for (int32_t fifo : actual.criticalFifos)
    critical |= uint64_t(1) << fifo;
  RC_ASSERT(expected.chains.contains(critical));
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

bool isEqual(const Span &one, const Span &other) {
  return one.task == other.task && one.kind == other.kind && one.begin == other.begin &&
         one.end == other.end;
}

/// Stalls as long as counted, and the trips of each task one after the other to its end.
TEST(Simulator, SpansAreStallsAndTripsOfTheLeastLength) {
  EXPECT_TRUE(rc::check([] {
    Machine machine = randomMachine();
    SimOptions options;
    options.recordSpans = true;
    options.minSpan = 1;
    SimResult result = simulate(machine, options);
    RC_PRE(result.completed());
    for (int32_t task = 0, e = machine.tasks.size(); task < e; ++task) {
      int64_t trips = 0, end = machine.entry;
      std::map<Span::Kind, int64_t> stalls;
      for (const Span &span : result.spans) {
        if (span.task != task)
          continue;
        if (span.kind == Span::Kind::Trip) {
          RC_ASSERT(span.begin == std::exchange(end, span.end));
          ++trips;
        } else {
          stalls[span.kind] += span.end - span.begin;
        }
      }
      RC_ASSERT(trips == machine.tasks[task].trips);
      RC_ASSERT(end == result.tasks[task].end);
      RC_ASSERT(stalls[Span::Kind::InputStall] == result.tasks[task].inputStall);
      RC_ASSERT(stalls[Span::Kind::OutputStall] == result.tasks[task].outputStall);
      RC_ASSERT(stalls[Span::Kind::MemoryStall] == result.tasks[task].memoryStall);
    }
    options.minSpan = pick(2, 6);
    options.maxSpans = pick(0, 20);
    std::vector<Span> expected;
    for (const Span &span : result.spans)
      if (span.end - span.begin >= options.minSpan && expected.size() < options.maxSpans)
        expected.push_back(span);
    std::vector<Span> actual = simulate(machine, options).spans;
    RC_ASSERT(std::equal(actual.begin(), actual.end(), expected.begin(), expected.end(), isEqual));
  }));
}

Task task(const char *name, std::vector<AccessClass> classes, std::vector<Run> runs,
          int64_t depth = 3) {
  Task result;
  result.name = name;
  int64_t iterations = 0;
  for (const Run &run : runs)
    iterations += run.length;
  result.pattern.classes = std::move(classes);
  result.pattern.tables = {std::move(runs)};
  result.pattern.sequence = {0};
  result.phases = {{1, depth, 1, iterations}};
  return result;
}

/// A fork whose second reader starts only after `first` tokens have passed the first.
Machine forkAndJoin(int64_t depth) {
  Machine machine = emptyMachine();
  machine.name = "fork_join";
  machine.fifos = {{"direct", 0, 2, depth, 32}, {"around", 0, 1, 2, 32}, {"back", 1, 2, 2, 32}};
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

/// "first" and "second" ask each other for a token. "first" has written before into a FIFO that was
/// full until "late" wrote, and is full again: what it waits for in the end is the token, and not a
/// slot. None can be enlarged: the cycle is told from the first task that waits.
TEST(Simulator, AWriteThatHasFoundItsSlotIsNoWait) {
  Machine machine = emptyMachine();
  enum { full, slow, ask, answer, more, last, rest };
  machine.fifos = {{"full", 0, 2, 1}, {"slow", 3, 2, 1}, {"ask", 0, 1, 1}, {"answer", 1, 0, 1},
                   {"more", 1, 3, 1}, {"last", 3, 1, 1}, {"rest", 1, 2, 1}};
  machine.tasks = {
      task("first", {{{}, {{full, 5}}}, {{answer}, {{ask, 1}}}}, {{0, 2}, {1, 1}}, 6),
      task("second", {{{ask}, {{answer, 1}, {more, 1}}}, {{last}, {{rest, 1}}}}, {{0, 1}, {1, 1}}),
      task("reader", {{{full, slow}, {}}, {{full, rest}, {}}}, {{0, 1}, {1, 1}}),
      task("late", {{{}, {{slow, 9}}}, {{more}, {{last, 1}}}}, {{0, 1}, {1, 1}}, 10)};
  ASSERT_FALSE(machine.verify());
  SimResult result = simulate(machine);
  ASSERT_EQ(result.status, SimResult::Status::Deadlock);
  EXPECT_EQ(result.fifos[full].tokens, 2);
  ASSERT_EQ(result.waitCycle.size(), 2u);
  EXPECT_EQ(result.waitCycle.front().task, 0);
  for (const Wait &wait : result.waitCycle)
    EXPECT_EQ(wait.kind, WaitKind::Token);
}

/// "first" has a write to a full FIFO in flight when it asks "second" for a token. A pipeline that
/// flushes would stand still for the slot; one that freezes does not get there.
TEST(Simulator, APipelineThatFreezesWaitsForItsTokenAlone) {
  Machine machine = emptyMachine();
  enum { full, ask, answer, more };
  machine.fifos = {{"full", 0, 2, 1}, {"ask", 0, 1, 1}, {"answer", 1, 0, 1}, {"more", 1, 2, 1}};
  machine.tasks = {task("first", {{{}, {{full, 1}}}, {{}, {{full, 5}}}, {{answer}, {{ask, 1}}}},
                        {{0, 1}, {1, 1}, {2, 1}}, 6),
                   task("second", {{{ask}, {{answer, 1}, {more, 1}}}}, {{0, 1}}),
                   task("reader", {{{full, more}, {}}, {{full}, {}}}, {{0, 1}, {1, 1}})};
  ASSERT_FALSE(machine.verify());
  for (bool freezes : {false, true}) {
    machine.tasks[0].freezesOnEmpty = freezes;
    SimResult result = simulate(machine);
    ASSERT_EQ(result.status, SimResult::Status::Deadlock);
    EXPECT_EQ(result.waits[0].kind, freezes ? WaitKind::Token : WaitKind::Slot);
    EXPECT_EQ(result.waitCycle.size(), freezes ? 2u : 3u);
  }
}

/// Who waits for the cycle and is no part of it is left out. It is told from the first task that
/// waits, if that is a part of it, on to the first that can be enlarged, and from there.
TEST(Simulator, InADeadlockEachTaskOfTheCycleWaitsForTheNext) {
  int outside = 0, mixed = 0;
  auto isFull = [](const Wait &wait) {
    return wait.kind == WaitKind::Slot || wait.kind == WaitKind::FreeBlock;
  };
  EXPECT_TRUE(rc::check([&] {
    SimResult result = simulate(randomMachine(/*cyclic=*/true));
    if (result.status != SimResult::Status::Deadlock)
      return;
    const std::vector<Wait> &cycle = result.waitCycle;
    RC_ASSERT(!cycle.empty());
    std::vector<int32_t> tasks;
    for (auto [index, wait] : llvm::enumerate(cycle)) {
      RC_ASSERT(wait.peer == cycle[(index + 1) % cycle.size()].task);
      RC_ASSERT(!llvm::is_contained(tasks, wait.task));
      tasks.push_back(wait.task);
    }
    RC_ASSERT(isFull(cycle.front()) || llvm::none_of(cycle, isFull));
    auto first = llvm::find_if(
        cycle, [&](const Wait &wait) { return wait.task == result.waits.front().task; });
    if (first != cycle.begin() && first != cycle.end()) {
      RC_ASSERT(isFull(cycle.front()));
      RC_ASSERT(std::none_of(first, cycle.end(), isFull));
    }
    outside += cycle.size() < result.waits.size();
    mixed += llvm::any_of(cycle, isFull) && !llvm::all_of(cycle, isFull);
  }));
  EXPECT_GT(outside, 0);
  EXPECT_GT(mixed, 0);
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

/// The second write of "first" freezes from cycle 2 to cycle 5, until "reader" has read the first
/// at cycle 4. Of the same iteration, "result" is therefore written at cycle 12 instead of 9, read
/// at 13, and all ends at 13 + 10. That the next iteration waits for "source" until cycle 7, longer
/// than the freeze, delays no write of this one.
TEST(Simulator, AWriteIsLateByTheLastFreezeNotByTheWaitOfALaterIteration) {
  Machine machine = emptyMachine();
  enum { full, token, result };
  machine.fifos = {{"full", 0, 1, 1}, {"token", 2, 0, 2}, {"result", 0, 3, 2}};
  machine.tasks = {task("first", {{{}, {{full, 1}}}, {{}, {{full, 1}, {result, 8}}}, {{token}, {}}},
                        {{0, 1}, {1, 1}, {2, 1}}, 10),
                   task("reader", {{{}, {}}, {{full}, {}}}, {{0, 4}, {1, 2}}),
                   task("source", {{{}, {{token, 6}}}}, {{0, 1}}, 7),
                   task("last", {{{result}, {}}}, {{0, 1}}, 10)};
  ASSERT_FALSE(machine.verify());
  SimResult found = simulate(machine);
  EXPECT_EQ(found.cycles, 23);
  EXPECT_EQ(found.criticalFifos, std::vector<int32_t>{full});
  machine.fifos[full].depth = 2;
  found = simulate(machine);
  EXPECT_EQ(found.cycles, 20);
  EXPECT_TRUE(found.criticalFifos.empty());
}

/// Without shared memory, whose turns are no part of a path. A pipeline that flushes may stand
/// still before or after a token comes, so that now and then an earlier token makes a run slower,
/// or a later one faster.
TEST(Simulator, FifosThatAreNotCriticalMakeNoRunFaster) {
  int flushing = 0, changed = 0, limited = 0;
  EXPECT_TRUE(rc::check([&] {
    Machine machine = randomMachine();
    bool freezes = pick(0, 1);
    for (Task &task : machine.tasks) {
      task.bursts.clear();
      task.freezesOnEmpty |= freezes;
    }
    for (Fifo &fifo : machine.fifos)
      fifo.latency = machine.fifoRules->shiftRegisterLatency;
    SimResult result = simulate(machine);
    RC_PRE(result.completed());
    limited += !result.criticalFifos.empty();
    for (auto [index, fifo] : llvm::enumerate(machine.fifos))
      if (!llvm::is_contained(result.criticalFifos, static_cast<int32_t>(index)))
        fifo.depth = 0;
    bool isSame = simulate(machine).cycles == result.cycles;
    RC_ASSERT(isSame || !freezes);
    flushing += !freezes;
    changed += !isSame;
  }));
  EXPECT_LE(changed, 1 + flushing / 200);
  EXPECT_GT(limited, 0);
}

/// "sum" writes at stage 2, so that an iteration has three stages or more.
TEST(Simulator, APipelineIsDeeperThanEveryStageThatWrites) {
  Machine machine = forkAndJoin(8);
  Phase &phase = machine.tasks[1].phases.front();
  for (int64_t depth : {1, 2, 3, 4}) {
    phase.depth = depth;
    EXPECT_EQ(llvm::errorToBool(machine.verify()), depth <= 2) << depth;
  }
  phase.ii = 0;
  EXPECT_TRUE(llvm::errorToBool(machine.verify()));
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

int64_t sumOf(const std::vector<int64_t> &values) {
  return std::accumulate(values.begin(), values.end(), int64_t(0));
}

/// The parts of the run hold all waiting, at a width by which they reach to its end.
TEST(Simulator, ActivityTellsWhereAllWaitingIs) {
  EXPECT_TRUE(rc::check([] {
    Machine machine = randomMachine();
    SimOptions options;
    options.activityParts = 8;
    SimResult result = simulate(machine, options);
    if (!result.completed())
      return;
    RC_ASSERT(result.activity.size() == machine.tasks.size());
    RC_ASSERT(8 * result.partCycles >= result.cycles);
    for (size_t task = 0; task < machine.tasks.size(); ++task) {
      const TaskResult &times = result.tasks[task];
      const TaskActivity &activity = result.activity[task];
      RC_ASSERT(sumOf(activity.input) == times.inputStall);
      RC_ASSERT(sumOf(activity.output) == times.outputStall);
      RC_ASSERT(sumOf(activity.memory) == times.memoryStall);
      RC_ASSERT(times.startStall <= std::min(times.inputStall, times.start));
    }
  }));
}

/// A reader whose first token comes in cycle 11, the next ones four cycles apart.
TEST(Simulator, ActivityIsWhereTheTaskWaits) {
  Machine machine;
  machine.tasks.resize(2);
  machine.tasks[0].phases[0] = {4, 11, 1, 8};
  machine.tasks[0].pattern = {{{{}, {{0, 10}}}}, {{{0, 8}}}, {0}};
  machine.tasks[1].phases[0] = {1, 2, 1, 8};
  machine.tasks[1].pattern = {{{{0}, {}}}, {{{0, 8}}}, {0}};
  machine.fifos = {{"f", 0, 1, 2, 32, 1}};
  SimOptions options;
  options.activityParts = 6;
  SimResult result = simulate(machine, options);
  EXPECT_EQ(result.cycles, 41);
  EXPECT_EQ(result.partCycles, 8);
  EXPECT_EQ(result.tasks[1].start, 11);
  EXPECT_EQ(result.tasks[1].startStall, 11);
  // 0-10 before the first token; then each fourth cycle, from 11 to 39, is an iteration.
  EXPECT_EQ(result.activity[1].input, (std::vector<int64_t>{8, 6, 6, 6, 6}));
}

/// 8 + 8 + 1 tokens are written and read.
TEST(Simulator, StepsAreWritesAndReads) { EXPECT_EQ(simulate(forkAndJoin(8)).steps, 34); }

TEST(Simulator, TheLimitOnStepsIsAStatus) {
  SimOptions options;
  options.maxSteps = 3;
  EXPECT_EQ(simulate(forkAndJoin(8), options).status, SimResult::Status::StepLimit);
}

/// 400 and 100 bytes on one channel of 64 bytes a cycle: of a rate r they take 400/r1 + 100/r2,
/// least where shares are as 20 to 10. The way that has a channel of its own keeps it.
TEST(Simulator, FixedSharesOfAChannelAreByTheRootOfTheBytes) {
  Machine machine;
  machine.channels = {{"shared", 64, 1}, {"own", 32, 1}};
  machine.ways = {{"large", 0}, {"small", 0}, {"alone", 1}};
  machine.tasks.resize(3);
  for (auto [way, bytes] : llvm::enumerate(std::vector<int64_t>{100, 25, 7}))
    for (int64_t burst = 0; burst < 4; ++burst)
      machine.tasks[way].bursts.push_back({burst, static_cast<int32_t>(way), bytes});
  Machine fixed = machine.withFixedShares();
  ASSERT_EQ(fixed.channels.size(), 3u);
  for (auto [way, part] : llvm::enumerate(std::vector<double>{2.0 / 3, 1.0 / 3, 1})) {
    const MemoryChannel &channel = fixed.channels[fixed.ways[way].channel];
    const MemoryChannel &before = machine.channels[machine.ways[way].channel];
    EXPECT_DOUBLE_EQ(double(channel.bytes) / channel.cycles, part * before.bytes / before.cycles);
  }
}

} // namespace
