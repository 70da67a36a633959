//===- IterationBoxTest.cpp - Guards and ranges against enumeration -------===//

#include "streamtensor/Dialect/Dataflow/IR/IterationBox.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace {

int64_t draw(int64_t low, int64_t high) { return *rc::gen::inRange(low, high + 1); }

struct IterationBoxTest : testing::Test {
  AffineExpr dim(unsigned position) { return getAffineDimExpr(position, &context); }
  AffineExpr constant(int64_t value) { return getAffineConstantExpr(value, &context); }

  /// An expression over `loops` indices with `mod`, `floordiv` and factors.
  AffineExpr drawExpression(unsigned loops, int depth) {
    int64_t kind = draw(depth > 0 ? 0 : 4, 5);
    if (kind == 5)
      return constant(draw(-6, 6));
    if (kind == 4)
      return dim(draw(0, loops - 1));
    AffineExpr lhs = drawExpression(loops, depth - 1);
    switch (kind) {
    case 0:
      return lhs + drawExpression(loops, depth - 1);
    case 1:
      return lhs * draw(-4, 8);
    case 2:
      return lhs % draw(1, 8);
    default:
      return lhs.floorDiv(draw(1, 8));
    }
  }

  MLIRContext context;
};

/// Every point of a nest.
std::vector<SmallVector<int64_t>> getPoints(ArrayRef<int64_t> trips) {
  std::vector<SmallVector<int64_t>> points = {{}};
  for (int64_t count : trips) {
    std::vector<SmallVector<int64_t>> longer;
    for (const SmallVector<int64_t> &point : points)
      for (int64_t trip = 0; trip < count; ++trip) {
        longer.push_back(point);
        longer.back().push_back(trip);
      }
    points = longer;
  }
  return points;
}

int64_t evaluate(AffineExpr expression, ArrayRef<int64_t> point) {
  AffineMap map = AffineMap::get(point.size(), 0, expression);
  return map.compose(point)[0];
}

bool isInside(IntegerSet set, ArrayRef<int64_t> point) {
  for (auto [index, constraint] : llvm::enumerate(set.getConstraints())) {
    int64_t value = evaluate(constraint, point);
    if (set.isEq(index) ? value != 0 : value < 0)
      return false;
  }
  return true;
}

bool isInside(const IterationBox &box, ArrayRef<int64_t> point) {
  for (auto [range, trip] : llvm::zip_equal(box.loops, point))
    if (!range.contains({trip, trip}))
      return false;
  return true;
}

RC_GTEST_FIXTURE_PROP(IterationBoxTest, GuardsAreCountedExactly, ()) {
  SmallVector<int64_t> trips = {draw(1, 5), draw(1, 5)};
  SmallVector<AffineExpr> constraints;
  SmallVector<bool> equalities;
  for (int64_t count = draw(1, 3); count > 0; --count) {
    int64_t factor = *rc::gen::element<int64_t>(-3, -2, -1, 0, 1, 2, 3);
    constraints.push_back(dim(draw(0, 1)) * factor + (8 - draw(0, 16)));
    equalities.push_back(draw(0, 2) == 2);
  }
  IntegerSet set = IntegerSet::get(2, 0, constraints, equalities);
  std::optional<IterationBox> box = getGuardBox(set, trips);
  RC_ASSERT(box.has_value());
  int64_t inside = 0;
  for (ArrayRef<int64_t> point : getPoints(trips)) {
    RC_ASSERT(isInside(*box, point) == isInside(set, point));
    inside += isInside(set, point);
  }
  RC_TAG(inside == 0 ? "never" : "sometimes");
  RC_ASSERT(box->getNumIterations() == inside);
  RC_ASSERT(box->isEmpty() == (inside == 0));
  RC_ASSERT(box->containsFirst() == isInside(set, {0, 0}));
  if (std::optional<IterationBox> rest = getComplement(*box, getWholeBox(trips)))
    for (ArrayRef<int64_t> point : getPoints(trips))
      RC_ASSERT(isInside(*rest, point) != isInside(set, point));
}

RC_GTEST_FIXTURE_PROP(IterationBoxTest, RangesContainEveryValueAndBoundsAreExact, ()) {
  SmallVector<int64_t> trips = {draw(1, 6), draw(1, 6), draw(1, 3)};
  AffineExpr expression = drawExpression(3, 3);
  IterationBox box = getWholeBox(trips);
  for (IndexRange &range : box.loops)
    range.low = draw(0, range.high);
  std::set<int64_t> values;
  for (ArrayRef<int64_t> point : getPoints(trips))
    if (isInside(box, point))
      values.insert(evaluate(expression, point));
  IndexRange range = getRange(expression, box);
  RC_ASSERT(range.contains({*values.begin(), *values.rbegin()}));
  bool isExact = range == IndexRange{*values.begin(), *values.rbegin()};
  RC_TAG(isExact ? "exact interval" : "enumerated");
  IndexRange allowed{*values.begin() + draw(-1, 1), *values.rbegin() + draw(-1, 1)};
  bool stays = allowed.low <= *values.begin() && *values.rbegin() <= allowed.high;
  RC_ASSERT(staysWithin(expression, box, allowed) == stays);
}

TEST_F(IterationBoxTest, GuardsOfOtherFormsAreRefused) {
  auto refuses = [&](AffineExpr constraint, unsigned loops) {
    return !getGuardBox(IntegerSet::get(2, 0, {constraint}, {true}),
                        SmallVector<int64_t>(loops, 4));
  };
  EXPECT_TRUE(refuses(dim(0) - dim(1), 2));
  EXPECT_TRUE(refuses(dim(0) % 2, 2));
  EXPECT_TRUE(refuses(dim(0), 3));
  EXPECT_FALSE(refuses(dim(0) - 3, 2));
}

TEST_F(IterationBoxTest, StridesMakeModuloExactInLargeNests) {
  // 4 * d0 mod 64 over a million trips: 0, 4, …, 60, never 61.
  IterationBox box = getWholeBox({1 << 20});
  EXPECT_EQ(getRange(dim(0) * 4 % 64, box), (IndexRange{0, 60}));
  EXPECT_EQ(getRange((dim(0) * 4).floorDiv(4), box), (IndexRange{0, (1 << 20) - 1}));
}

} // namespace
