//===- DecisionWays.cpp - What phase decide is tried with -----------------===//
//
// Growth of lanes by rules is one way to decide (docs/rationale/decide.md). Others have another
// tile size, tiles that suit the lanes, exact shares of the budget, extents padded for an odd
// factor, one engine for all products, or less of the card. Tiles and shares suit a number of
// lanes, so where the device decides on these, it does by their number and not by what each takes.
// DecideDesigns.cpp compares them.
//
//===----------------------------------------------------------------------===//

#include "DecisionWays.h"

#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Transforms/Tile/Passes.h"

using namespace mlir;
using namespace streamtensor;

using Options = std::shared_ptr<const PipelineOptions>;

namespace {

/// What a way does otherwise than the options say.
struct Difference {
  int64_t quarters = 4; ///< Of the tile size.
  bool exactShares = false, suitTiles = false;
  dataflow::OddFactors odd = {};
  int64_t laneShare = 100; ///< Percent.
  bool singleRows = false, allProducts = false;
};

} // namespace

static std::function<void(OpPassManager &, ArrayRef<int64_t>)>
makeDecision(const Options &options, const Difference &way = {}) {
  DecideTilingOptions tiling;
  tiling.tileSize = std::max<int64_t>(1, options->tileSize * way.quarters / 4);
  tiling.unroll = options->unroll;
  tiling.laneShare = options->laneShare * way.laneShare / 100;
  tiling.converterRule = options->converterRule;
  tiling.shareEngines = options->engines;
  tiling.exactShares = way.exactShares;
  tiling.suitTiles = way.suitTiles;
  tiling.singleRows = way.singleRows;
  tiling.allProducts = way.allProducts;
  return [options, tiling, odd = way.odd](OpPassManager &pm, ArrayRef<int64_t> extents) {
    pm.addNestedPass<func::FuncOp>(
        createPadExtents({options->padding, odd.beside, odd.rows, SmallVector<int64_t>(extents),
                          /*schedule=*/""}));
    if (tiling.shareEngines)
      pm.addNestedPass<func::FuncOp>(
          createLayTokenWeights({tiling.unroll, tiling.laneShare, /*schedule=*/""}));
    pm.addNestedPass<func::FuncOp>(createDecideTiling(tiling));
  };
}

void streamtensor::buildDecisionByRules(OpPassManager &pm, const Options &options) {
  makeDecision(options)(pm, {});
}

static DecisionWay makeWay(const Options &options, const Difference &difference) {
  DecisionWay way;
  way.decide = makeDecision(options, difference);
  way.odd = std::max(difference.odd.beside, difference.odd.rows);
  way.allProducts = difference.allProducts;
  return way;
}

/// One engine for all products, without an odd factor, then with each beside rows and along them.
static std::vector<DecisionWay> getProductEngines(const Options &options, int64_t laneShare) {
  Difference difference;
  difference.allProducts = true;
  difference.laneShare = laneShare;
  std::vector<DecisionWay> ways = {makeWay(options, difference)};
  for (int64_t odd = 3; odd <= largestOdd; odd += 2)
    for (dataflow::OddFactors factors : {dataflow::OddFactors{odd, 1}, {1, odd}}) {
      difference.odd = factors;
      ways.push_back(makeWay(options, difference));
    }
  return ways;
}

std::vector<DecisionWay> streamtensor::getDecisionWays(const Options &options) {
  std::vector<DecisionWay> ways;
  // Of the lanes that the device decides on, exact shares are tried with tiles that suit them.
  auto isTried = [&](bool exactShares, bool suitTiles) {
    return options->unroll > 0 || suitTiles || !exactShares;
  };
  for (int64_t quarters : {4, 2, 3, 6, 12, 16})
    for (bool exactShares : {false, true})
      for (bool suitTiles : {false, true}) {
        if (!isTried(exactShares, suitTiles))
          continue;
        ways.push_back(makeWay(options, {quarters, exactShares, suitTiles}));
        ways.back().suitsCaches = quarters == 4 || quarters == 2;
      }
  for (int64_t odd = 3; odd <= largestOdd; odd += 2)
    for (int64_t quarters : {4, 3, 12})
      for (bool exactShares : {false, true})
        for (bool suitTiles : {true, false})
          for (int64_t rows : {int64_t(1), odd})
            if (isTried(exactShares, suitTiles))
              ways.push_back(makeWay(options, {quarters, exactShares, suitTiles, {odd, rows}}));
  if (options->engines)
    llvm::append_range(ways, getProductEngines(options, /*laneShare=*/100));
  // A norm of one token at a time adds up fewer sums side by side.
  for (int64_t laneShare : {100, 98, 96, 94, 92, 90}) {
    Difference difference;
    difference.laneShare = laneShare;
    difference.singleRows = laneShare == 100;
    ways.push_back(makeWay(options, difference));
    ways.back().suitsCaches = ways.back().besideEngine = true;
  }
  if (options->unroll > 0 || options->laneShare.hasValue()) // Those hold.
    return ways;
  size_t all = ways.size();
  for (int64_t laneShare : {85, 70, 60, 50, 40, 30, 20}) {
    for (int64_t quarters : {4, 2, 12})
      for (bool suitTiles : {false, true})
        ways.push_back(
            makeWay(options, {quarters, /*exactShares=*/false, suitTiles, /*odd=*/{}, laneShare}));
    if (options->engines)
      llvm::append_range(ways, getProductEngines(options, laneShare));
  }
  for (DecisionWay &way : llvm::drop_begin(ways, all))
    way.fewerLanes = true;
  return ways;
}
