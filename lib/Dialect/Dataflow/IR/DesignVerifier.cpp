//===- DesignVerifier.cpp - Laws of a design as a graph -------------------===//
//
// One writer and one reader for every FIFO and every block buffer, as many tokens
// and blocks written as read, and one order of tokens at both ends.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "streamtensor/Dialect/Dataflow/IR/DesignGraph.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// Operations and buffers by themselves
//===----------------------------------------------------------------------===//

static LogicalResult verifyOperations(DesignOp design) {
  for (Operation &op : *design.getBody().begin())
    if (!isa<ChannelOp, InterfaceOp, PortOp, ScalarOp, StreamOp, StreamCastOp, BufferOp, LeafOp>(
            op))
      return op.emitOpError(
          "[design.body] cannot stand in a design; a design holds ports, scalars, "
          "FIFOs, block buffers and leaf tasks");
  return success();
}

LogicalResult streamtensor::dataflow::verifyPartition(Operation *op, StorageAttr storage,
                                                      ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> partition = storage.getPartition();
  if (partition.empty())
    return success();
  if (partition.size() != shape.size())
    return op->emitOpError("[design.storage] the partition has ")
           << partition.size() << " factors for a memory of rank " << shape.size();
  for (auto [dim, factor] : llvm::enumerate(partition))
    if (factor < 1 || factor > shape[dim])
      return op->emitOpError("[design.storage] partition factor ")
             << factor << " of dimension " << dim << " must lie between 1 and its extent "
             << shape[dim];
    else if (storage.getWord() > 1 && shape[dim] % factor != 0)
      return op->emitOpError("[design.storage] words of ")
             << factor << " elements do not make up the " << shape[dim] << " of dimension " << dim;
  return success();
}

LogicalResult BufferOp::verify() {
  if (getBlocks() < 1 || static_cast<int64_t>(getBlocks()) < 0)
    return emitOpError("[design.buffer] has ")
           << static_cast<int64_t>(getBlocks()) << " blocks, it must have at least one";
  if (!getStorage())
    return success();
  if (failed(verifyPartition(*this, *getStorage(), getType().getShape())))
    return failure();
  return verifyStorage(*this, *getStorage());
}

/// A FIFO whose memory is chosen states its depth and its latency.
LogicalResult StreamOp::verify() {
  bool isBuilt = getMemory() != MemoryKind::Unset;
  if (isBuilt != getLatency().has_value())
    return emitOpError("[design.fifo] a FIFO states both its memory and its latency, or neither");
  if (isBuilt && static_cast<int64_t>(*getLatency()) < 1)
    return emitOpError("[design.fifo] a token can be read in the cycle after its write at the "
                       "earliest: the latency is at least 1");
  // Of a design that is several kernels, its ends decide what it is.
  auto design = dyn_cast<DesignOp>((*this)->getParentOp());
  return design && design.getPerDie() ? success() : verifyFifo(*this);
}

//===----------------------------------------------------------------------===//
// FIFOs
//===----------------------------------------------------------------------===//

namespace {
/// The accesses to one end of a FIFO.
struct StreamEnd {
  llvm::SmallSetVector<Operation *, 2> leaves;
  SmallVector<Operation *> accesses;
  ScalarPolynomial tokens;
};
} // namespace

template <typename Access> static StreamEnd getEnd(StreamOp stream) {
  StreamEnd end;
  for (AccessOpInterface user : getAccesses(stream)) {
    auto access = dyn_cast<Access>(*user);
    if (!access)
      continue;
    end.leaves.insert(getLeaf(access));
    end.accesses.push_back(access);
    LeafBoxes boxes(getNest(access));
    end.tokens = end.tokens +
                 boxes.getNumIterations(*boxes.getBox(access.getGuard().value_or(IntegerSet())));
  }
  return end;
}

static LogicalResult verifyOneLeaf(Operation *channel, ArrayRef<Operation *> leaves, StringRef kind,
                                   StringRef name, StringRef verb, StringRef remedy) {
  if (leaves.size() == 1)
    return success();
  InFlightDiagnostic error = channel->emitOpError("[design.ends] ")
                             << kind << " '" << name << "' is " << verb << " by " << leaves.size()
                             << " leaf tasks, it must be exactly one; " << remedy;
  for (Operation *leaf : leaves)
    error.attachNote(leaf->getLoc()) << verb << " by leaf '" << cast<LeafOp>(leaf).getName() << "'";
  return error;
}

/// Do both types send the same elements in the same order?
static bool haveSameElementOrder(itensor::ITensorType lhs, itensor::ITensorType rhs) {
  return lhs == rhs || itensor::getElementOrder(lhs) == itensor::getElementOrder(rhs);
}

/// The order that the accesses of one end agree on, or null if none states it.
static FailureOr<itensor::ITensorType> getOrder(const StreamEnd &end) {
  itensor::ITensorType order;
  for (Operation *access : end.accesses) {
    itensor::ITensorType stated = dataflow::getOrder(cast<AccessOpInterface>(access));
    if (!stated)
      continue;
    if (order && !haveSameElementOrder(order, stated))
      return access->emitOpError("[design.order] states another order than an earlier access of "
                                 "the same leaf to this FIFO");
    order = stated;
  }
  return order;
}

/// A FIFO joins only leaves that agree on the order of elements. Data dimensions may be
/// regrouped in between, which changes the type and no order.
static LogicalResult verifyOrder(StreamOp stream, const StreamEnd &writer,
                                 const StreamEnd &reader) {
  FailureOr<itensor::ITensorType> written = getOrder(writer), read = getOrder(reader);
  if (failed(written) || failed(read))
    return failure();
  if (!*written || !*read || haveSameElementOrder(*written, *read))
    return success();
  InFlightDiagnostic error = stream.emitOpError("[design.order] FIFO '")
                             << stream.getName() << "' is written in the order of " << *written
                             << " and read in the order of " << *read
                             << "; put a converter between them";
  error.attachNote(writer.accesses.front()->getLoc()) << "written here";
  error.attachNote(reader.accesses.front()->getLoc()) << "read here";
  return error;
}

static LogicalResult verifyStream(StreamOp stream) {
  StreamEnd writer = getEnd<StreamWriteOp>(stream), reader = getEnd<StreamReadOp>(stream);
  if (failed(verifyOneLeaf(stream, writer.leaves.getArrayRef(), "FIFO", stream.getName(), "written",
                           "join several writers by a concat")) ||
      failed(verifyOneLeaf(stream, reader.leaves.getArrayRef(), "FIFO", stream.getName(), "read",
                           "several readers need a fork")))
    return failure();
  if (failed(verifyOrder(stream, writer, reader)))
    return failure();
  if (writer.tokens == reader.tokens)
    return verifyOrdering(stream);
  InFlightDiagnostic error = stream.emitOpError("[design.tokens] ")
                             << writer.tokens.str() << " tokens are written to FIFO '"
                             << stream.getName() << "' and " << reader.tokens.str()
                             << " are read from it in one activation";
  error.attachNote(writer.leaves.front()->getLoc())
      << "leaf '" << cast<LeafOp>(writer.leaves.front()).getName() << "' writes "
      << writer.tokens.str();
  error.attachNote(reader.leaves.front()->getLoc())
      << "leaf '" << cast<LeafOp>(reader.leaves.front()).getName() << "' reads "
      << reader.tokens.str();
  return error;
}

//===----------------------------------------------------------------------===//
// Block buffers
//===----------------------------------------------------------------------===//

namespace {
/// The leaves at one end of a block buffer and the blocks they acquire.
struct BufferEnd {
  SmallVector<Operation *> leaves;
  ScalarPolynomial blocks;
};
} // namespace

/// A block is acquired once per iteration of the loops outside its level.
static ScalarPolynomial countBlocks(LeafOp leaf, int64_t level) {
  LeafBoxes boxes(leaf);
  return boxes.getNumIterations(ScalarBox(ArrayRef(boxes.getWhole()).take_front(level)));
}

static std::pair<BufferEnd, BufferEnd> getEnds(BufferOp buffer) {
  BufferEnd writer, reader;
  llvm::SetVector<Operation *> users(llvm::from_range, buffer.getResult().getUsers());
  for (Operation *user : users) {
    auto leaf = dyn_cast<LeafOp>(user);
    if (!leaf)
      continue;
    for (const Acquire &acquire : getAcquires(leaf)) {
      if (acquire.buffer != buffer.getResult())
        continue;
      BufferEnd &end = acquire.isWrite ? writer : reader;
      end.leaves.push_back(leaf);
      end.blocks = end.blocks + countBlocks(leaf, acquire.level);
    }
  }
  return {writer, reader};
}

static LogicalResult verifyBuffer(BufferOp buffer) {
  auto [writer, reader] = getEnds(buffer);
  if (failed(verifyOneLeaf(buffer, writer.leaves, "buffer", buffer.getName(), "written",
                           "a block has one writer")) ||
      failed(verifyOneLeaf(buffer, reader.leaves, "buffer", buffer.getName(), "read",
                           "several readers need a buffer each, filled from a fork")))
    return failure();
  if (writer.blocks == reader.blocks)
    return success();
  return buffer.emitOpError("[design.blocks] ")
         << writer.blocks.str() << " blocks of buffer '" << buffer.getName() << "' are written and "
         << reader.blocks.str() << " are read in one activation";
}

/// A die is one of the card, and a block lies on one die with the leaves at its ends.
static LogicalResult verifyDies(DesignOp design) {
  if (!findDevice(design))
    return success();
  const DeviceModel &device = **getDevice(design);
  for (auto leaf : design.getOps<LeafOp>()) {
    std::optional<StringRef> name = leaf.getDie();
    if (name && llvm::none_of(device.getDies(), [&](const Die &die) { return die.name == *name; }))
      return leaf.emitOpError("[leaf.die] device '")
             << device.getName() << "' has no die '" << *name << "'";
  }
  for (auto buffer : design.getOps<BufferOp>()) {
    llvm::SmallSetVector<Attribute, 2> dies;
    SmallVector<Operation *> users(buffer->getUsers()); // the last use first
    for (Operation *user : llvm::reverse(users))
      if (auto leaf = dyn_cast<LeafOp>(user))
        dies.insert(leaf.getDieAttr());
    if (dies.size() > 1)
      return buffer.emitOpError("[leaf.die] has its ends on ")
             << dies[0] << " and " << dies[1] << "; leaves that share a block share a die";
  }
  return success();
}

LogicalResult DesignOp::verifyRegions() {
  if (failed(verifyOperations(*this)) || failed(verifyPortsFirst(*this)) ||
      failed(verifyMasters(*this)) || failed(verifyScalars(*this)))
    return failure();
  for (Operation &op : *getBody().begin()) {
    LogicalResult result = llvm::TypeSwitch<Operation *, LogicalResult>(&op)
                               .Case(verifyStream)
                               .Case(verifyBuffer)
                               .Case(verifyInterface)
                               .Case(verifyPort)
                               .Default([](Operation *) { return success(); });
    if (failed(result))
      return failure();
  }
  return success(succeeded(verifyDies(*this)) && succeeded(verifyKernels(*this)) &&
                 succeeded(verifyCycles(*this)));
}
