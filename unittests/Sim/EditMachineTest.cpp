//===- EditMachineTest.cpp - Edited machines, by hand and by stepping -----===//

#include "RandomMachine.h"
#include "ReferenceSimulator.h"

#include "streamtensor/Sim/EditMachine.h"

#include "gtest/gtest.h"

using namespace streamtensor::sim;

namespace {

/// What an edit says; empty if it succeeds.
std::string messageOf(llvm::Error error) { return llvm::toString(std::move(error)); }

bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

/// A task of one trip.
Task task(const char *name, AccessClass accesses, int64_t iterations, int64_t ii, int64_t depth) {
  Task result;
  result.name = name;
  result.pattern = {{std::move(accesses)}, {{{0, iterations}}}, {0}};
  result.phases = {{ii, depth, 1, iterations}};
  return result;
}

/// "give" writes 8 tokens, "take" reads them.
Machine chain(int64_t writerInterval, int64_t readerInterval, int64_t depth) {
  Machine machine = emptyMachine();
  machine.fifos = {{"tokens", 0, 1, depth, 32}};
  machine.tasks = {task("give", {{}, {{0, 1}}}, 8, writerInterval, 2),
                   task("take", {{0}, {}}, 8, readerInterval, 3)};
  return machine;
}

enum { give, take };

/// "give" issues in cycle i and writes in i + 1, which "take" can read in i + 2. At an interval of
/// two it reads in 2, 4, ..., 16 and ends 3 cycles later, in 19. With twice the lanes it takes two
/// tokens at once: of iteration j the second is written in 2j + 2 and read in 2j + 3, the last of
/// four in 9, and it ends in 12.
TEST(EditMachine, AReaderOfTwiceTheLanesTakesTwoTokensAtOnce) {
  Machine machine = chain(1, 2, 8);
  EXPECT_EQ(simulate(machine).cycles, 19);
  ASSERT_EQ(messageOf(widenTask(machine, take, 2)), "");
  EXPECT_EQ(simulate(machine).cycles, 12);
  // One token a cycle passes the FIFO as before, two in an interval of two.
  EXPECT_EQ(machine.fifos[0].depth, 8);
}

/// "give" issues in 0, 2, ..., 14 and writes a cycle later; the last token is read in 16, the end
/// is
/// 19. With twice the lanes it writes two tokens in 1, 3, 5, 7: they are read in 2 and 3, ..., 8
/// and 9, and the end is 12. A FIFO of two slots of one token is one of two slots of two.
TEST(EditMachine, AWriterOfTwiceTheLanesPutsTwoTokensAtOnce) {
  Machine machine = chain(2, 1, 2);
  EXPECT_EQ(simulate(machine).cycles, 19);
  ASSERT_EQ(messageOf(widenTask(machine, give, 2)), "");
  EXPECT_EQ(machine.fifos[0].depth, 4);
  EXPECT_EQ(simulate(machine).cycles, 12);
  EXPECT_EQ(simulateByCycle(unroll(machine)).cycles, 12);
  // Both tokens need slots: of two, each pair waits for both reads of the one before. Pairs are
  // written in 1, 4, 7, 10, and the last token is read in 12.
  machine.fifos[0].depth = 2;
  EXPECT_EQ(simulate(machine).cycles, 15);
  EXPECT_EQ(simulateByCycle(unroll(machine)).cycles, 15);
}

/// The interval of "take" sets the pace: from two to one it reads in 2, 3, ..., 9.
TEST(EditMachine, AShorterIntervalIssuesSooner) {
  Machine machine = chain(1, 2, 8);
  ASSERT_EQ(messageOf(setInterval(machine, take, 1)), "");
  EXPECT_EQ(simulate(machine).cycles, 12);
  EXPECT_TRUE(contains(messageOf(setInterval(machine, take, 1)), "no larger interval"));
  // Two tokens of a FIFO in an iteration go one a cycle.
  Machine pairs = chain(2, 2, 8);
  pairs.tasks[give].pattern.classes = {{{}, {{0, 1}, {0, 2}}}};
  pairs.tasks[take].pattern.classes = {{{0, 0}, {}}};
  pairs.tasks[give].phases[0].depth = 3;
  EXPECT_TRUE(contains(messageOf(setInterval(pairs, give, 1)), "moves 2 tokens"));
  EXPECT_TRUE(contains(messageOf(setInterval(pairs, take, 1)), "moves 2 tokens"));
}

/// Depth and latency go together: 32 slots of 32 bits are shift registers, 33 are RAM.
TEST(EditMachine, AnotherDepthHasItsLatency) {
  Machine machine = chain(1, 1, 8);
  ASSERT_EQ(messageOf(setDepth(machine, 0, 33)), "");
  EXPECT_EQ(machine.fifos[0].depth, 33);
  EXPECT_EQ(machine.fifos[0].latency, 2);
  ASSERT_EQ(messageOf(setDepth(machine, 0, 32)), "");
  EXPECT_EQ(machine.fifos[0].latency, 1);
  EXPECT_TRUE(contains(messageOf(setDepth(machine, 0, 1)), "at least 2 slots"));
  EXPECT_EQ(machine.fifos[0].depth, 32);
}

/// Every eighth iteration of "take" starts a burst of 64 bytes, at 2 bytes a cycle. The others
/// hold none, and yet go at the pace of memory: lanes do not change them.
Machine loader() {
  Machine machine = chain(1, 1, 8);
  machine.channels = {{"HBM[0]", 2, 1}};
  machine.ways = {{"gmem", 0}};
  machine.tasks[give].bursts = {{0, 0, 64}, {4, 0, 64}};
  return machine;
}

/// The first burst is taken up in cycle 0 and through in 32: the fifth iteration, and what follows,
/// issues in 32, the last in 35; its token is read in 37 and the end is 40. With a port of twice
/// the bits over two interfaces each channel is through in 16: iterations 0 and 1, 2 and 3 issue in
/// 0 and 1, 4 and 5 in 16, 6 and 7 in 17; "take" reads in 18, 19, 20, 21 and ends in 24.
TEST(EditMachine, AWiderPortMovesItsPartsOverChannelsOfTheirOwn) {
  Machine machine = loader();
  ASSERT_FALSE(llvm::errorToBool(machine.verify()));
  EXPECT_EQ(simulate(machine).cycles, 40);
  EXPECT_TRUE(contains(messageOf(widenTask(machine, give, 2)), "widen the port"));
  ASSERT_EQ(messageOf(widenWays(machine, {0}, 2, 2)), "");
  ASSERT_FALSE(llvm::errorToBool(machine.verify()));
  ASSERT_EQ(machine.ways.size(), 2u);
  EXPECT_EQ(machine.channels[machine.ways[0].channel].name, "HBM[0]");
  EXPECT_EQ(machine.channels[machine.ways[1].channel].name, "HBM[0] + 1 for gmem");
  EXPECT_EQ(machine.tasks[give].getIterations(), 4);
  EXPECT_EQ(simulate(machine).cycles, 24);
  EXPECT_EQ(simulateByCycle(unroll(machine)).cycles, 24);
}

/// Between the words of a merged iteration lie the gaps of all that it is made of.
TEST(EditMachine, GapsOfMergedIterationsAdd) {
  Machine machine = loader();
  machine.tasks[give].gaps = {{2, 3}, {3, 4}, {5, 7}};
  ASSERT_EQ(messageOf(widenWays(machine, {0}, 2, 1)), "");
  const std::vector<BurstGap> &gaps = machine.tasks[give].gaps;
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[0].iteration, 1);
  EXPECT_EQ(gaps[0].cycles, 7);
  EXPECT_EQ(gaps[1].iteration, 2);
  EXPECT_EQ(gaps[1].cycles, 7);
}

/// Words that stay within one interface stay on one channel, whose rate is as before: the second
/// burst is taken up in 32, iterations 4 and 5 issue then, 6 and 7 in 33; "take" reads the last of
/// their tokens in 37.
TEST(EditMachine, AWiderWordOfOneInterfaceHasTheRateOfItsChannel) {
  Machine machine = loader();
  ASSERT_EQ(messageOf(widenWays(machine, {0}, 2, 1)), "");
  EXPECT_EQ(machine.ways.size(), 1u);
  EXPECT_EQ(simulate(machine).cycles, 40);
}

TEST(EditMachine, AFactorDividesTheIterationsOfEveryTrip) {
  Machine machine = chain(1, 1, 8);
  EXPECT_EQ(messageOf(widenTask(machine, take, 3)),
            "task 'take' goes through 8 iterations in every trip, which "
            "3 does not divide: a factor of 2, 4 or 8 does");
  auto said = [](int64_t iterations, int64_t factor) {
    Machine other = emptyMachine();
    other.tasks = {task("alone", {}, iterations, 1, 3)};
    return llvm::StringRef(messageOf(widenTask(other, 0, factor))).split("divide: ").second.str();
  };
  EXPECT_EQ(said(7, 2), "a factor of 7 does");
  EXPECT_EQ(said(9, 2), "a factor of 3 or 9 does");
  EXPECT_EQ(said(60, 7), "a factor of 2, 3, 4 or 5 does");
  machine.tasks[take].trips = 8;
  machine.tasks[take].phases[0].iterations = 1;
  machine.tasks[take].pattern = {{{{0}, {}}}, {{{0, 1}}}, {0, 0, 0, 0, 0, 0, 0, 0}};
  EXPECT_TRUE(contains(messageOf(widenTask(machine, take, 2)), "no factor does"));
  EXPECT_EQ(getCommonIterations(machine.tasks[take]), 1);
}

/// Tables of odd lengths are merged together: 3 and 5 iterations are 4 of two, the second of which
/// takes the last token of the first table and the first of the second.
TEST(EditMachine, IterationsOfSeveralTablesMeet) {
  Machine machine = chain(1, 1, 8);
  Task &reader = machine.tasks[take];
  reader.pattern = {{{{0}, {}}, {{}, {}}}, {{{0, 3}}, {{0, 5}, {1, 2}}}, {0, 1}};
  reader.phases[0] = {1, 3, 2, 10};
  ASSERT_FALSE(llvm::errorToBool(machine.verify()));
  ASSERT_EQ(messageOf(widenTask(machine, take, 2)), "");
  ASSERT_FALSE(llvm::errorToBool(machine.verify()));
  EXPECT_EQ(reader.getIterations(), 5);
  // Two tokens in 3, 5, 7 and 9; one iteration more without any: 10 + 3.
  EXPECT_EQ(simulate(machine).cycles, 13);
  EXPECT_EQ(simulateByCycle(unroll(machine)).cycles, 13);
}

/// Two or three, one that divides if there is one.
int64_t pickFactor(int64_t iterations) {
  int64_t factor = pick(2, 3);
  return iterations % factor == 0 ? factor : 5 - factor;
}

/// One edit at random; did it change the machine?
bool editAtRandom(Machine &machine) {
  int32_t task = pick(0, machine.tasks.size() - 1);
  llvm::Error error = llvm::Error::success();
  switch (pick(0, 3)) {
  case 0:
    error = widenTask(machine, task, pickFactor(getCommonIterations(machine.tasks[task])));
    break;
  case 1:
    error = setInterval(machine, task, pick(1, 2));
    break;
  case 2:
    if (machine.ways.empty())
      return false;
    error = widenWays(machine, {static_cast<int32_t>(pick(0, machine.ways.size() - 1))}, pick(2, 3),
                      pick(1, 3));
    break;
  default:
    if (machine.fifos.empty())
      return false;
    error = setDepth(machine, pick(0, machine.fifos.size() - 1), pick(2, 9));
  }
  return !llvm::errorToBool(std::move(error));
}

int64_t countBytes(const Machine &machine) {
  int64_t bytes = 0;
  for (const Task &task : machine.tasks)
    for (const Burst &burst : task.bursts)
      bytes += burst.bytes;
  return bytes;
}

TEST(EditMachine, EditedMachinesHaveTheCyclesOfLiteralStepping) {
  int edited = 0, drawn = 0;
  EXPECT_TRUE(rc::check([&] {
    Machine machine = randomMachine(/*cyclic=*/pick(0, 3) == 0);
    for (Task &task : machine.tasks)
      if (pick(0, 3) < 3) { // nothing of external memory
        task.bursts.clear();
        task.gaps.clear();
      }
    Machine before = machine;
    bool isEdited = false;
    for (int64_t edits = pick(3, 8); edits > 0; --edits)
      isEdited |= editAtRandom(machine);
    ++drawn;
    edited += isEdited;
    RC_ASSERT(!llvm::errorToBool(machine.verify()));
    RC_ASSERT(machine.getTokens() == before.getTokens());
    RC_ASSERT(countBytes(machine) >= countBytes(before));
    SimOptions options;
    options.oneInFlight = pick(0, 4) == 0;
    ReferenceResult expected = simulateByCycle(unroll(machine), options);
    SimResult actual = simulate(machine, options);
    RC_ASSERT(actual.completed() == expected.completed);
    RC_ASSERT(actual.cycles == expected.cycles);
    for (size_t task = 0; task < machine.tasks.size(); ++task)
      RC_ASSERT(actual.tasks[task].end == expected.tasks[task].end);
    for (size_t fifo = 0; fifo < machine.fifos.size(); ++fifo)
      RC_ASSERT(actual.fifos[fifo].tokens == static_cast<int64_t>(expected.writes[fifo].size()));
    for (size_t channel = 0; channel < machine.channels.size(); ++channel)
      RC_ASSERT(actual.channels[channel].bytes == expected.bytes[channel]);
  }));
  EXPECT_GT(3 * edited, drawn);
}

} // namespace
