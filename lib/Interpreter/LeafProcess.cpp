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
  auto add = [&](OperandRange buffers, ArrayRef<int64_t> levels, bool isWrite) {
    for (auto [value, level] : llvm::zip_equal(buffers, levels)) {
      BlockBuffer *buffer = memories.buffers.find(value)->second.get();
      (isWrite ? buffer->writer : buffer->reader) = this;
      int64_t period = llvm::product_of(leaf.getTrips().drop_front(level));
      blocks.push_back({buffer, value, period, isWrite, getMemory(value, memories)});
    }
  };
  add(leaf.getReads(), leaf.getReadLevels(), false);
  add(leaf.getWrites(), leaf.getWriteLevels(), true);
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

LogicalResult LeafProcess::addOp(Operation &op, DesignMemories &memories) {
  if (auto read = dyn_cast<dataflow::StreamReadOp>(op)) {
    Fifo *fifo = memories.fifos.find(read.getFifo())->second.get();
    fifo->reader = this;
    reads.push_back({fifo, getGuardCheck(leaf, read.getGuard()), body.bind(read.getResult()), 0,
                     read.getType(), getTokenType(read.getFifo())});
    return success();
  }
  if (auto write = dyn_cast<dataflow::StreamWriteOp>(op)) {
    Fifo *fifo = memories.fifos.find(write.getFifo())->second.get();
    fifo->writer = this;
    writes.push_back({fifo, getGuardCheck(leaf, write.getGuard()), body.use(write.getValue()),
                      getStage(write), write.getValue().getType(), getTokenType(write.getFifo())});
    return success();
  }
  if (auto step = dyn_cast<dataflow::ExternStepOp>(op)) {
    body.append(makeReplay(step, body, index, memories));
    return success();
  }
  std::shared_ptr<ArrayPtr> memory;
  if (isa<dataflow::LoadOp, dataflow::StoreOp>(op))
    memory = getMemory(op.getOperand(isa<dataflow::StoreOp>(op) ? 1 : 0), memories);
  if (StepPtr step = makeLeafStep(&op, body, index, memory, time.get())) {
    body.append(std::move(step));
    return success();
  }
  return body.add(&op);
}

LogicalResult LeafProcess::compile(DesignMemories &memories) {
  index.assign(leaf.getNumLoops(), 0);
  iterations = leaf.getNumIterations();
  for (BlockArgument argument : leaf.getIndices()) {
    indexRegisters.push_back(body.bind(argument));
    *indexRegisters.back().words = Word::of<int64_t>(0);
  }
  addBlocks(memories);
  for (Operation &op : leaf.getBlock())
    if (failed(addOp(op, memories)))
      return failure();
  llvm::stable_sort(
      writes, [](const TokenAccess &lhs, const TokenAccess &rhs) { return lhs.stage < rhs.stage; });
  return success();
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

bool LeafProcess::stopAt(Channel *channel, bool isInput) {
  blocking = channel;
  isWaitingForInput = isInput;
  return false;
}

/// Takes the blocks whose loops begin a trip; false if one is missing.
bool LeafProcess::acquire(Wake wake) {
  for (BlockAccess &block : blocks) {
    if (block.isHeld || iteration % block.period != 0)
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

/// Takes all tokens of the iteration and computes; false if one is missing.
bool LeafProcess::read(Wake wake) {
  for (TokenAccess &access : reads)
    if (access.guard.holds(index) && !access.fifo->canRead())
      return stopAt(access.fifo, true);
  for (TokenAccess &access : reads)
    if (access.guard.holds(index)) {
      pop(access);
      wake(access.fifo->writer);
    }
  if (time) {
    // Between two trips of the serial loops the pipeline empties.
    int64_t perTrip = llvm::product_of(leaf.getTrips().drop_front(leaf.getSerialLevel()));
    time->issue = iteration * leaf.getIi() + iteration / perTrip * leaf.getDepth();
  }
  body.run();
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
      if (access.guard.holds(index) && !access.fifo->canWrite())
        return stopAt(access.fifo, false);
    for (TokenAccess &access : group)
      if (access.guard.holds(index)) {
        push(access);
        wake(access.fifo->reader);
      }
    nextWrite = end;
  }
  return true;
}

/// Gives back the blocks whose loops end a trip, and goes on to the next iteration.
void LeafProcess::release(Wake wake) {
  ++iteration;
  for (BlockAccess &block : blocks) {
    if (iteration % block.period != 0)
      continue;
    block.isHeld = false;
    if (block.isWrite)
      block.buffer->releaseWritten(*block.memory);
    else
      block.buffer->releaseRead();
    wake(block.isWrite ? block.buffer->reader : block.buffer->writer);
  }
  for (size_t loop = index.size(); loop-- > 0;) {
    bool wraps = ++index[loop] == leaf.getTrips()[loop];
    if (wraps)
      index[loop] = 0;
    *indexRegisters[loop].words = Word::of(index[loop]);
    if (!wraps)
      break;
  }
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
    state = iteration == iterations ? State::Done : State::Acquire;
    return true;
  case State::Done:
    return false;
  }
  llvm_unreachable("all states are handled");
}

void LeafProcess::run(Wake wake) {
  blocking = nullptr;
  while (!isDone() && !body.getFault() && advance(wake))
    ;
}
