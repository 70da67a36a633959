//===- BlockPlan.h - Which blocks a compute task holds ----------*- C++ -*-===//
//
// Every trip of the loops outside a block pays for filling and emptying a pipeline. A block is
// held for as many loops as the longer pipeline is worth in bytes, and a block of results no longer
// than those who wait for it lose by it.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_BLOCKPLAN_H
#define STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_BLOCKPLAN_H

#include "ComputeTask.h"

namespace streamtensor {

/// Do the result's vectors leave the core in the order of the FIFO?
bool canWriteDirectly(const ComputeTask &task, unsigned result);

/// For each operation of a kernel the iterations of the longest task that takes, at once or through
/// others, what it gives.
using LongestBehind = llvm::DenseMap<mlir::Operation *, int64_t>;

/// Fails, with an error, if a task is no nest of loops or the tile phase gave no unroll factors.
mlir::FailureOr<LongestBehind> findLongestBehind(dataflow::KernelOp kernel);

/// The level of the blocks of an input: the number of tile loops outside.
unsigned chooseInputLevel(const ControlModel &control, const ComputeTask &task,
                          const TaskNest::Input &input);

/// The level of the blocks of a result of `type`.
unsigned chooseResultLevel(const ControlModel &control, const ComputeTask &task,
                           itensor::ITensorType type);

/// Blocks in the buffer: two, to fill one while the other is read, unless there is only one.
int64_t getNumBlocks(itensor::ITensorType type, unsigned level);

} // namespace streamtensor

#endif
