//===- DesignDies.cpp - A design as a problem of dies ---------------------===//

#include "streamtensor/Placement/DesignDies.h"

#include "streamtensor/Dialect/Dataflow/IR/Dependences.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "streamtensor/Schedule/LeafSchedule.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Support/BitWidth.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::placement {
namespace {

class Describer {
public:
  Describer(DesignOp design, const DeviceModel &device) : design(design), device(device) {
    for (auto leaf : design.getOps<LeafOp>()) {
      numbers[leaf] = result.leaves.size();
      result.leaves.push_back(leaf);
    }
  }

  DesignDies run();

private:
  void joinLeaves();
  void addDies();
  void addLeaves();
  void addBuffers();
  void addFifos();
  void addPorts();
  DieProblem::Task &taskOf(Operation *leaf) {
    return result.problem.tasks[result.taskOf[numbers.lookup(leaf)]];
  }

  DesignOp design;
  const DeviceModel &device;
  DesignDies result;
  DenseMap<Operation *, unsigned> numbers;
};

} // namespace

/// A block lies in one memory, and a master in one place.
void Describer::joinLeaves() {
  llvm::IntEqClasses classes(result.leaves.size());
  auto join = [&](ArrayRef<Operation *> leaves) {
    for (Operation *leaf : leaves)
      classes.join(numbers.lookup(leaves.front()), numbers.lookup(leaf));
  };
  for (auto buffer : design.getOps<BufferOp>()) {
    SmallVector<Operation *> leaves;
    for (Operation *user : buffer->getUsers())
      leaves.push_back(isa<LeafOp>(user) ? user : getLeaf(user).getOperation());
    join(leaves);
  }
  for (auto interface : design.getOps<InterfaceOp>()) {
    SmallVector<Operation *> leaves;
    for (Operation *port : interface->getUsers())
      for (Operation *user : port->getUsers())
        if (isa<AccessOpInterface>(user))
          leaves.push_back(getLeaf(user));
    join(leaves);
  }
  classes.compress();
  for (unsigned leaf = 0; leaf < result.leaves.size(); ++leaf)
    result.taskOf.push_back(classes[leaf]);
  result.problem.tasks.resize(classes.getNumClasses());
}

void Describer::addDies() {
  DieProblem &problem = result.problem;
  for (auto [index, die] : llvm::enumerate(device.getDies())) {
    problem.budgets.push_back(die.resources);
    problem.budgets.back() *= device.getPlacementShare();
    if (die.name == device.externalMemory().die)
      problem.memoryDie = index;
  }
  problem.wires = device.getDieCrossingWires();
}

void Describer::addLeaves() {
  for (LeafOp leaf : result.leaves) {
    DieProblem::Task &task = taskOf(leaf);
    task.name = task.name.empty() ? leaf.getName().str() : task.name;
    task.resources += schedule::countLeaf(leaf, device);
  }
}

void Describer::addBuffers() {
  for (auto buffer : design.getOps<BufferOp>())
    for (Operation *user : buffer->getUsers())
      if (isa<LeafOp>(user)) {
        taskOf(user).resources +=
            schedule::countBanks(schedule::getBanks(buffer), buffer.getMemoryKind(), device);
        break;
      }
}

/// A FIFO lies with its reader; its token crosses beside a write and a full. One without a kind of
/// memory is not sized yet and takes nothing.
void Describer::addFifos() {
  llvm::MapVector<std::pair<int32_t, int32_t>, int64_t> bits;
  for (auto stream : design.getOps<StreamOp>()) {
    auto [writer, reader] = getEnds(stream);
    StreamType type = stream.getType();
    int64_t token = getBitWidth(type.getElementType());
    if (stream.getMemory() != MemoryKind::Unset)
      taskOf(reader).resources += schedule::countFifo(stream, token, type.getDepth(), device);
    if (isLink(stream))
      token = device.link().getWordBits(token);
    int32_t from = result.taskOf[numbers.lookup(writer)],
            to = result.taskOf[numbers.lookup(reader)];
    if (from != to)
      bits[{from, to}] += token + device.fifo().handshakeBits;
  }
  for (auto [ends, sum] : bits)
    result.problem.edges.push_back({ends.first, ends.second, sum});
}

/// Words that go to memory, one way, and the signals beside them.
void Describer::addPorts() {
  llvm::SmallDenseSet<std::pair<Value, unsigned>> seen;
  for (LeafOp leaf : result.leaves)
    for (AccessOpInterface access : getAccesses(leaf)) {
      if (!access.isExternal())
        continue;
      auto port = access.getChannel().getDefiningOp<PortOp>();
      WordsAttr words = access.getWordsAttr();
      for (Value interface : port.getInterfaces())
        if (words && seen.insert({interface, unsigned(access.isWrite())}).second)
          taskOf(leaf).memoryBits +=
              words.getLanes() * getStorageBits(port) + device.port().controlBits;
    }
}

DesignDies Describer::run() {
  joinLeaves();
  addDies();
  addLeaves();
  addBuffers();
  addFifos();
  addPorts();
  return std::move(result);
}

std::optional<Dies> DesignDies::getStated(const DeviceModel &device) {
  Dies dies(problem.tasks.size(), -1);
  for (auto [leaf, task] : llvm::zip_equal(leaves, taskOf)) {
    for (auto [number, die] : llvm::enumerate(device.getDies()))
      if (leaf.getDie() == die.name)
        dies[task] = number;
    if (dies[task] < 0)
      return std::nullopt;
  }
  return dies;
}

DesignDies describeDies(DesignOp design, const DeviceModel &device) {
  return Describer(design, device).run();
}

} // namespace streamtensor::placement
