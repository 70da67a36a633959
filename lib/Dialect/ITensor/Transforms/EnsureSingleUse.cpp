//===- EnsureSingleUse.cpp - Make every fan-out a fork --------------------===//
//
// A FIFO has one reader: an itensor with several consumers becomes a fork with one
// result per consumer. An itensor without consumers is removed with its producer
// where that has no other result.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h"

namespace streamtensor {
#define GEN_PASS_DEF_ENSURESINGLEUSE
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;

/// As the program is read: a use list says when uses were made, which no text keeps.
static SmallVector<OpOperand *> getUsesInOrder(Value value) {
  llvm::SetVector<Operation *> outermost;
  for (Operation *user : value.getUsers())
    outermost.insert(value.getParentBlock()->findAncestorOpInBlock(*user));
  SmallVector<Operation *> users(outermost.getArrayRef());
  llvm::sort(users, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });
  SmallVector<OpOperand *> uses;
  for (Operation *user : users)
    user->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if (operand.get() == value)
          uses.push_back(&operand);
    });
  return uses;
}

static void forkUses(Value value) {
  SmallVector<OpOperand *> uses = getUsesInOrder(value);
  if (uses.size() < 2)
    return;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  SmallVector<Type> types(uses.size(), value.getType());
  auto fork = itensor::ForkOp::create(builder, value.getLoc(), types, value);
  for (auto [use, result] : llvm::zip_equal(uses, fork.getResults()))
    use->set(result);
}

namespace {
struct EnsureSingleUsePass : streamtensor::impl::EnsureSingleUseBase<EnsureSingleUsePass> {
  void runOnOperation() override {
    getOperation().walk([](dataflow::KernelOp kernel) {
      Block &body = kernel.getBody().front();
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
        if (isOpTriviallyDead(&op))
          op.erase();
      SmallVector<Value> values;
      for (Operation &op : body)
        if (!isa<itensor::InstanceOp>(op))
          for (Value result : op.getResults())
            if (isa<itensor::ITensorType>(result.getType()))
              values.push_back(result);
      for (Value value : values)
        forkUses(value);
    });
  }
};
} // namespace
