//===- DieProblemTest.cpp - Assignments against all there are -------------===//

#include "streamtensor/Placement/DieProblem.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <random>

using namespace streamtensor;
using namespace streamtensor::placement;

static DieProblem makeProblem(int dies, int tasks) {
  DieProblem problem;
  auto pick = [](int most) { return *rc::gen::inRange(0, most + 1); };
  for (int die = 0; die < dies; ++die)
    problem.budgets.push_back(
        {double(20 + pick(60)), 1000, double(4 + pick(10)), double(pick(40)), double(pick(40))});
  problem.poolsBlocks = pick(1);
  problem.wires = pick(40);
  problem.memoryDie = *rc::gen::inRange(0, dies);
  for (int task = 0; task < tasks; ++task)
    problem.tasks.push_back(
        {"t" + std::to_string(task),
         {double(pick(40)), double(pick(20)), double(pick(5)), double(pick(10)), double(pick(10))},
         pick(1) * pick(10),
         double(problem.poolsBlocks * pick(20))});
  for (int from = 0; from + 1 < tasks; ++from)
    for (int to = from + 1; to < tasks; ++to)
      if (pick(2) == 0)
        problem.edges.push_back({from, to, 1 + pick(20)});
  return problem;
}

/// The cheapest of all assignments.
static double findLeastCost(const DieProblem &problem) {
  Dies dies(problem.tasks.size(), 0);
  double least = problem.getCost(dies);
  while (true) {
    size_t at = 0;
    while (at < dies.size() && ++dies[at] == int32_t(problem.budgets.size()))
      dies[at++] = 0;
    if (at == dies.size())
      return least;
    least = std::min(least, problem.getCost(dies));
  }
}

TEST(DieProblem, IsSolvedAsByTryingAll) {
  EXPECT_TRUE(rc::check([] {
    DieProblem problem = makeProblem(*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 7));
    RC_ASSERT(!problem.check());
    DieSolution solution = assignDies(problem, 100000);
    double least = findLeastCost(problem);
    RC_ASSERT(std::abs(problem.getCost(solution.dies) - solution.cost) < 1e-6);
    // A binary that is 1 within the solver's tolerance may hide a millionth of a budget.
    RC_ASSERT(solution.cost <= least * (1 + 1e-5) + 1e-3);
    RC_ASSERT(solution.bound <= solution.cost + 1e-6);
  }));
}

TEST(DieProblem, LimitedSolutionsAreAssignmentsThatRepeat) {
  EXPECT_TRUE(rc::check([] {
    DieProblem problem = makeProblem(3, *rc::gen::inRange(1, 12));
    DieSolution first = assignDies(problem, 3), again = assignDies(problem, 3);
    RC_ASSERT(first.dies == again.dies);
    RC_ASSERT(first.dies.size() == problem.tasks.size());
    for (int32_t die : first.dies)
      RC_ASSERT(die >= 0 && die < 3);
    RC_ASSERT(first.cost <= problem.getCost(assignByMoves(problem)) + 1e-6);
    RC_ASSERT(first.bound <= first.cost + 1e-6);
  }));
}

/// Both dies are full, in pairs that talk to the other die: only two moves together help, and each
/// alone leaves a die with too much.
TEST(DieProblem, MovesLetTasksChangePlaces) {
  DieProblem problem;
  problem.budgets.assign(2, {10, 0, 0, 0, 0});
  problem.wires = 100;
  for (double lut : {6, 4, 4, 6})
    problem.tasks.push_back({"t", {lut, 0, 0, 0, 0}, 0});
  problem.edges = {{0, 2, 5}, {1, 3, 5}};
  Dies dies = assignByMoves(problem);
  EXPECT_EQ(problem.getCost(dies), 0);
  EXPECT_EQ(dies[0], dies[2]);
  EXPECT_EQ(dies[1], dies[3]);
}

/// Whatever is moved on the way, what is used is counted as for the assignment itself, and nothing
/// is worse than where the moves begin.
TEST(DieProblem, MovesKeepCount) {
  EXPECT_TRUE(rc::check([] {
    DieProblem problem = makeProblem(*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 10));
    Dies dies = assignByMoves(problem);
    RC_ASSERT(dies == assignByMoves(problem));
    RC_ASSERT(problem.getCost(dies) <=
              problem.getCost(Dies(problem.tasks.size(), problem.memoryDie)) + 1e-6);
    for (size_t task = 0; task < dies.size(); ++task)
      for (size_t die = 0; die < problem.budgets.size(); ++die) {
        Dies moved = dies;
        moved[task] = die;
        RC_ASSERT(problem.getCost(moved) >= problem.getCost(dies) - 1e-3);
      }
  }));
}

/// Three dies with room for exactly what tasks of many sizes take that were dealt to them, 98 % of
/// it, and wires for the edges between them: most edges are among tasks of one die. Moves of tasks
/// one after the other get stuck in some of these.
TEST(DieProblem, NearlyFullDiesArePacked) {
  for (unsigned seed : {3, 4, 5}) {
    std::mt19937 random(seed);
    constexpr int32_t tasks = 90, dies = 3;
    DieProblem problem;
    problem.budgets.resize(dies);
    Dies dealt;
    for (int32_t task = 0; task < tasks; ++task) {
      Resources used = {double(100 + random() % 4000), 0, double(random() % 100), 0, 0};
      problem.tasks.push_back({"t", used, 0});
      dealt.push_back(random() % dies);
      used *= 1 / 0.98;
      problem.budgets[dealt.back()] += used;
    }
    for (int32_t task = 0; task < tasks; ++task)
      for (int edge = 0; edge < 4; ++edge) {
        int32_t to = random() % tasks;
        while (edge < 3 && dealt[to] != dealt[task])
          to = random() % tasks;
        problem.edges.push_back({task, to, 32});
      }
    for (int64_t bits : problem.getCrossings(dealt))
      problem.wires = std::max(problem.wires, bits);
    ASSERT_EQ(problem.getExcess(dealt), 0);
    EXPECT_EQ(problem.getExcess(assignByMoves(problem)), 0) << "seed " << seed;
  }
}

/// The same with tasks of a fifth of a die that talk to others of their die over many wires: to
/// change places, they pass through assignments with too few wires.
TEST(DieProblem, LargeTasksChangePlaces) {
  std::mt19937 random(37);
  constexpr int32_t dies = 3, large = 10, tasks = 70;
  DieProblem problem;
  problem.budgets.resize(dies);
  Dies dealt;
  for (int32_t task = 0; task < tasks; ++task) {
    Resources used = {double(100 + random() % 1500), 0, double(random() % 20), 0, 0};
    if (task < large)
      used = {double(6000 + random() % 3000), 0, 400, 0, 0};
    problem.tasks.push_back({"t", used, int64_t(task % 8 ? 0 : 600)});
    dealt.push_back(random() % dies);
    used *= 1 / 0.995;
    problem.budgets[dealt.back()] += used;
  }
  for (int32_t task = 0; task < tasks; ++task)
    for (int edge = 0; edge < 4; ++edge) {
      int32_t to = random() % (task < large ? large : tasks);
      while (edge < 3 && dealt[to] != dealt[task])
        to = random() % tasks;
      problem.edges.push_back({task, to, task < large ? 2000 : 256});
    }
  for (int64_t bits : problem.getCrossings(dealt))
    problem.wires = std::max(problem.wires, bits);
  ASSERT_EQ(problem.getExcess(dealt), 0);
  EXPECT_EQ(problem.getExcess(assignByMoves(problem)), 0);
  // Annealing that ends once it hardly helps does not come as far.
  EXPECT_GT(problem.getExcess(assignByMoves(problem, /*tries=*/8, /*anneals=*/16,
                                            /*vainAnneals=*/1)),
            0);
}

TEST(DieProblem, ASearchThatHasFoundWhatFitsIsAFifth) {
  DieProblem problem;
  problem.budgets.resize(3, {8, 8, 8, 8, 8});
  problem.wires = 1000;
  for (int32_t task = 0; task < 20; ++task) {
    problem.tasks.push_back({"t", {1, 0, 0, 0, 0}, task % 3});
    problem.edges.push_back({task, (task + 1) % 20, 5});
    problem.edges.push_back({task, (7 * task + 3) % 20, 1 + task % 5});
  }
  DieSolution whole = assignDies(problem, 100000), limited = assignDies(problem, 50);
  EXPECT_GT(whole.nodes, 40);
  EXPECT_EQ(problem.getExcess(limited.dies), 0);
  EXPECT_GE(limited.nodes, 10);
  EXPECT_LT(limited.nodes, 20);
}

TEST(DieProblem, ASearchWhereAllDiesAreTooSmallIsATenth) {
  DieProblem problem;
  problem.budgets.resize(3, {6, 8, 8, 8, 8});
  problem.wires = 1000;
  for (int32_t task = 0; task < 20; ++task) {
    problem.tasks.push_back({"t", {1, 0, 0, 0, 0}, task % 3});
    problem.edges.push_back({task, (task + 1) % 20, 5});
    problem.edges.push_back({task, (7 * task + 3) % 20, 1 + task % 5});
  }
  EXPECT_NEAR(problem.getLeastExcess(), 2.0 / 6, 1e-9);
  DieSolution whole = assignDies(problem, 100000), limited = assignDies(problem, 100);
  EXPECT_GT(whole.nodes, 200);
  EXPECT_NEAR(problem.getExcess(limited.dies), 2.0 / 6, 1e-6);
  EXPECT_EQ(limited.nodes, 10);
}

TEST(DieProblem, NoAssignmentHasLessThanTheLeastExcess) {
  EXPECT_TRUE(rc::check([] {
    DieProblem problem = makeProblem(*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 6));
    RC_ASSERT(problem.getExcessWeight() * problem.getLeastExcess() <=
              findLeastCost(problem) * (1 + 1e-9));
  }));
}

TEST(DieProblem, CrossingsAreCountedAtEachBoundary) {
  DieProblem problem;
  problem.budgets.resize(3, {10, 10, 10, 10, 10});
  problem.wires = 100;
  problem.memoryDie = 1;
  problem.tasks = {{"a", {4, 0, 0, 0, 0}, 7}, {"b", {4, 0, 0, 0, 0}, 0}};
  problem.edges = {{0, 1, 32}};
  EXPECT_EQ(problem.getCrossings({0, 2}), (std::vector<int64_t>{39, 32}));
  EXPECT_EQ(problem.getCrossings({1, 1}), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(problem.getCost({0, 2}), 71);
}

TEST(DieProblem, WhatFitsTheMemorysDieStaysThere) {
  DieProblem problem;
  problem.budgets.resize(3, {10, 10, 10, 10, 10});
  problem.wires = 100;
  problem.memoryDie = 2;
  problem.tasks = {{"a", {5, 0, 0, 0, 0}, 7}, {"b", {5, 0, 0, 0, 0}, 0}};
  problem.edges = {{0, 1, 32}};
  EXPECT_EQ(assignDies(problem, 10).dies, (Dies{2, 2}));
  problem.tasks[1].resources.lut = 6;
  EXPECT_EQ(assignDies(problem, 10).dies, (Dies{2, 1})); // the one that reads memory stays
}

TEST(DieProblem, BlocksOfEitherKindTakeTheRoomThatOthersLeave) {
  DieProblem problem;
  problem.budgets.resize(2, {10, 10, 10, 10, 10});
  problem.wires = 100;
  problem.poolsBlocks = true;
  auto add = [&](double bram, double uram, double either) {
    problem.tasks.push_back({"t", {0, 0, 0, bram, uram}, 0, either});
  };
  // 12 and 7 of either kind: one die has room for them, if one in twenty is left.
  add(0, 0, 12);
  add(0, 0, 7);
  EXPECT_EQ(problem.getExcess({0, 0}), 0);
  add(0, 0, 1);
  EXPECT_GT(problem.getExcess({0, 0, 0}), 0);
  EXPECT_EQ(problem.getExcess({0, 0, 1}), 0);
  // What must be block RAM finds none in the other kind's room.
  problem.tasks.clear();
  add(6, 0, 0);
  add(6, 0, 0);
  EXPECT_GT(problem.getExcess({0, 0}), 0);
  EXPECT_EQ(problem.getExcess({0, 1}), 0);
}
