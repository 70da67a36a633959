//===- FuseKernels.cpp - Fusion plans and what they make ------------------===//
//
// The greedy plan (the paper's algorithm): nodes in topological order; the
// candidate group is the nearest one (highest index) that holds a predecessor; the
// node joins it if the converters still fit on chip, else it opens a new group.
// The groups are built as it goes, so its memory is that of what is built.
//
// The optimal plan is that of FusionProblem.h, whose converters are those of one group of all
// kernels. Where views join several kernels, smaller groups may need others: each group is counted
// again when it is built.
//
//===----------------------------------------------------------------------===//

#include "GroupBuilder.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/Transforms/FusionProblem.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"
#include "streamtensor/Support/BitWidth.h"

#include "mlir/Analysis/TopologicalSortUtils.h"

namespace streamtensor {
#define GEN_PASS_DEF_FUSEKERNELS
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

namespace {

/// What external memory moves while the host launches a group.
int64_t getLaunchBytes(const DeviceModel &device) {
  const ExternalMemoryModel &memory = device.externalMemory();
  return std::llround(memory.channels * memory.sustainedBytesPerSecond *
                      device.getHostLaunchMicroseconds() * 1e-6);
}

class FusionPlan {
public:
  FusionPlan(func::FuncOp function, int64_t maxBytes, int64_t groupBytes,
             itensor::ConverterRule rule)
      : function(function), kernels(function.getOps<KernelOp>()), maxBytes(maxBytes),
        groupBytes(groupBytes), rule(rule) {}

  /// Deals all kernels to groups.
  LogicalResult planGreedily();
  /// Deals them anew where that costs less than the present plan.
  LogicalResult planOptimally(int64_t launchBytes, int64_t searchNodes);
  /// Makes each group one kernel.
  LogicalResult apply();

private:
  void openGroup() {
    groups.push_back(
        std::make_unique<GroupBuilder>(function.getContext(), function.getLoc(), rule));
  }
  LogicalResult placeKernel(KernelOp kernel);
  FailureOr<FusionProblem> describe(int64_t launchBytes);
  FusionGroups getGroups() const;
  LogicalResult build(const FusionGroups &plan);
  bool doesFit() const;
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
  SmallVector<KernelOp> kernels;
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
    FusionPlan plan(getOperation(), onChip, groupBytes, converterRule);
    if (failed(plan.planGreedily()))
      return signalPassFailure();
    if (planner == FusionPlanner::Optimal &&
        failed(plan.planOptimally(getLaunchBytes(**device), searchNodes)))
      return signalPassFailure();
    if (failed(plan.apply()))
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

LogicalResult FusionPlan::planGreedily() {
  for (KernelOp kernel : kernels)
    if (failed(placeKernel(kernel)))
      return failure();
  return success();
}

LogicalResult FusionPlan::apply() {
  for (Value operand : function.getBody().front().getTerminator()->getOperands())
    if (failed(placeResult(operand)))
      return failure();
  if (failed(exportCrossing()))
    return failure();
  replaceKernels();
  return success();
}

//===----------------------------------------------------------------------===//
// The optimal plan
//===----------------------------------------------------------------------===//

/// The results of kernels that `tensor` is made of, by views.
static void addKernelResults(Value tensor, SmallVectorImpl<Value> &results) {
  Operation *op = tensor.getDefiningOp();
  if (isa_and_nonnull<KernelOp>(op)) {
    if (!llvm::is_contained(results, tensor))
      results.push_back(tensor);
    return;
  }
  if (op)
    for (Value operand : op->getOperands())
      addKernelResults(operand, results);
}

static int64_t getBytes(Value tensor) { return llvm::divideCeil(getBitWidth(tensor.getType()), 8); }

/// Of a view, a reader counts all of each tensor that it is made of.
FailureOr<FusionProblem> FusionPlan::describe(int64_t launchBytes) {
  FusionProblem problem;
  problem.maxBytes = groupBytes > 0 ? std::min(groupBytes, maxBytes) : maxBytes;
  problem.launchBytes = launchBytes;
  problem.nodes.assign(kernels.size(), 0);
  GroupBuilder all(function.getContext(), function.getLoc(), rule);
  llvm::MapVector<Value, FusionProblem::Tensor> tensors;
  DenseMap<Operation *, int32_t> numbers;
  for (auto [number, kernel] : llvm::enumerate(kernels)) {
    if (failed(all.addKernel(kernel)))
      return failure();
    numbers[kernel] = number;
    for (Value result : kernel->getResults())
      tensors[result] = {static_cast<int32_t>(number), {}, getBytes(result)};
    for (Value input : kernel.getInputs()) {
      SmallVector<Value> results;
      addKernelResults(input, results);
      for (Value result : results)
        tensors[result].readers.push_back(number);
    }
  }
  for (Value result : function.getBody().front().getTerminator()->getOperands())
    if (auto *place = tensors.find(stripReshapes(result)); place != tensors.end())
      place->second.isResult = true;
  for (auto &[result, tensor] : tensors)
    problem.tensors.push_back(tensor);
  auto getNumbers = [&](ArrayRef<KernelOp> some) {
    auto range = llvm::map_range(some, [&](KernelOp kernel) { return numbers.lookup(kernel); });
    return std::vector<int32_t>(range.begin(), range.end());
  };
  for (const GroupBuilder::ConverterUse &use : all.getConverters()) {
    std::vector<int32_t> writers = getNumbers(use.writers), readers = getNumbers(use.readers);
    if (writers.empty())
      for (int32_t reader : readers)
        problem.nodes[reader] += use.bytes;
    else
      problem.converters.push_back({writers, readers, use.bytes});
  }
  if (llvm::Error fault = problem.check())
    return function.emitError() << "the fusion problem is not well-formed, a defect: "
                                << llvm::toString(std::move(fault));
  return problem;
}

FusionGroups FusionPlan::getGroups() const {
  FusionGroups plan;
  for (KernelOp kernel : kernels)
    plan.push_back(groupOf.lookup(kernel));
  return plan;
}

LogicalResult FusionPlan::build(const FusionGroups &plan) {
  groups.clear();
  groupOf.clear();
  for (int32_t count = FusionProblem::countGroups(plan); count > 0; --count)
    openGroup();
  for (auto [kernel, group] : llvm::zip_equal(kernels, plan)) {
    groupOf[kernel] = group;
    if (failed(groups[group]->addKernel(kernel)))
      return failure();
  }
  return success();
}

/// A kernel alone may need more than what a group is asked to take.
bool FusionPlan::doesFit() const {
  return llvm::all_of(llvm::enumerate(groups), [&](auto entry) {
    int64_t bytes = entry.value()->getConverterBytes();
    return mayJoin(bytes) ||
           (bytes <= maxBytes && llvm::count(getGroups(), int32_t(entry.index())) == 1);
  });
}

LogicalResult FusionPlan::planOptimally(int64_t launchBytes, int64_t searchNodes) {
  if (groups.size() < 2)
    return success();
  FailureOr<FusionProblem> problem = describe(launchBytes);
  if (failed(problem))
    return failure();
  FusionGroups greedy = getGroups();
  FusionSolution best = dataflow::planOptimally(*problem, greedy, searchNodes);
  if (best.cost == problem->getCost(greedy))
    return success();
  if (failed(build(best.groups)))
    return failure();
  if (doesFit())
    return success();
  mlir::emitWarning(function.getLoc())
      << "[fuse.plan] the optimal plan of " << groups.size()
      << " groups needs more converters once it is built than as one group of all kernels, and "
         "they "
         "do not fit: the greedy plan is taken; other group-bytes may give a plan that does fit";
  return build(greedy);
}
