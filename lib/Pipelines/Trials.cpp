//===- Trials.cpp - Passes run to see what comes of them ------------------===//

#include "Trials.h"

#include "streamtensor/Sim/Simulator.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

std::optional<int64_t> streamtensor::countCycles(const sim::Machine &machine, int64_t most) {
  sim::SimOptions options;
  options.unbounded = true;
  options.maxCycles = most;
  sim::SimResult result = sim::simulate(machine, options);
  return result.completed() ? std::optional(result.cycles) : std::nullopt;
}

std::optional<int64_t> streamtensor::countCycles(DesignOp design, ArrayRef<int64_t> scalars) {
  FailureOr<sim::DesignMachine> built = sim::buildMachine(design, scalars);
  return succeeded(built) ? countCycles(built->machine) : std::nullopt;
}
