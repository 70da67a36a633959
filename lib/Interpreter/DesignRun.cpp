//===- DesignRun.cpp - A design as a network of processes -----------------===//

#include "Deadlock.h"
#include "Evaluator.h"
#include "ExternProcess.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

namespace {

class DesignRun {
public:
  explicit DesignRun(dataflow::DesignOp design, bool overlaps = false, bool zeroed = false,
                     ArrayRef<ArrayPtr> kept = {})
      : design(design), overlaps(overlaps), zeroed(zeroed), kept(kept) {}

  /// Finds out what the hand-written kernels give, in a run of `values`.
  LogicalResult learn(ArrayRef<ArrayPtr> inputs);

  LogicalResult prepare(ArrayRef<ArrayPtr> inputs);
  LogicalResult run();
  SmallVector<ArrayPtr> getOutputs();

private:
  void addMemory(Operation &op, ArrayRef<ArrayPtr> &inputs);
  LogicalResult checkEmpty();

  LogicalResult addProcess(dataflow::LeafOp leaf);

  dataflow::DesignOp design;
  bool overlaps;
  /// Are results zero where the design does not write them? Else they are nothing in particular.
  bool zeroed;
  /// What lies where the results will, by their number; null for nothing.
  ArrayRef<ArrayPtr> kept;
  /// The run in which hand-written kernels compute and channels have no bound.
  bool learns = false;
  unsigned numResults = 0; ///< Of the ports that were added.
  DesignMemories memories;
  std::vector<std::unique_ptr<LeafProcess>> processes;
};

} // namespace

/// An array of these extents: the tensor of a port.
template <typename MemoryType> static ArrayPtr makeMemory(MemoryType type) {
  return makeArray(type.getShape(), type.getElementType());
}

void DesignRun::addMemory(Operation &op, ArrayRef<ArrayPtr> &inputs) {
  if (auto port = dyn_cast<dataflow::PortOp>(op)) {
    ArrayPtr &tensor = memories.ports[port];
    if (!port.isRead())
      tensor = makeMemory(port.getResult().getType());
    else if (port.isWritten()) // in place, in a tensor of the launch's own
      tensor = std::make_shared<Array>(*inputs.front());
    else
      tensor = inputs.front();
    if (!port.isRead() && zeroed)
      llvm::fill(tensor->words, Word());
    unsigned result = numResults;
    numResults += port.isWritten();
    if (!port.isRead() && result < kept.size() && kept[result])
      tensor->words = kept[result]->words;
    inputs = inputs.drop_front(port.isRead() ? 1 : 0);
    if (port.getDirection() == dataflow::Direction::InOut)
      memories.orders.try_emplace(port, port, port.getType().getNumElements());
  } else if (auto stream = dyn_cast<dataflow::StreamOp>(op)) {
    auto fifo = std::make_unique<Fifo>();
    fifo->op = stream;
    fifo->capacity = learns ? 0 : stream.getResult().getType().getDepth();
    if (Value port = stream.getOrders())
      memories.orders.at(port.getDefiningOp()).addEdge(stream, fifo.get());
    memories.fifos[stream] = std::move(fifo);
  } else if (auto blocks = dyn_cast<dataflow::BufferOp>(op)) {
    auto buffer = std::make_unique<BlockBuffer>();
    buffer->op = blocks;
    buffer->capacity = learns ? 0 : blocks.getBlocks();
    memories.buffers[blocks] = std::move(buffer);
  }
}

static bool isExtern(dataflow::LeafOp leaf) {
  return !leaf.getBlock().getOps<dataflow::ExternStepOp>().empty();
}

LogicalResult DesignRun::addProcess(dataflow::LeafOp leaf) {
  if (learns && isExtern(leaf)) {
    processes.push_back(std::make_unique<ExternProcess>(leaf, memories));
    return success();
  }
  FailureOr<std::unique_ptr<LeafProcess>> process = LeafProcess::create(leaf, memories, overlaps);
  if (failed(process))
    return failure();
  processes.push_back(std::move(*process));
  return success();
}

LogicalResult DesignRun::prepare(ArrayRef<ArrayPtr> inputs) {
  for (Operation &op : design.getBody().front())
    addMemory(op, inputs);
  for (auto leaf : design.getBody().front().getOps<dataflow::LeafOp>())
    if (failed(addProcess(leaf)))
      return failure();
  return success();
}

LogicalResult DesignRun::learn(ArrayRef<ArrayPtr> inputs) {
  if (!llvm::any_of(design.getBody().front().getOps<dataflow::LeafOp>(), isExtern))
    return success();
  DesignRun values(design);
  values.learns = true;
  if (failed(values.prepare(inputs)) || failed(values.run()))
    return failure();
  memories.externTokens = std::move(values.memories.externTokens);
  return success();
}

LogicalResult DesignRun::run() {
  std::deque<LeafProcess *> ready;
  DenseSet<LeafProcess *> queued;
  // Only a process that stands still is woken; the others go on by themselves.
  auto wake = [&](LeafProcess *process) {
    if (process && process->getBlockingChannel() && queued.insert(process).second)
      ready.push_back(process);
  };
  for (auto &process : processes)
    ready.push_back(process.get());
  while (!ready.empty()) {
    LeafProcess *process = ready.front();
    ready.pop_front();
    queued.erase(process);
    process->run(wake);
    if (Fault *fault = process->getFault())
      return fault->op->emitOpError(fault->message);
  }
  if (!llvm::all_of(processes, [](const auto &process) { return process->isDone(); }))
    return reportDeadlock(design, processes);
  return checkEmpty();
}

/// The verifier proves it; a design that was not verified may leave tokens behind.
LogicalResult DesignRun::checkEmpty() {
  for (auto &[value, fifo] : memories.fifos)
    if (fifo->filled > 0)
      return fifo->op->emitOpError("holds ")
             << fifo->filled << " tokens at the end of the run: more are written than read";
  return success();
}

SmallVector<ArrayPtr> DesignRun::getOutputs() {
  SmallVector<ArrayPtr> outputs;
  for (auto port : design.getBody().front().getOps<dataflow::PortOp>())
    if (port.isWritten())
      outputs.push_back(memories.ports[port]);
  return outputs;
}

FailureOr<SmallVector<ArrayPtr>> interpreter::runDesign(dataflow::DesignOp design,
                                                        ArrayRef<ArrayPtr> inputs,
                                                        ArrayRef<ArrayPtr> kept, bool overlaps,
                                                        bool zeroed) {
  DesignRun run(design, overlaps, zeroed, kept);
  if (failed(run.learn(inputs)) || failed(run.prepare(inputs)) || failed(run.run()))
    return failure();
  return run.getOutputs();
}
