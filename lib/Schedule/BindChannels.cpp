//===- BindChannels.cpp - Which channel holds which tensor ----------------===//
//
// A tensor lies in one place, so all interfaces that reach it, in whatever design, are bound to its
// channel; those of its stripes to one channel each. What is read in other stripes as well lies
// there a second time, cut in another way. Tensors that share an interface share a channel. What
// one launch writes and a later one may read, a result that has type and layout of an argument,
// lies where the argument does: the host hands the buffer on.
//
// The tensors with most bytes choose first, each the channel that has to move fewest; then pieces
// are moved and swapped as long as that helps (ChannelProblem.h).
//
//===----------------------------------------------------------------------===//

#include "PortPlanning.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "streamtensor/Dialect/Dataflow/IR/ChannelFacts.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Dialect/Program/IR/Program.h"
#include "streamtensor/Schedule/ChannelProblem.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
namespace {

/// What lies in one place, or in one for each stripe.
struct Tensor {
  /// The interfaces of each stripe.
  std::vector<llvm::SmallSetVector<Operation *, 4>> stripes;
  /// Of the stripe that moves most.
  int64_t bytes = 0;
};

/// What lies in one channel; the first tensor that has it.
struct Stripe {
  llvm::SmallSetVector<Operation *, 4> interfaces;
  size_t tensor = 0;
};

class ChannelBinder {
public:
  ChannelBinder(ModuleOp module, const DeviceModel &device, DenseMap<Operation *, Traffic> &traffic)
      : module(module), memory(device.externalMemory()),
        facts(getChannelFacts(module.getContext(), device)), traffic(traffic) {}

  LogicalResult run();

private:
  using Key = const void *;
  void uniteLaunches();
  void uniteResults(func::FuncOp function);
  void collectTensors();
  int64_t countBytes(Operation *interface);
  void takeStated();
  llvm::MapVector<Operation *, Stripe> joinStripes();
  ChannelPiece describe(const Stripe &stripe);
  void bind(Operation *interface, int64_t channel);
  Value getChannel(DesignOp design, int64_t number);

  ModuleOp module;
  const ExternalMemoryModel &memory;
  ChannelAttr facts;
  DenseMap<Operation *, Traffic> &traffic;
  llvm::EquivalenceClasses<Key> places; // of ports and values of the program
  std::vector<Tensor> tensors;
  llvm::MapVector<Operation *, size_t> designs; // numbers
  ChannelProblem problem;
  DenseMap<std::pair<Operation *, int64_t>, Value> channels;
};

} // namespace

//===----------------------------------------------------------------------===//
// What lies in one place
//===----------------------------------------------------------------------===//

/// Operands and results of launches are the tensors of the ports.
void ChannelBinder::uniteLaunches() {
  for (auto design : module.getOps<DesignOp>()) {
    for (LaunchOp launch : getLaunches(design)) {
      unsigned operand = 0, result = 0;
      for (auto port : design.getOps<PortOp>()) {
        Key place = port.getOperation();
        if (port.isRead())
          places.unionSets(place, launch.getInputs()[operand++].getAsOpaquePointer());
        if (port.isWritten())
          places.unionSets(place, launch.getResult(result++).getAsOpaquePointer());
      }
    }
  }
}

/// Does the host only lay out a tensor in another way?
static bool isLayout(Operation *op) {
  return isa_and_nonnull<itensor::PackOp, itensor::UnpackOp, tensor::CollapseShapeOp,
                         tensor::ExpandShapeOp, tensor::CastOp>(op);
}

/// All that `value` is under other layouts.
static SmallVector<Value> getLayouts(Value value) {
  SmallVector<Value> layouts = {value};
  for (size_t index = 0; index < layouts.size(); ++index)
    for (Operation *user : layouts[index].getUsers())
      if (isLayout(user))
        layouts.push_back(user->getResult(0));
  return layouts;
}

/// A result that is an argument of the next launch (`streamtensor.next`) lies where the argument
/// does, if the host hands the buffer on: if both have one layout.
void ChannelBinder::uniteResults(func::FuncOp function) {
  auto ret = *function.getOps<func::ReturnOp>().begin();
  for (BlockArgument argument : function.getArguments()) {
    auto next =
        function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), program::nextAttrName);
    if (!next)
      continue;
    Value result = ret.getOperand(next.getInt());
    while (isLayout(result.getDefiningOp()))
      result = result.getDefiningOp()->getOperand(0);
    for (Value layout : getLayouts(argument))
      if (layout.getType() == result.getType())
        places.unionSets(result.getAsOpaquePointer(), layout.getAsOpaquePointer());
  }
}

int64_t ChannelBinder::countBytes(Operation *interface) {
  Traffic &own = traffic[interface->getParentOp()];
  return own.lookup({interface, 0u}).bytes + own.lookup({interface, 1u}).bytes;
}

void ChannelBinder::collectTensors() {
  DenseMap<std::pair<Key, size_t>, size_t> numbers; // by the leader of the place, and stripes
  module.walk([&](PortOp port) {
    Key leader = places.getOrInsertLeaderValue(port.getOperation());
    auto [known, isNew] =
        numbers.try_emplace({leader, port.getInterfaces().size()}, tensors.size());
    if (isNew)
      tensors.emplace_back();
    Tensor &tensor = tensors[known->second];
    tensor.stripes.resize(std::max(tensor.stripes.size(), port.getInterfaces().size()));
    for (auto [stripe, interface] : llvm::enumerate(port.getInterfaces()))
      tensor.stripes[stripe].insert(interface.getDefiningOp());
  });
  for (Tensor &tensor : tensors)
    for (auto &stripe : tensor.stripes) {
      int64_t bytes = 0;
      for (Operation *interface : stripe)
        bytes += countBytes(interface);
      tensor.bytes = std::max(tensor.bytes, bytes);
    }
}

//===----------------------------------------------------------------------===//
// Where it lies
//===----------------------------------------------------------------------===//

void ChannelBinder::takeStated() {
  for (auto design : module.getOps<DesignOp>())
    designs.insert({design, designs.size()});
  problem.channels = memory.channels;
  problem.portsPerChannel = memory.portsPerChannel;
  problem.stated.assign(designs.size(), std::vector<ChannelUse>(memory.channels));
  module.walk([&](InterfaceOp interface) {
    DesignOp design = interface->getParentOfType<DesignOp>();
    for (auto channel : design.getOps<ChannelOp>())
      if (channel.getMemory() == memory.kind)
        channels[{design, channel.getNumber()}] = channel.getResult();
    if (!interface.getChannel())
      return;
    int64_t number = interface.getChannel().getDefiningOp<ChannelOp>().getNumber();
    ChannelUse &use = problem.stated[designs.lookup(design)][number];
    use.bytes += countBytes(interface);
    ++use.ports;
  });
}

/// The channel where the design keeps `number`; in front of all interfaces.
Value ChannelBinder::getChannel(DesignOp design, int64_t number) {
  Value &channel = channels[{design, number}];
  if (channel)
    return channel;
  OpBuilder builder = OpBuilder::atBlockBegin(&design.getBody().front());
  for (auto other : design.getOps<ChannelOp>())
    if (other.getMemory() == memory.kind && static_cast<int64_t>(other.getNumber()) < number)
      builder.setInsertionPointAfter(other);
  channel = ChannelOp::create(builder, design.getLoc(), builder.getType<ChannelType>(), memory.kind,
                              number, facts);
  return channel;
}

void ChannelBinder::bind(Operation *op, int64_t number) {
  auto interface = cast<InterfaceOp>(op);
  auto design = interface->getParentOfType<DesignOp>();
  Value channel = getChannel(design, number);
  if (interface->isBeforeInBlock(channel.getDefiningOp()))
    channel.getDefiningOp()->moveBefore(&design.getBody().front().front());
  interface.getChannelMutable().assign(channel);
}

/// An interface that tensors share is in a stripe of each, and in one channel.
llvm::MapVector<Operation *, Stripe> ChannelBinder::joinStripes() {
  llvm::EquivalenceClasses<Operation *> together;
  for (const Tensor &tensor : tensors)
    for (const auto &stripe : tensor.stripes)
      for (Operation *interface : stripe)
        together.unionSets(stripe.front(), interface);
  llvm::MapVector<Operation *, Stripe> stripes;
  for (auto [number, tensor] : llvm::enumerate(tensors))
    for (const auto &stripe : tensor.stripes) {
      auto [known, isNew] = stripes.try_emplace(together.getLeaderValue(stripe.front()));
      if (isNew)
        known->second.tensor = number;
      known->second.interfaces.insert_range(stripe);
    }
  return stripes;
}

/// A channel that is stated for one of the interfaces is that of all.
ChannelPiece ChannelBinder::describe(const Stripe &stripe) {
  ChannelPiece piece;
  piece.tensor = stripe.tensor;
  for (Operation *op : stripe.interfaces) {
    if (Value stated = cast<InterfaceOp>(op).getChannel()) {
      if (!piece.fixed)
        piece.fixed = stated.getDefiningOp<ChannelOp>().getNumber();
      continue;
    }
    size_t design = designs.lookup(op->getParentOp());
    auto share = llvm::find_if(piece.shares, [&](auto &known) { return known.design == design; });
    if (share == piece.shares.end())
      share = piece.shares.insert(piece.shares.end(), {design, {}});
    share->use.bytes += countBytes(op);
    ++share->use.ports;
  }
  return piece;
}

LogicalResult ChannelBinder::run() {
  uniteLaunches();
  for (auto function : module.getOps<func::FuncOp>())
    uniteResults(function);
  collectTensors();
  takeStated();
  llvm::stable_sort(tensors, [](const Tensor &a, const Tensor &b) { return a.bytes > b.bytes; });
  llvm::MapVector<Operation *, Stripe> stripes = joinStripes();
  for (auto &[leader, stripe] : stripes)
    problem.pieces.push_back(describe(stripe));
  ChannelChoice choice = chooseInOrder(problem);
  if (choice.size() < stripes.size())
    return std::next(stripes.begin(), choice.size())
               ->first->emitOpError("[design.channel] finds no channel: each of the ")
           << memory.channels << " channels of " << memory.kind << " has " << memory.portsPerChannel
           << " ports; compile parts of the module as designs of their own";
  improve(problem, choice);
  for (auto [entry, channel] : llvm::zip_equal(stripes, choice))
    for (Operation *interface : entry.second.interfaces)
      if (!cast<InterfaceOp>(interface).getChannel())
        bind(interface, channel);
  return success();
}

LogicalResult bindChannels(ModuleOp module, const DeviceModel &device,
                           DenseMap<Operation *, Traffic> &traffic) {
  return ChannelBinder(module, device, traffic).run();
}

} // namespace streamtensor::schedule
