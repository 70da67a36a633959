//===- SequenceProblem.cpp - Loads that take turns on masters -------------===//

#include "streamtensor/Schedule/SequenceProblem.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace streamtensor::schedule {

int64_t SequencedLoad::getStripes(int64_t masters) const {
  if (cyclesOfWord > 0 && masters >= 2 * words && row % (2 * words) == 0)
    return 2 * words;
  for (int64_t stripes = std::min(words, masters); stripes > 1; --stripes)
    if ((words % stripes == 0 && row % stripes == 0) || (part > 0 && stripes % part == 0))
      return stripes;
  return 1;
}

int64_t SequencedLoad::countCycles(int64_t masters) const {
  int64_t stripes = getStripes(masters);
  if (cyclesOfWord > 0)
    return std::ceil(iterations * std::max(1.0, cyclesOfWord * words / stripes));
  return (iterations * words + stripes - 1) / stripes;
}

int64_t SequenceChoice::countMasters() const {
  return std::accumulate(masters.begin(), masters.end(), int64_t(0));
}

namespace {
class SequenceSearch {
public:
  SequenceSearch(const SequenceProblem &problem, int64_t masters);
  SequenceChoice run();

private:
  void extend(size_t count, int64_t left);
  double getHeld(const SequencedLoad &load, size_t sequence) const;
  void deal();

  /// More sequences would each be slow.
  static constexpr size_t mostSequences = 4;

  const SequenceProblem &problem;
  int64_t masters;
  std::vector<int64_t> counts; ///< Of masters that a load can use, the most first.
  std::vector<size_t> order;   ///< Of the loads, those that move most first.
  std::vector<int64_t> chosen;
  SequenceChoice best;
};
} // namespace

SequenceSearch::SequenceSearch(const SequenceProblem &problem, int64_t masters)
    : problem(problem), masters(masters) {
  for (int64_t count = std::min(masters, problem.mostStripes); count >= 1; --count)
    if (std::any_of(problem.loads.begin(), problem.loads.end(),
                    [&](const SequencedLoad &load) { return load.getStripes(count) == count; }))
      counts.push_back(count);
  order.resize(problem.loads.size());
  std::iota(order.begin(), order.end(), 0);
  auto getWords = [&](size_t load) {
    return problem.loads[load].iterations * problem.loads[load].words;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return getWords(a) > getWords(b); });
}

/// The share of the memory that the load needs to run ahead, if it does.
double SequenceSearch::getHeld(const SequencedLoad &load, size_t sequence) const {
  int64_t inTurn = load.getStripes(std::min(masters, problem.mostStripes));
  return load.getStripes(chosen[sequence]) < inTurn ? load.share : 0;
}

/// Deals the loads to sequences of the masters chosen, and takes note if that is the best so far.
void SequenceSearch::deal() {
  SequenceChoice choice{chosen, std::vector<size_t>(problem.loads.size(), 0), 0, 0};
  std::vector<int64_t> cycles(chosen.size(), 0);
  for (size_t number : order) {
    const SequencedLoad &load = problem.loads[number];
    auto endsWith = [&](size_t sequence) {
      return cycles[sequence] + load.countCycles(chosen[sequence]);
    };
    // The first sequence has the most masters, so that none holds less.
    size_t earliest = 0;
    for (size_t sequence = 1; sequence < chosen.size(); ++sequence)
      if (endsWith(sequence) < endsWith(earliest) &&
          choice.held + getHeld(load, sequence) <= problem.mostHeld)
        earliest = sequence;
    cycles[earliest] = endsWith(earliest);
    choice.sequenceOf[number] = earliest;
    choice.held += getHeld(load, earliest);
  }
  choice.cycles = std::max(*std::max_element(cycles.begin(), cycles.end()), problem.leastCycles);
  bool isUnused = *std::min_element(cycles.begin(), cycles.end()) == 0;
  if (chosen.size() > 1 && (isUnused || choice.held > problem.mostHeld))
    return;
  auto rank = [](const SequenceChoice &of) {
    return std::tuple(of.cycles, of.held, of.countMasters());
  };
  if (best.masters.empty() || rank(choice) < rank(best))
    best = std::move(choice);
}

/// Every choice that has `chosen` as its first sequences, and from there on counts from `count` on.
void SequenceSearch::extend(size_t count, int64_t left) {
  if (!chosen.empty())
    deal();
  if (chosen.size() == std::min(mostSequences, problem.loads.size()))
    return;
  for (; count < counts.size(); ++count) {
    if (counts[count] > left)
      continue;
    chosen.push_back(counts[count]);
    extend(count, left - counts[count]);
    chosen.pop_back();
  }
}

SequenceChoice SequenceSearch::run() {
  extend(0, masters);
  return best;
}

SequenceChoice chooseSequences(const SequenceProblem &problem, int64_t masters) {
  return SequenceSearch(problem, masters).run();
}

} // namespace streamtensor::schedule
