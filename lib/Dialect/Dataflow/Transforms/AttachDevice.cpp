//===- AttachDevice.cpp - Give the module its device ----------------------===//
//
//   module { … }
// becomes
//   #device_u55c = #dataflow.device<"u55c", {card = "Alveo U55C", …}>
//   module attributes {dataflow.device = #device_u55c} { … }
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"

namespace streamtensor {
#define GEN_PASS_DEF_ATTACHDEVICE
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;

namespace {
struct AttachDevicePass : streamtensor::impl::AttachDeviceBase<AttachDevicePass> {
  using AttachDeviceBase::AttachDeviceBase;

  void runOnOperation() override {
    if (failed(streamtensor::dataflow::attachDevice(getOperation(), device)))
      signalPassFailure();
  }
};
} // namespace
