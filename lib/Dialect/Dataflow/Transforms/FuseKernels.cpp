//===- FuseKernels.cpp - The greedy fusion plan ---------------------------===//
//
// Design "Fusion plan" (the paper's algorithm): nodes in topological order; the
// candidate group is the nearest one (highest index) that holds a predecessor; the
// node joins it if the converters still fit on chip, else it opens a new group.
//
//===----------------------------------------------------------------------===//

#include "GroupBuilder.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"

#include "mlir/Analysis/TopologicalSortUtils.h"

namespace streamtensor {
#define GEN_PASS_DEF_FUSEKERNELS
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

namespace {

class FusionPlan {
public:
  FusionPlan(func::FuncOp function, int64_t maxBytes, int64_t groupBytes,
             itensor::ConverterRule rule)
      : function(function), maxBytes(maxBytes), groupBytes(groupBytes), rule(rule) {}

  LogicalResult run();

private:
  void openGroup() {
    groups.push_back(
        std::make_unique<GroupBuilder>(function.getContext(), function.getLoc(), rule));
  }
  LogicalResult placeKernel(KernelOp kernel);
  LogicalResult placeResult(Value tensor);
  LogicalResult exportCrossing();
  void replaceKernels();
  /// May a kernel stay in a group with so many bytes of converters?
  bool mayJoin(int64_t bytes) const {
    return bytes <= maxBytes && (groupBytes == 0 || bytes <= groupBytes);
  }
  /// Index of the last group that holds a kernel behind `tensor`, or -1.
  int findGroup(Value tensor) const;

  func::FuncOp function;
  int64_t maxBytes, groupBytes;
  itensor::ConverterRule rule;
  SmallVector<std::unique_ptr<GroupBuilder>> groups;
  DenseMap<Operation *, int> groupOf;
};

struct FuseKernelsPass : streamtensor::impl::FuseKernelsBase<FuseKernelsPass> {
  using FuseKernelsBase::FuseKernelsBase;
  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    int64_t onChip = maxBytes > 0 ? maxBytes.getValue() : (*device)->getOnChipBytes();
    if (failed(FusionPlan(getOperation(), onChip, groupBytes, converterRule).run()))
      signalPassFailure();
  }
};

} // namespace

int FusionPlan::findGroup(Value tensor) const {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return -1;
  if (auto it = groupOf.find(op); it != groupOf.end())
    return it->second;
  int last = -1;
  for (Value operand : op->getOperands())
    last = std::max(last, findGroup(operand));
  return last;
}

LogicalResult FusionPlan::placeKernel(KernelOp kernel) {
  int candidate = -1;
  for (Value input : kernel.getInputs())
    candidate = std::max(candidate, findGroup(input));
  if (candidate < 0)
    candidate = int(groups.size()) - 1;
  if (candidate >= 0) {
    GroupBuilder &group = *groups[candidate];
    GroupBuilder::Checkpoint checkpoint = group.getCheckpoint();
    if (failed(group.addKernel(kernel)))
      return failure();
    if (mayJoin(group.getConverterBytes())) {
      groupOf[kernel] = candidate;
      return success();
    }
    group.rollBack(checkpoint);
  }
  openGroup();
  groupOf[kernel] = groups.size() - 1;
  if (failed(groups.back()->addKernel(kernel)))
    return failure();
  int64_t bytes = groups.back()->getConverterBytes();
  if (bytes > maxBytes)
    return kernel.emitError() << "needs " << bytes << " bytes of converters, " << bytes - maxBytes
                              << " more than the device has on chip";
  return success();
}

LogicalResult FusionPlan::placeResult(Value tensor) {
  tensor = stripReshapes(tensor); // reshapes outside are free
  while (auto unpack = tensor.getDefiningOp<itensor::UnpackOp>())
    tensor = stripReshapes(unpack.getSource());
  if (isExternal(tensor))
    return success();
  int group = findGroup(tensor);
  if (group < 0) {
    if (groups.empty())
      openGroup();
    group = groups.size() - 1;
  }
  return groups[group]->addResult(tensor);
}

/// What one group computes and another reads, for a kernel or for a view among the results, goes
/// through external memory.
LogicalResult FusionPlan::exportCrossing() {
  llvm::SmallDenseSet<Value> read;
  for (auto &group : groups)
    for (Value input : group->getInputs())
      read.insert(stripReshapes(input));
  for (KernelOp kernel : function.getOps<KernelOp>())
    for (Value result : kernel->getResults())
      if (read.contains(result) && failed(groups[groupOf.lookup(kernel)]->addResult(result)))
        return failure();
  return success();
}

void FusionPlan::replaceKernels() {
  Block &block = function.getBody().front();
  OpBuilder builder(block.getTerminator());
  // All kernels first: a group may read the results of another.
  SmallVector<KernelOp> fused;
  for (auto [index, group] : llvm::enumerate(groups)) {
    std::string name = groups.size() == 1 ? "accelerator" : ("accelerator_" + Twine(index)).str();
    fused.push_back(group->finish(builder, name));
  }
  for (auto [group, kernel] : llvm::zip_equal(groups, fused))
    for (auto [old, replacement] : llvm::zip_equal(group->getResults(), kernel.getResults()))
      Value(old).replaceUsesWithIf(replacement,
                                   [&](OpOperand &use) { return !groupOf.count(use.getOwner()); });
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (groupOf.count(&op) || isOpTriviallyDead(&op)) {
      op.dropAllUses();
      op.erase();
    }
  sortTopologically(&block);
}

LogicalResult FusionPlan::run() {
  SmallVector<KernelOp> kernels(function.getOps<KernelOp>());
  for (KernelOp kernel : kernels)
    if (failed(placeKernel(kernel)))
      return failure();
  for (Value operand : function.getBody().front().getTerminator()->getOperands())
    if (failed(placeResult(operand)))
      return failure();
  if (failed(exportCrossing()))
    return failure();
  replaceKernels();
  return success();
}
