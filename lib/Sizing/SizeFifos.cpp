//===- SizeFifos.cpp - FIFO depths of designs -----------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Placement/DesignDies.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Sim/BuildMachine.h"
#include "streamtensor/Sim/Deadlock.h"
#include "streamtensor/Sizing/DesignReport.h"
#include "streamtensor/Sizing/FifoSizing.h"
#include "streamtensor/Sizing/Passes.h"
#include "llvm/Support/FormatVariadic.h"

#include <future>

using namespace mlir;
using namespace streamtensor::dataflow;
using namespace streamtensor::schedule;

namespace streamtensor::sizing {
#define GEN_PASS_DEF_SIZEFIFOS
#include "streamtensor/Sizing/Passes.h.inc"

namespace {

struct ChosenDepths {
  Depths depths;
  Depths least; ///< What freedom from deadlock asks whatever the timing; empty if not asked for.
  double allowedLoss = 0; ///< Of speed, that the depths were searched with.
};

/// What is known of a design's FIFOs after sizing.
struct SizedDesign : Baseline, ChosenDepths {
  std::shared_future<sim::SimResult> linearRun; ///< With the depths of the linear program.
  int64_t cycles = 0;
  KnownRuns runs; ///< At depths that were looked at.

  std::optional<int64_t> getLinearCycles() const {
    bool ends = linearRun.valid() && linearRun.get().completed();
    return ends ? std::optional(linearRun.get().cycles) : std::nullopt;
  }
};

/// Each FIFO lies in one die as a whole, so dies are hard to fill with large ones. Beyond this
/// part of the blocks that is looked at.
constexpr double mostBlocks = 0.6;

struct SizeFifosPass : impl::SizeFifosBase<SizeFifosPass> {
  using SizeFifosBase::SizeFifosBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> model = getDevice(getOperation());
    if (failed(model))
      return signalPassFailure();
    if (!(loss >= 0)) {
      getOperation().emitError() << "[fifo.loss] fifo-loss is " << loss.getValue()
                                 << ": the part of the speed that smaller FIFOs may cost is at "
                                    "least 0, 0.1 for a tenth";
      return signalPassFailure();
    }
    for (auto design : getOperation().getOps<DesignOp>())
      if (failed(sizeDesign(design, **model)))
        return signalPassFailure();
  }

private:
  RateStrategy getRateStrategy() const {
    return conservative ? RateStrategy::Conservative : RateStrategy::Normal;
  }
  LogicalResult sizeDesign(DesignOp design, const DeviceModel &model);
  FailureOr<SizedDesign> measure(DesignOp design, const FifoSizingProblem &problem) const;
  llvm::Error size(const FifoSizingProblem &problem, SizedDesign &sized, double allowedLoss) const;
  bool fitsDies(DesignOp design, const sim::DesignMachine &built, const Depths &depths,
                const DeviceModel &model) const;
  LogicalResult sizeWithinMemory(DesignOp design, const sim::DesignMachine &built,
                                 const FifoSizingProblem &problem, SizedDesign &sized,
                                 const DeviceModel &model) const;
  FailureOr<SizedDesign> sizeFor(DesignOp design, ArrayRef<int64_t> scalars,
                                 const DeviceModel &model) const;
  llvm::Expected<Depths> deepenFor(const sim::Machine &machine, const SizedDesign &sized,
                                   const DeviceModel &model) const;
  LogicalResult suitOtherLaunches(DesignOp design, SizedDesign &sized,
                                  const DeviceModel &model) const;
  FailureOr<SizedDesign> sizeByFewRounds(DesignOp design, ArrayRef<int64_t> scalars,
                                         const DeviceModel &model) const;
  llvm::Expected<Depths> chooseDepths(const FifoSizingProblem &problem, SizedDesign &known,
                                      double allowedLoss) const;
  void annotate(DesignOp design, sim::DesignMachine &built, const SizedDesign &sized,
                const DeviceModel &model) const;
};

} // namespace

llvm::Expected<Depths> SizeFifosPass::chooseDepths(const FifoSizingProblem &problem,
                                                   SizedDesign &known, double allowedLoss) const {
  int64_t minimumDepth = problem.getMinimumDepth();
  if (forceDepth > 0 && forceDepth < minimumDepth)
    return llvm::createStringError("force-depth is " + llvm::Twine(forceDepth) +
                                   "; the least depth of a FIFO is " + llvm::Twine(minimumDepth) +
                                   ": [fifo.depth]");
  if (forceDepth > 0)
    return Depths(problem.getMachine().fifos.size(), forceDepth);
  switch (strategy) {
  case Strategy::LinearProgram:
    if (!known.linear)
      return sizeByLinearProgram(problem, getRateStrategy());
    return *known.linear;
  case Strategy::HighWater:
    return makeAcceptable(problem, known.highWater, &known.least);
  case Strategy::Search:
    return sizeBySearch(problem, known, allowedLoss, searchSteps, &known.least,
                        /*effort=*/nullptr, &known.runs);
  }
  llvm_unreachable("all strategies are handled");
}

FailureOr<SizedDesign> SizeFifosPass::measure(DesignOp design,
                                              const FifoSizingProblem &problem) const {
  llvm::Expected<Baseline> baseline = measureBaseline(problem, getRateStrategy());
  if (!baseline)
    return mlir::emitError(design.getLoc()) << llvm::toString(baseline.takeError());
  SizedDesign sized;
  static_cast<Baseline &>(sized) = std::move(*baseline);
  // Nothing but the report needs it: it runs beside the search.
  if (sized.linear)
    sized.linearRun =
        std::async(std::launch::async, [machine = problem.getMachine(), depths = *sized.linear] {
          return sim::simulate(machine, depths);
        });
  return sized;
}

static std::string tellDeadlock(const sim::Machine &machine, const Depths &depths,
                                const sim::SimResult &result) {
  return "design '" + machine.name + "' deadlocks at these FIFO depths: [fifo.deadlock] " +
         sim::describeDeadlock(machine, depths, result);
}

llvm::Error SizeFifosPass::size(const FifoSizingProblem &problem, SizedDesign &sized,
                                double allowedLoss) const {
  sized.allowedLoss = allowedLoss;
  const sim::Machine &machine = problem.getMachine();
  llvm::Expected<Depths> depths = chooseDepths(problem, sized, allowedLoss);
  if (!depths)
    return depths.takeError();
  sized.depths = *depths;
  const sim::SimResult &result = sized.runs.simulate(machine, sized.depths);
  if (!result.completed())
    return llvm::createStringError(tellDeadlock(machine, sized.depths, result));
  sized.cycles = result.cycles;
  return llvm::Error::success();
}

static StringRef getStrategyName(Strategy strategy) {
  switch (strategy) {
  case Strategy::LinearProgram:
    return "lp";
  case Strategy::HighWater:
    return "highwater";
  case Strategy::Search:
    return "search";
  }
  llvm_unreachable("all strategies are handled");
}

/// What the design takes at these depths.
static Resources countAtDepths(const sim::DesignMachine &built, const Depths &depths,
                               const DeviceModel &model) {
  Resources used = countTasksAndBuffers(built, model);
  used += countFifos(built, depths, model);
  return used;
}

/// The part of the blocks of RAM that the design takes at these depths.
static double getPartOfBlocks(const sim::DesignMachine &built, const Depths &depths,
                              const DeviceModel &model) {
  return getBlockShare(countAtDepths(built, depths, model), model);
}

static void setDepths(const sim::DesignMachine &built, const Depths &depths,
                      const DeviceModel &model) {
  SmallVector<MemoryKind> kinds = chooseKindsOfSized(built, depths, model);
  for (auto [op, depth, kind] : llvm::zip_equal(built.streams, depths, kinds)) {
    StreamOp stream = op;
    setDepth(stream, depth);
    stream.setMemory(kind);
    stream.setLatency(getFifoLatency(stream, model));
  }
}

static bool fitEachADie(const sim::DesignMachine &built, const Depths &depths,
                        const DeviceModel &model) {
  SmallVector<MemoryKind> kinds = chooseKindsOfSized(built, depths, model);
  return llvm::all_of(llvm::zip_equal(built.machine.fifos, depths, kinds), [&](const auto &each) {
    auto &[fifo, depth, kind] = each;
    return getShare(countFifo(fifo.bits, depth, kind, model), model.getPlaceableInAnyDie()) <= 1;
  });
}

/// Blocks of either kind.
static double countAllBlocks(const sim::DesignMachine &built, const Depths &depths,
                             const DeviceModel &model) {
  Resources used = countAtDepths(built, depths, model);
  return used.bram36 + used.uram;
}

void SizeFifosPass::annotate(DesignOp design, sim::DesignMachine &built, const SizedDesign &sized,
                             const DeviceModel &model) const {
  MLIRContext *context = design.getContext();
  setDepths(built, sized.depths, model);
  for (auto [index, stream] : llvm::enumerate(built.streams)) {
    std::optional<int64_t> linear, least;
    if (sized.linear)
      linear = (*sized.linear)[index];
    if (!sized.least.empty())
      least = sized.least[index];
    stream.setSizingAttr(FifoSizingAttr::get(context, built.machine.countWrites(index),
                                             sized.highWater[index], linear, least));
  }
  StringRef name = forceDepth > 0 ? "forced" : getStrategyName(strategy);
  design.setSizingAttr(DesignSizingAttr::get(context, StringAttr::get(context, name), sized.cycles,
                                             sized.unboundedCycles, sized.getLinearCycles()));
}

static FailureOr<sim::DesignMachine> buildMachine(DesignOp design, ArrayRef<int64_t> scalars,
                                                  const FifoModel &fifo) {
  FailureOr<sim::DesignMachine> built = sim::buildMachine(design, scalars);
  if (succeeded(built))
    built->machine.fifoRules = getFifoRules(fifo);
  return built;
}

/// Depths that were chosen for some scalars must not deadlock at others either. `least` as in
/// `makeAcceptable`.
static LogicalResult acceptScalars(DesignOp design, ArrayRef<int64_t> scalars, StringRef which,
                                   const DeviceModel &model, Depths &chosen,
                                   Depths *least = nullptr) {
  FailureOr<sim::DesignMachine> built = buildMachine(design, scalars, model.fifo());
  if (failed(built))
    return failure();
  llvm::Expected<Depths> depths =
      makeAcceptable(FifoSizingProblem(built->machine, model), chosen, least);
  if (!depths)
    return mlir::emitError(design.getLoc())
           << "with its " << which << " scalars, " << llvm::toString(depths.takeError());
  chosen = *depths;
  return success();
}

static SmallVector<int64_t> getLeastScalars(DesignOp design) {
  return llvm::map_to_vector(design.getBody().getOps<ScalarOp>(),
                             [](ScalarOp scalar) { return static_cast<int64_t>(scalar.getLow()); });
}

/// Is there a way found to place the design with these depths?
bool SizeFifosPass::fitsDies(DesignOp design, const sim::DesignMachine &built, const Depths &depths,
                             const DeviceModel &model) const {
  SmallVector<std::pair<Type, DictionaryAttr>> before;
  for (StreamOp stream : built.streams)
    before.push_back({stream.getType(), stream->getAttrDictionary()});
  setDepths(built, depths, model);
  bool fits = placement::isFittedByMoves(design, model);
  for (auto [op, as] : llvm::zip_equal(built.streams, before)) {
    StreamOp stream = op;
    stream.getResult().setType(cast<StreamType>(as.first));
    stream->setAttrs(as.second);
  }
  return fits;
}

/// Where the FIFOs of the search take more of the memory than dies hold, they may cost more time,
/// as long as that spares a larger part of the memory than of the speed.
LogicalResult SizeFifosPass::sizeWithinMemory(DesignOp design, const sim::DesignMachine &built,
                                              const FifoSizingProblem &problem, SizedDesign &sized,
                                              const DeviceModel &model) const {
  auto sizeWith = [&](double allowed) -> LogicalResult {
    if (llvm::Error fault = size(problem, sized, allowed))
      return mlir::emitError(design.getLoc()) << llvm::toString(std::move(fault));
    return success();
  };
  if (failed(sizeWith(loss)))
    return failure();
  if (forceDepth > 0 || strategy != Strategy::Search)
    return success();
  auto isHeld = [&](const Depths &depths) {
    double share = getPartOfBlocks(built, depths, model);
    return (share <= mostBlocks && fitEachADie(built, depths, model)) ||
           (share <= 1 && fitsDies(design, built, depths, model));
  };
  if (isHeld(sized.depths))
    return success();
  std::string excess =
      llvm::formatv("[fifo.memory] FIFOs that keep the design within {0:P0} of its "
                    "best time take more of the memory than dies can hold",
                    loss.getValue());
  if (strict)
    return mlir::emitError(design.getLoc()) << excess;
  if (!isHeld(Depths(sized.depths.size(), problem.getMinimumDepth())))
    return success(); // Smaller FIFOs do not help.
  constexpr double larger[] = {0.03, 0.1, 0.3};
  for (double allowed : larger) {
    if (allowed <= loss)
      continue;
    ChosenDepths before = sized;
    int64_t cycles = sized.cycles;
    double blocks = countAllBlocks(built, sized.depths, model);
    if (failed(sizeWith(allowed)))
      return failure();
    if (isHeld(sized.depths))
      break;
    if (countAllBlocks(built, sized.depths, model) * sized.cycles >= blocks * cycles) {
      static_cast<ChosenDepths &>(sized) = std::move(before);
      sized.cycles = cycles;
    }
  }
  if (sized.allowedLoss > loss)
    mlir::emitWarning(design.getLoc())
        << excess << llvm::formatv(": they may cost {0:P0}", sized.allowedLoss);
  return success();
}

FailureOr<SizedDesign> SizeFifosPass::sizeFor(DesignOp design, ArrayRef<int64_t> scalars,
                                              const DeviceModel &model) const {
  FailureOr<sim::DesignMachine> built = buildMachine(design, scalars, model.fifo());
  if (failed(built))
    return failure();
  sim::Machine searched = built->machine.withFixedShares();
  FifoSizingProblem problem(searched, model);
  FailureOr<SizedDesign> sized = measure(design, problem);
  if (failed(sized) || failed(sizeWithinMemory(design, *built, problem, *sized, model)))
    return failure();
  return sized;
}

/// Layers that share the leaves are alike: the second finds them all at work, and what it does the
/// others repeat. So a few say what all need. Depths with which all lose more than the few are not
/// taken; then the search goes on from there with all.
FailureOr<SizedDesign> SizeFifosPass::sizeByFewRounds(DesignOp design, ArrayRef<int64_t> scalars,
                                                      const DeviceModel &model) const {
  SmallVector<int64_t> few = getLargestScalars(design, rounds);
  FailureOr<SizedDesign> sized = sizeFor(design, few, model);
  if (failed(sized) || few == scalars)
    return sized;
  FailureOr<sim::DesignMachine> built = buildMachine(design, scalars, model.fifo());
  if (failed(built) ||
      failed(acceptScalars(design, scalars, "largest", model, sized->depths, &sized->least)))
    return failure();
  sim::Machine machine = built->machine.withFixedShares();
  FifoSizingProblem problem(machine, model);
  FailureOr<SizedDesign> all = measure(design, problem);
  if (failed(all))
    return failure();
  sim::SimResult result = sim::simulate(machine, sized->depths);
  double slower = static_cast<double>(sized->cycles) / sized->unboundedCycles + loss;
  if (!result.completed() || result.cycles > slower * all->unboundedCycles) {
    all->floors = sized->depths;
    if (failed(sizeWithinMemory(design, *built, problem, *all, model)))
      return failure();
    return all;
  }
  static_cast<ChosenDepths &>(*all) = std::move(*sized);
  return all;
}

/// Scalars of launches that may ask for other FIFOs than the largest: half of each, for a launch
/// may be bound by what others hardly ask for (memory, by a cache that is full); and each at its
/// least, for one token of several waits for weights with which several compute for longer than
/// they take to come.
static SmallVector<SmallVector<int64_t>> getOtherLaunches(DesignOp design,
                                                          ArrayRef<int64_t> largest) {
  DenseSet<Value> rounds = getRoundScalars(design);
  SmallVector<SmallVector<int64_t>> launches(1, SmallVector<int64_t>(largest));
  for (auto [index, scalar] : llvm::enumerate(design.getBody().getOps<ScalarOp>())) {
    if (rounds.contains(scalar.getResult()))
      continue;
    int64_t low = scalar.getLow();
    launches.front()[index] = std::max(low, largest[index] / 2);
    launches.emplace_back(largest)[index] = low;
  }
  llvm::erase_if(launches, [&](auto &launch) { return ArrayRef(launch) == largest; });
  return launches;
}

/// The most tokens, up to `tokens`, for which a FIFO takes no more of the device than for `depth`.
static int64_t fillMemory(int64_t bits, int64_t depth, int64_t tokens, const DeviceModel &model) {
  MemoryKind kind = chooseFifoKind(bits, depth, model);
  double cost = schedule::getShare(countFifo(bits, depth, kind, model), model);
  auto isFree = [&](int64_t deeper) {
    return chooseFifoKind(bits, deeper, model) == kind &&
           schedule::getShare(countFifo(bits, deeper, kind, model), model) <= cost;
  };
  int64_t most = std::max(depth, tokens);
  while (depth < most) {
    int64_t middle = most - (most - depth) / 2;
    if (isFree(middle))
      depth = middle;
    else
      most = middle - 1;
  }
  return depth;
}

/// Depths with which `machine` is near to its best time too: `sized`, deepened where it is not yet.
llvm::Expected<Depths> SizeFifosPass::deepenFor(const sim::Machine &machine,
                                                const SizedDesign &sized,
                                                const DeviceModel &model) const {
  FifoSizingProblem problem(machine, model);
  Baseline other;
  llvm::Expected<Depths> highWater = sizeByHighWater(problem, &other.unboundedCycles);
  if (!highWater)
    return highWater.takeError();
  sim::SimResult result = sim::simulate(machine, sized.depths);
  if (result.completed() && result.cycles <= (1 + sized.allowedLoss) * other.unboundedCycles)
    return sized.depths;
  other.highWater = std::move(*highWater);
  other.floors = sized.depths;
  return sizeBySearch(problem, other, sized.allowedLoss, searchSteps);
}

/// Depths that were searched for the largest scalars shall not slow down other launches: they get
/// those too that these ask for, unless dies cannot hold them. Launches in between ask for yet
/// others: what a memory holds at no cost is used.
LogicalResult SizeFifosPass::suitOtherLaunches(DesignOp design, SizedDesign &sized,
                                               const DeviceModel &model) const {
  SmallVector<SmallVector<int64_t>> launches =
      getOtherLaunches(design, getLargestScalars(design, rounds));
  FailureOr<sim::DesignMachine> largest =
      buildMachine(design, getLargestScalars(design), model.fifo());
  if (failed(largest))
    return failure();
  auto take = [&](const Depths &depths) {
    if (getPartOfBlocks(*largest, depths, model) <= mostBlocks)
      sized.depths = depths;
  };
  for (ArrayRef<int64_t> scalars : launches) {
    FailureOr<sim::DesignMachine> launch = buildMachine(design, scalars, model.fifo());
    if (failed(launch))
      return failure();
    llvm::Expected<Depths> depths = deepenFor(launch->machine.withFixedShares(), sized, model);
    if (!depths)
      return mlir::emitError(design.getLoc())
             << "with other scalars than its largest, " << llvm::toString(depths.takeError());
    take(*depths);
  }
  Depths filled = sized.depths, tokens = largest->machine.getTokens();
  if (!launches.empty())
    for (auto [fifo, depth, most] : llvm::zip_equal(largest->machine.fifos, filled, tokens))
      depth = fillMemory(fifo.bits, depth, most, model);
  take(filled);
  return success();
}

LogicalResult SizeFifosPass::sizeDesign(DesignOp design, const DeviceModel &model) {
  SmallVector<int64_t> scalars = getLargestScalars(design);
  bool isSearched = forceDepth == 0 && strategy == Strategy::Search;
  FailureOr<SizedDesign> sized =
      isSearched ? sizeByFewRounds(design, scalars, model) : sizeFor(design, scalars, model);
  FailureOr<sim::DesignMachine> built = buildMachine(design, scalars, model.fifo());
  if (failed(sized) || failed(built))
    return failure();
  if (isSearched && failed(suitOtherLaunches(design, *sized, model)))
    return failure();
  bool isChosen = forceDepth == 0 && strategy != Strategy::LinearProgram; // by us, so that it holds
  SmallVector<int64_t> least = getLeastScalars(design);
  if (isChosen && !least.empty() &&
      failed(acceptScalars(design, least, "least", model, sized->depths)))
    return failure();
  sim::SimResult run = sim::simulate(built->machine, sized->depths);
  if (!run.completed())
    return mlir::emitError(design.getLoc()) << tellDeadlock(built->machine, sized->depths, run);
  sized->cycles = run.cycles;
  annotate(design, *built, *sized, model);
  return success();
}

} // namespace streamtensor::sizing
