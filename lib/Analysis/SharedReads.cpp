//===- SharedReads.cpp - Products that may share a read -------------------===//

#include "streamtensor/Analysis/SharedReads.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace streamtensor;

SmallVector<linalg::GenericOp> streamtensor::getReadersOnce(Value tensor) {
  int64_t elements = cast<ShapedType>(tensor.getType()).getNumElements();
  llvm::SetVector<linalg::GenericOp> readers;
  for (Operation *user : tensor.getUsers())
    if (auto op = dyn_cast<linalg::GenericOp>(user);
        op && isContraction(op) && llvm::product_of(op.getStaticLoopRanges()) == elements &&
        llvm::count(op.getInputs(), tensor) == 1)
      readers.insert(op);
  SmallVector<linalg::GenericOp> inOrder = readers.takeVector();
  llvm::sort(inOrder, [](auto lhs, auto rhs) { return lhs->isBeforeInBlock(rhs); });
  return inOrder;
}

OpOperand *streamtensor::findSharedRead(linalg::GenericOp op) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isExternal(input->get()))
      continue;
    SmallVector<linalg::GenericOp> readers = getReadersOnce(input->get());
    if (readers.size() > 1 && llvm::is_contained(readers, op))
      return input;
  }
  return nullptr;
}
