//===- SharedReads.cpp - Products that may share a read -------------------===//

#include "streamtensor/Analysis/SharedReads.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"

using namespace mlir;
using namespace streamtensor;

SmallVector<OpOperand *> streamtensor::getReadsOnce(Value tensor) {
  int64_t elements = cast<ShapedType>(tensor.getType()).getNumElements();
  SmallVector<OpOperand *> reads;
  for (OpOperand &use : tensor.getUses())
    if (auto op = dyn_cast<linalg::GenericOp>(use.getOwner());
        op && isContraction(op) && llvm::product_of(op.getStaticLoopRanges()) == elements &&
        op.isDpsInput(&use) && llvm::count(op.getInputs(), tensor) == 1)
      reads.push_back(&use);
  llvm::sort(reads, [](OpOperand *lhs, OpOperand *rhs) {
    return lhs->getOwner()->isBeforeInBlock(rhs->getOwner());
  });
  return reads;
}

OpOperand *streamtensor::findSharedRead(linalg::LinalgOp op) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isExternal(input->get()))
      continue;
    SmallVector<OpOperand *> reads = getReadsOnce(input->get());
    if (reads.size() > 1 && llvm::is_contained(reads, input))
      return input;
  }
  return nullptr;
}
