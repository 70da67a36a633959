//===- BuildMachine.cpp - From a design to the machine it is --------------===//

#include "streamtensor/Sim/BuildMachine.h"

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "streamtensor/Sim/PortAccess.h"
#include "streamtensor/Sim/TaskPattern.h"
#include "streamtensor/Support/BitWidth.h"

#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::sim {
namespace {

class MachineBuilder {
public:
  explicit MachineBuilder(DesignOp design) : design(design) {}

  FailureOr<DesignMachine> build();

private:
  void declareChannels();
  void declareMemory();
  LogicalResult addTask(LeafOp leaf);
  LogicalResult addEnds(LeafOp leaf);
  LogicalResult addAcquires(LeafOp leaf, Task &task);

  DesignOp design;
  DesignMachine result;
  DenseMap<Value, int32_t> channels;                        // index among streams or among buffers
  DenseMap<std::pair<Operation *, unsigned>, int32_t> ways; // by interface, and whether it writes
};

} // namespace

void MachineBuilder::declareChannels() {
  for (auto stream : design.getOps<StreamOp>()) {
    StreamType type = stream.getResult().getType();
    channels[stream.getResult()] = result.streams.size();
    result.streams.push_back(stream);
    sim::Fifo &added = result.machine.fifos.emplace_back();
    added.name = stream.getName().str();
    added.depth = type.getDepth();
    added.bits = getBitWidth(type.getElementType());
    if (std::optional<uint64_t> latency = stream.getLatency())
      added.latency = *latency;
    added.isBack = stream.getBack();
    added.isLink = isLink(stream);
  }
  for (auto buffer : design.getOps<BufferOp>()) {
    channels[buffer.getResult()] = result.buffers.size();
    result.buffers.push_back(buffer);
    sim::BlockBuffer &added = result.machine.buffers.emplace_back();
    added.name = buffer.getName().str();
    added.blocks = buffer.getBlocks();
  }
}

/// Is the interface used this way?
static bool isUsed(InterfaceOp interface, bool writes) {
  return llvm::any_of(interface->getUsers(), [&](Operation *port) {
    return llvm::any_of(port->getUsers(), [&](Operation *user) {
      return writes ? isa<StoreOp>(user) : isa<LoadOp>(user);
    });
  });
}

/// Channels of external memory, and the ways to them in the order of the interfaces.
void MachineBuilder::declareMemory() {
  DenseMap<Value, int32_t> numbers;
  for (auto channel : design.getOps<ChannelOp>()) {
    ChannelAttr facts = channel.getFacts();
    // Bytes in a microsecond, and cycles in one.
    int64_t bytes = facts.getSustained() * 1000, cycles = facts.getCyclesKhz();
    int64_t common = std::gcd(bytes, cycles);
    numbers[channel.getResult()] = result.machine.channels.size();
    result.machine.channels.push_back(
        {llvm::formatv("{0}[{1}]", channel.getMemory(), channel.getNumber()), bytes / common,
         cycles / common});
  }
  for (auto interface : design.getOps<InterfaceOp>())
    for (bool writes : {false, true})
      if (interface.getChannel() && isUsed(interface, writes)) {
        ways[{interface, writes}] = result.machine.ways.size();
        result.machine.ways.push_back(
            {interface.getName().str(), numbers.lookup(interface.getChannel())});
      }
}

/// Sets one end of a channel; a channel has one task at each end.
static LogicalResult setEnd(int32_t &end, int32_t task, Operation *op, StringRef what) {
  if (end >= 0 && end != task)
    return op->emitOpError("uses a channel that already has a ")
           << what
           << ": a FIFO or buffer "
              "joins one writer and one reader; add a fork";
  end = task;
  return success();
}

LogicalResult MachineBuilder::addEnds(LeafOp leaf) {
  for (AccessOpInterface access : getAccesses(leaf)) {
    if (!access.isToken())
      continue;
    Fifo &ends = result.machine.fifos[channels.lookup(access.getChannel())];
    if (failed(setEnd(access.isWrite() ? ends.writer : ends.reader, result.machine.tasks.size(),
                      access, access.isWrite() ? "writer" : "reader")))
      return failure();
  }
  return success();
}

LogicalResult MachineBuilder::addAcquires(LeafOp leaf, Task &task) {
  int32_t id = result.machine.tasks.size();
  ArrayRef<int64_t> serial =
      leaf.getTrips().take_front(leaf.getNests().front().getNumSerialLoops());
  for (auto [buffer, level, isWrite] : getAcquires(leaf)) {
    int32_t index = channels.lookup(buffer);
    int64_t rounds = llvm::product_of(serial.drop_front(level));
    task.acquires.push_back({index, isWrite, rounds * static_cast<int64_t>(task.phases.size())});
    BlockBuffer &ends = result.machine.buffers[index];
    if (failed(
            setEnd(isWrite ? ends.writer : ends.reader, id, leaf, isWrite ? "writer" : "reader")))
      return failure();
  }
  return success();
}

LogicalResult MachineBuilder::addTask(LeafOp leaf) {
  for (Pipeline &pipeline : leaf.getPipelines())
    if (pipeline.getInterval() < 1 || pipeline.getDepth() < 1)
      return mlir::emitError(leaf.getLoc())
             << "leaf task '" << leaf.getName()
             << "' is not scheduled: run dataflow-schedule-leaves first";
  Task task;
  task.name = leaf.getName().str();
  task.freezesOnEmpty = leaf.getStyle() == PipelineStyle::Stp;
  if (failed(addEnds(leaf)) || failed(addPattern(leaf, channels, task)) ||
      failed(addAcquires(leaf, task)))
    return failure();
  PortTraffic traffic =
      computePortTraffic(leaf, [&](InterfaceOp interface, bool writes) -> int32_t {
        auto way = ways.find({interface, writes});
        return way == ways.end() ? -1 : way->second;
      });
  task.gaps = std::move(traffic.gaps);
  task.bursts = std::move(traffic.bursts);
  result.leaves.push_back(leaf);
  result.machine.tasks.push_back(std::move(task));
  return success();
}

FailureOr<DesignMachine> MachineBuilder::build() {
  result.machine.name = design.getSymName().str();
  result.design = design;
  if (std::optional<ControlAttr> control = design.getControl()) {
    result.machine.entry = control->getEntry();
    result.machine.swap = control->getSwap();
  }
  declareChannels();
  declareMemory();
  for (auto leaf : design.getOps<LeafOp>())
    if (failed(addTask(leaf)))
      return failure();
  if (llvm::Error error = result.machine.verify())
    return mlir::emitError(design.getLoc())
           << "design '" << design.getSymName() << "': " << llvm::toString(std::move(error));
  return std::move(result);
}

FailureOr<DesignMachine> buildMachine(DesignOp design, ArrayRef<int64_t> scalars) {
  FailureOr<BoundDesign> bound = BoundDesign::bind(design, scalars, design);
  if (failed(bound))
    return failure();
  FailureOr<DesignMachine> built = MachineBuilder(bound->get()).build();
  if (failed(built))
    return failure();
  // The parts that it was made of come in the same order in both.
  built->design = design;
  built->scalars.assign(scalars.begin(), scalars.end());
  built->leaves = {design.getOps<LeafOp>().begin(), design.getOps<LeafOp>().end()};
  built->streams = {design.getOps<StreamOp>().begin(), design.getOps<StreamOp>().end()};
  built->buffers = {design.getOps<BufferOp>().begin(), design.getOps<BufferOp>().end()};
  return built;
}

FailureOr<DesignMachine> buildMachine(DesignOp design) {
  return buildMachine(design, getLargestScalars(design));
}

} // namespace streamtensor::sim
