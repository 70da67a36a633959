//===- ConverterPlan.h - The buffer between two itensor types ---*- C++ -*-===//
//
// How a converter is built, and the fewest elements that any converter between the same
// types must hold. Argument and definitions: docs/rationale/converters.md.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_ITENSOR_IR_CONVERTERPLAN_H
#define STREAMTENSOR_DIALECT_ITENSOR_IR_CONVERTERPLAN_H

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

namespace streamtensor::itensor {

/// How buffers are chosen.
enum class ConverterRule {
  Minimal, ///< The smallest form that can be built.
  Paper,   ///< Two blocks under the shared loops, always: as the StreamTensor paper has it.
};

/// The buffer that reorders `source` (an exact cover) into `result`. Both nests are first
/// split to a common refinement.
struct ConverterPlan {
  ITensorType source;             ///< `source` after refinement; loops 0..shared-1 are shared.
  ITensorType result;             ///< `result` after refinement; the same first loops.
  unsigned shared = 0;            ///< Number of shared loops (outermost).
  llvm::SmallVector<int64_t> box; ///< Shape of one block: extent per data dimension.
  int64_t blocks = 1;             ///< Blocks of that shape.
  ConverterKind kind = ConverterKind::SingleBuffer;
  /// Elements in all blocks.
  int64_t getNumElements() const;
  /// Trips of the shared loops together.
  int64_t getSharedTrips() const;
};
mlir::FailureOr<ConverterPlan> planConverter(ITensorType source, ITensorType result,
                                             ConverterRule rule = ConverterRule::Minimal);

/// A ring of lines between a source that brings slabs of one data dimension in order and a
/// result that reads windows over it in order. Both go on by `advance` indices per stage; a
/// window is read `lag` stages after its first slab has come, when all of it is there.
struct LineRing {
  unsigned dim;    ///< The data dimension of the outermost loop on both sides.
  int64_t advance; ///< Indices along it that each stage brings: a multiple of both steps.
  int64_t lag;     ///< Stages.

  /// Indices that the ring holds: those of `lag` stages, and of the one that comes in.
  int64_t getSize() const { return (lag + 1) * advance; }
};
/// The ring between two types that share no loop; nothing if they are not of this form, or if
/// the ring holds no less than the whole data.
std::optional<LineRing> planLineRing(ITensorType source, ITensorType result);

/// What a converter holds if both sides take equal time per activation at an even pace and the
/// reader starts as early as it may: source token i of N arrives at (i+1)/N, result token j
/// of M leaves at delay + j/M, and an element is live from the instant it arrives to the
/// instant it leaves last, both included.
struct EvenPace {
  int64_t peakLive; ///< Most elements live at one time: no converter holds fewer.
  int64_t ahead;    ///< Most elements that wait in front of a line or repeat buffer.
};
/// Nothing if there are too many tokens to step through.
std::optional<EvenPace> analyseEvenPace(const ConverterPlan &plan);

} // namespace streamtensor::itensor

#endif
