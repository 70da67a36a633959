//===- DieProblem.cpp - What an assignment to dies costs ------------------===//

#include "streamtensor/Placement/DieProblem.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace streamtensor::placement {

Error DieProblem::check() const {
  if (budgets.empty())
    return createStringError("there is no die");
  if (wires < 0 || memoryDie < 0 || memoryDie >= static_cast<int32_t>(budgets.size()))
    return createStringError("wires are not less than none, and memory is at one of the dies");
  for (const Task &task : tasks)
    if (task.memoryBits < 0 ||
        any_of(
            Resources::fields, [&](double Resources::*field) { return task.resources.*field < 0; }))
      return createStringError("task '" + task.name + "' uses less than nothing");
  int32_t count = tasks.size();
  for (const Edge &edge : edges)
    if (edge.from < 0 || edge.to < 0 || edge.from >= count || edge.to >= count || edge.bits < 0)
      return createStringError("an edge joins two tasks with bits of at least 0");
  return Error::success();
}

std::vector<Resources> DieProblem::getUse(const Dies &dies) const {
  std::vector<Resources> use(budgets.size());
  for (auto [task, die] : zip_equal(tasks, dies))
    use[die] += task.resources;
  return use;
}

std::vector<int64_t> DieProblem::getCrossings(const Dies &dies) const {
  std::vector<int64_t> crossings(budgets.size() - 1, 0);
  auto add = [&](int32_t from, int32_t to, int64_t bits) {
    for (int32_t boundary = std::min(from, to); boundary < std::max(from, to); ++boundary)
      crossings[boundary] += bits;
  };
  for (const Edge &edge : edges)
    add(dies[edge.from], dies[edge.to], edge.bits);
  for (auto [task, die] : zip_equal(tasks, dies))
    add(die, memoryDie, task.memoryBits);
  return crossings;
}

/// Of what there is none, each piece is a whole budget too much.
static double getExcessOf(double used, double budget) {
  return used > budget ? (used - budget) / std::max(budget, 1.0) : 0;
}

double DieProblem::getExcess(const Dies &dies) const {
  double excess = 0;
  for (auto [used, budget] : zip_equal(getUse(dies), budgets))
    for (double Resources::*field : Resources::fields)
      excess += getExcessOf(used.*field, budget.*field);
  for (int64_t bits : getCrossings(dies))
    excess += getExcessOf(bits, wires);
  return excess;
}

double DieProblem::getLeastExcess() const {
  double least = 0;
  for (double Resources::*field : Resources::fields) {
    double used = 0, budget = 0, largest = 1;
    for (const Task &task : tasks)
      used += task.resources.*field;
    for (const Resources &die : budgets) {
      budget += die.*field;
      largest = std::max(largest, die.*field);
    }
    least += std::max(0.0, used - budget) / largest;
  }
  return least;
}

/// A thousandth of a budget too much weighs as much as all bits over all boundaries.
double DieProblem::getExcessWeight() const {
  double bits = 1;
  for (const Edge &edge : edges)
    bits += edge.bits;
  for (const Task &task : tasks)
    bits += task.memoryBits;
  return 1000 * bits * budgets.size();
}

double DieProblem::getCost(const Dies &dies) const {
  double cost = getExcessWeight() * getExcess(dies);
  for (int64_t bits : getCrossings(dies))
    cost += bits;
  return cost;
}

//===----------------------------------------------------------------------===//
// By moves
//===----------------------------------------------------------------------===//

/// Takes the best of all moves of one task as long as there is one.
static void improve(const DieProblem &problem, Dies &dies) {
  double cost = problem.getCost(dies);
  for (bool moved = true; moved;) {
    moved = false;
    Dies best = dies;
    auto consider = [&](const Dies &candidate) {
      double other = problem.getCost(candidate);
      if (other < cost - 1e-6) {
        cost = other;
        best = candidate;
        moved = true;
      }
    };
    for (size_t task = 0; task < dies.size(); ++task)
      for (size_t die = 0; die < problem.budgets.size(); ++die) {
        Dies candidate = dies;
        candidate[task] = die;
        consider(candidate);
      }
    dies = best;
  }
}

/// The first of a row of cuts: tasks in their order fill the dies from the memory's outwards.
static Dies fillInOrder(const DieProblem &problem, bool backwards) {
  std::vector<int32_t> order;
  for (int32_t distance = 0; distance < static_cast<int32_t>(problem.budgets.size()); ++distance)
    for (int32_t die : {problem.memoryDie + distance, problem.memoryDie - distance})
      if (die >= 0 && die < static_cast<int32_t>(problem.budgets.size()) &&
          !is_contained(order, die))
        order.push_back(die);
  Dies dies(problem.tasks.size(), problem.memoryDie);
  size_t at = 0;
  Resources used;
  for (size_t step = 0; step < dies.size(); ++step) {
    size_t task = backwards ? dies.size() - 1 - step : step;
    Resources more = used;
    more += problem.tasks[task].resources;
    bool fits = all_of(Resources::fields, [&](double Resources::*field) {
      return more.*field <= problem.budgets[order[at]].*field;
    });
    if (!fits && at + 1 < order.size()) {
      ++at;
      more = problem.tasks[task].resources;
    }
    used = more;
    dies[task] = order[at];
  }
  return dies;
}

Dies assignByMoves(const DieProblem &problem) {
  std::vector<Dies> starts = {Dies(problem.tasks.size(), problem.memoryDie),
                              fillInOrder(problem, false), fillInOrder(problem, true)};
  for (Dies &dies : starts)
    improve(problem, dies);
  return *std::min_element(starts.begin(), starts.end(), [&](const Dies &a, const Dies &b) {
    return problem.getCost(a) < problem.getCost(b);
  });
}

} // namespace streamtensor::placement
