//===- CorePlan.cpp - Points, lanes and partial sums of a core leaf -------===//

#include "CorePlan.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/Accumulation.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"

using namespace mlir;
using namespace streamtensor;

/// Rows of element-wise ops and plain reductions are as wide as the FIFOs around them.
static void planFlexibleLanes(const TaskNest &nest, CorePlan &plan, int64_t lanes) {
  if (!plan.points.isFlexible || !plan.points.laneDim || (nest.reduces() && plan.combiners.empty()))
    return;
  linalg::GenericOp generic = nest.generic;
  SmallVector<int64_t> extents = generic.getStaticLoopRanges();
  if (lanes == 0 || extents[*plan.points.laneDim] % lanes != 0)
    return;
  SmallVector<int64_t> unroll(extents.size(), 1);
  unroll[*plan.points.laneDim] = lanes;
  plan.points = planPoints(nest, unroll);
}

static void planSpace(const TaskNest &nest, CorePlan &plan) {
  const PointPlan &points = plan.points;
  // Follow the order of the first block, or of the first vectors of several rows, so that wide
  // vectors need no transposition.
  SmallVector<unsigned> order;
  for (auto [mode, input] : llvm::zip_equal(points.modes, nest.inputs)) {
    if (!order.empty())
      break;
    SmallVector<unsigned> dims;
    for (AffineExpr expr : getLaneMap(input.map, points.unroll).getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        dims.push_back(dim.getPosition());
    bool isRow = llvm::count_if(dims, [&](unsigned dim) { return points.unroll[dim] > 1; }) <= 1;
    if (mode == InputMode::Block || (mode == InputMode::Stream && !isRow))
      order = dims;
  }
  for (unsigned dim : points.order)
    if (!llvm::is_contained(order, dim))
      order.push_back(dim);
  for (unsigned dim : order)
    if (points.unroll[dim] > 1) {
      plan.space.dims.push_back(dim);
      plan.space.sizes.push_back(points.unroll[dim]);
    }
  linalg::GenericOp generic = nest.generic;
  auto iterators = generic.getIteratorTypesArray();
  plan.resultSpace = plan.space.without(
      [&](unsigned dim) { return iterators[dim] == utils::IteratorType::reduction; });
}

namespace {
/// A loop of the core with more than one trip.
struct CoreLoop {
  ReductionLoop loop;
  bool isReduction;
  int64_t least;        ///< Trips that every launch makes.
  int64_t distance = 1; ///< Iterations from one trip to the next, at least.
};
} // namespace

/// All loops of the core, outermost first.
static SmallVector<CoreLoop> getCoreLoops(const TaskNest &nest, const PointPlan &points) {
  SmallVector<CoreLoop> loops;
  for (unsigned loop = 0; loop < nest.loops.size(); ++loop)
    loops.push_back({{true, loop, nest.loops[loop].trips},
                     nest.loops[loop].isReduction,
                     nest.loops[loop].trips});
  linalg::GenericOp generic = nest.generic;
  SmallVector<int64_t> extents = generic.getStaticLoopRanges();
  auto iterators = generic.getIteratorTypesArray();
  for (unsigned dim : points.order) {
    int64_t trips = extents[dim] / points.unroll[dim];
    loops.push_back({{false, dim, trips},
                     iterators[dim] == utils::IteratorType::reduction,
                     dataflow::isFilledInPart(generic, dim) ? 1 : trips});
  }
  llvm::erase_if(loops, [](const CoreLoop &core) { return core.loop.trips == 1; });
  int64_t distance = 1;
  for (CoreLoop &core : llvm::reverse(loops)) {
    core.distance = distance;
    distance *= core.least;
  }
  return loops;
}

/// Gives the innermost reduction loops as many banks as the combiner's latency asks for.
static LogicalResult planBanks(const TaskNest &nest, const DeviceModel &device, CorePlan &plan) {
  SmallVector<CoreLoop> loops = getCoreLoops(nest, plan.points);
  llvm::erase_if(loops, [](const CoreLoop &core) { return !core.isReduction; });
  bool isFarEnough = plan.combiners.empty();
  FailureOr<int64_t> latency = getAccumulateCycles(plan.combiners, device);
  if (failed(latency))
    return failure();
  for (CoreLoop &core : llvm::reverse(loops)) {
    if (isFarEnough)
      break;
    int64_t &count = core.loop.banks;
    count = std::min(core.loop.trips, int64_t(llvm::divideCeil(*latency, core.distance)));
    // With a reduction loop outside, banks must come around evenly.
    bool isOutermost = &core == &loops.front();
    while (!isOutermost && core.loop.trips % count != 0)
      ++count;
    isFarEnough = count * core.distance >= *latency;
  }
  for (const CoreLoop &core : loops)
    plan.reductions.push_back(core.loop);
  return success();
}

SmallVector<int64_t> CorePlan::getBankCounts() const {
  SmallVector<int64_t> counts;
  for (const ReductionLoop &loop : reductions)
    if (loop.banks > 1)
      counts.push_back(loop.banks);
  return counts;
}

FailureOr<CorePlan> streamtensor::planCore(const TaskNest &nest, const DeviceModel &device,
                                           function_ref<int64_t(Value)> getLanes,
                                           int64_t resultLanes) {
  linalg::GenericOp generic = nest.generic;
  FailureOr<dataflow::TilingAttr> tiling = dataflow::requireTiling(generic);
  if (failed(tiling))
    return failure();
  SmallVector<int64_t> unroll(tiling->getUnroll().asArrayRef());
  CorePlan plan;
  if (nest.reduces())
    plan.combiners = findCombiners(generic);
  if (nest.reduces() && plan.combiners.empty())
    llvm::fill(unroll, 1); // No tree can be built: one point at a time.
  plan.points = planPoints(nest, unroll);
  bool followsInput = nest.reduces() && nest.inputs.size() == 1;
  planFlexibleLanes(nest, plan, followsInput ? getLanes(nest.inputs.front().stream) : resultLanes);
  // An input streams only if its FIFO has just the lanes that the points take.
  for (auto [index, input] : llvm::enumerate(nest.inputs))
    if (plan.points.modes[index] == InputMode::Stream &&
        getLanes(input.stream) != plan.points.lanes[index])
      plan.points.modes[index] = InputMode::Block;
  planSpace(nest, plan);
  if (nest.reduces() && failed(planBanks(nest, device, plan)))
    return failure();
  return plan;
}
