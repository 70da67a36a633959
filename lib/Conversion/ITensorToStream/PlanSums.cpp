//===- PlanSums.cpp - Write down in which order sums are added ------------===//
//
// Before:  linalg.generic { … }                      added point by point, in the loops' order
// After:   linalg.generic {dataflow.sums = …} { … }  added as the core leaf will add
//
// Lanes belong to the FIFOs, so the order is known only once all lanes are chosen. From here on
// every level gives the same bits; this pass is the only one after `tile` that changes them.
//
//===----------------------------------------------------------------------===//

#include "CorePlan.h"

#include "streamtensor/Conversion/Passes.h"

namespace streamtensor {
#define GEN_PASS_DEF_PLANSUMS
#include "streamtensor/Conversion/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;

/// The lanes of a FIFO: those of the operation that fills it, as views have none.
static int64_t getLanes(Value stream) {
  while (isa<itensor::CastOp, itensor::ReassociateOp>(stream.getDefiningOp()))
    stream = stream.getDefiningOp()->getOperand(0);
  auto result = cast<OpResult>(stream);
  auto lanes = result.getOwner()->getAttrOfType<DenseI64ArrayAttr>("dataflow.lanes");
  return lanes ? lanes[result.getResultNumber()] : 0;
}

/// The tile loops over the reduction, counted from the outermost loop of the task.
static SmallVector<int64_t> getReductionLoops(const TaskNest &nest) {
  SmallVector<int64_t> reductions;
  for (auto [number, loop] : llvm::enumerate(nest.loops))
    if (loop.isReduction)
      reductions.push_back(number);
  return reductions;
}

/// Banks of each loop over the reduction: tile loops, then point loops in their order.
static SmallVector<int64_t> getBanks(const TaskNest &nest, const CorePlan &plan) {
  auto find = [&](bool isTile, unsigned number) -> int64_t {
    for (const ReductionLoop &loop : plan.reductions)
      if (loop.isTile == isTile && loop.number == number)
        return loop.banks;
    return 1;
  };
  SmallVector<int64_t> banks;
  for (unsigned loop : getReductionLoops(nest))
    banks.push_back(find(true, loop));
  linalg::GenericOp generic = nest.generic;
  auto iterators = generic.getIteratorTypesArray();
  for (unsigned dim : plan.points.order)
    if (iterators[dim] == utils::IteratorType::reduction)
      banks.push_back(find(false, dim));
  return banks;
}

static DictionaryAttr describe(const TaskNest &nest, const CorePlan &plan, Builder &builder) {
  VectorSpace trees = plan.space.without(
      [&](unsigned dim) { return llvm::is_contained(plan.resultSpace.dims, dim); });
  auto entry = [&](StringRef name, auto values) {
    SmallVector<int64_t> numbers(values.begin(), values.end());
    return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(numbers));
  };
  return builder.getDictionaryAttr({entry("loops", getReductionLoops(nest)),
                                    entry("points", plan.points.order),
                                    entry("lanes", plan.points.unroll), entry("trees", trees.dims),
                                    entry("banks", getBanks(nest, plan))});
}

namespace {
struct PlanSumsPass : streamtensor::impl::PlanSumsBase<PlanSumsPass> {
  using PlanSumsBase::PlanSumsBase;

  void runOnOperation() override {
    FailureOr<DeviceModel> model = DeviceModel::loadFor(getOperation(), device);
    if (failed(model))
      return signalPassFailure();
    WalkResult walk = getOperation().walk([&](dataflow::TaskOp task) {
      return failed(plan(task, *model)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult plan(dataflow::TaskOp task, const DeviceModel &model) {
    FailureOr<TaskNest> nest = TaskNest::read(task);
    if (failed(nest))
      return failure();
    if (!nest->reduces())
      return success();
    FailureOr<CorePlan> core = planCore(*nest, model, getLanes, /*resultLanes=*/0);
    if (failed(core))
      return failure();
    Builder builder(&getContext());
    nest->generic->setAttr("dataflow.sums", describe(*nest, *core, builder));
    return success();
  }
};
} // namespace
