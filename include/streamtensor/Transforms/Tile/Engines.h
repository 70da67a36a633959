//===- Engines.h - Contractions with one set of multipliers -----*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_ENGINES_H
#define STREAMTENSOR_TRANSFORMS_TILE_ENGINES_H

#include "streamtensor/Device/DeviceModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor {

/// How an engine takes a contraction, for each of its loops.
struct EngineTurn {
  llvm::SmallVector<int64_t> tile, unroll;
};

/// The engine of each contraction that has one.
struct Engines : llvm::DenseMap<mlir::Operation *, mlir::StringAttr> {
  int64_t tokensOfPass = 0; ///< That an engine takes with each of its weights, of floats.
  /// Lanes along the loops of products with a single token, floats.
  int64_t outputsOfToken = 0, inputsOfToken = 0;
  /// Of an engine for all products, which says of each what else follows from loops.
  llvm::DenseMap<mlir::Operation *, EngineTurn> turns;
};

/// The loops of a product of activations [tokens, inputs], or [inputs] of a single token, and
/// weights, floats.
struct PassLoops {
  std::optional<unsigned> tokens;
  unsigned outputs = 0, inputs = 0;
  unsigned activations = 0, weights = 1; ///< Which operand they are.
  llvm::SmallVector<unsigned> heads;     ///< Loops that both operands and the result have.
};
/// Nothing if `op` is something else, or if it is not in an engine of `engines`. `alsoTurned`: the
/// activations may be [inputs, tokens].
std::optional<PassLoops> getPassLoops(mlir::linalg::LinalgOp op, bool alsoTurned = false);
std::optional<PassLoops> getPassLoops(mlir::linalg::LinalgOp op, const Engines &engines);
/// The loops of products of two matrices for each head, floats; nothing if `op` is something else.
std::optional<PassLoops> getHeadLoops(mlir::linalg::LinalgOp op);
/// The loops of either, of activations that may be turned.
std::optional<PassLoops> getProductLoops(mlir::linalg::LinalgOp op);

/// Lanes along the loops of such a product in an engine of `engines`, at most `lanes` in all.
llvm::SmallVector<int64_t> getPassLanes(mlir::linalg::LinalgOp op, const Engines &engines,
                                        llvm::ArrayRef<int64_t> tiles, int64_t lanes);

/// The products of a program of one layer that take less time one after the other, each with all
/// lanes, than with an array each; empty if there are none.
Engines findPassEngine(mlir::func::FuncOp function, const DeviceModel &device, int64_t tileSize,
                       int64_t lanes);

/// All products of a program, each with `lanes` lanes at most; empty if there are fewer than two,
/// or if one of them could not take turns with the others.
Engines findProductEngine(mlir::func::FuncOp function, const DeviceModel &device, int64_t lanes);

/// The products that take turns with an engine of a single token, if the pass LayTokenWeights has
/// laid their operands for it; empty if not.
Engines getTokenEngine(mlir::func::FuncOp function, const DeviceModel &device);

/// Engines for a program whose launch goes through several layers: one for contractions of integers
/// that take parameters of a layer once and whose products are alike, if there are several, and one
/// for the contractions of floats that scale and add up what they give. In a layer each waits for
/// the one before, so an array of its own would be idle while the others compute. A program of one
/// layer has one for the products of floats with parameters, `lanes` wide at most, if that is
/// faster, or, with `allProducts`, one for all.
Engines chooseEngines(mlir::func::FuncOp function, const DeviceModel &device, int64_t tileSize,
                      int64_t lanes, bool allProducts);

} // namespace streamtensor

#endif
