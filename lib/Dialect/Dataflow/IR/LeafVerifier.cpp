//===- LeafVerifier.cpp - Laws of a leaf task -----------------------------===//
//
// The nest, the acquired blocks, the operations that a body may hold, and what
// only the body as a whole tells: one token per FIFO and iteration, and no use of
// a value that was not yet read.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "streamtensor/Dialect/Dataflow/IR/IterationBox.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// Nest and blocks
//===----------------------------------------------------------------------===//

static LogicalResult verifyNest(LeafOp leaf) {
  double iterations = 1;
  for (auto [loop, trips] : llvm::enumerate(leaf.getTrips())) {
    if (trips < 1)
      return leaf.emitOpError("[leaf.nest] loop ")
             << loop << " makes " << trips << " trips, it must make at least one";
    iterations *= trips;
  }
  if (iterations > 4e18)
    return leaf.emitOpError("[leaf.nest] the number of iterations does not fit into 62 bits");
  if (static_cast<int64_t>(leaf.getIi()) < 0 || static_cast<int64_t>(leaf.getDepth()) < 0)
    return leaf.emitOpError("[leaf.schedule] 'ii' and 'depth' are cycles, they cannot be negative");
  return success();
}

static LogicalResult verifyArguments(LeafOp leaf) {
  Block &block = leaf.getBlock();
  if (block.getNumArguments() < leaf.getNumLoops())
    return leaf.emitOpError("[leaf.nest] has ")
           << leaf.getNumLoops() << " loops but " << block.getNumArguments() << " block arguments";
  for (BlockArgument index : leaf.getIndices())
    if (!index.getType().isIndex())
      return leaf.emitOpError("[leaf.nest] block argument ")
             << index.getArgNumber() << " is the index of a loop, its type is " << index.getType();
  for (BlockArgument memory : leaf.getPrivates())
    if (!isa<PrivateType>(memory.getType()))
      return leaf.emitOpError("[leaf.nest] block argument ")
             << memory.getArgNumber() << " is a private memory, its type is " << memory.getType();
  return success();
}

static LogicalResult verifyAcquires(LeafOp leaf, OperandRange buffers, ArrayRef<int64_t> levels,
                                    StringRef what) {
  if (buffers.size() != levels.size())
    return leaf.emitOpError("[leaf.level] ")
           << what << " names " << buffers.size() << " buffers and " << levels.size() << " levels";
  for (int64_t level : levels)
    if (level < 0 || level > leaf.getNumLoops())
      return leaf.emitOpError("[leaf.level] ")
             << what << " acquires at level " << level << " in a nest of " << leaf.getNumLoops()
             << " loops";
  return success();
}

LogicalResult LeafOp::verify() {
  if (failed(verifyNest(*this)) || failed(verifyArguments(*this)) ||
      failed(verifyAcquires(*this, getReads(), getReadLevels(), "'reads'")) ||
      failed(verifyAcquires(*this, getWrites(), getWriteLevels(), "'writes'")))
    return failure();
  llvm::SmallDenseSet<Value> seen;
  for (Value buffer : getOperands())
    if (!seen.insert(buffer).second)
      return emitOpError("[leaf.level] acquires a buffer twice");
  return success();
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

static bool isAllowed(Operation &op) {
  if (isa<StreamReadOp, StreamWriteOp, LoadOp, StoreOp, TestOp, TupleOp, MemberOp, ExternStepOp>(
          op))
    return true;
  if (isa<vector::BroadcastOp, vector::ShapeCastOp, vector::TransposeOp, vector::ExtractOp,
          vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp, vector::FromElementsOp,
          vector::StepOp>(op))
    return true;
  return isa<arith::ArithDialect, math::MathDialect>(op.getDialect());
}

static LogicalResult verifyOperations(LeafOp leaf) {
  for (Operation &op : leaf.getBlock())
    if (!isAllowed(op))
      return op.emitOpError("[leaf.body] cannot stand in a leaf task; a body holds FIFO and memory "
                            "accesses, arith, math and lane operations of vector")
                 .attachNote(leaf.getLoc())
             << "in leaf '" << leaf.getName() << "'";
  return success();
}

static std::optional<IntegerSet> getGuard(Operation *op) {
  IntegerSet guard = cast<AccessOpInterface>(op).getGuardSet();
  return guard ? std::optional(guard) : std::nullopt;
}

/// The box of a guard that its own verifier has accepted.
static IterationBox getBox(LeafOp leaf, Operation *access) {
  return *getGuardBox(getGuard(access), leaf.getTrips());
}

/// At most one token per FIFO and direction in an iteration.
template <typename Access> static LogicalResult verifyOneToken(LeafOp leaf, StringRef verb) {
  llvm::MapVector<Value, SmallVector<Access>> accesses;
  for (Access access : leaf.getBlock().getOps<Access>()) {
    for (Access other : accesses[access.getFifo()])
      if (!getBox(leaf, access).intersect(getBox(leaf, other)).isEmpty())
        return access.emitOpError("[leaf.once] ")
                   .append(verb, " a second token in an iteration; the guards of two accesses to "
                                 "one FIFO must exclude each other")
                   .attachNote(other.getLoc())
               << "the other access";
    accesses[access.getFifo()].push_back(access);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Held values
//===----------------------------------------------------------------------===//

/// The iterations in which the `select` takes `value`, if they are known as a box.
static std::optional<IterationBox> getTakenBox(LeafOp leaf, arith::SelectOp select, Value value) {
  auto test = select.getCondition().getDefiningOp<TestOp>();
  if (!test || select.getTrueValue() == select.getFalseValue())
    return std::nullopt;
  std::optional<IterationBox> box = getGuardBox(test.getSet(), leaf.getTrips());
  if (!box || value == select.getTrueValue())
    return box;
  return getComplement(*box, getWholeBox(leaf.getTrips()));
}

/// Is `value`, which is defined in iterations `known` (and later ones), used only
/// there? Follows it through arithmetic to guarded accesses and selects.
static Operation *findUseOutside(LeafOp leaf, Value value, const IterationBox &known,
                                 llvm::SmallDenseSet<Value> &visited) {
  if (!visited.insert(value).second)
    return nullptr;
  for (Operation *user : value.getUsers()) {
    // A hand-written kernel takes a token where its port has one, and nowhere else.
    if (isa<ExternStepOp>(user))
      continue;
    if (isa<StreamWriteOp, StoreOp>(user)) {
      if (!known.contains(getBox(leaf, user)))
        return user;
      continue;
    }
    if (auto select = dyn_cast<arith::SelectOp>(user)) {
      std::optional<IterationBox> taken = getTakenBox(leaf, select, value);
      if (taken && known.contains(*taken))
        continue;
    }
    for (Value result : user->getResults())
      if (Operation *outside = findUseOutside(leaf, result, known, visited))
        return outside;
  }
  return nullptr;
}

/// A guarded read holds its last value, so there must have been one.
static LogicalResult verifyHeldValues(LeafOp leaf) {
  for (Operation &op : leaf.getBlock()) {
    if (!isa<StreamReadOp, LoadOp>(op) || !getGuard(&op))
      continue;
    IterationBox box = getBox(leaf, &op);
    if (box.containsFirst())
      continue;
    llvm::SmallDenseSet<Value> visited;
    if (Operation *use = findUseOutside(leaf, op.getResult(0), box, visited))
      return op.emitOpError("[leaf.first] the guard does not hold in the first iteration, and the "
                            "value is used where nothing was read yet")
                 .attachNote(use->getLoc())
             << "used here in iterations outside the guard";
  }
  return success();
}

LogicalResult LeafOp::verifyRegions() {
  if (failed(verifyOperations(*this)) || failed(verifyOneToken<StreamReadOp>(*this, "reads")) ||
      failed(verifyOneToken<StreamWriteOp>(*this, "writes")))
    return failure();
  if (failed(verifyHeldValues(*this)))
    return failure();
  return verifyLeafSchedule(*this);
}
