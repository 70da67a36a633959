//===- LeafProcess.cpp - A leaf task as a process -------------------------===//

#include "LeafProcess.h"

#include "ExternProcess.h"
#include "Tokens.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;
using Wake = llvm::function_ref<void(LeafProcess *)>;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

FailureOr<std::unique_ptr<LeafProcess>>
LeafProcess::create(dataflow::LeafOp leaf, DesignMemories &memories, bool overlaps) {
  std::unique_ptr<LeafProcess> process(new LeafProcess(leaf));
  if (overlaps && leaf.isScheduled())
    process->time = std::make_unique<PipelineTime>();
  if (failed(process->compile(memories)))
    return failure();
  return process;
}

static ArrayPtr makeMemory(Type type) {
  return TypeSwitch<Type, ArrayPtr>(type)
      .Case<dataflow::BufferType, dataflow::PrivateType, dataflow::PortType>(
          [](auto memory) { return makeArray(memory.getShape(), memory.getElementType()); });
}

std::shared_ptr<ArrayPtr> LeafProcess::getMemory(Value value, DesignMemories &memories) {
  std::shared_ptr<ArrayPtr> &cell = held[value];
  if (!cell) {
    auto port = memories.ports.find(value);
    cell = std::make_shared<ArrayPtr>(port != memories.ports.end() ? port->second
                                                                   : makeMemory(value.getType()));
  }
  return cell;
}

void LeafProcess::addBlocks(DesignMemories &memories) {
  ArrayRef<int64_t> serial =
      leaf.getTrips().take_front(leaf.getNests().front().getNumSerialLoops());
  for (auto [value, level, isWrite] : dataflow::getAcquires(leaf)) {
    BlockBuffer *buffer = memories.buffers.find(value)->second.get();
    (isWrite ? buffer->writer : buffer->reader) = this;
    int64_t period = llvm::product_of(serial.drop_front(level));
    blocks.push_back({buffer, value, period, isWrite, getMemory(value, memories)});
  }
  // Blocks of outer loops are acquired first.
  llvm::stable_sort(blocks, [](const BlockAccess &lhs, const BlockAccess &rhs) {
    return lhs.period > rhs.period;
  });
}

static Type getTokenType(Value fifo) {
  return cast<dataflow::StreamType>(fifo.getType()).getElementType();
}

/// Before leaves are scheduled all writes happen at once.
static uint64_t getStage(dataflow::StreamWriteOp write) {
  dataflow::TimingAttr timing = dataflow::getTiming(write);
  return timing ? timing.getStage() : 0;
}

/// Adds an operation of the last nest.
LogicalResult LeafProcess::addOp(Operation &op, DesignMemories &memories) {
  auto &[nest, body, index, indexRegisters] = *nests.back();
  unsigned number = nests.size() - 1;
  if (auto read = dyn_cast<dataflow::StreamReadOp>(op)) {
    Fifo *fifo = memories.fifos.find(read.getFifo())->second.get();
    fifo->reader = this;
    reads.push_back({fifo, getGuardCheck(nest, read.getGuard()), body.bind(read.getResult()),
                     number, 0, read.getType(), getTokenType(read.getFifo())});
    return success();
  }
  if (auto write = dyn_cast<dataflow::StreamWriteOp>(op)) {
    Fifo *fifo = memories.fifos.find(write.getFifo())->second.get();
    fifo->writer = this;
    writes.push_back({fifo, getGuardCheck(nest, write.getGuard()), body.use(write.getValue()),
                      number, getStage(write), write.getValue().getType(),
                      getTokenType(write.getFifo())});
    return success();
  }
  if (auto step = dyn_cast<dataflow::ExternStepOp>(op)) {
    body.append(makeReplay(step, body, index, memories));
    return success();
  }
  std::shared_ptr<ArrayPtr> memory;
  PortOrder *order = nullptr;
  if (Value accessed = dataflow::getMemory(&op)) {
    memory = getMemory(accessed, memories);
    if (auto known = memories.orders.find(accessed.getDefiningOp()); known != memories.orders.end())
      order = &known->second;
  }
  if (StepPtr step = makeLeafStep(&op, body, index, memory, time.get(), order)) {
    body.append(std::move(step));
    return success();
  }
  return body.add(&op);
}

LogicalResult LeafProcess::addNest(dataflow::NestOpInterface nest, DesignMemories &memories) {
  NestRun &run = *nests.emplace_back(std::make_unique<NestRun>());
  run.nest = nest;
  run.index.assign(nest.getNumNestLoops(), 0);
  SmallVector<BlockArgument> indices(leaf.getIndices());
  if (auto own = dyn_cast<dataflow::NestOp>(*nest))
    llvm::append_range(indices, own.getBlock().getArguments());
  for (BlockArgument argument : indices)
    run.indexRegisters.push_back(run.body.bind(argument));
  for (Operation &op : nest.getOperations())
    if (failed(addOp(op, memories)))
      return failure();
  return success();
}

LogicalResult LeafProcess::compile(DesignMemories &memories) {
  addBlocks(memories);
  for (dataflow::Pipeline &pipeline : leaf.getPipelines())
    schedules.emplace_back(pipeline.getInterval(), pipeline.getDepth());
  for (dataflow::NestOpInterface nest : leaf.getNests())
    if (failed(addNest(nest, memories)))
      return failure();
  setIndices();
  llvm::stable_sort(
      writes, [](const TokenAccess &lhs, const TokenAccess &rhs) { return lhs.stage < rhs.stage; });
  return success();
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

Fault *LeafProcess::getFault() {
  if (fault)
    return &fault;
  for (auto &nest : nests)
    if (nest->body.getFault())
      return &nest->body.getFault();
  return nullptr;
}

bool LeafProcess::stopAt(Channel *channel, bool isInput) {
  blocking = channel;
  isWaitingForInput = isInput;
  return false;
}

/// Takes the blocks whose loops begin a trip; false if one is missing.
bool LeafProcess::acquire(Wake wake) {
  for (BlockAccess &block : blocks) {
    if (block.isHeld || !walk.beginsTrip() || walk.getTrip() % block.period != 0)
      continue;
    BlockBuffer &buffer = *block.buffer;
    if (block.isWrite ? !buffer.canWrite() : !buffer.canRead())
      return stopAt(&buffer, !block.isWrite);
    *block.memory = block.isWrite ? buffer.acquireForWriting((*block.memory)->shape,
                                                             (*block.memory)->elementType)
                                  : buffer.acquireForReading();
    block.isHeld = true;
  }
  return true;
}

void LeafProcess::pop(TokenAccess &access) {
  if (access.token == access.fifoToken)
    return access.fifo->pop(access.value.words, access.value.lanes);
  SmallVector<Word> words(getTokenWords(access.fifoToken));
  access.fifo->pop(words.data(), static_cast<int64_t>(words.size()));
  castToken(words.data(), access.fifoToken, access.value.words, access.token);
}

void LeafProcess::push(TokenAccess &access) {
  if (access.token == access.fifoToken)
    return access.fifo->push(access.value.words, access.value.lanes);
  SmallVector<Word> words(getTokenWords(access.fifoToken));
  castToken(access.value.words, access.token, words.data(), access.fifoToken);
  access.fifo->push(words.data(), static_cast<int64_t>(words.size()));
}

/// The indices of this iteration, of the nests that act in it.
void LeafProcess::setIndices() {
  for (auto [number, nest] : llvm::enumerate(nests)) {
    if (!walk.isActive(number))
      continue;
    llvm::copy(walk.getIndices(number), nest->index.begin());
    for (auto [registers, place] : llvm::zip_equal(nest->indexRegisters, nest->index))
      *registers.words = Word::of(place);
  }
}

/// The cycle in which this iteration begins, if none waits: the pipeline empties before another one
/// and between two trips of the serial loops.
void LeafProcess::issue() {
  auto [interval, depth] = schedules[walk.getPipeline()];
  if (walk.getIteration() > 0)
    time->issue += walk.beginsPipeline() ? time->depth : interval;
  time->depth = depth;
}

/// Takes all tokens of the iteration and computes; false if one is missing.
bool LeafProcess::read(Wake wake) {
  for (TokenAccess &access : reads)
    if (happens(access) && !access.fifo->canRead())
      return stopAt(access.fifo, true);
  for (TokenAccess &access : reads)
    if (happens(access)) {
      pop(access);
      wake(access.fifo->writer);
    }
  if (time)
    issue();
  for (auto [number, nest] : llvm::enumerate(nests))
    if (walk.isActive(number))
      nest->body.run();
  nextWrite = 0;
  return true;
}

/// Writes stage by stage; false if the FIFO of one has no slot.
bool LeafProcess::write(Wake wake) {
  while (nextWrite < writes.size()) {
    size_t end = nextWrite;
    while (end < writes.size() && writes[end].stage == writes[nextWrite].stage)
      ++end;
    MutableArrayRef<TokenAccess> group = MutableArrayRef(writes).slice(nextWrite, end - nextWrite);
    for (TokenAccess &access : group)
      if (happens(access) && !access.fifo->canWrite())
        return stopAt(access.fifo, false);
    for (TokenAccess &access : group)
      if (happens(access)) {
        push(access);
        wake(access.fifo->reader);
      }
    nextWrite = end;
  }
  return true;
}

/// Goes on to the next iteration, and gives back the blocks of what has ended.
void LeafProcess::release(Wake wake) {
  int64_t trip = walk.getTrip();
  walk.next();
  for (BlockAccess &block : blocks) {
    if (walk.getTrip() == trip || walk.getTrip() % block.period != 0)
      continue;
    block.isHeld = false;
    if (block.isWrite)
      block.buffer->releaseWritten(*block.memory);
    else
      block.buffer->releaseRead();
    wake(block.isWrite ? block.buffer->reader : block.buffer->writer);
  }
  if (!walk.isDone())
    setIndices();
}

/// One state further; false if a channel stops the process.
bool LeafProcess::advance(Wake wake) {
  switch (state) {
  case State::Acquire:
    state = State::Read;
    if (acquire(wake))
      return true;
    state = State::Acquire;
    return false;
  case State::Read:
    if (!read(wake))
      return false;
    state = State::Write;
    return true;
  case State::Write:
    if (!write(wake))
      return false;
    state = State::Release;
    return true;
  case State::Release:
    release(wake);
    state = walk.isDone() ? State::Done : State::Acquire;
    return true;
  case State::Done:
    return false;
  }
  llvm_unreachable("all states are handled");
}

void LeafProcess::run(Wake wake) {
  blocking = nullptr;
  while (!isDone() && !getFault() && advance(wake))
    ;
}
