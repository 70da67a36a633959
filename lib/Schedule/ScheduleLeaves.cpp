//===- ScheduleLeaves.cpp - Interval, depth and stages of leaves ----------===//

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Schedule/LeafSchedule.h"
#include "streamtensor/Schedule/Passes.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::sizing {
#define GEN_PASS_DEF_SCHEDULELEAVES
#include "streamtensor/Schedule/Passes.h.inc"

namespace {
struct ScheduleLeavesPass : impl::ScheduleLeavesBase<ScheduleLeavesPass> {
  using ScheduleLeavesBase::ScheduleLeavesBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> model = getDevice(getOperation());
    if (failed(model))
      return signalPassFailure();
    WalkResult result = getOperation().walk([&](LeafOp leaf) {
      FailureOr<LeafSchedule> schedule = scheduleLeaf(leaf, **model);
      if (failed(schedule))
        return WalkResult::interrupt();
      annotate(leaf, *schedule);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

} // namespace streamtensor::sizing
