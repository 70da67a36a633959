//===- DecideTiling.cpp - Choose tile, order and unroll of each op --------===//
//
//   linalg.generic {…}
// becomes
//   linalg.generic {dataflow.tiling = #dataflow.tiling<tile = …, order = …, unroll = …>, …}
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Transforms/Tile/DimensionClasses.h"
#include "streamtensor/Transforms/Tile/Engines.h"
#include "streamtensor/Transforms/Tile/LoopOrder.h"
#include "streamtensor/Transforms/Tile/MatrixRows.h"
#include "streamtensor/Transforms/Tile/PassRows.h"
#include "streamtensor/Transforms/Tile/Passes.h"
#include "streamtensor/Transforms/Tile/SingleRows.h"
#include "streamtensor/Transforms/Tile/TileLanes.h"
#include "streamtensor/Transforms/Tile/TilingLaws.h"
#include "streamtensor/Transforms/Tile/UnrollBudget.h"

namespace streamtensor {
#define GEN_PASS_DEF_DECIDETILING
#include "streamtensor/Transforms/Tile/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;

namespace {
/// What the steps have chosen for all operations.
struct Choices {
  const DimensionClasses &classes;
  const LoopOrders &orders;
  const UnrollFactors &unrolls;
  const Engines &engines;
  DenseMap<Operation *, unsigned> singleRows;
  DenseMap<Operation *, PassRows> passRows;

  LogicalResult state(linalg::GenericOp op) const;
};
} // namespace

/// Writes down the choices for `op`: those of all loops, and of what goes through its rows
/// otherwise than the tiles of their dimensions say.
LogicalResult Choices::state(linalg::GenericOp op) const {
  SmallVector<int64_t> tile = classes.getLoopTiles(op), unroll = unrolls.at(op);
  SmallVector<int64_t> order(
      llvm::map_range(orders.at(op), [](unsigned loop) { return int64_t(loop); }));
  auto passOutermost = [&](unsigned loop, int64_t rows) {
    tile[loop] = rows;
    unroll[loop] = getLargestDivisor(rows, unroll[loop]);
    llvm::erase(order, loop);
    order.insert(order.begin(), loop);
  };
  if (auto rows = singleRows.find(op); rows != singleRows.end()) {
    tile = op.getStaticLoopRanges();
    passOutermost(rows->second, 1);
  } else if (auto rows = passRows.find(op); rows != passRows.end()) {
    passOutermost(rows->second.loop, rows->second.rows);
  }
  // A vector of weights comes as one token.
  if (auto turn = engines.turns.find(op); turn != engines.turns.end())
    tile = turn->second.tile;
  else if (std::optional<PassLoops> pass = getPassLoops(op, engines))
    for (unsigned loop : {pass->inputs, pass->outputs})
      tile[loop] = unroll[loop];
  if (std::optional<dataflow::TilingFault> fault = findTilingFault({tile, order, unroll, {}}, op))
    return op.emitError(toString(*fault));
  auto numbers = [&](ArrayRef<int64_t> values) {
    return DenseI64ArrayAttr::get(op.getContext(), values);
  };
  dataflow::setTiling(
      op, dataflow::TilingAttr::get(op.getContext(), numbers(tile), numbers(order), numbers(unroll),
                                    /*vector=*/DenseI64ArrayAttr(), engines.lookup(op)));
  return success();
}

namespace {
struct DecideTilingPass : streamtensor::impl::DecideTilingBase<DecideTilingPass> {
  using DecideTilingBase::DecideTilingBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (tileSize < 1 || unroll < 0 || laneShare < 1) {
      function.emitError("tile-size and lane-share must be at least 1, and unroll too, or 0");
      return signalPassFailure();
    }
    FailureOr<const DeviceModel *> device = dataflow::getDevice(function);
    if (failed(device))
      return signalPassFailure();
    LaneLimits limits = getLaneLimits(**device, unroll, laneShare);
    Engines engines = shareEngines ? chooseEngines(function, **device, tileSize,
                                                   limits.getPassLanes(**device), allProducts)
                                   : Engines();
    SmallVector<MatrixRows> matrices;
    if (engines.empty())
      matrices = findMatrixRows(function, **device, tileSize, limits.getFloatLanes(**device),
                                limits.getFloatLanesOfTask(**device));
    if (!engines.empty() && engines.turns.empty() && dataflow::getOdd(function).any()) {
      function.emitError(
          "[odd.engine] extents have an odd factor for lanes, which engines have not");
      return signalPassFailure();
    }
    // An engine's contractions have lanes and tiles of their own; others suit a number of lanes.
    bool isFree = engines.empty() && (exactShares || suitTiles);
    if (isFree)
      limits = limits.inLanes(getDspsOfDearestLane(function, **device));
    limits.exactShares = isFree && exactShares;
    DimensionClasses classes(function, tileSize, engines, matrices);
    if (isFree && suitTiles)
      suitTilesToLanes(function, classes, **device, tileSize, limits);
    FailureOr<LoopOrders> orders = chooseLoopOrders(function, classes, **device, converterRule,
                                                    engines, limits.getFloatLanes(**device));
    if (failed(orders))
      return signalPassFailure();
    UnrollFactors unrolls =
        shareUnrollBudget(function, classes, **device, limits, engines, *orders);
    Choices choices = {classes,
                       *orders,
                       unrolls,
                       engines,
                       findSingleRows(function, classes, *orders, singleRows),
                       findPassRows(function, engines)};
    for (auto op : function.getOps<linalg::GenericOp>())
      if (failed(choices.state(op)))
        return signalPassFailure();
    stateLeast(function, classes);
  }
};
} // namespace
