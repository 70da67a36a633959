//===- CorePlan.cpp - Points, lanes and partial sums of a core leaf -------===//

#include "CorePlan.h"

#include "streamtensor/Analysis/AccessMap.h"
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
  if (nest.reduces()) {
    FailureOr<SmallVector<ReductionLoop>> loops =
        planBanks(nest, plan.points, plan.combiners, device);
    if (failed(loops))
      return failure();
    plan.reductions = std::move(*loops);
  }
  return plan;
}
