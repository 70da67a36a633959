//===- LeafSchedule.cpp - Stages, depth and interval of a leaf ------------===//

#include "streamtensor/Schedule/LeafSchedule.h"

#include "streamtensor/Sim/LeafPattern.h"
#include "streamtensor/Sim/PortAccess.h"
#include "streamtensor/Schedule/Memories.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::sizing {
namespace {

class LeafScheduler {
public:
  LeafScheduler(LeafOp leaf, const DeviceModel &device) : leaf(leaf), device(device) {}

  FailureOr<LeafSchedule> run();

private:
  LogicalResult prepare();
  FailureOr<int64_t> latencyOf(Operation *op) const;
  void scheduleEarly();
  void alignFifoWrites();
  void delayLoads();
  void limitByDeclaration();
  void limitByFifos();
  void limitByMemoryPorts();
  void limitByExternalPorts();
  void limitByRecurrences();
  void raiseInterval(int64_t ii, std::string reason);

  MemoryKind kindOf(Value memory) const;
  bool mayCollide(Operation *first, Operation *second) const;
  int64_t startAfterMemory(Operation *op) const;

  LeafOp leaf;
  const DeviceModel &device;
  sim::LeafPattern pattern;
  DenseMap<Value, MemoryKind> privateKinds;
  DenseMap<Value, Banks> banks;
  DenseMap<Operation *, int64_t> latency;
  SmallVector<Operation *> memoryAccesses;
  LeafSchedule schedule;
};

} // namespace

//===----------------------------------------------------------------------===//
// Facts about accesses
//===----------------------------------------------------------------------===//

static ExternOp getDeclaration(ExternStepOp step) {
  return SymbolTable::lookupNearestSymbolFrom<ExternOp>(step, step.getCalleeAttr());
}

static std::string nameOf(Value memory) {
  if (auto buffer = memory.getDefiningOp<BufferOp>())
    return buffer.getName().str();
  if (auto port = memory.getDefiningOp<PortOp>())
    return port.getName().str();
  return llvm::formatv("private memory {0}", cast<BlockArgument>(memory).getArgNumber()).str();
}

MemoryKind LeafScheduler::kindOf(Value memory) const {
  auto it = privateKinds.find(memory);
  if (it != privateKinds.end())
    return it->second;
  auto buffer = memory.getDefiningOp<BufferOp>();
  if (buffer && buffer.getMemory() != MemoryKind::Unset)
    return buffer.getMemory();
  return chooseKind(banks.lookup(memory), device);
}

FailureOr<int64_t> LeafScheduler::latencyOf(Operation *op) const {
  if (isa<StreamReadOp>(op))
    return device.fifo().readLatency;
  if (isa<StreamWriteOp, TestOp>(op))
    return 0;
  if (auto step = dyn_cast<ExternStepOp>(op))
    return getDeclaration(step).getDelay();
  if (Value memory = getMemory(op)) {
    bool loads = isa<LoadOp>(op);
    if (!isa<PortType>(memory.getType())) {
      const MemoryKindModel &model = getModel(kindOf(memory), device);
      return loads ? model.readLatency : model.writeLatency;
    }
    for (const sim::PortAccess &access : sim::getPortAccesses(leaf))
      if (access.op == op)
        return (loads ? device.port().readLatency : device.port().writeLatency) + access.beats - 1;
  }
  FailureOr<Operator> found = device.getOperator(op);
  if (failed(found))
    return failure();
  return found->latency;
}

/// Could both touch one element, in an iteration in which both happen?
bool LeafScheduler::mayCollide(Operation *first, Operation *second) const {
  return getMemory(first) == getMemory(second) &&
         pattern.canMeet(sim::getGuard(first), sim::getGuard(second));
}

LogicalResult LeafScheduler::prepare() {
  FailureOr<sim::LeafPattern> computed = sim::computePattern(leaf);
  if (failed(computed))
    return failure();
  pattern = std::move(*computed);
  for (auto [memory, plan] : llvm::zip_equal(leaf.getPrivates(), planPrivates(leaf, device))) {
    privateKinds[memory] = plan.kind;
    banks[memory] = plan.banks;
  }
  for (Value memory : llvm::concat<Value>(leaf.getReads(), leaf.getWrites())) {
    auto type = cast<BufferType>(memory.getType());
    auto buffer = memory.getDefiningOp<BufferOp>();
    Shape partition(type.getShape().size(), 1);
    if (buffer && buffer.getPartition())
      partition.assign(buffer.getPartition()->begin(), buffer.getPartition()->end());
    banks[memory] = getBanks(type.getShape(), type.getElementType(), partition);
  }
  for (Operation &op : leaf.getBlock()) {
    FailureOr<int64_t> cycles = latencyOf(&op);
    if (failed(cycles))
      return failure();
    latency[&op] = *cycles;
    if (getMemory(&op))
      memoryAccesses.push_back(&op);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Earliest start after the accesses before `op` to the same memory: a load after
/// the write of a store, a store not before a load, and one store after another.
int64_t LeafScheduler::startAfterMemory(Operation *op) const {
  int64_t start = 0;
  for (Operation *earlier : memoryAccesses) {
    if (earlier == op)
      break;
    if (!mayCollide(earlier, op))
      continue;
    int64_t begin = schedule.stages.lookup(earlier);
    if (isa<StoreOp>(earlier))
      start = std::max(start, begin + (isa<LoadOp>(op) ? latency.lookup(earlier) : 1));
    else if (isa<StoreOp>(op))
      start = std::max(start, begin);
  }
  return start;
}

void LeafScheduler::scheduleEarly() {
  for (Operation &op : leaf.getBlock()) {
    int64_t start = isa<StreamWriteOp>(op) ? 1 : 0;
    for (Value operand : op.getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->getBlock() == op.getBlock())
        start = std::max(start, schedule.stages.lookup(producer) + latency.lookup(producer));
    if (getMemory(&op))
      start = std::max(start, startAfterMemory(&op));
    schedule.stages[&op] = start;
  }
}

/// Tokens keep their order: all writes to a FIFO happen at the stage of the last,
/// those of one iteration one after the other; likewise reads from stage 0.
void LeafScheduler::alignFifoWrites() {
  llvm::MapVector<Value, SmallVector<Operation *>> byFifo;
  for (Operation &op : leaf.getBlock()) {
    if (auto write = dyn_cast<StreamWriteOp>(op))
      byFifo[write.getFifo()].push_back(&op);
    if (auto read = dyn_cast<StreamReadOp>(op))
      byFifo[read.getFifo()].push_back(&op);
  }
  for (auto &[fifo, accesses] : byFifo) {
    SmallVector<int64_t> ranks;
    int64_t base = 0;
    for (auto [index, access] : llvm::enumerate(accesses)) {
      int64_t rank = 0;
      for (size_t earlier = 0; earlier < index; ++earlier)
        if (pattern.canMeet(sim::getGuard(accesses[earlier]), sim::getGuard(access)))
          rank = std::max(rank, ranks[earlier] + 1);
      ranks.push_back(rank);
      base = std::max(base, schedule.stages[access] - rank);
    }
    for (auto [access, rank] : llvm::zip_equal(accesses, ranks))
      schedule.stages[access] = base + rank;
  }
}

/// Moves loads from on-chip memory, and what lies between them and their users, as
/// late as the users allow; a load stays before the stores that follow it.
void LeafScheduler::delayLoads() {
  for (Operation &op : llvm::reverse(leaf.getBlock())) {
    Value memory = getMemory(&op);
    bool movable = isa<LoadOp>(op) ? !isa<PortType>(memory.getType())
                                   : !isa<StoreOp, StreamReadOp, StreamWriteOp>(op);
    if (!movable || op.use_empty())
      continue;
    int64_t latest = std::numeric_limits<int64_t>::max();
    for (Operation *user : op.getUsers())
      latest = std::min(latest, schedule.stages.lookup(user) - latency.lookup(&op));
    bool after = false;
    for (Operation *other : memoryAccesses) {
      after |= other == &op;
      if (after && isa<StoreOp>(other) && memory && mayCollide(&op, other))
        latest = std::min(latest, schedule.stages.lookup(other));
    }
    schedule.stages[&op] = std::max(schedule.stages[&op], latest);
  }
}

//===----------------------------------------------------------------------===//
// Interval
//===----------------------------------------------------------------------===//

void LeafScheduler::raiseInterval(int64_t ii, std::string reason) {
  if (ii <= schedule.ii)
    return;
  schedule.ii = ii;
  schedule.limit = std::move(reason);
}

void LeafScheduler::limitByDeclaration() {
  for (auto step : leaf.getBlock().getOps<ExternStepOp>())
    raiseInterval(getDeclaration(step).getIi(),
                  llvm::formatv("the declaration of @{0}", step.getCallee()));
}

void LeafScheduler::limitByFifos() {
  for (sim::GuardMask mask : pattern.masks) {
    DenseMap<Value, int64_t> counts;
    for (Operation *access : sim::getAccesses(leaf))
      if (isa<StreamReadOp, StreamWriteOp>(access) &&
          pattern.isActive(sim::getGuard(access), mask)) {
        Value fifo = isa<StreamReadOp>(access) ? cast<StreamReadOp>(access).getFifo()
                                               : cast<StreamWriteOp>(access).getFifo();
        int64_t count = ++counts[fifo];
        raiseInterval(count, llvm::formatv("{0} accesses to FIFO '{1}' in one iteration", count,
                                           fifo.getDefiningOp<StreamOp>().getName()));
      }
  }
}

/// Accesses to one memory in one iteration, against the ports of a bank. The lanes
/// of a vector lie in different banks as far as the partition goes.
void LeafScheduler::limitByMemoryPorts() {
  for (sim::GuardMask mask : pattern.masks) {
    DenseMap<Value, int64_t> counts;
    for (Operation *access : memoryAccesses) {
      Value memory = getMemory(access);
      if (isa<PortType>(memory.getType()) || !pattern.isActive(sim::getGuard(access), mask))
        continue;
      int64_t ports = getModel(kindOf(memory), device).ports;
      if (ports == 0)
        continue;
      Type value =
          isa<LoadOp>(access) ? access->getResult(0).getType() : access->getOperand(0).getType();
      int64_t elements = isa<VectorType>(value) ? cast<VectorType>(value).getNumElements() : 1;
      int64_t count = counts[memory] += llvm::divideCeil(elements, banks.lookup(memory).count);
      raiseInterval(llvm::divideCeil(count, ports),
                    llvm::formatv("{0} accesses in one iteration to a bank of {1} with {2} ports",
                                  count, nameOf(memory), ports));
    }
  }
}

void LeafScheduler::limitByExternalPorts() {
  SmallVector<sim::PortAccess> accesses = sim::getPortAccesses(leaf);
  for (sim::GuardMask mask : pattern.masks) {
    DenseMap<std::pair<Value, int>, int64_t> beats; // reads and writes have channels of their own
    for (const sim::PortAccess &access : accesses) {
      if (!pattern.isActive(access.guard, mask))
        continue;
      Value port = getMemory(access.op);
      int64_t sum = beats[{port, isa<LoadOp>(access.op)}] += access.beats;
      raiseInterval(sum,
                    llvm::formatv("{0} words in one iteration on port '{1}'", sum, nameOf(port)));
    }
  }
}

/// A load must not meet an address before the store of an earlier iteration has reached it.
void LeafScheduler::limitByRecurrences() {
  for (Operation *writer : memoryAccesses)
    for (Operation *reader : memoryAccesses) {
      auto store = dyn_cast<StoreOp>(writer);
      auto load = dyn_cast<LoadOp>(reader);
      if (!store || !load || store.getMemory() != load.getMemory() ||
          isa<PortType>(store.getMemory().getType()))
        continue;
      int64_t cycles =
          schedule.stages.lookup(store) + latency.lookup(store) - schedule.stages.lookup(load);
      int64_t distance = getReuseDistance(leaf, store, load, cycles);
      raiseInterval(llvm::divideCeil(cycles, distance),
                    llvm::formatv("{0} cycles from load to store of {1}, met again after {2} "
                                  "iterations",
                                  cycles, nameOf(store.getMemory()), distance));
    }
}

FailureOr<LeafSchedule> LeafScheduler::run() {
  if (failed(prepare()))
    return failure();
  scheduleEarly();
  alignFifoWrites();
  delayLoads();
  limitByDeclaration();
  limitByFifos();
  limitByMemoryPorts();
  limitByExternalPorts();
  limitByRecurrences();
  for (Operation &op : leaf.getBlock())
    schedule.depth =
        std::max(schedule.depth, schedule.stages[&op] + std::max<int64_t>(1, latency[&op]));
  return std::move(schedule);
}

FailureOr<LeafSchedule> scheduleLeaf(LeafOp leaf, const DeviceModel &device) {
  return LeafScheduler(leaf, device).run();
}

void annotate(LeafOp leaf, const LeafSchedule &schedule) {
  leaf.setIi(schedule.ii);
  leaf.setDepth(schedule.depth);
  for (Operation *access : sim::getAccesses(leaf))
    llvm::TypeSwitch<Operation *>(access).Case<StreamReadOp, StreamWriteOp, LoadOp, StoreOp>(
        [&](auto op) { op.setStage(schedule.stages.lookup(op)); });
  if (!schedule.limit.empty())
    leaf->setAttr("ii_limit", StringAttr::get(leaf.getContext(), schedule.limit));
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

/// What the user declares, control and all.
static Resources countExtern(ExternOp declaration) {
  Resources used;
  used.lut = declaration.getResource("lut");
  used.ff = declaration.getResource("ff");
  used.dsp = declaration.getResource("dsp");
  used.bram36 = declaration.getResource("bram36");
  used.uram = declaration.getResource("uram");
  return used;
}

Resources countLeaf(LeafOp leaf, const DeviceModel &device) {
  for (auto step : leaf.getBlock().getOps<ExternStepOp>())
    return countExtern(getDeclaration(step));
  Resources used;
  double share = std::max<int64_t>(1, leaf.getIi());
  for (Operation &op : leaf.getBlock()) {
    Operator shared = *device.operatorOf(&op); // Scheduled, so it has one.
    used.dsp += std::ceil(shared.dsp / share);
    used.lut += shared.lut / share;
    used.ff += shared.ff / share;
  }
  for (const MemoryPlan &plan : planPrivates(leaf, device))
    used += countBanks(plan.banks, plan.kind, device);
  const ControlModel &control = device.control();
  used.lut += control.leafLut + control.loopLut * leaf.getNumLoops();
  used.ff += control.leafFf + control.loopFf * leaf.getNumLoops();
  used.lut += device.port().lut * sim::getPortAccesses(leaf).size();
  used.ff += device.port().ff * sim::getPortAccesses(leaf).size();
  return used;
}

} // namespace streamtensor::sizing
