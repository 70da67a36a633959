//===- PlanPorts.cpp - Words of external memory ---------------------------===//
//
//   %w = dataflow.port in "w" : !dataflow.port<16x64xf32>
//   %v = dataflow.load %w … : !dataflow.port<16x64xf32> -> vector<1x16xf32>
//
// becomes, on a card whose ports are 512 bits wide,
//
//   %w = dataflow.port in "w" {interface = #dataflow.interface<bits = 512, …>} : …
//   %v = dataflow.load %w … {words = #dataflow.words<count = 1, lanes = 16, used = 16, burst = 64>}
//   : …
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Schedule/Passes.h"
#include "streamtensor/Schedule/Ports.h"

#include "streamtensor/Analysis/PortWords.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Schedule/LeafSchedule.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::sizing {
#define GEN_PASS_DEF_PLANPORTS
#include "streamtensor/Schedule/Passes.h.inc"

static void planWordsOf(PortOp port, const MemoryPortModel &model) {
  for (Operation *user : port.getResult().getUsers()) {
    WordsAttr words = planWords(cast<AccessOpInterface>(user), port.getInterface()->getBits(),
                                model.burstBytes, model.burstWords);
    if (auto load = dyn_cast<LoadOp>(user))
      load.setWordsAttr(words);
    else
      cast<StoreOp>(user).setWordsAttr(words);
  }
}

void planPorts(DesignOp design, const DeviceModel &device) {
  const MemoryPortModel &model = device.port();
  for (auto port : design.getOps<PortOp>()) {
    if (!port.getInterface())
      port.setInterfaceAttr(InterfaceAttr::get(design.getContext(), model.bits, model.readLatency,
                                               model.writeLatency, model.burstGap));
    planWordsOf(port, model);
  }
}

LogicalResult moveTensorsOnChip(DesignOp design, const DeviceModel &device) {
  const MemoryKindModel &ram = device.memory(stringifyMemoryKind(MemoryKind::BRAM));
  for (auto port : design.getOps<PortOp>()) {
    port.setInterfaceAttr(InterfaceAttr::get(design.getContext(), /*bits=*/int64_t(1) << 32,
                                             ram.readLatency, ram.writeLatency, /*gap=*/0));
    planWordsOf(port, device.port());
  }
  return scheduleDesign(design, device);
}

namespace {
struct PlanPortsPass : impl::PlanPortsBase<PlanPortsPass> {
  void runOnOperation() override {
    FailureOr<const DeviceModel *> model = getDevice(getOperation());
    if (failed(model))
      return signalPassFailure();
    getOperation().walk([&](DesignOp design) { planPorts(design, **model); });
  }
};
} // namespace

} // namespace streamtensor::sizing
