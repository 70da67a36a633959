//===- PlanPorts.cpp - Masters, channels and words of external memory -----===//
//
//   %w = dataflow.port in "w" : !dataflow.port<16x64xf32>
//   %v = dataflow.load %w … : !dataflow.port<16x64xf32> -> vector<1x16xf32>
//
// becomes, on a card whose masters are 512 bits wide,
//
//   %hbm0 = dataflow.channel "HBM"[0] #dataflow.channel<…>
//   %gmem_w = dataflow.interface "gmem_w" #dataflow.interface<bits = 512, …> on %hbm0
//   %w = dataflow.port in "w" via %gmem_w : …
//   %v = dataflow.load %w … {words = #dataflow.words<count = 1, lanes = 16, used = 16, burst = 64>}
//   : …
//
// What is stated already is kept. A tensor that several leaves read comes in by a port for each: a
// master has one reader.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Schedule/Passes.h"
#include "streamtensor/Schedule/Ports.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "streamtensor/Analysis/PortWords.h"
#include "streamtensor/Dialect/Dataflow/IR/ChannelFacts.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Schedule/LeafSchedule.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
#define GEN_PASS_DEF_PLANPORTS
#include "streamtensor/Schedule/Passes.h.inc"

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static void planWordsOf(PortOp port, const MemoryPortModel &model) {
  for (Operation *user : port.getResult().getUsers()) {
    auto access = dyn_cast<AccessOpInterface>(user);
    if (!access)
      continue;
    WordsAttr words =
        planWords(access, port.getInterface()->getBits(), model.burstBytes, model.burstWords);
    if (auto load = dyn_cast<LoadOp>(user))
      load.setWordsAttr(words);
    else
      cast<StoreOp>(user).setWordsAttr(words);
  }
}

//===----------------------------------------------------------------------===//
// Masters
//===----------------------------------------------------------------------===//

static SmallVector<LaunchOp> getLaunches(DesignOp design) {
  SmallVector<LaunchOp> launches;
  design->getParentOfType<ModuleOp>().walk([&](LaunchOp launch) {
    if (launch.getDesign() == design.getSymName())
      launches.push_back(launch);
  });
  return launches;
}

/// Leaves that load from the port, in program order.
static llvm::SmallSetVector<Operation *, 2> getReaders(PortOp port) {
  llvm::SmallSetVector<Operation *, 2> readers;
  SmallVector<Operation *> users(port->getUsers()); // the last use first
  for (Operation *user : llvm::reverse(users))
    if (isa<LoadOp>(user))
      readers.insert(getLeaf(user));
  return readers;
}

/// Gives each reader of an `in` port but the first a port of its own, bound to the same tensor.
static void splitReaders(DesignOp design) {
  llvm::StringSet<> names;
  for (auto port : design.getOps<PortOp>())
    names.insert(port.getName());
  unsigned operand = 0;
  for (PortOp port : llvm::to_vector(design.getOps<PortOp>())) {
    if (port.getDirection() != Direction::In)
      break;
    OpBuilder builder(port->getContext());
    builder.setInsertionPointAfter(port);
    auto readers = getReaders(port);
    bool isPlanned = !port.getInterfaces().empty();
    for (Operation *reader : readers.getArrayRef().drop_front(isPlanned ? readers.size() : 1)) {
      std::string name;
      for (int suffix = 1; name.empty() || !names.insert(name).second; ++suffix)
        name = (port.getName() + "_" + Twine(suffix)).str();
      auto own = PortOp::create(builder, port.getLoc(), port.getType(), name, Direction::In);
      port.getResult().replaceUsesWithIf(
          own.getResult(), [&](OpOperand &use) { return getLeaf(use.getOwner()) == reader; });
      for (LaunchOp launch : getLaunches(design)) {
        SmallVector<Value> inputs(launch.getInputs());
        inputs.insert(inputs.begin() + operand + 1, inputs[operand]);
        launch.getInputsMutable().assign(inputs);
      }
      ++operand;
    }
    ++operand;
  }
}

/// Declares a master for each port that names none.
static void addInterfaces(DesignOp design, InterfaceAttr facts) {
  OpBuilder builder = OpBuilder::atBlockBegin(&design.getBody().front());
  llvm::StringSet<> names;
  for (auto interface : design.getOps<InterfaceOp>()) {
    names.insert(interface.getName());
    builder.setInsertionPointAfter(interface);
  }
  for (auto port : design.getOps<PortOp>()) {
    if (!port.getInterfaces().empty())
      continue;
    std::string name = "gmem_" + port.getName().str(), candidate = name;
    for (int suffix = 1; !names.insert(candidate).second; ++suffix)
      candidate = name + "_" + std::to_string(suffix);
    auto interface = InterfaceOp::create(builder, port.getLoc(), builder.getType<InterfaceType>(),
                                         candidate, facts, Value());
    // A port may stand in front of declared interfaces.
    if (port->isBeforeInBlock(interface))
      interface->moveBefore(port);
    port.getInterfacesMutable().assign(interface.getResult());
  }
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

/// What each port of `design` is bound to where it is launched: one tensor may come in by several
/// ports. The port itself where nothing launches the design.
static DenseMap<Value, Value> getTensorsOfPorts(DesignOp design) {
  DenseMap<Value, Value> tensors;
  for (auto port : design.getOps<PortOp>())
    tensors[port.getResult()] = port.getResult();
  for (LaunchOp launch : getLaunches(design)) {
    unsigned operand = 0, result = 0;
    for (auto port : design.getOps<PortOp>()) {
      if (port.isRead())
        tensors[port.getResult()] = launch.getInputs()[operand++];
      else
        tensors[port.getResult()] = launch.getResult(result);
      result += port.isWritten();
    }
  }
  return tensors;
}

/// Binds interfaces to channels: tensors are dealt out in turn, ports of one tensor to one channel.
static void bindChannels(DesignOp design, const DeviceModel &device) {
  const ExternalMemoryModel &memory = device.externalMemory();
  ChannelAttr facts = getChannelFacts(design.getContext(), device);
  OpBuilder builder = OpBuilder::atBlockBegin(&design.getBody().front());
  DenseMap<int64_t, Value> channels;
  for (auto channel : design.getOps<ChannelOp>()) {
    if (channel.getMemory() == memory.kind)
      channels[channel.getNumber()] = channel.getResult();
    builder.setInsertionPointAfter(channel);
  }
  auto getChannel = [&](int64_t number) {
    Value &channel = channels[number];
    if (!channel)
      channel = ChannelOp::create(builder, design.getLoc(), builder.getType<ChannelType>(),
                                  memory.kind, number, facts);
    return channel;
  };
  DenseMap<Value, Value> tensors = getTensorsOfPorts(design);
  DenseMap<Value, int64_t> numbers;
  int64_t next = 0;
  for (auto port : design.getOps<PortOp>()) {
    Value tensor = tensors.lookup(port.getResult());
    auto [known, isNew] = numbers.try_emplace(tensor, next);
    int64_t number = known->second;
    if (isNew)
      next += port.getNumStripes();
    for (auto [stripe, value] : llvm::enumerate(port.getInterfaces())) {
      auto interface = value.getDefiningOp<InterfaceOp>();
      if (interface.getChannel())
        continue;
      Value channel = getChannel((number + int64_t(stripe)) % memory.channels);
      if (interface->isBeforeInBlock(channel.getDefiningOp()))
        channel.getDefiningOp()->moveBefore(interface);
      interface.getChannelMutable().assign(channel);
    }
  }
}

void planPorts(DesignOp design, const DeviceModel &device) {
  const MemoryPortModel &model = device.port();
  splitReaders(design);
  addInterfaces(design, InterfaceAttr::get(design.getContext(), model.bits, model.readLatency,
                                           model.writeLatency, model.burstGap));
  bindChannels(design, device);
  for (auto port : design.getOps<PortOp>())
    planWordsOf(port, model);
}

LogicalResult moveTensorsOnChip(DesignOp design, const DeviceModel &device) {
  const MemoryKindModel &ram = device.memory(stringifyMemoryKind(MemoryKind::BRAM));
  for (auto interface : design.getOps<InterfaceOp>()) {
    interface.setFactsAttr(InterfaceAttr::get(design.getContext(), /*bits=*/int64_t(1) << 32,
                                              ram.readLatency, ram.writeLatency, /*gap=*/0));
    interface.getChannelMutable().clear();
  }
  for (auto port : design.getOps<PortOp>())
    planWordsOf(port, device.port());
  return scheduleDesign(design, device);
}

namespace {
struct PlanPortsPass : impl::PlanPortsBase<PlanPortsPass> {
  void runOnOperation() override {
    FailureOr<const DeviceModel *> model = getDevice(getOperation());
    if (failed(model))
      return signalPassFailure();
    getOperation().walk([&](DesignOp design) { planPorts(design, **model); });
  }
};
} // namespace

} // namespace streamtensor::schedule
