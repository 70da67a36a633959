//===- SequenceProblemTest.cpp - Sequences against all there are ----------===//

#include "streamtensor/Schedule/SequenceProblem.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <rapidcheck.h>

using namespace streamtensor::schedule;

/// Any number from 1 to `most`, in small cases too.
static int64_t pick(int64_t most) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<int64_t>(1, most + 1));
}

/// Loads of 16 words, and one of 8, that together move 98,304 words: the linear layers of a
/// transformer layer.
static SequenceProblem makeLayer(double mostHeld) {
  return {{{1536, 16, 1024, 0.05},
           {1024, 8, 1024, 0.02},
           {2048, 16, 1024, 0.06},
           {2048, 16, 1024, 0.06}},
          32,
          0,
          mostHeld};
}

static int64_t countCycles(const SequenceProblem &problem, const SequenceChoice &choice,
                           size_t sequence) {
  int64_t cycles = 0;
  for (size_t load = 0; load < problem.loads.size(); ++load)
    if (choice.sequenceOf[load] == sequence)
      cycles += problem.loads[load].countCycles(choice.masters[sequence]);
  return cycles;
}

TEST(SequencedLoad, StripesDivideWordsAndRow) {
  SequencedLoad load{10, 12, 96};
  EXPECT_EQ(load.getStripes(32), 12);
  EXPECT_EQ(load.getStripes(11), 6);
  EXPECT_EQ(load.countCycles(11), 20);
  EXPECT_EQ((SequencedLoad{10, 12, 9}).getStripes(32), 3);
  EXPECT_EQ((SequencedLoad{10, 1, 96}).getStripes(32), 1);
}

/// A channel takes 1.25 cycles for a word: two words over two masters come in 1.25 cycles, as four
/// halves over four masters in one. Three masters are worth no more than two, and a row that four
/// parts do not divide has none.
TEST(SequencedLoad, WordsComeInHalvesWhereAChannelIsSlower) {
  SequencedLoad load{1000, 2, 32, 0, 0, 1.25};
  EXPECT_EQ(load.countCycles(1), 2500);
  EXPECT_EQ(load.getStripes(3), 2);
  EXPECT_EQ(load.countCycles(3), 1250);
  EXPECT_EQ(load.getStripes(32), 4);
  EXPECT_EQ(load.countCycles(32), 1000);
  EXPECT_FALSE(load.isDealtInTurn(4));
  EXPECT_EQ((SequencedLoad{1000, 2, 6, 0, 0, 1.25}).getStripes(32), 2);
  EXPECT_EQ((SequencedLoad{1000, 1, 16, 0, 0, 1.25}).countCycles(1), 1250);
}

/// 3 tokens of 32 words, 8 for each of 4 FIFOs: on 24 masters 96 words come in 4 rows of 3 parts; a
/// part is not cut, so that 31 masters are worth no more, and 23 only what divides the token.
TEST(SequencedLoad, PartsOfTokensGoToTheirFifosInTurn) {
  SequencedLoad load{3, 32, 4096, 0, 8};
  EXPECT_EQ(load.getStripes(32), 32);
  EXPECT_EQ(load.getStripes(31), 24);
  EXPECT_EQ(load.getStripes(23), 16);
  EXPECT_EQ(load.countCycles(24), 4);
  EXPECT_EQ(load.countCycles(32), 3);
  EXPECT_TRUE(load.isDealtInTurn(24));
  EXPECT_FALSE(load.isDealtInTurn(16));
  // 4 tokens are 128 words: the last of 6 rows has one part.
  EXPECT_EQ((SequencedLoad{4, 32, 4096, 0, 8}).countCycles(24), 6);
}

/// 24 words are a row of 12 elements of two words each: no 24 stripes hold a part of it.
TEST(SequencedLoad, PartsOfAShortRowAreDealtToo) {
  SequencedLoad load{2, 24, 12, 0, 8};
  EXPECT_EQ(load.getStripes(32), 24);
  EXPECT_TRUE(load.isDealtInTurn(24));
  EXPECT_EQ(load.getStripes(23), 16);
  EXPECT_TRUE(load.isDealtInTurn(16));
  EXPECT_EQ(load.getStripes(15), 12);
  EXPECT_FALSE(load.isDealtInTurn(12));
}

TEST(SequenceProblem, PartsInTurnUseMastersWithoutASecondSequence) {
  SequenceProblem problem;
  problem.loads = {{768, 32, 4096, 0.1, 8}, {1024, 32, 4096, 0.1, 8}};
  problem.mostStripes = 32;
  problem.mostHeld = 0.5;
  SequenceChoice choice = chooseSequences(problem, 27);
  EXPECT_EQ(choice.masters.front(), 24);
  EXPECT_EQ(chooseSequences(problem, 24).masters, std::vector<int64_t>{24});
  EXPECT_EQ(chooseSequences(problem, 24).cycles, 1024 + 1366);
}

TEST(SequenceProblem, OneSequenceHasTheMastersOfItsWidestLoad) {
  SequenceChoice choice = chooseSequences(makeLayer(1), 16);
  EXPECT_EQ(choice.masters, std::vector<int64_t>{16});
  EXPECT_EQ(choice.cycles, 6656);
  EXPECT_EQ(choice.held, 0);
}

TEST(SequenceProblem, MoreMastersServeAnotherSequence) {
  SequenceChoice choice = chooseSequences(makeLayer(1), 24);
  EXPECT_EQ(choice.masters, (std::vector<int64_t>{16, 8}));
  EXPECT_EQ(choice.sequenceOf, (std::vector<size_t>{1, 1, 0, 0}));
  EXPECT_EQ(choice.cycles, 4096);
  EXPECT_DOUBLE_EQ(choice.held, 0.05); // the narrow load has all the masters that it can use
}

TEST(SequenceProblem, NoMastersThatChangeNothing) {
  EXPECT_EQ(chooseSequences(makeLayer(1), 31).countMasters(), 24);
  EXPECT_EQ(chooseSequences(makeLayer(1), 32).countMasters(), 32);
}

TEST(SequenceProblem, WhatRunsAheadMustBeHeld) {
  SequenceChoice choice = chooseSequences(makeLayer(0.04), 24);
  EXPECT_EQ(choice.masters, (std::vector<int64_t>{16, 8}));
  EXPECT_EQ(choice.sequenceOf, (std::vector<size_t>{0, 1, 0, 0}));
  EXPECT_EQ(choice.cycles, 1536 + 2048 + 2048);
}

TEST(SequenceProblem, FewerCyclesThanTheDesignTakesAreWorthNothing) {
  SequenceProblem problem = makeLayer(1);
  problem.leastCycles = 7000;
  SequenceChoice choice = chooseSequences(problem, 24);
  EXPECT_EQ(choice.masters.size(), 1u);
  EXPECT_EQ(choice.cycles, 7000);
}

/// Eight loads of one master each are done first by eight sequences; there are at most four.
TEST(SequenceProblem, HasAtMostFourSequences) {
  SequenceProblem problem;
  problem.loads.assign(8, {100, 1, 1, 0});
  problem.mostStripes = 8;
  SequenceChoice choice = chooseSequences(problem, 8);
  EXPECT_EQ(choice.masters, (std::vector<int64_t>{1, 1, 1, 1}));
  EXPECT_EQ(choice.cycles, 200);
}

TEST(SequenceProblem, KeepsItsLimits) {
  EXPECT_TRUE(rc::check([] {
    SequenceProblem problem;
    for (int64_t load = 0, loads = pick(6); load < loads; ++load)
      problem.loads.push_back({pick(1000), int64_t(1) << (pick(5) - 1), 64, 0.01 * pick(9)});
    problem.mostStripes = pick(32);
    problem.mostHeld = 0.05 * pick(4);
    int64_t masters = pick(32);
    SequenceChoice choice = chooseSequences(problem, masters);
    RC_ASSERT(choice.countMasters() <= masters);
    RC_ASSERT(choice.masters.size() <= std::min<size_t>(4, problem.loads.size()));
    RC_ASSERT(choice.masters.size() == 1 || choice.held <= problem.mostHeld);
    RC_ASSERT(std::is_sorted(choice.masters.rbegin(), choice.masters.rend()));
    RC_ASSERT(choice.masters.front() <= problem.mostStripes);
    int64_t most = 0, single = 0;
    for (size_t sequence = 0; sequence < choice.masters.size(); ++sequence) {
      int64_t cycles = countCycles(problem, choice, sequence);
      RC_ASSERT(cycles > 0);
      most = std::max(most, cycles);
    }
    RC_ASSERT(choice.cycles == most);
    for (const SequencedLoad &load : problem.loads)
      single += load.countCycles(std::min(masters, problem.mostStripes));
    RC_ASSERT(choice.cycles <= single);
    // With more masters a load could have more in turn, so that it is held where it was not.
    problem.mostHeld = 1;
    RC_ASSERT(chooseSequences(problem, masters + 1).cycles <=
              chooseSequences(problem, masters).cycles);
  }));
}
