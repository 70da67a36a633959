//===- LayerWays.h - Tensors of a program and the ports they reach -*- C++ -*-===//
//
// What lies between the arguments and results of a program and its only launch, and how tensors of
// one layer become those of all.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_LAYERWAYS_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_LAYERWAYS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::dataflow {

/// A tensor of the program as a port has it: the element (i0, i1, …) of the port is element
/// offset + i0 * strides[0] + … of the program's row-major tensor.
struct Way {
  unsigned number = 0; ///< Of the launch's operand or result.
  llvm::SmallVector<int64_t> strides;
  int64_t offset = 0;
  PortOp port;
};

/// The ways from an argument to the launch, in the order of the operands. `reason` says why there
/// are none.
mlir::LogicalResult findWays(mlir::Value argument, std::vector<Way> &ways, std::string &reason);

/// The way of a result of the program.
mlir::LogicalResult findResultWay(mlir::func::FuncOp function, unsigned result, Way &way,
                                  std::string &reason);

/// The loops around an access, with their counts over `scalars`, its symbols.
struct LoopNest {
  llvm::SmallVector<int64_t> trips;
  llvm::SmallVector<mlir::AffineExpr> counts;
  llvm::SmallVector<mlir::Value> scalars;
  llvm::SmallVector<mlir::AffineExpr> symbols; ///< What each scalar was before is now.

  /// The layer as outermost loop, the number of layers as last scalar.
  void addLayers(int64_t layers, mlir::Value scalar);
  /// Its scalars become a part of `all`.
  void renumber(llvm::ArrayRef<mlir::Value> all);
  /// An expression over the scalars as they were.
  mlir::AffineExpr renumber(mlir::AffineExpr expr) const;
};
LoopNest getLoopNest(NestOpInterface nest);

/// Adds an outermost loop of `trips`, counted by `scalar` if there is one, to a leaf.
void addOutermostLoop(LeafOp leaf, int64_t trips, mlir::Value scalar = {});

/// A launch in which the tensors of `read`, the argument `carried` in several layouts, are one
/// operand, in the layout in which the result of a layer is `written`. It belongs to `port`.
LaunchOp replaceCarried(mlir::func::FuncOp function, LaunchOp launch, unsigned carried,
                        const Way &written, llvm::ArrayRef<Way> read, PortOp port);

/// Arguments that are stacked, and all results, get a first dimension of `layers`. Gives the ports
/// that have one, too. `launch` becomes another.
llvm::SmallVector<PortOp> stackProgram(mlir::func::FuncOp function, LaunchOp &launch,
                                       int64_t layers);

} // namespace streamtensor::dataflow

#endif
