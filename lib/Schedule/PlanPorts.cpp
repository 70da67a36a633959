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
//   %v = dataflow.load %w … {words = #dataflow.words<count = 1, lanes = 16, used = 16, burst = 64,
//   outstanding = 1>} : …
//
// What is stated already is kept. A tensor that several leaves read comes in by a port for each: a
// master has one reader. `outstanding` is as many bursts as the latency of memory takes.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Schedule/Passes.h"
#include "streamtensor/Schedule/Ports.h"
#include "streamtensor/Support/Naming.h"

#include "PortPlanning.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "streamtensor/Analysis/PortWords.h"
#include "streamtensor/Dialect/Dataflow/IR/Dependences.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "streamtensor/Dialect/ITensor/IR/Packing.h"
#include "streamtensor/Schedule/LeafSchedule.h"
#include "streamtensor/Schedule/Memories.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
#define GEN_PASS_DEF_PLANPORTS
#include "streamtensor/Schedule/Passes.h.inc"

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static void setWords(AccessOpInterface access, WordsAttr words) {
  if (auto load = dyn_cast<LoadOp>(access.getOperation()))
    load.setWordsAttr(words);
  else
    cast<StoreOp>(access.getOperation()).setWordsAttr(words);
}

/// Bursts over the trips of a loop that scalars bound are inferred where the loops around it are
/// not flattened with it. Each of their trips then fills the pipeline anew, until memory answers;
/// else each iteration asks for its own words.
///
///     leaf [30, 3, n]    to    leaf [30, 3, n] serial = 2
static void separateRuns(LeafOp leaf, const DeviceModel &device) {
  auto nest = cast<NestOpInterface>(leaf.getOperation());
  if (leaf.hasNests() || leaf.getTogether() || leaf.getSerialLevel() > 0)
    return;
  SmallVector<AffineExpr> counts = getCounts(nest);
  unsigned first = counts.size();
  while (first > 0 &&
         (isa<AffineConstantExpr>(counts[first - 1]) || leaf.getTrips()[first - 1] == 1))
    --first;
  if (first < 2) // none is bound, or the outermost alone
    return;
  leaf.setSerial(first - 1);
  int64_t around = llvm::product_of(leaf.getTrips().take_front(first - 1));
  bool helps = false;
  for (AccessOpInterface access : getAccesses(nest)) {
    if (!access.isExternal() || countRequestWords(access, 1, 1) > 0)
      continue;
    const MemoryPortModel &port = device.port();
    int64_t latency = access.isWrite() ? port.writeLatency : port.readLatency;
    helps |=
        around * (latency + device.control().blockSwap) < leaf.getNumIterations() * port.burstGap;
  }
  if (!helps)
    leaf.setSerial(0);
}

static void planWordsOf(PortOp port, const MemoryPortModel &model) {
  for (Operation *user : port.getResult().getUsers()) {
    auto access = dyn_cast<AccessOpInterface>(user);
    if (!access)
      continue;
    WordsAttr words =
        planWords(access, port.getInterface()->getBits(), model.burstBytes, model.burstWords);
    setWords(access, words);
  }
}

//===----------------------------------------------------------------------===//
// Masters
//===----------------------------------------------------------------------===//

SmallVector<LaunchOp> getLaunches(DesignOp design) {
  SmallVector<LaunchOp> launches;
  design->getParentOfType<ModuleOp>().walk([&](LaunchOp launch) {
    if (launch.getDesign() == design.getSymName())
      launches.push_back(launch);
  });
  return launches;
}

SmallVector<OpOperand *> getInputs(PortOp port) {
  auto design = port->getParentOfType<DesignOp>();
  unsigned number = 0;
  for (auto other : design.getOps<PortOp>()) {
    if (other == port)
      break;
    number += other.isRead();
  }
  return llvm::map_to_vector(getLaunches(design), [number](LaunchOp launch) {
    return &launch.getInputsMutable()[number];
  });
}

void setShape(PortOp port, ArrayRef<int64_t> shape,
              function_ref<Value(OpBuilder &, Location, Value)> layOut) {
  for (OpOperand *input : getInputs(port)) {
    OpBuilder builder(input->getOwner());
    input->set(layOut(builder, input->getOwner()->getLoc(), input->get()));
  }
  port.getResult().setType(
      PortType::get(port.getContext(), shape, port.getType().getElementType()));
}

void setShape(PortOp port, ArrayRef<int64_t> shape) {
  setShape(port, shape, [&](OpBuilder &builder, Location loc, Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    return itensor::createReshape(builder, loc, tensor, type.clone(shape));
  });
}

SmallVector<OpResult> getResults(PortOp port) {
  auto design = port->getParentOfType<DesignOp>();
  unsigned number = 0;
  for (auto other : design.getOps<PortOp>()) {
    if (other == port)
      break;
    number += other.isWritten();
  }
  return llvm::map_to_vector(getLaunches(design),
                             [&](LaunchOp launch) { return launch->getResult(number); });
}

bool isLaunchedAgain(Value result) {
  llvm::SetVector<Value> made;
  made.insert(result);
  for (size_t number = 0; number < made.size(); ++number)
    for (Operation *user : made[number].getUsers()) {
      bool isHandedOn = user->hasTrait<OpTrait::IsTerminator>() && !isa<func::ReturnOp>(user);
      if (isa<LaunchOp>(user) || isHandedOn)
        return true;
      made.insert_range(user->getResults());
    }
  return false;
}

/// The number of the first element that `access` moves, of all that its tensor has.
static AffineExpr getFirstElement(AccessOpInterface access) {
  ArrayRef<int64_t> shape = cast<PortType>(access.getChannel().getType()).getShape();
  AffineMap map = access.getPlace();
  return simplifyAffineExpr(linearize(map.getContext(), map.getResults(), computeStrides(shape)),
                            map.getNumDims(), map.getNumSymbols());
}

bool movesRowsOfPort(AccessOpInterface access, PortOp port) {
  int64_t moved = access.getNumElements();
  return port.getType().getNumElements() % moved == 0 &&
         isContiguousBox(access.getBox(), port.getType().getShape()) &&
         getFirstElement(access).isMultipleOf(moved);
}

AffineMap getPlaceInRows(AccessOpInterface access) {
  AffineMap map = access.getPlace();
  AffineExpr row = getFirstElement(access).floorDiv(access.getNumElements());
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                        {simplifyAffineExpr(row, map.getNumDims(), map.getNumSymbols()),
                         getAffineConstantExpr(0, map.getContext())},
                        map.getContext());
}

SmallVector<Value> createMasters(DesignOp design, Location loc, const Twine &stem, int64_t count,
                                 const DeviceModel &device) {
  OpBuilder builder = OpBuilder::atBlockBegin(&design.getBody().front());
  UniqueNames names;
  for (auto interface : design.getOps<InterfaceOp>())
    names.get(interface.getName());
  SmallVector<Value> masters;
  for (int64_t number = 0; number < count; ++number) {
    std::string name = stem.str() + (count > 1 ? "_s" + std::to_string(number) : "");
    masters.push_back(InterfaceOp::create(builder, loc, builder.getType<InterfaceType>(),
                                          names.get(name),
                                          getInterfaceFacts(design.getContext(), device), Value()));
  }
  return masters;
}

void setResultShape(PortOp port, ArrayRef<int64_t> shape) {
  for (OpResult given : getResults(port)) {
    auto type = cast<RankedTensorType>(given.getType());
    given.setType(type.clone(shape));
    SmallVector<OpOperand *> uses =
        llvm::map_to_vector(given.getUses(), [](OpOperand &use) { return &use; });
    if (uses.empty())
      continue;
    OpBuilder builder(given.getOwner());
    builder.setInsertionPointAfter(given.getOwner());
    Value back = itensor::createReshape(builder, given.getLoc(), given, type);
    for (OpOperand *use : uses)
      use->set(back);
  }
  port.getResult().setType(
      PortType::get(port.getContext(), shape, port.getType().getElementType()));
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
  UniqueNames names;
  for (auto port : design.getOps<PortOp>())
    names.get(port.getName());
  unsigned operand = 0;
  for (PortOp port : llvm::to_vector(design.getOps<PortOp>())) {
    if (port.getDirection() != Direction::In)
      break;
    OpBuilder builder(port->getContext());
    builder.setInsertionPointAfter(port);
    auto readers = getReaders(port);
    bool isPlanned = !port.getInterfaces().empty();
    for (Operation *reader : readers.getArrayRef().drop_front(isPlanned ? readers.size() : 1)) {
      auto own = PortOp::create(builder, port.getLoc(), port.getType(), names.get(port.getName()),
                                Direction::In);
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
  UniqueNames names;
  for (auto interface : design.getOps<InterfaceOp>()) {
    names.get(interface.getName());
    builder.setInsertionPointAfter(interface);
  }
  for (auto port : design.getOps<PortOp>()) {
    if (!port.getInterfaces().empty())
      continue;
    auto interface = InterfaceOp::create(builder, port.getLoc(), builder.getType<InterfaceType>(),
                                         names.get("gmem_" + port.getName().str()), facts, Value());
    // A port may stand in front of declared interfaces.
    if (port->isBeforeInBlock(interface))
      interface->moveBefore(port);
    port.getInterfacesMutable().assign(interface.getResult());
  }
}

//===----------------------------------------------------------------------===//
// Bursts
//===----------------------------------------------------------------------===//

int64_t countOutstanding(double words, int64_t latency, int64_t gap) {
  return static_cast<int64_t>(std::ceil(latency / std::max(1.0, words + gap))) + 1;
}

Resources countWordsOnTheWay(WordsAttr words, int64_t wordBits, const DeviceModel &device) {
  return countBanks({1, words.getOutstanding() * words.getBurst(), wordBits},
                    *symbolizeMemoryKind(device.port().wordMemory), device);
}

WordsAttr withBursts(WordsAttr words, int64_t burst, int64_t outstanding) {
  return WordsAttr::get(words.getContext(), words.getCount(), words.getLanes(), words.getUsed(),
                        burst, outstanding, words.getRequest());
}

static void forEachAccess(DesignOp design,
                          function_ref<void(AccessOpInterface, PortOp, WordsAttr)> visit) {
  for (auto port : design.getOps<PortOp>())
    for (Operation *user : port.getResult().getUsers())
      if (auto access = dyn_cast<AccessOpInterface>(user))
        visit(access, port, access.getWordsAttr());
}

static WayTraffic getWay(const Traffic &traffic, AccessOpInterface access, PortOp port) {
  return traffic.lookup({port.getInterfaces().front().getDefiningOp(), unsigned(access.isWrite())});
}

static int64_t getWordBytes(PortOp port, WordsAttr words) {
  return std::max<int64_t>(1, words.getLanes() * getStorageBits(port) / 8);
}

/// Does an iteration move several words one way? Traffic says when bursts begin, and those of one
/// iteration are one there.
static bool movesSeveralWords(AccessOpInterface access, WordsAttr words) {
  return words.getCount() > 1 ||
         llvm::any_of(getAccesses(getNest(access)), [&](AccessOpInterface other) {
           return other != access && shareBeats(other, access);
         });
}

/// Limits bursts to the power of two that holds the longest there is, where that splits none: room
/// for longer ones would be for nothing. Vitis takes limits of 2 words and more.
static LogicalResult shortenBursts(DesignOp design, const Traffic &traffic) {
  DenseMap<Operation *, WordsAttr> before;
  forEachAccess(design, [&](AccessOpInterface access, PortOp port, WordsAttr words) {
    if (movesSeveralWords(access, words))
      return;
    int64_t longest =
        llvm::divideCeil(getWay(traffic, access, port).mostBytes, getWordBytes(port, words));
    int64_t burst =
        std::min<int64_t>(words.getBurst(), llvm::PowerOf2Ceil(std::max<int64_t>(2, longest)));
    if (burst == words.getBurst())
      return;
    before[access] = words;
    setWords(access, withBursts(words, burst, words.getOutstanding()));
  });
  if (before.empty())
    return success();
  FailureOr<Traffic> after = measureTraffic(design);
  if (failed(after))
    return failure();
  forEachAccess(design, [&](AccessOpInterface access, PortOp port, WordsAttr) {
    bool isSplit = getWay(*after, access, port).bursts != getWay(traffic, access, port).bursts;
    if (isSplit && before.contains(access))
      setWords(access, before.lookup(access));
  });
  return success();
}

/// States how many bursts each access may have on the way: all those of its interface, one way.
static void planOutstanding(DesignOp design, const Traffic &traffic) {
  forEachAccess(design, [&](AccessOpInterface access, PortOp port, WordsAttr words) {
    InterfaceAttr facts = *port.getInterface();
    WayTraffic way = getWay(traffic, access, port);
    double perBurst =
        double(way.bytes) / std::max<int64_t>(1, way.bursts) / getWordBytes(port, words);
    int64_t latency = access.isWrite() ? facts.getWrite() : facts.getRead();
    setWords(access, withBursts(words, words.getBurst(),
                                countOutstanding(perBurst, latency, facts.getGap())));
  });
}

/// A master has one limit on bursts each way: the most that anything which shares it asks for. A
/// striped port joins the masters of its stripes.
static void alignBursts(DesignOp design) {
  using Way = std::pair<Operation *, unsigned>;
  llvm::EquivalenceClasses<Way> ways;
  auto getLeader = [&](AccessOpInterface access, PortOp port) {
    return ways.getLeaderValue({port.getInterfaces().front().getDefiningOp(), access.isWrite()});
  };
  forEachAccess(design, [&](AccessOpInterface access, PortOp port, WordsAttr) {
    Way first = {port.getInterfaces().front().getDefiningOp(), access.isWrite()};
    ways.insert(first);
    for (Value interface : port.getInterfaces().drop_front())
      ways.unionSets(first, {interface.getDefiningOp(), access.isWrite()});
  });
  DenseMap<Way, std::pair<int64_t, int64_t>> most;
  forEachAccess(design, [&](AccessOpInterface access, PortOp port, WordsAttr words) {
    auto &[burst, outstanding] = most[getLeader(access, port)];
    burst = std::max<int64_t>(burst, words.getBurst());
    outstanding = std::max<int64_t>(outstanding, words.getOutstanding());
  });
  forEachAccess(design, [&](AccessOpInterface access, PortOp port, WordsAttr words) {
    auto [burst, outstanding] = most.lookup(getLeader(access, port));
    setWords(access, withBursts(words, burst, outstanding));
  });
}

InterfaceAttr getInterfaceFacts(MLIRContext *context, const DeviceModel &device) {
  const MemoryPortModel &model = device.port();
  return InterfaceAttr::get(context, model.bits, model.readLatency, model.writeLatency,
                            model.burstGap);
}

FailureOr<bool> planDesign(DesignOp design, const DeviceModel &device,
                           const PlanPortsOptions &options, const StripePlan &plan,
                           Traffic &traffic) {
  if (plan.isDealt()) // which takes all masters that there are
    repeatLoads(design);
  if (!shareInterfaces(design, device, options, plan) && plan.isDealt())
    return false;
  if (!stripeLoads(design, device, plan))
    return false;
  stripeCaches(design, device, options.cacheStripes);
  stripeStores(design, device);
  addInterfaces(design, getInterfaceFacts(design.getContext(), device));
  for (auto leaf : design.getOps<LeafOp>())
    separateRuns(leaf, device);
  for (auto port : design.getOps<PortOp>())
    planWordsOf(port, device.port());
  FailureOr<Traffic> measured = measureTraffic(design);
  if (failed(measured) || failed(shortenBursts(design, *measured)))
    return failure();
  planOutstanding(design, *measured);
  alignBursts(design);
  traffic = std::move(*measured);
  return true;
}

LogicalResult planPorts(ModuleOp module, const DeviceModel &device,
                        const PlanPortsOptions &options) {
  DenseMap<Operation *, Traffic> traffic;
  for (auto design : module.getOps<DesignOp>()) {
    splitReaders(design);
    StripePlan plan = choosePlan(design, device, options);
    if (failed(planDesign(design, device, options, plan, traffic[design])))
      return failure();
  }
  return bindChannels(module, device, traffic);
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
  using PlanPortsBase::PlanPortsBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> model = getDevice(getOperation());
    if (failed(model))
      return signalPassFailure();
    if (failed(planPorts(getOperation(), **model, {loss, cacheStripes})))
      return signalPassFailure();
  }
};
} // namespace

} // namespace streamtensor::schedule
