//===- DecideDesigns.cpp - Tiles and lanes by what their designs take -----===//
//
// How lanes are shared out, and whether tiles suit them, decides what each contraction takes; what
// the design takes depends on loop orders, converters and memory as well. So phase `decide` is
// tried in several ways, unless the device decides on the lanes of an engine, a short program or a
// language model. Those that differ are lowered up to the schedules of leaves and simulated, with
// FIFOs that hold all. Cycles are the cost, and memory as it becomes scarce: large tiles read less
// from outside and hold more. What does not fit the card is taken only if nothing does. Of the ways
// that cost hardly more than the cheapest, the one is taken that needs least of the card: half a
// percent is not worth a third more DSPs. All are compared with the cheapest and not each with the
// one before it, so small gains one after the other add up. A way that leaves out what the designs
// of the first do between launches is not taken: the host would do it.
//
// Extents are padded before lanes are chosen, for all that could run along them. Where a design is
// among the cheapest, it is tried once more with extents that are padded for the lanes that it has,
// and no further: 13 rows without lanes need not be 14. Nor need 220 be 224 for words if its lanes
// are as well 4 x 11: ways are tried with half and a sixth of the padding that is allowed.
//
// Iterations of the slowest contraction, known once tiles and lanes are chosen, are fewer than the
// cycles of the design: ways are tried in their order, until these alone are too many. Of long
// programs fewer are tried: all together move so many tokens at most.
//
//===----------------------------------------------------------------------===//

#include "Trials.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/Program/IR/Program.h"
#include "streamtensor/Pipelines/Phases.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Sizing/DesignReport.h"
#include "streamtensor/Transforms/Tile/PaddedExtents.h"
#include "streamtensor/Transforms/Tile/UnrollBudget.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/OwningOpRef.h"

#include <cmath>
#include <future>
#include <tuple>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

namespace {

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

/// A way, and what extents become that may be padded; none where the way decides.
struct Choice {
  size_t way = 0;
  SmallVector<int64_t> extents = {};
};

/// What was decided on an operation, and its extents, which may be padded.
using TiledLoops = std::pair<TilingAttr, SmallVector<int64_t>>;

/// Tries ways on a module.
class DesignSearch {
public:
  using RunPasses = std::function<LogicalResult(OpPassManager &)>;

  DesignSearch(ModuleOp module, ArrayRef<DecisionWay> ways, const BuildPasses &lower,
               const DeviceModel &device, DecisionBudget budget, RunPasses runPasses)
      : module(module), undecided(module.clone()), ways(ways), lower(lower), device(device),
        lanes(getLaneLimits(device, budget.unroll, budget.laneShare).getFloatLanes(device)),
        areAskedFor(budget.unroll > 0), padding(budget.padding), runPasses(std::move(runPasses)) {}

  /// What is to be taken. What the ways say is not kept: the one that is taken says it again.
  Choice findBest();
  /// Makes the module what it was, with the decisions of `choice`.
  LogicalResult decide(const Choice &choice);

private:
  LogicalResult run(const BuildPasses &build) {
    OpPassManager passes(ModuleOp::getOperationName());
    build(passes);
    return runPasses(passes);
  }
  /// What was decided on, and the cycles that it takes at least.
  struct Trial {
    Choice choice;
    OwningOpRef<ModuleOp> decided;
    int64_t leastCycles;
    bool operator<(const Trial &other) const { return leastCycles < other.leastCycles; }
  };
  /// What a trial was lowered to.
  struct Lowered {
    Choice choice;
    int64_t leastCycles;
    SmallVector<int64_t> fitted; ///< Extents that its lanes divide, if others than it has.
    std::vector<std::string> duties;
    std::vector<sim::DesignMachine> machines;
    std::vector<double> blocks; ///< Of memory, the part that each machine takes.
    int64_t tokens = 0;         ///< That FIFOs of the designs move.
    bool isOver = false;
    double share = 0;

    std::optional<Cost> simulate(const std::optional<Cost> &least) const;
  };
  bool isOver(Resources used) const;
  std::optional<Lowered> lowerTrial(const Trial &trial);
  /// What was lowered and may be taken.
  struct Candidate {
    Choice choice;
    SmallVector<int64_t> fitted; ///< Extents that its lanes divide, if others than it has.
    Cost cost;
  };
  void addTrial(Choice choice, std::vector<Trial> &trials);
  bool hasRoom();
  bool isFirstTaken();
  std::vector<Trial> decideAll();
  std::vector<Trial> decideFewer();
  std::vector<Trial> decidePadded();
  void lowerAll(std::vector<Trial> trials, std::optional<Cost> most = std::nullopt);
  Choice chooseCandidate() const;
  Choice findFirstThatFits(ArrayRef<Trial> trials);
  SmallVector<int64_t> fitExtents();
  SmallVector<SmallVector<int64_t>> padAtMost(int64_t percent);

  ModuleOp module;
  OwningOpRef<ModuleOp> undecided;
  ArrayRef<DecisionWay> ways;
  const BuildPasses &lower;
  const DeviceModel &device;
  int64_t lanes;    ///< That the user asks for, or of floats that the device builds.
  bool areAskedFor; ///< By the user.
  int64_t padding;  ///< Percent of elements more that an extent may have.
  RunPasses runPasses;
  std::vector<SmallVector<TiledLoops>> tried;
  std::vector<Candidate> candidates; ///< In the order in which they were lowered.
  std::optional<Cost> least;
  /// Of the slowest contraction, in the fastest of the designs that are too large.
  int64_t leastOfOver = std::numeric_limits<int64_t>::max() / 4;
  std::vector<std::string> duties; ///< Of the first candidate.
  int64_t tokens = 0;              ///< Of all designs that trials were lowered to.
};

class DecideDesignsPass : public PassWrapper<DecideDesignsPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DecideDesignsPass)
  DecideDesignsPass(std::vector<DecisionWay> ways, BuildPasses lower, DecisionBudget budget)
      : ways(std::move(ways)), lower(std::move(lower)), budget(budget) {}

  StringRef getArgument() const override { return "streamtensor-decide-designs"; }
  StringRef getDescription() const override {
    return "Tiles, orders and lanes with which the designs cost least";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager all(ModuleOp::getOperationName());
    for (const DecisionWay &way : ways)
      way.decide(all, {});
    lower(all);
    all.getDependentDialects(registry);
  }
  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    DesignSearch search(getOperation(), ways, lower, **device, budget,
                        [&](OpPassManager &passes) { return runPipeline(passes, getOperation()); });
    if (failed(search.decide(search.findBest())))
      signalPassFailure();
  }

private:
  std::vector<DecisionWay> ways;
  BuildPasses lower;
  DecisionBudget budget;
};

} // namespace

/// The tilings that were chosen, and the extents that they are of.
static SmallVector<TiledLoops> getTiledLoops(ModuleOp module) {
  SmallVector<TiledLoops> loops;
  module.walk(
      [&](linalg::GenericOp op) { loops.push_back({getTiling(op), op.getStaticLoopRanges()}); });
  return loops;
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

/// Is one of the products not in the engine that it was to be in?
static bool hasLeftEngine(std::vector<Diagnostic> diagnostics) {
  return llvm::any_of(diagnostics, [](const Diagnostic &each) {
    return StringRef(each.str()).contains("[engine.fallback]");
  });
}

/// Does a design take more than the card has beside FIFOs? These take no DSPs. But where the user
/// asks for lanes, it is an error if no die has enough left for a task, and fewer are not tried.
bool DesignSearch::isOver(Resources used) const {
  constexpr double partBesideFifos = 0.9;
  Resources room = device.getPlaceable();
  bool hasDsps = used.dsp <= (areAskedFor ? partBesideFifos : 1) * room.dsp;
  used.dsp = 0;
  return !hasDsps || getShare(used, room) > partBesideFifos;
}

/// Lowers what was decided on; nothing if that fails, or if an engine for all products cannot have
/// one of them. More lanes than the card has DSPs for are asked for to see what would be.
std::optional<DesignSearch::Lowered> DesignSearch::lowerTrial(const Trial &trial) {
  takeBody(module, *trial.decided);
  Lowered lowered;
  if (trial.choice.extents.empty())
    lowered.fitted = fitExtents();
  KeptDiagnostics ofLowering(module.getContext());
  if (failed(run(lower)) ||
      (ways[trial.choice.way].allProducts && hasLeftEngine(ofLowering.take())))
    return std::nullopt;
  Resources room = device.getPlaceable();
  bool canFit = lanes * device.getDspsPerFloatMac() <= room.dsp;
  for (auto design : module.getOps<DesignOp>()) {
    FailureOr<sim::DesignMachine> built = sim::buildMachine(design, getLargestScalars(design));
    if (failed(built))
      return std::nullopt;
    Resources used = sizing::countTasksAndBuffers(*built, device);
    double share = getShare(used, room);
    lowered.isOver |= canFit && isOver(used);
    lowered.share = std::max(lowered.share, share);
    lowered.blocks.push_back(schedule::getBlockShare(used, device));
    lowered.tokens += llvm::sum_of(built->machine.getTokens(), int64_t(0));
    lowered.machines.push_back(std::move(*built));
  }
  // An error where the user asks for lanes, and fewer of them where the device decides.
  if (!areAskedFor && !lowered.isOver)
    lowered.isOver = !findExcessOfLeaves(module, device).empty();
  lowered.choice = trial.choice;
  lowered.leastCycles = trial.leastCycles;
  lowered.duties = getDuties(module);
  return lowered;
}

/// Cycles of the designs, one after the other. Those of a design that takes half of the blocks of
/// memory count 6 % more, of one that takes three quarters 32 %: the fourth power of the part. A
/// run ends where it is too long for what cannot be taken beside `least`.
std::optional<Cost> DesignSearch::Lowered::simulate(const std::optional<Cost> &least) const {
  // Extents that lanes divide are tried for the cheapest, however much they cost.
  bool canEnd = least && fitted.empty();
  if (canEnd && isOver && !least->isOver)
    return std::nullopt;
  Cost cost = {isOver, 0, share};
  for (auto [built, part] : llvm::zip_equal(machines, blocks)) {
    double factor = 1 + std::pow(part, 4);
    int64_t most = std::numeric_limits<int64_t>::max();
    if (canEnd && isOver == least->isOver)
      most = (Cost::mostMore * least->cycles - cost.cycles) / factor + 1;
    std::optional<int64_t> cycles = countCycles(built.machine, most);
    if (!cycles)
      return std::nullopt;
    cost.cycles += *cycles * factor;
  }
  assert(cost.cycles >= leastCycles && "a contraction takes fewer cycles than iterations");
  return cost;
}

/// Of those that cost `least` or hardly more, the first that needs least of the card; the first way
/// if none has a cost.
Choice DesignSearch::chooseCandidate() const {
  using Rank = std::tuple<double, bool, size_t>;
  Rank best = {std::numeric_limits<double>::infinity(), false, 0};
  Choice chosen;
  for (const Candidate &each : candidates) {
    Rank rank = {each.cost.share, !each.choice.extents.empty(), each.choice.way};
    if (each.cost.isCloseTo(*least) && rank < best) {
      best = rank;
      chosen = each.choice;
    }
  }
  return chosen;
}

/// Iterations of the slowest contraction with the lanes that were chosen, those of an engine
/// together. One task does them all, at most one in a cycle, so that its design takes as many
/// cycles at least.
static int64_t getLeastCycles(ModuleOp module) {
  int64_t least = 0;
  llvm::SmallMapVector<StringAttr, int64_t, 2> ofEngines;
  module.walk([&](linalg::GenericOp op) {
    TilingAttr tiling = getTiling(op);
    if (!tiling || !isContraction(op))
      return;
    int64_t iterations = llvm::product_of(op.getStaticLoopRanges()) /
                         llvm::product_of(tiling.getUnroll().asArrayRef());
    if (StringAttr engine = tiling.getEngine())
      iterations = ofEngines[engine] += iterations;
    least = std::max(least, iterations);
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
  return llvm::any_of(getTiledLoops(module), [](const TiledLoops &loops) {
    return loops.first && loops.first.getEngine();
  });
}

LogicalResult DesignSearch::decide(const Choice &choice) {
  OwningOpRef<ModuleOp> copy(undecided->clone());
  takeBody(module, *copy);
  return run([&](OpPassManager &passes) { ways[choice.way].decide(passes, choice.extents); });
}

/// Adds what the module was decided to be, unless that was tried.
void DesignSearch::addTrial(Choice choice, std::vector<Trial> &trials) {
  SmallVector<TiledLoops> loops = getTiledLoops(module);
  if (llvm::is_contained(tried, loops))
    return;
  tried.push_back(std::move(loops));
  trials.push_back({std::move(choice), module.clone(), getLeastCycles(module)});
}

/// Has the card room for what was decided?
bool DesignSearch::hasRoom() {
  OwningOpRef<ModuleOp> decided = module.clone();
  std::optional<Lowered> lowered = lowerTrial({{}, module.clone(), 0});
  takeBody(module, *decided);
  return !lowered || !lowered->isOver;
}

/// Where the device decides on lanes, is the first way taken? An engine has all lanes; the many
/// designs of a language model take long to make; and hardly anything is won where the slowest
/// contraction has fewer iterations than a launch has latency, if the card has room for it.
bool DesignSearch::isFirstTaken() {
  constexpr int64_t latency = 512;
  bool isOfModel = llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return program::getLayers(function) || changesBetweenLaunches(function);
  });
  return !areAskedFor &&
         (hasEngine(module) || isOfModel || (getLeastCycles(module) < latency && hasRoom()));
}

/// The ways that decide differently: the first, with which others are compared, then those that can
/// be fastest; none where the first is taken. Where the first has an engine, all are alike but for
/// what is beside it: then those in which that takes less, in their order.
std::vector<DesignSearch::Trial> DesignSearch::decideAll() {
  bool hasCaches = llvm::any_of(module.getOps<func::FuncOp>(), changesBetweenLaunches);
  SmallVector<int64_t> oddFactors = getOddFactors(*undecided, lanes);
  std::vector<Trial> trials;
  bool firstHasEngine = false;
  for (auto [number, way] : llvm::enumerate(ways)) {
    bool isSuited = (way.odd == 1 || way.allProducts || llvm::is_contained(oddFactors, way.odd)) &&
                    (!hasCaches || way.suitsCaches);
    bool isOther = number > 0 && way.besideEngine != firstHasEngine;
    if (!isSuited || isOther || way.fewerLanes || failed(decide({number})))
      continue;
    if (number == 0) {
      firstHasEngine = hasEngine(module);
      if (isFirstTaken())
        return {};
    }
    if (hasEngine(module) == (firstHasEngine || way.allProducts))
      addTrial({number}, trials);
  }
  if (!trials.empty() && !firstHasEngine)
    std::stable_sort(trials.begin() + 1, trials.end());
  return trials;
}

/// The ways with fewer lanes than the device decides on, those first that can be fastest.
std::vector<DesignSearch::Trial> DesignSearch::decideFewer() {
  std::vector<Trial> trials;
  for (auto [number, way] : llvm::enumerate(ways))
    if (way.fewerLanes && succeeded(decide({number})) && hasEngine(module) == way.allProducts)
      addTrial({number}, trials);
  std::stable_sort(trials.begin(), trials.end());
  return trials;
}

/// The first of the trials whose leaves and buffers the card has room for; the first of all if
/// there is none, or no other.
Choice DesignSearch::findFirstThatFits(ArrayRef<Trial> trials) {
  if (trials.size() > 1)
    for (const Trial &trial : trials)
      if (std::optional<Lowered> lowered = lowerTrial(trial); lowered && lowered->share <= 1)
        return trial.choice;
  return trials.front().choice;
}

/// Lowers trials to candidates, those that do all that the first does. A trial whose slowest
/// contraction alone takes longer than the cheapest design is none, nor are those behind it. No
/// candidate is what does not cost less than `most`. Nor are more tried when designs have moved as
/// many tokens as fit into half a minute: 4 ways of a layer at 1,024 tokens, 30 at 128. Two at a
/// time are simulated, but for the first, which says what others must be faster than, and those of
/// which one hardly is.
void DesignSearch::lowerAll(std::vector<Trial> trials, std::optional<Cost> most) {
  constexpr int64_t mostTokens = 1 << 29;
  auto isTooSlow = [&](int64_t leastCycles) {
    return least && !least->isOver && leastCycles > Cost::mostMore * least->cycles;
  };
  for (ArrayRef<Trial> left = trials; !left.empty();) {
    std::vector<Lowered> pair;
    auto isPair = [&] {
      constexpr double alike = 1.5;
      return pair.empty() || (least && pair.size() == 1 &&
                              left.front().leastCycles <= alike * pair.front().leastCycles);
    };
    for (; !left.empty() && isPair(); left = left.drop_front()) {
      if (isTooSlow(left.front().leastCycles) || tokens > mostTokens) {
        left = left.take_front();
      } else if (std::optional<Lowered> lowered = lowerTrial(left.front())) {
        tokens += lowered->tokens;
        if (lowered->isOver)
          leastOfOver = std::min(leastOfOver, lowered->leastCycles);
        pair.push_back(std::move(*lowered));
      }
    }
    std::vector<std::future<std::optional<Cost>>> costs;
    for (const Lowered &each : pair)
      costs.push_back(
          std::async(std::launch::async, [&each, known = least] { return each.simulate(known); }));
    for (auto [lowered, pending] : llvm::zip_equal(pair, costs)) {
      std::optional<Cost> cost = pending.get();
      if (!cost || isTooSlow(lowered.leastCycles))
        continue;
      if (candidates.empty())
        duties = lowered.duties;
      if (!llvm::includes(lowered.duties, duties) || (most && !(*cost < *most)))
        continue;
      if (!least || *cost < *least)
        least = *cost;
      candidates.push_back({std::move(lowered.choice), std::move(lowered.fitted), *cost});
    }
  }
}

/// Extents that the lanes divide that the module was decided to have; none where it has them.
SmallVector<int64_t> DesignSearch::fitExtents() {
  auto functions = undecided->getBody()->getOps<func::FuncOp>();
  if (!llvm::hasSingleElement(functions))
    return {};
  PaddedExtents extents(*functions.begin());
  return extents.fitToLanes(*module.getOps<func::FuncOp>().begin());
}

/// What extents become that may be padded by at most `percent`, with any odd factor that is tried.
SmallVector<SmallVector<int64_t>> DesignSearch::padAtMost(int64_t percent) {
  auto functions = undecided->getBody()->getOps<func::FuncOp>();
  if (!llvm::hasSingleElement(functions))
    return {};
  SmallVector<OddFactors> factors = {OddFactors()};
  for (int64_t odd : getOddFactors(*undecided, lanes))
    factors.append({{odd, 1}, {odd, odd}});
  return llvm::map_to_vector(factors, [&](OddFactors odd) {
    return PaddedExtents(*functions.begin(), device, percent, odd).getPadded();
  });
}

/// The ways, with extents that lanes of the cheapest candidates divide or that are padded less,
/// those first that can be fastest.
std::vector<DesignSearch::Trial> DesignSearch::decidePadded() {
  constexpr size_t most = 3;
  std::vector<const Candidate *> byCost;
  for (const Candidate &each : candidates)
    byCost.push_back(&each);
  std::stable_sort(byCost.begin(), byCost.end(),
                   [](auto *a, auto *b) { return a->cost < b->cost; });
  SmallVector<SmallVector<int64_t>> padded;
  for (const Candidate *each : byCost)
    if (padded.size() < most && !each->fitted.empty() && !llvm::is_contained(padded, each->fitted))
      padded.push_back(each->fitted);
  // Words and odd factors of fewer elements take fewer more.
  SmallVector<SmallVector<int64_t>> known = padAtMost(padding);
  for (int64_t part : {2, 6})
    for (SmallVector<int64_t> &extents : padAtMost(padding / part))
      if (!llvm::is_contained(known, extents)) {
        padded.push_back(extents);
        known.push_back(std::move(extents));
      }
  std::vector<Trial> trials;
  for (const SmallVector<int64_t> &extents : padded)
    for (auto [number, way] : llvm::enumerate(ways))
      if (Choice choice = {number, extents};
          way.odd == 1 && !way.besideEngine && !way.fewerLanes && succeeded(decide(choice)))
        addTrial(std::move(choice), trials);
  std::stable_sort(trials.begin(), trials.end());
  return trials;
}

Choice DesignSearch::findBest() {
  KeptDiagnostics dropped(module.getContext());
  std::vector<Trial> trials = decideAll();
  if (!trials.empty() && hasEngine(*trials.front().decided))
    return findFirstThatFits(trials);
  lowerAll(std::move(trials));
  if (candidates.empty())
    return {};
  // What fits may do so for its tiles, which have room for few lanes; others are faster with fewer
  // than the device decides on.
  constexpr double fewLanes = 2;
  if (!areAskedFor && (least->isOver || fewLanes * leastOfOver < least->cycles))
    lowerAll(decideFewer());
  // What FIFOs cost is not known yet, nor what shares of the card are worth.
  constexpr double worthIt = 0.99;
  Cost most = *least;
  most.cycles *= worthIt;
  lowerAll(decidePadded(), most);
  return chooseCandidate();
}

std::unique_ptr<Pass> streamtensor::createDecideDesigns(std::vector<DecisionWay> ways,
                                                        BuildPasses lower, DecisionBudget budget) {
  return std::make_unique<DecideDesignsPass>(std::move(ways), std::move(lower), budget);
}
