//===- UnrollBudget.h - Share of the multiply-add lanes ---------*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_UNROLLBUDGET_H
#define STREAMTENSOR_TRANSFORMS_TILE_UNROLLBUDGET_H

#include "streamtensor/Device/DeviceModel.h"

#include "streamtensor/Transforms/Tile/Engines.h"
#include "streamtensor/Transforms/Tile/LoopOrder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor {

class DimensionClasses;

/// Unroll factor per loop of each linalg op; a factor divides the loop's tile.
using UnrollFactors = llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int64_t>>;

/// The budget of a whole design, and lanes along one loop.
struct LaneLimits {
  /// Multiply-add lanes; with `prices`, DSPs.
  double budget;
  double perTask; ///< In the same unit, for one operation.
  int64_t alongLoop;
  /// What lanes cost: products of small integers take fewer DSPs than those of floats.
  const DeviceModel *prices;
  double rowShare; ///< Of what can be placed of the device, for lanes of rows.
  /// Of the LUTs that can be placed, for products and sums of engines and for rows beside them.
  double logicShare;
  /// Of a budget that is a number of lanes: shares with which the slowest takes the fewest cycles.
  bool exactShares = false;
  /// The part of the DSPs that rows beside an engine of many tokens leave free; where it is more
  /// than other contractions give with half of their lanes, these do.
  double sparedOfRows = 0;

  /// Lanes of floats within the budget; one is what every design has.
  int64_t getFloatLanes(const DeviceModel &device) const {
    return std::max<int64_t>(1, prices ? budget / device.getDspsPerFloatMac() : budget);
  }
  /// Those of an engine of many tokens, of which there is half as many at once: with a little less
  /// of the budget, what is beside it has fewer.
  int64_t getPassLanes(const DeviceModel &device) const {
    constexpr double mostSparedOfRows = 0.1;
    bool sparesRows = prices && sparedOfRows <= mostSparedOfRows;
    return getFloatLanes(device) / (sparesRows ? 1 - sparedOfRows : 1);
  }
  /// Those of one operation within its part of the budget.
  int64_t getFloatLanesOfTask(const DeviceModel &device) const {
    return int64_t(prices ? perTask / device.getDspsPerFloatMac() : perTask);
  }
  /// The same limits as numbers of lanes of `dsps` each, which shares and tiles can suit. Rows then
  /// keep the pace of the slowest contraction, as with a number of lanes from the user.
  LaneLimits inLanes(double dsps) const {
    LaneLimits lanes = *this;
    if (prices) {
      lanes.budget = std::max<int64_t>(1, budget / dsps);
      lanes.perTask = int64_t(perTask / dsps);
      lanes.prices = nullptr;
    }
    return lanes;
  }
};

/// `unroll` lanes, or, if that is 0, `laneShare` percent of what a device builds: lanes of most of
/// the DSPs that can be placed, for one operation those of a die, since a task stands on one. Along
/// one loop as many as a FIFO can carry of the widest scalars.
LaneLimits getLaneLimits(const DeviceModel &device, int64_t unroll, int64_t laneShare);

/// What the operators of one lane of `op` take, with so many in each loop: neighbours share DSPs.
Resources getLaneResources(mlir::linalg::LinalgOp op, const DeviceModel &device,
                           llvm::ArrayRef<int64_t> unroll = {});

/// DSPs of a lane of the contraction whose lanes take most; one that has none counts as LUTs.
double getDspsOfDearestLane(mlir::func::FuncOp function, const DeviceModel &device);

/// Iterations of a launch on average, with so many lanes in each loop.
int64_t getLatency(mlir::linalg::LinalgOp op, const DimensionClasses &classes,
                   llvm::ArrayRef<int64_t> unroll);

/// The smallest divisor of `extent` above `factor` and of at most `most`, or 0.
int64_t getNextDivisor(int64_t extent, int64_t factor, int64_t most);

/// Intensity-aware shares of the budget of multiply-add lanes: a max-heap on estimated
/// latency (multiply-adds per lane, in cycles); the slowest contraction's unroll grows
/// until nothing fits any more. Those of an engine take turns with the lanes of the widest. Other
/// ops get as many lanes along their last dimension as they need to be no slower than the slowest
/// contraction, and where the device sets the budget more, if they shorten the way of a token
/// (`RowLanes.h`). An engine that takes many tokens in a pass has the whole budget. Beside it
/// contractions have up to an eighth as many lanes, or what an engine of a single token leaves, as
/// far as they are slower than the turn that takes what they give, and rows what is left of the
/// DSPs of all dies.
UnrollFactors shareUnrollBudget(mlir::func::FuncOp function, const DimensionClasses &classes,
                                const DeviceModel &device, const LaneLimits &limits,
                                const Engines &engines, const LoopOrders &orders);

/// Cycles of the slowest contraction with its share of a budget that is a number of lanes, and
/// those of all contractions.
std::pair<int64_t, int64_t> getContractionCycles(mlir::func::FuncOp function,
                                                 const DimensionClasses &classes,
                                                 const DeviceModel &device, LaneLimits limits);

} // namespace streamtensor

#endif
