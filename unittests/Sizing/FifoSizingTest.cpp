//===- FifoSizingTest.cpp - Laws of FIFO depths ---------------------------===//

#include "streamtensor/Sizing/FifoSizing.h"
#include "streamtensor/Schedule/Memories.h"

#include "Sim/RandomMachine.h"
#include "Sim/SameRun.h"
#include "gtest/gtest.h"

using namespace streamtensor;
using namespace streamtensor::sim;
using namespace streamtensor::sizing;

namespace {

constexpr int64_t leastDepth = 2; ///< Of the machines of these tests.

const DeviceModel &device() {
  static DeviceModel model = llvm::cantFail(DeviceModel::load(DEVICES "/u55c.json"));
  return model;
}

/// A machine that ends with unbounded FIFOs, and its high-water marks.
struct Sizable {
  Machine machine = randomMachine();
  FifoSizingProblem problem{machine, device()};
  Depths highWater;

  Sizable() {
    llvm::Expected<Depths> depths = sizeByHighWater(problem);
    bool ends = static_cast<bool>(depths);
    if (ends)
      highWater = *depths;
    else
      llvm::consumeError(depths.takeError());
    RC_PRE(ends);
  }
};

/// Two tasks that each wait for the other's first token: no depth helps, and none is named.
TEST(FifoSizing, WithoutBoundsNoDepthIsNamed) {
  Machine machine = emptyMachine();
  machine.fifos = {{"there", 0, 1, 0, 32}, {"back", 1, 0, 0, 32}};
  for (int32_t id : {0, 1}) {
    Task task;
    task.name = id == 0 ? "left" : "right";
    task.pattern = {{{{1 - id}, {{id, 1}}}}, {{{0, 4}}}, {0}};
    task.phases = {{1, 2, 1, 4}};
    machine.tasks.push_back(task);
  }
  FifoSizingProblem problem{machine, device()};
  llvm::Expected<Depths> depths = sizeByHighWater(problem);
  ASSERT_FALSE(static_cast<bool>(depths));
  std::string said = llvm::toString(depths.takeError());
  EXPECT_NE(said.find("a run with unbounded FIFOs deadlocks: [fifo.deadlock]"), std::string::npos);
  EXPECT_NE(said.find("'left' waits for a token in FIFO 'back' (0 slots used, no bound)"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("no FIFO depth releases it"), std::string::npos);
}

TEST(FifoSizing, SearchKeepsTheCyclesOfHighWaterDepthsWithinTheTokens) {
  EXPECT_TRUE(rc::check([] {
    Sizable sizable;
    SearchOptions options;
    options.loss = 0;
    Depths depths = searchDepths(sizable.problem, sizable.highWater, nullptr, options);
    SimResult best = simulate(sizable.machine, sizable.highWater);
    SimResult found = simulate(sizable.machine, depths);
    RC_ASSERT(found.completed());
    // Short FIFOs are faster than those without bound, whose marks these are; that may be too fast.
    if (best.completed())
      RC_ASSERT(found.cycles <= best.cycles);
    for (size_t fifo = 0; fifo < depths.size(); ++fifo) {
      RC_ASSERT(depths[fifo] >= leastDepth);
      RC_ASSERT(depths[fifo] <= std::max(leastDepth, sizable.machine.countWrites(fifo)));
    }
  }));
}

/// What its last run leaves unused goes for nothing, down to the shortest RAM where less would be
/// registers. Where it finds no depths, it gives the high-water marks.
TEST(FifoSizing, SearchKeepsNoUnusedSlots) {
  int found = 0;
  EXPECT_TRUE(rc::check([&] {
    Sizable sizable;
    SearchOptions options;
    options.loss = 0;
    Depths depths = searchDepths(sizable.problem, sizable.highWater, nullptr, options);
    if (depths == sizable.highWater)
      return;
    ++found;
    SimResult result = simulate(sizable.machine, depths);
    RC_ASSERT(result.completed());
    const FifoRules &rules = *sizable.machine.fifoRules;
    for (size_t fifo = 0; fifo < depths.size(); ++fifo) {
      int64_t shortest = rules.shiftRegisterBits / sizable.machine.fifos[fifo].bits + 1;
      int64_t used = std::max(leastDepth, result.fifos[fifo].highWater);
      RC_ASSERT(depths[fifo] <= used || (depths[fifo] == shortest && used < shortest));
    }
  }));
  EXPECT_GT(found, 0);
}

/// The strategy as the pass has it, with what the rule of acceptance adds to both.
TEST(FifoSizing, WithoutLossTheSearchTakesNoMoreMemoryThanHighWater) {
  EXPECT_TRUE(rc::check([] {
    Sizable sizable;
    Baseline baseline =
        llvm::cantFail(measureBaseline(sizable.problem, RateStrategy::Normal), nullptr);
    Depths found = llvm::cantFail(
        sizeBySearch(sizable.problem, baseline, 0, int64_t(300) * 1000 * 1000), nullptr);
    Depths most = llvm::cantFail(makeAcceptable(sizable.problem, baseline.highWater), nullptr);
    RC_ASSERT(schedule::getShare(sizable.problem.count(found), device()) <=
              schedule::getShare(sizable.problem.count(most), device()));
  }));
}

TEST(FifoSizing, HighWaterMarksAreThoseOfARunWithoutBounds) {
  EXPECT_TRUE(rc::check([] {
    Sizable sizable;
    Machine free = sizable.machine;
    for (Fifo &fifo : free.fifos) {
      fifo.depth = 0;
      fifo.latency = free.fifoRules->shiftRegisterLatency;
    }
    int64_t cycles = 0;
    RC_ASSERT(llvm::cantFail(sizeByHighWater(sizable.problem, &cycles)) == sizable.highWater);
    RC_ASSERT(cycles == simulate(free).cycles);
    for (auto [fifo, depth] : llvm::zip_equal(simulate(free).fifos, sizable.highWater))
      RC_ASSERT(depth == std::max(leastDepth, fifo.highWater));
  }));
}

/// Written at stage 2 of a pipeline that writes last at 5, with an iteration every other cycle: two
/// may have written one FIFO and not yet the other.
TEST(FifoSizing, SlotsInFlightAreRoundedUp) {
  Machine machine;
  machine.fifos = {{"early", 0, 1, 2, 32}, {"late", 0, 1, 2, 32}};
  Task writer, reader;
  writer.phases = {{2, 6, 1, 4}};
  writer.pattern = {{{{}, {{0, 2}, {1, 5}}}}, {{{0, 4}}}, {0}};
  reader.phases = {{1, 1, 1, 4}};
  reader.pattern = {{{{0, 1}, {}}}, {{{0, 4}}}, {0}};
  machine.tasks = {writer, reader};
  ASSERT_FALSE(machine.verify());
  FifoSizingProblem problem{machine, device()};
  EXPECT_EQ(problem.getInFlightSlots(0), 2);
  EXPECT_EQ(problem.getInFlightSlots(1), 0);
  // Those in flight take all slots, and freedom from deadlock would depend on when they come.
  EXPECT_FALSE(problem.isAccepted({2, 2}));
  EXPECT_TRUE(problem.isAccepted({3, 2}));
  EXPECT_TRUE(problem.isAccepted({3, 1}));
}

/// The reader waits for "late", which comes behind four tokens of "early", two of them of
/// iterations that may be in flight: four slots for those it waits with, and two that it cannot
/// count on.
TEST(FifoSizing, SlotsInFlightHoldNothingElse) {
  Machine machine;
  machine.fifos = {{"early", 0, 1, 2, 32}, {"late", 0, 1, 2, 32}};
  Task writer, reader;
  writer.phases = {{2, 6, 1, 4}};
  writer.pattern = {{{{}, {{0, 2}}}, {{}, {{0, 2}, {1, 5}}}}, {{{0, 3}, {1, 1}}}, {0}};
  reader.phases = {{1, 1, 1, 4}};
  reader.pattern = {{{{0, 1}, {}}, {{0}, {}}}, {{{0, 1}, {1, 3}}}, {0}};
  machine.tasks = {writer, reader};
  ASSERT_FALSE(machine.verify());
  FifoSizingProblem problem{machine, device()};
  EXPECT_FALSE(problem.isAccepted({5, 2}));
  EXPECT_TRUE(problem.isAccepted({6, 2}));
}

/// Pipelines that flush, at accepted depths; one that freezes on an empty input keeps writes of
/// iterations in flight to itself and may deadlock at any depths.
struct FlushingSizable : Sizable {
  Depths depths;

  FlushingSizable() {
    for (Task &task : machine.tasks)
      task.freezesOnEmpty = false;
    llvm::Expected<Depths> found = makeAcceptable(problem, Depths(highWater.size(), leastDepth));
    bool accepted = static_cast<bool>(found);
    if (accepted)
      depths = *found;
    else
      llvm::consumeError(found.takeError());
    RC_PRE(accepted);
  }
};

TEST(FifoSizing, AcceptedDepthsEndWhateverTheTiming) {
  EXPECT_TRUE(rc::check([] {
    FlushingSizable sizable;
    RC_ASSERT(!sizable.problem.verify(sizable.depths));
    // Other intervals and bursts, the same schedule: still no deadlock.
    Machine other = sizable.machine;
    for (Task &task : other.tasks) {
      task.gaps.clear();
      for (int64_t iteration = 1; iteration < task.getIterations(); ++iteration)
        if (pick(0, 3) == 0)
          task.gaps.push_back({iteration, pick(1, 30)});
    }
    RC_ASSERT(simulate(other, sizable.depths).completed());
  }));
}

/// A run doubles what stands in its way, and need not use all of it.
TEST(FifoSizing, AcceptedDepthsAreNoLargerThanTheRunUses) {
  int64_t enlarged = 0;
  EXPECT_TRUE(rc::check([&] {
    FlushingSizable sizable;
    const Depths asked(sizable.depths.size(), leastDepth);
    Depths least;
    Depths found = llvm::cantFail(makeAcceptable(sizable.problem, asked, &least), nullptr);
    for (size_t fifo = 0; fifo < found.size(); ++fifo) {
      int64_t asksFor = leastDepth + sizable.problem.getInFlightSlots(fifo);
      RC_ASSERT(found[fifo] <= std::max(least[fifo], asksFor));
      enlarged += found[fifo] > asksFor;
    }
  }));
  EXPECT_GT(enlarged, 0);
}

/// A kernel for each die: what joins them is slower and never less deep.
TEST(FifoSizing, AcceptedDepthsEndWithSomeFifosAsLinks) {
  EXPECT_TRUE(rc::check([] {
    FlushingSizable sizable;
    Machine linked = sizable.machine;
    for (auto [fifo, depth] : llvm::zip_equal(linked.fifos, sizable.depths))
      if (pick(0, 1) == 0) {
        depth = *device().link().getDepth(depth);
        fifo.isLink = true;
        fifo.latency = device().fifo().ramLatency + device().link().latency;
      }
    RC_ASSERT(FifoSizingProblem(linked, device()).isAccepted(sizable.depths));
    RC_ASSERT(simulate(linked, sizable.depths).completed());
  }));
}

TEST(FifoSizing, ALinkIsAsSlowAtAnyDepth) {
  Machine machine;
  machine.fifos = {{"link", 0, 1, 16, 32, 14}, {"fifo", 0, 1, 16, 32, 1}};
  machine.fifos[0].isLink = true;
  machine.fifoRules = getFifoRules(device().fifo());
  EXPECT_EQ(machine.getLatency(0, 1024), 14);
  EXPECT_EQ(machine.getLatency(1, 1024), 2);
}

TEST(FifoSizing, TheLinearProgramGivesDepthsFromTwoToAllTokens) {
  EXPECT_TRUE(rc::check([] {
    Sizable sizable;
    for (RateStrategy strategy : {RateStrategy::Normal, RateStrategy::Conservative}) {
      llvm::Expected<Depths> depths = sizeByLinearProgram(sizable.problem, strategy);
      RC_ASSERT(static_cast<bool>(depths)); // random machines have no cycles
      for (size_t fifo = 0; fifo < depths->size(); ++fifo) {
        RC_ASSERT((*depths)[fifo] >= leastDepth);
        RC_ASSERT((*depths)[fifo] <= std::max(leastDepth, sizable.machine.countWrites(fifo)));
      }
    }
  }));
}

/// A task with the same accesses in each of `count` iterations.
Task repeat(std::vector<int32_t> reads, std::vector<AccessClass::Write> writes, int64_t count,
            int64_t depth) {
  Task task;
  task.name = "t";
  task.phases = {{1, depth, 1, count}};
  task.pattern.classes = {{std::move(reads), std::move(writes)}};
  task.pattern.tables = {{{0, count}}};
  task.pattern.sequence = {0};
  return task;
}

/// `tokens` tokens on a path of `cycles` cycles beside a direct edge.
Machine pathBesideAnEdge(int64_t tokens, int32_t cycles) {
  Machine machine = emptyMachine();
  machine.fifos = {{"direct", 0, 2, 0, 32}, {"around", 0, 1, 0, 32}, {"back", 1, 2, 0, 32}};
  machine.tasks = {repeat({}, {{0, 1}, {1, 1}}, tokens, 2),
                   repeat({1}, {{2, cycles}}, tokens, cycles + 1), repeat({0, 2}, {}, tokens, 2)};
  return machine;
}

TEST(FifoSizing, TheLinearProgramHoldsTheTokensOfALongerPath) {
  Machine machine = pathBesideAnEdge(100, 20);
  FifoSizingProblem problem(machine, device());
  Depths depths = llvm::cantFail(sizeByLinearProgram(problem, RateStrategy::Normal));
  // Delays: fork to path D = 2, path to join D = 21; direct: (23 - 2) / II tokens.
  EXPECT_EQ(depths[0], 21);
  EXPECT_EQ(depths[1], leastDepth);
  EXPECT_EQ(depths[2], leastDepth);
  EXPECT_TRUE(simulate(machine, depths).completed());
}

/// The same with a reader of three cycles a token, which is slower: it starts 23 cycles after the
/// writer, whose 100 cycles and one iteration of 2 leave it 79 for 26 whole tokens. The others
/// wait.
TEST(FifoSizing, TheLinearProgramHoldsWhatASlowerReaderLeaves) {
  Machine machine = pathBesideAnEdge(100, 20);
  machine.tasks[2].phases[0].ii = 3;
  FifoSizingProblem problem(machine, device());
  Depths depths = llvm::cantFail(sizeByLinearProgram(problem, RateStrategy::Normal));
  EXPECT_EQ(depths[0], 100 - 26);
  EXPECT_EQ(simulate(machine, depths).tasks[0].outputStall, 0);
}

/// A path through blocks of 25 iterations, which their reader sees when they are whole and drained,
/// 2 cycles later.
TEST(FifoSizing, TheLinearProgramHoldsTheTokensOfABlock) {
  Machine machine = emptyMachine();
  machine.fifos = {{"direct", 0, 2, 0, 32}, {"back", 1, 2, 0, 32}};
  machine.buffers = {{"blocks", 0, 1, 2}};
  machine.tasks = {repeat({}, {{0, 1}}, 25, 2), repeat({}, {{1, 1}}, 25, 2),
                   repeat({0, 1}, {}, 100, 2)};
  for (int task : {0, 1}) {
    machine.tasks[task].trips = 4;
    machine.tasks[task].pattern.sequence = {0, 0, 0, 0};
    machine.tasks[task].acquires = {{0, task == 0, 1}};
  }
  ASSERT_FALSE(machine.verify());
  FifoSizingProblem problem(machine, device());
  Depths depths = llvm::cantFail(sizeByLinearProgram(problem, RateStrategy::Normal));
  EXPECT_EQ(depths[0], 27);
  EXPECT_EQ(simulate(machine, depths).tasks[0].outputStall, 0);
}

/// Conservative rates make a slow path's cycles those of all tasks, however many iterations each
/// has: a token every (4n + 1) / n cycles at the writer as at the reader, so that the direct edge
/// holds what comes in 21 cycles.
TEST(FifoSizing, ConservativeRatesAreAlikeAtBothEndsOfAnEdge) {
  for (int64_t tokens = 6; tokens <= 200; ++tokens) {
    Machine machine = emptyMachine();
    machine.fifos = {{"direct", 0, 2, 0, 32}, {"around", 0, 1, 0, 32}, {"back", 1, 2, 0, 32}};
    machine.tasks = {repeat({}, {{0, 1}, {1, 1}}, tokens, 12), repeat({1}, {{2, 20}}, tokens, 21),
                     repeat({0, 2}, {}, tokens, 2)};
    // Iterations that touch no FIFO follow.
    for (auto [task, iterations] : {std::pair(1, 4 * tokens + 1), std::pair(2, 3 * tokens)}) {
      machine.tasks[task].phases[0].iterations = iterations;
      machine.tasks[task].pattern.classes.push_back({});
      machine.tasks[task].pattern.tables[0].push_back({1, iterations - tokens});
    }
    ASSERT_FALSE(machine.verify());
    FifoSizingProblem problem(machine, device());
    Depths depths = llvm::cantFail(sizeByLinearProgram(problem, RateStrategy::Conservative));
    EXPECT_EQ(depths, (Depths{6, leastDepth, leastDepth})) << tokens << " tokens";
  }
}

/// A reader that takes one input whole before another deadlocks at the depths of
/// the linear program; the search does not.
TEST(FifoSizing, SearchEndsWhereTheLinearProgramDeadlocks) {
  Machine machine = emptyMachine();
  machine.name = "whole_input_first";
  machine.fifos = {{"a", 0, 1, 0, 32}, {"b", 0, 1, 0, 32}};
  Task reader;
  reader.name = "reader";
  reader.phases = {{1, 2, 1, 128}};
  reader.pattern.classes = {{{0}, {}}, {{1}, {}}};
  reader.pattern.tables = {{{0, 64}, {1, 64}}};
  reader.pattern.sequence = {0};
  machine.tasks = {repeat({}, {{0, 1}, {1, 1}}, 64, 2), reader};
  FifoSizingProblem problem(machine, device());
  Depths linear = llvm::cantFail(sizeByLinearProgram(problem, RateStrategy::Normal));
  EXPECT_EQ(simulate(machine, linear).status, SimResult::Status::Deadlock);
  std::string message = llvm::toString(problem.verify(linear));
  EXPECT_NE(message.find("it ends with FIFO 'b' of depth"), std::string::npos) << message;

  Depths highWater = llvm::cantFail(sizeByHighWater(problem));
  EXPECT_EQ(highWater[1], 64);
  Depths found = searchDepths(problem, highWater, &linear);
  EXPECT_EQ(found[0], leastDepth);
  EXPECT_LE(found[1], 64);
  EXPECT_FALSE(static_cast<bool>(problem.verify(found)));
}

/// A path of so many cycles beside a direct edge for 20000 tokens, and a search of its depths.
struct PathBesideAnEdge {
  Machine machine;
  FifoSizingProblem problem{machine, device()};
  Depths highWater;
  SearchOptions options;

  PathBesideAnEdge(int32_t cycles, int64_t bits) : machine(pathBesideAnEdge(20000, cycles)) {
    machine.fifos[0].bits = bits;
    highWater = llvm::cantFail(sizeByHighWater(problem));
  }
  Depths search(SearchEffort *effort = nullptr, KnownRuns *known = nullptr) const {
    return searchDepths(problem, highWater, nullptr, options, effort, known);
  }
};

/// Beside a path of 5000 cycles a direct edge holds 5000 tokens; with d of them, d come in 5000
/// cycles. From the 64 tokens of 4096 bits that are the first step, 16384 are four steps of four
/// times each: twelve runs are enough, and twelve steps of a few tokens each would not be.
TEST(FifoSizing, SearchReachesLargeDepthsInFewRuns) {
  PathBesideAnEdge path(5000, 4096);
  SimResult best = simulate(path.machine, path.highWater);
  path.options.maxSteps = 12 * best.steps;
  SimResult found = simulate(path.machine, path.search());
  EXPECT_TRUE(found.completed());
  EXPECT_LE(found.cycles, best.cycles * (1 + path.options.loss));
}

/// The same in seven runs: one at the high-water marks, one at the least depth, and those at 64,
/// 256, 1024, 4096 and 16384 slots. The last has used 5003 of them (as many as the path has cycles,
/// and three for stages and latencies); the others go without another run.
TEST(FifoSizing, UnusedSlotsGoForNothing) {
  PathBesideAnEdge path(5000, 4096);
  path.options.maxSteps = 7 * simulate(path.machine, path.highWater).steps;
  EXPECT_EQ(path.search(), (Depths{5003, 2, 2}));
}

/// Four runs are those at the high-water marks, at the least depth, at 64 and at 256 slots: of
/// those that grow, the last is the fastest, and what it has used is what a search gives that may
/// not go on.
TEST(FifoSizing, ASearchThatMayNotGoOnGivesTheFastestOfItsRuns) {
  PathBesideAnEdge path(5000, 4096);
  path.options.maxSteps = 1;
  SearchEffort effort;
  Depths found = path.search(&effort);
  EXPECT_EQ(effort.runs, 4);
  EXPECT_EQ(found, (Depths{256, 2, 2})); // the others are not used
  EXPECT_GT(simulate(path.machine, found).cycles,
            simulate(path.machine, path.highWater).cycles * (1 + path.options.loss));
}

/// A path of 4093 cycles asks for 4096 slots of 64 bits, which are the first step: 32 KiB. Runs at
/// the high-water marks, at the least depths and at the first step find them; as nothing says yet
/// that less is too little, two more try it. A first step below would be followed by one of four
/// times that, which says it.
TEST(FifoSizing, TheFirstStepIsOfThirtyTwoKibibytes) {
  PathBesideAnEdge path(4093, 64);
  path.options.loss = 0;
  SearchEffort effort;
  EXPECT_EQ(path.search(&effort), (Depths{4096, 2, 2}));
  EXPECT_EQ(effort.runs, 5);
}

/// It begins with the floors, which are enough: a run at the high-water marks and one at them say
/// so. Where they are not, what is missing grows, and the rest keeps what it has.
TEST(FifoSizing, SearchBeginsWithItsFloors) {
  PathBesideAnEdge path(5000, 4096);
  SearchEffort effort;
  path.options.floors = {5003, 9, 2};
  EXPECT_EQ(path.search(&effort), path.options.floors);
  EXPECT_EQ(effort.runs, 2);
  path.options.floors = {100, 9, 2};
  path.options.loss = 0;
  EXPECT_EQ(path.search(), (Depths{5003, 9, 2}));
}

TEST(FifoSizing, SearchGoesNoLowerThanItsFloors) {
  EXPECT_TRUE(rc::check([] {
    Sizable sizable;
    SearchOptions options;
    for (int64_t depth : sizable.highWater)
      options.floors.push_back(std::max(leastDepth, *rc::gen::inRange<int64_t>(0, 2 * depth + 4)));
    Depths found = searchDepths(sizable.problem, sizable.highWater, nullptr, options);
    RC_ASSERT(simulate(sizable.machine, found).completed());
    for (auto [depth, floor] : llvm::zip_equal(found, options.floors))
      RC_ASSERT(depth >= floor);
  }));
}

/// A search that allows more loss begins as one that allows less, and finds what it finds alone.
TEST(FifoSizing, SearchesShareRuns) {
  PathBesideAnEdge strict(5000, 32), lax(5000, 32);
  lax.options.loss = 0.3;
  KnownRuns ofStrict, ofLax, shared;
  Depths strictAlone = strict.search(nullptr, &ofStrict);
  Depths laxAlone = lax.search(nullptr, &ofLax);
  EXPECT_NE(strictAlone, laxAlone);
  EXPECT_EQ(strict.search(nullptr, &shared), strictAlone);
  EXPECT_EQ(shared.size(), ofStrict.size());
  EXPECT_EQ(lax.search(nullptr, &shared), laxAlone);
  EXPECT_LT(shared.size(), ofStrict.size() + ofLax.size());
  EXPECT_EQ(lax.search(), laxAlone);
}

/// What is known without a run is what a run says: of the depths that a search ends with, without
/// the slots that its last run did not use, and of runs whose ceilings nothing reaches for.
TEST(FifoSizing, KnownRunsAreThoseThatWouldBeMade) {
  EXPECT_TRUE(rc::check([] {
    Sizable sizable;
    KnownRuns known;
    Depths found = searchDepths(sizable.problem, sizable.highWater, nullptr, {}, nullptr, &known);
    SimOptions options;
    options.ceilings = sizable.machine.getTokens();
    for (const Depths &depths : {found, Depths(found.size(), leastDepth)}) {
      expectSameRun(known.simulate(sizable.machine, depths, options.ceilings),
                    simulate(sizable.machine, depths, options));
      expectSameRun(known.simulate(sizable.machine, depths), simulate(sizable.machine, depths));
    }
  }));
}

/// The last run used 5003 slots of 16384; at 5003 no other is made, with ceilings or without.
TEST(FifoSizing, DepthsThatASearchEndsWithAreKnown) {
  PathBesideAnEdge path(5000, 4096);
  path.highWater = path.machine.getTokens(); // else they are the depths that it ends with
  KnownRuns known;
  Depths found = path.search(nullptr, &known);
  EXPECT_EQ(found[0], 5003);
  size_t made = known.size();
  EXPECT_TRUE(known.simulate(path.machine, found).completed());
  EXPECT_TRUE(known.simulate(path.machine, found, path.machine.getTokens()).completed());
  EXPECT_EQ(known.size(), made);
}

/// The search ends within a fifth of the largest depth of `fifo` that is too small, or where less
/// would be no cheaper: memory is dealt by `words`.
void expectLeastDepth(const Machine &machine, size_t fifo, int64_t words) {
  FifoSizingProblem problem(machine, device());
  Depths highWater = llvm::cantFail(sizeByHighWater(problem));
  SearchOptions options;
  options.loss = 0;
  Depths found = searchDepths(problem, highWater, nullptr, options), depths = found;
  int64_t most = simulate(machine, found).cycles, tooSmall = 1, enough = found[fifo];
  while (enough - tooSmall > 1) {
    depths[fifo] = (tooSmall + enough) / 2;
    SimResult result = simulate(machine, depths);
    (result.completed() && result.cycles <= most ? enough : tooSmall) = depths[fifo];
  }
  EXPECT_LE(4 * found[fifo], 5 * tooSmall + 4 * words) << machine.fifos[fifo].name;
}

/// A reader of two cycles a token lets the writer fill whatever the direct edge has, and needs half
/// of the path's cycles.
TEST(FifoSizing, SearchEndsWithinAFifthOfADepthThatIsTooSmall) {
  for (int32_t cycles = 4000; cycles <= 40000; cycles += 4000) {
    SCOPED_TRACE(cycles);
    Machine machine = pathBesideAnEdge(50000, cycles);
    machine.tasks[2].phases[0].ii = 2;
    machine.fifos[0].bits = 72;
    expectLeastDepth(machine, 0, 512);
  }
}

/// A reader that takes a block of one input before it takes of both needs a FIFO that holds the
/// other's block. Steps of two times lead out of the deadlock, and the writer fills the last; what
/// is too small is known of the step before it alone.
TEST(FifoSizing, SearchEndsWithinAFifthOfADepthThatDeadlocks) {
  for (int64_t block : {20000, 24000, 40000}) {
    SCOPED_TRACE(block);
    Machine machine = emptyMachine();
    machine.fifos = {{"first", 0, 1, 0, 72}, {"second", 0, 1, 0, 72}};
    Task reader;
    reader.name = "reader";
    reader.phases = {{2, 2, 1, 80000 + block}};
    reader.pattern.classes = {{{0}, {}}, {{0, 1}, {}}, {{1}, {}}};
    reader.pattern.tables = {{{0, block}, {1, 80000 - block}, {2, block}}};
    reader.pattern.sequence = {0};
    machine.tasks = {repeat({}, {{0, 1}, {1, 1}}, 80000, 2), reader};
    ASSERT_FALSE(machine.verify());
    expectLeastDepth(machine, 1, 4096); // of URAM
  }
}

/// A task of `iterations` whose k-th iteration touches the FIFO if `touches[k]`.
Task touchAt(const std::vector<bool> &touches, bool writes) {
  Task task;
  task.name = writes ? "writer" : "reader";
  task.phases = {{1, 2, 1, static_cast<int64_t>(touches.size())}};
  AccessClass touching = writes ? AccessClass{{}, {{0, 1}}} : AccessClass{{0}, {}};
  task.pattern.classes = {AccessClass{}, touching};
  task.pattern.tables = {{}};
  for (bool touch : touches)
    task.pattern.tables[0].push_back({touch, 1});
  task.pattern.sequence = {0};
  return task;
}

Machine makeEdge(const std::vector<bool> &writes, const std::vector<bool> &reads) {
  Machine machine = emptyMachine();
  machine.name = "edge";
  machine.fifos = {{"f", 0, 1, 0, 32}};
  machine.tasks = {touchAt(writes, true), touchAt(reads, false)};
  return machine;
}

/// A FIFO of 512 tokens of 4096 bits takes 57 blocks of 72 bits of either kind, and of BRAM two:
/// 114 of the 1332 that can be placed, or 57 of 720. With 10 of 20 in URAM 1140 and 570 blocks are
/// taken, 86 % and 79 %; with 11 it were 77 % and 87 %.
TEST(FifoKinds, BlocksAreOfTheKindThatLeavesMore) {
  llvm::SmallVector<schedule::Banks> fifos(20, schedule::Banks{1, 1024, 4096});
  llvm::SmallVector<schedule::MemoryKind> kinds = schedule::chooseFifoKinds(fifos, {}, device());
  EXPECT_EQ(llvm::count(kinds, schedule::MemoryKind::URAM), 10);
  EXPECT_EQ(llvm::count(kinds, schedule::MemoryKind::BRAM), 10);
}

/// What others take counts: beside 1000 blocks of BRAM, 75 %, ten FIFOs take 79 % of URAM. One of
/// them in BRAM would make that 84 %.
TEST(FifoKinds, OtherMemoriesAreInTheWay) {
  Resources others;
  others.bram36 = 1000;
  llvm::SmallVector<schedule::Banks> fifos(10, schedule::Banks{1, 1024, 4096});
  llvm::SmallVector<schedule::MemoryKind> kinds =
      schedule::chooseFifoKinds(fifos, others, device());
  EXPECT_EQ(llvm::count(kinds, schedule::MemoryKind::URAM), 10);
}

/// 6144 tokens of 4096 bits are 684 blocks of BRAM, more than a die has, or 114 of URAM. Those that
/// URAM spares the most move first.
TEST(FifoKinds, DeepFifosAreInUram) {
  llvm::SmallVector<schedule::Banks> fifos = {{1, 512, 4096}, {1, 6144, 4096}, {1, 512, 4096}};
  EXPECT_EQ(
      schedule::chooseFifoKinds(fifos, {}, device()),
      llvm::SmallVector<schedule::MemoryKind>(
          {schedule::MemoryKind::BRAM, schedule::MemoryKind::URAM, schedule::MemoryKind::BRAM}));
}

/// Shift registers and small RAMs stay what they are.
TEST(FifoKinds, SmallFifosTakeNoBlocks) {
  llvm::SmallVector<schedule::Banks> fifos = {{1, 2, 4096}, {1, 64, 32}};
  for (auto [fifo, kind] : llvm::zip_equal(fifos, schedule::chooseFifoKinds(fifos, {}, device())))
    EXPECT_EQ(kind, schedule::chooseFifoKind(fifo.width, fifo.depth, device()));
}

TEST(RateMatching, ARowTakenAtOnceLetsTheNextOneCome) {
  // A token every fourth iteration; rows of 4 tokens, each read at once and used for 16 iterations.
  std::vector<bool> writes, reads;
  for (int iteration = 0; iteration < 64; ++iteration) {
    writes.push_back(iteration % 4 == 0);
    reads.push_back(iteration % 16 < 4);
  }
  // The last of a row is written in iteration 12 and read in 3 at the earliest: 9 iterations of
  // delay, when 3 of the row have come, and 3 of the next one while a row is used.
  EXPECT_EQ(getRateMatchedDepth(makeEdge(writes, reads), 0), 3);
  EXPECT_EQ(getRateMatchedDepth(makeEdge(writes, writes), 0), leastDepth);
}

/// The writer writes all tokens in the first half of its iterations and the reader reads them in
/// the second half of its own. Edges of more than 2^22 tokens are not worth the time that it takes
/// to see that.
TEST(RateMatching, EdgesOfVeryManyTokensStartAtTheLeastDepth) {
  for (int64_t tokens : {int64_t(1) << 22, (int64_t(1) << 22) + 1}) {
    Machine machine = makeEdge({true, false}, {false, true});
    for (Task &task : machine.tasks)
      for (auto &run : task.pattern.tables[0])
        run.length = tokens;
    for (Task &task : machine.tasks)
      task.phases[0].iterations = 2 * tokens;
    ASSERT_FALSE(machine.verify());
    EXPECT_EQ(getRateMatchedDepth(machine, 0), tokens == 1 << 22 ? tokens : leastDepth);
  }
}

/// The writer takes what a third task gives, and writes in the second of two turns as fast as the
/// reader reads. As one activation its first half would bring nothing, and half of the tokens would
/// wait.
TEST(RateMatching, ATurnIsAnActivationOfItsOwn) {
  std::vector<bool> turn(16, true), writes(32, false);
  std::fill(writes.begin() + 16, writes.end(), true);
  Machine machine = makeEdge(writes, turn);
  EXPECT_EQ(getRateMatchedDepth(machine, 0), 8);
  machine.fifos.push_back({"in", 2, 0, 0, 32});
  machine.fifos.push_back({"first", 0, 3, 0, 32});
  Task &engine = machine.tasks[0];
  engine.pattern.classes = {AccessClass{{1}, {{2, 1}}}, AccessClass{{1}, {{0, 1}}}};
  engine.pattern.tables = {{{0, 16}}, {{1, 16}}};
  engine.pattern.sequence = {0, 1};
  engine.phases = {{1, 2, 1, 16}, {1, 2, 1, 16}};
  engine.trips = 2;
  machine.tasks.push_back(touchAt(std::vector<bool>(32, true), true));
  machine.tasks[2].pattern.classes[1].writes[0].fifo = 1;
  machine.tasks.push_back(touchAt(turn, false));
  machine.tasks[3].pattern.classes[1].reads[0] = 2;
  ASSERT_FALSE(machine.verify());
  EXPECT_TRUE(machine.tasks[0].hasTurns());
  EXPECT_FALSE(machine.tasks[2].hasTurns());
  EXPECT_EQ(getRateMatchedDepth(machine, 0), leastDepth);
}

/// Latencies of the FIFO and of the writer's stage take a few slots more.
TEST(RateMatching, ARunAtTheDepthIsAsFastAsWithoutBound) {
  EXPECT_TRUE(rc::check([] {
    int64_t iterations = pick(2, 200), tokens = pick(1, iterations);
    auto scatter = [&] {
      std::vector<bool> touches(iterations, false);
      for (int64_t token = 0; token < tokens; ++token) {
        int64_t at = pick(0, iterations - 1);
        while (touches[at])
          at = (at + 1) % iterations;
        touches[at] = true;
      }
      return touches;
    };
    Machine machine = makeEdge(scatter(), scatter());
    // A FIFO without bound is as quick as shift registers; a deep one would be RAM, a cycle slower.
    machine.fifoRules->ramLatency = machine.fifoRules->shiftRegisterLatency;
    SimOptions unbounded;
    unbounded.unbounded = true;
    int64_t depth = getRateMatchedDepth(machine, 0);
    RC_ASSERT(depth <= std::max(leastDepth, tokens));
    RC_ASSERT(simulate(machine, std::vector<int64_t>{depth + 3}).cycles ==
              simulate(machine, unbounded).cycles);
  }));
}

} // namespace
