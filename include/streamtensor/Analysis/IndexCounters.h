//===- IndexCounters.h - Digits of loop indices as counters -----*- C++ -*-===//
//
// An address may need an index modulo 3. In hardware that is a divider, or a counter beside the one
// of the loop that begins anew at 3. Found here, once; the emitter prints the counters and the
// resources count them.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_ANALYSIS_INDEXCOUNTERS_H
#define STREAMTENSOR_ANALYSIS_INDEXCOUNTERS_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Support/Affine.h"

namespace streamtensor {

/// `(factor * index) mod modulus`, or with a divisor above 1 `(index floordiv divisor) mod
/// modulus`.
struct IndexCounter {
  unsigned loop;
  int64_t factor, divisor, modulus;
  bool operator==(const IndexCounter &other) const = default;
};

/// The counter that holds `expr`; none if it is no remainder or quotient of one index by what is no
/// power of two, which would be some of its bits.
std::optional<IndexCounter> matchCounter(mlir::AffineExpr expr, const AffineRanges &ranges);

/// Expressions of no negative value whose sum, at most `most`, leaves a remainder.
struct RemainderParts {
  llvm::SmallVector<mlir::AffineExpr> parts;
  int64_t most = 0;
};

/// The remainder of a sum by what is no power of two as remainders of its terms, each of which has
/// a counter or stays below the divisor by itself; none if there is no such form.
std::optional<RemainderParts> splitRemainder(mlir::AffineBinaryOpExpr remainder,
                                             const AffineRanges &ranges);

/// Adds the counters that an expression needs. A counter with a divisor follows the one of the
/// remainder, which tells it when to count.
void collectCounters(mlir::AffineExpr expr, const AffineRanges &ranges,
                     llvm::SmallVectorImpl<IndexCounter> &counters);

/// The loops of the nest's pipeline, if they are one loop with counters in C++, else none: where
/// nests run together, scalars bound one loop within another, or something is counted beside an
/// index. Vitis flattens a nest of which the outermost bound alone is known at run time and between
/// whose loops nothing stands. In other nests bursts are inferred from the loops' indices. The
/// loops count from `first` on.
bool isOneLoop(dataflow::NestOpInterface nest, unsigned first);
bool isOneLoop(dataflow::NestOpInterface nest);

/// The counters that the places need which the nest accesses.
llvm::SmallVector<IndexCounter> getIndexCounters(dataflow::NestOpInterface nest);

} // namespace streamtensor

#endif
