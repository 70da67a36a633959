//===- EngineParts.cpp - What of a leaf an engine computes ----------------===//
//
//   %v = load %m, %w = stream_read %weights, %p = muli %v, %w, … sum of %p …, stream_write %s, %z
//
// The product and its sum go, with the FIFOs %weights and %z, which they alone are at. %v is an
// operand: the load of a memory stays, and the leaf hands over what it gives. But a memory that the
// sums alone are loaded from and stored to goes along.
//
//===----------------------------------------------------------------------===//

#include "EngineParts.h"

#include "streamtensor/Support/BitWidth.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

static int64_t countElements(Value value) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? vector.getNumElements() : 1;
}

static bool isProduct(Operation &op) { return isa<arith::MulIOp, arith::MulFOp>(op); }

/// The widest product of the leaf, if one is the widest, and its nest. Of a product and what
/// multiplies it alone, the last.
static Operation *findProduct(LeafOp leaf, NestOpInterface &nest) {
  Operation *widest = nullptr;
  int64_t most = 0;
  for (NestOpInterface each : leaf.getNests())
    for (Operation &op : each.getOperations()) {
      if (!isProduct(op))
        continue;
      int64_t elements = countElements(op.getResult(0));
      if (elements < most)
        continue;
      bool goesOn = widest && widest->hasOneUse() && *widest->user_begin() == &op;
      widest = elements == most && !goesOn ? nullptr : &op;
      most = elements;
      nest = each;
    }
  return widest;
}

/// The operands of the products, up to what comes from FIFOs that nobody else reads: these go
/// along. Whatever else they are made of stays.
static void collectOperands(Operation *product, const DenseSet<Operation *> &sums,
                            EnginePart &part) {
  DenseSet<Operation *> front;
  SmallVector<Operation *> waiting = {product};
  auto visit = [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    if (!op || op->getBlock() != product->getBlock() || !front.insert(op).second)
      return;
    waiting.push_back(op);
  };
  while (!waiting.empty())
    for (Value operand : waiting.pop_back_val()->getOperands())
      visit(operand);
  // A user stands behind what it uses, so users are known first.
  SmallVector<Operation *> stays;
  for (Operation &op : llvm::reverse(*product->getBlock())) {
    if (&op == product || !front.contains(&op))
      continue;
    bool isNeeded = llvm::any_of(op.getUsers(), [&](Operation *user) {
      return user == product || (front.contains(user) && !llvm::is_contained(stays, user));
    });
    bool isOnlyHere = llvm::all_of(op.getUsers(), [&](Operation *user) {
      return user == product || sums.contains(user) ||
             (front.contains(user) && !llvm::is_contained(stays, user));
    });
    bool canGo = isMemoryEffectFree(&op) || (isa<StreamReadOp>(op) && isOnlyHere);
    if (isNeeded && canGo)
      continue;
    if (isNeeded)
      part.operands.push_back(op.getResult(0));
    stays.push_back(&op);
  }
  std::reverse(part.operands.begin(), part.operands.end());
  for (Operation &op : *product->getBlock())
    if (front.contains(&op) && !llvm::is_contained(stays, &op))
      part.moved.insert(&op);
}

/// What is computed from the products, constants and `others` alone.
static SmallVector<Operation *> collectSums(Operation *product,
                                            const DenseSet<Operation *> &others = {}) {
  SmallVector<Operation *> sums = {product};
  auto isOfSums = [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    return op && llvm::is_contained(sums, op);
  };
  for (Operation *op = product->getNextNode(); op; op = op->getNextNode())
    if (isMemoryEffectFree(op) && llvm::any_of(op->getOperands(), isOfSums) &&
        llvm::all_of(op->getOperands(), [&](Value operand) {
          return isOfSums(operand) || operand.getDefiningOp<arith::ConstantOp>() ||
                 others.contains(operand.getDefiningOp());
        }))
      sums.push_back(op);
  return sums;
}

/// What becomes of the loads of `memory`, conditions and constants alone: an earlier sum.
static DenseSet<Operation *> collectEarlier(Block &body, Value memory) {
  DenseSet<Operation *> earlier;
  for (Operation &op : body) {
    bool isStart = isa<TestOp>(op) || (isa<LoadOp>(op) && getMemory(&op) == memory);
    bool goesOn =
        isMemoryEffectFree(&op) && op.getNumOperands() > 0 &&
        llvm::all_of(op.getOperands(), [&](Value operand) {
          Operation *definition = operand.getDefiningOp();
          return definition && (earlier.contains(definition) || isa<arith::ConstantOp>(definition));
        });
    if (isStart || goesOn)
      earlier.insert(&op);
  }
  return earlier;
}

/// The sums go on to what is added up in a memory that nobody else is at, if there is one: the
/// memory, with what loads it, adds and stores.
static void accumulate(Operation *product, EnginePart &part, SmallVector<Operation *> &sums) {
  Block &body = *product->getBlock();
  for (BlockArgument memory : part.leaf.getBlock().getArguments()) {
    bool isPrivate = isa<PrivateType>(memory.getType());
    if (!isPrivate ||
        llvm::any_of(memory.getUsers(), [&](Operation *user) { return user->getBlock() != &body; }))
      continue;
    DenseSet<Operation *> earlier = collectEarlier(body, memory);
    SmallVector<Operation *> all = collectSums(product, earlier);
    DenseSet<Operation *> ofSums(all.begin(), all.end());
    bool isApart = true, isRead = false;
    for (Operation *user : memory.getUsers()) {
      auto store = dyn_cast<StoreOp>(user);
      isApart &= !store || ofSums.contains(store.getValue().getDefiningOp());
      isRead |= !store;
    }
    for (Operation *op : earlier)
      for (Operation *user : op->getUsers())
        isApart &= isa<TestOp>(op) || earlier.contains(user) || ofSums.contains(user);
    if (!isApart || !isRead)
      continue;
    part.accumulators.push_back(memory);
    for (Operation *user : memory.getUsers())
      if (isa<StoreOp>(user))
        ofSums.insert(user);
    for (Operation &op : llvm::reverse(body)) // Users stand behind what they use.
      if (earlier.contains(&op) &&
          llvm::any_of(op.getUsers(), [&](Operation *user) { return ofSums.contains(user); }))
        ofSums.insert(&op);
    sums.clear();
    for (Operation &op : body)
      if (ofSums.contains(&op))
        sums.push_back(&op);
    return;
  }
}

/// The sums that somebody else uses.
static llvm::SmallSetVector<Value, 2> getResults(ArrayRef<Operation *> sums) {
  llvm::SmallSetVector<Value, 2> results;
  for (Operation *op : sums)
    for (Operation *user : op->getUsers())
      if (!llvm::is_contained(sums, user))
        results.insert(op->getResult(0));
  // A condition or a constant is no sum.
  results.remove_if([](Value value) { return value.getDefiningOp()->getNumOperands() == 0; });
  return results;
}

/// Takes away other shapes of one sum, which a leaf makes where it stores it twice, and the parts
/// of one that several FIFOs take.
static void dropViews(SmallVector<Operation *> &sums) {
  auto isView = [&](Operation *op) {
    return isa<vector::ShapeCastOp, vector::ExtractStridedSliceOp>(op) &&
           llvm::none_of(op->getUsers(),
                         [&](Operation *user) { return llvm::is_contained(sums, user); });
  };
  while (isView(sums.back()))
    sums.pop_back();
}

/// What makes the operands, with all that fills the memories that they come from. False if anything
/// else of the leaf needs a part of it.
static bool collectFirst(EnginePart &part) {
  DenseSet<Value> memories;
  SmallVector<Operation *> waiting;
  auto add = [&](Operation *op) {
    if (op && getLeaf(op) == part.leaf && part.first.insert(op).second)
      waiting.push_back(op);
  };
  for (Value operand : part.operands)
    add(operand.getDefiningOp());
  while (!waiting.empty()) {
    Operation *op = waiting.pop_back_val();
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp();
          definition && definition->getBlock() == op->getBlock())
        add(definition);
    Value memory = isa<LoadOp>(op) ? getMemory(op) : Value();
    if (memory && memories.insert(memory).second)
      for (Operation *user : memory.getUsers())
        if (isa<StoreOp>(user))
          add(user);
  }
  bool isApart = true;
  for (NestOpInterface nest : part.leaf.getNests())
    for (Operation &op : nest.getOperations()) {
      if (part.first.contains(&op) || part.moved.contains(&op))
        continue;
      isApart &= !memories.contains(getMemory(&op));
      for (Value operand : op.getOperands())
        if (Operation *definition = operand.getDefiningOp(); part.first.contains(definition))
          isApart &= definition->getNumOperands() == 0 && isMemoryEffectFree(definition);
    }
  return isApart;
}

FailureOr<EnginePart> streamtensor::dataflow::findPart(LeafOp leaf, bool accumulates,
                                                       std::string &reason) {
  EnginePart part{leaf, {}, {}, {}, {}, {}, {}, {}};
  Operation *product = findProduct(leaf, part.nest);
  auto fail = [&](const Twine &why) {
    reason = why.str();
    return failure();
  };
  if (!product)
    return fail("no product of its body is the widest");
  SmallVector<Operation *> sums = collectSums(product);
  if (accumulates)
    accumulate(product, part, sums);
  if (getResults(sums).size() > 1)
    dropViews(sums);
  DenseSet<Operation *> inside(sums.begin(), sums.end());
  llvm::SmallSetVector<Value, 2> results = getResults(sums);
  if (results.size() != 1)
    return fail("its products become " + Twine(results.size()) + " sums in an iteration");
  part.sum = results.front();
  collectOperands(product, inside, part);
  DenseSet<Operation *> moved(llvm::from_range, part.moved);
  for (Operation *op : sums) {
    for (Value operand : op->getOperands())
      if (auto constant = operand.getDefiningOp<arith::ConstantOp>())
        moved.insert(constant);
    moved.insert(op);
  }
  part.moved.clear();
  for (Operation &op : *product->getBlock())
    if (moved.contains(&op))
      part.moved.insert(&op);
  bool isTaken = false; // By the rest of the leaf.
  for (Operation *user : part.sum.getUsers())
    if (auto write = dyn_cast<StreamWriteOp>(user))
      part.writes.push_back(write);
    else
      isTaken |= !part.moved.contains(user);
  if (isTaken)
    part.writes.clear();
  if (part.writes.empty() && !part.operands.empty() && !collectFirst(part))
    return fail("what makes its operands is not apart from what takes its sums");
  auto isToken = [](Value value) { return getElementTypeOrSelf(value.getType()).isIntOrFloat(); };
  if (!isToken(part.sum) || !llvm::all_of(part.operands, isToken))
    return fail("what it would hand over is no number");
  return part;
}
