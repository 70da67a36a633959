//===- AccessInterface.cpp - What an access of a leaf task moves ----------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Support/BitWidth.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

#include "streamtensor/Dialect/Dataflow/IR/DataflowInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// The four accesses
//===----------------------------------------------------------------------===//

Value StreamReadOp::getChannel() { return getFifo(); }
bool StreamReadOp::isWrite() { return false; }
Type StreamReadOp::getMovedType() { return getResult().getType(); }

Value StreamWriteOp::getChannel() { return getFifo(); }
bool StreamWriteOp::isWrite() { return true; }
Type StreamWriteOp::getMovedType() { return getValue().getType(); }

Value LoadOp::getChannel() { return getMemory(); }
bool LoadOp::isWrite() { return false; }
Type LoadOp::getMovedType() { return getResult().getType(); }
AffineMap LoadOp::getPlace() { return getMap(); }
void LoadOp::setPlace(AffineMap map) { setMap(map); }

Value StoreOp::getChannel() { return getMemory(); }
bool StoreOp::isWrite() { return true; }
Type StoreOp::getMovedType() { return getValue().getType(); }
AffineMap StoreOp::getPlace() { return getMap(); }
void StoreOp::setPlace(AffineMap map) { setMap(map); }

//===----------------------------------------------------------------------===//
// What they have in common
//===----------------------------------------------------------------------===//

bool AccessOpInterface::isToken() { return isa<StreamType>(getChannel().getType()); }

bool AccessOpInterface::isExternal() { return isa<PortType>(getChannel().getType()); }

SmallVector<int64_t> AccessOpInterface::getBox() {
  if (auto vector = dyn_cast<VectorType>(getMovedType()); vector && getPlace())
    return SmallVector<int64_t>(vector.getShape());
  return SmallVector<int64_t>(getPlace() ? getPlace().getNumResults() : 0, 1);
}

int64_t AccessOpInterface::getNumElements() {
  auto vector = dyn_cast<VectorType>(getMovedType());
  return vector ? vector.getNumElements() : 1;
}

SmallVector<AccessOpInterface> streamtensor::dataflow::getAccesses(NestOpInterface nest) {
  return llvm::to_vector(nest.getOperations().getOps<AccessOpInterface>());
}

SmallVector<AccessOpInterface> streamtensor::dataflow::getAccesses(LeafOp leaf) {
  SmallVector<AccessOpInterface> accesses;
  for (NestOpInterface nest : leaf.getNests())
    llvm::append_range(accesses, getAccesses(nest));
  return accesses;
}

static SmallVector<AccessOpInterface> getAccessesOf(Value stream) {
  SmallVector<AccessOpInterface> accesses;
  for (Operation *user : stream.getUsers()) // uses are listed last first
    if (auto view = dyn_cast<StreamCastOp>(user))
      llvm::append_range(accesses, llvm::reverse(getAccessesOf(view.getResult())));
    else if (auto access = dyn_cast<AccessOpInterface>(user))
      accesses.push_back(access);
  return {accesses.rbegin(), accesses.rend()};
}

SmallVector<AccessOpInterface> streamtensor::dataflow::getAccesses(StreamOp stream) {
  return getAccessesOf(stream.getResult());
}

SmallVector<Acquire> streamtensor::dataflow::getAcquires(LeafOp leaf) {
  SmallVector<Acquire> acquires;
  for (auto [buffer, level] : llvm::zip_equal(leaf.getReads(), leaf.getReadLevels()))
    acquires.push_back({buffer, level, false});
  for (auto [buffer, level] : llvm::zip_equal(leaf.getWrites(), leaf.getWriteLevels()))
    acquires.push_back({buffer, level, true});
  return acquires;
}

Value streamtensor::dataflow::getMemory(Operation *op) {
  auto access = dyn_cast<AccessOpInterface>(op);
  return access && !access.isToken() ? access.getChannel() : Value();
}

int64_t streamtensor::dataflow::getStorageBits(Type elementType) {
  return std::max<int64_t>(8, llvm::PowerOf2Ceil(getBitWidth(elementType)));
}

int64_t streamtensor::dataflow::getPackedBits(Type elementType) {
  bool isPart = elementType.isInteger(2) || elementType.isInteger(4);
  return isPart ? getBitWidth(elementType) : getStorageBits(elementType);
}

int64_t streamtensor::dataflow::getStorageBits(PortOp port) {
  Type element = port.getType().getElementType();
  int64_t bits = getPackedBits(element);
  bool fillBytes = llvm::all_of(port->getUsers(), [&](Operation *user) {
    auto access = dyn_cast<AccessOpInterface>(user);
    WordsAttr words = access ? access.getWordsAttr() : WordsAttr();
    return words && words.getLanes() * bits % 8 == 0;
  });
  return fillBytes ? bits : getStorageBits(element);
}

//===----------------------------------------------------------------------===//
// What operations of a body say
//===----------------------------------------------------------------------===//

void streamtensor::dataflow::rewriteSpace(Operation *op,
                                          function_ref<IntegerSet(IntegerSet)> rewriteSet,
                                          function_ref<AffineMap(AffineMap)> rewriteMap) {
  if (auto test = dyn_cast<TestOp>(op))
    test.setSet(rewriteSet(test.getSet()));
  auto access = dyn_cast<AccessOpInterface>(op);
  if (!access)
    return;
  if (IntegerSet guard = access.getGuardSet())
    access.setGuardSet(rewriteSet(guard));
  if (AffineMap place = access.getPlace())
    access.setPlace(rewriteMap(place));
}

static DataflowDialect *getDialect(Operation *op) {
  return op->getContext()->getLoadedDialect<DataflowDialect>();
}

TimingAttr streamtensor::dataflow::getTiming(Operation *op) {
  return getDialect(op)->getTimingAttrHelper().getAttr(op);
}

void streamtensor::dataflow::setTiming(Operation *op, TimingAttr timing) {
  getDialect(op)->getTimingAttrHelper().setAttr(op, timing);
}

streamtensor::itensor::ITensorType streamtensor::dataflow::getOrder(AccessOpInterface access) {
  TypeAttr order = getDialect(access)->getOrderAttrHelper().getAttr(access);
  return order ? cast<itensor::ITensorType>(order.getValue()) : itensor::ITensorType();
}

void streamtensor::dataflow::setOrder(AccessOpInterface access, itensor::ITensorType order) {
  auto helper = getDialect(access)->getOrderAttrHelper();
  if (order)
    helper.setAttr(access, TypeAttr::get(order));
  else if (helper.isAttrPresent(access))
    helper.removeAttr(access);
}
