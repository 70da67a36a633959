//===- LowerCompute.cpp - Compute tasks as leaf tasks ---------------------===//
//
// The core is planned first (CorePlan). Leaves follow in the order in which data pass: fill leaves
// (BlockPlan, BlockLeaves), the core leaf (CoreLeaf), drain leaves.
//
//===----------------------------------------------------------------------===//

#include "BlockPlan.h"

using namespace mlir;
using namespace streamtensor;

/// Plans the core for the lanes of the FIFOs around the task.
static FailureOr<CorePlan> planCoreBetweenEdges(const TaskNest &nest, DesignBuilder &design,
                                                ArrayRef<DesignBuilder::Edge> resultEdges) {
  int64_t resultLanes = 0;
  for (const DesignBuilder::Edge &edge : resultEdges)
    if (edge.stream)
      resultLanes = edge.lanes;
  auto getLanes = [&](Value stream) { return design.getEdge(stream).lanes; };
  return planCore(nest, *design.device, getLanes, resultLanes);
}

static FailureOr<ComputeTask> planTask(DesignBuilder &design, dataflow::TaskOp op,
                                       const KernelTimes &times) {
  FailureOr<TaskNest> nest = TaskNest::read(op);
  if (failed(nest))
    return failure();
  std::string name = op.getName().str();
  SmallVector<DesignBuilder::Edge> edges;
  for (OpResult result : op->getResults())
    edges.push_back(design.createEdge(result, name));
  FailureOr<CorePlan> core = planCoreBetweenEdges(*nest, design, edges);
  if (failed(core))
    return failure();
  ComputeTask task{name, op.getLoc(), *nest, *core, edges, times.longestBehind.lookup(op), {}};
  for (const TaskNest::Input &input : nest->inputs)
    task.comesFor.push_back(countComing(*nest, input, times));
  task.inputBlocks.resize(nest->inputs.size());
  task.resultBlocks.resize(nest->results.size());
  return task;
}

/// Members of tuples that the core does not take apart get FIFOs of their own.
static void separateMembers(DesignBuilder &design, const ComputeTask &task) {
  for (const TaskNest::Input &input : task.nest.inputs) {
    auto unjoin = input.stream.getDefiningOp<itensor::UnjoinOp>();
    if (unjoin && design.getEdge(input.stream).member &&
        !takesMembersApart(task.nest, task.core.points, unjoin))
      createUnjoin(design, unjoin);
  }
}

LogicalResult streamtensor::lowerTask(DesignBuilder &design, dataflow::TaskOp op,
                                      const KernelTimes &times) {
  FailureOr<ComputeTask> task = planTask(design, op, times);
  if (failed(task))
    return failure();
  separateMembers(design, *task);
  for (auto [input, mode] : llvm::enumerate(task->core.points.modes))
    if (mode == InputMode::Block)
      task->inputBlocks[input] = createFill(design, *task, input);
  for (auto [result, edge] : llvm::enumerate(task->resultEdges))
    if (edge.stream && !canWriteDirectly(*task, result))
      task->resultBlocks[result] = createResultBlock(design, *task, result);
  if (failed(createCoreLeaf(design, *task)))
    return failure();
  for (auto [result, block] : llvm::enumerate(task->resultBlocks))
    if (block.buffer)
      createDrain(design, *task, result);
  return success();
}
