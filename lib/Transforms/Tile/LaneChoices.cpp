//===- LaneChoices.cpp - What the lanes of contractions can be ------------===//

#include "LaneChoices.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Analysis/SharedReads.h"
#include "streamtensor/Support/BitWidth.h"
#include "streamtensor/Transforms/Tile/DimensionClasses.h"

#include <set>

using namespace mlir;
using namespace streamtensor;

static bool addsIntegers(linalg::LinalgOp op) {
  return getElementTypeOrSelf(op->getResult(0).getType()).isInteger();
}

/// Loops in the order in which a contraction's unroll grows: the result's last
/// dimension (lanes of one token row), then reductions (adder trees), then the other
/// parallel loops, innermost first. Sums of integers begin with the reductions: their trees cost
/// little and leave no partial sums, and few results leave at a time. Who can share a read begins
/// with the rows of what is read: then all readers take equal vectors.
static SmallVector<unsigned> getGrowthOrder(linalg::LinalgOp op, bool reductionsFirst) {
  SmallVector<unsigned> order;
  if (OpOperand *shared = findSharedRead(op))
    if (auto row = dyn_cast<AffineDimExpr>(op.getMatchingIndexingMap(shared).getResults().back()))
      order.push_back(row.getPosition());
  AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
  if (order.empty() && result.getNumResults() > 0 && !reductionsFirst && !addsIntegers(op))
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

/// Lanes along a loop of a sum of integers: as many of the widest element that runs along it as a
/// FIFO can carry.
static int64_t getMostLanes(linalg::LinalgOp op, unsigned dim, int64_t ofWidestScalars) {
  if (!addsIntegers(op))
    return ofWidestScalars;
  int64_t bits = 1;
  for (OpOperand &operand : op->getOpOperands())
    if (op.getMatchingIndexingMap(&operand).isFunctionOfDim(dim))
      bits = std::max(bits, getLaneBits(operand.get().getType()));
  return ofWidestScalars * widestScalar / bits;
}

std::optional<SmallVector<int64_t>> streamtensor::grow(linalg::LinalgOp op,
                                                       const DimensionClasses &classes,
                                                       ArrayRef<int64_t> unroll, int64_t maxLanes,
                                                       bool reductionsFirst) {
  SmallVector<int64_t> tiles = classes.getLoopTiles(op);
  SmallVector<int64_t> least = classes.getLeast(op, tiles);
  for (unsigned dim : getGrowthOrder(op, reductionsFirst))
    if (int64_t next = getNextDivisor(least[dim], unroll[dim], getMostLanes(op, dim, maxLanes))) {
      SmallVector<int64_t> grown(unroll);
      grown[dim] = next;
      return grown;
    }
  return std::nullopt;
}

/// In which the slowest of its inputs comes that others give, with a word of so many bits in each.
static int64_t getCyclesOfInputs(linalg::LinalgOp op, const DimensionClasses &classes,
                                 int64_t bitsOfWord) {
  int64_t cycles = 0;
  SmallVector<int64_t> ranges = classes.getExpectedRanges(op), tiles = classes.getLoopTiles(op);
  for (OpOperand *input : getDataInputs(op)) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (isExternal(stripHostSteps(input->get())) || map.getNumResults() == 0)
      continue;
    int64_t most = std::max<int64_t>(1, bitsOfWord / getLaneBits(input->get().getType()));
    int64_t words = 1;
    for (auto [loop, range] : llvm::enumerate(ranges))
      words *= map.isFunctionOfDim(loop) ? range : llvm::divideCeil(range, tiles[loop]);
    if (auto row = dyn_cast<AffineDimExpr>(map.getResults().back())) {
      int64_t tile = tiles[row.getPosition()];
      words = words / tile * llvm::divideCeil(tile, most);
    }
    cycles = std::max(cycles, words);
  }
  return cycles;
}

int64_t streamtensor::getCyclesWithInputs(linalg::LinalgOp op, const DimensionClasses &classes,
                                          ArrayRef<int64_t> unroll, int64_t bitsOfWord) {
  return std::max(getLatency(op, classes, unroll), getCyclesOfInputs(op, classes, bitsOfWord));
}

std::vector<LaneChoice> streamtensor::getLaneChoices(linalg::LinalgOp op,
                                                     const DimensionClasses &classes, int64_t most,
                                                     const LaneLimits &limits, bool reductionsFirst,
                                                     int64_t bitsOfWord) {
  SmallVector<int64_t> least = classes.getLeast(op, classes.getLoopTiles(op));
  SmallVector<unsigned> order = getGrowthOrder(op, reductionsFirst);
  SmallVector<int64_t> unroll(op.getNumLoops(), 1);
  int64_t points = llvm::product_of(classes.getExpectedRanges(op));
  int64_t ofInputs = getCyclesOfInputs(op, classes, bitsOfWord);
  std::vector<LaneChoice> all;
  auto extend = [&](auto &extend, size_t place, int64_t lanes) -> void {
    if (place == order.size()) {
      all.push_back({lanes, std::max<int64_t>(llvm::divideCeil(points, lanes), ofInputs), unroll});
      return;
    }
    unsigned dim = order[place];
    for (int64_t factor =
             std::min({least[dim], getMostLanes(op, dim, limits.alongLoop), most / lanes});
         factor >= 1; --factor)
      if (least[dim] % factor == 0) {
        unroll[dim] = factor;
        extend(extend, place + 1, lanes * factor);
      }
    unroll[dim] = 1;
  };
  extend(extend, 0, 1);
  llvm::stable_sort(all,
                    [](const LaneChoice &a, const LaneChoice &b) { return a.lanes < b.lanes; });
  std::vector<LaneChoice> choices;
  for (LaneChoice &choice : all)
    if (choices.empty() || choice.cycles < choices.back().cycles)
      choices.push_back(std::move(choice));
  return choices;
}

std::optional<int64_t> streamtensor::shareExactly(ArrayRef<linalg::LinalgOp> contractions,
                                                  const DimensionClasses &classes,
                                                  const LaneLimits &limits, bool reductionsFirst,
                                                  int64_t bitsOfWord, UnrollFactors &factors) {
  std::vector<std::vector<LaneChoice>> choices;
  std::set<int64_t> reachable;
  int64_t now = 0;
  for (linalg::LinalgOp op : contractions) {
    choices.push_back(
        getLaneChoices(op, classes, limits.perTask, limits, reductionsFirst, bitsOfWord));
    for (LaneChoice &choice : choices.back())
      reachable.insert(choice.cycles);
    now = std::max(now, getCyclesWithInputs(op, classes, factors[op], bitsOfWord));
  }
  auto findFewest = [](const std::vector<LaneChoice> &of, int64_t cycles) {
    return llvm::find_if(of, [&](const LaneChoice &each) { return each.cycles <= cycles; });
  };
  for (int64_t cycles : reachable) {
    if (cycles >= now)
      return std::nullopt;
    int64_t lanes = 0;
    for (const std::vector<LaneChoice> &of : choices) {
      auto fewest = findFewest(of, cycles);
      lanes += fewest == of.end() ? limits.budget + 1 : fewest->lanes;
    }
    if (lanes > limits.budget)
      continue;
    for (auto [op, of] : llvm::zip_equal(contractions, choices))
      factors[op] = findFewest(of, cycles)->unroll;
    return lanes;
  }
  return std::nullopt;
}
