//===- UnrollBudget.cpp - Share of the multiply-add lanes -----------------===//

#include "streamtensor/Transforms/Tile/UnrollBudget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Transforms/Tile/DimensionClasses.h"
#include "streamtensor/Transforms/Tile/RowLanes.h"
#include "streamtensor/Transforms/Tile/TilingLaws.h"

#include <queue>

using namespace mlir;
using namespace streamtensor;

/// Of the DSPs that can be placed for lanes of contractions; of the LUTs, flip-flops or DSPs for
/// lanes of rows.
constexpr double contractionShare = 0.81, rowShare = 0.13;

LaneLimits streamtensor::getLaneLimits(const DeviceModel &device, int64_t unroll,
                                       int64_t laneShare) {
  constexpr int64_t widestScalar = 64;
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
  Resources lane;
  for (Operation &nested : op.getBlock()->without_terminator())
    if (std::optional<Operator> found = device.operatorOf(&nested))
      lane += {.lut = found->lut, .ff = found->ff, .dsp = found->dsp};
  return lane;
}

/// What one lane of `op` takes of the budget: a lane that has no DSP counts as one that has one.
static double getLanePrice(linalg::LinalgOp op, const DeviceModel *device) {
  if (!device)
    return 1;
  return std::max(getLaneResources(op, *device).dsp, 1.0);
}

int64_t streamtensor::getNextDivisor(int64_t extent, int64_t factor, int64_t most) {
  for (int64_t next = factor + 1; next <= std::min(extent, most); ++next)
    if (extent % next == 0)
      return next;
  return 0;
}

static int64_t getLatency(linalg::LinalgOp op, ArrayRef<int64_t> unroll) {
  return llvm::product_of(op.getStaticLoopRanges()) / llvm::product_of(unroll);
}

/// Loops in the order in which a contraction's unroll grows: the result's last
/// dimension (lanes of one token row), then reductions (adder trees), then the other
/// parallel loops, innermost first.
static SmallVector<unsigned> getGrowthOrder(linalg::LinalgOp op) {
  SmallVector<unsigned> order;
  AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
  if (result.getNumResults() > 0)
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

/// The unroll one step larger than `unroll`, or nothing if every loop is unrolled fully. A loop
/// that a launch may end early has no lanes: it could end between groups of them only.
static std::optional<SmallVector<int64_t>> grow(linalg::LinalgOp op,
                                                const DimensionClasses &classes,
                                                ArrayRef<int64_t> unroll, int64_t maxLanes) {
  SmallVector<int64_t> tiles = classes.getLoopTiles(op);
  SmallVector<int64_t> least = classes.getLeast(op, tiles);
  for (unsigned dim : getGrowthOrder(op))
    if (int64_t next = getNextDivisor(least[dim], unroll[dim], maxLanes)) {
      SmallVector<int64_t> grown(unroll);
      grown[dim] = next;
      return grown;
    }
  return std::nullopt;
}

static void shareLanes(ArrayRef<linalg::LinalgOp> contractions, const DimensionClasses &classes,
                       LaneLimits limits, UnrollFactors &factors) {
  // Ties go to the op that comes first.
  using Entry = std::pair<int64_t, int>;
  std::priority_queue<Entry> heap;
  for (auto [index, op] : llvm::enumerate(contractions))
    heap.push({getLatency(op, factors[op]), -int(index)});
  double spent = 0;
  SmallVector<double> prices;
  for (linalg::LinalgOp op : contractions)
    spent += prices.emplace_back(getLanePrice(op, limits.prices));
  while (!heap.empty()) {
    linalg::LinalgOp op = contractions[-heap.top().second];
    int index = heap.top().second;
    heap.pop();
    SmallVector<int64_t> &unroll = factors[op];
    std::optional<SmallVector<int64_t>> grown = grow(op, classes, unroll, limits.alongLoop);
    if (!grown)
      continue;
    double whole = prices[-index] * llvm::product_of(*grown);
    double cost = whole - prices[-index] * llvm::product_of(unroll);
    if (spent + cost > limits.budget || whole > limits.perTask)
      continue;
    spent += cost;
    unroll = *grown;
    heap.push({getLatency(op, unroll), index});
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
  shareLanes(contractions, classes, limits, factors);
  int64_t slowest = 0;
  for (linalg::LinalgOp op : contractions)
    slowest = std::max(slowest, getLatency(op, factors[op]));
  for (linalg::LinalgOp op : others) {
    std::optional<unsigned> row = getRowLoop(op);
    SmallVector<int64_t> &unroll = factors[op];
    SmallVector<int64_t> least = classes.getLeast(op, classes.getLoopTiles(op));
    while (row && getLatency(op, unroll) > slowest) {
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
