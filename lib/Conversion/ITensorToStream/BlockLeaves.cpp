//===- BlockLeaves.cpp - Leaf tasks that fill and drain blocks ------------===//

#include "BlockPlan.h"

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

using namespace mlir;
using namespace streamtensor;
using dataflow::Role;
using itensor::ITensorType;

/// Walks the tokens of `type`; the address is relative to the block under `level` loops.
static SmallVector<AffineExpr> walkBlock(Nest &loops, ITensorType type, unsigned level,
                                         int64_t lanes) {
  SmallVector<AffineExpr> ignored = loops.zeros(type.getDataRank());
  SmallVector<AffineExpr> address = loops.zeros(type.getDataRank());
  loops.addLoops(type, 0, level, ignored);
  loops.addLoops(type, level, type.getIterRank(), address);
  loops.addPoints(type, lanes, address);
  return address;
}

/// A name for what stands between an input and the core; `_t` is a value without a name.
static std::string getInputName(const ComputeTask &task, unsigned index) {
  std::string label = task.name + "_" + getValueName(task.nest.inputs[index].stream);
  return StringRef(label).ends_with("_t") ? task.name + "_in" + std::to_string(index) : label;
}

BlockBuffer streamtensor::createFill(DesignBuilder &design, const ComputeTask &task,
                                     unsigned index) {
  const TaskNest::Input &input = task.nest.inputs[index];
  unsigned level = chooseInputLevel(design.device->control(), task, index);
  DesignBuilder::Edge edge = design.getEdge(input.stream);
  std::string label = getInputName(task, index);
  Value buffer =
      design.createBuffer(label + "_block", itensor::getBlockShape(input.type, level),
                          input.type.getElementType(), getNumBlocks(input.type, level), task.loc);
  Nest walk(task.loc.getContext());
  SmallVector<AffineExpr> address = walkBlock(walk, input.type, level, edge.lanes);
  design.beginLeaf(walk, {label + "_fill", task.loc, Role::Fill, {}, {{buffer, level}}});
  Value value = design.read(edge.stream);
  if (edge.lanes > 1)
    value = design.reshape(value, getLaneBox(input.type, edge.lanes));
  design.store(value, buffer, address);
  design.endLeaf();
  return {buffer, level};
}

BlockBuffer streamtensor::createResultBlock(DesignBuilder &design, const ComputeTask &task,
                                            unsigned index) {
  ITensorType type = task.nest.results[index];
  unsigned level = chooseResultLevel(design.device->control(), task, index);
  SmallVector<int64_t> shape = task.core.getBankCounts();
  llvm::append_range(shape, itensor::getBlockShape(type, level));
  Value buffer = design.createBuffer(task.name + "_result", shape, type.getElementType(),
                                     getNumBlocks(type, level), task.loc);
  return {buffer, level};
}

void streamtensor::createDrain(DesignBuilder &design, const ComputeTask &task, unsigned index) {
  ITensorType type = task.nest.results[index];
  const auto &[buffer, level] = task.resultBlocks[index];
  const DesignBuilder::Edge &edge = task.resultEdges[index];
  SmallVector<int64_t> box = task.core.getBankCounts();
  size_t numBanked = box.size();
  llvm::append_range(box, getLaneBox(type, edge.lanes));
  Nest walk(task.loc.getContext());
  SmallVector<AffineExpr> address = walk.zeros(numBanked);
  llvm::append_range(address, walkBlock(walk, type, level, edge.lanes));
  design.beginLeaf(walk, {task.name + "_drain", task.loc, Role::Drain, {{buffer, level}}});
  Value value = design.load(buffer, address, box);
  VectorBuilder vectors(design.builder, task.loc);
  for (size_t loop = 0; loop < numBanked; ++loop)
    value = vectors.reduceTree(value, 0, task.core.combiners[index]);
  if (edge.lanes == 1)
    value = vectors.reshape(value, {});
  design.write(value, edge.stream);
  design.endLeaf();
}
