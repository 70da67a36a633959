//===- SearchDepths.cpp - Small depths that keep the cycles ---------------===//

#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Sizing/FifoSizing.h"

#include <cmath>

using namespace llvm;
using namespace streamtensor::schedule;

namespace streamtensor::sizing {
namespace {

sim::SimResult simulateWith(const sim::Machine &machine, const Depths &depths,
                            const Depths &ceilings) {
  sim::SimOptions simulation;
  simulation.ceilings = ceilings;
  return sim::simulate(machine, depths, simulation);
}

/// The same, of `known` runs if there are some.
sim::SimResult simulateOnce(const sim::Machine &machine, const Depths &depths,
                            const Depths &ceilings, KnownRuns *known) {
  return known ? known->simulate(machine, depths, ceilings)
               : simulateWith(machine, depths, ceilings);
}

// How the search goes (docs/rationale/simulation.md). The depths that it ends with are simulated
// whatever these are; they set how many runs it takes, and which of several FIFOs holds what.

/// Slots that even out the bursts of external memory and the drains of serial loops.
constexpr int64_t jitter = 64;
/// Runs that even the largest design gets.
constexpr int64_t fewestRuns = 4;
/// Part of the budget after which depths no longer shrink, and up to which they grow: a design that
/// stays slower than its best time loses more than some memory.
constexpr double shrinkShare = 0.6, growShare = 2.5;
/// Bytes up to which a FIFO starts as the linear program wants it. Larger ones must be seen to
/// be needed, as another FIFO may hold the same data for less.
constexpr int64_t smallFifo = 4096;
/// Bytes of a FIFO once it is seen to slow the run down: about a row of tiles.
constexpr int64_t firstStep = 32 * 1024;
/// Bytes that a FIFO starts with at most: what one of so many holds, another may for less.
constexpr int64_t mostGuessed = 1024 * 1024;
/// How much a FIFO grows whose lack of slots slows the run down, and how much more may grow then.
constexpr int64_t growth = 4;
/// Bits through a FIFO up to which it grows beyond its first step in the first round: twice what
/// that step holds. From the most on every FIFO does.
constexpr int64_t firstOpened = 2 * 8 * firstStep, mostOpened = int64_t(1) << 60;

class DepthSearch {
public:
  DepthSearch(const FifoSizingProblem &problem, const Depths &highWater, const Depths *start,
              const SearchOptions &options, KnownRuns *known)
      : problem(problem), machine(problem.getMachine()), highWater(highWater), options(options),
        known(known), floors(options.floors), tokens(machine.getTokens()) {
    bool isFree = floors.empty();
    if (isFree)
      floors.assign(highWater.size(), problem.getMinimumDepth());
    depths = used = floors;
    tooSmall = getBelowFloors();
    if (isFree)
      guess(start);
  }

  Depths run(SearchEffort *effort) {
    Depths found = search();
    if (effort)
      *effort = {runs, steps};
    return found;
  }

private:
  int64_t getGuess(size_t fifo) const {
    int64_t most = std::max(floors[fifo], getDepthOfBytes(fifo, mostGuessed));
    // Slices of an engine are a few cycles behind each other. What stands in front of it waits for
    // its turn, and more of it, in as wide tokens, would take many blocks.
    bool isOfEngine = machine.tasks[machine.fifos[fifo].writer].hasTurns() ||
                      machine.tasks[machine.fifos[fifo].reader].hasTurns();
    if (isOfEngine)
      return std::max(floors[fifo], std::min(jitter, tokens[fifo]));
    return std::clamp(getRateMatchedDepth(machine, fifo), floors[fifo], most);
  }

  void guess(const Depths *start) {
    for (size_t fifo = 0; fifo < depths.size(); ++fifo) {
      bool isAtWill = isFedAtWill(fifo);
      int64_t most = isAtWill ? jitter : std::max(jitter, getDepthOfBytes(fifo, smallFifo));
      depths[fifo] = isAtWill ? floors[fifo] : getGuess(fifo);
      tooSmall[fifo] = depths[fifo] / 2; // most likely
      if (start)
        depths[fifo] = std::max(depths[fifo], std::min({(*start)[fifo], highWater[fifo], most}));
    }
  }

  Depths search() {
    int64_t best = options.baseline > 0 ? options.baseline : runWithHighWater();
    target = static_cast<int64_t>(best * (1 + options.loss));
    if (!grow()) {
      if (!hasBudget(growShare) && !fastest.empty())
        return fastest;
      startFromHighWater();
    }
    shrink();
    tighten();
    return depths;
  }

  /// Cycles with high-water depths. A FIFO that holds little is faster than one without bound,
  /// which such a run may not get over: then what stands in its way is enlarged.
  int64_t runWithHighWater() {
    sim::SimResult result = simulate(highWater);
    if (!result.completed())
      result = simulate(highWater, tokens);
    highWater = result.depths;
    return result.cycles;
  }

  int64_t getDepthOfBytes(size_t fifo, int64_t bytes) const {
    return 8 * bytes / std::max<int64_t>(1, machine.fifos[fifo].bits);
  }

  /// Does the writer feed this FIFO alone, out of a memory? Holding it back delays
  /// no one else, so tokens need not be written ahead of their use.
  bool isFedAtWill(int32_t fifo) const {
    const sim::AccessPattern &pattern = machine.tasks[machine.fifos[fifo].writer].pattern;
    return llvm::all_of(pattern.classes, [&](const sim::AccessClass &accesses) {
      return accesses.reads.empty() &&
             llvm::all_of(accesses.writes, [&](auto &write) { return write.fifo == fifo; });
    });
  }

  /// Depths that a run has left unused go; the run stays the same, cycle by cycle,
  /// as long as the FIFO keeps its latency.
  Depths getTrimmed(const sim::SimResult &result) const {
    Depths trimmed = depths;
    for (size_t fifo = 0; fifo < depths.size(); ++fifo) {
      int64_t latency = machine.getLatency(fifo, depths[fifo]);
      int64_t depth = std::max(floors[fifo], result.fifos[fifo].highWater);
      if (machine.getLatency(fifo, depth) != latency) // too short for a RAM: the shortest RAM
        depth = machine.fifoRules->shiftRegisterBits / machine.fifos[fifo].bits + 1;
      trimmed[fifo] = std::min(depths[fifo], depth);
    }
    return trimmed;
  }

  /// `isEnlarged`: slots came while the run went on, and it may be another with all of them from
  /// the start.
  void trim(const sim::SimResult &result, bool isEnlarged) {
    depths = getTrimmed(result);
    if (known && !isEnlarged)
      known->add(depths, result);
    for (size_t fifo = 0; fifo < depths.size(); ++fifo)
      used[fifo] = std::max(floors[fifo], result.fifos[fifo].highWater);
  }

  /// With `ceilings`, FIFOs in whose way a deadlock stands grow up to these depths.
  sim::SimResult simulate(const Depths &depths, const Depths &ceilings = {}) {
    sim::SimResult result = simulateOnce(machine, depths, ceilings, known);
    steps += result.steps;
    ++runs;
    lastSteps = std::max(lastSteps, result.steps);
    return result;
  }

  bool keepsCycles(const sim::SimResult &result) const {
    return result.completed() && result.cycles <= target;
  }
  /// Is one more run within `share` of the budget?
  bool hasBudget(double share = 1) const {
    return runs < fewestRuns || steps + lastSteps <= share * options.maxSteps;
  }

  /// FIFOs that the result says are too small, and that more slots could help.
  std::vector<int32_t> findTooSmall(const Depths &depths, const sim::SimResult &result) const {
    std::vector<int32_t> fifos;
    auto add = [&](int32_t fifo) {
      if (depths[fifo] < tokens[fifo] && !llvm::is_contained(fifos, fifo))
        fifos.push_back(fifo);
    };
    if (result.completed())
      llvm::for_each(result.criticalFifos, add);
    for (const sim::Wait &wait : result.waitCycle)
      if (wait.kind == sim::WaitKind::Slot)
        add(wait.channel);
    if (fifos.empty()) // the cause is not known: all that were ever full
      for (size_t fifo = 0; fifo < depths.size(); ++fifo)
        if (result.fifos[fifo].highWater >= depths[fifo])
          add(fifo);
    return fifos;
  }

  /// In large steps, as each costs a run and `shrink` takes back what is not needed. Without
  /// bound a FIFO would take all that its writer can do ahead of a slower reader.
  int64_t enlarge(int32_t fifo, int64_t depth) const {
    int64_t least = isFedAtWill(fifo) ? jitter : std::max(jitter, getDepthOfBytes(fifo, firstStep));
    return std::min(std::max(growth * depth, least), tokens[fifo]);
  }

  /// Enlarges what deadlocks, then what slows the run down, until the cycles are kept. Of several
  /// FIFOs that could hold the same data, the one with the least traffic does.
  bool grow() {
    while (hasBudget(growShare)) {
      sim::SimResult result = simulate(depths, tokens);
      bool isEnlarged = depths != result.depths;
      noteTooSmall(depths, result.depths);
      depths = result.depths;
      if (result.completed() && (fastest.empty() || result.cycles < fewestCycles)) {
        fewestCycles = result.cycles;
        fastest = getTrimmed(result);
      }
      if (keepsCycles(result)) {
        trim(result, isEnlarged);
        if (!isEnlarged)
          return true;
      } else if (!enlargeAll(findTooSmall(depths, result))) { // trimmed, it may run otherwise
        return false;
      }
    }
    return false;
  }

  /// What a run has enlarged was too small, and so was the last depth but one.
  void noteTooSmall(const Depths &before, const Depths &after) {
    for (size_t fifo = 0; fifo < after.size(); ++fifo)
      if (before[fifo] != after[fifo])
        tooSmall[fifo] = std::max(before[fifo], after[fifo] / 2 - 1);
  }

  /// Enlarges those of `fifos` that take a first step or hold little in all, more of them with
  /// each call.
  bool enlargeAll(ArrayRef<int32_t> fifos) {
    if (fifos.empty())
      return false;
    for (bool isAny = false; !isAny; openedBits = growth * std::min(openedBits, mostOpened))
      for (int32_t fifo : fifos) {
        bool isFirstStep = depths[fifo] < getDepthOfBytes(fifo, firstStep);
        if (!isFirstStep && machine.getTraffic(fifo) > openedBits)
          continue;
        tooSmall[fifo] = depths[fifo];
        depths[fifo] = enlarge(fifo, depths[fifo]);
        isAny = true;
      }
    return true;
  }

  /// Where growing names no FIFO that could help, these depths keep the cycles, and need not be the
  /// least that do.
  void startFromHighWater() {
    for (size_t fifo = 0; fifo < depths.size(); ++fifo)
      depths[fifo] = used[fifo] = std::max(floors[fifo], highWater[fifo]);
    tooSmall = getBelowFloors();
  }

  Depths getBelowFloors() const {
    Depths below = floors;
    for (int64_t &depth : below)
      --depth;
    return below;
  }

  double getCost(size_t fifo, int64_t depth) const {
    const DeviceModel &device = problem.getDevice();
    return schedule::getShare(countFifo(machine.fifos[fifo].bits, depth,
                                        chooseFifoKind(machine.fifos[fifo].bits, depth, device),
                                        device),
                              device);
  }

  /// The geometric mean of the largest depth known to be too small and the present one.
  int64_t halve(size_t fifo) const {
    double mean = std::sqrt(static_cast<double>(tooSmall[fifo]) * depths[fifo]);
    return std::max({floors[fifo], tooSmall[fifo] + 1, static_cast<int64_t>(mean)});
  }

  /// All FIFOs that a smaller depth would make cheaper, made smaller at once. Within a fifth of
  /// a depth that is too small another run is not worth it.
  Depths getSmaller() const {
    Depths smaller = depths;
    for (size_t fifo = 0; fifo < depths.size(); ++fifo)
      if (int64_t depth = halve(fifo); 5 * tooSmall[fifo] < 4 * depths[fifo] &&
                                       getCost(fifo, depth) < getCost(fifo, depths[fifo]))
        smaller[fifo] = depth;
    return smaller;
  }

  /// Makes FIFOs smaller together; those that turn out to be too small go back, at once where
  /// they deadlock.
  void shrink() {
    Depths smaller = getSmaller();
    while (smaller != depths && hasBudget(shrinkShare)) {
      sim::SimResult result = simulate(smaller, depths);
      bool isEnlarged = smaller != result.depths;
      noteTooSmall(smaller, result.depths);
      smaller = result.depths;
      if (keepsCycles(result)) {
        depths = smaller;
        trim(result, isEnlarged);
        smaller = getSmaller();
        continue;
      }
      bool restored = false;
      for (int32_t fifo : findTooSmall(smaller, result)) {
        if (smaller[fifo] >= depths[fifo])
          continue;
        tooSmall[fifo] = smaller[fifo];
        smaller[fifo] = depths[fifo];
        restored = true;
      }
      if (!restored) // too small together, with no one to blame
        return;
      if (smaller == depths)
        smaller = getSmaller();
    }
  }

  /// RAMs of the shortest length that hold less become shift registers, which are faster.
  void tighten() {
    for (Depths before; depths != before && depths != used && hasBudget();) {
      before = depths;
      sim::SimResult result = simulate(used, depths);
      if (!keepsCycles(result))
        return;
      depths = result.depths;
      trim(result, /*isEnlarged=*/depths != used);
    }
  }

  const FifoSizingProblem &problem;
  const sim::Machine &machine;
  Depths highWater;
  SearchOptions options;
  KnownRuns *known;
  Depths floors; ///< No FIFO gets less.
  Depths tokens, depths, tooSmall;
  Depths used;    ///< High-water marks of the last run that kept the cycles.
  Depths fastest; ///< Of the completed runs while growing.
  int64_t fewestCycles = 0;
  int64_t openedBits = firstOpened; ///< Traffic up to which a FIFO grows beyond its first step.
  int64_t target = 0, steps = 0, lastSteps = 0, runs = 0;
};

} // namespace

const sim::SimResult &KnownRuns::simulate(const sim::Machine &machine, const Depths &depths,
                                          const Depths &ceilings) {
  if (auto known = results.find({depths, {}}); known != results.end() && known->second.completed())
    return known->second;
  if (auto known = results.find({depths, ceilings}); known != results.end())
    return known->second;
  ++made;
  sim::SimResult result = simulateWith(machine, depths, ceilings);
  bool isEnlarged = result.depths != depths;
  return results[{depths, isEnlarged ? ceilings : Depths()}] = std::move(result);
}

Expected<Depths> KnownRuns::accept(const FifoSizingProblem &problem, const Depths &depths,
                                   Depths *least) {
  auto known = accepted.find(depths);
  if (known == accepted.end()) {
    Depths leastThen;
    Expected<Depths> found = makeAcceptable(problem, depths, &leastThen);
    if (!found)
      return found.takeError();
    known = accepted.try_emplace(depths, std::move(*found), std::move(leastThen)).first;
  }
  if (least)
    *least = known->second.second;
  return known->second.first;
}

void KnownRuns::add(const Depths &depths, sim::SimResult result) {
  result.depths = depths;
  results.try_emplace({depths, {}}, std::move(result));
}

Depths searchDepths(const FifoSizingProblem &problem, const Depths &highWater, const Depths *start,
                    const SearchOptions &options, SearchEffort *effort, KnownRuns *known) {
  return DepthSearch(problem, highWater, start, options, known).run(effort);
}

Expected<Depths> sizeBySearch(const FifoSizingProblem &problem, const Baseline &baseline,
                              double loss, int64_t maxSteps, Depths *least, SearchEffort *effort,
                              KnownRuns *known) {
  SearchOptions options;
  options.loss = loss;
  if (loss > 0) // else the latencies of the memories at these depths count too
    options.baseline = baseline.unboundedCycles;
  options.maxSteps = maxSteps;
  options.floors = baseline.floors;
  const Depths *start = baseline.linear ? &*baseline.linear : nullptr;
  Depths found = searchDepths(problem, baseline.highWater, start, options, effort, known);
  auto accept = [&](const Depths &depths) {
    return known ? known->accept(problem, depths, least) : makeAcceptable(problem, depths, least);
  };
  Expected<Depths> accepted = accept(found);
  if (!accepted || *accepted == found || loss == 0) // else a single cycle would begin a new search
    return accepted;
  // Slots against deadlock can make a FIFO a RAM, which is later: others may need more for that.
  const sim::Machine &machine = problem.getMachine();
  sim::SimResult before = simulateOnce(machine, found, {}, known),
                 after = simulateOnce(machine, *accepted, {}, known);
  if (!before.completed() || !after.completed() || after.cycles <= (1 + loss) * before.cycles)
    return accepted;
  options.floors = *accepted;
  return accept(searchDepths(problem, baseline.highWater, start, options, effort, known));
}

} // namespace streamtensor::sizing
