//===- AssignByMoves.cpp - Tasks moved from die to die --------------------===//
//
// Passes as Fiduccia and Mattheyses make them ("A Linear-Time Heuristic for Improving Network
// Partitions", DAC 1982): each task moves once, the one whose move costs least first, even where
// every move costs more than none; what cost least on the way is kept. So two tasks change places,
// and a row of tasks follows one. Then a few tasks at random are moved and passes made again, with
// one seed.
//
// Where that does not fit, as dies are nearly full, moves and exchanges at random are tried, of
// which fewer and fewer may cost more (Kirkpatrick, Gelatt, Vecchi, "Optimization by Simulated
// Annealing", Science 220, 1983).
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Placement/DieProblem.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>
#include <random>

using namespace llvm;

namespace streamtensor::placement {
namespace {

/// An assignment that changes by single moves, and what it uses.
class MovedDies {
public:
  MovedDies(const DieProblem &problem, Dies dies);

  /// Passes as long as they find less.
  void improve();
  /// Moves a few tasks, whatever it costs.
  void disturb(std::mt19937 &random);
  /// Moves and exchanges that cost more are made at first, and hardly at the end; the assignment is
  /// the best of those on the way. Wires too many weigh `wireWeight` times what they are meanwhile.
  void anneal(std::mt19937 &random, double wireWeight);
  const Dies &get() const { return dies; }
  double getCost() const { return getBits() + excessWeight * (getExcess() + getWiresTooMany()); }
  bool fits() const { return getExcess() + getWiresTooMany() == 0; }

private:
  /// What moves between two dies change of what is used.
  struct Kept {
    int32_t die, other;
    DieUse use, otherUse;
    double excess, otherExcess;
    SmallVector<std::pair<int64_t, double>, 4> boundaries; ///< Crossings, wires too many.
  };
  Kept keep(int32_t die, int32_t other) const;
  void restore(const Kept &kept);
  void move(size_t task, int32_t die);
  void moveAll(const Dies &to);
  double getCostAfter(size_t task, int32_t die);
  bool pass();
  double getBits() const { return std::accumulate(crossings.begin(), crossings.end(), 0.0); }
  double getExcess() const { return std::accumulate(excess.begin(), excess.end(), 0.0); }
  double getWiresTooMany() const {
    return std::accumulate(wiresTooMany.begin(), wiresTooMany.end(), 0.0);
  }

  const DieProblem &problem;
  double excessWeight;
  Dies dies;
  std::vector<DieUse> use;
  std::vector<double> excess; ///< On each die.
  std::vector<int64_t> crossings;
  std::vector<double> wiresTooMany; ///< Over each boundary.
  /// Of each task: the others that it has FIFOs to, and their bits.
  std::vector<std::vector<std::pair<int32_t, int64_t>>> neighbours;
};

} // namespace

MovedDies::MovedDies(const DieProblem &problem, Dies dies)
    : problem(problem), excessWeight(problem.getExcessWeight()), dies(std::move(dies)),
      use(problem.getUse(this->dies)), crossings(problem.getCrossings(this->dies)),
      neighbours(problem.tasks.size()) {
  for (const DieProblem::Edge &edge : problem.edges) {
    if (edge.from == edge.to)
      continue;
    neighbours[edge.from].push_back({edge.to, edge.bits});
    neighbours[edge.to].push_back({edge.from, edge.bits});
  }
  for (auto [die, used] : enumerate(use))
    excess.push_back(problem.getExcessOnDie(die, used));
  for (int64_t bits : crossings)
    wiresTooMany.push_back(problem.getExcessOfWires(bits));
}

void MovedDies::move(size_t task, int32_t die) {
  int32_t before = dies[task];
  // Over the boundaries in between, what crossed does no more, and what did not crosses.
  for (int32_t boundary = std::min(before, die); boundary < std::max(before, die); ++boundary) {
    auto getMore = [&](int32_t other, int64_t bits) {
      return (other > boundary) == (before > boundary) ? bits : -bits;
    };
    int64_t more = getMore(problem.memoryDie, problem.tasks[task].memoryBits);
    for (auto [other, bits] : neighbours[task])
      more += getMore(dies[other], bits);
    crossings[boundary] += more;
    wiresTooMany[boundary] = problem.getExcessOfWires(crossings[boundary]);
  }
  DieUse moved = problem.tasks[task].getUse();
  use[before] -= moved;
  use[die] += moved;
  for (int32_t changed : {before, die})
    excess[changed] = problem.getExcessOnDie(changed, use[changed]);
  dies[task] = die;
}

MovedDies::Kept MovedDies::keep(int32_t die, int32_t other) const {
  Kept kept{die, other, use[die], use[other], excess[die], excess[other], {}};
  for (int32_t boundary = std::min(die, other); boundary < std::max(die, other); ++boundary)
    kept.boundaries.push_back({crossings[boundary], wiresTooMany[boundary]});
  return kept;
}

void MovedDies::restore(const Kept &kept) {
  use[kept.die] = kept.use;
  use[kept.other] = kept.otherUse;
  excess[kept.die] = kept.excess;
  excess[kept.other] = kept.otherExcess;
  int32_t boundary = std::min(kept.die, kept.other);
  for (auto [bits, tooMany] : kept.boundaries) {
    crossings[boundary] = bits;
    wiresTooMany[boundary++] = tooMany;
  }
}

double MovedDies::getCostAfter(size_t task, int32_t die) {
  int32_t before = dies[task];
  Kept kept = keep(before, die);
  move(task, die);
  double cost = getCost();
  restore(kept);
  dies[task] = before;
  return cost;
}

/// Each task moves once; then the assignment is the best of those on the way. Was one better than
/// the first?
bool MovedDies::pass() {
  constexpr double least = 1e-6;
  double first = getCost(), best = first;
  std::vector<std::pair<size_t, int32_t>> moved; // and where it was
  size_t kept = 0;
  std::vector<bool> isMoved(dies.size(), false);
  for (size_t step = 0; step < dies.size(); ++step) {
    double cost = std::numeric_limits<double>::max();
    std::pair<size_t, int32_t> cheapest;
    for (size_t task = 0; task < dies.size(); ++task)
      for (int32_t die = 0; !isMoved[task] && die < int32_t(problem.budgets.size()); ++die) {
        if (die == dies[task])
          continue;
        if (double after = getCostAfter(task, die); after < cost) {
          cost = after;
          cheapest = {task, die};
        }
      }
    auto [task, die] = cheapest;
    moved.push_back({task, dies[task]});
    move(task, die);
    isMoved[task] = true;
    if (cost < best - least) {
      best = cost;
      kept = moved.size();
    }
  }
  while (moved.size() > kept) {
    auto [task, die] = moved.back();
    move(task, die);
    moved.pop_back();
  }
  return kept > 0;
}

void MovedDies::improve() {
  if (problem.budgets.size() > 1)
    while (pass())
      ;
}

void MovedDies::disturb(std::mt19937 &random) {
  constexpr size_t part = 12;
  for (size_t count = 0; count < 1 + dies.size() / part; ++count)
    move(random() % dies.size(), random() % problem.budgets.size());
}

void MovedDies::moveAll(const Dies &to) {
  for (auto [task, die] : enumerate(to))
    if (dies[task] != die)
      move(task, die);
}

void MovedDies::anneal(std::mt19937 &random, double wireWeight) {
  // Where there are many tasks, most pairs of them have nothing to do with each other.
  constexpr int64_t stepsOfPair = 250, mostPartners = 100;
  // Of what all bits over one boundary cost, divided by the tasks.
  constexpr double hottest = 30, coldest = 0.03;
  int64_t count = dies.size(), steps = stepsOfPair * count * std::min(count, mostPartners);
  double bits = problem.getBits(), heat = hottest * bits / dies.size();
  double cooling = std::pow(coldest / hottest, 1.0 / steps);
  auto takeChance = [&] { return random() * 0x1p-32; };
  // Excess weighs so little that the way to what fits may lead through it.
  auto getSoftCost = [&] {
    return getBits() + bits * (getExcess() + wireWeight * getWiresTooMany());
  };
  double now = getSoftCost(), best = getCost();
  Dies kept = dies;
  for (int64_t step = 0; step < steps; ++step, heat *= cooling) {
    size_t task = random() % dies.size(), other = random() % dies.size();
    bool isExchange = random() % 2 == 0;
    int32_t before = dies[task], die = isExchange ? dies[other] : random() % use.size();
    if (die == before)
      continue;
    Kept taken = keep(before, die);
    move(task, die);
    if (isExchange)
      move(other, before);
    double then = getSoftCost();
    if (then <= now || takeChance() < std::exp((now - then) / heat)) {
      now = then;
      if (double cost = getCost(); cost < best) {
        best = cost;
        kept = dies;
      }
      continue;
    }
    restore(taken);
    dies[task] = before;
    if (isExchange)
      dies[other] = die;
  }
  moveAll(kept);
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
  DieUse used;
  for (size_t step = 0; step < dies.size(); ++step) {
    size_t task = backwards ? dies.size() - 1 - step : step;
    DieUse more = used;
    more += problem.tasks[task].getUse();
    bool fits = problem.getExcessOnDie(order[at], more) == 0;
    if (!fits && at + 1 < order.size()) {
      ++at;
      more = problem.tasks[task].getUse();
    }
    used = more;
    dies[task] = order[at];
  }
  return dies;
}

Dies assignByMoves(const DieProblem &problem, int tries, int anneals, int vainAnneals) {
  constexpr int triesOnceItFits = 2;
  std::optional<MovedDies> best;
  auto consider = [&](MovedDies dies) {
    dies.improve();
    if (!best || dies.getCost() < best->getCost())
      best.emplace(std::move(dies));
  };
  Dies together(problem.tasks.size(), problem.memoryDie);
  if (problem.getCost(together) == 0)
    return together;
  consider({problem, std::move(together)});
  consider({problem, fillInOrder(problem, false)});
  consider({problem, fillInOrder(problem, true)});
  std::mt19937 random(1);
  for (int count = 0; best->fits() && count < tries; ++count) {
    MovedDies other = *best;
    other.disturb(random);
    consider(std::move(other));
  }
  if (problem.getLeastExcess() > 0)
    return best->get();
  // Where tasks as large as a part of a die change places, wires are often too few on the way.
  constexpr double wireWeights[] = {1, 0.3};
  constexpr double hardly = 0.9;
  double cheaper = best->getCost();
  for (int count = 0, end = best->fits() ? 0 : anneals, vain = 0; count < end; ++count) {
    bool didFit = best->fits();
    MovedDies other = *best;
    other.anneal(random, wireWeights[count % std::size(wireWeights)]);
    consider(std::move(other));
    if (!didFit && best->fits())
      end = std::min(end, count + 1 + triesOnceItFits);
    if (best->getCost() < hardly * cheaper) {
      cheaper = best->getCost();
      vain = 0;
    } else if (!best->fits() && ++vain >= vainAnneals) {
      break;
    }
  }
  return best->get();
}

} // namespace streamtensor::placement
