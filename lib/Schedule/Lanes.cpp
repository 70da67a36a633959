//===- Lanes.cpp - Multiply-adds of a leaf in a cycle ---------------------===//

#include "streamtensor/Schedule/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

using OperationSet = llvm::SmallPtrSet<Operation *, 16>;

/// Everything in the body that `op` computes with, and `op`.
static OperationSet getUpstream(Operation *op) {
  OperationSet found;
  SmallVector<Operation *> waiting = {op};
  while (!waiting.empty()) {
    Operation *next = waiting.pop_back_val();
    if (next->getBlock() != op->getBlock() || !found.insert(next).second)
      continue;
    for (Value operand : next->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        waiting.push_back(definition);
  }
  return found;
}

/// The memories that results of `op` are stored to, through whatever is computed with them.
static llvm::SmallPtrSet<Value, 4> getStored(Operation *op) {
  llvm::SmallPtrSet<Value, 4> memories;
  OperationSet seen;
  SmallVector<Operation *> waiting = {op};
  while (!waiting.empty()) {
    Operation *next = waiting.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto store = dyn_cast<StoreOp>(next))
      memories.insert(store.getMemory());
    waiting.append(next->user_begin(), next->user_end());
  }
  return memories;
}

/// The vector of which `value` is a part, if it is one.
static Value getWhole(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto slice = dyn_cast_or_null<vector::ExtractStridedSliceOp>(op))
    return slice.getSource();
  if (auto element = dyn_cast_or_null<vector::ExtractOp>(op))
    return element.getSource();
  return {};
}

static bool isAccumulation(Operation *op, const OperationSet &upstream) {
  Value left = getWhole(op->getOperand(0)), right = getWhole(op->getOperand(1));
  if (left && left == right)
    return true;
  llvm::SmallPtrSet<Value, 4> stored = getStored(op);
  return llvm::any_of(upstream, [&](Operation *source) {
    auto load = dyn_cast<LoadOp>(source);
    return load && stored.contains(load.getMemory());
  });
}

static int64_t countLanes(NestOpInterface nest) {
  OperationSet products;
  for (Operation &op : nest.getOperations()) {
    if (!isa<arith::AddFOp, arith::AddIOp>(op))
      continue;
    OperationSet upstream = getUpstream(&op);
    if (!isAccumulation(&op, upstream))
      continue;
    for (Operation *source : upstream)
      if (isa<arith::MulFOp, arith::MulIOp>(source))
        products.insert(source);
  }
  int64_t lanes = 0;
  for (Operation *product : products) {
    auto vector = dyn_cast<VectorType>(product->getResult(0).getType());
    lanes += vector ? vector.getNumElements() : 1;
  }
  return lanes;
}

int64_t streamtensor::schedule::countMultiplyAddLanes(LeafOp leaf) {
  int64_t most = 0;
  for (Pipeline &pipeline : leaf.getPipelines()) {
    int64_t lanes = 0;
    for (NestOpInterface nest : pipeline.nests)
      lanes += countLanes(nest);
    most = std::max(most, lanes);
  }
  return most;
}

int64_t streamtensor::schedule::countMultiplyAdds(LeafOp leaf) {
  int64_t count = 0;
  for (NestOpInterface nest : leaf.getNests())
    count += countLanes(nest) * llvm::product_of(nest.getLoopTrips());
  return count;
}
