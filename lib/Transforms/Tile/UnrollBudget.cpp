//===- UnrollBudget.cpp - Share of the multiply-add lanes -----------------===//

#include "streamtensor/Transforms/Tile/UnrollBudget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Device/ScalarOperations.h"
#include "streamtensor/Transforms/Tile/DimensionClasses.h"
#include "streamtensor/Transforms/Tile/RowLanes.h"
#include "streamtensor/Transforms/Tile/TilingLaws.h"

#include <queue>

using namespace mlir;
using namespace streamtensor;

/// Of the DSPs that can be placed for lanes of contractions; of the LUTs, flip-flops or DSPs for
/// lanes of rows.
constexpr double contractionShare = 0.81, rowShare = 0.13;

constexpr int64_t widestScalar = 64;

LaneLimits streamtensor::getLaneLimits(const DeviceModel &device, int64_t unroll,
                                       int64_t laneShare) {
  int64_t alongLoop = std::max<int64_t>(device.fifo().tokenBits / widestScalar, 1);
  if (unroll > 0)
    return {double(unroll), double(unroll), alongLoop, nullptr, 0};
  double scale = laneShare / 100.0;
  double budget = scale * contractionShare * device.getPlaceable().dsp, perTask = budget;
  for (const Die &die : device.getDies())
    perTask = std::min(perTask, device.getPlacementShare() * die.resources.dsp);
  return {budget, perTask, alongLoop, &device, scale * rowShare};
}

Resources streamtensor::getLaneResources(linalg::LinalgOp op, const DeviceModel &device) {
  // Lanes of a contraction share one operand or the other.
  bool isShared = isContraction(op);
  Resources lane;
  for (Operation &nested : op.getBlock()->without_terminator())
    if (std::optional<Operator> found = device.operatorOf(&nested, isShared))
      lane += {.lut = found->lut, .ff = found->ff, .dsp = found->dsp};
  return lane;
}

/// What one lane of `op` takes of the budget: a lane that has no DSP counts as half of one.
static double getLanePrice(linalg::LinalgOp op, const DeviceModel *device) {
  if (!device)
    return 1;
  return std::max(getLaneResources(op, *device).dsp, 0.5);
}

int64_t streamtensor::getNextDivisor(int64_t extent, int64_t factor, int64_t most) {
  for (int64_t next = factor + 1; next <= std::min(extent, most); ++next)
    if (extent % next == 0)
      return next;
  return 0;
}

/// Iterations of a launch on average.
static int64_t getLatency(linalg::LinalgOp op, const DimensionClasses &classes,
                          ArrayRef<int64_t> unroll) {
  return llvm::divideCeil(llvm::product_of(classes.getExpectedRanges(op)),
                          llvm::product_of(unroll));
}

static bool addsIntegers(linalg::LinalgOp op) {
  return getElementTypeOrSelf(op->getResult(0).getType()).isInteger();
}

/// Loops in the order in which a contraction's unroll grows: the result's last
/// dimension (lanes of one token row), then reductions (adder trees), then the other
/// parallel loops, innermost first. Sums of integers begin with the reductions: their trees cost
/// little and leave no partial sums, and few results leave at a time.
static SmallVector<unsigned> getGrowthOrder(linalg::LinalgOp op) {
  SmallVector<unsigned> order;
  AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
  if (result.getNumResults() > 0 && !addsIntegers(op))
    if (auto last = dyn_cast<AffineDimExpr>(result.getResults().back()))
      order.push_back(last.getPosition());
  auto iterators = op.getIteratorTypesArray();
  for (auto kind : {utils::IteratorType::reduction, utils::IteratorType::parallel})
    for (int dim = op.getNumLoops() - 1; dim >= 0; --dim)
      if (iterators[dim] == kind && !llvm::is_contained(order, unsigned(dim)))
        order.push_back(dim);
  llvm::erase_if(order, [&](unsigned dim) { return !canUnroll(op, dim); });
  return order;
}

/// Lanes along a reduction: as many of the widest element that runs along it as a FIFO can carry.
static int64_t getMostLanes(linalg::LinalgOp op, unsigned dim, int64_t ofWidestScalars) {
  if (!addsIntegers(op) || op.getIteratorTypesArray()[dim] != utils::IteratorType::reduction)
    return ofWidestScalars;
  int64_t bits = 1;
  for (OpOperand *input : op.getDpsInputOperands())
    if (op.getMatchingIndexingMap(input).isFunctionOfDim(dim))
      bits = std::max(bits, getLaneBits(input->get().getType()));
  return ofWidestScalars * widestScalar / bits;
}

/// The unroll one step larger than `unroll`, or nothing if every loop is unrolled fully. A loop
/// that a launch may end early has no lanes: it could end between groups of them only.
static std::optional<SmallVector<int64_t>> grow(linalg::LinalgOp op,
                                                const DimensionClasses &classes,
                                                ArrayRef<int64_t> unroll, int64_t maxLanes) {
  SmallVector<int64_t> tiles = classes.getLoopTiles(op);
  SmallVector<int64_t> least = classes.getLeast(op, tiles);
  for (unsigned dim : getGrowthOrder(op))
    if (int64_t next = getNextDivisor(least[dim], unroll[dim], getMostLanes(op, dim, maxLanes))) {
      SmallVector<int64_t> grown(unroll);
      grown[dim] = next;
      return grown;
    }
  return std::nullopt;
}

namespace {
/// Deals lanes to the contractions of a function.
class LaneShares {
public:
  LaneShares(ArrayRef<linalg::LinalgOp> contractions, const DimensionClasses &classes,
             LaneLimits limits, UnrollFactors &factors)
      : contractions(contractions), classes(classes), limits(limits), factors(factors),
        waiting(contractions.size()) {}

  void run();

private:
  int64_t getLatency(unsigned number) const {
    linalg::LinalgOp op = contractions[number];
    return ::getLatency(op, classes, factors[op]);
  }
  /// The slowest grows first; of several the one whose lanes cost least, then the first.
  void push(unsigned number) { heap.push({getLatency(number), -prices[number], -int(number)}); }
  std::optional<unsigned> findSlowerProducer(unsigned number) const;
  bool growOne(unsigned number);

  ArrayRef<linalg::LinalgOp> contractions;
  const DimensionClasses &classes;
  LaneLimits limits;
  UnrollFactors &factors;
  SmallVector<double> prices;
  double spent = 0;
  std::priority_queue<std::tuple<int64_t, double, int>> heap;
  std::vector<SmallVector<unsigned>> waiting; ///< For the contraction to grow.
};
} // namespace

/// A contraction that gives `number` its input, and takes as long: lanes of the one help nothing as
/// long as the other has no more.
std::optional<unsigned> LaneShares::findSlowerProducer(unsigned number) const {
  linalg::LinalgOp op = contractions[number];
  for (OpOperand *input : getDataInputs(op)) {
    const auto *producer = llvm::find_if(contractions, [&](linalg::LinalgOp other) {
      return stripReshapes(input->get()).getDefiningOp() == other;
    });
    if (producer == contractions.end())
      continue;
    unsigned other = producer - contractions.begin();
    if (getLatency(other) >= getLatency(number))
      return other;
  }
  return std::nullopt;
}

bool LaneShares::growOne(unsigned number) {
  linalg::LinalgOp op = contractions[number];
  SmallVector<int64_t> &unroll = factors[op];
  std::optional<SmallVector<int64_t>> grown = grow(op, classes, unroll, limits.alongLoop);
  if (!grown)
    return false;
  double whole = prices[number] * llvm::product_of(*grown);
  double cost = whole - prices[number] * llvm::product_of(unroll);
  if (spent + cost > limits.budget || whole > limits.perTask)
    return false;
  spent += cost;
  unroll = *grown;
  return true;
}

void LaneShares::run() {
  for (auto [number, op] : llvm::enumerate(contractions)) {
    spent += prices.emplace_back(getLanePrice(op, limits.prices));
    push(number);
  }
  int64_t slowest = 0;
  while (!heap.empty()) {
    auto [latency, price, negative] = heap.top();
    unsigned number = -negative;
    heap.pop();
    // What takes far less than the slowest that grows no more is worth no lanes.
    constexpr int64_t partOfSlowest = 8;
    if (latency * partOfSlowest <= slowest)
      break;
    if (std::optional<unsigned> producer = findSlowerProducer(number)) {
      waiting[*producer].push_back(number);
      continue;
    }
    if (!growOne(number)) {
      slowest = std::max(slowest, latency);
      continue;
    }
    push(number);
    for (unsigned other : std::exchange(waiting[number], {}))
      push(other);
  }
}

UnrollFactors streamtensor::shareUnrollBudget(func::FuncOp function,
                                              const DimensionClasses &classes, LaneLimits limits) {
  UnrollFactors factors;
  SmallVector<linalg::LinalgOp> contractions, others;
  function.walk([&](linalg::GenericOp generic) {
    linalg::LinalgOp op = generic;
    factors[op] = SmallVector<int64_t>(op.getNumLoops(), 1);
    (isContraction(op) ? contractions : others).push_back(op);
  });
  LaneShares(contractions, classes, limits, factors).run();
  int64_t slowest = 0;
  for (linalg::LinalgOp op : contractions)
    slowest = std::max(slowest, getLatency(op, classes, factors[op]));
  for (linalg::LinalgOp op : others) {
    std::optional<unsigned> row = getRowLoop(op);
    SmallVector<int64_t> &unroll = factors[op];
    SmallVector<int64_t> least = classes.getLeast(op, classes.getLoopTiles(op));
    while (row && getLatency(op, classes, unroll) > slowest) {
      int64_t next = getNextDivisor(least[*row], unroll[*row], limits.alongLoop);
      if (!next)
        break;
      unroll[*row] = next;
    }
  }
  if (limits.prices)
    widenRows(function, classes, limits, factors);
  return factors;
}
