//===- ScheduleVerifier.cpp - [leaf.schedule] -----------------------------===//
//
// A scheduled leaf says for each operation of its body when it begins and how long it takes. What
// follows from that is proved here: values are used when they are there, accesses to a memory keep
// their order whatever the interval lets overlap, and no bank is asked for more than its ports
// serve.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Device/ScalarOperations.h"
#include "streamtensor/Dialect/Dataflow/IR/Dependences.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/ReuseDistance.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;
using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Attributes by themselves
//===----------------------------------------------------------------------===//

static LogicalResult verifyAtLeast(EmitError emitError, StringRef law, StringRef what,
                                   int64_t value, int64_t least) {
  if (value >= least)
    return success();
  return emitError() << law << " '" << what << "' is " << value << ", it must be at least "
                     << least;
}

LogicalResult StorageAttr::verify(EmitError emitError, MemoryKind kind, ArrayRef<int64_t> partition,
                                  int64_t ports, int64_t writePorts, int64_t read, int64_t write,
                                  int64_t word) {
  for (int64_t factor : partition)
    if (failed(verifyAtLeast(emitError, "[design.storage]", "partition", factor, 1)))
      return failure();
  int64_t lanes = llvm::product_of(partition);
  if (word != 1 && word != lanes)
    return emitError() << "[design.storage] 'word' is " << word << ", it is 1 or all of the "
                       << lanes << " elements that the partition reaches at a time";
  if (writePorts > ports)
    return emitError() << "[design.storage] 'write_ports' is " << writePorts
                       << ", they are among the ports, of which there are " << ports;
  return success(
      succeeded(verifyAtLeast(emitError, "[design.storage]", "ports", ports, 0)) &&
      succeeded(verifyAtLeast(emitError, "[design.storage]", "write_ports", writePorts, 0)) &&
      succeeded(verifyAtLeast(emitError, "[design.storage]", "read", read, 0)) &&
      succeeded(verifyAtLeast(emitError, "[design.storage]", "write", write,
                              kind == MemoryKind::Unset ? 0 : 1)));
}

LogicalResult InterfaceAttr::verify(EmitError emitError, int64_t bits, int64_t read, int64_t write,
                                    int64_t gap) {
  return success(succeeded(verifyAtLeast(emitError, "[design.port]", "bits", bits, 8)) &&
                 succeeded(verifyAtLeast(emitError, "[design.port]", "read", read, 1)) &&
                 succeeded(verifyAtLeast(emitError, "[design.port]", "write", write, 1)) &&
                 succeeded(verifyAtLeast(emitError, "[design.port]", "gap", gap, 0)));
}

LogicalResult WordsAttr::verify(EmitError emitError, int64_t count, int64_t lanes, int64_t used,
                                int64_t burst, int64_t outstanding, int64_t request) {
  if (used > lanes)
    return emitError() << "[leaf.words] a word of " << lanes << " elements cannot move " << used;
  if (request > std::min(count, burst))
    return emitError() << "[leaf.words] a request of " << request << " words is more than the "
                       << std::min(count, burst) << " of an iteration and of a burst";
  return success(
      succeeded(verifyAtLeast(emitError, "[leaf.words]", "request", request, 0)) &&
      succeeded(verifyAtLeast(emitError, "[leaf.words]", "count", count, 1)) &&
      succeeded(verifyAtLeast(emitError, "[leaf.words]", "used", used, 1)) &&
      succeeded(verifyAtLeast(emitError, "[leaf.words]", "burst", burst, 1)) &&
      succeeded(verifyAtLeast(emitError, "[leaf.words]", "outstanding", outstanding, 1)));
}

LogicalResult TimingAttr::verify(EmitError emitError, int64_t stage, int64_t latency, StringAttr on,
                                 StringAttr core) {
  if (core && !on)
    return emitError() << "[leaf.schedule] 'as' says what an operator is built of; none stands in "
                          "front of it: write 'on' with its name there";
  return success(succeeded(verifyAtLeast(emitError, "[leaf.schedule]", "at", stage, 0)) &&
                 succeeded(verifyAtLeast(emitError, "[leaf.schedule]", "for", latency, 0)));
}

LogicalResult ControlAttr::verify(EmitError emitError, int64_t entry, int64_t swap) {
  return success(succeeded(verifyAtLeast(emitError, "[design.control]", "entry", entry, 0)) &&
                 succeeded(verifyAtLeast(emitError, "[design.control]", "swap", swap, 0)));
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

static int64_t stageOf(Operation *op) { return getTiming(op).getStage(); }

/// The operation that states the interval and the depth.
static Operation *getScheduled(Pipeline &pipeline) {
  LeafOp leaf = pipeline.getLeaf();
  return leaf.getTogether() ? leaf.getOperation() : pipeline.nests.front().getOperation();
}

static LogicalResult verifyComplete(Pipeline &pipeline) {
  int64_t end = 0;
  for (Operation *op : pipeline.getOperations()) {
    TimingAttr timing = getTiming(op);
    if (!timing)
      return op->emitOpError("[leaf.schedule] has no 'dataflow.timing' in a leaf with an interval");
    if (!timing.getOn() && !isa<AccessOpInterface, ExternStepOp>(op))
      return op->emitOpError("[leaf.schedule] does not say what computes it: write 'on' with the "
                             "name of an operator");
    end = std::max(end, timing.getStage() + std::max<int64_t>(1, timing.getLatency()));
  }
  if (pipeline.getDepth() < end)
    return getScheduled(pipeline)->emitOpError("[leaf.schedule] the pipeline is ")
           << pipeline.getDepth() << " cycles deep, its last operation ends after " << end;
  return success();
}

static LogicalResult verifyOperands(Operation &op) {
  for (Value operand : op.getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (!producer || producer->getBlock() != op.getBlock() ||
        getTiming(producer).getEnd() <= stageOf(&op))
      continue;
    return op.emitOpError("[leaf.schedule] begins at stage ")
               .append(stageOf(&op), " and uses a value that is there at stage ",
                       getTiming(producer).getEnd())
               .attachNote(producer->getLoc())
           << "which begins at stage " << stageOf(producer) << " and takes "
           << getTiming(producer).getLatency() << " cycles";
  }
  return success();
}

/// Tokens are taken at the issue and given at stage 1 or later, all those of a FIFO at one stage.
static LogicalResult verifyTokens(Pipeline &pipeline) {
  llvm::DenseMap<Value, Operation *> writers;
  for (AccessOpInterface access : pipeline.getAccesses()) {
    if (!access.isToken())
      continue;
    if (!access.isWrite() && stageOf(access) != 0)
      return access->emitOpError("[leaf.schedule] takes its token at stage ")
             << stageOf(access) << "; tokens are taken when an iteration issues, at stage 0";
    if (!access.isWrite())
      continue;
    if (stageOf(access) == 0)
      return access->emitOpError("[leaf.schedule] gives its token at stage 0; the earliest is 1");
    Operation *other = writers.try_emplace(access.getChannel(), access).first->second;
    if (stageOf(other) != stageOf(access))
      return access->emitOpError("[leaf.schedule] gives its token at stage ")
                 .append(stageOf(access), ", another access to this FIFO at stage ", stageOf(other),
                         ": tokens would change their order")
                 .attachNote(other->getLoc())
             << "the other access";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

/// Accesses take what their memory or port says.
static LogicalResult verifyLatency(AccessOpInterface access) {
  if (access.isToken())
    return success();
  std::optional<int64_t> needed = getStatedLatency(access);
  if (!needed && access.isExternal())
    return access->emitOpError("[leaf.words] a scheduled access to a port states its words, and "
                               "the port its interface");
  if (!needed)
    return access->emitOpError("[leaf.schedule] reaches a memory whose storage is not stated");
  int64_t stated = getTiming(access).getLatency();
  if (stated == *needed)
    return success();
  return access->emitOpError("[leaf.schedule] takes ")
         << stated << " cycles, its memory takes " << *needed;
}

/// A token that orders a port says that the accesses before it have ended.
static LogicalResult verifyOrderings(Pipeline &pipeline) {
  for (auto [access, token] : findOrderings(pipeline))
    if (getTiming(access).getEnd() > stageOf(token)) {
      auto port = access.getChannel().getDefiningOp<PortOp>();
      InFlightDiagnostic error = token.emitOpError("[leaf.schedule] gives its token at stage ")
                                 << stageOf(token) << ", which orders port '" << port.getName()
                                 << "', and the access to it ends at stage "
                                 << getTiming(access).getEnd();
      error.attachNote(access->getLoc()) << "the access";
      return error;
    }
  return success();
}

/// An interface moves a word each way in a cycle.
static LogicalResult verifyBeats(Pipeline &pipeline, ArrayRef<AccessOpInterface> accesses) {
  for (AccessOpInterface access : accesses) {
    int64_t words = 0;
    for (AccessOpInterface other : accesses)
      if (shareBeats(access, other) && canMeet(access, other))
        words += other.getWordsAttr().getCount();
    if (words > pipeline.getInterval())
      return access->emitOpError("[leaf.schedule] an interval of ")
             << pipeline.getInterval() << " is too small for the " << words
             << " words that one iteration moves over an interface, one way";
  }
  return success();
}

static LogicalResult reportDependence(Dependence dependence, int64_t interval, int64_t cycles) {
  auto [first, second, distance] = dependence;
  InFlightDiagnostic error =
      second->emitOpError("[leaf.schedule] begins at stage ")
      << stageOf(second) << " and meets, " << distance << " iterations later at an interval of "
      << interval << ", what an access at stage " << stageOf(first)
      << (dependence.isReadAfterWrite()
              ? " has not yet written"
              : (dependence.isWriteAfterRead() ? " has not yet read" : " writes later"))
      << ": " << cycles << " cycles must lie between";
  error.attachNote(first->getLoc()) << "the earlier access";
  return error;
}

/// Only distances that are too small for the stages matter; most pairs have none.
static LogicalResult verifyDependence(AccessOpInterface first, AccessOpInterface second,
                                      int64_t interval) {
  Dependence dependence{first, second, 0};
  int64_t cycles = dependence.getCycles(getTiming(first).getLatency());
  int64_t missing = stageOf(first) + cycles - stageOf(second);
  if (missing <= 0)
    return success();
  if (isOrderedInOneIteration(first, second))
    return reportDependence(dependence, interval, cycles);
  int64_t safe = llvm::divideCeil(missing, interval);
  std::optional<int64_t> distance = getReuseDistance(first, second, safe);
  if (!distance)
    return success();
  dependence.distance = *distance;
  return reportDependence(dependence, interval, cycles);
}

static LogicalResult verifyDependences(Pipeline &pipeline, ArrayRef<AccessOpInterface> accesses) {
  for (AccessOpInterface first : accesses)
    for (AccessOpInterface second : accesses)
      if (isa<PrivateType>(first.getChannel().getType()) &&
          first.getChannel() == second.getChannel() && (first.isWrite() || second.isWrite()) &&
          failed(verifyDependence(first, second, pipeline.getInterval())))
        return failure();
  return success();
}

/// `distance` is exact below the depth of the pipeline.
static LogicalResult verifyDistances(Pipeline &pipeline) {
  for (LoadOp load : pipeline.getOps<LoadOp>()) {
    std::optional<int64_t> nearest = getReuseDistance(load);
    std::optional<int64_t> stated;
    if (load.getDistance())
      stated = *load.getDistance();
    if (stated == nearest)
      continue;
    InFlightDiagnostic error = load.emitOpError("[leaf.schedule] states ");
    auto spell = [&](std::optional<int64_t> distance) {
      if (distance)
        error << "a distance of " << *distance << " iterations";
      else
        error << "no distance";
    };
    spell(stated);
    error << " to the store whose value it meets; it is ";
    spell(nearest);
    return error;
  }
  return success();
}

static LogicalResult verifyPorts(Pipeline &pipeline, ArrayRef<AccessOpInterface> accesses) {
  PortReservations reservations(pipeline.getInterval());
  for (AccessOpInterface access : accesses) {
    if (!access.isOnChip())
      continue;
    StorageAttr storage = pipeline.getLeaf().getStorageOf(access.getChannel());
    if (!reservations.fits(access, stageOf(access), storage))
      return access->emitOpError("[leaf.schedule] at stage ")
             << stageOf(access) << " and an interval of " << pipeline.getInterval()
             << ", a bank of its memory is asked for more accesses in a cycle than its "
             << describePorts(storage) << " serve";
    reservations.add(access, stageOf(access), storage);
  }
  return success();
}

static LogicalResult verifyWords(LeafOp leaf) {
  for (AccessOpInterface access : getAccesses(leaf)) {
    StorageAttr storage =
        access.isOnChip() ? leaf.getStorageOf(access.getChannel()) : StorageAttr();
    if (storage && storage.getWord() > 1 && !movesWholeWords(access, storage.getPartition()))
      return access->emitOpError("[leaf.storage] does not move whole words of its memory, which "
                                 "have ")
             << storage.getWord() << " elements";
  }
  return success();
}

static LogicalResult verifyStorages(LeafOp leaf) {
  if (failed(verifyWords(leaf)))
    return failure();
  if (!leaf.getStorages())
    return success();
  if (leaf.getStorages()->size() != leaf.getPrivates().size())
    return leaf.emitOpError("[leaf.storage] 'storages' has ")
           << leaf.getStorages()->size() << " entries for " << leaf.getPrivates().size()
           << " private memories";
  for (BlockArgument memory : leaf.getPrivates())
    if (failed(verifyPartition(leaf, leaf.getStorageOf(memory),
                               cast<PrivateType>(memory.getType()).getShape())) ||
        failed(verifyStorage(leaf, leaf.getStorageOf(memory))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Against the device of the module
//===----------------------------------------------------------------------===//

/// The model of the module's device; null if it has none.
static const streamtensor::DeviceModel *findModel(Operation *op) {
  return findDevice(op) ? *getDevice(op) : nullptr;
}

LogicalResult streamtensor::dataflow::verifyStorage(Operation *op, StorageAttr storage) {
  const DeviceModel *device = findModel(op);
  if (!device || storage.getKind() == MemoryKind::Unset)
    return success();
  const MemoryKindModel &model = device->memory(stringifyMemoryKind(storage.getKind()));
  if (storage.getPorts() == model.ports && storage.getWritePorts() == model.writePorts &&
      storage.getReadLatency() == model.readLatency &&
      storage.getWriteLatency() == model.writeLatency)
    return success();
  InFlightDiagnostic error = op->emitOpError("[design.storage] on device '");
  error << device->getName() << "' a memory of kind " << stringifyMemoryKind(storage.getKind())
        << " has ports " << model.ports;
  if (model.writePorts)
    error << ", write_ports " << model.writePorts;
  return error << ", read " << model.readLatency << " and write " << model.writeLatency
               << ", another is stated";
}

LogicalResult streamtensor::dataflow::verifyFifo(StreamOp stream) {
  const DeviceModel *device = findModel(stream);
  if (!device || stream.getMemory() == MemoryKind::Unset)
    return success();
  int64_t latency = getFifoLatency(stream, *device);
  if (static_cast<int64_t>(*stream.getLatency()) == latency)
    return success();
  return stream.emitOpError("[design.fifo] a ")
         << (isLink(stream) ? "link" : "FIFO") << " of kind "
         << stringifyMemoryKind(stream.getMemory()) << " hands on a token after " << latency
         << " cycles on device '" << device->getName() << "', a latency of " << *stream.getLatency()
         << " is stated";
}

static LogicalResult verifyOperator(Operation &op, const DeviceModel &device) {
  TimingAttr timing = getTiming(&op);
  if (!timing.getOn())
    return success();
  StringRef name = timing.getOn().getValue();
  if (!device.hasOperator(name))
    return op.emitOpError("[leaf.schedule] runs on '")
           << name << "', which the library of device '" << device.getName() << "' does not have";
  if (getOperatorKind(&op).empty()) // the emitter refuses it
    return success();
  FailureOr<Operator> found = device.getOperator(&op);
  if (failed(found))
    return failure();
  StringRef implementation = timing.getCore() ? timing.getCore().getValue() : StringRef();
  if (found->implementation != implementation)
    return op.emitOpError("[leaf.schedule] is built of '")
           << implementation << "'; on device '" << device.getName() << "' '" << name
           << "' is built of '" << found->implementation
           << "' (empty: what synthesis chooses), which belongs behind 'as'";
  if (found->name == name && found->latency == timing.getLatency())
    return success();
  return op.emitOpError("[leaf.schedule] takes ")
         << timing.getLatency() << " cycles on '" << name << "'; on device '" << device.getName()
         << "' it takes " << found->latency << " on '" << found->name << "'";
}

static LogicalResult verifyPipeline(Pipeline &pipeline) {
  if (failed(verifyComplete(pipeline)))
    return failure();
  SmallVector<AccessOpInterface> accesses = pipeline.getAccesses();
  const DeviceModel *device = findModel(pipeline.getLeaf());
  for (Operation *op : pipeline.getOperations())
    if (failed(verifyOperands(*op)) || (device && failed(verifyOperator(*op, *device))))
      return failure();
  for (AccessOpInterface access : accesses)
    if (failed(verifyLatency(access)))
      return failure();
  if (failed(verifyTokens(pipeline)) || failed(verifyDependences(pipeline, accesses)) ||
      failed(verifyDistances(pipeline)) || failed(verifyOrderings(pipeline)) ||
      failed(verifyBeats(pipeline, accesses)))
    return failure();
  return verifyPorts(pipeline, accesses);
}

LogicalResult streamtensor::dataflow::verifyLeafSchedule(LeafOp leaf) {
  if (failed(verifyStorages(leaf)))
    return failure();
  for (Pipeline &pipeline : leaf.getPipelines())
    if (pipeline.getInterval() > 0 && failed(verifyPipeline(pipeline)))
      return failure();
  return success();
}
