//===- FifoSizing.h - Depths of a design's FIFOs ----------------*- C++ -*-===//
//
// The problem and its algorithms: the linear program of the StreamTensor paper
// (arXiv 2509.13694, section on FIFO sizing), high-water marks of an unbounded
// run, and a search below them. Depths are in slots, one entry per FIFO.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIZING_FIFOSIZING_H
#define STREAMTENSOR_SIZING_FIFOSIZING_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Sim/Simulator.h"

#include <map>

namespace streamtensor::sizing {

using Depths = std::vector<int64_t>;

/// What a device says of FIFOs at other depths.
sim::FifoRules getFifoRules(const FifoModel &fifo);

/// A machine with the rules of its FIFOs, which want depths.
class FifoSizingProblem {
public:
  FifoSizingProblem(const sim::Machine &machine, const DeviceModel &device)
      : machine(machine), device(device) {}

  /// Is the input well-formed: matching token counts, tasks that can all end?
  llvm::Error check() const;

  /// Is `depths` a solution: every FIFO at least of the least depth, the run at these
  /// depths ends, and so it does whatever the timing (`isAccepted`)?
  llvm::Error verify(const Depths &depths) const;

  /// Freedom from deadlock that does not depend on timing: a run with one iteration
  /// in flight per task ends at depths that are smaller by the slots that writes of
  /// iterations in flight may need, `ceil((last write stage of the writer - own
  /// write stage) / II)` of the FIFO's writer.
  bool isAccepted(const Depths &depths) const;

  /// The slots of `isAccepted` that iterations in flight may need.
  int64_t getInFlightSlots(int32_t fifo) const;

  /// Memory and logic of the FIFOs at these depths.
  Resources count(const Depths &depths) const;

  const sim::Machine &getMachine() const { return machine; }
  const DeviceModel &getDevice() const { return device; }
  /// Slots of the smallest FIFO.
  int64_t getMinimumDepth() const { return machine.fifoRules->minimumDepth; }

private:
  const sim::Machine &machine;
  const DeviceModel &device;
};

/// The paper's strategies: tasks at their own rates, or all scaled to the slowest.
enum class RateStrategy { Normal, Conservative };

/// Depths of the paper's linear program: start times with the least sum of delays,
/// each delay at least the initial delay of its source. A baseline: depths may
/// stall or deadlock. Fails on graphs with cycles.
llvm::Expected<Depths> sizeByLinearProgram(const FifoSizingProblem &problem, RateStrategy strategy);

/// Largest use of each FIFO in a run without bounds: depths without any stall.
/// `cycles`, if given, receives the cycles of that run.
llvm::Expected<Depths> sizeByHighWater(const FifoSizingProblem &problem, int64_t *cycles = nullptr);

/// Slots with which a FIFO slows neither end down if both take equal time per activation; at
/// least that of the smallest FIFO. Exact from the access patterns of both ends, without
/// simulation.
int64_t getRateMatchedDepth(const sim::Machine &machine, int32_t fifo);

/// What one search has simulated.
struct SearchEffort {
  int64_t runs = 0;
  int64_t steps = 0; ///< Token accesses of all runs.
};

struct SearchOptions {
  /// Allowed loss of speed, as a fraction of the cycles at high-water depths.
  double loss = 0.01;
  /// Cycles to keep; 0 takes those of a run at high-water depths.
  int64_t baseline = 0;
  /// Token accesses that all candidate runs together may simulate.
  int64_t maxSteps = int64_t(300) * 1000 * 1000;
  /// Depths that the search begins with and does not go below; none: it guesses where to begin, and
  /// goes down to the least depth of a FIFO.
  Depths floors;
};

/// What runs of one machine have found, so that searches that allow different losses, and begin
/// alike, share them.
class KnownRuns {
public:
  /// A run that enlarges nothing is the same with ceilings and without.
  const sim::SimResult &simulate(const sim::Machine &machine, const Depths &depths,
                                 const Depths &ceilings = {});
  /// What `makeAcceptable` makes of these depths.
  llvm::Expected<Depths> accept(const FifoSizingProblem &problem, const Depths &depths,
                                Depths *least);
  /// At these depths the run is the same as this one, which was made at others.
  void add(const Depths &depths, sim::SimResult result);
  /// Runs that were made.
  size_t size() const { return made; }

private:
  std::map<std::pair<Depths, Depths>, sim::SimResult> results; ///< By depths and ceilings.
  std::map<Depths, std::pair<Depths, Depths>> accepted;        ///< With the least.
  size_t made = 0;
};

/// Small depths that keep the cycles: FIFOs start at their rate-matched depth, or at `start` as
/// far as that is small and larger, and grow where a run deadlocks or where their lack of slots
/// lies on its critical path; then they shrink again as far as the budget goes. Where several FIFOs
/// could hold the same data, the one with the least traffic does, so that a depth may exceed its
/// high-water mark to spare a larger one behind it. If the budget ends before the cycles
/// are reached: the fastest depths seen. `effort`, if given, receives what this took. Runs that
/// `known` has, of the same machine, are not made again, though they count for the budget; new ones
/// are added.
Depths searchDepths(const FifoSizingProblem &problem, const Depths &highWater, const Depths *start,
                    const SearchOptions &options = {}, SearchEffort *effort = nullptr,
                    KnownRuns *known = nullptr);

/// Enlarges depths until `isAccepted` holds. `least`, if given, receives what the rule asks of
/// each FIFO: its use in the run with one iteration in flight, and the slots in flight.
llvm::Expected<Depths> makeAcceptable(const FifoSizingProblem &problem, Depths depths,
                                      Depths *least = nullptr);

/// What the strategies start from; it does not depend on the depths that they choose.
struct Baseline {
  Depths highWater;
  int64_t unboundedCycles = 0;
  std::optional<Depths> linear; ///< Nothing where the linear program has no solution.
  Depths floors;                ///< Of the search, as in its options.
};

/// Fails where a run with unbounded FIFOs deadlocks.
llvm::Expected<Baseline> measureBaseline(const FifoSizingProblem &problem, RateStrategy strategy);

/// The strategy `search`: small depths that keep the cycles within `loss`, accepted whatever the
/// timing (`least` as in `makeAcceptable`, the rest as in `searchDepths`).
llvm::Expected<Depths> sizeBySearch(const FifoSizingProblem &problem, const Baseline &baseline,
                                    double loss, int64_t maxSteps, Depths *least = nullptr,
                                    SearchEffort *effort = nullptr, KnownRuns *known = nullptr);

} // namespace streamtensor::sizing

#endif
