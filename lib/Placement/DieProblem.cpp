//===- DieProblem.cpp - What an assignment to dies costs ------------------===//

#include "streamtensor/Placement/DieProblem.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace llvm;

namespace streamtensor::placement {

DieUse &DieUse::operator+=(const DieUse &other) {
  Resources::operator+=(other);
  eitherBlocks += other.eitherBlocks;
  return *this;
}

DieUse &DieUse::operator-=(const DieUse &other) {
  Resources::operator-=(other);
  eitherBlocks -= other.eitherBlocks;
  return *this;
}

Error DieProblem::check() const {
  if (budgets.empty())
    return createStringError("there is no die");
  if (wires < 0 || memoryDie < 0 || memoryDie >= static_cast<int32_t>(budgets.size()))
    return createStringError("wires are not less than none, and memory is at one of the dies");
  for (const Task &task : tasks)
    if (task.memoryBits < 0 || task.eitherBlocks < 0 ||
        any_of(
            Resources::fields, [&](double Resources::*field) { return task.resources.*field < 0; }))
      return createStringError("task '" + task.name + "' uses less than nothing");
  int32_t count = tasks.size();
  for (const Edge &edge : edges)
    if (edge.from < 0 || edge.to < 0 || edge.from >= count || edge.to >= count || edge.bits < 0)
      return createStringError("an edge joins two tasks with bits of at least 0");
  return Error::success();
}

std::vector<DieUse> DieProblem::getUse(const Dies &dies) const {
  std::vector<DieUse> use(budgets.size());
  for (auto [task, die] : zip_equal(tasks, dies))
    use[die] += task.getUse();
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
static double getPartTooMuch(double used, double budget) {
  return used > budget ? (used - budget) / std::max(budget, 1.0) : 0;
}

double DieProblem::getExcessOnDie(int32_t die, const DieUse &used) const {
  double excess = 0;
  if (poolsBlocks)
    excess += getPartTooMuch(getPooledBlocks(used), getPooledBlocks(budgets[die]));
  for (double Resources::*field : Resources::fields)
    excess += getPartTooMuch(used.*field, budgets[die].*field);
  return excess;
}

double DieProblem::getExcessOfWires(int64_t bits) const { return getPartTooMuch(bits, wires); }

double DieProblem::getLeastExcess() const {
  double least = 0;
  auto add = [&](auto get) {
    double used = 0, budget = 0, largest = 1;
    for (const Task &task : tasks)
      used += get(task.getUse());
    for (const Resources &die : budgets) {
      budget += get(die);
      largest = std::max<double>(largest, get(die));
    }
    least += std::max(0.0, used - budget) / largest;
  };
  for (double Resources::*field : Resources::fields)
    add([field](const Resources &resources) { return resources.*field; });
  if (poolsBlocks)
    add([](const auto &resources) { return getPooledBlocks(resources); });
  return least;
}

/// A thousandth of a budget too much weighs as much as all bits over all boundaries.
double DieProblem::getExcessWeight() const { return 1000 * getBits() * budgets.size(); }

double DieProblem::getBits() const {
  double bits = 1;
  for (const Edge &edge : edges)
    bits += edge.bits;
  for (const Task &task : tasks)
    bits += task.memoryBits;
  return bits;
}

double DieProblem::getExcess(const Dies &dies) const {
  double excess = 0;
  for (auto [die, used] : enumerate(getUse(dies)))
    excess += getExcessOnDie(die, used);
  for (int64_t bits : getCrossings(dies))
    excess += getExcessOfWires(bits);
  return excess;
}

double DieProblem::getCost(const Dies &dies) const {
  std::vector<int64_t> crossings = getCrossings(dies);
  return getExcessWeight() * getExcess(dies) +
         std::accumulate(crossings.begin(), crossings.end(), 0.0);
}

} // namespace streamtensor::placement
