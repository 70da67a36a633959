//===- BlockPlan.h - Which blocks a compute task holds ----------*- C++ -*-===//
//
// Every trip of the loops outside a block pays for filling and emptying a pipeline. A block is
// held for as many loops as the longer pipeline is worth in bytes, and no longer than those who
// wait for it lose by it.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_BLOCKPLAN_H
#define STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_BLOCKPLAN_H

#include "ComputeTask.h"

namespace streamtensor {

/// Do the result's vectors leave the core in the order of the FIFO?
bool canWriteDirectly(const ComputeTask &task, unsigned result);

/// Iterations from a kernel's start to the first and to the last token of a value.
struct Arrival {
  int64_t first = 0, last = 0;
};

/// What the tasks of a kernel wait for, in iterations.
struct KernelTimes {
  /// Of the longest task that takes, at once or through others, what an operation gives.
  llvm::DenseMap<mlir::Operation *, int64_t> longestBehind;
  /// When values come if every task starts as soon as its inputs let it. Roughly: nobody waits for
  /// who takes his results, and a part of a value comes as long as all of it.
  llvm::DenseMap<mlir::Value, Arrival> arrivals;
};

/// Fails, with an error, if a task is no nest of loops or the tile phase gave no unroll factors.
mlir::FailureOr<KernelTimes> estimateTimes(dataflow::KernelOp kernel);

/// Iterations for which `input` still comes once the task can begin: with all of it in one block,
/// the task would begin as much later.
int64_t countComing(const TaskNest &nest, const TaskNest::Input &input, const KernelTimes &times);

/// The level of the blocks of an input: the number of tile loops outside.
unsigned chooseInputLevel(const ControlModel &control, const ComputeTask &task, unsigned input);

/// The level of the blocks of a result.
unsigned chooseResultLevel(const ControlModel &control, const ComputeTask &task, unsigned result);

/// Blocks in the buffer: two, to fill one while the other is read, unless there is only one.
int64_t getNumBlocks(itensor::ITensorType type, unsigned level);

} // namespace streamtensor

#endif
