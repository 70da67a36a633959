//===- ScheduleLeaves.cpp - Interval, depth and stages of leaves ----------===//

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Schedule/LeafSchedule.h"
#include "streamtensor/Schedule/Passes.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
#define GEN_PASS_DEF_SCHEDULELEAVES
#include "streamtensor/Schedule/Passes.h.inc"

LogicalResult scheduleDesign(DesignOp design, const DeviceModel &device) {
  const ControlModel &control = device.control();
  design.setControlAttr(
      ControlAttr::get(design.getContext(), control.taskEntry, control.blockSwap));
  for (auto leaf : design.getOps<LeafOp>()) {
    FailureOr<LeafSchedule> schedule = scheduleLeaf(leaf, device);
    if (failed(schedule))
      return failure();
    annotate(leaf, *schedule);
  }
  return success();
}

namespace {
struct ScheduleLeavesPass : impl::ScheduleLeavesBase<ScheduleLeavesPass> {
  void runOnOperation() override {
    FailureOr<const DeviceModel *> model = getDevice(getOperation());
    if (failed(model))
      return signalPassFailure();
    for (auto design : getOperation().getOps<DesignOp>())
      if (failed(scheduleDesign(design, **model)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace streamtensor::schedule
