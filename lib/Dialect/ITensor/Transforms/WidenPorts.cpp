//===- WidenPorts.cpp - Whole words for every transfer --------------------===//
//
// A memory port moves words of a power of two. Vectors of 15 elements that lie one after the
// other start anywhere in a word, and hardware has to read them element by element. The
// tensors of such transfers are packed once more, each vector in a word of its own:
//   %p = itensor.pack %x strides [15, 15, 1] lanes 15 : tensor<4x15xf32> -> tensor<4x1x16xf32>
// A tensor between kernels has the vectors that all its transfers have in common.
//
//===----------------------------------------------------------------------===//

#include "PackedTransfer.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h"

#include <numeric>

namespace streamtensor {
#define GEN_PASS_DEF_WIDENPORTS
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;

static int64_t getLanes(Value stream) {
  return std::max<int64_t>(dataflow::getLanes(cast<OpResult>(stream)), 1);
}

static bool movesWords(itensor::FromTensorOp from) {
  int64_t lanes = getLanes(from.getResult());
  if (lanes > getLaneExtent(cast<itensor::ITensorType>(from.getType())))
    return true; // Rows that lie one after the other, as whole words (WidenLoads).
  if (from.getPacked())
    return llvm::isPowerOf2_64(lanes);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(from.getSource().getType()).getShape();
  return Transfer(from, shape).movesWords(lanes, getOffset(from, shape));
}

static bool movesWords(itensor::ToTensorOp to) {
  int64_t lanes = getLanes(to.getSource());
  if (lanes > getLaneExtent(cast<itensor::ITensorType>(to.getSource().getType())))
    return true; // The same (WidenStores).
  return to.getPacked() ? llvm::isPowerOf2_64(lanes) : Transfer(to).movesWords(lanes, 0);
}

/// Is `outer` the host's, packed or not?
static bool isOfHost(Value outer) {
  if (auto pack = outer.getDefiningOp<itensor::PackOp>())
    outer = pack.getSource();
  return isExternal(outer);
}

/// The longest vectors, as parts of `lanes`, that fit into a word of the port.
static int64_t getWordLanes(int64_t lanes, Type elementType, int64_t portBits) {
  int64_t bits = dataflow::getPackedBits(elementType);
  for (int64_t parts = 1; parts < lanes; ++parts)
    if (lanes % parts == 0 && int64_t(llvm::PowerOf2Ceil(lanes / parts)) * bits <= portBits)
      return lanes / parts;
  return 1;
}

static void widenInputs(dataflow::KernelOp kernel, HostLayouts &host, int64_t portBits) {
  for (auto from : llvm::to_vector(kernel.getBody().front().getOps<itensor::FromTensorOp>())) {
    Value outer = getOuter(kernel, from);
    auto type = cast<itensor::ITensorType>(from.getType());
    int64_t lanes = getWordLanes(getLanes(from.getResult()), type.getElementType(), portBits);
    if (lanes > 1 && !from.getLanes() && isOfHost(outer) && !mustStayRowMajor(outer) &&
        !movesWords(from))
      readPacked(kernel, from, host.packWords(outer, from, lanes), {{}, lanes});
  }
}

/// Gives `result` words of the lanes that its writer and its readers have in common.
static void widenResult(dataflow::KernelOp kernel, OpResult result, HostLayouts &host,
                        int64_t portBits) {
  Value inner = kernel.getBody().front().getTerminator()->getOperand(result.getResultNumber());
  auto to = inner.getDefiningOp<itensor::ToTensorOp>();
  Uses uses = collectUses(result);
  if (!to || !inner.hasOneUse() || to.getLanes() || uses.asItLies)
    return;
  int64_t lanes = getLanes(to.getSource());
  bool areWords = movesWords(to);
  for (itensor::FromTensorOp reader : uses.readers) {
    lanes = std::gcd(lanes, getLanes(reader.getResult()));
    areWords &= movesWords(reader);
  }
  auto type = cast<itensor::ITensorType>(to.getSource().getType());
  lanes = getWordLanes(lanes, type.getElementType(), portBits);
  if (areWords || lanes == 1)
    return;
  SmallVector<int64_t> writers =
      to.getOrder() ? llvm::to_vector(*to.getOrder()) : Transfer(to).getOwnOrder();
  MemoryLayout layout = Transfer(to).getLayout(writers);
  SmallVector<SmallVector<int64_t>> orders;
  for (itensor::FromTensorOp reader : uses.readers) {
    auto type = cast<itensor::ITensorType>(reader.getType());
    auto order = Transfer(reader, type.getDataShape()).findOrder(layout);
    if (!order)
      return;
    orders.push_back(*order);
  }
  Value packed = host.unpack(kernel, to, {writers, lanes});
  for (auto [reader, order] : llvm::zip_equal(uses.readers, orders))
    readPacked(reader->getParentOfType<dataflow::KernelOp>(), reader, packed, {order, lanes});
}

namespace {
struct WidenPortsPass : streamtensor::impl::WidenPortsBase<WidenPortsPass> {
  using WidenPortsBase::WidenPortsBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = dataflow::getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    int64_t portBits = (*device)->port().bits;
    HostLayouts host(getOperation());
    SmallVector<dataflow::KernelOp> kernels(getOperation().getOps<dataflow::KernelOp>());
    for (dataflow::KernelOp kernel : kernels) {
      widenInputs(kernel, host, portBits);
      for (OpResult result : kernel.getResults())
        widenResult(kernel, result, host, portBits);
    }
    for (dataflow::KernelOp kernel : kernels)
      dropUnusedInputs(kernel);
    host.cleanUp();
  }
};
} // namespace
