//===- Multiplexers.cpp - What chooses among sources ----------------------===//

#include "streamtensor/Schedule/Multiplexers.h"

#include "LaneSources.h"
#include "streamtensor/Device/ScalarOperations.h"
#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Support/BitWidth.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
namespace {

/// The sources that each chooses from, in the order of turns, and the bits of one.
using Multiplexers = std::map<std::vector<LaneSource>, int64_t>;

/// The operands of what takes values by turns: of each lane the sources.
class Inputs {
public:
  void add(unsigned operand, int64_t instance, const LaneSource &source, int64_t bits);
  /// Lanes with the same sources have one multiplexer.
  void collect(Multiplexers &multiplexers) const;

private:
  struct Lane {
    std::vector<LaneSource> sources;
    int64_t bits = 0;
  };
  std::map<std::pair<unsigned, int64_t>, Lane> lanes;
};

/// A kind of operator: as many as the nest needs that needs most, or those of all nests, each
/// apart.
struct Kind {
  Resources shared, apart, multiplexers;
  Inputs inputs;
  bool isShared = true;
};

class OperatorCounter {
public:
  OperatorCounter(LeafOp leaf, const DeviceModel &device)
      : pipelines(leaf.getPipelines()), device(device) {}

  /// Decides which kinds are shared, and counts them.
  Resources run();
  /// Then: what gives the lanes of a value.
  LaneSources::Lanes findGiver(Value value) const;
  Multiplexers getMultiplexers() const;

private:
  void countKinds();
  void addInputs();
  void addInputs(unsigned number);
  bool separate();
  bool canShare();

  std::vector<Pipeline> pipelines;
  const DeviceModel &device;
  std::map<std::string, Kind> kinds;
  /// The first of the instances that compute an operation.
  DenseMap<Operation *, std::pair<Kind *, int64_t>> instances;
};

} // namespace

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

void Inputs::add(unsigned operand, int64_t instance, const LaneSource &source, int64_t bits) {
  Lane &lane = lanes[{operand, instance}];
  lane.sources.push_back(source);
  lane.bits = std::max(lane.bits, bits);
}

void Inputs::collect(Multiplexers &multiplexers) const {
  for (const auto &[place, lane] : lanes) {
    if (llvm::all_equal(lane.sources))
      continue;
    int64_t &bits = multiplexers[lane.sources];
    bits = std::max(bits, lane.bits);
  }
}

/// Bits of all sources.
static int64_t countSelectedBits(const Multiplexers &multiplexers) {
  int64_t sum = 0;
  for (const auto &[sources, bits] : multiplexers)
    sum += std::set<LaneSource>(sources.begin(), sources.end()).size() * bits;
  return sum;
}

static int64_t countLanes(Value value) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? vector.getNumElements() : 1;
}

static LaneSources::Lanes makeLanes(const void *giver, int64_t first, Value value) {
  LaneSources::Lanes lanes;
  auto tuple = dyn_cast<TupleType>(value.getType());
  for (int64_t lane = 0, count = tuple ? 1 : countLanes(value); lane < count; ++lane)
    lanes.push_back({giver, first + lane});
  return lanes;
}

/// Words of external memory come from the master, whichever tensor they are of.
static const void *getGiver(AccessOpInterface access) {
  auto port = access.getChannel().getDefiningOp<PortOp>();
  return port && !port.getInterfaces().empty() ? port.getInterfaces().front().getAsOpaquePointer()
                                               : access.getChannel().getAsOpaquePointer();
}

/// Members of a token are lanes of their own.
static LaneSources::Lanes findAccess(Value value) {
  constexpr int64_t lanesOfMember = int64_t(1) << 32;
  int64_t first = 0;
  Operation *op = value.getDefiningOp();
  if (auto member = dyn_cast_or_null<MemberOp>(op)) {
    first = (member.getIndex() + 1) * lanesOfMember;
    op = member.getSource().getDefiningOp();
  }
  if (auto access = dyn_cast_or_null<AccessOpInterface>(op))
    return makeLanes(getGiver(access), first, value);
  if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op))
    return makeLanes(constant.getValue().getAsOpaquePointer(), 0, value);
  return makeLanes(value.getAsOpaquePointer(), 0, value);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static bool isComputed(Operation *op) {
  StringRef kind = getOperatorKind(op);
  return !kind.empty() && !llvm::is_contained({"wire", "guard", "access", "extern"}, kind);
}

/// The operator that the leaf states. Nothing for an access: its memory or port is counted.
static std::optional<Operator> findStated(Operation *op, const DeviceModel &device) {
  TimingAttr timing = getTiming(op);
  return timing && timing.getOn() && isComputed(op)
             ? device.operatorOf(op, timing.getOn().getValue())
             : std::nullopt;
}

void OperatorCounter::countKinds() {
  for (Pipeline &pipeline : pipelines) {
    int64_t share = std::max<int64_t>(1, pipeline.getInterval());
    std::map<std::string, std::pair<Resources, int64_t>> used; // And lanes before.
    for (Operation *op : pipeline.getOperations()) {
      std::optional<Operator> found = findStated(op, device);
      if (!found)
        continue;
      Kind &kind = kinds[found->name];
      kind.apart += found->getResources();
      auto &[sum, lanes] = used[found->name];
      sum += {found->lut, found->ff, std::ceil(found->dsp), 0, 0};
      instances[op] = {&kind, lanes};
      lanes += countLanes(op->getResult(0));
    }
    for (auto &[name, own] : used) {
      auto [sum, lanes] = own;
      sum *= double(llvm::divideCeil(lanes, share)) / lanes;
      sum.dsp = std::ceil(sum.dsp);
      for (double Resources::*field : Resources::fields)
        kinds[name].shared.*field = std::max(kinds[name].shared.*field, sum.*field);
    }
  }
}

/// The operator, where nests share it; else the operation, which has one of its own.
LaneSources::Lanes OperatorCounter::findGiver(Value value) const {
  auto it = instances.find(value.getDefiningOp());
  if (it == instances.end())
    return findAccess(value);
  auto [kind, first] = it->second;
  return kind->isShared ? makeLanes(kind, first, value)
                        : makeLanes(value.getAsOpaquePointer(), 0, value);
}

/// Integers have the bits that they can take.
static int64_t getOperandBits(Value operand) {
  return getElementTypeOrSelf(operand.getType()).isIntOrIndex() ? getSignificantBits(operand)
                                                                : getLaneBits(operand.getType());
}

void OperatorCounter::addInputs(unsigned number) {
  int64_t share = std::max<int64_t>(1, pipelines[number].getInterval());
  LaneSources sources([&](Value value) { return findGiver(value); });
  for (Operation *op : pipelines[number].getOperations()) {
    auto it = instances.find(op);
    if (it == instances.end() || !it->second.first->isShared)
      continue;
    auto [kind, first] = it->second;
    for (OpOperand &operand : op->getOpOperands()) {
      int64_t bits = getOperandBits(operand.get());
      for (auto [lane, source] : llvm::enumerate(sources.get(operand.get())))
        kind->inputs.add(operand.getOperandNumber(), (first + lane) / share, source, bits);
    }
  }
}

void OperatorCounter::addInputs() {
  for (auto &[name, kind] : kinds)
    kind.inputs = {};
  for (unsigned number = 0; number < pipelines.size(); ++number)
    addInputs(number);
  for (auto &[name, kind] : kinds) {
    Multiplexers own;
    kind.inputs.collect(own);
    kind.multiplexers.lut = device.getSelectLut(countSelectedBits(own));
  }
}

/// What feeds several kinds is one.
Multiplexers OperatorCounter::getMultiplexers() const {
  Multiplexers all;
  for (const auto &[name, kind] : kinds)
    if (kind.isShared)
      kind.inputs.collect(all);
  return all;
}

/// Gives nests operators of their own where these take less than what chooses; were there any?
bool OperatorCounter::separate() {
  bool found = false;
  for (auto &[name, kind] : kinds) {
    Resources shared = kind.shared;
    shared += kind.multiplexers;
    if (!kind.isShared || getShare(kind.apart, device) >= getShare(shared, device))
      continue;
    kind.isShared = false;
    found = true;
  }
  return found;
}

bool OperatorCounter::canShare() {
  return pipelines.size() > 1 ||
         llvm::any_of(pipelines, [](Pipeline &pipeline) { return pipeline.getInterval() > 1; });
}

Resources OperatorCounter::run() {
  countKinds();
  if (canShare())
    do
      addInputs();
    while (separate());
  Resources sum;
  for (auto &[name, kind] : kinds)
    sum += kind.isShared ? kind.shared : kind.apart;
  sum.lut += device.getSelectLut(countSelectedBits(getMultiplexers()));
  return sum;
}

Resources countOperators(LeafOp leaf, const DeviceModel &device) {
  return OperatorCounter(leaf, device).run();
}

//===----------------------------------------------------------------------===//
// FIFOs, memories and masters
//===----------------------------------------------------------------------===//

/// What is written: of external memory the master.
static SmallVector<Value> getTargets(AccessOpInterface access) {
  auto port = access.getChannel().getDefiningOp<PortOp>();
  if (!port || port.getInterfaces().empty())
    return {access.getChannel()};
  return llvm::to_vector(port.getInterfaces());
}

/// Bits that multiplexers choose from in front of what several accesses write, besides those in
/// front of operators.
static int64_t countWrittenBits(LeafOp leaf, const OperatorCounter &operators) {
  llvm::MapVector<Value, SmallVector<AccessOpInterface>> writers;
  for (AccessOpInterface access : getAccesses(leaf))
    if (access.isWrite())
      for (Value target : getTargets(access))
        writers[target].push_back(access);
  writers.remove_if([](const auto &entry) { return entry.second.size() == 1; });
  if (writers.empty())
    return 0;
  LaneSources sources([&](Value value) { return operators.findGiver(value); });
  Multiplexers inFront = operators.getMultiplexers();
  int64_t counted = countSelectedBits(inFront);
  for (auto &[target, accesses] : writers) {
    Inputs inputs;
    for (AccessOpInterface access : accesses) {
      Value value = access->getOperand(0);
      bool isTuple = isa<TupleType>(value.getType());
      int64_t width = isTuple ? getBitWidth(value.getType()) : getOperandBits(value);
      for (auto [lane, source] : llvm::enumerate(sources.get(value)))
        inputs.add(0, lane, source, width);
    }
    inputs.collect(inFront);
  }
  return countSelectedBits(inFront) - counted;
}

/// Bits of the address of one word, of a master that of a byte.
static int64_t getAddressBits(LeafOp leaf, AccessOpInterface access, const DeviceModel &device) {
  if (access.isExternal())
    return device.port().addressBits;
  Value memory = access.getChannel();
  // The depth alone is asked for, whoever uses the ports.
  auto getBits = [](auto type, const Layout &layout) {
    return llvm::Log2_64_Ceil(getBanks(type.getShape(), type.getElementType(), layout).depth);
  };
  if (auto type = dyn_cast<PrivateType>(memory.getType()))
    return getBits(type, getLayout(leaf.getStorageOf(memory)));
  return getBits(cast<BufferType>(memory.getType()), getLayout(memory.getDefiningOp<BufferOp>()));
}

/// Nests in turn come to a memory with an address each.
static int64_t countAddressBits(LeafOp leaf, const DeviceModel &device) {
  struct Way {
    std::set<unsigned> turns;
    int64_t bits = 0;
  };
  llvm::MapVector<std::pair<Value, unsigned>, Way> ways;
  for (auto [turn, pipeline] : llvm::enumerate(leaf.getPipelines()))
    for (AccessOpInterface access : pipeline.getAccesses()) {
      if (access.isToken())
        continue;
      for (Value target : getTargets(access)) {
        Way &way = ways[{target, unsigned(access.isWrite())}];
        way.turns.insert(turn);
        way.bits = std::max(way.bits, getAddressBits(leaf, access, device));
      }
    }
  int64_t bits = 0;
  for (auto &[place, way] : ways)
    bits += way.turns.size() > 1 ? int64_t(way.turns.size()) * way.bits : 0;
  return bits;
}

/// Banks that one word of a load may come from.
static int64_t countBanksOfWord(AccessOpInterface access, StorageAttr storage) {
  int64_t banks = 1;
  for (auto [factor, extent, place] :
       llvm::zip_equal(storage.getPartition(), access.getBox(), access.getPlace().getResults()))
    if (!isa<AffineConstantExpr>(place))
      banks *= llvm::divideCeil(factor, std::min(factor, extent));
  return banks;
}

static int64_t countBankBits(LeafOp leaf) {
  int64_t bits = 0;
  for (AccessOpInterface access : getAccesses(leaf)) {
    StorageAttr storage =
        access.isOnChip() ? leaf.getStorageOf(access.getChannel()) : StorageAttr();
    if (!storage || access.isWrite())
      continue;
    int64_t banks = countBanksOfWord(access, storage);
    bits += banks > 1 ? banks * getBitWidth(access.getMovedType()) : 0;
  }
  return bits;
}

Resources countOperatorsAndAccesses(LeafOp leaf, const DeviceModel &device) {
  OperatorCounter operators(leaf, device);
  Resources used = operators.run();
  used.lut += device.getSelectLut(countWrittenBits(leaf, operators) +
                                  countAddressBits(leaf, device) + countBankBits(leaf));
  return used;
}

} // namespace streamtensor::schedule
