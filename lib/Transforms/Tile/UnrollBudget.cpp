//===- UnrollBudget.cpp - Share of the multiply-add lanes -----------------===//

#include "streamtensor/Transforms/Tile/UnrollBudget.h"

#include "LaneChoices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Analysis/SharedReads.h"
#include "streamtensor/Device/ScalarOperations.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Support/BitWidth.h"
#include "streamtensor/Transforms/Tile/DimensionClasses.h"
#include "streamtensor/Transforms/Tile/PaddedExtents.h"
#include "streamtensor/Transforms/Tile/RowLanes.h"
#include "streamtensor/Transforms/Tile/TilingLaws.h"

#include <map>
#include <queue>

using namespace mlir;
using namespace streamtensor;

/// Of the DSPs that can be placed for lanes of contractions; of the LUTs, flip-flops or DSPs for
/// lanes of rows. What an engine gives leaves by way of adders of partial sums. Of the LUTs, for
/// products and sums of engines and for rows; a part of it for products of two tokens: without
/// them the card has room for all other lanes.
constexpr double contractionShare = 0.83, rowShare = 0.14;
constexpr double rowShareBesideEngines = 0.45, shareOfPartialSums = 0.02;
constexpr double logicShare = 0.57, partOfPairs = 0.51;
/// Of the DSPs beside an engine, for what is made twice so that nothing has to be held.
constexpr double shareOfCopies = 0.015;

LaneLimits streamtensor::getLaneLimits(const DeviceModel &device, int64_t unroll,
                                       int64_t laneShare) {
  int64_t alongLoop = std::max<int64_t>(device.fifo().tokenBits / widestScalar, 1);
  double scale = laneShare / 100.0;
  LaneLimits limits{double(unroll), double(unroll), alongLoop, nullptr, 0, 0};
  if (unroll <= 0) {
    double budget = scale * contractionShare * device.getPlaceable().dsp;
    double perTask = std::min(budget, device.getPlaceableInAnyDie().dsp);
    limits = {budget, perTask, alongLoop, &device, scale * rowShare, scale * logicShare};
  }
  limits.sparedOfRows = std::max(0.0, 1 - scale);
  return limits;
}

/// Lanes of a contraction share one operand or the other; both, if each is held for neighbours.
static SharedLanes getSharedLanes(linalg::LinalgOp op, ArrayRef<int64_t> unroll) {
  if (!isContraction(op))
    return SharedLanes::OfNone;
  bool areShared = llvm::all_of(getDataInputs(op), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return llvm::any_of(llvm::enumerate(unroll), [&](auto loop) {
      return loop.value() % 2 == 0 && !map.isFunctionOfDim(loop.index());
    });
  });
  return areShared ? SharedLanes::OfBoth : SharedLanes::OfOne;
}

Resources streamtensor::getLaneResources(linalg::LinalgOp op, const DeviceModel &device,
                                         ArrayRef<int64_t> unroll) {
  SharedLanes shared = getSharedLanes(op, unroll);
  Resources lane;
  for (Operation &nested : op.getBlock()->without_terminator())
    if (std::optional<Operator> found = device.operatorOf(&nested, shared))
      lane += found->getResources();
  return lane;
}

/// What one lane of `op` takes of the budget: its DSPs. One that has none takes as much as of the
/// LUTs, half of a DSP at least.
static double getLanePrice(linalg::LinalgOp op, const DeviceModel *device,
                           ArrayRef<int64_t> unroll) {
  if (!device)
    return 1;
  Resources lane = getLaneResources(op, *device, unroll), all = device->getPlaceable();
  return lane.dsp > 0 ? lane.dsp : std::max(0.5, lane.lut * all.dsp / all.lut);
}

double streamtensor::getDspsOfDearestLane(func::FuncOp function, const DeviceModel &device) {
  double dearest = 0;
  for (auto op : function.getOps<linalg::GenericOp>())
    if (isContraction(op))
      dearest = std::max(dearest, getLanePrice(op, &device, {}));
  return dearest > 0 ? dearest : device.getDspsPerFloatMac();
}

int64_t streamtensor::getNextDivisor(int64_t extent, int64_t factor, int64_t most) {
  for (int64_t next = factor + 1; next <= std::min(extent, most); ++next)
    if (extent % next == 0)
      return next;
  return 0;
}

int64_t streamtensor::getLatency(linalg::LinalgOp op, const DimensionClasses &classes,
                                 ArrayRef<int64_t> unroll) {
  return llvm::divideCeil(llvm::product_of(classes.getExpectedRanges(op)),
                          llvm::product_of(unroll));
}

namespace {
/// Deals lanes to the contractions of a function.
class LaneShares {
public:
  LaneShares(ArrayRef<linalg::LinalgOp> contractions, const DimensionClasses &classes,
             const DeviceModel &device, LaneLimits limits, const Engines &engines, int64_t turn,
             UnrollFactors &factors)
      : contractions(contractions), classes(classes), bitsOfWord(device.port().bits),
        limits(limits), engines(engines), turn(turn), factors(factors),
        waiting(contractions.size()) {}

  void run();
  /// Of those that wait behind rows, the most cycles that one gains for what its next lanes take of
  /// the budget's unit, and the one that gains them within `left`.
  double getGainOfPostponed() const;
  bool growPostponed(double left);
  double getSpent() const { return spent; }

private:
  struct Step {
    SmallVector<int64_t> unroll;
    double cost;         ///< More than now.
    double ofGivers = 0; ///< What rows take more that hand on as many lanes.
    double getPrice() const { return cost + ofGivers; }
  };
  Step getStepTo(unsigned number, ArrayRef<int64_t> grown) const;
  std::optional<Step> getNextStep(unsigned number) const;
  bool hasLogicFor(linalg::LinalgOp op, ArrayRef<int64_t> pairs) const;
  bool takeRest(unsigned number);
  double getPriceOfLanes(unsigned number, ArrayRef<int64_t> unroll) const {
    return getLanePrice(contractions[number], limits.prices, unroll) * llvm::product_of(unroll);
  }
  double getPriceOfOthers(unsigned number) const;
  void take(unsigned number, const Step &step);
  void growAll();
  std::pair<double, unsigned> findPostponed(double left) const;
  int64_t getTurn(linalg::LinalgOp op) const {
    return streamtensor::getLatency(op, classes, factors[op]);
  }
  int64_t getLatency(unsigned number) const;
  /// The slowest grows first; of several the one whose lanes cost least, then the first.
  void push(unsigned number) {
    heap.push(
        {getLatency(number), -getLanePrice(contractions[number], limits.prices, {}), -int(number)});
  }
  std::optional<unsigned> findSlowerProducer(unsigned number) const;

  ArrayRef<linalg::LinalgOp> contractions;
  const DimensionClasses &classes;
  int64_t bitsOfWord; ///< Of what passes between operations in a cycle.
  LaneLimits limits;
  const Engines &engines;
  int64_t turn; ///< Of an engine that takes many tokens in a pass: faster is not needed.
  UnrollFactors &factors;
  double spent = 0;
  int64_t slowest = 0; ///< Latency of those that grow no more.
  SmallVector<unsigned> postponed;
  std::priority_queue<std::tuple<int64_t, double, int>> heap;
  std::vector<SmallVector<unsigned>> waiting; ///< For the contraction to grow.
};
} // namespace

static SmallVector<Operation *> getWriters(linalg::LinalgOp op) {
  return llvm::map_to_vector(getDataInputs(op), [](OpOperand *input) {
    return stripHostSteps(input->get()).getDefiningOp();
  });
}

/// An engine has a turn for each of its contractions.
int64_t LaneShares::getLatency(unsigned number) const {
  linalg::LinalgOp op = contractions[number];
  StringAttr engine = engines.lookup(op);
  if (!engine)
    return getTurn(op);
  int64_t latency = 0;
  for (linalg::LinalgOp other : contractions)
    if (engines.lookup(other) == engine)
      latency += getTurn(other);
  return latency;
}

/// What gives `op` its inputs, itself or by way of a map whose elements `op` takes once: the sum
/// over groups goes at the pace of their products, which are scaled in between.
static SmallVector<Operation *> findProducers(linalg::LinalgOp op) {
  SmallVector<Operation *> producers;
  int64_t points = llvm::product_of(op.getStaticLoopRanges());
  for (Operation *writer : getWriters(op)) {
    auto map = dyn_cast_or_null<linalg::LinalgOp>(writer);
    bool isMap = map && map.getNumReductionLoops() == 0;
    if (isMap && llvm::product_of(map.getStaticLoopRanges()) == points)
      producers.append(getWriters(map));
    else
      producers.push_back(writer);
  }
  return producers;
}

/// A contraction that gives `number` its input, and takes as long: lanes of the one help nothing as
/// long as the other has no more.
std::optional<unsigned> LaneShares::findSlowerProducer(unsigned number) const {
  for (Operation *op : findProducers(contractions[number])) {
    const auto *producer =
        llvm::find_if(contractions, [op](linalg::LinalgOp other) { return op == other; });
    if (producer == contractions.end())
      continue;
    // Of an engine its turn counts, in which its reader is at work.
    unsigned other = producer - contractions.begin();
    if (getTurn(*producer) >= getTurn(contractions[number]))
      return other;
  }
  return std::nullopt;
}

/// An engine lies on several dies, so none bounds it; but lanes beyond what all masters together
/// bring in a cycle would wait for memory.
static bool canBeFed(linalg::LinalgOp op, ArrayRef<int64_t> unroll, const LaneLimits &limits) {
  if (!limits.prices)
    return true;
  int64_t most = limits.prices->externalMemory().masters * limits.prices->port().bits;
  return llvm::all_of(getDataInputs(op), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    int64_t bits =
        getLaneBits(input->get().getType()) * llvm::product_of(getLaneShape(map, unroll));
    return !isExternal(stripHostSteps(input->get())) || bits <= most;
  });
}

/// What the lanes of the widest other contraction of its engine take: these it has for nothing.
double LaneShares::getPriceOfOthers(unsigned number) const {
  StringAttr engine = engines.lookup(contractions[number]);
  double most = 0;
  for (auto [other, op] : llvm::enumerate(contractions))
    if (engine && other != number && engines.lookup(op) == engine)
      most = std::max(most, getPriceOfLanes(other, factors[op]));
  return most;
}

/// Two tokens of a pass beside each other, of which a launch may have fewer: of an odd number of
/// them, lanes of the last pair are idle. More would be other products than those of two.
static std::optional<SmallVector<int64_t>>
growAlongTokens(linalg::LinalgOp op, const DimensionClasses &classes, ArrayRef<int64_t> unroll) {
  SmallVector<int64_t> tiles = classes.getLoopTiles(op), least = classes.getLeast(op, tiles);
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (kind != utils::IteratorType::parallel || least[loop] == tiles[loop])
      continue;
    if (unroll[loop] > 1 || tiles[loop] < 4 || tiles[loop] % 2 != 0)
      return std::nullopt;
    SmallVector<int64_t> grown(unroll);
    grown[loop] = 2;
    return grown;
  }
  return std::nullopt;
}

LaneShares::Step LaneShares::getStepTo(unsigned number, ArrayRef<int64_t> grown) const {
  linalg::LinalgOp op = contractions[number];
  ArrayRef<int64_t> unroll = factors[op];
  double others = getPriceOfOthers(number);
  Step step{SmallVector<int64_t>(grown), std::max(others, getPriceOfLanes(number, grown)) -
                                             std::max(others, getPriceOfLanes(number, unroll))};
  if (limits.prices && !engines.empty() && !engines.contains(op)) {
    auto price = [&](ArrayRef<int64_t> lanes) {
      return getPriceOfGivers(op, classes, *limits.prices, lanes);
    };
    step.ofGivers = (price(grown) - price(unroll)) * limits.prices->getPlaceable().dsp;
  }
  return step;
}

/// The part of the LUTs that products of integers in engines take, each with an adder as wide.
static double getLogicOfEngines(const Engines &engines, const UnrollFactors &factors,
                                const DeviceModel &device) {
  std::map<StringRef, double> luts;
  for (auto [each, engine] : engines) {
    auto op = cast<linalg::LinalgOp>(each);
    ArrayRef<int64_t> unroll = factors.at(op);
    for (auto product : op.getBlock()->getOps<arith::MulIOp>()) {
      std::optional<Operator> found = device.operatorOf(product, getSharedLanes(op, unroll));
      int64_t bits = getSignificantBits(product.getLhs()) + getSignificantBits(product.getRhs());
      double lane = bits + (found ? found->lut : 0);
      double &widest = luts[engine.getValue()];
      widest = std::max(widest, lane * llvm::product_of(unroll));
    }
  }
  double sum = 0;
  for (auto &[engine, lut] : luts)
    sum += lut;
  return sum / device.getPlaceable().lut;
}

bool LaneShares::hasLogicFor(linalg::LinalgOp op, ArrayRef<int64_t> pairs) const {
  UnrollFactors grown = factors;
  grown[op] = SmallVector<int64_t>(pairs);
  return getLogicOfEngines(engines, grown, *limits.prices) <= partOfPairs * limits.logicShare;
}

std::optional<LaneShares::Step> LaneShares::getNextStep(unsigned number) const {
  linalg::LinalgOp op = contractions[number];
  ArrayRef<int64_t> unroll = factors[op];
  std::optional<SmallVector<int64_t>> grown =
      grow(op, classes, unroll, limits.alongLoop, /*reductionsFirst=*/turn > 0);
  if (engines.contains(op)) {
    if (grown && canBeFed(op, *grown, limits))
      return getStepTo(number, *grown);
    // Tokens beside each other fill the DSPs that there are, or wait for their turn.
    std::optional<SmallVector<int64_t>> tokens = growAlongTokens(op, classes, unroll);
    if (!tokens || !limits.prices)
      return std::nullopt;
    Step step = getStepTo(number, *tokens);
    return step.cost <= 0 && hasLogicFor(op, *tokens) ? std::optional(step) : std::nullopt;
  }
  if (!grown || getPriceOfLanes(number, *grown) > limits.perTask)
    return std::nullopt;
  return getStepTo(number, *grown);
}

void LaneShares::take(unsigned number, const Step &step) {
  spent += step.cost;
  factors[contractions[number]] = step.unroll;
  for (unsigned other : std::exchange(waiting[number], {}))
    push(other);
}

/// Gives it what is left of a budget that is a number of lanes, if that makes it faster by an
/// eighth: growing one loop after the other leaves out 5 x 8 of 44 lanes. Says whether it did.
bool LaneShares::takeRest(unsigned number) {
  constexpr double leastGain = 9.0 / 8;
  linalg::LinalgOp op = contractions[number];
  if (limits.prices || engines.contains(op))
    return false;
  int64_t left =
      std::min(limits.budget - spent + getPriceOfLanes(number, factors[op]), limits.perTask);
  if (left < 1)
    return false;
  LaneChoice widest = getLaneChoices(op, classes, left, limits, turn > 0, bitsOfWord).back();
  if (widest.lanes < leastGain * llvm::product_of(factors[op]))
    return false;
  take(number, getStepTo(number, widest.unroll));
  return true;
}

void LaneShares::run() {
  llvm::SmallDenseSet<StringAttr> seen;
  for (auto [number, op] : llvm::enumerate(contractions)) {
    StringAttr engine = engines.lookup(op);
    if (!engine || seen.insert(engine).second)
      spent += getPriceOfLanes(number, factors[op]);
    push(number);
  }
  growAll();
  if (limits.exactShares)
    spent =
        shareExactly(contractions, classes, limits, turn > 0, bitsOfWord, factors).value_or(spent);
}

void LaneShares::growAll() {
  while (!heap.empty()) {
    auto [latency, price, negative] = heap.top();
    unsigned number = -negative;
    heap.pop();
    if (std::optional<unsigned> producer = findSlowerProducer(number)) {
      waiting[*producer].push_back(number);
      continue;
    }
    if (latency <= turn)
      continue;
    std::optional<Step> step = getNextStep(number);
    // What takes far less than the slowest that grows no more is worth no lanes, but for those that
    // its engine has anyway. An engine takes the time of many contractions.
    const int64_t partOfSlowest = engines.empty() ? 8 : 20;
    if (latency * partOfSlowest <= slowest && (!step || step->cost > 0))
      continue;
    bool isWithin = step && spent + step->cost <= limits.budget;
    if (!isWithin)
      slowest = std::max(slowest, takeRest(number) ? getLatency(number) : latency);
    // Behind the slowest, many lanes may gain less than those of rows.
    constexpr double fewLanes = 1.0 / 64;
    bool waitsForRows =
        step && limits.prices && slowest > 0 && step->getPrice() > fewLanes * limits.budget;
    if (waitsForRows)
      postponed.push_back(number);
    if (!isWithin || waitsForRows)
      continue;
    take(number, *step);
    push(number);
  }
}

/// Does it take a tensor from external memory?
static bool takesExternal(linalg::LinalgOp op) {
  return llvm::any_of(getDataInputs(op),
                      [](OpOperand *input) { return isExternal(stripHostSteps(input->get())); });
}

std::pair<double, unsigned> LaneShares::findPostponed(double left) const {
  SmallVector<std::pair<unsigned, Step>> steps;
  for (unsigned number : postponed)
    if (std::optional<Step> step = getNextStep(number); step && !findSlowerProducer(number))
      steps.push_back({number, *step});
  // Beside engines stand contractions of an attention, which hand its heads on: of those that take
  // its context, and of those that take the pass alone, the slowest sets the pace.
  int64_t pace[2] = {0, 0};
  for (auto &[number, step] : steps)
    if (linalg::LinalgOp op = contractions[number]; !engines.empty() && !engines.contains(op))
      pace[takesExternal(op)] = std::max(pace[takesExternal(op)], getLatency(number));
  std::pair<double, unsigned> best = {0, 0};
  for (auto &[number, step] : steps) {
    linalg::LinalgOp op = contractions[number];
    bool keepsPace = !engines.contains(op) && getLatency(number) < pace[takesExternal(op)];
    if (keepsPace || step.getPrice() > left)
      continue;
    int64_t gained = getLatency(number) - streamtensor::getLatency(op, classes, step.unroll);
    best = std::max(best, {gained / step.getPrice(), number});
  }
  return best;
}

double LaneShares::getGainOfPostponed() const {
  return findPostponed(std::numeric_limits<double>::max()).first;
}

bool LaneShares::growPostponed(double left) {
  auto [gain, number] = findPostponed(left);
  if (gain == 0)
    return false;
  take(number, *getNextStep(number));
  growAll(); // Those that have waited for it.
  return true;
}

/// Gives all who can share a read the lanes along its tensor of the one that has fewest: they go at
/// its pace, and one read serves tasks that take equal vectors.
static void alignReaders(ArrayRef<linalg::LinalgOp> contractions, UnrollFactors &factors) {
  for (linalg::LinalgOp op : contractions) {
    OpOperand *shared = findSharedRead(op);
    if (!shared)
      continue;
    AffineMap map = op.getMatchingIndexingMap(shared);
    for (OpOperand *read : getReadsOnce(shared->get())) {
      auto reader = cast<linalg::LinalgOp>(read->getOwner());
      ArrayRef<int64_t> fewer = factors[reader];
      if (llvm::product_of(fewer) >= llvm::product_of(factors[op]))
        continue;
      for (auto [own, others] :
           llvm::zip_equal(map.getResults(), reader.getMatchingIndexingMap(read).getResults()))
        if (isa<AffineDimExpr>(own) && isa<AffineDimExpr>(others))
          factors[op][cast<AffineDimExpr>(own).getPosition()] =
              fewer[cast<AffineDimExpr>(others).getPosition()];
    }
  }
}

/// Is `value` a result of the function, in whatever shape?
static bool leavesFunction(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() ||
           ((isReshape(user) || isa<itensor::UnpackOp>(user)) &&
            leavesFunction(user->getResult(0)));
  });
}

/// The part of its iterations in which nothing else is at work any more, as it makes results of the
/// function from what a contraction gives last.
static double getPartOfLast(linalg::LinalgOp op, const DimensionClasses &classes,
                            const LoopOrders &orders) {
  double part = 0;
  bool hasTiles = classes.getLoopTiles(op) != op.getStaticLoopRanges();
  if (!hasTiles || !leavesFunction(op->getResult(0)))
    return part;
  for (Operation *writer : getWriters(op))
    if (auto producer = dyn_cast_or_null<linalg::GenericOp>(writer);
        producer && isContraction(producer))
      part = std::max(part, getPartAtEnd(producer, classes, orders.at(producer)));
  // Rows of a cache lie where a launch says: lanes would write them in requests of one word each.
  bool isCached = changesBetweenLaunches(op->getParentOfType<func::FuncOp>());
  return isCached && part < 1 ? 0 : part;
}

/// Does `op` take what another contraction than those of the engine gives?
static bool takesOfOthers(Operation *op, const Engines &engines) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    Operation *writer = operand.getDefiningOp();
    auto giver = dyn_cast_or_null<linalg::LinalgOp>(writer);
    if (giver && isContraction(giver))
      return !getPassLoops(giver, engines);
    return writer && takesOfOthers(writer, engines);
  });
}

/// Gives lanes to the contractions that an engine takes in passes of many tokens, or with a single
/// one. Returns the shortest turn in which it takes what others give, 1 if it takes nothing of
/// them; 0 if there is no such engine.
static int64_t takePass(ArrayRef<linalg::LinalgOp> contractions, const DimensionClasses &classes,
                        const Engines &engines, int64_t lanes, UnrollFactors &factors) {
  int64_t shortest = 0;
  bool found = false;
  for (linalg::LinalgOp op : contractions) {
    if (!getPassLoops(op, engines))
      continue;
    found = true;
    factors[op] = getPassLanes(op, engines, classes.getLoopTiles(op), lanes);
    int64_t turn = getLatency(op, classes, factors[op]);
    if (takesOfOthers(op, engines))
      shortest = shortest > 0 ? std::min(shortest, turn) : turn;
  }
  return found ? std::max<int64_t>(shortest, 1) : 0;
}

/// Lanes of an engine that takes its contractions in turn: those of the widest.
static int64_t countLanes(const Engines &engines, const UnrollFactors &factors) {
  int64_t lanes = 0;
  for (auto &[op, engine] : engines)
    lanes = std::max(lanes, llvm::product_of(factors.at(op)));
  return lanes;
}

namespace {
/// Lanes for all operations of a function: contractions first, then rows.
class BudgetShares {
public:
  BudgetShares(func::FuncOp function, const DimensionClasses &classes, const DeviceModel &device,
               const LaneLimits &limits, const Engines &engines, const LoopOrders &orders)
      : function(function), classes(classes), device(device), limits(limits), engines(engines),
        orders(orders) {
    function.walk([&](linalg::GenericOp generic) {
      linalg::LinalgOp op = generic;
      factors[op] = SmallVector<int64_t>(op.getNumLoops(), 1);
      (isContraction(op) ? contractions : others).push_back(op);
    });
  }

  UnrollFactors share();

private:
  void shareBesidePass(int64_t lanes, int64_t turn);
  void keepPace();
  void widenByGain(LaneShares &shares);

  func::FuncOp function;
  const DimensionClasses &classes;
  const DeviceModel &device;
  const LaneLimits &limits;
  const Engines &engines;
  const LoopOrders &orders;
  SmallVector<linalg::LinalgOp> contractions, others;
  UnrollFactors factors;
};
} // namespace

UnrollFactors BudgetShares::share() {
  int64_t lanes = limits.getPassLanes(device);
  if (int64_t turn = takePass(contractions, classes, engines, lanes, factors)) {
    shareBesidePass(lanes, turn);
    return std::move(factors);
  }
  LaneShares shares(contractions, classes, device, limits, engines, /*turn=*/0, factors);
  shares.run();
  alignReaders(contractions, factors);
  keepPace();
  if (limits.prices)
    widenByGain(shares);
  return std::move(factors);
}

/// Other contractions beside an engine that takes all lanes for many tokens, and rows.
void BudgetShares::shareBesidePass(int64_t lanes, int64_t turn) {
  constexpr double partOfOthers = 1.0 / 8;
  int64_t left = lanes - countLanes(engines, factors);
  llvm::erase_if(contractions,
                 [&](linalg::LinalgOp op) { return getPassLoops(op, engines).has_value(); });
  LaneLimits beside = limits;
  bool halvesOthers = limits.sparedOfRows > partOfOthers / 2;
  beside.budget = std::max<double>(partOfOthers * lanes, left) / (halvesOthers ? 2 : 1);
  beside.perTask = beside.budget;
  beside.prices = nullptr;
  LaneShares shares(contractions, classes, device, beside, engines, turn, factors);
  shares.run();
  alignReaders(contractions, factors);

  LaneLimits rows = limits;
  rows.prices = &device;
  double taken = (countLanes(engines, factors) + shares.getSpent()) * device.getDspsPerFloatMac();
  double leftForRows = 1 - shareOfCopies - limits.sparedOfRows - taken / device.getPlaceable().dsp;
  // More lanes than the card has are asked for to see what would be.
  bool canFit = taken <= device.getPlaceable().dsp;
  rows.rowShare = canFit ? std::max(0.0, leftForRows) : rowShareBesideEngines;
  widenRows(function, classes, orders, engines, rows, 0, factors);
}

/// Operations that are no contractions get the lanes that keep them no slower than the slowest one.
void BudgetShares::keepPace() {
  int64_t slowest = 0;
  for (linalg::LinalgOp op : contractions)
    slowest = std::max(slowest, getLatency(op, classes, factors[op]));
  for (linalg::LinalgOp op : others) {
    std::optional<unsigned> row = getRowLoop(op);
    SmallVector<int64_t> &unroll = factors[op];
    SmallVector<int64_t> least = classes.getLeast(op, classes.getLoopTiles(op));
    // What works last costs the design its time: little of it, then, as far as memory takes it.
    constexpr double partOfLast = 16;
    double part = partOfLast * getPartOfLast(op, classes, orders);
    int64_t word = device.port().bits / getLaneBits(op->getResult(0).getType());
    while (row) {
      int64_t next = getNextDivisor(least[*row], unroll[*row], limits.alongLoop);
      int64_t latency = getLatency(op, classes, unroll);
      bool isSlow = latency > slowest || (latency * part > slowest && next <= word);
      if (!next || !isSlow)
        break;
      unroll[*row] = next;
    }
  }
}

/// What gains most for what it takes of the device comes first, rows or contractions.
void BudgetShares::widenByGain(LaneShares &shares) {
  double all = device.getPlaceable().dsp, left = 0;
  double logicOfEngines = getLogicOfEngines(engines, factors, device);
  auto widen = [&](double leastGain) {
    LaneLimits rows = limits;
    rows.rowShare += (limits.budget - shares.getSpent()) / all;
    // With engines DSPs are left, but logic is what rows of floats take as much of.
    if (!engines.empty())
      rows.rowShare =
          std::max(0.0, std::min({rows.rowShare - shareOfPartialSums, rowShareBesideEngines,
                                  limits.logicShare - logicOfEngines}));
    left = widenRows(function, classes, orders, engines, rows, leastGain, factors);
  };
  do
    widen(shares.getGainOfPostponed() * all);
  while (shares.growPostponed(left * all));
  alignReaders(contractions, factors);
  widen(0);
}

UnrollFactors streamtensor::shareUnrollBudget(func::FuncOp function,
                                              const DimensionClasses &classes,
                                              const DeviceModel &device, const LaneLimits &limits,
                                              const Engines &engines, const LoopOrders &orders) {
  return BudgetShares(function, classes, device, limits, engines, orders).share();
}

std::pair<int64_t, int64_t> streamtensor::getContractionCycles(func::FuncOp function,
                                                               const DimensionClasses &classes,
                                                               const DeviceModel &device,
                                                               LaneLimits limits) {
  SmallVector<linalg::LinalgOp> contractions;
  UnrollFactors factors;
  for (auto op : function.getOps<linalg::GenericOp>()) {
    factors[op] = SmallVector<int64_t>(op.getNumLoops(), 1);
    if (isContraction(op))
      contractions.push_back(op);
  }
  LaneShares(contractions, classes, device, limits, Engines(), /*turn=*/0, factors).run();
  alignReaders(contractions, factors);
  int64_t slowest = 0, all = 0;
  for (linalg::LinalgOp op : contractions) {
    int64_t cycles = getCyclesWithInputs(op, classes, factors[op], device.port().bits);
    slowest = std::max(slowest, cycles);
    all += cycles;
  }
  return {slowest, all};
}
