//===- ScalarBox.cpp - Boxes of iterations that scalars bound -------------===//

#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"

#include <limits>

using namespace mlir;

namespace streamtensor::dataflow {

SmallVector<IndexRange> getScalarRanges(LeafOp leaf) {
  return llvm::map_to_vector(leaf.getScalars(), [](Value value) {
    auto scalar = value.getDefiningOp<ScalarOp>();
    return IndexRange{static_cast<int64_t>(scalar.getLow()),
                      static_cast<int64_t>(scalar.getHigh())};
  });
}

/// Of the loops of a leaf or of a nest by itself.
template <typename Nest> static SmallVector<AffineExpr> getOwnCounts(Nest op) {
  if (std::optional<AffineMap> counts = op.getCounts())
    return SmallVector<AffineExpr>(counts->getResults());
  return llvm::map_to_vector(
      op.getTrips(), [&](int64_t trips) { return getAffineConstantExpr(trips, op.getContext()); });
}

SmallVector<AffineExpr> getCounts(NestOpInterface nest) {
  SmallVector<AffineExpr> counts = getOwnCounts(nest.getLeaf());
  if (auto own = dyn_cast<NestOp>(*nest))
    llvm::append_range(counts, getOwnCounts(own));
  return counts;
}

bool isAffineInScalars(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return true;
  if (!isAffineInScalars(binary.getLHS()) || !isAffineInScalars(binary.getRHS()))
    return false;
  if (expr.getKind() == AffineExprKind::Add)
    return true;
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return factor && (expr.getKind() == AffineExprKind::Mul || factor.getValue() > 0);
}

LeafBoxes::LeafBoxes(NestOpInterface nest)
    : context(nest.getContext()), scalars(getScalarRanges(nest.getLeaf())) {
  for (Value scalar : nest.getLeaf().getScalars())
    names.push_back(scalar.getDefiningOp<ScalarOp>().getName());
  for (AffineExpr count : getCounts(nest))
    whole.push_back({getAffineConstantExpr(0, context), simplify(count - 1)});
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

AffineExpr LeafBoxes::simplify(AffineExpr expr) const {
  return isa<AffineConstantExpr>(expr)
             ? expr
             : simplifyAffineExpr(expr, whole.size(), static_cast<unsigned>(scalars.size()));
}

/// Scalars as further dimensions behind the loops.
AffineExpr LeafBoxes::withoutSymbols(AffineExpr expr) const {
  SmallVector<AffineExpr> symbols;
  for (size_t scalar = 0; scalar < scalars.size(); ++scalar)
    symbols.push_back(getAffineDimExpr(whole.size() + scalar, context));
  return expr.replaceSymbols(symbols);
}

/// The widest range of each loop, then the scalars.
IterationBox LeafBoxes::getHull(const ScalarBox &box) const {
  IterationBox values;
  values.loops.assign(whole.size(), IndexRange{0, 0});
  values.loops.append(scalars.begin(), scalars.end());
  IterationBox hull;
  for (const ScalarRange &range : box)
    hull.loops.push_back({dataflow::getRange(withoutSymbols(range.low), values).low,
                          dataflow::getRange(withoutSymbols(range.high), values).high});
  hull.loops.append(scalars.begin(), scalars.end());
  return hull;
}

/// `expr` is over scalars alone.
bool LeafBoxes::isNonNegative(AffineExpr expr) const {
  expr = simplify(expr);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() >= 0;
  IterationBox values;
  values.loops.assign(whole.size(), IndexRange{0, 0});
  values.loops.append(scalars.begin(), scalars.end());
  return dataflow::staysWithin(withoutSymbols(expr), values,
                               {0, std::numeric_limits<int64_t>::max()});
}

bool LeafBoxes::isNonEmpty(const ScalarRange &range) const {
  return isNonNegative(range.high - range.low);
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

namespace {
/// coefficient * d(loop) + rest; no loop: the rest alone.
struct LinearForm {
  std::optional<unsigned> loop;
  int64_t coefficient = 0;
  AffineExpr rest;
};
} // namespace

static std::optional<LinearForm> getLinearForm(AffineExpr expr, unsigned loops) {
  LinearForm form;
  for (unsigned loop = 0; loop < loops; ++loop)
    if (expr.isFunctionOfDim(loop)) {
      if (form.loop)
        return std::nullopt;
      form.loop = loop;
    }
  form.rest = expr;
  if (!form.loop)
    return form;
  // Linear if the value grows by the same wherever one more trip is made.
  auto at = [&](int64_t trip) {
    return expr.replace(getAffineDimExpr(*form.loop, expr.getContext()),
                        getAffineConstantExpr(trip, expr.getContext()));
  };
  std::function<std::optional<int64_t>(AffineExpr)> slope =
      [&](AffineExpr part) -> std::optional<int64_t> {
    if (!part.isFunctionOfDim(*form.loop))
      return 0;
    if (isa<AffineDimExpr>(part))
      return 1;
    auto binary = cast<AffineBinaryOpExpr>(part);
    std::optional<int64_t> left = slope(binary.getLHS()), right = slope(binary.getRHS());
    if (!left || !right)
      return std::nullopt;
    if (part.getKind() == AffineExprKind::Add)
      return *left + *right;
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (part.getKind() != AffineExprKind::Mul || !factor)
      return std::nullopt;
    return *left * factor.getValue();
  };
  std::optional<int64_t> coefficient = slope(expr);
  if (!coefficient)
    return std::nullopt;
  form.coefficient = *coefficient;
  form.rest = at(0);
  return form;
}

/// Moves one end of the range inwards to `bound`, as far as it is known to lie there.
bool LeafBoxes::tighten(ScalarRange &range, AffineExpr bound, bool isLow) const {
  bound = simplify(bound);
  AffineExpr &end = isLow ? range.low : range.high;
  AffineExpr inwards = isLow ? bound - end : end - bound;
  if (isNonNegative(inwards)) {
    end = bound;
    return true;
  }
  return isNonNegative(-inwards);
}

std::optional<ScalarBox> LeafBoxes::getBox(IntegerSet guard) const {
  ScalarBox box = whole;
  if (!guard)
    return box;
  if (guard.getNumDims() != whole.size() || guard.getNumSymbols() > scalars.size())
    return std::nullopt;
  bool holds = true;
  for (auto [index, constraint] : llvm::enumerate(guard.getConstraints())) {
    if (!isAffineInScalars(constraint))
      return std::nullopt;
    std::optional<LinearForm> form = getLinearForm(simplify(constraint), whole.size());
    if (!form)
      return std::nullopt;
    bool isEquality = guard.isEq(index);
    int64_t factor = form->coefficient;
    if (!form->loop) {
      bool isPast = isNonNegative(-form->rest - 1);
      bool isReached = isNonNegative(form->rest);
      bool isZero = isReached && isNonNegative(-form->rest);
      bool isMore = isEquality && isNonNegative(form->rest - 1);
      if (isPast || isMore)
        holds = false;
      else if (!(isEquality ? isZero : isReached))
        return std::nullopt;
      continue;
    }
    auto constant = dyn_cast<AffineConstantExpr>(form->rest);
    if (isEquality && std::abs(factor) != 1) {
      if (!constant)
        return std::nullopt;
      if (constant.getValue() % factor != 0) {
        holds = false;
        continue;
      }
    }
    ScalarRange &range = box[*form->loop];
    // factor * d + rest >= 0
    AffineExpr low = factor > 0 ? (-form->rest).ceilDiv(factor) : form->rest.ceilDiv(-factor);
    AffineExpr high = factor > 0 ? (-form->rest).floorDiv(factor) : form->rest.floorDiv(-factor);
    if ((isEquality || factor > 0) && !tighten(range, low, /*isLow=*/true))
      return std::nullopt;
    if ((isEquality || factor < 0) && !tighten(range, high, /*isLow=*/false))
      return std::nullopt;
  }
  if (!holds && whole.empty())
    return std::nullopt;
  for (const ScalarRange &range : box) {
    holds &= !isNonNegative(range.low - range.high - 1);
    // Sizes are counted as high - low + 1, which must not be negative.
    if (holds && !isNonNegative(range.high - range.low + 1))
      return std::nullopt;
  }
  if (!holds)
    for (ScalarRange &range : box)
      range = {getAffineConstantExpr(0, context), getAffineConstantExpr(-1, context)};
  return box;
}

std::optional<ScalarBox> LeafBoxes::getComplement(const ScalarBox &box) const {
  std::optional<ScalarBox> complement;
  for (size_t loop = 0; loop < whole.size(); ++loop) {
    const ScalarRange &part = box[loop], &all = whole[loop];
    if (part == all)
      continue;
    if (complement || (part.low != all.low && part.high != all.high))
      return std::nullopt;
    complement = whole;
    (*complement)[loop] = part.low == all.low ? ScalarRange{simplify(part.high + 1), all.high}
                                              : ScalarRange{all.low, simplify(part.low - 1)};
  }
  return complement;
}

ScalarPolynomial LeafBoxes::getNumIterations(const ScalarBox &box) const {
  ScalarPolynomial count(1);
  for (const ScalarRange &range : box)
    count = count * ScalarPolynomial::get(range.high - range.low + 1, names);
  return count;
}

bool LeafBoxes::isEmpty(const ScalarBox &box) const {
  return llvm::any_of(
      box, [&](const ScalarRange &range) { return isNonNegative(range.low - range.high - 1); });
}

bool LeafBoxes::containsFirst(const ScalarBox &box) const {
  return llvm::all_of(box, [&](const ScalarRange &range) {
    return range.low == getAffineConstantExpr(0, context) && isNonEmpty(range);
  });
}

bool LeafBoxes::contains(const ScalarBox &outer, const ScalarBox &inner) const {
  return isEmpty(inner) || llvm::all_of(llvm::zip_equal(outer, inner), [&](auto pair) {
           auto [wide, narrow] = pair;
           return isNonNegative(narrow.low - wide.low) && isNonNegative(wide.high - narrow.high);
         });
}

bool LeafBoxes::exclude(const ScalarBox &first, const ScalarBox &second) const {
  return isEmpty(first) || isEmpty(second) ||
         llvm::any_of(llvm::zip_equal(first, second), [&](auto pair) {
           auto [left, right] = pair;
           return isNonNegative(left.low - right.high - 1) ||
                  isNonNegative(right.low - left.high - 1);
         });
}

//===----------------------------------------------------------------------===//
// Ranges of expressions
//===----------------------------------------------------------------------===//

IndexRange LeafBoxes::getRange(AffineExpr expr, const ScalarBox &box) const {
  return dataflow::getRange(withoutSymbols(expr), getHull(box));
}

/// The largest or the smallest value of a sum of loop indices, as an expression over the scalars.
std::optional<AffineExpr> LeafBoxes::getExtreme(AffineExpr expr, const ScalarBox &box,
                                                bool largest) const {
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    bool flips = expr.getKind() == AffineExprKind::Mul && factor && factor.getValue() < 0;
    if (expr.getKind() == AffineExprKind::Mod) // Of scalars alone, or of whatever a range says.
      return std::nullopt;
    std::optional<AffineExpr> left = getExtreme(binary.getLHS(), box, flips ? !largest : largest);
    std::optional<AffineExpr> right = getExtreme(binary.getRHS(), box, largest);
    if (!left || !right)
      return std::nullopt;
    return getAffineBinaryOpExpr(expr.getKind(), *left, *right);
  }
  auto loop = dyn_cast<AffineDimExpr>(expr);
  if (!loop)
    return expr;
  const ScalarRange &range = box[loop.getPosition()];
  return largest ? range.high : range.low;
}

AffineExpr LeafBoxes::bind(AffineExpr expr, ArrayRef<int64_t> values) const {
  return simplify(expr.replaceSymbols(llvm::map_to_vector(
      values, [&](int64_t value) { return getAffineConstantExpr(value, context); })));
}

IterationBox LeafBoxes::getBoxAt(const ScalarBox &box, ArrayRef<int64_t> values) const {
  IterationBox bound;
  for (const ScalarRange &range : box)
    bound.loops.push_back({cast<AffineConstantExpr>(bind(range.low, values)).getValue(),
                           cast<AffineConstantExpr>(bind(range.high, values)).getValue()});
  return bound;
}

/// Each combination of values by itself, if there are not too many.
bool LeafBoxes::staysWithinForEachValue(AffineExpr expr, const ScalarBox &box,
                                        IndexRange allowed) const {
  constexpr int64_t limit = 4096;
  int64_t combinations = 1;
  for (IndexRange range : scalars)
    combinations = std::min(limit + 1, combinations * std::min(limit + 1, range.getSize()));
  if (combinations > limit)
    return false;
  for (int64_t number = 0; number < combinations; ++number) {
    SmallVector<int64_t> values;
    int64_t rest = number;
    for (IndexRange range : scalars) {
      values.push_back(range.low + rest % range.getSize());
      rest /= range.getSize();
    }
    IterationBox bound = getBoxAt(box, values);
    if (!bound.isEmpty() && !dataflow::staysWithin(bind(expr, values), bound, allowed))
      return false;
  }
  return true;
}

bool LeafBoxes::staysWithin(AffineExpr expr, const ScalarBox &box, IndexRange allowed) const {
  if (dataflow::staysWithin(withoutSymbols(expr), getHull(box), allowed))
    return true;
  if (scalars.empty())
    return false;
  std::optional<AffineExpr> low = getExtreme(simplify(expr), box, /*largest=*/false);
  std::optional<AffineExpr> high = getExtreme(simplify(expr), box, /*largest=*/true);
  if (low && high && isNonNegative(*low - allowed.low) && isNonNegative(allowed.high - *high))
    return true;
  return staysWithinForEachValue(expr, box, allowed);
}

} // namespace streamtensor::dataflow
