//===- ITensorAlgebraTest.cpp - The algebra against enumeration -----------===//

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "TokenEnumeration.h"

#include <map>

using namespace mlir;
using namespace streamtensor::itensor;
using namespace streamtensor::itensor::test;

namespace {

struct ITensorAlgebraTest : testing::Test {
  ITensorAlgebraTest() { context.loadDialect<ITensorDialect>(); }
  MLIRContext context;
};

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Every type of up to three loops with trips 1..3 over two data dimensions.
std::vector<std::vector<PlainLoop>> getAllSmallNests() {
  std::vector<PlainLoop> choices;
  for (int64_t trips : {1, 2, 3}) {
    choices.push_back({trips, 1, -1});
    for (int dim : {0, 1})
      for (int64_t step : {1, 2, 3, 4, 6})
        choices.push_back({trips, step, dim});
  }
  std::vector<std::vector<PlainLoop>> nests = {{}};
  for (size_t begin = 0, depth = 0; depth < 3; ++depth) {
    size_t end = nests.size();
    for (; begin < end; ++begin)
      for (PlainLoop loop : choices) {
        nests.push_back(nests[begin]);
        nests.back().push_back(loop);
      }
  }
  return nests;
}

TEST_F(ITensorAlgebraTest, NormalFormsAreEqualIfAndOnlyIfTokenSequencesAre) {
  std::map<Sequence, ITensorType> formOf;
  size_t count = 0;
  for (const std::vector<PlainLoop> &nest : getAllSmallNests()) {
    ITensorType type = makeType(context, {1, 1}, nest), form = getNormalForm(type);
    Sequence tokens = getTokens(type);
    auto [entry, isNew] = formOf.try_emplace(tokens, form);
    ASSERT_EQ(entry->second, form) << "two normal forms for one order";
    if (isNew)
      ASSERT_EQ(getTokens(form), tokens) << "the normal form has another order";
    ++count;
  }
  EXPECT_GT(count, 36000u);
}

TEST_F(ITensorAlgebraTest, ReaderHoldsTheToken) {
  ITensorType type = makeType(context, {4}, {{2, 1, -1}, {3, 4, 0}, {5, 1, -1}, {1, 7, 0}});
  EXPECT_EQ(getNormalForm(type, /*asReader=*/true),
            makeType(context, {4}, {{2, 1, -1}, {3, 4, 0}}));
  EXPECT_EQ(getNormalForm(type), makeType(context, {4}, {{2, 1, -1}, {3, 4, 0}, {5, 1, -1}}));
}

TEST_F(ITensorAlgebraTest, StatedShapeIsPartOfTheOrder) {
  ITensorType skipping = makeType(context, {1}, {{4, 2, 0}}, {8});
  EXPECT_FALSE(haveSameTokenOrder(skipping, makeType(context, {1}, {{4, 2, 0}})));
  EXPECT_TRUE(haveSameTokenOrder(skipping, makeType(context, {1}, {{2, 4, 0}, {2, 2, 0}}, {8})));
}

RC_GTEST_FIXTURE_PROP(ITensorAlgebraTest, ElementOrdersAreEqualIfAndOnlyIfSequencesAre, ()) {
  std::vector<int64_t> shape = {draw(1, 2), *rc::gen::element<int64_t>(2, 4), draw(1, 3)};
  ITensorType a = drawExactCover(context, shape);
  // The same tensor walked another way, or seen under another shape of as many elements.
  if (draw(0, 1))
    std::swap(shape[0], shape[1]);
  ITensorType b = drawExactCover(context, shape);
  bool sameSequence = getElements(a) == getElements(b);
  RC_TAG(sameSequence ? "same" : "other");
  RC_ASSERT((getElementOrder(a) == getElementOrder(b)) == sameSequence);
}

TEST_F(ITensorAlgebraTest, ElementOrderSeesThroughRegrouping) {
  ITensorType rows = makeType(context, {16, 16}, {{36, 16, 1}});
  ITensorType heads = makeType(context, {16, 1, 16}, {{9, 1, 1}, {4, 16, 2}, {3, 1, -1}});
  EXPECT_EQ(getElementOrder(rows), getElementOrder(heads));
  ITensorType again = makeType(context, {16, 1, 16}, {{9, 1, 1}, {3, 1, -1}, {4, 16, 2}});
  EXPECT_NE(getElementOrder(rows), getElementOrder(again));
}

//===----------------------------------------------------------------------===//
// Cover
//===----------------------------------------------------------------------===//

RC_GTEST_FIXTURE_PROP(ITensorAlgebraTest, CoversAgreeWithCounting, ()) {
  std::vector<int64_t> element;
  for (int64_t rank = draw(0, 2); rank > 0; --rank)
    element.push_back(draw(1, 3));
  std::vector<PlainLoop> loops(draw(0, 4));
  for (PlainLoop &loop : loops) {
    loop = {draw(1, 4), draw(1, 6), static_cast<int>(draw(-1, 2))};
    if (loop.dim >= static_cast<int>(element.size()))
      loop.dim = -1;
    if (loop.dim < 0)
      loop.step = 1;
  }
  ITensorType type = makeType(context, element, loops);
  std::map<int64_t, int> visits;
  for (int64_t index : getElements(type))
    ++visits[index];
  int64_t total = llvm::product_of(type.getDataShape());
  bool covers = static_cast<int64_t>(visits.size()) == total;
  bool once = llvm::all_of(visits, [](auto &entry) { return entry.second == 1; });
  RC_TAG(covers ? once ? "exact" : "cover" : "gaps");
  RC_ASSERT(isCover(type) == covers);
  RC_ASSERT(isExactCover(type) == (covers && once));
}

RC_GTEST_FIXTURE_PROP(ITensorAlgebraTest, DrawnCoversAreExact, ()) {
  RC_ASSERT(isExactCover(drawExactCover(context, drawShape(3))));
}

TEST_F(ITensorAlgebraTest, SkippedElementsAreNoCover) {
  EXPECT_FALSE(isCover(makeType(context, {1}, {{4, 2, 0}}, {8})));
  EXPECT_FALSE(isExactCover(makeType(context, {2}, {{2, 2, 0}}, {8})));
  EXPECT_TRUE(isCover(makeType(context, {4}, {{3, 2, 0}})));
}

//===----------------------------------------------------------------------===//
// Row-major, reassociation, chunks
//===----------------------------------------------------------------------===//

RC_GTEST_FIXTURE_PROP(ITensorAlgebraTest, RowMajorVisitsTilesInRowMajorOrder, ()) {
  std::vector<int64_t> shape = drawShape(3), tile;
  for (int64_t extent : shape)
    tile.push_back(drawDivisor(extent));
  ITensorType type = getRowMajorType(shape, Float32Type::get(&context), tile);
  Sequence tokens = getTokens(type);
  RC_ASSERT(std::is_sorted(tokens.begin(), tokens.end()));
  RC_ASSERT(isExactCover(type));
  RC_ASSERT(type.getDataShape() == llvm::to_vector(shape));
}

/// A tile of consecutive elements over the dimensions [begin, end): ones, a part
/// of one dimension, then full dimensions.
void drawRun(std::vector<int64_t> &element, ArrayRef<int64_t> shape, size_t begin, size_t end) {
  size_t part = draw(begin, end);
  for (size_t dim = begin; dim < end; ++dim)
    element[dim] = dim < part ? 1 : dim == part ? drawDivisor(shape[dim]) : shape[dim];
}

RC_GTEST_FIXTURE_PROP(ITensorAlgebraTest, ReassociationKeepsTheOrderOfElements, ()) {
  std::vector<int64_t> shape = drawShape(4), element(shape.size(), 1);
  SmallVector<SmallVector<int64_t, 2>> groups;
  SmallVector<int64_t> collapsed;
  for (size_t begin = 0; begin < shape.size();) {
    size_t end = draw(begin + 1, shape.size());
    drawRun(element, shape, begin, end);
    collapsed.push_back(1);
    for (groups.emplace_back(); begin < end; ++begin) {
      groups.back().push_back(begin);
      collapsed.back() *= shape[begin];
    }
  }
  std::vector<PlainLoop> loops;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    for (PlainLoop loop : drawTiling(shape[dim], element[dim], dim))
      loops.push_back(loop);
  if (draw(0, 1))
    loops.push_back({draw(1, 3), 1, -1});
  shuffle(loops);
  ITensorType type = makeType(context, element, loops);

  FailureOr<ITensorType> low = reassociateType(type, groups, collapsed);
  RC_ASSERT(succeeded(low));
  RC_ASSERT(low->getDataShape() == collapsed);
  RC_ASSERT(getElements(*low) == getElements(type));
  FailureOr<ITensorType> high = reassociateType(*low, groups, llvm::to_vector(shape));
  RC_ASSERT(succeeded(high));
  RC_ASSERT(haveSameTokenOrder(*high, type));
}

RC_GTEST_FIXTURE_PROP(ITensorAlgebraTest, ExpansionIsRightOrRefused, ()) {
  std::vector<int64_t> shape = {draw(1, 4), draw(1, 4), draw(1, 4)};
  int64_t size = llvm::product_of(shape);
  std::vector<PlainLoop> loops(draw(0, 3));
  for (PlainLoop &loop : loops)
    loop = {draw(1, 4), draw(1, 8), 0};
  ITensorType reaching = makeType(context, {draw(1, size)}, loops);
  RC_PRE(reaching.getDataShape()[0] <= size);
  ITensorType type = makeType(context, reaching.getElementShape(), loops, {size});
  FailureOr<ITensorType> high = reassociateType(type, {{0, 1, 2}}, llvm::to_vector(shape));
  RC_CLASSIFY(succeeded(high));
  if (succeeded(high))
    RC_ASSERT(getElements(*high) == getElements(type));
}

TEST_F(ITensorAlgebraTest, ReassociationRefusesToCut) {
  ITensorType rows = makeType(context, {16, 16}, {{36, 16, 1}});
  FailureOr<ITensorType> heads = reassociateType(rows, {{0}, {1, 2}}, {16, 9, 64});
  ASSERT_TRUE(succeeded(heads));
  EXPECT_EQ(*heads, makeType(context, {16, 1, 16}, {{9, 1, 1}, {4, 16, 2}}));
  ITensorType cut = makeType(context, {16, 24}, {{24, 24, 1}});
  EXPECT_TRUE(failed(reassociateType(cut, {{0}, {1, 2}}, {16, 9, 64}))) << "24 cuts heads of 64";
  ITensorType box = makeType(context, {1, 2, 2}, {{2, 2, 1}, {2, 2, 2}});
  EXPECT_TRUE(failed(reassociateType(box, {{0}, {1, 2}}, {1, 16}))) << "a box is no run";
  EXPECT_TRUE(failed(reassociateType(rows, {{0}, {2, 1}}, {16, 9, 64}))) << "dims out of order";
  EXPECT_TRUE(failed(reassociateType(rows, {{0}, {1, 2}}, {16, 9, 65}))) << "another size";
}

TEST_F(ITensorAlgebraTest, ScalarsReassociate) {
  ITensorType scalar = makeType(context, {}, {{3, 1, -1}});
  FailureOr<ITensorType> expanded = reassociateType(scalar, {}, {1, 1});
  ASSERT_TRUE(succeeded(expanded));
  EXPECT_EQ(*expanded, makeType(context, {1, 1}, {{3, 1, -1}}));
  EXPECT_EQ(*reassociateType(*expanded, {}, {}), scalar);
}

/// The tokens of `type` inside [offset, offset + size) of `dim`, shifted; nullopt
/// if a token is cut.
std::optional<Sequence> chunkByHand(ITensorType type, unsigned dim, int64_t offset, int64_t size) {
  Sequence inside;
  for (Index token : getTokens(type)) {
    int64_t begin = token[dim], end = begin + type.getElementShape()[dim];
    if (end <= offset || begin >= offset + size)
      continue;
    if (begin < offset || end > offset + size)
      return std::nullopt;
    token[dim] -= offset;
    inside.push_back(token);
  }
  return inside;
}

RC_GTEST_FIXTURE_PROP(ITensorAlgebraTest, ChunkKeepsTheOrderInside, ()) {
  std::vector<int64_t> shape = drawShape(2);
  shape.push_back(12);
  ITensorType type = drawExactCover(context, shape);
  unsigned dim = draw(0, shape.size() - 1);
  int64_t tile = type.getElementShape()[dim], parts = shape[dim] / tile;
  int64_t first = draw(0, parts - 1), last = draw(first + 1, parts);
  FailureOr<ITensorType> part = chunkType(type, dim, first * tile, (last - first) * tile);
  RC_CLASSIFY(succeeded(part));
  if (succeeded(part)) {
    RC_ASSERT(getTokens(*part) == chunkByHand(type, dim, first * tile, (last - first) * tile));
    RC_ASSERT(isExactCover(*part));
  } else {
    // Refused only where loops of other dimensions lie between those of `dim`.
    RC_ASSERT(getNormalForm(type).getLoopsOf(dim).size() > 1u);
  }
}

RC_GTEST_FIXTURE_PROP(ITensorAlgebraTest, ChunkOfAnyTypeIsRightOrRefused, ()) {
  std::vector<PlainLoop> loops(draw(0, 4));
  for (PlainLoop &loop : loops)
    loop = {draw(1, 4), draw(1, 6), static_cast<int>(draw(0, 1))};
  ITensorType reaching = makeType(context, {draw(1, 2), draw(1, 2)}, loops);
  SmallVector<int64_t> shape = reaching.getDataShape();
  shape[0] += draw(0, 2);
  bool states = shape != reaching.getDataShape();
  ITensorType type =
      makeType(context, reaching.getElementShape(), loops,
               states ? std::vector<int64_t>(shape.begin(), shape.end()) : std::vector<int64_t>());
  int64_t offset = draw(0, shape[0] - 1), size = draw(1, shape[0] - offset);
  FailureOr<ITensorType> part = chunkType(type, 0, offset, size);
  if (succeeded(part))
    RC_ASSERT(getTokens(*part) == chunkByHand(type, 0, offset, size));
}

TEST_F(ITensorAlgebraTest, ChunkOfTheRotaryHalves) {
  ITensorType query = makeType(context, {16, 1, 16}, {{9, 1, 1}, {4, 16, 2}});
  FailureOr<ITensorType> low = chunkType(query, 2, 0, 32), high = chunkType(query, 2, 32, 32);
  ASSERT_TRUE(succeeded(low) && succeeded(high));
  EXPECT_EQ(*low, makeType(context, {16, 1, 16}, {{9, 1, 1}, {2, 16, 2}}));
  EXPECT_EQ(*low, *high);
  EXPECT_TRUE(failed(chunkType(query, 2, 8, 32))) << "cuts tokens";
  EXPECT_TRUE(failed(chunkType(query, 3, 0, 1))) << "no such dimension";
}

} // namespace
