//===- IndexCounters.cpp - Digits of loop indices as counters -------------===//

#include "streamtensor/Analysis/IndexCounters.h"

#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

/// The operands of such an expression with a constant at the right.
static std::optional<std::pair<AffineExpr, int64_t>> split(AffineExpr expr, AffineExprKind kind) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || binary.getKind() != kind)
    return std::nullopt;
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!constant || constant.getValue() < 1)
    return std::nullopt;
  return std::pair{binary.getLHS(), constant.getValue()};
}

/// Is the expression the index of a loop?
static bool isIndex(AffineExpr expr, const AffineRanges &ranges) {
  auto dim = dyn_cast<AffineDimExpr>(expr);
  return dim && ranges.trips[dim.getPosition()] > 1;
}

static std::optional<IndexCounter> makeCounter(AffineExpr index, int64_t factor, int64_t divisor,
                                               int64_t modulus, const AffineRanges &ranges) {
  bool isBits = llvm::isPowerOf2_64(divisor) && llvm::isPowerOf2_64(modulus);
  if (isBits || !isIndex(index, ranges))
    return std::nullopt;
  return IndexCounter{cast<AffineDimExpr>(index).getPosition(), factor % modulus, divisor, modulus};
}

std::optional<IndexCounter> streamtensor::matchCounter(AffineExpr expr,
                                                       const AffineRanges &ranges) {
  if (auto quotient = split(expr, AffineExprKind::FloorDiv)) {
    auto [dividend, divisor] = *quotient;
    if (auto digit = split(dividend, AffineExprKind::Mod); digit && digit->second % divisor == 0)
      return makeCounter(digit->first, 1, divisor, digit->second / divisor, ranges);
    if (!isIndex(dividend, ranges))
      return std::nullopt;
    // As many as there are: it never begins anew.
    int64_t trips = ranges.trips[cast<AffineDimExpr>(dividend).getPosition()];
    if (llvm::isPowerOf2_64(divisor))
      return std::nullopt;
    return makeCounter(dividend, 1, divisor, llvm::divideCeil(trips, divisor), ranges);
  }
  auto remainder = split(expr, AffineExprKind::Mod);
  if (!remainder)
    return std::nullopt;
  auto [dividend, modulus] = *remainder;
  if (auto quotient = split(dividend, AffineExprKind::FloorDiv))
    return makeCounter(quotient->first, 1, quotient->second, modulus, ranges);
  if (auto product = split(dividend, AffineExprKind::Mul))
    return makeCounter(product->first, product->second, 1, modulus, ranges);
  return makeCounter(dividend, 1, 1, modulus, ranges);
}

/// The summands of a sum.
static void collectTerms(AffineExpr expr, SmallVectorImpl<AffineExpr> &terms) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || binary.getKind() != AffineExprKind::Add)
    return terms.push_back(expr);
  collectTerms(binary.getLHS(), terms);
  collectTerms(binary.getRHS(), terms);
}

std::optional<RemainderParts> streamtensor::splitRemainder(AffineBinaryOpExpr remainder,
                                                           const AffineRanges &ranges) {
  auto parts = split(remainder, AffineExprKind::Mod);
  if (!parts || llvm::isPowerOf2_64(parts->second))
    return std::nullopt;
  SmallVector<AffineExpr> terms;
  collectTerms(parts->first, terms);
  RemainderParts result;
  for (AffineExpr term : terms) {
    AffineExpr part = simplifyIn(term % parts->second, ranges);
    AffineValues values = getValues(part, ranges);
    bool isRemainder = part.getKind() == AffineExprKind::Mod;
    if (values.low < 0 || (isRemainder && !matchCounter(part, ranges)))
      return std::nullopt;
    if (values.high == 0)
      continue;
    result.parts.push_back(part);
    result.most += values.high;
  }
  return result;
}

void streamtensor::collectCounters(AffineExpr expr, const AffineRanges &ranges,
                                   SmallVectorImpl<IndexCounter> &counters) {
  auto add = [&](const IndexCounter &counter) {
    if (!llvm::is_contained(counters, counter))
      counters.push_back(counter);
  };
  if (std::optional<IndexCounter> counter = matchCounter(expr, ranges)) {
    if (counter->divisor > 1)
      add({counter->loop, 1, 1, counter->divisor});
    return add(*counter);
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return;
  if (std::optional<RemainderParts> sum = splitRemainder(binary, ranges)) {
    for (AffineExpr part : sum->parts)
      collectCounters(part, ranges, counters);
    return;
  }
  collectCounters(binary.getLHS(), ranges, counters);
  collectCounters(binary.getRHS(), ranges, counters);
}

bool streamtensor::isOneLoop(NestOpInterface nest, unsigned first) {
  if (nest.getLeaf().getTogether())
    return true;
  SmallVector<AffineExpr> counts = getCounts(nest);
  SmallVector<unsigned> loops;
  for (auto [loop, trips] : llvm::enumerate(nest.getLoopTrips()))
    if (loop >= first && trips > 1)
      loops.push_back(loop);
  if (loops.size() < 2)
    return false;
  return llvm::any_of(llvm::drop_begin(loops),
                      [&](unsigned loop) { return !isa<AffineConstantExpr>(counts[loop]); }) ||
         llvm::any_of(getIndexCounters(nest), [&](const IndexCounter &counter) {
           return llvm::is_contained(loops, counter.loop);
         });
}

bool streamtensor::isOneLoop(NestOpInterface nest) {
  LeafOp leaf = nest.getLeaf();
  return isOneLoop(nest, leaf.hasNests() ? leaf.getNumLoops() : leaf.getSerialLevel());
}

SmallVector<IndexCounter> streamtensor::getIndexCounters(NestOpInterface nest) {
  AffineRanges ranges;
  SmallVector<AffineExpr> indices;
  MLIRContext *context = nest->getContext();
  for (auto [loop, trip] : llvm::enumerate(nest.getLoopTrips())) {
    ranges.trips.push_back(trip);
    indices.push_back(trip == 1 ? getAffineConstantExpr(0, context)
                                : getAffineDimExpr(loop, context));
  }
  for (IndexRange range : getScalarRanges(nest.getLeaf()))
    ranges.symbolRanges.push_back({range.low, range.high});
  SmallVector<IndexCounter> counters;
  for (AccessOpInterface access : getAccesses(nest))
    if (AffineMap place = access.getPlace())
      for (AffineExpr expr : place.getResults())
        collectCounters(simplifyIn(expr.replaceDimsAndSymbols(indices, {}), ranges), ranges,
                        counters);
  return counters;
}
