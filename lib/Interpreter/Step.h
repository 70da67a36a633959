//===- Step.h - Operations ready to run -------------------------*- C++ -*-===//
//
// A body that runs many times is compiled once: each value has registers (one word per lane)
// at a fixed place, each operation is a step that reads and writes them.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_STEP_H
#define STREAMTENSOR_LIB_INTERPRETER_STEP_H

#include "mlir/IR/Operation.h"
#include "streamtensor/Interpreter/Word.h"

#include <array>
#include <memory>

namespace streamtensor::interpreter {

/// What went wrong while running: the operation and the reason. The first fault counts.
struct Fault {
  mlir::Operation *op = nullptr;
  std::string message;

  void report(mlir::Operation *at, llvm::StringRef why) {
    if (!op) {
      op = at;
      message = why.str();
    }
  }
  explicit operator bool() const { return op; }
};

struct Step {
  virtual ~Step() = default;
  virtual void run() = 0;
};
using StepPtr = std::unique_ptr<Step>;

/// The registers of a value: one word, or one per lane.
struct Registers {
  Word *words = nullptr;
  int64_t lanes = 1;
};

/// Applies a function of words to each lane; scalar operands serve every lane.
template <typename Function, size_t numOperands> struct LaneStep : Step {
  LaneStep(Registers result, llvm::ArrayRef<Registers> from, Function function)
      : result(result), function(function) {
    for (size_t i = 0; i < numOperands; ++i) {
      operands[i] = from[i].words;
      steps[i] = from[i].lanes == 1 ? 0 : 1;
    }
  }
  void run() override { runLanes(std::make_index_sequence<numOperands>()); }

private:
  template <size_t... i> void runLanes(std::index_sequence<i...>) {
    for (int64_t lane = 0; lane < result.lanes; ++lane)
      result.words[lane] = function(operands[i][lane * steps[i]]...);
  }
  Registers result;
  std::array<const Word *, numOperands> operands;
  std::array<int64_t, numOperands> steps;
  Function function;
};

template <size_t numOperands, typename Function>
StepPtr makeLaneStep(Registers result, llvm::ArrayRef<Registers> operands, Function function) {
  return std::make_unique<LaneStep<Function, numOperands>>(result, operands, function);
}

/// The step of an operation of `arith` or `math`; null if it has none.
StepPtr makeArithmetic(mlir::Operation *op, Registers result, llvm::ArrayRef<Registers> operands,
                       Fault &fault);
StepPtr makeFloatArithmetic(mlir::Operation *op, Registers result,
                            llvm::ArrayRef<Registers> operands);
StepPtr makeIntegerArithmetic(mlir::Operation *op, Registers result,
                              llvm::ArrayRef<Registers> operands, Fault &fault);
StepPtr makeConversion(mlir::Operation *op, Registers result, llvm::ArrayRef<Registers> operands);

/// The step of an operation that moves lanes, of `vector` or on tuples; null if it is none.
StepPtr makeLaneMove(mlir::Operation *op, Registers result, llvm::ArrayRef<Registers> operands);

} // namespace streamtensor::interpreter

#endif
