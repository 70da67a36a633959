//===- LeafSchedule.cpp - Stages, depth and interval of a leaf ------------===//
//
// Modulo scheduling. Operations and the orders among them are a graph: an edge says how many cycles
// lie between the beginnings of two operations, at least, and how many iterations later the second
// is. The interval is the smallest for which stages exist (no cycle of edges asks for more cycles
// than its iterations bring) and for which accesses to banks find free ports.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Schedule/LeafSchedule.h"

#include "streamtensor/Analysis/Accumulation.h"
#include "streamtensor/Analysis/IndexCounters.h"
#include "streamtensor/Dialect/Dataflow/IR/Dependences.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "streamtensor/Dialect/Dataflow/IR/ReuseDistance.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Schedule/Multiplexers.h"
#include "streamtensor/Schedule/Ports.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
namespace {

/// `to` begins `cycles` after `from`, of `distance` iterations before, at least.
struct Edge {
  unsigned from, to;
  int64_t cycles, distance;

  int64_t getCycles(int64_t ii) const { return cycles - distance * ii; }
};

/// A cycle of edges that asks for `cycles` in `distance` iterations, and the memory it goes
/// through.
struct Recurrence {
  int64_t cycles = 0, distance = 0;
  Value memory;
};

class PipelineScheduler {
public:
  /// With `leisure`, an interval that costs next to no time.
  PipelineScheduler(Pipeline pipeline, const DeviceModel &device, int64_t leisure)
      : pipeline(std::move(pipeline)), leaf(this->pipeline.getLeaf()), device(device),
        leisure(leisure) {}

  FailureOr<PipelineSchedule> run();

private:
  LogicalResult addOperations();
  FailureOr<TimingAttr> describe(Operation *op);
  void addValueEdges();
  void addMemoryEdges();

  void limitByDeclaration();
  void limitByFifos();
  void limitByExternalPorts();
  void raiseInterval(int64_t ii, std::string reason);

  bool placeAt(int64_t ii);
  std::optional<Recurrence> findEarliest(int64_t ii);
  Recurrence walkBack(ArrayRef<int> cause, unsigned at) const;
  void delayLoads(int64_t ii);
  PortReservations reserve(int64_t ii, unsigned except);
  unsigned findCrowded(int64_t ii);
  void alignFifoWrites();

  Pipeline pipeline;
  LeafOp leaf;
  const DeviceModel &device;
  int64_t leisure;
  SmallVector<Operation *> ops;
  DenseMap<Operation *, unsigned> number;
  /// Cycles, and the first stage of each operation: by itself, as far as ports are free, and found.
  SmallVector<int64_t> latency, first, least, stage;
  SmallVector<TimingAttr> described;
  SmallVector<Edge> edges;
  PipelineSchedule schedule;
};

} // namespace

//===----------------------------------------------------------------------===//
// Operations
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

/// Is the memory or the port of the access described?
static LogicalResult verifyPlanned(AccessOpInterface access) {
  if (access.isToken() || getStatedLatency(access))
    return success();
  if (access.isExternal())
    return access->emitOpError("reaches a port whose words are not planned: run "
                               "dataflow-plan-ports first");
  return access->emitOpError("reaches a memory whose kind is not assigned: run "
                             "dataflow-assign-memories first");
}

/// Latency, operator and what it is built of; the stage is found later.
FailureOr<TimingAttr> PipelineScheduler::describe(Operation *op) {
  MLIRContext *context = leaf.getContext();
  if (auto access = dyn_cast<AccessOpInterface>(op)) {
    if (failed(verifyPlanned(access)))
      return failure();
    int64_t cycles = isa<StreamReadOp>(op)    ? device.fifo().readLatency
                     : isa<StreamWriteOp>(op) ? 0
                                              : *getStatedLatency(access);
    return TimingAttr::get(context, 0, cycles, {}, {});
  }
  if (auto step = dyn_cast<ExternStepOp>(op))
    return TimingAttr::get(context, 0, getDeclaration(step).getDelay(), {}, {});
  FailureOr<Operator> found = device.getOperator(op);
  if (failed(found))
    return failure();
  StringAttr implementation;
  if (!found->implementation.empty())
    implementation = StringAttr::get(context, found->implementation);
  return TimingAttr::get(context, 0, found->latency, StringAttr::get(context, found->name),
                         implementation);
}

LogicalResult PipelineScheduler::addOperations() {
  for (Operation *op : pipeline.getOperations()) {
    FailureOr<TimingAttr> timing = describe(op);
    if (failed(timing))
      return failure();
    number[op] = ops.size();
    ops.push_back(op);
    latency.push_back(timing->getLatency());
    described.push_back(*timing);
    first.push_back(isa<StreamWriteOp>(op) ? 1 : 0);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

void PipelineScheduler::addValueEdges() {
  for (auto [index, op] : llvm::enumerate(ops))
    for (Value operand : op->getOperands())
      if (auto producer = number.find(operand.getDefiningOp()); producer != number.end())
        edges.push_back(
            {producer->second, static_cast<unsigned>(index), latency[producer->second], 0});
}

/// No distance above the sum of all latencies can matter.
void PipelineScheduler::addMemoryEdges() {
  int64_t limit = 2;
  for (int64_t cycles : latency)
    limit += std::max<int64_t>(1, cycles);
  for (Dependence dependence : findDependences(pipeline, limit)) {
    unsigned first = number.lookup(dependence.first), second = number.lookup(dependence.second);
    edges.push_back({first, second, dependence.getCycles(latency[first]), dependence.distance});
  }
  for (auto [access, token] : findOrderings(pipeline)) {
    unsigned first = number.lookup(access);
    edges.push_back({first, number.lookup(token), latency[first], 0});
  }
}

//===----------------------------------------------------------------------===//
// Lower bounds of the interval
//===----------------------------------------------------------------------===//

void PipelineScheduler::raiseInterval(int64_t ii, std::string reason) {
  if (ii <= schedule.ii)
    return;
  schedule.ii = ii;
  schedule.limit = std::move(reason);
}

void PipelineScheduler::limitByDeclaration() {
  for (ExternStepOp step : pipeline.getOps<ExternStepOp>())
    raiseInterval(getDeclaration(step).getIi(),
                  llvm::formatv("the declaration of @{0}", step.getCallee()));
}

/// The most that `weigh` gives, in one iteration, for accesses to one FIFO or one interface, one
/// way.
static void forEachCrowd(Pipeline &pipeline, function_ref<int64_t(AccessOpInterface)> weigh,
                         function_ref<void(AccessOpInterface, int64_t)> report) {
  SmallVector<AccessOpInterface> accesses = pipeline.getAccesses();
  for (AccessOpInterface access : accesses) {
    int64_t sum = 0;
    for (AccessOpInterface other : accesses)
      if ((shareBeats(access, other) ||
           (other.getChannel() == access.getChannel() && other.isWrite() == access.isWrite())) &&
          canMeet(access, other))
        sum += weigh(other);
    if (sum > 0)
      report(access, sum);
  }
}

void PipelineScheduler::limitByFifos() {
  forEachCrowd(
      pipeline, [](AccessOpInterface access) { return access.isToken(); },
      [&](AccessOpInterface access, int64_t count) {
        raiseInterval(count,
                      llvm::formatv("{0} accesses to FIFO '{1}' in one iteration", count,
                                    access.getChannel().getDefiningOp<StreamOp>().getName()));
      });
}

/// Reads and writes of an interface have ways of their own.
void PipelineScheduler::limitByExternalPorts() {
  forEachCrowd(
      pipeline,
      [](AccessOpInterface access) {
        return access.isExternal() ? access.getWordsAttr().getCount() : int64_t(0);
      },
      [&](AccessOpInterface access, int64_t words) {
        raiseInterval(words, llvm::formatv("{0} words in one iteration on port '{1}'", words,
                                           nameOf(access.getChannel())));
      });
}

//===----------------------------------------------------------------------===//
// Stages at an interval
//===----------------------------------------------------------------------===//

/// The cycle that the edges which last moved an operation lead back into, from `at`.
Recurrence PipelineScheduler::walkBack(ArrayRef<int> cause, unsigned at) const {
  for (size_t back = 0; back < ops.size(); ++back)
    at = edges[cause[at]].from;
  Recurrence recurrence;
  unsigned start = at;
  do {
    const Edge &edge = edges[cause[at]];
    recurrence.cycles += edge.cycles;
    recurrence.distance += edge.distance;
    if (edge.distance > 0)
      recurrence.memory = getMemory(ops[edge.from]);
    at = edge.from;
  } while (at != start);
  return recurrence;
}

/// Sets the earliest stages. If there are none: the recurrence that forbids them.
std::optional<Recurrence> PipelineScheduler::findEarliest(int64_t ii) {
  stage.assign(least.begin(), least.end());
  SmallVector<int> cause(ops.size(), -1);
  for (size_t round = 0; round <= ops.size(); ++round) {
    int moved = -1;
    for (auto [index, edge] : llvm::enumerate(edges)) {
      int64_t start = stage[edge.from] + edge.getCycles(ii);
      if (start <= stage[edge.to])
        continue;
      stage[edge.to] = start;
      cause[edge.to] = moved = index;
    }
    if (moved < 0)
      return std::nullopt;
    if (round == ops.size()) // more moves than operations: they go in a circle
      return walkBack(cause, edges[moved].to);
  }
  llvm_unreachable("the last round returns");
}

/// The ports that accesses keep at their stages, but for `except`.
PortReservations PipelineScheduler::reserve(int64_t ii, unsigned except) {
  PortReservations reservations(ii);
  for (auto [index, op] : llvm::enumerate(ops))
    if (auto access = dyn_cast<AccessOpInterface>(op);
        access && access.isOnChip() && index != except)
      reservations.add(access, stage[index], leaf.getStorageOf(access.getChannel()));
  return reservations;
}

/// An access that finds no free port at its stage; the number of operations if there is none.
unsigned PipelineScheduler::findCrowded(int64_t ii) {
  PortReservations reservations(ii);
  for (auto [index, op] : llvm::enumerate(ops)) {
    auto access = dyn_cast<AccessOpInterface>(op);
    if (!access || !access.isOnChip())
      continue;
    StorageAttr storage = leaf.getStorageOf(access.getChannel());
    if (!reservations.fits(access, stage[index], storage))
      return index;
    reservations.add(access, stage[index], storage);
  }
  return ops.size();
}

/// Stages at which all orders hold and every access has a port: a crowded access begins later, and
/// what follows it. If the interval is too small for that, it is raised, with the reason.
bool PipelineScheduler::placeAt(int64_t ii) {
  least = first;
  std::optional<Value> crowdedMemory;
  for (int64_t tries = ii * ops.size(); tries >= 0; --tries) {
    std::optional<Recurrence> recurrence = findEarliest(ii);
    if (recurrence && !crowdedMemory) {
      raiseInterval(llvm::divideCeil(recurrence->cycles, recurrence->distance),
                    llvm::formatv("{0} cycles from load to store of {1}, met again after {2} "
                                  "iterations",
                                  recurrence->cycles, nameOf(recurrence->memory),
                                  recurrence->distance));
      return false;
    }
    if (recurrence)
      break;
    unsigned crowded = findCrowded(ii);
    if (crowded == ops.size())
      return true;
    crowdedMemory = getMemory(ops[crowded]);
    least[crowded] = stage[crowded] + 1;
  }
  raiseInterval(
      ii + 1,
      llvm::formatv("accesses to a bank of {0} with {1}", nameOf(*crowdedMemory),
                    llvm::StringRef(describePorts(leaf.getStorageOf(*crowdedMemory))).rtrim(',')));
  return false;
}

/// Moves loads from on-chip memory, and what lies between them and their users, as late as their
/// users and the ports allow: less stands in registers.
void PipelineScheduler::delayLoads(int64_t ii) {
  for (unsigned index = ops.size(); index-- > 0;) {
    auto access = dyn_cast<AccessOpInterface>(ops[index]);
    bool movable = access ? access.isOnChip() && !access.isWrite() : true;
    if (!movable || ops[index]->use_empty())
      continue;
    int64_t latest = std::numeric_limits<int64_t>::max();
    for (const Edge &edge : edges)
      if (edge.from == index && edge.to != index)
        latest = std::min(latest, stage[edge.to] - edge.getCycles(ii));
    if (access) {
      PortReservations others = reserve(ii, index);
      StorageAttr storage = leaf.getStorageOf(access.getChannel());
      while (latest > stage[index] && !others.fits(access, latest, storage))
        --latest;
    }
    stage[index] = std::max(stage[index], latest);
  }
}

/// Tokens keep their order: those of one FIFO are written at the stage of the last.
void PipelineScheduler::alignFifoWrites() {
  DenseMap<Value, int64_t> last;
  for (auto [index, op] : llvm::enumerate(ops))
    if (auto write = dyn_cast<StreamWriteOp>(op))
      last[write.getFifo()] = std::max(last.lookup(write.getFifo()), stage[index]);
  for (auto [index, op] : llvm::enumerate(ops))
    if (auto write = dyn_cast<StreamWriteOp>(op))
      stage[index] = last.lookup(write.getFifo());
}

FailureOr<PipelineSchedule> PipelineScheduler::run() {
  if (failed(addOperations()))
    return failure();
  addValueEdges();
  addMemoryEdges();
  limitByDeclaration();
  limitByFifos();
  limitByExternalPorts();
  raiseInterval(leisure, "its operators are shared, as it takes little of its task's time");
  while (!placeAt(schedule.ii))
    ;
  delayLoads(schedule.ii);
  alignFifoWrites();
  for (auto [index, op] : llvm::enumerate(ops)) {
    schedule.timing[op] = TimingAttr::get(leaf.getContext(), stage[index], latency[index],
                                          described[index].getOn(), described[index].getCore());
    schedule.depth = std::max(schedule.depth, stage[index] + std::max<int64_t>(1, latency[index]));
  }
  return std::move(schedule);
}

/// DSPs of each kind of operator, with one operator for each operation.
static llvm::StringMap<double> countDsps(Pipeline &pipeline, const DeviceModel &device) {
  llvm::StringMap<double> dsps;
  for (Operation *op : pipeline.getOperations())
    if (std::optional<Operator> found = device.operatorOf(op); found && found->dsp > 0)
      dsps[found->name] += found->dsp;
  return dsps;
}

/// For each nest of a sequence the interval at which it needs no more DSPs than the others, as far
/// as it costs the task next to nothing: a tree of adders that ends a row would else be idle in all
/// other cycles.
static SmallVector<int64_t> getLeisures(std::vector<Pipeline> &pipelines,
                                        const DeviceModel &device) {
  SmallVector<int64_t> leisures(pipelines.size(), 1);
  if (pipelines.size() == 1 || !getChosenCounts(pipelines.front().getLeaf()).empty())
    return leisures;
  std::vector<llvm::StringMap<double>> dsps;
  SmallVector<int64_t> iterations;
  for (Pipeline &pipeline : pipelines) {
    dsps.push_back(countDsps(pipeline, device));
    iterations.push_back(pipeline.getNumIterations());
  }
  int64_t all = llvm::sum_of(iterations);
  for (auto [number, own] : llvm::enumerate(dsps)) {
    double wanted = 1;
    for (auto &kind : own) {
      double others = 0;
      for (auto [other, counted] : llvm::enumerate(dsps))
        if (other != number)
          others = std::max(others, counted.lookup(kind.first()));
      if (others > 0)
        wanted = std::max(wanted, std::ceil(kind.second / others));
    }
    int64_t ofOthers = all - iterations[number];
    leisures[number] = std::min<int64_t>(wanted, getLeisureInterval(ofOthers, iterations[number]));
  }
  return leisures;
}

FailureOr<LeafSchedule> scheduleLeaf(LeafOp leaf, const DeviceModel &device) {
  LeafSchedule schedules;
  std::vector<Pipeline> pipelines = leaf.getPipelines();
  for (auto [pipeline, leisure] : llvm::zip_equal(pipelines, getLeisures(pipelines, device))) {
    FailureOr<PipelineSchedule> schedule = PipelineScheduler(pipeline, device, leisure).run();
    if (failed(schedule))
      return failure();
    schedules.push_back(std::move(*schedule));
  }
  return std::move(schedules);
}

void annotate(LeafOp leaf, const LeafSchedule &schedules) {
  for (auto [pipeline, schedule] : llvm::zip_equal(leaf.getPipelines(), schedules)) {
    pipeline.setSchedule(schedule.ii, schedule.depth, schedule.limit);
    for (Operation *op : pipeline.getOperations())
      setTiming(op, schedule.timing.lookup(op));
    for (LoadOp load : pipeline.getOps<LoadOp>())
      load.setDistance(getReuseDistance(load));
  }
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

/// Is any tensor loaded through the interface?
static bool isRead(Value interface) {
  return llvm::any_of(interface.getUsers(), [](Operation *port) {
    return llvm::any_of(port->getUsers(), llvm::IsaPred<LoadOp>);
  });
}

/// Masters of the leaf: the logic of those that it reads through, and of those that it writes
/// through and nobody reads through; the words on the way over each, one way. A port whose words
/// are not planned counts its logic.
Resources countMasters(LeafOp leaf, const DeviceModel &device) {
  llvm::SmallSetVector<Value, 4> masters;
  llvm::MapVector<std::pair<Value, unsigned>, Resources> buffers;
  for (AccessOpInterface access : getAccesses(leaf)) {
    if (!access.isExternal())
      continue;
    auto port = access.getChannel().getDefiningOp<PortOp>();
    if (port.getInterfaces().empty())
      masters.insert(port.getResult());
    for (Value interface : port.getInterfaces()) {
      if (!access.isWrite() || !isRead(interface))
        masters.insert(interface);
      if (WordsAttr words = access.getWordsAttr()) {
        Resources &largest = buffers[{interface, unsigned(access.isWrite())}];
        Resources own = countWordsOnTheWay(words, words.getLanes() * getStorageBits(port), device);
        if (getShare(own, device) > getShare(largest, device))
          largest = own;
      }
    }
  }
  Resources used;
  used.lut = device.port().lut * masters.size();
  used.ff = device.port().ff * masters.size();
  for (auto &[way, buffer] : buffers)
    used += buffer;
  return used;
}

/// The leaf that counts what several leaves may use.
static LeafOp getFirstUser(PortOp port) {
  for (Operation *user : port->getUsers())
    if (isa<AccessOpInterface>(user))
      return getLeaf(user);
  return {};
}

/// What the host writes before it starts the design: where each part of a tensor lies, and the
/// scalars.
static Resources countArguments(LeafOp leaf, const DeviceModel &device) {
  constexpr int64_t scalarBits = 32;
  const ControlPortModel &port = device.controlPort();
  Resources used;
  int64_t bits = 0;
  auto design = leaf->getParentOfType<DesignOp>();
  for (auto [number, tensor] : llvm::enumerate(design.getOps<PortOp>())) {
    if (getFirstUser(tensor) != leaf)
      continue;
    bits += device.port().addressBits * std::max<int64_t>(1, tensor.getInterfaces().size());
    if (number == 0 && !design.getPerDie()) { // one port for all
      bits += scalarBits * llvm::range_size(design.getOps<ScalarOp>());
      used += {port.lut, port.ff};
    }
  }
  if (design.getPerDie()) // one for each kernel
    for (const DesignKernel &kernel : getKernels(design))
      if (kernel.leaves.front() == leaf) {
        bits += scalarBits * kernel.getScalars().size();
        used += {port.lut, port.ff};
      }
  used += {port.lutPerBit * bits, port.ffPerBit * bits};
  return used;
}

Resources countLeaf(LeafOp leaf, const DeviceModel &device) {
  for (auto step : leaf.getBlock().getOps<ExternStepOp>())
    return countExtern(getDeclaration(step));
  Resources used = countOperatorsAndAccesses(leaf, device);
  for (Value memory : leaf.getPrivates())
    used += countBanks(getBanks(leaf, memory), leaf.getStorageOf(memory).getKind(), device);
  const ControlModel &control = device.control();
  int64_t loops = leaf.getNumLoops();
  for (NestOp nest : leaf.getBlock().getOps<NestOp>())
    loops += nest.getTrips().size();
  for (NestOpInterface nest : leaf.getNests()) // they count as loops do
    loops += getIndexCounters(nest).size();
  used.lut += control.leafLut + control.loopLut * loops;
  used.ff += control.leafFf + control.loopFf * loops;
  used += countMasters(leaf, device);
  used += countArguments(leaf, device);
  return used;
}

} // namespace streamtensor::schedule
