//===- ExternProcess.h - A hand-written kernel as a process -----*- C++ -*-===//
//
// What the tokens of a FIFO are does not depend on how many it can hold, and a reference computes
// on whole tensors. So a design with hand-written kernels runs twice: first with channels without
// bound, where each such kernel takes all its tokens and gives all its results; then as it is,
// where the kernel moves tokens when its declaration says and gives those known from before.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_EXTERNPROCESS_H
#define STREAMTENSOR_LIB_INTERPRETER_EXTERNPROCESS_H

#include "LeafProcess.h"

namespace streamtensor::interpreter {

/// The kernel of a leaf task, of the first run.
class ExternProcess : public LeafProcess {
public:
  ExternProcess(dataflow::LeafOp leaf, DesignMemories &memories);
  void run(llvm::function_ref<void(LeafProcess *)> wake) override;

private:
  struct Port {
    Fifo *fifo;
    mlir::Type fifoToken, token;
    int64_t remaining = 0; ///< Of an input: tokens to come.
    std::vector<Word> words = {};
  };
  bool take(Port &port, llvm::function_ref<void(LeafProcess *)> wake);
  void give(Port &port, llvm::ArrayRef<Word> words, llvm::function_ref<void(LeafProcess *)> wake);

  dataflow::ExternStepOp step;
  dataflow::ExternOp declaration;
  llvm::SmallVector<Port> inputs, outputs;
  ExternTokens &results;
};

/// The step of the second run: gives the tokens of this iteration.
StepPtr makeReplay(dataflow::ExternStepOp step, Body &body, const llvm::SmallVector<int64_t> &index,
                   const DesignMemories &memories);

} // namespace streamtensor::interpreter

#endif
