//===- CutKernels.cpp - A kernel for each die -----------------------------===//
//
//   dataflow.design @layer attributes {per_die}
//   %y = dataflow.stream "y" {latency = 14, memory = #dataflow.memory<lutram>} : ...<f32, 16>
//
// A link is a FIFO of the platform: it has its depths, and a token takes longer through it. Depths
// only grow, so that what could not deadlock cannot now; where the latency of links slows the
// design down, its FIFOs are searched again from the depths that they have.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Placement/DesignDies.h"
#include "streamtensor/Placement/Passes.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Sim/BuildMachine.h"
#include "streamtensor/Sizing/FifoSizing.h"
#include "streamtensor/Sizing/Passes.h"
#include "streamtensor/Support/BitWidth.h"

using namespace mlir;
using namespace streamtensor::dataflow;
using namespace streamtensor::schedule;

namespace streamtensor::sizing {
#define GEN_PASS_DEF_CUTKERNELS
#include "streamtensor/Sizing/Passes.h.inc"

namespace {

class KernelCutter {
public:
  KernelCutter(DesignOp design, const DeviceModel &device, const CutKernelsOptions &options)
      : design(design), device(device), options(options), streams(design.getOps<StreamOp>()) {}

  LogicalResult cut();

private:
  FailureOr<sim::Machine> buildForSearch();
  Depths getDepths();
  LogicalResult setDepths(const Depths &depths);
  LogicalResult setDepth(StreamOp stream, int64_t depth);
  LogicalResult keepSpeed(int64_t cycles);
  LogicalResult cutOnce();
  void undo(const Depths &depths, ArrayRef<MemoryKind> kinds);
  double getExcess();
  std::vector<placement::DieUse> getUse();

  DesignOp design;
  const DeviceModel &device;
  const CutKernelsOptions &options;
  SmallVector<StreamOp> streams;
};

struct CutKernelsPass : impl::CutKernelsBase<CutKernelsPass> {
  using CutKernelsBase::CutKernelsBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    if ((*device)->getDies().size() < 2) {
      getOperation().emitError() << "[design.kernels] a kernel for each die is asked for, and "
                                 << (*device)->getCard()
                                 << " has one die: a design is one kernel there; leave out "
                                    "kernels=per-die";
      return signalPassFailure();
    }
    CutKernelsOptions options{loss, searchSteps, rounds};
    for (auto design : getOperation().getOps<DesignOp>())
      if (failed(KernelCutter(design, **device, options).cut()))
        return signalPassFailure();
  }
};

} // namespace

/// What FIFOs are searched with: a few of the layers that a cycle goes through.
FailureOr<sim::Machine> KernelCutter::buildForSearch() {
  FailureOr<sim::DesignMachine> built =
      sim::buildMachine(design, getLargestScalars(design, options.rounds));
  if (failed(built))
    return failure();
  built->machine.fifoRules = getFifoRules(device.fifo());
  return built->machine.withFixedShares();
}

Depths KernelCutter::getDepths() {
  Depths depths;
  for (StreamOp stream : streams)
    depths.push_back(stream.getType().getDepth());
  return depths;
}

LogicalResult KernelCutter::setDepth(StreamOp stream, int64_t depth) {
  int64_t bits = getBitWidth(stream.getType().getElementType());
  MemoryKind kind = stream.getMemory();
  if (isLink(stream)) {
    std::optional<int64_t> found = device.link().getDepth(depth);
    if (!found)
      return stream.emitError() << "[design.kernels] FIFO '" << stream.getName() << "' needs "
                                << depth << " slots, and goes from die to die, where a stream of "
                                << "the platform has at most " << device.link().mostDepth
                                << ": compile with kernels=one";
    depth = *found;
    bits = device.link().getWordBits(bits);
  }
  // What it is made of stays as it was where that holds the tokens at its depth.
  if (depth != stream.getType().getDepth() || isLink(stream))
    kind = chooseFifoKind(bits, depth, device);
  if (isLink(stream) && kind == MemoryKind::ShiftRegister)
    kind = MemoryKind::LUTRAM;
  dataflow::setDepth(stream, depth);
  stream.setMemory(kind);
  stream.setLatency(getFifoLatency(stream, device));
  return success();
}

LogicalResult KernelCutter::setDepths(const Depths &depths) {
  for (auto [stream, depth] : llvm::zip_equal(streams, depths))
    if (failed(setDepth(stream, depth)))
      return failure();
  return success();
}

/// By how much the design exceeds its dies.
double KernelCutter::getExcess() {
  placement::DesignDies described = placement::describeDies(design, device);
  return described.problem.getExcess(*described.getStated(device));
}

/// FIFOs that the latency of links makes too small get deeper, where the dies hold them.
LogicalResult KernelCutter::keepSpeed(int64_t cycles) {
  FailureOr<sim::Machine> machine = buildForSearch();
  if (failed(machine))
    return failure();
  Depths depths = getDepths();
  sim::SimResult result = sim::simulate(*machine, depths);
  if (result.completed() && result.cycles <= (1 + options.loss) * cycles)
    return success();
  FifoSizingProblem problem(*machine, device);
  Baseline baseline;
  llvm::Expected<Depths> highWater = sizeByHighWater(problem, &baseline.unboundedCycles);
  if (!highWater)
    return design.emitError() << llvm::toString(highWater.takeError());
  baseline.highWater = std::move(*highWater);
  baseline.floors = depths;
  llvm::Expected<Depths> deeper =
      sizeBySearch(problem, baseline, options.loss, options.searchSteps);
  if (!deeper)
    return design.emitError() << llvm::toString(deeper.takeError());
  double excess = getExcess();
  if (failed(setDepths(*deeper)))
    return failure();
  return getExcess() <= excess ? success() : setDepths(depths);
}

LogicalResult KernelCutter::cutOnce() {
  FailureOr<sim::Machine> machine = buildForSearch();
  if (failed(machine))
    return failure();
  int64_t cycles = sim::simulate(*machine, getDepths()).cycles;
  design.setPerDie(true);
  return success(succeeded(setDepths(getDepths())) && succeeded(keepSpeed(cycles)));
}

/// One kernel again, whose FIFOs are as they were.
void KernelCutter::undo(const Depths &depths, ArrayRef<MemoryKind> kinds) {
  design.setPerDie(false);
  for (auto [stream, depth, kind] : llvm::zip_equal(streams, depths, kinds)) {
    dataflow::setDepth(stream, depth);
    stream.setMemory(kind);
    stream.setLatency(getFifoLatency(stream, device));
  }
}

std::vector<placement::DieUse> KernelCutter::getUse() {
  placement::DesignDies described = placement::describeDies(design, device);
  return described.problem.getUse(*described.getStated(device));
}

LogicalResult KernelCutter::cut() {
  for (auto leaf : design.getOps<LeafOp>())
    if (!leaf.getDie())
      return leaf.emitError() << "[design.kernels] leaf task '" << leaf.getName()
                              << "' has no die; run dataflow-assign-dies first";
  // What links take comes on top of what was placed. Where a die does not hold that, leaves are
  // placed again with room for it.
  constexpr int attempts = 3;
  std::vector<Resources> room(device.getDies().size());
  Depths depths = getDepths();
  auto kinds = llvm::map_to_vector(streams, [](StreamOp stream) { return stream.getMemory(); });
  for (int attempt = 1; getDies(design).size() > 1; ++attempt) {
    double excess = getExcess();
    std::vector<placement::DieUse> before = getUse();
    if (failed(cutOnce()))
      return failure();
    if (attempt == attempts || getExcess() <= excess)
      break;
    for (auto [left, now, then] : llvm::zip_equal(room, getUse(), before))
      for (double Resources::*field : Resources::fields)
        left.*field += std::max(0.0, now.*field - then.*field);
    undo(depths, kinds);
    placement::placeLeaves(design, device, placement::AssignDiesOptions().nodes, room);
  }
  std::optional<DesignSizingAttr> sizing = design.getSizing();
  if (!design.getPerDie() || !sizing)
    return success();
  FailureOr<sim::DesignMachine> cut = sim::buildMachine(design, getLargestScalars(design));
  if (failed(cut))
    return failure();
  design.setSizingAttr(DesignSizingAttr::get(design.getContext(), sizing->getStrategy(),
                                             sim::simulate(cut->machine).cycles,
                                             sizing->getUnbounded(), sizing->getLp()));
  return success();
}

} // namespace streamtensor::sizing
