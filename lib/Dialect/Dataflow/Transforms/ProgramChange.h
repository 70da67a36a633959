//===- ProgramChange.h - Changes of a program with its design ---*- C++ -*-===//
//
// What passes share that change the function of a program and the ports of its design together.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_PROGRAMCHANGE_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_PROGRAMCHANGE_H

#include "mlir/IR/BuiltinOps.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::dataflow {

/// The port of an operand or of a result of the launch.
PortOp getPort(LaunchOp launch, unsigned number, bool isInput);

/// All lanes of `box` along its last dimension.
bool isRun(llvm::ArrayRef<int64_t> box);

/// What a FIFO takes of a value that a leaf moves: its elements, one after the other.
mlir::Type getToken(mlir::Type moved);

/// `value` as `type`, which has the same elements.
mlir::Value reshape(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                    mlir::Type type);

/// Takes away the private memories that nobody uses.
void eraseUnusedPrivates(LeafOp leaf);

/// Makes a change and verifies the module; one that does not verify is put back as it was.
/// `reason`, if it is empty, becomes the first error.
llvm::LogicalResult applyOrRestore(mlir::ModuleOp module, llvm::function_ref<void()> change,
                                   std::string &reason);

} // namespace streamtensor::dataflow

#endif
