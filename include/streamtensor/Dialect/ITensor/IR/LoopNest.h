//===- LoopNest.h - The loops of an itensor type, as data -------*- C++ -*-===//
//
// An itensor type is a nest of loops over the tiles of a tensor. This view of it
// (one struct per loop instead of trip counts, steps and a map) is what the
// algebra works on.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_ITENSOR_IR_LOOPNEST_H
#define STREAMTENSOR_DIALECT_ITENSOR_IR_LOOPNEST_H

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

namespace streamtensor::itensor {

/// One iteration dimension. Steps are counted in elements of the data tensor.
struct Loop {
  int64_t trips = 1;
  int64_t step = 1;
  std::optional<unsigned> dim; ///< The data dimension it feeds; none: a revisit.

  int64_t getSpan() const { return trips * step; }
  bool isRevisit() const { return !dim; }
  bool operator==(const Loop &other) const {
    return trips == other.trips && step == other.step && dim == other.dim;
  }
};

using LoopNest = llvm::SmallVector<Loop>;

/// The loops of `type`, outermost first.
LoopNest getLoops(ITensorType type);

/// The type with these loops. The data shape is stated only if the loops and the
/// tile do not reach it by themselves, or skip elements on the way.
ITensorType getTypeOfLoops(llvm::ArrayRef<Loop> loops, llvm::ArrayRef<int64_t> elementShape,
                           mlir::Type elementType, llvm::ArrayRef<int64_t> dataShape);

/// As above; the data is what the loops and the tile reach.
ITensorType getTypeOfLoops(llvm::ArrayRef<Loop> loops, llvm::ArrayRef<int64_t> elementShape,
                           mlir::Type elementType);

/// Unit trips dropped; adjacent loops that count like one loop merged.
LoopNest normalizeLoops(llvm::ArrayRef<Loop> loops);

/// Elements from the first to the last that `loops` and a tile of `extent`
/// elements reach along data dimension `dim`.
int64_t getReach(llvm::ArrayRef<Loop> loops, unsigned dim, int64_t extent);

/// The loops of data dimension `dim` with more than one trip, smallest step first.
LoopNest getLoopsByStep(llvm::ArrayRef<Loop> loops, unsigned dim);

/// Splits loop `index`, of T trips and step S, into an outer one of `trips` trips and step
/// S * T / trips around an inner one of T / trips trips and step S. The order stays the same.
void splitLoop(LoopNest &loops, unsigned index, int64_t trips);

/// Two nests whose first `shared` loops are equal.
struct RefinedNests {
  LoopNest first, second;
  unsigned shared = 0;
};

/// The common refinement of two nests in normal form: both keep their order, loops are split
/// (`splitLoop`) so that the outermost loops are equal, and no other splitting of both lets
/// them have more trips in common.
RefinedNests refineNests(LoopNest first, LoopNest second);

} // namespace streamtensor::itensor

#endif
