//===- PortVerifiers.cpp - Laws of channels, interfaces and ports ---------===//
//
// What is declared about external memory: who may share an interface, how a tensor is striped, and
// what orders the reads and writes of a tensor that is both.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/ChannelFacts.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;
using EmitError = function_ref<InFlightDiagnostic()>;

std::optional<InterfaceAttr> PortOp::getInterface() {
  if (getInterfaces().empty())
    return std::nullopt;
  return getInterfaces().front().getDefiningOp<InterfaceOp>().getFacts();
}

PortType PortOp::getStripeType() {
  SmallVector<int64_t> shape(getType().getShape());
  if (getNumStripes() > 1)
    shape.back() /= getNumStripes();
  return PortType::get(getContext(), shape, getType().getElementType());
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

LogicalResult ChannelAttr::verify(EmitError emitError, int64_t bits, int64_t khz, int64_t peak,
                                  int64_t sustained, int64_t cyclesKhz) {
  if (bits < 8 || khz < 1 || sustained < 1 || cyclesKhz < 1)
    return emitError() << "[design.channel] a channel has bits, clocks and rates above 0";
  if (sustained > peak)
    return emitError() << "[design.channel] sustains " << sustained
                       << " MB/s, more than its peak of " << peak;
  // Bytes per microsecond are bits / 8 x kHz / 1000.
  if (peak * 8000 > bits * khz)
    return emitError() << "[design.channel] " << bits << " bits at " << khz
                       << " kHz cannot give a peak of " << peak << " MB/s";
  return success();
}

ChannelAttr dataflow::getChannelFacts(MLIRContext *context, const DeviceModel &device) {
  const ExternalMemoryModel &memory = device.externalMemory();
  return ChannelAttr::get(context, memory.channelBits, std::llround(memory.channelMHz * 1000),
                          std::llround(memory.peakBytesPerSecond / 1e6),
                          std::llround(memory.sustainedBytesPerSecond / 1e6),
                          std::llround(device.getClockMHz() * 1000));
}

/// A channel is one of the card, and gives what the card's file says.
static LogicalResult verifyChannel(ChannelOp channel) {
  if (!findDevice(channel))
    return success();
  const DeviceModel &device = **getDevice(channel);
  const ExternalMemoryModel &memory = device.externalMemory();
  int64_t number = channel.getNumber();
  if (channel.getMemory() != memory.kind || number < 0 || number >= memory.channels)
    return channel.emitOpError("[design.channel] device '")
           << device.getName() << "' has the channels " << memory.kind << "[0] to " << memory.kind
           << '[' << memory.channels - 1 << "], not " << channel.getMemory() << '[' << number
           << ']';
  ChannelAttr facts = getChannelFacts(channel.getContext(), device);
  if (channel.getFacts() == facts)
    return success();
  return channel.emitOpError("[design.channel] a channel of device '")
         << device.getName() << "' is " << facts << ", another is stated";
}

/// AXI masters, and those bound to one channel, are at most as many as the card has.
LogicalResult dataflow::verifyMasters(DesignOp design) {
  if (!findDevice(design))
    return success();
  const DeviceModel &device = **getDevice(design);
  const ExternalMemoryModel &memory = device.externalMemory();
  int64_t masters = llvm::range_size(design.getOps<InterfaceOp>());
  if (masters > memory.masters)
    return design.emitOpError("[design.masters] has ")
           << masters << " AXI masters and device '" << device.getName() << "' takes "
           << memory.masters
           << ": concatenate tensors that are read alike, or compile parts of the module as "
              "designs "
              "of their own";
  for (auto channel : design.getOps<ChannelOp>())
    if (int64_t ports = llvm::range_size(channel->getUsers()); ports > memory.portsPerChannel)
      return channel.emitOpError("[design.masters] serves ")
             << ports << " masters; a channel of device '" << device.getName() << "' takes "
             << memory.portsPerChannel << ": bind some of them to other channels";
  return success();
}

//===----------------------------------------------------------------------===//
// Places and names
//===----------------------------------------------------------------------===//

/// What is declared about memory comes first; ports in the order of a launch's operands and
/// results.
LogicalResult dataflow::verifyPortsFirst(DesignOp design) {
  llvm::StringSet<> ports, interfaces;
  llvm::DenseSet<std::pair<StringAttr, int64_t>> channels;
  bool seenOther = false;
  auto rank = [](Direction way) {
    return way == Direction::In ? 0 : way == Direction::InOut ? 1 : 2;
  };
  int seen = 0;
  for (Operation &op : *design.getBody().begin()) {
    if (!isa<ChannelOp, InterfaceOp, PortOp>(op)) {
      seenOther = true;
      continue;
    }
    if (seenOther)
      return op.emitOpError("[design.ports] channels, interfaces and ports are declared first");
    if (auto channel = dyn_cast<ChannelOp>(op);
        channel && !channels.insert({channel.getMemoryAttr(), channel.getNumber()}).second)
      return channel.emitOpError("[design.channel] declares a channel a second time");
    if (auto channel = dyn_cast<ChannelOp>(op); channel && failed(verifyChannel(channel)))
      return failure();
    if (auto interface = dyn_cast<InterfaceOp>(op);
        interface && !interfaces.insert(interface.getName()).second)
      return interface.emitOpError("[design.ports] a second interface is named '")
             << interface.getName() << "'";
    auto port = dyn_cast<PortOp>(op);
    if (!port)
      continue;
    if (rank(port.getDirection()) < seen)
      return port.emitOpError("[design.ports] ports are declared first, 'in' before 'inout' before "
                              "'out'");
    seen = rank(port.getDirection());
    if (!ports.insert(port.getName()).second)
      return port.emitOpError("[design.ports] a second port is named '") << port.getName() << "'";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Who reads and writes
//===----------------------------------------------------------------------===//

namespace {
/// Leaves that load from and store to external memory, in program order.
struct Users {
  llvm::SmallSetVector<Operation *, 2> readers, writers;

  void add(Value port) {
    SmallVector<Operation *> users(port.getUsers()); // the last use first
    for (Operation *user : llvm::reverse(users))
      if (isa<LoadOp>(user))
        readers.insert(getLeaf(user));
      else if (isa<StoreOp>(user))
        writers.insert(getLeaf(user));
  }
};
} // namespace

static Users getUsers(PortOp port) {
  Users users;
  users.add(port.getResult());
  return users;
}

static LogicalResult reportCrowd(InFlightDiagnostic error, ArrayRef<Operation *> leaves,
                                 StringRef verb) {
  for (Operation *leaf : leaves)
    error.attachNote(leaf->getLoc()) << verb << " by leaf '" << cast<LeafOp>(leaf).getName() << "'";
  return error;
}

/// A master has one width, and each way one limit on the length of bursts and on their number.
static LogicalResult verifyWords(InterfaceOp interface, ArrayRef<Operation *> accesses) {
  std::optional<int64_t> known;
  WordsAttr before[2];
  for (Operation *op : accesses) {
    auto access = cast<AccessOpInterface>(op);
    WordsAttr words = access.getWordsAttr();
    if (!words)
      continue;
    int64_t bits = words.getLanes() * getStorageBits(access.getChannel().getDefiningOp<PortOp>());
    if (known && *known != bits)
      return access->emitOpError("[design.interface] moves words of ")
             << bits << " bits over interface '" << interface.getName()
             << "', another access moves words of " << *known << "; a master has one width";
    known = bits;
    WordsAttr &other = before[access.isWrite()];
    if (other &&
        (other.getBurst() != words.getBurst() || other.getOutstanding() != words.getOutstanding()))
      return access->emitOpError("[design.interface] has ")
             << words.getOutstanding() << " bursts of " << words.getBurst()
             << " words on the way over interface '" << interface.getName() << "', another access "
             << other.getOutstanding() << " of " << other.getBurst()
             << "; a master has one limit each way";
    other = words;
  }
  return success();
}

/// The ways of a master to memory, one for reads and one for writes, each belong to one process.
LogicalResult dataflow::verifyInterface(InterfaceOp interface) {
  Users users;
  SmallVector<Operation *> accesses;
  SmallVector<Operation *> ports(interface->getUsers()); // the last use first
  for (Operation *user : llvm::reverse(ports)) {
    auto port = cast<PortOp>(user);
    users.add(port.getResult());
    llvm::copy_if(port->getUsers(), std::back_inserter(accesses), llvm::IsaPred<AccessOpInterface>);
  }
  for (auto [leaves, verb] : {std::pair(users.readers.getArrayRef(), "read"),
                              std::pair(users.writers.getArrayRef(), "written")})
    if (leaves.size() > 1)
      return reportCrowd(
          interface.emitOpError("[design.interface] '")
              << interface.getName() << "' is " << verb << " by " << leaves.size()
              << " leaf tasks; an AXI master has one process for reading and one for "
                 "writing: give each leaf an interface, and a port, of its own",
          leaves, verb);
  return verifyWords(interface, accesses);
}

//===----------------------------------------------------------------------===//
// Stripes
//===----------------------------------------------------------------------===//

LogicalResult PortOp::verify() {
  if (getNextLaunch() && getDirection() != Direction::InOut)
    return emitOpError("[port.order] only an 'inout' port is written for the next launch");
  if (getInterfaces().empty())
    return success();
  llvm::SmallDenseSet<Value> distinct;
  for (Value value : getInterfaces()) {
    auto interface = value.getDefiningOp<InterfaceOp>();
    if (!distinct.insert(value).second)
      return emitOpError("[port.stripes] names interface '") << interface.getName() << "' twice";
    if (interface.getFacts() != *getInterface())
      return emitOpError("[port.stripes] stripes move together, so their interfaces are alike; '")
             << interface.getName() << "' has other figures than the first";
  }
  ArrayRef<int64_t> shape = getType().getShape();
  int64_t row = shape.empty() ? 1 : shape.back();
  if (row % getNumStripes() != 0)
    return emitOpError("[port.stripes] ")
           << getNumStripes() << " stripes do not divide a row of " << row << " elements";
  return success();
}

//===----------------------------------------------------------------------===//
// Reads and writes of one tensor
//===----------------------------------------------------------------------===//

/// Who writes and who reads a FIFO.
static std::pair<Operation *, Operation *> getEnds(StreamOp stream) {
  Operation *writer = nullptr, *reader = nullptr;
  for (AccessOpInterface access : getAccesses(stream))
    (access.isWrite() ? writer : reader) = getLeaf(access);
  return {writer, reader};
}

LogicalResult dataflow::verifyOrdering(StreamOp stream) {
  if (!stream.getOrders())
    return success();
  auto port = stream.getOrders().getDefiningOp<PortOp>();
  if (port.getDirection() != Direction::InOut)
    return stream.emitOpError("[port.order] orders '")
           << port.getName() << "', which is declared '" << stringifyDirection(port.getDirection())
           << "'; only an 'inout' port needs an order";
  Users users = getUsers(port);
  auto [writer, reader] = getEnds(stream);
  bool joins = (users.writers.contains(writer) && users.readers.contains(reader)) ||
               (users.readers.contains(writer) && users.writers.contains(reader));
  if (joins)
    return success();
  return stream.emitOpError("[port.order] orders '")
         << port.getName() << "', but does not join the leaf that writes it and one that reads it";
}

/// An `inout` tensor has one writer, and each of its readers is ordered against it.
static LogicalResult verifyInOut(PortOp port, const Users &users) {
  if (users.readers.empty() || users.writers.empty())
    return port.emitOpError("[port.order] '")
           << port.getName()
           << "' is declared 'inout' and is not both read and written; declare it '"
           << (users.writers.empty() ? "in" : "out") << "'";
  SmallVector<StreamOp> edges;
  for (Operation *user : port.getResult().getUsers())
    if (auto stream = dyn_cast<StreamOp>(user))
      edges.push_back(stream);
  if (port.getNextLaunch() && !edges.empty())
    return port.emitOpError("[port.order] '")
           << port.getName() << "' is written for the next launch, and FIFO '"
           << edges.front().getName() << "' orders it in this one; state one of the two";
  if (port.getNextLaunch())
    return success();
  Operation *writer = users.writers.front();
  for (Operation *reader : users.readers) {
    if (reader == writer)
      return port.emitOpError("[port.order] '")
             << port.getName() << "' is read and written by leaf '"
             << cast<LeafOp>(reader).getName()
             << "'; declare it 'next_launch', or read it in a leaf of its own";
    bool isOrdered = llvm::any_of(edges, [&](StreamOp edge) {
      auto ends = getEnds(edge);
      return ends == std::pair(writer, reader) || ends == std::pair(reader, writer);
    });
    if (!isOrdered)
      return port.emitOpError("[port.order] nothing orders what leaf '")
             << cast<LeafOp>(writer).getName() << "' writes to '" << port.getName()
             << "' and what leaf '" << cast<LeafOp>(reader).getName()
             << "' reads; declare a FIFO between them that 'orders' the port, or 'next_launch'";
  }
  return success();
}

/// What a design returns is written, by one task: two would race.
LogicalResult dataflow::verifyPort(PortOp port) {
  Users users = getUsers(port);
  if (port.isWritten() && users.writers.size() != 1 && (users.writers.size() > 1 || !port.isRead()))
    return reportCrowd(port.emitOpError("[design.ends] port '")
                           << port.getName() << "' is written by " << users.writers.size()
                           << " leaf tasks, it must be exactly one; several writers would race",
                       users.writers.getArrayRef(), "written");
  return port.getDirection() == Direction::InOut ? verifyInOut(port, users) : success();
}
