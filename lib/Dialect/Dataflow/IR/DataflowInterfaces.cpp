//===- DataflowInterfaces.cpp - What MLIR's own passes ask the operations -===//
//
// Control enters a kernel or a task once and leaves it with what is yielded. Values are printed
// under the names that reports and generated code use.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// From outside into the body, from the body back out.
template <typename RegionOp>
static void getOnlySuccessor(RegionOp op, RegionBranchPoint point,
                             SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    successors.emplace_back(&op.getBody(), op.getBody().getArguments());
  else
    successors.emplace_back(op, op->getResults());
}

void KernelOp::getSuccessorRegions(RegionBranchPoint point,
                                   SmallVectorImpl<RegionSuccessor> &successors) {
  getOnlySuccessor(*this, point, successors);
}

OperandRange KernelOp::getEntrySuccessorOperands(RegionSuccessor) { return getInputs(); }

void KernelOp::getRegionInvocationBounds(ArrayRef<Attribute>,
                                         SmallVectorImpl<InvocationBounds> &bounds) {
  bounds.emplace_back(1, 1);
}

void TaskOp::getSuccessorRegions(RegionBranchPoint point,
                                 SmallVectorImpl<RegionSuccessor> &successors) {
  getOnlySuccessor(*this, point, successors);
}

OperandRange TaskOp::getEntrySuccessorOperands(RegionSuccessor) { return getOuts(); }

void TaskOp::getRegionInvocationBounds(ArrayRef<Attribute>,
                                       SmallVectorImpl<InvocationBounds> &bounds) {
  bounds.emplace_back(1, 1);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void KernelOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults() > 0)
    setName(getResult(0), getName());
}

void TaskOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults() > 0)
    setName(getResult(0), getName());
}

void LaunchOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults() > 0)
    setName(getResult(0), getDesign());
}

void ChannelOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getMemory().lower() + std::to_string(getNumber()));
}
void InterfaceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getName());
}
void PortOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), getName()); }
void ScalarOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), getName()); }
void StreamOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), getName()); }
void BufferOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), getName()); }

//===----------------------------------------------------------------------===//
// What nobody uses
//===----------------------------------------------------------------------===//

/// Removes inputs that the body does not read.
static LogicalResult dropUnusedInputs(KernelOp kernel, PatternRewriter &rewriter) {
  Block &body = kernel.getBody().front();
  auto isUnused = [](BlockArgument argument) { return argument.use_empty(); };
  if (llvm::none_of(body.getArguments(), isUnused))
    return failure();
  rewriter.modifyOpInPlace(kernel, [&] {
    for (unsigned index = body.getNumArguments(); index-- > 0;)
      if (isUnused(body.getArgument(index))) {
        body.eraseArgument(index);
        kernel.getInputsMutable().erase(index);
      }
  });
  return success();
}

/// A kernel has the inputs that it reads and the results that somebody reads.
LogicalResult KernelOp::canonicalize(KernelOp kernel, PatternRewriter &rewriter) {
  SmallVector<OpResult> used = llvm::filter_to_vector(
      kernel.getResults(), [](OpResult result) { return !result.use_empty(); });
  if (used.size() == kernel.getNumResults())
    return dropUnusedInputs(kernel, rewriter);
  SmallVector<Value> yielded;
  Operation *yield = kernel.getBody().front().getTerminator();
  for (OpResult result : used)
    yielded.push_back(yield->getOperand(result.getResultNumber()));
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
  auto smaller = KernelOp::create(rewriter, kernel.getLoc(), ValueRange(yielded).getTypes(),
                                  kernel.getName(), kernel.getInputs());
  smaller->setDiscardableAttrs(kernel->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(kernel.getBody(), smaller.getBody(), smaller.getBody().end());
  for (auto [old, result] : llvm::zip_equal(used, smaller.getResults()))
    rewriter.replaceAllUsesWith(old, result);
  rewriter.eraseOp(kernel);
  return success();
}
