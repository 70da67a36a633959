//===- PortAccess.h - Accesses to external memory ---------------*- C++ -*-===//
//
// What one access of a leaf asks of its memory port: contiguous pieces of a
// row-major tensor, a beat for each word, bursts that end where their words do.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIM_PORTACCESS_H
#define STREAMTENSOR_SIM_PORTACCESS_H

#include "streamtensor/Sim/LeafPattern.h"

namespace streamtensor::sim {

struct PortAccess {
  dataflow::AccessOpInterface op;
  /// First bit of the access as a function of the loop indices.
  mlir::AffineExpr address;
  /// Where its contiguous pieces begin, in bits from its first, in the order of the elements.
  llvm::SmallVector<int64_t> pieces;
  int64_t bitsPerPiece;
  /// Cycles in which one access occupies its port: a word each.
  int64_t beats;
  /// A burst ends at multiples of so many bits; each further one costs `gap` cycles.
  int64_t burstBits, gap;
  /// The stripe that it moves as a function of the loop indices; null if all move alike.
  mlir::AffineExpr stripe;
  /// Each iteration begins bursts of its own.
  bool isAlone;
  /// So does each trip of so many outermost loops.
  unsigned serial;
};

/// Loads and stores of external tensors, in program order.
llvm::SmallVector<PortAccess> getPortAccesses(dataflow::NestOpInterface nest);

/// What a leaf moves over its interfaces.
struct PortTraffic {
  /// Iterations that start bursts and issue later for it: at a jump of the address and at every
  /// multiple of the burst limit. What fits into the initiation interval costs nothing.
  std::vector<BurstGap> gaps;
  /// All bursts, the first too, each with the bytes that it takes in beats of its channel.
  std::vector<Burst> bursts;
};

/// The number of an interface's reads or writes among the ways of the machine; negative where it is
/// bound to no channel.
using NumberOfWay = llvm::function_ref<int32_t(dataflow::InterfaceOp interface, bool writes)>;

PortTraffic computePortTraffic(dataflow::LeafOp leaf, NumberOfWay numberOfWay);

} // namespace streamtensor::sim

#endif
