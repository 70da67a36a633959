//===- DecideDesigns.cpp - Tiles and lanes by what their designs take -----===//
//
// How lanes are shared out, and whether tiles suit them, decides what each contraction takes; what
// the design takes depends on loop orders, converters and memory as well. So where a budget is a
// number of lanes, phase `decide` is tried in several ways. Those that differ are lowered up to the
// schedules of leaves and simulated, with FIFOs that hold all. Cycles are the cost, and memory as
// it becomes scarce: large tiles read less from outside and hold more. What does not fit the card
// is taken only if nothing does. Of the ways that cost hardly more than the cheapest, the one is
// taken that needs least of the card: half a percent is not worth a third more DSPs. All are
// compared with the cheapest and not each with the one before it, so small gains one after the
// other add up. A way that leaves out what the designs of the first do between launches is not
// taken: the host would do it.
//
// Iterations of the slowest contraction, known once tiles and lanes are chosen, are fewer than the
// cycles of the design: ways are tried in their order, until these alone are too many.
//
//===----------------------------------------------------------------------===//

#include "Trials.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Pipelines/Phases.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Sizing/DesignReport.h"
#include "streamtensor/Transforms/Tile/PaddedExtents.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/OwningOpRef.h"

#include <cmath>
#include <tuple>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

namespace {

class DecideDesignsPass : public PassWrapper<DecideDesignsPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DecideDesignsPass)
  DecideDesignsPass(std::vector<DecisionWay> ways, BuildPasses lower, int64_t lanes)
      : ways(std::move(ways)), lower(std::move(lower)), lanes(lanes) {}

  StringRef getArgument() const override { return "streamtensor-decide-designs"; }
  StringRef getDescription() const override {
    return "Tiles, orders and lanes with which the designs cost least";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager all(ModuleOp::getOperationName());
    for (const DecisionWay &way : ways)
      way.decide(all);
    lower(all);
    all.getDependentDialects(registry);
  }
  void runOnOperation() override;

private:
  LogicalResult run(const BuildPasses &build) {
    OpPassManager passes(ModuleOp::getOperationName());
    build(passes);
    return runPipeline(passes, getOperation());
  }
  struct Cost {
    bool isOver; ///< More than the card has, beside FIFOs.
    double cycles;
    double share; ///< Of the card, of what it takes most of.
    bool operator<(const Cost &other) const {
      return std::tie(isOver, cycles) < std::tie(other.isOver, other.cycles);
    }
    /// 1 % of the cycles are worth more of the card, if they are left when FIFOs have depths, which
    /// may cost 1 % as well.
    static constexpr double mostMore = 1.02;
    bool isCloseTo(const Cost &least) const {
      return isOver == least.isOver && cycles <= mostMore * least.cycles;
    }
  };
  std::optional<Cost> getCost();
  /// A way that was decided on, and the cycles that it takes at least.
  struct Trial {
    size_t number;
    OwningOpRef<ModuleOp> decided;
    int64_t leastCycles;
  };
  std::vector<Trial> decideAll(function_ref<LogicalResult(const BuildPasses &)> decide);
  static size_t chooseFrom(ArrayRef<std::pair<size_t, Cost>> costs,
                           const std::optional<Cost> &least);
  size_t findFirstThatFits(MutableArrayRef<Trial> trials);
  size_t findBest(function_ref<LogicalResult(const BuildPasses &)> decide);

  std::vector<DecisionWay> ways;
  BuildPasses lower;
  int64_t lanes; ///< That the user asks for.
};

} // namespace

/// The tilings that were chosen.
static SmallVector<TilingAttr> getTilings(ModuleOp module) {
  SmallVector<TilingAttr> tilings;
  module.walk([&](linalg::GenericOp op) { tilings.push_back(getTiling(op)); });
  return tilings;
}

/// Cycles of the designs, one after the other, once they are lowered. Those of a design that takes
/// half of the blocks of memory count 6 % more, of one that takes three quarters 32 %: the fourth
/// power of the part. More lanes than the card has DSPs for are asked for to see what would be.
std::optional<DecideDesignsPass::Cost> DecideDesignsPass::getCost() {
  constexpr double partBesideFifos = 0.9;
  if (failed(run(lower)))
    return std::nullopt;
  FailureOr<const DeviceModel *> device = getDevice(getOperation());
  if (failed(device))
    return std::nullopt;
  Resources room = (*device)->getPlaceable();
  bool canFit = lanes * (*device)->getDspsPerFloatMac() <= room.dsp;
  Cost cost = {false, 0, 0};
  for (auto design : getOperation().getOps<DesignOp>()) {
    FailureOr<sim::DesignMachine> built = sim::buildMachine(design, getLargestScalars(design));
    if (failed(built))
      return std::nullopt;
    std::optional<int64_t> cycles = countCycles(*built);
    if (!cycles)
      return std::nullopt;
    Resources used = sizing::countTasksAndBuffers(*built, **device);
    double blocks = schedule::getBlockShare(used, **device);
    double share = schedule::getShare(used, room);
    cost.isOver |= canFit && share > partBesideFifos;
    cost.share = std::max(cost.share, share);
    cost.cycles += *cycles * (1 + std::pow(blocks, 4));
  }
  return cost;
}

/// What designs do of what changes between launches, by names in order: tensors that they write
/// where these lie, and numbers of a launch that they take. What they do not do is the host's work,
/// or done for the largest launch each time.
static std::vector<std::string> getDuties(ModuleOp module) {
  std::vector<std::string> duties;
  for (auto design : module.getOps<DesignOp>()) {
    for (auto port : design.getOps<PortOp>())
      if (port.getDirection() == Direction::InOut)
        duties.push_back(port.getName().str());
    for (auto scalar : design.getOps<ScalarOp>())
      duties.push_back(scalar.getName().str());
  }
  llvm::sort(duties);
  return duties;
}

/// Of ways, by number, that cost `least` or hardly more, the first that needs least of the card;
/// the first of all if none has a cost.
size_t DecideDesignsPass::chooseFrom(ArrayRef<std::pair<size_t, Cost>> costs,
                                     const std::optional<Cost> &least) {
  std::pair<double, size_t> best = {std::numeric_limits<double>::infinity(), 0};
  for (auto &[number, cost] : costs)
    if (cost.isCloseTo(*least))
      best = std::min(best, {cost.share, number});
  return best.second;
}

/// Iterations of the slowest contraction with the lanes that were chosen. One task does them all,
/// at most one in a cycle, so that its design takes as many cycles at least.
static int64_t getLeastCycles(ModuleOp module) {
  int64_t least = 0;
  module.walk([&](linalg::GenericOp op) {
    if (TilingAttr tiling = getTiling(op); tiling && isContraction(op))
      least = std::max(least, llvm::product_of(op.getStaticLoopRanges()) /
                                  llvm::product_of(tiling.getUnroll().asArrayRef()));
  });
  return least;
}

/// Odd factors of which a power of two fills lanes better than a power of two alone does: all
/// lanes, half or a third of them (of 44 lanes 11 and 7, for 4 x 11 and 2 x 7), and what a
/// contraction gets by its part of the multiply-adds (of 102 lanes 3, for 3 x 32). The first few.
static SmallVector<int64_t> getOddFactors(ModuleOp module, int64_t lanes) {
  constexpr size_t most = 4;
  SmallVector<double> work, shares = {1, 1. / 2, 1. / 3};
  module.walk([&](linalg::GenericOp op) {
    if (isContraction(op))
      work.push_back(llvm::product_of(op.getStaticLoopRanges()));
  });
  double all = llvm::sum_of(work);
  for (double part : work)
    shares.push_back(part / all);
  SmallVector<int64_t> factors;
  for (double share : shares) {
    int64_t each = share * lanes, best = 1;
    auto fill = [&](int64_t odd) {
      return odd <= each ? odd * llvm::bit_floor(uint64_t(each / odd)) : 0;
    };
    for (int64_t odd = 3; odd <= largestOdd; odd += 2)
      if (fill(odd) > fill(best))
        best = odd;
    if (best > 1 && factors.size() < most && !llvm::is_contained(factors, best))
      factors.push_back(best);
  }
  return factors;
}

static bool hasEngine(ModuleOp module) {
  return llvm::any_of(getTilings(module),
                      [](TilingAttr tiling) { return tiling && tiling.getEngine(); });
}

/// The ways that decide differently: the first, with which others are compared, then those that can
/// be fastest. Where the first has an engine, all are alike but for what is beside it: then those
/// in which that takes less, in their order.
std::vector<DecideDesignsPass::Trial>
DecideDesignsPass::decideAll(function_ref<LogicalResult(const BuildPasses &)> decide) {
  bool hasCaches = llvm::any_of(getOperation().getOps<func::FuncOp>(), changesBetweenLaunches);
  SmallVector<int64_t> oddFactors = getOddFactors(getOperation(), lanes);
  std::vector<SmallVector<TilingAttr>> tried;
  std::vector<Trial> trials;
  bool firstHasEngine = false;
  for (auto [number, way] : llvm::enumerate(ways)) {
    bool isSuited = (way.odd == 1 || llvm::is_contained(oddFactors, way.odd)) &&
                    (!hasCaches || way.suitsCaches);
    bool isOther = number > 0 && way.besideEngine != firstHasEngine;
    if (!isSuited || isOther || failed(decide(way.decide)))
      continue;
    if (number == 0)
      firstHasEngine = hasEngine(getOperation());
    SmallVector<TilingAttr> tilings = getTilings(getOperation());
    if (hasEngine(getOperation()) != firstHasEngine || llvm::is_contained(tried, tilings))
      continue;
    tried.push_back(std::move(tilings));
    trials.push_back({number, getOperation().clone(), getLeastCycles(getOperation())});
  }
  if (!trials.empty() && !firstHasEngine)
    std::stable_sort(trials.begin() + 1, trials.end(),
                     [](const Trial &a, const Trial &b) { return a.leastCycles < b.leastCycles; });
  return trials;
}

/// The first of the trials whose leaves and buffers the card has room for; the first of all if
/// there is none, or no other.
size_t DecideDesignsPass::findFirstThatFits(MutableArrayRef<Trial> trials) {
  FailureOr<const DeviceModel *> device = getDevice(getOperation());
  if (trials.size() == 1 || failed(device))
    return trials.front().number;
  for (Trial &trial : trials) {
    takeBody(getOperation(), *trial.decided);
    if (failed(run(lower)))
      continue;
    bool fits = llvm::all_of(getOperation().getOps<DesignOp>(), [&](DesignOp design) {
      FailureOr<sim::DesignMachine> built = sim::buildMachine(design, getLargestScalars(design));
      return succeeded(built) && schedule::getShare(sizing::countTasksAndBuffers(*built, **device),
                                                    (*device)->getPlaceable()) <= 1;
    });
    if (fits)
      return trial.number;
  }
  return trials.front().number;
}

/// The way to be taken, of those whose designs do all that the first does. What the ways say is not
/// kept: the one that is taken says it again. A way whose slowest contraction alone takes longer
/// than the cheapest design is not lowered.
size_t DecideDesignsPass::findBest(function_ref<LogicalResult(const BuildPasses &)> decide) {
  KeptDiagnostics dropped(&getContext());
  std::vector<Trial> trials = decideAll(decide);
  if (!trials.empty() && hasEngine(*trials.front().decided))
    return findFirstThatFits(trials);
  std::vector<std::pair<size_t, Cost>> costs;
  std::optional<Cost> least;
  std::vector<std::string> duties; // Of the first.
  for (Trial &trial : trials) {
    if (least && !least->isOver && trial.leastCycles > Cost::mostMore * least->cycles)
      break;
    takeBody(getOperation(), *trial.decided);
    std::optional<Cost> cost = getCost();
    if (!cost)
      continue;
    assert(cost->cycles >= trial.leastCycles && "a contraction takes fewer cycles than iterations");
    std::vector<std::string> ofWay = getDuties(getOperation());
    if (costs.empty())
      duties = ofWay;
    if (!llvm::includes(ofWay, duties))
      continue;
    costs.push_back({trial.number, *cost});
    if (!least || *cost < *least)
      least = cost;
  }
  return chooseFrom(costs, least);
}

void DecideDesignsPass::runOnOperation() {
  OwningOpRef<ModuleOp> undecided(getOperation().clone());
  auto decide = [&](const BuildPasses &way) {
    OwningOpRef<ModuleOp> copy(undecided->clone());
    takeBody(getOperation(), *copy);
    return run(way);
  };
  if (failed(decide(ways[findBest(decide)].decide)))
    signalPassFailure();
}

std::unique_ptr<Pass> streamtensor::createDecideDesigns(std::vector<DecisionWay> ways,
                                                        BuildPasses lower, int64_t lanes) {
  return std::make_unique<DecideDesignsPass>(std::move(ways), std::move(lower), lanes);
}
