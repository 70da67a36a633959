//===- PackTensors.cpp - External layouts in the order of the tiles -------===//
//
// A tile of a row-major matrix lies in pieces of one row each; moved to or from external
// memory every piece is a burst of its own. Packed, the tiles lie one after the other, in the
// order in which they are moved, and a whole pass over the tensor is one run of full bursts:
//   %p = itensor.pack %w strides [...] : tensor<576x576xf32> -> tensor<36x36x16x16xf32>
//   %q = dataflow.kernel(%p) { itensor.from_tensor %p packed ... itensor.to_tensor %s packed }
//   %r = itensor.unpack %q strides [...] : tensor<36x1x16x16xf32> -> tensor<576x16xf32>
// What the host provides or takes is packed by the host. A tensor between kernels stays on the
// card, so one layout serves its writer and all its readers: that with the fewest bursts.
//
//===----------------------------------------------------------------------===//

#include "PackedTransfer.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h"

namespace streamtensor {
#define GEN_PASS_DEF_PACKTENSORS
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

namespace {

struct PackTensorsPass : streamtensor::impl::PackTensorsBase<PackTensorsPass> {
  using PackTensorsBase::PackTensorsBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = dataflow::getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    burstBytes = (*device)->port().burstBytes;
    HostLayouts host(getOperation());
    SmallVector<dataflow::KernelOp> kernels(getOperation().getOps<dataflow::KernelOp>());
    for (dataflow::KernelOp kernel : kernels)
      packInputs(kernel, host);
    for (dataflow::KernelOp kernel : kernels)
      for (OpResult result : kernel.getResults())
        layOut(kernel, result, host);
    for (dataflow::KernelOp kernel : kernels)
      dropUnusedInputs(kernel);
    host.cleanUp();
  }

private:
  void packInputs(dataflow::KernelOp kernel, HostLayouts &host);
  void layOut(dataflow::KernelOp kernel, OpResult result, HostLayouts &host);
  std::optional<int64_t> countBursts(ArrayRef<Transfer> transfers, const MemoryLayout &layout);

  int64_t burstBytes = 0; ///< The longest burst of a memory port.
};

} // namespace

/// What the host provides is packed in the order in which it is read, if that saves bursts.
void PackTensorsPass::packInputs(dataflow::KernelOp kernel, HostLayouts &host) {
  for (auto from : llvm::to_vector(kernel.getBody().front().getOps<itensor::FromTensorOp>())) {
    Value outer = getOuter(kernel, from);
    if (from.getPacked() || !isExternal(outer) || mustStayRowMajor(outer))
      continue;
    Transfer transfer(from, cast<RankedTensorType>(outer.getType()).getShape());
    SmallVector<int64_t> order = transfer.getOwnOrder();
    if (transfer.countBursts(order, burstBytes) < transfer.countBursts(std::nullopt, burstBytes))
      readPacked(kernel, from, host.pack(outer, from), {});
  }
}

/// Bursts of all transfers in one layout; nothing if one of them cannot follow it.
std::optional<int64_t> PackTensorsPass::countBursts(ArrayRef<Transfer> transfers,
                                                    const MemoryLayout &layout) {
  int64_t bursts = 0;
  for (const Transfer &transfer : transfers) {
    std::optional<SmallVector<int64_t>> order = transfer.findOrder(layout);
    if (!order)
      return std::nullopt;
    bursts += transfer.countBursts(*order, burstBytes);
  }
  return bursts;
}

/// Chooses how `result` lies, among row-major and the orders of its writer and of its readers.
void PackTensorsPass::layOut(dataflow::KernelOp kernel, OpResult result, HostLayouts &host) {
  Value inner = kernel.getBody().front().getTerminator()->getOperand(result.getResultNumber());
  auto to = inner.getDefiningOp<itensor::ToTensorOp>();
  Uses uses = collectUses(result);
  if (!to || !inner.hasOneUse() || to.getPacked() || uses.asItLies)
    return;
  SmallVector<Transfer> transfers = {Transfer(to)};
  for (itensor::FromTensorOp reader : uses.readers)
    transfers.emplace_back(reader, cast<RankedTensorType>(reader.getSource().getType()).getShape());

  std::optional<MemoryLayout> best;
  int64_t fewest = 0;
  for (const Transfer &transfer : transfers)
    fewest += transfer.countBursts(std::nullopt, burstBytes);
  for (const Transfer &owner : transfers) {
    MemoryLayout layout = owner.getLayout();
    std::optional<int64_t> bursts = countBursts(transfers, layout);
    if (!bursts || *bursts >= fewest)
      continue;
    fewest = *bursts;
    best = layout;
  }
  if (!best)
    return;
  Value packed = host.unpack(kernel, to, {*transfers.front().findOrder(*best)});
  for (auto [reader, transfer] : llvm::zip_equal(uses.readers, llvm::drop_begin(transfers)))
    readPacked(reader->getParentOfType<dataflow::KernelOp>(), reader, packed,
               {*transfer.findOrder(*best)});
}
