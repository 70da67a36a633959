//===- PackTensors.cpp - External layouts in the order of the tiles -------===//
//
// A tile of a row-major matrix lies in pieces of one row each; read from external memory
// every piece is a burst of its own. Packed, the tiles lie one after the other, in the order
// in which they are read, and a whole pass over the tensor is one run of full bursts:
//   %p = itensor.pack %w strides [...] : tensor<576x576xf32> -> tensor<36x36x16x16xf32>
//   dataflow.kernel(%p) { itensor.from_tensor %p packed ... }
// Parameters are packed once, activations by the host.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Conversion/Passes.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

namespace streamtensor {
#define GEN_PASS_DEF_PACKTENSORS
#include "streamtensor/Conversion/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

/// Does memory of this shape and these strides hold its elements without gaps, in order?
static bool isContiguous(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  int64_t expected = 1;
  for (auto [extent, stride] : llvm::reverse(llvm::zip_equal(shape, strides))) {
    if (extent > 1 && stride != expected)
      return false;
    expected *= extent;
  }
  return true;
}

static int64_t getOffset(itensor::FromTensorOp from, ArrayRef<int64_t> shape) {
  int64_t offset = 0;
  if (std::optional<ArrayRef<int64_t>> offsets = from.getOffsets())
    for (auto [extent, start] : llvm::zip_equal(shape, *offsets))
      offset = offset * extent + start;
  return offset;
}

/// Reads `from` through a packed copy of the kernel's operand `outer`.
static void pack(dataflow::KernelOp kernel, itensor::FromTensorOp from, Value outer) {
  auto type = cast<ITensorType>(from.getType());
  ArrayRef<int64_t> shape = cast<RankedTensorType>(outer.getType()).getShape();
  SmallVector<int64_t> packedShape = itensor::getPackedShape(type);
  SmallVector<int64_t> strides = itensor::getPackedStrides(type, shape);
  if (isContiguous(packedShape, strides))
    return;
  OpBuilder builder(kernel);
  auto packedType = RankedTensorType::get(packedShape, type.getElementType());
  Value packed = itensor::PackOp::create(builder, from.getLoc(), packedType, outer, strides,
                                         getOffset(from, shape));
  kernel.getInputsMutable().append(packed);
  Value inner = kernel.getBody().front().addArgument(packedType, from.getLoc());
  builder.setInsertionPoint(from);
  auto replacement = itensor::FromTensorOp::create(builder, from.getLoc(), type, inner,
                                                   DenseI64ArrayAttr(), /*packed=*/true);
  from.replaceAllUsesWith(replacement.getResult());
  from.erase();
}

namespace {
struct PackTensorsPass : streamtensor::impl::PackTensorsBase<PackTensorsPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<dataflow::KernelOp>()) {
      Block &body = kernel.getBody().front();
      SmallVector<itensor::FromTensorOp> reads(body.getOps<itensor::FromTensorOp>());
      for (itensor::FromTensorOp from : reads) {
        Value outer = kernel.getInputs()[cast<BlockArgument>(from.getSource()).getArgNumber()];
        if (!from.getPacked() && isExternal(outer))
          pack(kernel, from, outer);
      }
      for (int index = int(body.getNumArguments()) - 1; index >= 0; --index)
        if (body.getArgument(index).use_empty()) {
          body.eraseArgument(index);
          kernel.getInputsMutable().erase(index);
        }
    }
  }
};
} // namespace
