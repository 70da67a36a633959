//===- Trials.cpp - Passes run to see what comes of them ------------------===//

#include "Trials.h"

#include "streamtensor/Sim/Simulator.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

std::optional<int64_t> streamtensor::countCycles(const sim::Machine &machine, int64_t most) {
  // A writer hardly ever waits at that depth before its reader must; where all would wait, FIFOs
  // are as deep as it takes. With bounds a long run repeats, and most of it is passed at once.
  constexpr int64_t deep = 1 << 16;
  sim::Machine unsized = machine;
  unsized.fifoRules->ramLatency = unsized.fifoRules->shiftRegisterLatency;
  sim::SimOptions options;
  options.maxCycles = most;
  options.ceilings = machine.getTokens();
  std::vector<int64_t> depths;
  for (auto [fifo, tokens] : llvm::enumerate(options.ceilings)) {
    depths.push_back(std::min(deep, tokens));
    unsized.fifos[fifo].latency = machine.getLatency(fifo, 0);
  }
  sim::SimResult result = sim::simulate(unsized, depths, options);
  return result.completed() ? std::optional(result.cycles) : std::nullopt;
}

std::optional<int64_t> streamtensor::countCycles(DesignOp design, ArrayRef<int64_t> scalars) {
  FailureOr<sim::DesignMachine> built = sim::buildMachine(design, scalars);
  return succeeded(built) ? countCycles(built->machine) : std::nullopt;
}
