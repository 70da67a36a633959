//===- Trials.cpp - Passes run to see what comes of them ------------------===//

#include "Trials.h"

#include "streamtensor/Placement/DesignDies.h"
#include "streamtensor/Sim/Simulator.h"

#include "llvm/Support/FormatVariadic.h"

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

std::string streamtensor::findExcess(ModuleOp module, const DeviceModel &device, int tries,
                                     double tolerance) {
  constexpr StringRef names[] = {"LUTs", "flip-flops", "DSPs", "block RAMs", "URAMs"};
  // A later one might make it fit, but among many designs another is as good.
  constexpr int vainAnneals = 4;
  std::string excess;
  for (auto design : module.getOps<DesignOp>()) {
    placement::DesignDies described = placement::describeDies(design, device);
    const placement::DieProblem &problem = described.problem;
    std::optional<placement::Dies> dies = described.getStated(device);
    if (!dies)
      dies = placement::assignByMoves(problem, tries, /*anneals=*/2 * tries, vainAnneals);
    for (auto [boundary, bits] : llvm::enumerate(problem.getCrossings(*dies)))
      if (bits > problem.wires * (1 + tolerance))
        excess += llvm::formatv("; {0:N0} bits between {1} and {2} over {3:N0} wires", bits,
                                device.getDies()[boundary].name,
                                device.getDies()[boundary + 1].name, problem.wires);
    for (auto [die, use] : llvm::enumerate(problem.getUse(*dies)))
      for (auto [field, name] : llvm::zip_equal(Resources::fields, names))
        if (use.*field > problem.budgets[die].*field * (1 + tolerance))
          excess += llvm::formatv("; {0:N0} {1} on {2}, where {3:N0} can be placed",
                                  static_cast<int64_t>(std::ceil(use.*field)), name,
                                  device.getDies()[die].name,
                                  static_cast<int64_t>(problem.budgets[die].*field));
  }
  return excess;
}

/// What a design asks of all dies together that they have not. Empty if there is none.
static std::string findTotalExcess(const placement::DieProblem &problem) {
  constexpr StringRef names[] = {"lut", "ff", "dsp", "bram", "uram"};
  Resources used, placeable;
  for (const placement::DieProblem::Task &task : problem.tasks)
    used += task.resources;
  for (const Resources &die : problem.budgets)
    placeable += die;
  std::string excess;
  for (auto [field, name] : llvm::zip_equal(Resources::fields, names)) {
    if (used.*field > placeable.*field)
      excess += llvm::formatv("; {0} {1:N0} of {2:N0} that can be placed", name,
                              static_cast<int64_t>(std::ceil(used.*field)),
                              static_cast<int64_t>(placeable.*field));
  }
  return excess;
}

std::string streamtensor::findExcessOfLeaves(ModuleOp module, const DeviceModel &device) {
  constexpr int tries = 8; // as of assignByMoves, for the dies of a sized design
  // What moves miss by less the integer program, or blocks that are dealt on each die, may place.
  constexpr double mostMissed = 0.03;
  std::string excess;
  for (auto design : module.getOps<DesignOp>())
    excess += findTotalExcess(placement::describeDies(design, device).problem);
  return excess.empty() ? findExcess(module, device, tries, mostMissed) : excess;
}
