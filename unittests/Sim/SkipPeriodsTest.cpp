//===- SkipPeriodsTest.cpp - Runs that pass periods at once ---------------===//

#include "RandomMachine.h"
#include "ReferenceSimulator.h"
#include "SameRun.h"

#include "gtest/gtest.h"

using namespace streamtensor::sim;

namespace {

/// Tables that are alike become one, so that tasks repeat in shorter periods of their own.
void joinTables(AccessPattern &pattern) {
  for (int32_t &number : pattern.sequence)
    number = llvm::find(pattern.tables, pattern.tables[number]) - pattern.tables.begin();
}

/// Iterations that are all alike become one run, as in a leaf without guards.
void joinRuns(Task &task) {
  const std::vector<Run> &first = task.pattern.tables[task.pattern.sequence.front()];
  bool isOneRun = task.acquires.empty() && task.phases.size() == 1 && first.size() == 1 &&
                  llvm::all_equal(task.pattern.sequence);
  if (!isOneRun)
    return;
  const int64_t iterations = task.getIterations();
  task.pattern.tables = {{{first.front().accessClass, iterations}}};
  task.pattern.sequence = {0};
  task.phases.front().iterations = iterations;
  task.trips = 1;
}

/// A machine that does `times` what `machine` does, all of it in one activation.
Machine repeat(Machine machine, int64_t times) {
  for (Task &task : machine.tasks) {
    joinTables(task.pattern);
    const int64_t iterations = task.getIterations();
    const std::vector<int32_t> sequence = task.pattern.sequence;
    const std::vector<BurstGap> gaps = task.gaps;
    const std::vector<Burst> bursts = task.bursts;
    for (int64_t time = 1; time < times; ++time) {
      llvm::append_range(task.pattern.sequence, sequence);
      for (BurstGap gap : gaps)
        task.gaps.push_back({gap.iteration + time * iterations, gap.cycles});
      for (Burst burst : bursts)
        task.bursts.push_back({burst.iteration + time * iterations, burst.way, burst.bytes});
    }
    task.trips *= times;
    joinRuns(task);
  }
  return machine;
}

/// The last burst of some tasks is shorter, as at the end of a tensor.
void shortenLastBursts(Machine &machine) {
  for (Task &task : machine.tasks)
    if (!task.bursts.empty() && pick(0, 1) == 0)
      task.bursts.back().bytes = std::max<int64_t>(1, task.bursts.back().bytes / pick(2, 4));
}

/// Looks for periods from the beginning and close behind landmarks, whatever it costs.
void lookAlways(SimOptions &options) {
  options.firstSkip = options.stepsPerNumber = 0;
  options.quantum = 16;
}

/// Tokens, or fewer, as ceilings of depths for a run that may stand still.
SimOptions randomOptions(const Machine &machine) {
  SimOptions options;
  options.oneInFlight = pick(0, 4) == 0;
  options.unbounded = pick(0, 3) == 0;
  if (!options.unbounded && pick(0, 2) == 0)
    options.ceilings = machine.getTokens();
  return options;
}

/// All figures are those of a run that takes every step, and a good part of the runs repeats.
TEST(SkipPeriods, RunsThatPassPeriodsAreThoseThatTakeEveryStep) {
  int drawn = 0, skipping = 0;
  EXPECT_TRUE(rc::check([&] {
    int64_t times = pick(0, 3) > 0 ? pick(2, 40) : pick(40, 400);
    Machine machine = repeat(randomMachine(/*cyclic=*/pick(0, 3) == 0), times);
    shortenLastBursts(machine);
    RC_ASSERT(!machine.verify());
    SimOptions options = randomOptions(machine);
    options.firstSkip = std::numeric_limits<int64_t>::max();
    SimResult every = simulate(machine, options);
    RC_ASSERT(every.skippedPeriods == 0);
    lookAlways(options);
    options.quantum = randomQuantum();
    if (pick(0, 7) == 0) // only now and then
      options.stepsPerNumber = 1;
    SimResult passing = simulate(machine, options);
    expectSameRun(passing, every);
    ++drawn;
    skipping += passing.skippedPeriods > 0;
  }));
  EXPECT_GT(4 * skipping, drawn);
}

/// The same against the literal stepping of cycles.
TEST(SkipPeriods, RunsThatPassPeriodsHaveTheCyclesOfLiteralStepping) {
  int drawn = 0, skipping = 0;
  EXPECT_TRUE(rc::check([&] {
    Machine machine = repeat(randomMachine(), pick(8, 16));
    SimOptions options;
    lookAlways(options);
    options.quantum = randomQuantum();
    SimResult actual = simulate(machine, options);
    ReferenceResult expected = simulateByCycle(unroll(machine), options);
    RC_ASSERT(actual.completed() == expected.completed);
    RC_ASSERT(actual.cycles == expected.cycles);
    for (size_t task = 0; task < machine.tasks.size(); ++task)
      RC_ASSERT(actual.tasks[task].end == expected.tasks[task].end);
    ++drawn;
    skipping += actual.skippedPeriods > 0;
  }));
  EXPECT_GT(8 * skipping, drawn);
}

/// A task of one phase; `table` comes `times`.
Task task(const char *name, std::vector<AccessClass> classes, std::vector<Run> table, int64_t times,
          int64_t ii = 1) {
  Task result;
  result.name = name;
  int64_t iterations = 0;
  for (const Run &run : table)
    iterations += run.length * times;
  result.pattern = {std::move(classes), {std::move(table)}, std::vector<int32_t>(times, 0)};
  result.phases = {{ii, 4, times, iterations}};
  return result;
}

/// "source" gives a token a cycle, of which "sink" takes one every three cycles. The first is
/// written in cycle 1 and taken in 2, the last of a million in 2 + 3 * 999,999, and "sink" ends 4
/// later.
TEST(SkipPeriods, MostOfAMillionTokensArePassedAtOnce) {
  constexpr int64_t tokens = 1000 * 1000;
  Machine machine = emptyMachine();
  machine.fifos = {{"between", 0, 1, 2, 32, 1}};
  machine.tasks = {task("source", {{{}, {{0, 1}}}}, {{0, 1000}}, tokens / 1000),
                   task("sink", {{{0}, {}}}, {{0, 1000}}, tokens / 1000, 3)};
  ASSERT_FALSE(machine.verify());
  SimOptions options;
  lookAlways(options);
  SimResult found = simulate(machine, options);
  EXPECT_EQ(found.cycles, 2 + 3 * (tokens - 1) + 4);
  EXPECT_EQ(found.steps, 2 * tokens);
  EXPECT_EQ(found.fifos[0].highWater, 2);
  EXPECT_GT(found.skippedPeriods, 900); // of a thousand tokens
}

/// "source" gives a row of 64 tokens to "rows" and one token to "late", which takes nothing before
/// its last row: that FIFO fills up while all else repeats, and holds a token of each row.
TEST(SkipPeriods, AFifoFillsUpWhileOthersRepeat) {
  constexpr int64_t rows = 1000;
  Machine machine = emptyMachine();
  enum { row, first };
  machine.fifos = {{"row", 0, 1, 2, 32, 1}, {"first", 0, 2, rows, 32, 2}};
  machine.tasks = {
      task("source", {{{}, {{row, 1}, {first, 1}}}, {{}, {{row, 1}}}}, {{0, 1}, {1, 63}}, rows),
      task("rows", {{{row}, {}}}, {{0, 64}}, rows),
      task("late", {{{}, {}}, {{first}, {}}}, {{0, 70 * rows}, {1, rows}}, 1)};
  ASSERT_FALSE(machine.verify());
  SimOptions options;
  lookAlways(options);
  SimResult found = simulate(machine, options);
  EXPECT_EQ(found.cycles, 71 * rows - 1 + 4);
  EXPECT_EQ(found.fifos[first].highWater, rows);
  EXPECT_GT(found.skippedPeriods, 900);
}

/// It drains as well: "early" has filled it before "late" takes a token every tenth cycle.
TEST(SkipPeriods, AFifoDrainsWhileOthersRepeat) {
  constexpr int64_t rows = 1000;
  Machine machine = emptyMachine();
  enum { full, out };
  machine.fifos = {{"full", 0, 1, rows, 32, 2}, {"out", 1, 2, 2, 32, 1}};
  machine.tasks = {task("early", {{{}, {{full, 1}}}}, {{0, rows}}, 1),
                   task("late", {{{full}, {{out, 2}}}, {{}, {{out, 2}}}}, {{0, 1}, {1, 9}}, rows),
                   task("last", {{{out}, {}}}, {{0, 10}}, rows)};
  ASSERT_FALSE(machine.verify());
  SimOptions options;
  lookAlways(options);
  SimResult found = simulate(machine, options);
  // The first token is written in cycle 1 and visible in 3, that of "late" in 6.
  EXPECT_EQ(found.cycles, 6 + 10 * rows - 1 + 4);
  EXPECT_GT(found.skippedPeriods, 400); // of two rows
}

/// "source" gives rows to two tasks in turn, and waits for memory, which it shares with "other", in
/// front of each. While it waits to give the last row to "second", "first" is behind its last
/// iteration: it waits for no row as it does before.
TEST(SkipPeriods, ATaskEndsWhileOthersRepeat) {
  constexpr int64_t rows = 1000;
  Machine machine = emptyMachine();
  machine.fifos = {{"to first", 1, 2, 2, 32, 1}, {"to second", 1, 3, 2, 32, 1}};
  machine.channels = {{"shared", 64, 1}};
  machine.ways = {{"of source", 0}, {"of other", 0}};
  Task source = task("source", {{{}, {{0, 1}}}, {{}, {{1, 1}}}}, {{0, 64}}, 2 * rows);
  source.pattern.tables = {{{0, 64}}, {{1, 64}}};
  for (int64_t trip = 1; trip < 2 * rows; trip += 2)
    source.pattern.sequence[trip] = 1;
  source.phases = {{1, 4, 1, 64}, {1, 4, 1, 64}};
  source.trips = 2 * rows;
  Task other = task("other", {{{}, {}}}, {{0, 64}}, 2 * rows);
  for (int64_t row = 0; row < 2 * rows; ++row) {
    source.bursts.push_back({64 * row, 0, 6400});
    other.bursts.push_back({64 * row, 1, 6400});
  }
  // Of these, which are alike long, the run is looked at from the first and the last.
  Task last = task("last", {{{}, {}}}, {{0, 1}}, 2 * rows);
  machine.tasks = {other, source, task("first", {{{0}, {}}}, {{0, 64 * rows}}, 1),
                   task("second", {{{1}, {}}}, {{0, 64 * rows}}, 1), last};
  ASSERT_FALSE(machine.verify());
  SimOptions options;
  options.firstSkip = std::numeric_limits<int64_t>::max();
  SimResult stepped = simulate(machine, options);
  lookAlways(options);
  SimResult found = simulate(machine, options);
  EXPECT_TRUE(found.completed());
  EXPECT_EQ(found.cycles, stepped.cycles);
  EXPECT_GT(found.skippedPeriods, rows / 2);
}

/// "fast" gives a token every 30 cycles, the first in cycle 1, and "slow" takes one every 50, the
/// first in cycle 3. The FIFO in between has room for all of them, so that each repeats at a pace
/// of its own. It holds the most when the last of 2,000 is written, in cycle 59,971: "slow" takes
/// token 1,200 in the cycle 60,003, and 800 are left with that.
TEST(SkipPeriods, PartsOfUnequalPaceRepeatEachForItself) {
  constexpr int64_t tokens = 2000;
  Machine machine = emptyMachine();
  enum { between, fast, slow };
  machine.fifos = {
      {"between", 0, 1, tokens, 32, 2}, {"fast", 0, 2, 2, 32, 1}, {"slow", 1, 3, 2, 32, 1}};
  machine.tasks = {
      task("fast", {{{}, {{between, 1}, {fast, 1}}}, {{}, {{fast, 1}}}}, {{0, 1}, {1, 29}}, tokens),
      task("slow", {{{between}, {{slow, 1}}}, {{}, {{slow, 1}}}}, {{0, 1}, {1, 49}}, tokens),
      task("fast_sink", {{{fast}, {}}}, {{0, 30}}, tokens),
      task("slow_sink", {{{slow}, {}}}, {{0, 50}}, tokens)};
  ASSERT_FALSE(machine.verify());
  SimOptions options;
  lookAlways(options);
  SimResult found = simulate(machine, options);
  EXPECT_EQ(found.cycles, 5 + 50 * tokens - 1 + 4);
  EXPECT_EQ(found.steps, 2 * (1 + 30 + 50) * tokens);
  EXPECT_EQ(found.fifos[between].highWater, 800);
  EXPECT_GT(found.skippedPeriods, tokens);
}

/// "writer" gives a token in each row of ten cycles, until 28 are not yet taken: then it waits for
/// "reader", which takes four in a row every 104 cycles. Rows that waited for a slot say nothing of
/// rows that do not.
TEST(SkipPeriods, RowsThatWaitedForASlotAreNotThoseThatDoNot) {
  constexpr int64_t times = 100, rows = 4 * times;
  Machine machine = emptyMachine();
  enum { between, row };
  machine.fifos = {{"between", 0, 1, 28, 32, 2}, {"row", 0, 2, 2, 32, 1}};
  machine.tasks = {
      task("writer", {{{}, {{between, 1}, {row, 1}}}, {{}, {{row, 1}}}}, {{0, 1}, {1, 9}}, rows),
      task("reader", {{{}, {}}, {{between}, {}}}, {{0, 100}, {1, 4}}, times),
      task("sink", {{{row}, {}}}, {{0, 10}}, rows)};
  ASSERT_FALSE(machine.verify());
  SimOptions options;
  lookAlways(options);
  options.quantum = 4; // other places of the horizon hide it
  SimResult found = simulate(machine, options);
  EXPECT_EQ(found.cycles, 104 * times - 1 + 4); // "reader" never waits
  EXPECT_EQ(found.fifos[between].highWater, 28);
  EXPECT_GT(found.skippedPeriods, 0);
  options.firstSkip = std::numeric_limits<int64_t>::max();
  SimResult stepped = simulate(machine, options);
  for (auto [passed, every] : llvm::zip_equal(found.tasks, stepped.tasks)) {
    EXPECT_EQ(passed.end, every.end);
    EXPECT_EQ(passed.outputStall, every.outputStall);
  }
}

/// Enough steps to give up a run, or cycles, whether they were passed at once or not.
TEST(SkipPeriods, ARunThatTakesLongerIsGivenUp) {
  Machine machine = emptyMachine();
  machine.fifos = {{"between", 0, 1, 2, 32, 1}};
  machine.tasks = {task("source", {{{}, {{0, 1}}}}, {{0, 1000}}, 1000),
                   task("sink", {{{0}, {}}}, {{0, 1000}}, 1000)};
  int64_t cycles = simulate(machine).cycles;
  SimOptions options;
  lookAlways(options);
  options.maxCycles = cycles;
  EXPECT_EQ(simulate(machine, options).status, SimResult::Status::Completed);
  options.maxCycles = cycles - 1;
  EXPECT_EQ(simulate(machine, options).status, SimResult::Status::CycleLimit);
}

} // namespace
