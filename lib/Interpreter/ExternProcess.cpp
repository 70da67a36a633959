//===- ExternProcess.cpp - A hand-written kernel as a process -------------===//

#include "ExternProcess.h"

#include "Tokens.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;
using Wake = llvm::function_ref<void(LeafProcess *)>;

static Type getFifoToken(Value fifo) {
  return cast<dataflow::StreamType>(fifo.getType()).getElementType();
}

ExternProcess::ExternProcess(dataflow::LeafOp leaf, DesignMemories &memories)
    : LeafProcess(leaf), step(*leaf.getBlock().getOps<dataflow::ExternStepOp>().begin()),
      declaration(
          SymbolTable::lookupNearestSymbolFrom<dataflow::ExternOp>(step, step.getCalleeAttr())),
      results(memories.externTokens[leaf]) {
  auto add = [&](auto access, Type token) {
    Value fifo = access.getFifo();
    return Port{memories.fifos.find(fifo)->second.get(), getFifoToken(fifo), token};
  };
  for (auto [input, port] : llvm::zip_equal(step.getInputs(), declaration.getInputPorts())) {
    inputs.push_back(add(input.getDefiningOp<dataflow::StreamReadOp>(), input.getType()));
    inputs.back().remaining = port.getNumTokens();
    inputs.back().fifo->reader = this;
  }
  for (Value output : step.getResults()) {
    outputs.push_back(add(cast<dataflow::StreamWriteOp>(*output.user_begin()), output.getType()));
    outputs.back().fifo->writer = this;
  }
}

/// Takes tokens until all are here; false if the next is not.
bool ExternProcess::take(Port &port, Wake wake) {
  int64_t count = getTokenWords(port.fifoToken);
  for (; port.remaining > 0; --port.remaining) {
    if (!port.fifo->canRead())
      return stopAt(port.fifo, /*isInput=*/true);
    port.words.resize(port.words.size() + count);
    port.fifo->pop(port.words.data() + port.words.size() - count, count);
    wake(port.fifo->writer);
  }
  return true;
}

void ExternProcess::give(Port &port, ArrayRef<Word> words, Wake wake) {
  std::vector<Word> tokens = castTokens(words, port.token, port.fifoToken);
  int64_t count = getTokenWords(port.fifoToken);
  for (size_t first = 0; first < tokens.size(); first += count)
    port.fifo->push(tokens.data() + first, count);
  wake(port.fifo->reader);
}

void ExternProcess::run(Wake wake) {
  leaveChannel();
  for (Port &port : inputs)
    if (!take(port, wake))
      return;
  SmallVector<std::vector<Word>> tokens;
  for (Port &port : inputs)
    tokens.push_back(castTokens(port.words, port.fifoToken, port.token));
  FailureOr<SmallVector<std::vector<Word>>> computed = runOnTokens(declaration, tokens);
  if (failed(computed))
    return fault.report(step, "its reference failed");
  results = std::move(*computed);
  for (auto [port, words] : llvm::zip_equal(outputs, results))
    give(port, words, wake);
  finish();
}

namespace {
struct ReplayStep : Step {
  struct Output {
    GuardCheck guard;
    Registers value;
    const Word *next;
  };
  ReplayStep(SmallVector<Output> outputs, const SmallVector<int64_t> &index)
      : outputs(std::move(outputs)), index(index) {}
  void run() override {
    for (Output &output : outputs)
      if (output.guard.holds(index)) {
        std::copy_n(output.next, output.value.lanes, output.value.words);
        output.next += output.value.lanes;
      }
  }
  SmallVector<Output> outputs;
  const SmallVector<int64_t> &index;
};
} // namespace

StepPtr interpreter::makeReplay(dataflow::ExternStepOp step, Body &body,
                                const SmallVector<int64_t> &index, const DesignMemories &memories) {
  auto leaf = cast<dataflow::LeafOp>(step->getParentOp());
  const ExternTokens &tokens = memories.externTokens.find(leaf)->second;
  SmallVector<ReplayStep::Output> outputs;
  for (auto [result, words] : llvm::zip_equal(step.getResults(), tokens)) {
    auto write = cast<dataflow::StreamWriteOp>(*result.user_begin());
    outputs.push_back({getGuardCheck(leaf, write.getGuard()), body.bind(result), words.data()});
  }
  return std::make_unique<ReplayStep>(std::move(outputs), index);
}
