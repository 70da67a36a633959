//===- Engines.h - Contractions with one set of multipliers -----*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_ENGINES_H
#define STREAMTENSOR_TRANSFORMS_TILE_ENGINES_H

#include "streamtensor/Device/DeviceModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor {

/// The engine of each contraction that has one.
struct Engines : llvm::DenseMap<mlir::Operation *, mlir::StringAttr> {
  int64_t tokensOfPass = 0; ///< That an engine takes with each of its weights, of floats.
};

/// The loops of a product of activations [tokens, inputs] and weights, floats.
struct PassLoops {
  unsigned tokens, outputs, inputs;
};
/// Nothing if `op` is something else, or if it is not in an engine of `engines`.
std::optional<PassLoops> getPassLoops(mlir::linalg::LinalgOp op);
std::optional<PassLoops> getPassLoops(mlir::linalg::LinalgOp op, const Engines &engines);

/// Lanes along the loops of such a product, at most `lanes` in all, if an engine takes all tokens
/// in one pass.
llvm::SmallVector<int64_t> getPassLanes(mlir::linalg::LinalgOp op, llvm::ArrayRef<int64_t> tiles,
                                        int64_t lanes);

/// The products of a program of one layer that take less time one after the other, each with all
/// lanes, than with an array each; empty if there are none.
Engines findPassEngine(mlir::func::FuncOp function, const DeviceModel &device, int64_t tileSize,
                       int64_t lanes);

/// Engines for a program whose launch goes through several layers: one for contractions of integers
/// that take parameters of a layer once and whose products are alike, if there are several, and one
/// for the contractions of floats that scale and add up what they give. In a layer each waits for
/// the one before, so an array of its own would be idle while the others compute. A program of one
/// layer has one for the products of floats with parameters, `lanes` wide at most, if that is
/// faster.
Engines chooseEngines(mlir::func::FuncOp function, const DeviceModel &device, int64_t tileSize,
                      int64_t lanes);

} // namespace streamtensor

#endif
