//===- RowLanes.cpp - Lanes of norms, activations, quantisers -------------===//
//
// A norm, a softmax, a quantiser gives nothing before it has seen a row whole, so a token passes
// them one after the other, and the contractions between them: what each takes is time of the
// design, however wide the contractions are. Operations that hand rows on through FIFOs have one
// number of lanes and form a group. A row passes once for each number of reductions that lie in
// front of an operation, and the rows behind it follow. The group grows whose lanes gain most for
// what they take of the device.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/RowLanes.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/Accumulation.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Transforms/Tile/DimensionClasses.h"
#include "streamtensor/Transforms/Tile/TilingLaws.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
/// An operation of a group, and what it takes of the device.
struct RowOp {
  linalg::LinalgOp op;
  unsigned row; ///< The loop along it.
  double price; ///< Of one lane, but for the sum that it is.
  double ofAddition = 0;
  int64_t trips = 1;  ///< Of one lane along the tile of a row.
  int64_t ofRow = 1;  ///< And along the row.
  int64_t wanted = 1; ///< Partial sums, as an addition waits for the one before.

  /// Lanes are added in a tree, and so are the partial sums when the row ends, by the same adders.
  /// With more lanes there are fewer partial sums.
  double getPrice(int64_t lanes) const {
    int64_t banks = countEvenBanks(llvm::divideCeil(trips, lanes), wanted);
    int64_t adders = llvm::divideCeil(banks - 1, getLeisureInterval(ofRow / lanes, 1));
    return price * lanes + ofAddition * std::max(lanes, adders);
  }
};

struct Group {
  SmallVector<RowOp> ops;
  int64_t row = 0; ///< Common divisor of the rows' tiles.
  int64_t lanes = 1;
  int64_t most = std::numeric_limits<int64_t>::max(); ///< Lanes of those who take the rows.
  /// Of the longest operation with as many reductions in front of it: iterations of one lane, and
  /// of these those for one row.
  llvm::MapVector<int64_t, std::pair<int64_t, int64_t>> passes;
  /// Elements that contractions in front give last, and lanes. Unless lanes are equal, they wait in
  /// a block and leave it one after the other.
  SmallVector<std::pair<int64_t, int64_t>> drained;
  /// Iterations of the slowest contraction in front, but those for the first row.
  int64_t fed = 0;
  /// Iterations of an engine in which it takes what comes without a reduction.
  int64_t hidden = 0;

  /// Part of the device.
  double getPrice(int64_t ofLanes) const {
    return llvm::sum_of(llvm::map_range(ops, [&](const RowOp &op) { return op.getPrice(ofLanes); }),
                        0.0);
  }
  double getTime(int64_t ofLanes) const {
    double iterations = 0, behindFirst = 0; // Rows follow the first as the slowest pass lets them.
    for (auto [depth, pass] : passes) {
      auto [all, ofRow] = pass;
      iterations += ofRow;
      behindFirst = std::max<double>(behindFirst, all - ofRow);
    }
    for (auto [elements, ofContraction] : drained)
      iterations += ofContraction == ofLanes ? 0 : elements;
    double time = iterations / ofLanes + std::max<double>(behindFirst / ofLanes, fed);
    return passes.size() == 1 ? std::max<double>(time - hidden, 0) : time;
  }
  /// Zero if there are no more.
  int64_t getNextLanes() const { return getNextDivisor(row, lanes, most); }
};

/// Tensors whose elements flow with one number of lanes.
using RowClasses = llvm::EquivalenceClasses<void *>;
} // namespace

static bool endsWith(AffineMap map, unsigned loop) {
  return map.getNumResults() > 0 &&
         map.getResults().back() == getAffineDimExpr(loop, map.getContext());
}

/// The tensors that `op` takes and gives element by element along `row`, or `op` itself if there
/// are none. What lies in external memory comes by a load of its own.
static SmallVector<void *> getRows(linalg::LinalgOp op, unsigned row) {
  SmallVector<void *> rows;
  for (OpOperand *input : getDataInputs(op))
    if (Value root = stripSlices(input->get());
        !isExternal(root) && endsWith(op.getMatchingIndexingMap(input), row))
      rows.push_back(root.getAsOpaquePointer());
  if (endsWith(op.getIndexingMapMatchingResult(op->getResult(0)), row))
    rows.push_back(op->getResult(0).getAsOpaquePointer());
  if (rows.empty()) // Its result has elements of another kind, one a row.
    rows.push_back(op.getOperation());
  return rows;
}

static double getPriceOfLane(linalg::LinalgOp op, const DeviceModel &device) {
  return getShare(getLaneResources(op, device), device.getPlaceable());
}

static RowOp readRowOp(linalg::LinalgOp op, unsigned row, const DimensionClasses &classes,
                       const DeviceModel &device) {
  RowOp found{op, row, getPriceOfLane(op, device)};
  auto generic = dyn_cast<linalg::GenericOp>(*op);
  if (!generic || op.getNumReductionLoops() == 0)
    return found;
  SmallVector<Operation *> combiners = findCombiners(generic);
  for (Operation *combiner : combiners) {
    std::optional<Operator> adder = device.operatorOf(combiner);
    if (!adder)
      return found;
    found.ofAddition += getShare(adder->getResources(), device.getPlaceable());
  }
  found.price = std::max(found.price - found.ofAddition, 0.0);
  found.trips = classes.getLoopTiles(op)[row];
  found.ofRow = op.getStaticLoopRanges()[row];
  found.wanted = *getAccumulateCycles(combiners, device);
  return found;
}

/// The lanes of an operation along the rows of a tensor under `map`.
static int64_t getLanesAlong(AffineMap map, ArrayRef<int64_t> unroll) {
  for (auto [loop, lanes] : llvm::enumerate(unroll))
    if (endsWith(map, loop))
      return lanes;
  return 1;
}

/// Does `op` take each element under `map` once? Then no memory stands in front of it, which would
/// give it elements with lanes of its own.
static bool takesOnce(linalg::LinalgOp op, AffineMap map, const DimensionClasses &classes) {
  SmallVector<int64_t> tiles = classes.getLoopTiles(op);
  return llvm::all_of(llvm::enumerate(op.getStaticLoopRanges()), [&](auto loop) {
    return map.isFunctionOfDim(loop.index()) || loop.value() == tiles[loop.index()];
  });
}

/// What one more lane of an input takes of the device, by the operations that hand its rows on.
static double getPriceOfRows(Value value, const DeviceModel &device, DenseSet<Operation *> &seen) {
  auto op = stripSlices(value).getDefiningOp<linalg::GenericOp>();
  std::optional<unsigned> row = op && !isContraction(op) ? getRowLoop(op) : std::nullopt;
  if (!row || !seen.insert(op).second)
    return 0;
  double price = getPriceOfLane(op, device);
  for (OpOperand *input : getDataInputs(op))
    if (endsWith(op.getMatchingIndexingMap(input), *row))
      price += getPriceOfRows(input->get(), device, seen);
  return price;
}

double streamtensor::getPriceOfGivers(linalg::LinalgOp op, const DimensionClasses &classes,
                                      const DeviceModel &device, ArrayRef<int64_t> unroll) {
  double price = 0;
  DenseSet<Operation *> seen;
  for (OpOperand *input : getDataInputs(op)) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (takesOnce(op, map, classes))
      price += getLanesAlong(map, unroll) * getPriceOfRows(input->get(), device, seen);
  }
  return price;
}

static std::vector<Group> findGroups(func::FuncOp function, const DimensionClasses &classes,
                                     const LoopOrders &orders, const Engines &engines,
                                     const LaneLimits &limits, const UnrollFactors &factors) {
  RowClasses joined;
  function.walk([&](linalg::GenericOp generic) {
    linalg::LinalgOp op = generic;
    std::optional<unsigned> row = isContraction(op) ? std::nullopt : getRowLoop(op);
    SmallVector<void *> rows = row ? getRows(op, *row) : SmallVector<void *>();
    for (void *each : rows)
      joined.unionSets(rows.front(), each);
  });
  llvm::MapVector<void *, Group> groups;
  auto findGroup = [&](void *value) -> Group * {
    auto leader = joined.findLeader(value);
    return leader == joined.member_end() ? nullptr : &groups[*leader];
  };
  DenseMap<Operation *, int64_t> depths; // Reductions up to an operation's result.
  function.walk([&](linalg::GenericOp generic) {
    linalg::LinalgOp op = generic;
    int64_t depth = 0;
    for (OpOperand *input : getDataInputs(op))
      depth = std::max(depth, depths.lookup(stripSlices(input->get()).getDefiningOp()));
    depths[op] = depth + (op.getNumReductionLoops() > 0);
    if (isContraction(op)) {
      std::optional<PassLoops> pass = getPassLoops(op, engines);
      // What an engine takes of heads lies in a memory of the leaf that hands it over.
      bool isHeld = pass && !pass->heads.empty();
      for (OpOperand *input : getDataInputs(op)) {
        AffineMap map = op.getMatchingIndexingMap(input);
        Group *group = findGroup(stripSlices(input->get()).getAsOpaquePointer());
        if (group && !isHeld && takesOnce(op, map, classes))
          group->most = std::min(group->most, getLanesAlong(map, factors.at(op)));
        if (group && pass)
          group->hidden = getLatency(op, classes, factors.at(op));
      }
      AffineMap map = op.getIndexingMapMatchingResult(op->getResult(0));
      auto type = cast<ShapedType>(op->getResult(0).getType());
      if (Group *group = findGroup(op->getResult(0).getAsOpaquePointer())) {
        int64_t drained = givesAtEnd(op, classes, orders.at(op))
                              ? type.getNumElements()
                              : llvm::product_of(getResultTile(op, classes.getLoopTiles(op)));
        group->drained.push_back({drained, getLanesAlong(map, factors.at(op))});
        int64_t latency = getLatency(op, classes, factors.at(op));
        int64_t rows = type.getRank() ? type.getNumElements() / type.getShape().back() : 1;
        int64_t ofFirst = llvm::divideCeil(latency, rows);
        // In a pass of an engine no row comes before the last addition.
        if (!pass)
          group->fed = std::max(group->fed, latency - ofFirst);
      }
      return;
    }
    std::optional<unsigned> row = getRowLoop(op);
    SmallVector<void *> rows = row ? getRows(op, *row) : SmallVector<void *>();
    if (!row)
      return;
    Group &group = *findGroup(rows.front());
    group.ops.push_back(readRowOp(op, *row, classes, *limits.prices));
    group.row = std::gcd(group.row, classes.getLeast(op, classes.getLoopTiles(op))[*row]);
    group.lanes = std::max(group.lanes, factors.at(op)[*row]);
    SmallVector<int64_t> ranges = classes.getExpectedRanges(op);
    std::pair<int64_t, int64_t> &longest = group.passes[depth];
    longest = std::max(longest, {llvm::product_of(ranges), ranges[*row]});
  });
  std::vector<Group> found;
  for (auto &[leader, group] : groups) {
    group.most = std::min(group.most, limits.alongLoop);
    found.push_back(std::move(group));
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Growth
//===----------------------------------------------------------------------===//

double streamtensor::widenRows(func::FuncOp function, const DimensionClasses &classes,
                               const LoopOrders &orders, const Engines &engines,
                               const LaneLimits &limits, double leastGain, UnrollFactors &factors) {
  std::vector<Group> groups = findGroups(function, classes, orders, engines, limits, factors);
  double left = limits.rowShare;
  for (const Group &group : groups)
    left -= group.getPrice(group.lanes);
  while (true) {
    Group *best = nullptr;
    double mostGained = leastGain;
    for (Group &group : groups) {
      int64_t next = group.getNextLanes();
      if (!next)
        continue;
      // More lanes may take less: then they cost next to nothing.
      constexpr double least = 1e-9;
      double cost = std::max(group.getPrice(next) - group.getPrice(group.lanes), least);
      double gained = group.getTime(group.lanes) - group.getTime(next);
      // Filling and emptying a pipeline takes as long.
      if (gained <= limits.prices->control().serialTrip || cost > std::max(left, least) ||
          gained <= mostGained * cost)
        continue;
      best = &group;
      mostGained = gained / cost;
    }
    if (!best)
      break;
    int64_t next = best->getNextLanes();
    left -= best->getPrice(next) - best->getPrice(best->lanes);
    best->lanes = next;
  }
  for (Group &group : groups)
    for (const RowOp &each : group.ops)
      if (group.row % group.lanes == 0)
        factors[each.op][each.row] = group.lanes;
  return left;
}
