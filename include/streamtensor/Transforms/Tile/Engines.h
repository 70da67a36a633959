//===- Engines.h - Contractions with one set of multipliers -----*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_ENGINES_H
#define STREAMTENSOR_TRANSFORMS_TILE_ENGINES_H

#include "streamtensor/Device/DeviceModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace streamtensor {

/// The engine of each contraction that has one.
using Engines = llvm::DenseMap<mlir::Operation *, mlir::StringAttr>;

/// Engines for a program whose launch goes through several layers: one for contractions of integers
/// that take parameters of a layer once and whose products are alike, if there are several, and one
/// for the contractions of floats that scale and add up what they give. In a layer each waits for
/// the one before, so an array of its own would be idle while the others compute.
Engines chooseEngines(mlir::func::FuncOp function, const DeviceModel &device);

} // namespace streamtensor

#endif
