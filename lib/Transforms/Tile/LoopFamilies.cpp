//===- LoopFamilies.cpp - Loops that go along each other ------------------===//

#include "LoopFamilies.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace streamtensor;

void LoopFamilies::relate(Value left, unsigned leftDim, Value right, unsigned rightDim) {
  related.unionSets({left.getAsOpaquePointer(), leftDim}, {right.getAsOpaquePointer(), rightDim});
}

void LoopFamilies::visitReshape(Value high, Value low,
                                ArrayRef<SmallVector<int64_t, 2>> reassociation) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(high.getType()).getShape();
  for (auto [lowDim, group] : llvm::enumerate(reassociation))
    for (int64_t dim : group)
      if (shape[dim] > 1)
        relate(high, dim, low, lowDim);
}

void LoopFamilies::visit(Operation *op) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return visitReshape(expand.getResult(), expand.getSrc(), expand.getReassociationIndices());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return visitReshape(collapse.getSrc(), collapse.getResult(),
                        collapse.getReassociationIndices());
  if (isa<tensor::ConcatOp, tensor::PadOp>(op) ||
      (isa<tensor::ExtractSliceOp>(op) &&
       cast<tensor::ExtractSliceOp>(op).getDroppedDims().none())) {
    for (Value operand : op->getOperands())
      if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
        for (unsigned dim = 0; dim < type.getRank(); ++dim)
          relate(operand, dim, op->getResult(0), dim);
    return;
  }
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic)
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = generic.isDpsInit(&operand) ? generic.getTiedOpResult(&operand) : operand.get();
    for (auto [dim, expr] : llvm::enumerate(generic.getMatchingIndexingMap(&operand).getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        related.unionSets({value.getAsOpaquePointer(), dim}, {op, loop.getPosition()});
  }
}

LoopFamilies::LoopFamilies(func::FuncOp function) {
  for (Operation &op : function.getBody().front())
    visit(&op);
  llvm::MapVector<Node, SmallVector<Loop>> byLeader;
  for (auto op : function.getOps<linalg::GenericOp>())
    for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
      auto leader = related.findLeader(Node(op.getOperation(), dim));
      if (leader != related.member_end())
        byLeader[*leader].push_back({op, dim});
    }
  for (auto &[leader, loops] : byLeader)
    if (loops.front().op != loops.back().op)
      families.push_back(std::move(loops));
}
