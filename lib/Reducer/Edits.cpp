//===- Edits.cpp - Ways to make a program smaller -------------------------===//

#include "Edits.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace streamtensor;

SmallVector<Operation *> streamtensor::getOuterOps(func::FuncOp function) {
  return llvm::to_vector(llvm::make_pointer_range(function.getBody().front().without_terminator()));
}

SmallVector<Operation *> streamtensor::getBodyOps(func::FuncOp function) {
  SmallVector<Operation *> ops;
  for (Operation *outer : getOuterOps(function))
    outer->walk([&](Operation *op) {
      if (op != outer && !op->hasTrait<OpTrait::IsTerminator>())
        ops.push_back(op);
    });
  return ops;
}

static void updateType(func::FuncOp function) {
  Block &block = function.getBody().front();
  function.setType(FunctionType::get(function.getContext(), block.getArgumentTypes(),
                                     block.getTerminator()->getOperandTypes()));
}

static bool isTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

bool streamtensor::returnOnly(func::FuncOp function, size_t position) {
  Operation *op = getOuterOps(function)[position];
  Operation *terminator = function.getBody().front().getTerminator();
  bool isAlready = llvm::equal(op->getResults(), terminator->getOperands());
  if (op->getNumResults() == 0 || !llvm::all_of(op->getResultTypes(), isTensor) || isAlready)
    return false;
  terminator->setOperands(op->getResults());
  function.removeResAttrsAttr();
  updateType(function);
  return true;
}

bool streamtensor::dropResult(func::FuncOp function, size_t position) {
  Operation *terminator = function.getBody().front().getTerminator();
  if (terminator->getNumOperands() <= 1 || position >= terminator->getNumOperands())
    return false;
  return succeeded(function.eraseResults([&] {
    llvm::BitVector dropped(terminator->getNumOperands());
    dropped.set(position);
    terminator->eraseOperand(position);
    return dropped;
  }()));
}

bool streamtensor::cutToArgument(func::FuncOp function, size_t position) {
  Operation *op = getOuterOps(function)[position];
  if (op->use_empty() || !llvm::all_of(op->getResultTypes(), isTensor))
    return false;
  for (Value result : op->getResults()) {
    unsigned index = function.getNumArguments();
    if (failed(function.insertArgument(index, result.getType(), {}, op->getLoc())))
      return false;
    result.replaceAllUsesWith(function.getArgument(index));
  }
  op->erase();
  return true;
}

/// Replaces the only result by the first other value of its type among `choices`.
static bool replaceByOneOf(Operation *op, ValueRange choices) {
  if (op->getNumResults() != 1 || op->use_empty())
    return false;
  for (Value choice : choices)
    if (choice.getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(choice);
      op->erase();
      return true;
    }
  return false;
}

bool streamtensor::bypass(func::FuncOp function, size_t position) {
  Operation *op = getOuterOps(function)[position];
  return replaceByOneOf(op, op->getOperands());
}

bool streamtensor::bypassInBody(func::FuncOp function, size_t position) {
  Operation *op = getBodyOps(function)[position];
  return replaceByOneOf(op, op->getOperands());
}

bool streamtensor::dropUnusedOperands(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  bool isChanged = false;
  (void)applyPatternsGreedily(function, std::move(patterns), GreedyRewriteConfig(), &isChanged);
  return isChanged;
}

bool streamtensor::dropUnused(func::FuncOp function) {
  bool isChanged = false;
  for (bool goesOn = true; goesOn; isChanged |= goesOn) {
    goesOn = false;
    SmallVector<Operation *> ops = getBodyOps(function);
    llvm::append_range(ops, getOuterOps(function));
    for (Operation *op : llvm::reverse(ops))
      if (isOpTriviallyDead(op)) {
        op->erase();
        goesOn = true;
        break;
      }
  }
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  if (unused.any())
    isChanged |= succeeded(function.eraseArguments(unused));
  return isChanged;
}
