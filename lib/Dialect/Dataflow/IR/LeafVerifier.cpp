//===- LeafVerifier.cpp - Laws of a leaf task -----------------------------===//
//
// The nest, the acquired blocks, the operations that a body may hold, and what
// only the body as a whole tells: one token per FIFO and iteration, and no use of
// a value that was not yet read.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"
#include "streamtensor/Dialect/Dataflow/IR/ReuseDistance.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// Nest and blocks
//===----------------------------------------------------------------------===//

/// Of a leaf or of one of its nests.
template <typename Nest> static LogicalResult verifyLoops(Nest op) {
  for (auto [loop, trips] : llvm::enumerate(op.getTrips()))
    if (trips < 1)
      return op.emitOpError("[leaf.nest] loop ")
             << loop << " makes " << trips << " trips, it must make at least one";
  double iterations = 1;
  for (int64_t trips : op.getLoopTrips())
    iterations *= trips;
  if (iterations > 4e18)
    return op.emitOpError("[leaf.nest] the number of iterations does not fit into 62 bits");
  if (static_cast<int64_t>(op.getIi()) < 0 || static_cast<int64_t>(op.getDepth()) < 0)
    return op.emitOpError("[leaf.schedule] 'ii' and 'depth' are cycles, they cannot be negative");
  size_t loops = op.getTrips().size();
  if (op.getBlock().getNumArguments() < loops)
    return op.emitOpError("[leaf.nest] has ")
           << loops << " loops but " << op.getBlock().getNumArguments() << " block arguments";
  for (BlockArgument index : op.getBlock().getArguments().take_front(loops))
    if (!index.getType().isIndex())
      return op.emitOpError("[leaf.nest] block argument ")
             << index.getArgNumber() << " is the index of a loop, its type is " << index.getType();
  return success();
}

static LogicalResult verifyPrivates(LeafOp leaf) {
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
  if (failed(verifyLoops(*this)) || failed(verifyPrivates(*this)) ||
      failed(verifyAcquires(*this, getReads(), getReadLevels(), "'reads'")) ||
      failed(verifyAcquires(*this, getWrites(), getWriteLevels(), "'writes'")))
    return failure();
  if (int64_t serial = getSerial(); serial < 0 || serial > getNumLoops())
    return emitOpError("[leaf.level] runs ")
           << serial << " loops one trip after the other in a nest of " << getNumLoops()
           << " loops";
  if (failed(verifyCounts(*this)))
    return failure();
  llvm::SmallDenseSet<Value> seen;
  for (Value buffer :
       llvm::concat<Value>(llvm::to_vector(getReads()), llvm::to_vector(getWrites())))
    if (!seen.insert(buffer).second)
      return emitOpError("[leaf.level] acquires a buffer twice");
  return success();
}

//===----------------------------------------------------------------------===//
// Lists of nests
//===----------------------------------------------------------------------===//

LogicalResult NestOp::verify() {
  if (failed(verifyLoops(*this)) || failed(verifyCounts(*this)))
    return failure();
  if (getBlock().getNumArguments() > getTrips().size())
    return emitOpError("[leaf.nest] block argument ")
           << getTrips().size() << " is no index of a loop; private memories belong to the leaf";
  if (getLeaf().getTogether() && (getIi() > 0 || getDepth() > 0 || getLimit()))
    return emitOpError("[leaf.nests] runs together with others: the interval and the depth are "
                       "those of the leaf");
  return success();
}

/// A leaf holds a straight-line body, or nests and nothing else.
static LogicalResult verifyNests(LeafOp leaf) {
  if (!leaf.hasNests()) {
    if (leaf.getTogether())
      return leaf.emitOpError("[leaf.nests] only nests run together; the leaf has none");
    return success();
  }
  llvm::StringSet<> names;
  int64_t before = 0;
  for (Operation &op : leaf.getBlock()) {
    auto nest = dyn_cast<NestOp>(op);
    if (!nest)
      return op.emitOpError("[leaf.nests] stands beside nests; a leaf holds a straight-line body, "
                            "or nests and nothing else");
    if (!names.insert(nest.getName()).second)
      return nest.emitOpError("[leaf.nests] a second nest is named '") << nest.getName() << "'";
    int64_t lag = nest.getLag(), most = names.size() == 1 || !leaf.getTogether() ? 0 : before + 1;
    if (lag < before || lag > most)
      return nest.emitOpError("[leaf.nests] has a lag of ")
             << lag << "; the first nest has none, each other one as much as the nest before it or "
             << "one block more, and nests that run one after the other have none";
    before = lag;
  }
  if (!leaf.getTogether() && (leaf.getIi() > 0 || leaf.getDepth() > 0 || leaf.getLimit()))
    return leaf.emitOpError("[leaf.nests] its nests run one after the other: each states an "
                            "interval and a depth of its own");
  return success();
}

/// How far accesses of nests with lag are apart depends on the counts of all of them.
static LogicalResult verifyCountChoices(LeafOp leaf) {
  if (!leaf.getTogether() || getCountChoices(leaf))
    return success();
  return leaf.emitOpError("[leaf.counts] the nests run together with too many choices of counts: "
                          "how far accesses are apart is found for each of them");
}

/// Nests with lag are at different blocks: two of them would mix the tokens of these.
static LogicalResult verifyFifosOfNests(LeafOp leaf) {
  if (!leaf.getTogether())
    return success();
  llvm::DenseMap<std::pair<Value, unsigned>, AccessOpInterface> first;
  for (AccessOpInterface access : getAccesses(leaf)) {
    if (!access.isToken())
      continue;
    AccessOpInterface other =
        first.try_emplace({access.getChannel(), access.isWrite()}, access).first->second;
    if (getNest(other) != getNest(access))
      return access->emitOpError("[leaf.nests] another nest of the leaf ")
                 .append(access.isWrite() ? "writes" : "reads",
                         " this FIFO; nests that run together are at different blocks, so their "
                         "tokens would mix")
                 .attachNote(other->getLoc())
             << "the other access";
  }
  return success();
}

/// A nest is ahead of those with more lag, so what it touches in a memory is no part of a block
/// that these have still to take, or to give. Two halves serve blocks that alternate over all of
/// them between two drains: not three in each of two rows.
static LogicalResult verifyBlocksOfNests(LeafOp leaf) {
  if (!leaf.getTogether())
    return success();
  llvm::MapVector<Value, SmallVector<AccessOpInterface>> ofMemory;
  for (AccessOpInterface access : getAccesses(leaf))
    if (isa<PrivateType>(access.getChannel().getType()))
      ofMemory[access.getChannel()].push_back(access);
  auto getLag = [](AccessOpInterface access) {
    return cast<NestOp>(getNest(access).getOperation()).getLag();
  };
  for (auto &[memory, accesses] : ofMemory)
    for (AccessOpInterface first : accesses)
      for (AccessOpInterface second : accesses)
        if (getLag(first) < getLag(second) && (first.isWrite() || second.isWrite()) &&
            meetOutOfOrder(first, second))
          return first->emitOpError("[leaf.blocks] runs ahead into what another nest has still to ")
                     .append(second.isWrite() ? "write" : "read",
                             " of an earlier block: that needs a memory for each block on the way, "
                             "or a "
                             "drain between them")
                     .attachNote(second->getLoc())
                 << "the other access";
  return success();
}

/// A port is one argument of the leaf in C++, so all nests see words of one width.
static LogicalResult verifyWordsOfPorts(LeafOp leaf) {
  llvm::DenseMap<Value, AccessOpInterface> first;
  for (AccessOpInterface access : getAccesses(leaf)) {
    WordsAttr words = access.getWordsAttr();
    if (!words)
      continue;
    AccessOpInterface other = first.try_emplace(access.getChannel(), access).first->second;
    WordsAttr before = other.getWordsAttr();
    if (before.getLanes() != words.getLanes() || before.getBurst() != words.getBurst())
      return access->emitOpError("[leaf.words] moves words of ")
                 .append(words.getLanes(), " elements in bursts of ", words.getBurst(),
                         ", another access of the leaf to this port words of ", before.getLanes(),
                         " in bursts of ", before.getBurst())
                 .attachNote(other->getLoc())
             << "the other access";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

static bool isAllowed(Operation &op) {
  if (isa<AccessOpInterface, TestOp, TupleOp, MemberOp, ExternStepOp>(op))
    return true;
  if (isa<vector::BroadcastOp, vector::ShapeCastOp, vector::TransposeOp, vector::ExtractOp,
          vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp, vector::FromElementsOp,
          vector::StepOp>(op))
    return true;
  return isa<arith::ArithDialect, math::MathDialect>(op.getDialect());
}

static LogicalResult verifyOperations(NestOpInterface nest) {
  for (Operation &op : nest.getOperations())
    if (!isAllowed(op))
      return op.emitOpError("[leaf.body] cannot stand in a leaf task; a body holds FIFO and memory "
                            "accesses, arith, math and lane operations of vector")
                 .attachNote(nest.getLeaf().getLoc())
             << "in leaf '" << nest.getLeaf().getName() << "'";
  return success();
}

/// The box of a guard that its own verifier has accepted.
static ScalarBox getBox(const LeafBoxes &boxes, Operation *access) {
  return *boxes.getBox(cast<AccessOpInterface>(access).getGuardSet());
}

/// At most one token per FIFO and direction in an iteration.
template <typename Access>
static LogicalResult verifyOneToken(NestOpInterface nest, StringRef verb) {
  llvm::MapVector<Value, SmallVector<Access>> accesses;
  LeafBoxes boxes(nest);
  for (Access access : nest.getOperations().getOps<Access>()) {
    for (Access other : accesses[access.getFifo()])
      if (!boxes.exclude(getBox(boxes, access), getBox(boxes, other)))
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
static std::optional<ScalarBox> getTakenBox(const LeafBoxes &boxes, arith::SelectOp select,
                                            Value value) {
  auto test = select.getCondition().getDefiningOp<TestOp>();
  if (!test || select.getTrueValue() == select.getFalseValue())
    return std::nullopt;
  std::optional<ScalarBox> box = boxes.getBox(test.getSet());
  if (!box || value == select.getTrueValue())
    return box;
  return boxes.getComplement(*box);
}

/// Is `value`, which is defined in iterations `known` (and later ones), used only
/// there? Follows it through arithmetic to guarded accesses and selects.
static Operation *findUseOutside(const LeafBoxes &boxes, Value value, const ScalarBox &known,
                                 llvm::SmallDenseSet<Value> &visited) {
  if (!visited.insert(value).second)
    return nullptr;
  for (Operation *user : value.getUsers()) {
    // A hand-written kernel takes a token where its port has one, and nowhere else.
    if (isa<ExternStepOp>(user))
      continue;
    if (isa<StreamWriteOp, StoreOp>(user)) {
      if (!boxes.contains(known, getBox(boxes, user)))
        return user;
      continue;
    }
    if (auto select = dyn_cast<arith::SelectOp>(user)) {
      std::optional<ScalarBox> taken = getTakenBox(boxes, select, value);
      if (taken && boxes.contains(known, *taken))
        continue;
    }
    for (Value result : user->getResults())
      if (Operation *outside = findUseOutside(boxes, result, known, visited))
        return outside;
  }
  return nullptr;
}

/// A guarded read holds its last value, so there must have been one.
static LogicalResult verifyHeldValues(NestOpInterface nest) {
  LeafBoxes boxes(nest);
  for (Operation &op : nest.getOperations()) {
    if (!isa<StreamReadOp, LoadOp>(op) || !cast<AccessOpInterface>(op).getGuardSet())
      continue;
    ScalarBox box = getBox(boxes, &op);
    if (boxes.containsFirst(box))
      continue;
    llvm::SmallDenseSet<Value> visited;
    if (Operation *use = findUseOutside(boxes, op.getResult(0), box, visited))
      return op.emitOpError("[leaf.first] the guard does not hold in the first iteration, and the "
                            "value is used where nothing was read yet")
                 .attachNote(use->getLoc())
             << "used here in iterations outside the guard";
  }
  return success();
}

LogicalResult LeafOp::verifyRegions() {
  if (failed(verifyNests(*this)))
    return failure();
  if (failed(verifyCountChoices(*this)))
    return failure();
  for (NestOpInterface nest : getNests())
    if (failed(verifyOperations(nest)) || failed(verifyScalarUses(nest)) ||
        failed(verifyOneToken<StreamReadOp>(nest, "reads")) ||
        failed(verifyOneToken<StreamWriteOp>(nest, "writes")) || failed(verifyHeldValues(nest)))
      return failure();
  if (failed(verifyFifosOfNests(*this)) || failed(verifyBlocksOfNests(*this)) ||
      failed(verifyWordsOfPorts(*this)))
    return failure();
  return verifyLeafSchedule(*this);
}
