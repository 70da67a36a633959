//===- ChoosePlan.cpp - Sequences side by side, where they are faster -----===//
//
// Whether loads are faster in sequences side by side depends on when tasks are at work: only where
// two of them take weights at the same time, or wait for those of one master, do more masters help.
// And in the first round, with nothing in the FIFOs, fewer masters for a tensor are slower. So a
// copy of the design is planned, scheduled and simulated with each plan.
//
//===----------------------------------------------------------------------===//

#include "PortPlanning.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Schedule/LeafSchedule.h"
#include "streamtensor/Sim/BuildMachine.h"
#include "streamtensor/Sim/Simulator.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {

/// All rounds, of the least that the launch can ask for: then a design waits for its weights, if it
/// ever does.
static SmallVector<int64_t> getTrialScalars(DesignOp design) {
  DenseSet<Value> rounds = getRoundScalars(design);
  SmallVector<int64_t> scalars = getLargestScalars(design);
  for (auto [scalar, value] : llvm::zip_equal(design.getBody().getOps<ScalarOp>(), scalars))
    if (!rounds.contains(scalar.getResult()))
      value = scalar.getLow();
  return scalars;
}

/// Cycles of a launch of the scheduled design; FIFOs without a depth in `depths` hold all.
static std::optional<int64_t> simulateLaunch(DesignOp design,
                                             const llvm::StringMap<int64_t> &depths) {
  FailureOr<sim::DesignMachine> built = sim::buildMachine(design, getTrialScalars(design));
  if (failed(built))
    return std::nullopt;
  std::vector<int64_t> tokens = built->machine.getTokens(), slots = tokens;
  for (auto [fifo, slot] : llvm::zip_equal(built->machine.fifos, slots))
    if (auto known = depths.find(fifo.name); known != depths.end())
      slot = std::min(slot, known->second);
  sim::SimOptions options;
  options.ceilings = tokens;
  sim::SimResult result = sim::simulate(built->machine, slots, options);
  return result.completed() ? std::optional(result.cycles) : std::nullopt;
}

/// Cycles of a launch under `plan`; nothing if the design has not the masters for it, or is at
/// fault. A warning says so, unless the plan is the last, whose faults are the design's errors.
static std::optional<int64_t> tryPlan(DesignOp design, const DeviceModel &device,
                                      const PlanPortsOptions &options, const StripePlan &plan) {
  OwningOpRef<ModuleOp> module(design->getParentOfType<ModuleOp>().clone());
  auto copy = module->lookupSymbol<DesignOp>(design.getSymName());
  std::string fault = "a launch does not end";
  std::optional<int64_t> cycles;
  {
    ScopedDiagnosticHandler kept(design.getContext(), [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        fault = diagnostic.str();
      return success();
    });
    DenseMap<Operation *, Traffic> traffic;
    FailureOr<bool> planned = planDesign(copy, device, options, plan, traffic[copy]);
    if (succeeded(planned) && !*planned)
      return std::nullopt;
    if (succeeded(planned) && succeeded(bindChannels(*module, device, traffic)) &&
        succeeded(scheduleDesign(copy, device)))
      cycles = simulateLaunch(copy, planDepths(design, plan, device));
  }
  if (!cycles && plan.isDealt())
    mlir::emitWarning(design.getLoc())
        << "loads are not dealt to " << plan.beside.countMasters()
        << " masters, with which the design would be at fault: " << fault;
  return cycles;
}

StripePlan choosePlan(DesignOp design, const DeviceModel &device, const PlanPortsOptions &options) {
  // More masters take logic and wires.
  constexpr double worth = 0.97;
  SmallVector<StripePlan> plans = planStripes(design, device);
  StripePlan inTurn = plans.pop_back_val();
  const StripePlan *fastest = nullptr;
  int64_t fewest = 0;
  for (const StripePlan &plan : plans) {
    if (fastest && plan.cycles >= fewest)
      break; // A launch takes no less than its loads, and the others' take more.
    if (std::optional<int64_t> cycles = tryPlan(design, device, options, plan);
        cycles && (!fastest || *cycles < fewest)) {
      fastest = &plan;
      fewest = *cycles;
    }
  }
  if (!fastest)
    return inTurn;
  std::optional<int64_t> cycles = tryPlan(design, device, options, inTurn);
  return cycles && fewest < worth * *cycles ? *fastest : inTurn;
}

} // namespace streamtensor::schedule
