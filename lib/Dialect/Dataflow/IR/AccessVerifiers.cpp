//===- AccessVerifiers.cpp - Laws of the accesses of a leaf task ----------===//
//
// Each access is checked by itself: the form of its guard and its map, its types,
// its direction, and that it stays in bounds in every iteration of its guard.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "streamtensor/Dialect/Dataflow/IR/Stripes.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

using namespace mlir;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// Laws that several accesses share
//===----------------------------------------------------------------------===//

/// The iterations in which the access happens; fails unless they are a non-empty box.
static FailureOr<ScalarBox> verifyGuard(Operation *op, std::optional<IntegerSet> guard) {
  LeafBoxes boxes(getNest(op));
  std::optional<ScalarBox> box = boxes.getBox(guard.value_or(IntegerSet()));
  if (!box)
    return op->emitOpError("[leaf.guard] the guard must be a set over the ")
           << getNest(op).getNumNestLoops()
           << " loop indices, each constraint comparing one of them with a constant"
           << (getLeaf(op).getScalars().empty()
                   ? ""
                   : " or an affine form of the scalars, which every value of them puts inside "
                     "the loop");
  if (boxes.isEmpty(*box))
    return op->emitOpError("[leaf.guard] the guard holds in no iteration; remove the access");
  return *box;
}

static LogicalResult verifyToken(Operation *op, Type value, StreamType stream) {
  if (value == stream.getElementType())
    return success();
  return op->emitOpError("[leaf.element] the FIFO carries ")
         << stream.getElementType() << ", the value has type " << value;
}

//===----------------------------------------------------------------------===//
// FIFOs
//===----------------------------------------------------------------------===//

LogicalResult StreamReadOp::verify() {
  if (failed(verifyGuard(*this, getGuard())))
    return failure();
  return verifyToken(*this, getResult().getType(), getStream().getType());
}

LogicalResult StreamWriteOp::verify() {
  if (failed(verifyGuard(*this, getGuard())))
    return failure();
  return verifyToken(*this, getValue().getType(), getStream().getType());
}

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

LogicalResult TupleOp::verify() {
  if (getMembers().getTypes() == cast<TupleType>(getType()).getTypes())
    return success();
  return emitOpError("[leaf.member] members of types ")
         << getMembers().getTypes() << " give no " << getType();
}

LogicalResult MemberOp::verify() {
  auto tuple = cast<TupleType>(getSource().getType());
  if (getIndex() >= tuple.size())
    return emitOpError("[leaf.member] ") << tuple << " has no member " << getIndex();
  if (getType() != tuple.getType(getIndex()))
    return emitOpError("[leaf.member] member ")
           << getIndex() << " of " << tuple << " has type " << tuple.getType(getIndex()) << ", not "
           << getType();
  return success();
}

/// member(tuple(a, b), 1) -> b
OpFoldResult MemberOp::fold(FoldAdaptor) {
  auto tuple = getSource().getDefiningOp<TupleOp>();
  return tuple ? tuple.getMembers()[getIndex()] : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

LogicalResult TestOp::verify() {
  IntegerSet set = getSet();
  unsigned loops = getNest(*this).getNumNestLoops();
  size_t scalars = getLeaf(*this).getScalars().size();
  if (set.getNumDims() == loops && set.getNumSymbols() <= scalars &&
      llvm::all_of(set.getConstraints(), isAffineInScalars))
    return success();
  return emitOpError("[leaf.guard] the set must take the ")
         << loops << " loop indices of the leaf" << (scalars ? " and its scalars" : "");
}

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

namespace {
/// What the three kinds of memory have in common.
struct Memory {
  ArrayRef<int64_t> shape;
  Type elementType;
};
} // namespace

static Memory getMemory(Type type) {
  return llvm::TypeSwitch<Type, Memory>(type)
      .Case<BufferType, PortType, PrivateType>(
          [](auto memory) { return Memory{memory.getShape(), memory.getElementType()}; })
      .Default([](Type) { return Memory{}; });
}

/// The extents of what an access moves: the vector's shape, or one element.
static FailureOr<SmallVector<int64_t>> verifyValueType(Operation *op, Type value,
                                                       const Memory &memory) {
  if (value == memory.elementType)
    return SmallVector<int64_t>(memory.shape.size(), 1);
  auto vector = dyn_cast<VectorType>(value);
  if (!vector || vector.getElementType() != memory.elementType)
    return op->emitOpError("[leaf.element] the memory holds ")
           << memory.elementType << ", the value has type " << value;
  if (vector.getRank() != static_cast<int64_t>(memory.shape.size()))
    return op->emitOpError("[leaf.element] the value ")
           << value << " names a box of rank " << vector.getRank() << ", the memory has rank "
           << memory.shape.size();
  return SmallVector<int64_t>(vector.getShape());
}

static LogicalResult verifyMap(Operation *op, AffineMap map, size_t rank) {
  unsigned loops = getNest(op).getNumNestLoops();
  size_t scalars = getLeaf(op).getScalars().size();
  if (map.getNumDims() != loops || map.getNumSymbols() > scalars || map.getNumResults() != rank)
    return op->emitOpError("[leaf.access] the map must take the ")
           << loops << " loop indices of the leaf" << (scalars ? " and its scalars" : "")
           << " to the " << rank << " indices of the memory";
  if (!llvm::all_of(map.getResults(), isAffineInScalars))
    return op->emitOpError("[leaf.access] 'mod' and 'floordiv' need positive constants")
           << (scalars ? ", '*' a constant" : "");
  return success();
}

static LogicalResult verifyBounds(Operation *op, AffineMap map, const ScalarBox &box,
                                  ArrayRef<int64_t> extents, ArrayRef<int64_t> shape) {
  LeafBoxes boxes(getNest(op));
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    IndexRange allowed{0, shape[dim] - extents[dim]};
    if (boxes.staysWithin(map.getResult(dim), box, allowed))
      continue;
    IndexRange reached = boxes.getRange(map.getResult(dim), box);
    return op->emitOpError("[leaf.bounds] dimension ")
           << dim << " of the memory has extent " << shape[dim] << ", the access reaches indices "
           << reached.low << " to " << reached.high + extents[dim] - 1;
  }
  return success();
}

static LogicalResult verifyMemoryAccess(Operation *op, Type value, Value memoryValue, AffineMap map,
                                        std::optional<IntegerSet> guard) {
  Memory memory = getMemory(memoryValue.getType());
  FailureOr<ScalarBox> box = verifyGuard(op, guard);
  if (failed(box) || failed(verifyMap(op, map, memory.shape.size())))
    return failure();
  FailureOr<SmallVector<int64_t>> extents = verifyValueType(op, value, memory);
  if (failed(extents))
    return failure();
  return verifyBounds(op, map, *box, *extents, memory.shape);
}

/// A port is used in its own direction only.
static LogicalResult verifyDirection(Operation *op, Value memory, Direction allowed) {
  auto port = memory.getDefiningOp<PortOp>();
  if (!port || port.getDirection() == allowed || port.getDirection() == Direction::InOut)
    return success();
  return op->emitOpError("[leaf.direction] port '")
         << port.getName() << "' is declared '" << stringifyDirection(port.getDirection())
         << "', it cannot be " << (allowed == Direction::In ? "loaded" : "stored");
}

/// A block is used only while it is held.
static LogicalResult verifyAcquired(Operation *op, Value memory, OperandRange acquired,
                                    StringRef use) {
  if (!isa<BufferType>(memory.getType()) || llvm::is_contained(acquired, memory))
    return success();
  return op->emitOpError("[leaf.acquire] the leaf does not acquire this buffer for ")
         << use << "; name it in '" << (use == "reading" ? "reads" : "writes") << "(…)'";
}

/// Words move what the access moves, and are no wider than the port.
static LogicalResult verifyWords(AccessOpInterface access, std::optional<WordsAttr> words) {
  if (!words)
    return success();
  auto port = access.getChannel().getDefiningOp<PortOp>();
  if (!port || !port.getInterface())
    return access->emitOpError(
        "[leaf.words] only an access to a port with an interface moves words");
  int64_t stripes = countMovedStripes(access);
  int64_t moved = words->getCount() * words->getUsed() * stripes;
  if (moved != access.getNumElements())
    return access->emitOpError("[leaf.words] ")
           << words->getCount() << " words with " << words->getUsed() << " elements each"
           << (stripes > 1 ? " on each of " + std::to_string(stripes) + " stripes" : "") << " move "
           << moved << " elements, the access moves " << access.getNumElements();
  if (port.getNumStripes() > 1 && words->getUsed() != words->getLanes())
    return access->emitOpError("[leaf.words] the words of a striped port hold no padding");
  int64_t bits = words->getLanes() * getStorageBits(port);
  if (words->getLanes() > 1 && bits > port.getInterface()->getBits())
    return access->emitOpError("[leaf.words] a word of ")
           << bits << " bits is wider than the " << port.getInterface()->getBits() << " of port '"
           << port.getName() << "'";
  return success();
}

/// A striped port is moved in whole rows: one beat of every stripe together is one of them. What
/// one stripe holds of a row can be stored alone.
static LogicalResult verifyStripes(AccessOpInterface access) {
  auto port = access.getChannel().getDefiningOp<PortOp>();
  if (!port || port.getNumStripes() == 1)
    return success();
  int64_t row = port.getType().getShape().back();
  int64_t part = row / port.getNumStripes();
  bool isPart = access.isWrite() && access.getBox().back() == part &&
                access.getPlace().getResults().back().isMultipleOf(part);
  if (access.getBox().back() == row || isPart)
    return success();
  return access->emitOpError("[leaf.stripes] moves ")
         << access.getBox().back() << " elements of a row of " << row << "; port '"
         << port.getName() << "' is striped over " << port.getNumStripes()
         << " interfaces, which hold a part of each row: an access moves whole rows, or stores one "
            "of the parts of "
         << part << " elements";
}

/// A row that the data decide is one element of a port's first dimension, which the map leaves out.
static LogicalResult verifyRow(LoadOp op) {
  if (!op.getRow())
    return success();
  auto port = dyn_cast<PortType>(op.getMemory().getType());
  if (!port || port.getShape().empty())
    return op.emitOpError("[leaf.row] only a port has rows that the data decide; fill a block and "
                          "read it by its loops");
  AffineExpr first = op.getMap().getNumResults() ? op.getMap().getResult(0) : AffineExpr();
  auto vector = dyn_cast<VectorType>(op.getResult().getType());
  if (first != getAffineConstantExpr(0, op.getContext()) || (vector && vector.getDimSize(0) != 1))
    return op.emitOpError("[leaf.row] the access takes one row: the map gives 0 for the first "
                          "index and the value has extent 1 there");
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyDirection(*this, getMemory(), Direction::In)) ||
      failed(verifyAcquired(*this, getMemory(), getLeaf(*this).getReads(), "reading")))
    return failure();
  if (failed(verifyMemoryAccess(*this, getResult().getType(), getMemory(), getMap(), getGuard())) ||
      failed(verifyWords(*this, getWords())) || failed(verifyStripes(*this)))
    return failure();
  return verifyRow(*this);
}

LogicalResult StoreOp::verify() {
  if (failed(verifyDirection(*this, getMemory(), Direction::Out)) ||
      failed(verifyAcquired(*this, getMemory(), getLeaf(*this).getWrites(), "writing")))
    return failure();
  if (failed(verifyMemoryAccess(*this, getValue().getType(), getMemory(), getMap(), getGuard())) ||
      failed(verifyWords(*this, getWords())))
    return failure();
  return verifyStripes(*this);
}
