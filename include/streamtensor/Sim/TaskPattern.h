//===- TaskPattern.h - Phases and iterations of a leaf's task ---*- C++ -*-===//

#ifndef STREAMTENSOR_SIM_TASKPATTERN_H
#define STREAMTENSOR_SIM_TASKPATTERN_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Sim/Machine.h"

namespace streamtensor::sim {

/// Sets trips, phases and pattern of `task`: a phase for each pipeline of the leaf, the iterations
/// of nests with lag laid over each other. `fifos` gives the index of a FIFO in the machine.
llvm::LogicalResult addPattern(dataflow::LeafOp leaf,
                               const llvm::DenseMap<mlir::Value, int32_t> &fifos, Task &task);

} // namespace streamtensor::sim

#endif
