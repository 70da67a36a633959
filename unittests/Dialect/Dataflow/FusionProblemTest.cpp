//===- FusionProblemTest.cpp - Fusion plans against all there are ---------===//

#include "streamtensor/Dialect/Dataflow/Transforms/FusionProblem.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

using namespace streamtensor::dataflow;

namespace {

int64_t pick(int64_t least, int64_t most) { return *rc::gen::inRange<int64_t>(least, most + 1); }

FusionProblem randomProblem(int32_t nodes) {
  FusionProblem problem;
  problem.maxBytes = pick(5, 40);
  problem.launchBytes = pick(0, 30);
  for (int32_t node = 0; node < nodes; ++node)
    problem.nodes.push_back(pick(0, 5) == 0 ? pick(0, 45) : 0);
  for (int32_t writer = 0; writer + 1 < nodes; ++writer)
    for (int64_t tensors = pick(0, 2); tensors > 0; --tensors) {
      std::set<int32_t> readers;
      for (int64_t count = pick(1, 3); count > 0; --count)
        readers.insert(pick(writer + 1, nodes - 1));
      FusionProblem::Tensor tensor{writer, {readers.begin(), readers.end()}, pick(0, 20)};
      tensor.isResult = pick(0, 3) == 0;
      problem.converters.push_back({{writer}, tensor.readers, pick(0, 20)});
      problem.tensors.push_back(tensor);
    }
  // Behind a view of two tensors.
  if (problem.tensors.size() > 1) {
    FusionProblem::Tensor &one = problem.tensors.front(), &two = problem.tensors[1];
    int32_t reader = std::max(one.readers.back(), two.readers.back());
    for (FusionProblem::Tensor *tensor : {&one, &two})
      if (!llvm::is_contained(tensor->readers, reader))
        tensor->readers.push_back(reader);
    problem.converters.push_back({{one.writer, two.writer}, {reader}, pick(0, 20)});
  }
  return problem;
}

/// Does each group of a partition end before or begin after each other one? By taking away, again
/// and again, a group that reads from no group that is left.
bool isAcyclic(const FusionProblem &problem, const FusionGroups &partition, int32_t groups) {
  std::set<int32_t> left;
  for (int32_t group = 0; group < groups; ++group)
    left.insert(group);
  auto reads = [&](int32_t group) {
    return llvm::any_of(problem.tensors, [&](const FusionProblem::Tensor &tensor) {
      int32_t from = partition[tensor.writer];
      return from != group && left.count(from) && llvm::any_of(tensor.readers, [&](int32_t reader) {
               return partition[reader] == group;
             });
    });
  };
  while (!left.empty()) {
    auto free = llvm::find_if(left, [&](int32_t group) { return !reads(group); });
    if (free == left.end())
      return false;
    left.erase(free);
  }
  return true;
}

/// Counted by groups of nodes, not by nodes: nothing of the code under test.
bool doesFit(const FusionProblem &problem, const std::set<int32_t> &group) {
  auto holds = [&](const std::vector<int32_t> &some) {
    return llvm::any_of(some, [&](int32_t node) { return group.count(node); });
  };
  int64_t bytes = 0;
  for (int32_t node : group)
    bytes += problem.nodes[node];
  for (const FusionProblem::Converter &converter : problem.converters)
    if (holds(converter.writers) && holds(converter.readers))
      bytes += converter.bytes;
  return group.size() == 1 || bytes <= problem.maxBytes;
}

int64_t countCost(const FusionProblem &problem, const std::vector<std::set<int32_t>> &groups) {
  int64_t cost = problem.launchBytes * groups.size();
  for (const FusionProblem::Tensor &tensor : problem.tensors) {
    auto home = llvm::find_if(groups, [&](auto &group) { return group.count(tensor.writer); });
    int64_t transfers = 0;
    for (int32_t reader : tensor.readers)
      transfers += !home->count(reader);
    if (transfers > 0 && !tensor.isResult)
      ++transfers;
    cost += transfers * tensor.bytes;
  }
  return cost;
}

/// The cheapest of all partitions into groups, whatever their order.
int64_t findLeastCost(const FusionProblem &problem) {
  int32_t count = problem.nodes.size();
  FusionGroups partition(count, 0);
  std::optional<int64_t> least;
  std::function<void(int32_t, int32_t)> extend = [&](int32_t node, int32_t groups) {
    if (node < count) {
      for (int32_t group = 0; group <= groups; ++group) {
        partition[node] = group;
        extend(node + 1, std::max(groups, group + 1));
      }
      return;
    }
    std::vector<std::set<int32_t>> members(groups);
    for (int32_t each = 0; each < count; ++each)
      members[partition[each]].insert(each);
    if (isAcyclic(problem, partition, groups) &&
        llvm::all_of(members, [&](auto &group) { return doesFit(problem, group); })) {
      int64_t cost = countCost(problem, members);
      least = std::min(least.value_or(cost), cost);
    }
  };
  extend(0, 0);
  return *least;
}

std::string explain(llvm::Error fault) { return llvm::toString(std::move(fault)); }

TEST(FusionProblem, IsSolvedAsByTryingAll) {
  EXPECT_TRUE(rc::check([] {
    FusionProblem problem = randomProblem(pick(1, 7));
    RC_ASSERT(explain(problem.check()).empty());
    FusionGroups greedy = planGreedily(problem);
    RC_ASSERT(explain(problem.verify(greedy)).empty());
    FusionSolution solution = planOptimally(problem, greedy, 100000);
    RC_ASSERT(explain(problem.verify(solution.groups)).empty());
    RC_ASSERT(solution.isProven);
    RC_ASSERT(solution.cost == problem.getCost(solution.groups));
    RC_ASSERT(solution.cost == findLeastCost(problem));
  }));
}

TEST(FusionProblem, LimitedSolutionsArePlansThatRepeatAndCostNoMoreThanTheGreedyOne) {
  EXPECT_TRUE(rc::check([] {
    FusionProblem problem = randomProblem(pick(8, 10));
    problem.launchBytes += 50; // a few groups at most
    problem.maxBytes *= 2;
    FusionGroups greedy = planGreedily(problem);
    FusionSolution solution = planOptimally(problem, greedy, 5);
    RC_ASSERT(explain(problem.verify(solution.groups)).empty());
    RC_ASSERT(solution.cost <= problem.getCost(greedy));
    RC_ASSERT(solution.groups == planOptimally(problem, greedy, 5).groups);
  }));
}

/// 0 -> 1 -> 2 -> 3 with converters of 6, 4 and 6 bytes, of which 10 fit. Greedy: 0, 1 and 2 are 10
/// bytes, 3 is alone behind a large tensor. Cut at the small tensor, each half takes 6.
FusionProblem chain() {
  FusionProblem problem;
  problem.nodes = {0, 0, 0, 0};
  problem.tensors = {{0, {1}, 100}, {1, {2}, 10}, {2, {3}, 100}};
  problem.converters = {{{0}, {1}, 6}, {{1}, {2}, 4}, {{2}, {3}, 6}};
  problem.maxBytes = 10;
  problem.launchBytes = 1000;
  return problem;
}

TEST(FusionProblem, AChainIsCutAtItsSmallestTensor) {
  FusionProblem problem = chain();
  FusionGroups greedy = planGreedily(problem);
  EXPECT_EQ(greedy, (FusionGroups{0, 0, 0, 1}));
  EXPECT_EQ(problem.getCost(greedy), 2 * 1000 + 2 * 100);
  FusionSolution solution = planOptimally(problem, greedy, 1000);
  EXPECT_EQ(solution.groups, (FusionGroups{0, 0, 1, 1}));
  EXPECT_EQ(solution.cost, 2 * 1000 + 2 * 10);
  EXPECT_TRUE(solution.isProven);
}

/// What the caller gets is in memory already.
TEST(FusionProblem, ResultsAreStoredForNothing) {
  FusionProblem problem = chain();
  problem.tensors[1].isResult = true;
  EXPECT_EQ(problem.getExternalBytes({0, 0, 1, 1}), 10);
  EXPECT_EQ(problem.getExternalBytes({0, 0, 0, 1}), 200);
}

TEST(FusionProblem, ChecksAndVerifications) {
  FusionProblem problem = chain();
  EXPECT_NE(explain(problem.verify({0, 1, 0, 1})).find("node 2 of group 0 reads what node 1 of a"),
            std::string::npos);
  EXPECT_NE(explain(problem.verify({0, 0, 0, 0})).find("group 0 takes 16 bytes of 10"),
            std::string::npos);
  EXPECT_NE(explain(problem.verify({0, 0, 2, 2})).find("group 1 is empty"), std::string::npos);
  EXPECT_NE(explain(problem.verify({0})).find("a group for each node"), std::string::npos);
  problem.tensors[0].readers = {0};
  EXPECT_NE(explain(problem.check()).find("does not come behind it"), std::string::npos);
  problem = chain();
  problem.converters[0].readers = {2};
  EXPECT_NE(explain(problem.check()).find("reads no tensor of its writer"), std::string::npos);
  problem = chain();
  problem.converters[0].bytes = -1;
  EXPECT_NE(explain(problem.check()).find("less than 0 bytes"), std::string::npos);
  problem = chain();
  problem.launchBytes = -1;
  EXPECT_NE(explain(problem.check()).find("at least 0 bytes"), std::string::npos);
}

} // namespace
