//===- SizingComparison.cpp - Ways to size FIFOs, side by side ------------===//

#include "streamtensor/Sizing/SizingComparison.h"

#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Sim/Deadlock.h"
#include "streamtensor/Sizing/DesignReport.h"
#include "streamtensor/Sizing/Passes.h"

using namespace llvm;

namespace streamtensor::sizing {
namespace {

class Comparison {
public:
  Comparison(const sim::DesignMachine &built, const DeviceModel &device)
      : built(built), device(device), searched(built.machine.withFixedShares()),
        problem(searched, device) {}

  Expected<std::vector<ComparedSizing>> run(ArrayRef<double> losses) {
    Expected<Baseline> baseline = measureBaseline(problem, RateStrategy::Normal);
    if (!baseline)
      return baseline.takeError();
    add("lp", sizeByLinearProgram(problem, RateStrategy::Normal));
    add("lp-conservative", sizeByLinearProgram(problem, RateStrategy::Conservative));
    add("highwater", makeAcceptable(problem, baseline->highWater));
    KnownRuns runs;
    for (double loss : losses) {
      SearchEffort effort;
      add("search", sizeBySearch(problem, *baseline, loss, SizeFifosOptions().searchSteps,
                                 /*least=*/nullptr, &effort, &runs));
      sizings.back().loss = loss;
      sizings.back().effort = effort;
    }
    return std::move(sizings);
  }

private:
  void add(StringRef strategy, Expected<Depths> depths) {
    ComparedSizing &sizing = sizings.emplace_back();
    sizing.strategy = strategy;
    if (!depths) {
      sizing.fault = toString(depths.takeError());
      return;
    }
    sizing.depths = std::move(*depths);
    for (auto [fifo, depth] : zip_equal(built.machine.fifos, sizing.depths))
      sizing.bits += fifo.bits * depth;
    sizing.used = countFifos(built, sizing.depths, device);
    sizing.share = schedule::getShare(sizing.used, device);
    simulate(sizing);
  }

  void simulate(ComparedSizing &sizing) {
    sim::SimResult result = sim::simulate(built.machine, sizing.depths);
    if (!result.completed()) {
      sizing.fault = sim::describeWaits(built.machine, sizing.depths, result);
      return;
    }
    sizing.cycles = result.cycles;
    sizing.isAccepted = problem.isAccepted(sizing.depths);
  }

  const sim::DesignMachine &built;
  const DeviceModel &device;
  sim::Machine searched;
  FifoSizingProblem problem;
  std::vector<ComparedSizing> sizings;
};

} // namespace

Expected<std::vector<ComparedSizing>> compareSizings(const sim::DesignMachine &built,
                                                     const DeviceModel &device,
                                                     ArrayRef<double> losses) {
  return Comparison(built, device).run(losses);
}

std::vector<size_t> findFront(ArrayRef<ComparedSizing> sizings) {
  std::vector<size_t> front;
  for (size_t index = 0; index < sizings.size(); ++index)
    if (sizings[index].isAccepted)
      front.push_back(index);
  // In this order a sizing is beaten only by one before it.
  llvm::stable_sort(front, [&](size_t a, size_t b) {
    const ComparedSizing &x = sizings[a], &y = sizings[b];
    return std::tuple(x.share, x.bits, *x.cycles) < std::tuple(y.share, y.bits, *y.cycles);
  });
  int64_t fewest = INT64_MAX;
  llvm::erase_if(front, [&](size_t index) {
    bool isBeaten = *sizings[index].cycles >= fewest;
    fewest = std::min(fewest, *sizings[index].cycles);
    return isBeaten;
  });
  return front;
}

json::Array reportSizings(ArrayRef<ComparedSizing> sizings, const DeviceModel &device) {
  json::Array report;
  std::vector<size_t> front = findFront(sizings);
  for (auto [index, sizing] : enumerate(sizings)) {
    json::Object entry{{"strategy", sizing.strategy},
                       {"cycles", sizing.cycles ? json::Value(*sizing.cycles) : nullptr},
                       {"ends_whatever_the_timing", sizing.isAccepted},
                       {"on_front", is_contained(front, index)}};
    if (sizing.loss) {
      entry["loss"] = *sizing.loss;
      entry["runs"] = sizing.effort.runs;
      entry["steps"] = sizing.effort.steps;
    }
    if (!sizing.cycles)
      entry["fault"] = sizing.fault;
    if (!sizing.depths.empty()) {
      entry["depths"] = json::Array(sizing.depths);
      entry["bits"] = sizing.bits;
      entry["share"] = sizing.share;
      entry["resources"] = reportResources(sizing.used, device);
    }
    report.push_back(std::move(entry));
  }
  return report;
}

} // namespace streamtensor::sizing
