//===- IterationBox.cpp - Boxes of iterations and ranges of maps ----------===//

#include "streamtensor/Dialect/Dataflow/IR/IterationBox.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace streamtensor::dataflow {

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

bool IterationBox::isEmpty() const {
  return llvm::any_of(loops, [](IndexRange range) { return range.isEmpty(); });
}

int64_t IterationBox::getNumIterations() const {
  int64_t count = 1;
  for (IndexRange range : loops)
    count *= range.getSize();
  return count;
}

bool IterationBox::containsFirst() const {
  return llvm::all_of(loops, [](IndexRange range) { return range.low == 0 && !range.isEmpty(); });
}

bool IterationBox::contains(const IterationBox &other) const {
  if (other.isEmpty())
    return true;
  return llvm::all_of(llvm::zip_equal(loops, other.loops),
                      [](auto pair) { return std::get<0>(pair).contains(std::get<1>(pair)); });
}

IterationBox IterationBox::intersect(const IterationBox &other) const {
  IterationBox result;
  for (auto [mine, theirs] : llvm::zip_equal(loops, other.loops))
    result.loops.push_back({std::max(mine.low, theirs.low), std::min(mine.high, theirs.high)});
  return result;
}

IterationBox getWholeBox(ArrayRef<int64_t> trips) {
  IterationBox box;
  for (int64_t count : trips)
    box.loops.push_back({0, count - 1});
  return box;
}

std::optional<IterationBox> getComplement(const IterationBox &box, const IterationBox &whole) {
  std::optional<IterationBox> complement;
  for (size_t loop = 0; loop < whole.loops.size(); ++loop) {
    IndexRange part = box.loops[loop], all = whole.loops[loop];
    if (part == all)
      continue;
    if (complement || (part.low != all.low && part.high != all.high))
      return std::nullopt;
    complement = whole;
    complement->loops[loop] = part.low == all.low ? IndexRange{part.high + 1, all.high}
                                                  : IndexRange{all.low, part.low - 1};
  }
  return complement;
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

namespace {
/// coefficient * d(loop) + constant; no loop: a constant.
struct LinearForm {
  std::optional<unsigned> loop;
  int64_t coefficient = 0;
  int64_t constant = 0;
};
} // namespace

static std::optional<LinearForm> getLinearForm(AffineExpr expression) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return LinearForm{std::nullopt, 0, constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return LinearForm{dim.getPosition(), 1, 0};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return std::nullopt;
  std::optional<LinearForm> lhs = getLinearForm(binary.getLHS());
  std::optional<LinearForm> rhs = getLinearForm(binary.getRHS());
  if (!lhs || !rhs)
    return std::nullopt;
  if (binary.getKind() == AffineExprKind::Mul && !rhs->loop)
    return LinearForm{lhs->loop, lhs->coefficient * rhs->constant, lhs->constant * rhs->constant};
  if (binary.getKind() != AffineExprKind::Add || (lhs->loop && rhs->loop && lhs->loop != rhs->loop))
    return std::nullopt;
  return LinearForm{lhs->loop ? lhs->loop : rhs->loop, lhs->coefficient + rhs->coefficient,
                    lhs->constant + rhs->constant};
}

/// The trips of `all` in which the form is zero (`isEquality`) or not negative.
static IndexRange solve(const LinearForm &form, bool isEquality, IndexRange all) {
  int64_t a = form.coefficient, c = form.constant;
  if (a == 0)
    return (isEquality ? c == 0 : c >= 0) ? all : IndexRange{};
  if (isEquality) {
    int64_t solution = -c / a;
    return c % a == 0 && all.contains({solution, solution}) ? IndexRange{solution, solution}
                                                            : IndexRange{};
  }
  if (a > 0)
    all.low = std::max(all.low, llvm::divideCeilSigned(-c, a));
  else
    all.high = std::min(all.high, llvm::divideFloorSigned(c, -a));
  return all.isEmpty() ? IndexRange{} : all;
}

std::optional<IterationBox> getGuardBox(std::optional<IntegerSet> set, ArrayRef<int64_t> trips) {
  IterationBox box = getWholeBox(trips);
  if (!set)
    return box;
  if (set->getNumDims() != trips.size() || set->getNumSymbols() != 0)
    return std::nullopt;
  bool holds = true;
  for (auto [index, constraint] : llvm::enumerate(set->getConstraints())) {
    std::optional<LinearForm> form = getLinearForm(constraint);
    if (!form)
      return std::nullopt;
    if (form->loop)
      box.loops[*form->loop] = solve(*form, set->isEq(index), box.loops[*form->loop]);
    else
      holds &= !solve(*form, set->isEq(index), {0, 0}).isEmpty();
  }
  if (!holds && trips.empty())
    return std::nullopt;
  if (!holds || box.isEmpty())
    for (IndexRange &range : box.loops)
      range = IndexRange{};
  return box;
}

//===----------------------------------------------------------------------===//
// Ranges of expressions
//===----------------------------------------------------------------------===//

namespace {
/// Values from `low` to `high`, neighbours a multiple of `stride` apart (0: one value).
struct StridedRange {
  int64_t low, high, stride;
};
} // namespace

static StridedRange getModulo(StridedRange value, int64_t modulus) {
  int64_t period = llvm::divideFloorSigned(value.low, modulus);
  if (period == llvm::divideFloorSigned(value.high, modulus))
    return {value.low - period * modulus, value.high - period * modulus, value.stride};
  int64_t stride = std::gcd(value.stride, modulus);
  int64_t low = (value.low - period * modulus) % stride;
  return {low, modulus - stride + low, stride};
}

static StridedRange getQuotient(StridedRange value, int64_t divisor,
                                int64_t (*divide)(int64_t, int64_t)) {
  return {divide(value.low, divisor), divide(value.high, divisor),
          value.stride % divisor == 0 ? value.stride / divisor : 1};
}

static int64_t divideFloor(int64_t value, int64_t by) { return llvm::divideFloorSigned(value, by); }
static int64_t divideCeil(int64_t value, int64_t by) { return llvm::divideCeilSigned(value, by); }

static StridedRange getStridedRange(AffineExpr expression, ArrayRef<IndexRange> loops) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return {constant.getValue(), constant.getValue(), 0};
  if (auto dim = dyn_cast<AffineDimExpr>(expression)) {
    IndexRange range = loops[dim.getPosition()];
    return {range.low, range.high, range.getSize() > 1 ? 1 : 0};
  }
  auto binary = cast<AffineBinaryOpExpr>(expression);
  StridedRange lhs = getStridedRange(binary.getLHS(), loops);
  StridedRange rhs = getStridedRange(binary.getRHS(), loops);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return {lhs.low + rhs.low, lhs.high + rhs.high, std::gcd(lhs.stride, rhs.stride)};
  case AffineExprKind::Mul: {
    int64_t low = lhs.low * rhs.low, high = lhs.high * rhs.low;
    return {std::min(low, high), std::max(low, high), std::abs(lhs.stride * rhs.low)};
  }
  case AffineExprKind::Mod:
    return getModulo(lhs, rhs.low);
  case AffineExprKind::FloorDiv:
    return getQuotient(lhs, rhs.low, divideFloor);
  default:
    return getQuotient(lhs, rhs.low, divideCeil);
  }
}

IndexRange getRange(AffineExpr expression, const IterationBox &box) {
  StridedRange range = getStridedRange(expression, box.loops);
  return {range.low, range.high};
}

/// Visits the points of the loops that occur in `expression`; false if there are
/// more than `limit` of them or a value lies outside `allowed`.
static bool enumerateWithin(AffineExpr expression, const IterationBox &box, IndexRange allowed,
                            int64_t limit) {
  SmallVector<unsigned> used;
  int64_t points = 1;
  for (unsigned loop = 0; loop < box.loops.size(); ++loop) {
    if (!expression.isFunctionOfDim(loop))
      continue;
    used.push_back(loop);
    points = std::min(limit + 1, points * box.loops[loop].getSize());
  }
  if (points > limit)
    return false;
  SmallVector<IndexRange> point(box.loops);
  for (int64_t index = 0; index < points; ++index) {
    int64_t rest = index;
    for (unsigned loop : used) {
      int64_t trip = box.loops[loop].low + rest % box.loops[loop].getSize();
      rest /= box.loops[loop].getSize();
      point[loop] = {trip, trip};
    }
    int64_t value = getStridedRange(expression, point).low;
    if (!allowed.contains({value, value}))
      return false;
  }
  return true;
}

bool staysWithin(AffineExpr expression, const IterationBox &box, IndexRange allowed) {
  return allowed.contains(getRange(expression, box)) ||
         enumerateWithin(expression, box, allowed, /*limit=*/65536);
}

} // namespace streamtensor::dataflow
