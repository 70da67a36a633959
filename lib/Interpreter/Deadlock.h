//===- Deadlock.h - Why a design stands still -------------------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_DEADLOCK_H
#define STREAMTENSOR_LIB_INTERPRETER_DEADLOCK_H

#include "LeafProcess.h"

namespace streamtensor::interpreter {

/// Emits an error with the cycle of tasks that wait for each other; always fails.
mlir::LogicalResult reportDeadlock(dataflow::DesignOp design,
                                   llvm::ArrayRef<std::unique_ptr<LeafProcess>> processes);

} // namespace streamtensor::interpreter

#endif
