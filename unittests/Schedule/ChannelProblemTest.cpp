//===- ChannelProblemTest.cpp - Choices against all there are -------------===//

#include "streamtensor/Schedule/ChannelProblem.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <set>

using namespace streamtensor::schedule;

/// Any number up to `most`, in small cases too.
static int64_t pick(int64_t most) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<int64_t>(0, most + 1));
}

/// Pieces of one tensor each, that choose by falling size.
static ChannelProblem makeSimple(int64_t channels, size_t pieces) {
  ChannelProblem problem{channels, 100, {std::vector<ChannelUse>(channels)}, {}};
  std::vector<int64_t> bytes;
  for (size_t piece = 0; piece < pieces; ++piece)
    bytes.push_back(1 + pick(60));
  std::sort(bytes.rbegin(), bytes.rend());
  for (size_t piece = 0; piece < pieces; ++piece)
    problem.pieces.push_back({piece, {{0, {bytes[piece], 1}}}, {}});
  return problem;
}

/// Several designs, stripes, few ports, pieces that are fixed, and channels that are in use.
static ChannelProblem makeAny() {
  int64_t channels = 2 + pick(1), designs = 1 + pick(1);
  ChannelProblem problem{channels, 1 + pick(3), {}, {}};
  problem.stated.assign(designs, std::vector<ChannelUse>(channels));
  problem.stated[0][0] = {pick(1) * pick(20), pick(1)};
  for (int64_t piece = 0, tensor = 0; piece < 6; ++piece, tensor += pick(1)) {
    ChannelPiece next;
    next.tensor = tensor;
    for (int64_t design = 0; design < designs; ++design)
      if (design == piece % designs || pick(2) == 0)
        next.shares.push_back({size_t(design), {1 + pick(30), 1}});
    if (pick(5) == 0)
      next.fixed = pick(channels - 1);
    problem.pieces.push_back(next);
  }
  return problem;
}

/// Calls `visit` with every choice there is.
template <typename Visit> static void forEachChoice(const ChannelProblem &problem, Visit visit) {
  ChannelChoice choice(problem.pieces.size(), 0);
  while (true) {
    visit(choice);
    size_t at = 0;
    while (at < choice.size() && ++choice[at] == problem.channels)
      choice[at++] = 0;
    if (at == choice.size())
      return;
  }
}

static int64_t findLeastCost(const ChannelProblem &problem) {
  int64_t least = std::numeric_limits<int64_t>::max();
  forEachChoice(problem, [&](const ChannelChoice &choice) {
    least = std::min(least, problem.getCost(choice));
  });
  return least;
}

static int64_t countSharedByStripes(const ChannelProblem &problem, const ChannelChoice &choice) {
  std::set<std::pair<size_t, int64_t>> places;
  for (size_t piece = 0; piece < choice.size(); ++piece)
    places.insert({problem.pieces[piece].tensor, choice[piece]});
  return int64_t(choice.size()) - int64_t(places.size());
}

/// Ports beyond those of the channels, over all designs.
static int64_t countExcess(const ChannelProblem &problem, const ChannelChoice &choice) {
  int64_t excess = 0;
  for (const std::vector<ChannelUse> &design : problem.getUses(choice))
    for (const ChannelUse &use : design)
      excess += std::max<int64_t>(0, use.ports - problem.portsPerChannel);
  return excess;
}

TEST(ChannelProblem, InFallingOrderTheBusiestMovesAtMostFourThirdsOfTheLeast) {
  EXPECT_TRUE(rc::check([] {
    ChannelProblem problem = makeSimple(1 + pick(3), 1 + pick(6));
    int64_t least = findLeastCost(problem), channels = problem.channels;
    ChannelChoice choice = chooseInOrder(problem);
    RC_ASSERT(choice.size() == problem.pieces.size());
    RC_ASSERT(problem.getBound() <= least);
    // 4/3 - 1/(3 channels)
    RC_ASSERT(3 * channels * problem.getCost(choice) <= (4 * channels - 1) * least);
    int64_t before = problem.getCost(choice);
    improve(problem, choice);
    RC_ASSERT(problem.getCost(choice) <= before);
    RC_ASSERT(problem.getCost(choice) >= least);
  }));
}

TEST(ChannelProblem, WhatIsFixedStaysAndNothingElseGetsWorse) {
  EXPECT_TRUE(rc::check([] {
    ChannelProblem problem = makeAny();
    ChannelChoice first = chooseInOrder(problem), choice = first;
    if (first.size() < problem.pieces.size())
      return; // ports are short
    improve(problem, choice);
    for (size_t piece = 0; piece < choice.size(); ++piece)
      RC_ASSERT(choice[piece] >= 0 && choice[piece] < problem.channels &&
                (!problem.pieces[piece].fixed || choice[piece] == *problem.pieces[piece].fixed));
    RC_ASSERT(problem.getBound() <= problem.getCost(choice));
    RC_ASSERT(problem.getCost(choice) <= problem.getCost(first));
    RC_ASSERT(countExcess(problem, choice) <= countExcess(problem, first));
    RC_ASSERT(countSharedByStripes(problem, choice) <= countSharedByStripes(problem, first));
  }));
}

/// Bytes of the busiest channels, then the sum of squares.
static std::pair<int64_t, int64_t> getBalance(const ChannelProblem &problem,
                                              const ChannelChoice &choice) {
  int64_t squares = 0;
  for (const std::vector<ChannelUse> &design : problem.getUses(choice))
    for (const ChannelUse &use : design)
      squares += use.bytes * use.bytes;
  return {problem.getCost(choice), squares};
}

TEST(ChannelProblem, NoPieceOfABusiestChannelIsBetterElsewhere) {
  EXPECT_TRUE(rc::check([] {
    ChannelProblem problem = makeSimple(2 + pick(3), 1 + pick(9));
    ChannelChoice choice(problem.pieces.size(), 0); // all on one channel
    improve(problem, choice);
    for (size_t piece = 0; piece < choice.size(); ++piece)
      for (int64_t channel = 0; channel < problem.channels; ++channel) {
        ChannelChoice moved = choice;
        moved[piece] = channel;
        std::vector<ChannelUse> uses = problem.getUses(choice)[0];
        if (uses[choice[piece]].bytes == problem.getCost(choice))
          RC_ASSERT(getBalance(problem, moved) >= getBalance(problem, choice));
      }
  }));
}

/// 3 + 3 and 2 + 2 + 2 are found from 3 + 2 + 2 and 3 + 2.
TEST(ChannelProblem, TwoPiecesChangePlaces) {
  ChannelProblem problem{2, 15, {std::vector<ChannelUse>(2)}, {}};
  for (size_t piece = 0; piece < 5; ++piece)
    problem.pieces.push_back({piece, {{0, {piece < 2 ? 3 : 2, 1}}}, {}});
  ChannelChoice choice = chooseInOrder(problem);
  EXPECT_EQ(problem.getCost(choice), 7);
  improve(problem, choice);
  EXPECT_EQ(problem.getCost(choice), 6);
  EXPECT_EQ(problem.getBound(), 6);
}

TEST(ChannelProblem, EndsBeforeThePieceThatFindsNoPort) {
  ChannelProblem problem{2, 1, {std::vector<ChannelUse>(2)}, {}};
  for (size_t piece = 0; piece < 3; ++piece)
    problem.pieces.push_back({piece, {{0, {1, 1}}}, {}});
  EXPECT_EQ(chooseInOrder(problem), (ChannelChoice{0, 1}));
}

/// 6 + 6 + 3 bytes in two channels are 8 at least in one of them, and 10 + 2 + 3 are the 10 that
/// are there.
TEST(ChannelProblem, TheBoundCountsWhatIsStated) {
  ChannelProblem problem{2, 15, {{{6, 1}, {6, 1}}}, {}};
  problem.pieces.push_back({0, {{0, {3, 1}}}, {}});
  EXPECT_EQ(problem.getBound(), 8);
  problem.stated = {{{10, 1}, {2, 1}}};
  EXPECT_EQ(problem.getBound(), 10);
}
