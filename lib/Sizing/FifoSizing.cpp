//===- FifoSizing.cpp - The problem, high-water marks, acceptance ---------===//

#include "streamtensor/Sizing/FifoSizing.h"

#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Sim/Deadlock.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace streamtensor::schedule;

namespace streamtensor::sizing {

sim::FifoRules getFifoRules(const FifoModel &fifo) {
  return {fifo.shiftRegisterLatency, fifo.ramLatency, fifo.shiftRegisterBits,
          fifo.shiftRegisterDepth, fifo.minimumDepth};
}

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

static Error reportDeadlock(const sim::Machine &machine, const Depths &depths,
                            const sim::SimResult &result, StringRef what) {
  if (result.status == sim::SimResult::Status::StepLimit)
    return createStringError("design '" + machine.name + "': " + what + " was given up after " +
                             Twine(result.steps) + " token accesses");
  return createStringError("design '" + machine.name + "': " + what +
                           " deadlocks: [fifo.deadlock] " +
                           sim::describeDeadlock(machine, depths, result));
}

Error FifoSizingProblem::check() const { return machine.verify(); }

int64_t FifoSizingProblem::getInFlightSlots(int32_t fifo) const {
  const sim::Task &writer = machine.tasks[machine.fifos[fifo].writer];
  int64_t interval = writer.phases.front().ii;
  for (const sim::Phase &phase : writer.phases)
    interval = std::min(interval, phase.ii);
  return llvm::divideCeil(writer.getLastWriteStage() - machine.getWriteStage(fifo), interval);
}

/// Depths less the slots of iterations in flight.
static Depths withoutInFlight(const FifoSizingProblem &problem, Depths depths) {
  for (size_t fifo = 0; fifo < depths.size(); ++fifo)
    depths[fifo] = std::max<int64_t>(1, depths[fifo] - problem.getInFlightSlots(fifo));
  return depths;
}

static sim::SimResult runOneInFlight(const FifoSizingProblem &problem, const Depths &depths) {
  sim::SimOptions options;
  options.oneInFlight = true;
  return sim::simulate(problem.getMachine(), depths, options);
}

bool FifoSizingProblem::isAccepted(const Depths &depths) const {
  for (size_t fifo = 0; fifo < depths.size(); ++fifo)
    if (depths[fifo] <= getInFlightSlots(fifo))
      return false;
  return runOneInFlight(*this, withoutInFlight(*this, depths)).completed();
}

Error FifoSizingProblem::verify(const Depths &depths) const {
  for (auto [fifo, depth] : llvm::zip_equal(machine.fifos, depths))
    if (depth < getMinimumDepth())
      return createStringError("FIFO '" + fifo.name + "' has depth " + Twine(depth) +
                               "; the least is " + Twine(getMinimumDepth()) + ": [fifo.depth]");
  sim::SimResult result = sim::simulate(machine, depths);
  if (!result.completed())
    return reportDeadlock(machine, depths, result, "a run at these FIFO depths");
  if (!isAccepted(depths))
    return createStringError("design '" + machine.name +
                             "': freedom from deadlock at these FIFO "
                             "depths depends on timing: a run with one iteration in flight does "
                             "not end: [fifo.deadlock]");
  return Error::success();
}

Resources FifoSizingProblem::count(const Depths &depths) const {
  Resources used;
  for (auto [fifo, depth] : llvm::zip_equal(machine.fifos, depths))
    used += countFifo(fifo.bits, depth, chooseFifoKind(fifo.bits, depth, device), device);
  return used;
}

//===----------------------------------------------------------------------===//
// High-water marks and acceptance
//===----------------------------------------------------------------------===//

Expected<Depths> sizeByHighWater(const FifoSizingProblem &problem, int64_t *cycles) {
  sim::SimOptions options;
  options.unbounded = true;
  const sim::Machine &machine = problem.getMachine();
  sim::SimResult result = sim::simulate(machine, options);
  if (!result.completed())
    return reportDeadlock(machine, Depths(machine.fifos.size(), 0), result,
                          "a run with unbounded FIFOs");
  if (cycles)
    *cycles = result.cycles;
  Depths depths;
  for (const sim::FifoResult &fifo : result.fifos)
    depths.push_back(std::max(problem.getMinimumDepth(), fifo.highWater));
  return depths;
}

Expected<Baseline> measureBaseline(const FifoSizingProblem &problem, RateStrategy strategy) {
  Baseline baseline;
  Expected<Depths> highWater = sizeByHighWater(problem, &baseline.unboundedCycles);
  if (!highWater)
    return highWater.takeError();
  baseline.highWater = std::move(*highWater);
  if (Expected<Depths> linear = sizeByLinearProgram(problem, strategy))
    baseline.linear = std::move(*linear);
  else
    consumeError(linear.takeError()); // a start only, unless it is asked for
  return baseline;
}

Expected<Depths> makeAcceptable(const FifoSizingProblem &problem, Depths depths, Depths *least) {
  sim::SimOptions options;
  options.oneInFlight = true;
  const sim::Machine &machine = problem.getMachine();
  options.ceilings = machine.getTokens();
  const Depths asked = withoutInFlight(problem, depths);
  sim::SimResult result = sim::simulate(machine, asked, options);
  if (!result.completed())
    return reportDeadlock(machine, result.depths, result,
                          "a run with one iteration in flight per task");
  if (least)
    least->clear();
  for (size_t fifo = 0; fifo < depths.size(); ++fifo) {
    int64_t slots = problem.getInFlightSlots(fifo), used = result.fifos[fifo].highWater;
    // A run doubles what stands in its way. Tasks read and write in an order of their own, so where
    // one run ends with no more slots in use than that, every run does.
    bool isEnlarged = result.depths[fifo] > asked[fifo];
    depths[fifo] = std::max(depths[fifo], (isEnlarged ? used : asked[fifo]) + slots);
    if (least)
      least->push_back(used + slots);
  }
  return depths;
}

} // namespace streamtensor::sizing
