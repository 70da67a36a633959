//===- DecisionWays.cpp - What phase decide is tried with -----------------===//
//
// Growth of lanes by rules is one way to decide (docs/rationale/pipeline.md). Others have another
// tile size, tiles that suit the lanes, exact shares of the budget, extents padded for an odd
// factor, one engine for all products, or less of the card. DecideDesigns.cpp compares them.
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

/// No odd factor, then each beside rows and along them too.
static SmallVector<dataflow::OddFactors> getOddFactors() {
  SmallVector<dataflow::OddFactors> factors = {{}};
  for (int64_t odd = 3; odd <= largestOdd; odd += 2) {
    factors.push_back({odd, 1});
    factors.push_back({1, odd});
  }
  return factors;
}

/// One engine for all products, with each factor.
static void addProductEngines(const Options &options, int64_t laneShare,
                              std::vector<DecisionWay> &ways) {
  for (dataflow::OddFactors odd : getOddFactors()) {
    Difference way;
    way.allProducts = true;
    way.odd = odd;
    way.laneShare = laneShare;
    ways.push_back({makeDecision(options, way), false, std::max(odd.beside, odd.rows),
                    /*besideEngine=*/false, /*allProducts=*/true,
                    /*fewerLanes=*/laneShare < 100});
  }
}

std::vector<DecisionWay> streamtensor::getDecisionWays(const Options &options) {
  std::vector<DecisionWay> ways;
  for (int64_t quarters : {4, 2, 3, 6, 12, 16})
    for (bool exactShares : {false, true})
      for (bool suitTiles : {false, true})
        ways.push_back({makeDecision(options, {quarters, exactShares, suitTiles}),
                        /*suitsCaches=*/quarters == 4 || quarters == 2});
  for (int64_t odd = 3; odd <= largestOdd; odd += 2)
    for (int64_t quarters : {4, 3, 12})
      for (bool exactShares : {false, true})
        for (bool suitTiles : {true, false})
          for (int64_t rows : {int64_t(1), odd})
            ways.push_back({makeDecision(options, {quarters, exactShares, suitTiles, {odd, rows}}),
                            false, odd});
  if (options->engines)
    addProductEngines(options, /*laneShare=*/100, ways);
  // A norm of one token at a time adds up fewer sums side by side.
  for (int64_t laneShare : {100, 98, 96, 94, 92, 90}) {
    Difference way;
    way.laneShare = laneShare;
    way.singleRows = laneShare == 100;
    ways.push_back({makeDecision(options, way), true, /*odd=*/1, /*besideEngine=*/true});
  }
  if (options->unroll > 0 || options->laneShare.hasValue()) // Those hold.
    return ways;
  for (int64_t laneShare : {85, 70, 60, 50, 40, 30, 20}) {
    for (int64_t quarters : {4, 2, 12})
      for (bool suitTiles : {false, true})
        ways.push_back({makeDecision(options, {quarters, false, suitTiles, {}, laneShare}), false,
                        /*odd=*/1,
                        /*besideEngine=*/false, /*allProducts=*/false, /*fewerLanes=*/true});
    if (options->engines)
      addProductEngines(options, laneShare, ways);
  }
  return ways;
}
