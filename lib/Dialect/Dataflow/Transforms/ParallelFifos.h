//===- ParallelFifos.h - A token in FIFOs side by side ----------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_PARALLELFIFOS_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_PARALLELFIFOS_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::dataflow {

/// The way of a scalar or a line from leaf to leaf: one FIFO, or several side by side where one is
/// too narrow for it.
class ParallelFifos {
public:
  /// Declares FIFOs of at most `tokenBits`; `getName` gives the name of each.
  ParallelFifos(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type token, int64_t tokenBits,
                llvm::function_ref<std::string(unsigned part)> getName);

  void write(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
             mlir::IntegerSetAttr guard = nullptr);
  mlir::Value read(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::IntegerSetAttr guard = nullptr);

private:
  mlir::Type token;
  llvm::SmallVector<mlir::Value> fifos;
  llvm::SmallVector<int64_t> offsets; ///< Lanes in front of those of each.
};

} // namespace streamtensor::dataflow

#endif
