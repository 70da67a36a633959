//===- TypeChangesTest.cpp - Changes of itensor types by enumeration ------===//
//
// Refinement, composition, lanes, packing and extension against lists of tokens, each the
// list of its elements.
//
//===----------------------------------------------------------------------===//

#include "TokenEnumeration.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace streamtensor::itensor;
using namespace streamtensor::itensor::test;

namespace {

struct TypeChangesTest : testing::Test {
  TypeChangesTest() { context.loadDialect<ITensorDialect>(); }
  MLIRContext context;
};

/// The tokens in order, each as the indices of its elements, row-major.
std::vector<Sequence> getTokenElements(ITensorType type) {
  std::vector<Sequence> tokens;
  for (const Index &offset : getTokens(type)) {
    Sequence &token = tokens.emplace_back();
    forEachPoint(type.getElementShape(),
                 [&](const Index &inner) { token.push_back(add(offset, inner)); });
  }
  return tokens;
}

/// All elements in order.
Sequence flatten(const std::vector<Sequence> &tokens) {
  Sequence elements;
  for (const Sequence &token : tokens)
    llvm::append_range(elements, token);
  return elements;
}

Index toIndex(ArrayRef<int64_t> values) { return Index(values.begin(), values.end()); }

/// Any type over up to `maximumRank` dimensions: windows, gaps and revisits included.
ITensorType drawType(MLIRContext &context, int64_t maximumRank, int64_t maximumLoops = 3) {
  std::vector<int64_t> element(draw(0, maximumRank));
  for (int64_t &extent : element)
    extent = draw(1, 4);
  std::vector<PlainLoop> loops(draw(0, maximumLoops));
  for (PlainLoop &loop : loops) {
    loop = {draw(1, 4), draw(1, 6), static_cast<int>(draw(-1, int64_t(element.size()) - 1))};
    if (loop.dim < 0)
      loop.step = 1;
  }
  // A stated shape, where elements are skipped, as the verifier of operations asks for.
  ITensorType type = makeType(context, element, loops);
  SmallVector<int64_t> shape = type.getDataShape();
  return isCover(type) ? type : makeType(context, element, loops, {shape.begin(), shape.end()});
}

//===----------------------------------------------------------------------===//
// Common refinement
//===----------------------------------------------------------------------===//

/// Where the parts begin if the tokens are cut into `parts` of equal length.
Sequence getOrigins(const Sequence &tokens, int64_t parts) {
  Sequence origins;
  for (int64_t part = 0; part < parts; ++part)
    origins.push_back(tokens[part * tokens.size() / parts]);
  return origins;
}

/// The numbers of parts into which splitting loops of a normal form can cut its tokens.
std::set<int64_t> getCuts(ITensorType normalForm) {
  std::set<int64_t> cuts;
  int64_t outer = 1;
  for (int64_t trips : normalForm.getTrips()) {
    for (int64_t part = 1; part <= trips; ++part)
      if (trips % part == 0)
        cuts.insert(outer * part);
    outer *= trips;
  }
  return cuts;
}

RC_GTEST_FIXTURE_PROP(TypeChangesTest, RefinementSharesTheMostTrips, ()) {
  // Two nests that begin alike, so that there is something to share.
  std::vector<PlainLoop> begin(draw(0, 2)), first, second;
  for (PlainLoop &loop : begin)
    loop = {draw(1, 6), draw(1, 2) * 12, static_cast<int>(draw(0, 1))};
  if (draw(0, 1))
    begin.push_back({draw(2, 6), 1, -1});
  auto spell = [&](std::vector<PlainLoop> &loops) {
    for (PlainLoop loop : begin) {
      int64_t inner = drawDivisor(loop.trips);
      loops.push_back({loop.trips / inner, loop.dim < 0 ? 1 : loop.step * inner, loop.dim});
      loops.push_back({inner, loop.step, loop.dim});
    }
    for (int64_t rest = draw(0, 2); rest > 0; --rest)
      loops.push_back({draw(1, 6), draw(1, 12), static_cast<int>(draw(0, 1))});
  };
  spell(first);
  spell(second);
  ITensorType a = makeType(context, {draw(1, 2), 1}, first);
  ITensorType b = makeType(context, {draw(1, 2), 1}, second);
  CommonRefinement refined = getCommonRefinement(a, b);
  RC_ASSERT(getTokens(refined.first) == getTokens(a));
  RC_ASSERT(getTokens(refined.second) == getTokens(b));
  RC_ASSERT(refined.first.getDataShape() == a.getDataShape());
  int64_t shared = 1;
  for (unsigned loop = 0; loop < refined.shared; ++loop) {
    RC_ASSERT(refined.first.getTrips()[loop] == refined.second.getTrips()[loop]);
    RC_ASSERT(refined.first.getSteps()[loop] == refined.second.getSteps()[loop]);
    RC_ASSERT(refined.first.getDataDimOf(loop) == refined.second.getDataDimOf(loop));
    shared *= refined.first.getTrips()[loop];
  }
  // By hand: parts of both nests begin at the same places.
  int64_t most = 1;
  for (int64_t cut : getCuts(getNormalForm(a)))
    if (getCuts(getNormalForm(b)).count(cut) &&
        getOrigins(getTokens(a), cut) == getOrigins(getTokens(b), cut))
      most = std::max(most, cut);
  RC_TAG(most == 1 ? "nothing in common" : "shared loops");
  RC_ASSERT(shared == most);
}

TEST_F(TypeChangesTest, RefinementSplitsRevisitsToo) {
  CommonRefinement refined =
      getCommonRefinement(makeType(context, {1}, {{6, 1, -1}, {4, 1, 0}}),
                          makeType(context, {2}, {{2, 1, -1}, {2, 2, 0}, {3, 1, -1}}));
  EXPECT_EQ(refined.shared, 1u);
  EXPECT_EQ(refined.first, makeType(context, {1}, {{2, 1, -1}, {3, 1, -1}, {4, 1, 0}}));
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

/// A map that sends each of `rank` dimensions to one of `targets` indices or to none.
AffineMap drawAccessMap(MLIRContext &context, unsigned rank, unsigned targets) {
  SmallVector<AffineExpr> results(targets, getAffineConstantExpr(0, &context));
  for (unsigned dim = 0; dim < rank; ++dim)
    if (int64_t target = draw(-1, int64_t(targets) - 1); target >= 0)
      results[target] = results[target] + getAffineDimExpr(dim, &context) * draw(1, 3);
  return AffineMap::get(rank, 0, results, &context);
}

RC_GTEST_FIXTURE_PROP(TypeChangesTest, CompositionSendsTheImageOfEachToken, ()) {
  ITensorType type = drawType(context, 3);
  AffineMap map = drawAccessMap(context, type.getDataRank(), draw(0, 3));
  FailureOr<ITensorType> image = composeType(type, map);
  RC_ASSERT(succeeded(image));
  std::vector<Sequence> before = getTokenElements(type), after = getTokenElements(*image);
  RC_ASSERT(before.size() == after.size());
  SmallVector<int64_t> last = type.getDataShape();
  for (int64_t &extent : last)
    --extent;
  Index corner = toIndex(map.compose(last));
  for (int64_t dim = 0; dim < int64_t(corner.size()); ++dim)
    RC_ASSERT(image->getDataShape()[dim] == corner[dim] + 1);
  for (auto [token, seen] : llvm::zip_equal(before, after)) {
    // The smallest box around the images, by its corners.
    Index low, high;
    for (const Index &element : token) {
      Index place = toIndex(map.compose(element));
      low = low.empty() ? place : low;
      high = high.empty() ? place : high;
      for (size_t dim = 0; dim < place.size(); ++dim) {
        low[dim] = std::min(low[dim], place[dim]);
        high[dim] = std::max(high[dim], place[dim]);
      }
    }
    RC_ASSERT(seen.front() == low);
    RC_ASSERT(seen.back() == high);
  }
}

RC_GTEST_FIXTURE_PROP(TypeChangesTest, CompositionIsAssociative, ()) {
  ITensorType type = drawType(context, 3);
  // Permutations and factors keep boxes tight, so both ways must give the same type.
  unsigned rank = type.getDataRank();
  auto drawPermutation = [&] {
    std::vector<unsigned> order(rank);
    std::iota(order.begin(), order.end(), 0);
    shuffle(order);
    SmallVector<AffineExpr> results;
    for (unsigned dim : order)
      results.push_back(getAffineDimExpr(dim, &context) * draw(1, 3));
    return AffineMap::get(rank, 0, results, &context);
  };
  AffineMap inner = drawPermutation(), outer = drawPermutation();
  RC_ASSERT(*composeType(*composeType(type, inner), outer) ==
            *composeType(type, outer.compose(inner)));
}

TEST_F(TypeChangesTest, CompositionRefusesOtherMaps) {
  ITensorType type = makeType(context, {2, 2}, {{3, 2, 0}, {2, 2, 1}});
  AffineExpr d0 = getAffineDimExpr(0, &context), d1 = getAffineDimExpr(1, &context);
  auto compose = [&](ArrayRef<AffineExpr> results) {
    return composeType(type, AffineMap::get(2, 0, results, &context));
  };
  EXPECT_TRUE(failed(compose({d0, d0}))) << "a loop would feed two dimensions";
  EXPECT_TRUE(failed(compose({d0 + 1, d1}))) << "an offset";
  EXPECT_TRUE(failed(compose({d0.floorDiv(2), d1}))) << "no sum";
  AffineMap swap = AffineMap::get(2, 0, {d1, d0}, &context);
  EXPECT_TRUE(failed(composeType(type, swap, {4, 5}))) << "the data ends before";
  EXPECT_EQ(*composeType(type, swap, {4, 6}), makeType(context, {2, 2}, {{3, 2, 1}, {2, 2, 0}}));
}

TEST_F(TypeChangesTest, WindowsAreCompositions) {
  // Four outputs and three taps: a window over the input that moves by two.
  ITensorType space = makeType(context, {1, 3}, {{4, 1, 0}});
  AffineExpr output = getAffineDimExpr(0, &context), tap = getAffineDimExpr(1, &context);
  AffineMap window = AffineMap::get(2, 0, {output * 2 + tap}, &context);
  EXPECT_EQ(*composeType(space, window), makeType(context, {3}, {{4, 2, 0}}));
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

RC_GTEST_FIXTURE_PROP(TypeChangesTest, CutTokensSendTheirPartsRowMajor, ()) {
  ITensorType type = drawType(context, 3);
  std::vector<int64_t> tile;
  for (int64_t extent : type.getElementShape())
    tile.push_back(drawDivisor(extent));
  FailureOr<ITensorType> cut = cutTokens(type, tile);
  RC_ASSERT(succeeded(cut));
  RC_ASSERT(cut->getDataShape() == type.getDataShape());
  std::vector<Sequence> parts = getTokenElements(*cut);
  auto next = parts.begin();
  for (const Sequence &token : getTokenElements(type)) {
    Sequence origins, elements;
    for (size_t left = token.size(); left > 0; left -= next++->size()) {
      origins.push_back(next->front());
      llvm::append_range(elements, *next);
    }
    RC_ASSERT(std::is_sorted(origins.begin(), origins.end()));
    std::sort(elements.begin(), elements.end());
    RC_ASSERT(elements == token);
  }
  RC_ASSERT(next == parts.end());
}

RC_GTEST_FIXTURE_PROP(TypeChangesTest, LanesKeepTheOrderOfElements, ()) {
  ITensorType type = drawType(context, 3);
  int64_t lanes = drawDivisor(getLaneExtent(type));
  FailureOr<ITensorType> vectors = cutIntoLanes(type, lanes);
  RC_ASSERT(succeeded(vectors));
  RC_ASSERT(vectors->getTokenElements() == lanes);
  RC_ASSERT(getElements(*vectors) == getElements(type));
  RC_ASSERT(failed(cutIntoLanes(type, getLaneExtent(type) + 1)));
}

/// The scalars of a type over vectors of `lanes` along `dim`.
Sequence expandVectors(ITensorType type, unsigned dim, int64_t lanes) {
  Sequence scalars;
  for (Index index : flatten(getTokenElements(type)))
    for (int64_t lane = 0; lane < lanes; ++lane) {
      scalars.push_back(index);
      scalars.back()[dim] = index[dim] * lanes + lane;
    }
  return scalars;
}

RC_GTEST_FIXTURE_PROP(TypeChangesTest, VectorsHoldTheSameScalars, ()) {
  int64_t lanes = draw(1, 3);
  ITensorType small = drawType(context, 3);
  // Most random types are not aligned, so that both outcomes occur.
  std::vector<PlainLoop> loops;
  std::vector<int64_t> element(small.getElementShape().begin(), small.getElementShape().end());
  std::optional<unsigned> dim = getLaneDim(small);
  int64_t scale = draw(0, 3) ? lanes : 1;
  for (unsigned loop = 0; loop < small.getIterRank(); ++loop) {
    std::optional<unsigned> fed = small.getDataDimOf(loop);
    loops.push_back({small.getTrips()[loop],
                     small.getSteps()[loop] * (fed && fed == dim ? scale : 1),
                     fed ? int(*fed) : -1});
  }
  if (dim)
    element[*dim] *= scale;
  ITensorType type = makeType(context, element, loops);
  FailureOr<ITensorType> vectors = vectoriseType(type, lanes);
  RC_CLASSIFY(succeeded(vectors));
  bool isAligned = dim ? element[*dim] % lanes == 0 : lanes == 1;
  for (const Index &token : getTokens(type))
    isAligned &= !dim || token[*dim] % lanes == 0;
  RC_ASSERT(succeeded(vectors) == isAligned);
  if (failed(vectors))
    return;
  RC_ASSERT(vectors->getElementType() == VectorType::get({lanes}, type.getElementType()));
  unsigned lane = dim.value_or(0);
  if (dim)
    RC_ASSERT(expandVectors(*vectors, lane, lanes) == flatten(getTokenElements(type)));
  if (!type.getDataRank())
    return;
  FailureOr<ITensorType> scalars = unvectoriseType(*vectors, lane);
  RC_ASSERT(succeeded(scalars));
  RC_ASSERT(getElements(*scalars) == getElements(type));
}

TEST_F(TypeChangesTest, VectorsOfTilesAreRefused) {
  ITensorType tiles = makeType(context, {2, 4}, {{2, 2, 0}});
  FailureOr<ITensorType> vectors = vectoriseType(tiles, 2);
  ASSERT_TRUE(succeeded(vectors));
  EXPECT_TRUE(failed(unvectoriseType(*vectors, 0))) << "lanes along rows are no neighbours";
  EXPECT_TRUE(failed(unvectoriseType(tiles, 1))) << "no vectors";
  EXPECT_TRUE(failed(vectoriseType(*vectors, 2))) << "vectors of vectors";
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// A packed tensor by hand: for each place the element of the data that lies there.
Sequence packByHand(ITensorType type) {
  Sequence packed;
  std::vector<int64_t> trips;
  for (unsigned loop = 0; loop < type.getIterRank(); ++loop)
    trips.push_back(type.getDataDimOf(loop) ? type.getTrips()[loop] : 1);
  forEachPoint(trips, [&](const Index &point) {
    forEachPoint(type.getElementShape(),
                 [&](const Index &inner) { packed.push_back(add(getOffset(type, point), inner)); });
  });
  return packed;
}

/// What flows if `type` reads a packed tensor with these contents.
Sequence readByHand(ITensorType type, const Sequence &contents) {
  Sequence elements;
  for (int64_t place : getElements(type))
    elements.push_back(contents[place]);
  return elements;
}

RC_GTEST_FIXTURE_PROP(TypeChangesTest, PackedTensorsGiveTheSameTokens, ()) {
  ITensorType type = drawType(context, 3);
  ITensorType packed = getPackedType(type);
  RC_ASSERT(packed.getDataShape() == getPackedShape(type));
  RC_ASSERT(readByHand(packed, packByHand(type)) == flatten(getTokenElements(type)));
  // Strides say where an element of the packed tensor lies in the data.
  SmallVector<int64_t> shape = type.getDataShape(), strides = getPackedStrides(type, shape);
  Sequence contents = packByHand(type);
  size_t place = 0;
  forEachPoint(getPackedShape(type), [&](const Index &index) {
    int64_t source = 0;
    for (auto [i, stride] : llvm::zip_equal(index, strides))
      source += i * stride;
    RC_ASSERT(source == linearize(contents[place++], shape));
  });
}

/// The loops that move, in any order, and lanes that divide the token's rows.
std::pair<SmallVector<int64_t>, int64_t> drawPackedOrder(ITensorType type) {
  SmallVector<int64_t> loops = getMovingLoops(type);
  for (size_t i = loops.size(); i > 1; --i)
    std::swap(loops[i - 1], loops[draw(0, int64_t(i) - 1)]);
  int64_t lanes = draw(0, getLaneExtent(type));
  return {loops, lanes > 0 && getLaneExtent(type) % lanes == 0 ? lanes : 0};
}

RC_GTEST_FIXTURE_PROP(TypeChangesTest, TokensMayLieInAnotherOrderAndInWords, ()) {
  ITensorType type = drawType(context, 3);
  auto [loops, lanes] = drawPackedOrder(type);
  PackedOrder order{loops, lanes};
  SmallVector<int64_t> packedShape = getPackedShape(type, order), shape = type.getDataShape();
  // The contents of memory, element by element; what pads a word is nobody's.
  SmallVector<int64_t> strides = getPackedStrides(type, shape, order);
  std::vector<int64_t> contents, found;
  forEachPoint(packedShape, [&](const Index &index) {
    int64_t source = 0;
    for (auto [i, stride] : llvm::zip_equal(index, strides))
      source += i * stride;
    contents.push_back(lanes > 0 && index.back() >= lanes ? -1 : source);
  });
  ITensorType packed = getPackedType(type, order);
  RC_ASSERT(packed.getDataShape() == packedShape);
  for (int64_t place : getElements(packed))
    found.push_back(contents[place]);
  RC_ASSERT(found == getElements(type));
}

RC_GTEST_FIXTURE_PROP(TypeChangesTest, OthersReadWhatIsPackedInTheirOwnOrder, ()) {
  std::vector<int64_t> shape = drawShape(2);
  ITensorType packing = drawExactCover(context, shape), reader = drawExactCover(context, shape);
  FailureOr<ITensorType> view = readPacked(reader, packing);
  RC_CLASSIFY(succeeded(view));
  if (succeeded(view))
    RC_ASSERT(readByHand(*view, packByHand(packing)) == flatten(getTokenElements(reader)));
}

RC_GTEST_FIXTURE_PROP(TypeChangesTest, InverseOrderUndoesPacking, ()) {
  ITensorType type = drawExactCover(context, drawShape(3));
  FailureOr<ITensorType> inverse = getInverseOrder(type);
  RC_ASSERT(succeeded(inverse));
  std::vector<Sequence> tiles = getTokenElements(type);
  std::sort(tiles.begin(), tiles.end());
  RC_ASSERT(readByHand(*inverse, packByHand(type)) == flatten(tiles));
}

TEST_F(TypeChangesTest, OnlyExactCoversHaveAnInverse) {
  EXPECT_TRUE(failed(getInverseOrder(makeType(context, {4}, {{3, 2, 0}})))) << "windows";
  EXPECT_TRUE(failed(getInverseOrder(makeType(context, {4}, {{2, 1, -1}, {3, 4, 0}}))));
  ITensorType tiles = makeType(context, {4}, {{3, 4, 0}});
  EXPECT_TRUE(failed(readPacked(makeType(context, {3}, {{4, 3, 0}}), tiles))) << "cuts tiles";
  EXPECT_TRUE(failed(readPacked(makeType(context, {4}, {{2, 4, 0}}), tiles))) << "other data";
}

TEST_F(TypeChangesTest, ATransposedMatrixIsItsOwnInverse) {
  ITensorType columns = makeType(context, {2, 2}, {{3, 2, 1}, {3, 2, 0}});
  EXPECT_EQ(*getInverseOrder(columns), makeType(context, {1, 1, 2, 2}, {{3, 1, 1}, {3, 1, 0}}));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

RC_GTEST_FIXTURE_PROP(TypeChangesTest, ExtendedTypesHaveThePartAsChunk, ()) {
  std::vector<int64_t> shape = drawShape(2);
  shape.push_back(draw(1, 6));
  ITensorType part = drawExactCover(context, shape);
  unsigned dim = draw(0, shape.size() - 1);
  int64_t tile = part.getElementShape()[dim], before = draw(0, 3), after = draw(0, 3);
  int64_t extent = shape[dim] + (before + after) * tile;
  FailureOr<ITensorType> whole = extendType(part, dim, extent);
  RC_CLASSIFY(succeeded(whole));
  RC_ASSERT(succeeded(whole) == (getNormalForm(part).getLoopsOf(dim).size() <= 1));
  if (failed(whole))
    return;
  // The tokens of the range, moved to its beginning.
  Sequence inside;
  for (Index token : getTokens(*whole)) {
    token[dim] -= before * tile;
    if (token[dim] >= 0 && token[dim] < shape[dim])
      inside.push_back(token);
  }
  RC_ASSERT(inside == getTokens(part));
  RC_ASSERT(isExactCover(*whole));
  RC_ASSERT(whole->getDataShape()[dim] == extent);
}

RC_GTEST_FIXTURE_PROP(TypeChangesTest, BlocksReachWhatOneTripTouches, ()) {
  ITensorType type = drawType(context, 3);
  unsigned level = draw(0, type.getIterRank());
  int64_t tokens = llvm::product_of(type.getTrips().drop_front(level));
  Index last(type.getDataRank(), 0);
  Sequence offsets = getTokens(type);
  for (int64_t token = 0; token < tokens; ++token)
    for (size_t dim = 0; dim < last.size(); ++dim)
      last[dim] = std::max(last[dim], offsets[token][dim] + type.getElementShape()[dim]);
  RC_ASSERT(toIndex(getBlockShape(type, level)) == last);
}

} // namespace
