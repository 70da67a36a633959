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
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"

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
  return dataflow::getLanes(cast<OpResult>(stream));
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

static dataflow::SumsAttr describe(const TaskNest &nest, const CorePlan &plan,
                                   MLIRContext *context) {
  VectorSpace trees = plan.space.without(
      [&](unsigned dim) { return llvm::is_contained(plan.resultSpace.dims, dim); });
  auto numbers = [&](auto values) {
    return DenseI64ArrayAttr::get(context, SmallVector<int64_t>(values.begin(), values.end()));
  };
  return dataflow::SumsAttr::get(context, numbers(getReductionLoops(nest)),
                                 numbers(plan.points.order), numbers(plan.points.unroll),
                                 numbers(trees.dims), numbers(getBanks(nest, plan)));
}

namespace {
struct PlanSumsPass : streamtensor::impl::PlanSumsBase<PlanSumsPass> {
  using PlanSumsBase::PlanSumsBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = dataflow::getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    WalkResult walk = getOperation().walk([&](dataflow::TaskOp task) {
      return failed(plan(task, **device)) ? WalkResult::interrupt() : WalkResult::advance();
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
    dataflow::setSums(nest->generic, describe(*nest, *core, &getContext()));
    return success();
  }
};
} // namespace
