//===- TilingLaws.h - What a kind of operation allows -----------*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_TILINGLAWS_H
#define STREAMTENSOR_TRANSFORMS_TILE_TILINGLAWS_H

#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"

namespace streamtensor {

/// The loop along the rows that an operation passes on, or nothing: of its first input if it
/// reduces, else of its result. Operations other than contractions have lanes along it only.
std::optional<unsigned> getRowLoop(mlir::linalg::LinalgOp op);

/// The loops of an operation along which points may be computed at once.
std::vector<int64_t> getLaneLoops(mlir::linalg::GenericOp op);

/// The first law of the tiling space that `numbers` break on `op`, which is whole: those of
/// dataflow::findFault, then those of its kind of operation.
std::optional<dataflow::TilingFault> findTilingFault(const dataflow::TilingNumbers &numbers,
                                                     mlir::linalg::GenericOp op);

} // namespace streamtensor

#endif
