//===- ConverterPlanTest.cpp - Converter buffers against enumeration ------===//

#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "TokenEnumeration.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor::itensor;
using namespace streamtensor::itensor::test;

namespace {

struct ConverterPlanTest : testing::Test {
  ConverterPlanTest() { context.loadDialect<ITensorDialect>(); }
  MLIRContext context;
};

/// The tokens of one trip of the outermost loops, as elements of the data tensor.
std::set<Index> getBlockElements(ITensorType type, size_t first, size_t count,
                                 const Sequence &tokens) {
  std::set<Index> elements;
  for (size_t token = first; token < first + count; ++token)
    forEachPoint(type.getElementShape(),
                 [&](const Index &inner) { elements.insert(add(tokens[token], inner)); });
  return elements;
}

/// The offset inside the block at an iteration point: inner loops alone.
Index getInnerOffset(ITensorType type, unsigned shared, Index point) {
  std::fill(point.begin(), point.begin() + shared, 0);
  return getOffset(type, point);
}

/// Runs the plan: each block is filled by the source's inner loops and drained by
/// the result's; returns the linear indices that come out.
std::vector<int64_t> runPlan(const ConverterPlan &plan, llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> out;
  unsigned shared = plan.shared;
  forEachPoint(plan.source.getTrips().take_front(shared), [&](const Index &outer) {
    std::map<Index, int64_t> block;
    auto forEachElement = [&](ITensorType type, auto visit) {
      forEachPoint(type.getTrips().drop_front(shared), [&](const Index &inner) {
        Index point = outer;
        point.insert(point.end(), inner.begin(), inner.end());
        forEachPoint(type.getElementShape(), [&](const Index &lane) {
          Index address = add(getInnerOffset(type, shared, point), lane);
          for (size_t dim = 0; dim < address.size(); ++dim)
            if (plan.kind != ConverterKind::LineBuffer) // A ring is shorter than the data.
              ASSERT_LT(address[dim], plan.box[dim]) << "outside the block";
          visit(address, linearize(add(getOffset(type, point), lane), shape));
        });
      });
    };
    forEachElement(plan.source, [&](const Index &address, int64_t element) {
      EXPECT_TRUE(block.try_emplace(address, element).second) << "written twice";
    });
    forEachElement(plan.result, [&](const Index &address, int64_t) {
      auto entry = block.find(address);
      out.push_back(entry == block.end() ? -1 : entry->second);
    });
  });
  return out;
}

/// The ways to cut a nest into equal consecutive parts at a loop or inside one.
std::set<int64_t> getCuts(ITensorType type) {
  std::set<int64_t> cuts;
  int64_t outer = 1;
  for (int64_t trips : type.getTrips()) {
    for (int64_t part = 1; part <= trips; ++part)
      if (trips % part == 0)
        cuts.insert(outer * part);
    outer *= trips;
  }
  return cuts;
}

/// The most trips that any splitting of both nests lets them share: in each trip
/// the elements read are among those brought.
int64_t getMostSharedTrips(ITensorType source, ITensorType result) {
  Sequence written = getTokens(source), read = getTokens(result);
  int64_t most = 1;
  std::set<int64_t> resultCuts = getCuts(getNormalForm(result));
  for (int64_t cut : getCuts(getNormalForm(source))) {
    if (!resultCuts.count(cut))
      continue;
    size_t writes = written.size() / cut, reads = read.size() / cut;
    bool works = true;
    for (int64_t trip = 0; trip < cut && works; ++trip) {
      std::set<Index> brought = getBlockElements(source, trip * writes, writes, written);
      std::set<Index> needed = getBlockElements(result, trip * reads, reads, read);
      works = std::includes(brought.begin(), brought.end(), needed.begin(), needed.end());
    }
    if (works)
      most = std::max(most, cut);
  }
  return most;
}

/// Loops and element of a read of one block: exact, or by windows that overlap,
/// or with a revisit.
std::vector<PlainLoop> drawBlockRead(const std::vector<int64_t> &block,
                                     std::vector<int64_t> &element) {
  std::vector<PlainLoop> loops;
  for (size_t dim = 0; dim < block.size(); ++dim) {
    if (block[dim] > 3 && draw(0, 3) == 0) {
      int64_t step = drawDivisor(block[dim] / 2), trips = draw(1, block[dim] / step - 1);
      element.push_back(block[dim] - (trips - 1) * step);
      loops.push_back({trips, step, static_cast<int>(dim)});
      continue;
    }
    element.push_back(drawDivisor(block[dim]));
    for (PlainLoop loop : drawTiling(block[dim], element.back(), dim))
      loops.push_back(loop);
  }
  if (draw(0, 2) == 0)
    loops.push_back({draw(2, 3), 1, -1});
  shuffle(loops);
  return loops;
}

/// Source and result over one tensor: common outer loops around blocks that both
/// sides walk in their own ways. The block may be the whole tensor or one tile.
std::pair<ITensorType, ITensorType> drawPair(MLIRContext &context) {
  std::vector<int64_t> shape = drawShape(2), block;
  shape.push_back(*rc::gen::element<int64_t>(4, 6, 8, 12));
  std::vector<PlainLoop> outer;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    block.push_back(drawDivisor(shape[dim]));
    for (PlainLoop loop : drawTiling(shape[dim], block.back(), dim))
      outer.push_back(loop);
  }
  shuffle(outer);
  ITensorType inner = drawExactCover(context, block);
  std::vector<PlainLoop> source = outer, result = outer;
  for (unsigned loop = 0; loop < inner.getIterRank(); ++loop)
    source.push_back({inner.getTrips()[loop], inner.getSteps()[loop],
                      static_cast<int>(*inner.getDataDimOf(loop))});
  std::vector<int64_t> element;
  llvm::append_range(result, drawBlockRead(block, element));
  return {makeType(context, inner.getElementShape(), source), makeType(context, element, result)};
}

RC_GTEST_FIXTURE_PROP(ConverterPlanTest, RunsRightAndSharesMost, ()) {
  auto [source, result] = drawPair(context);
  FailureOr<ConverterPlan> plan = planConverter(source, result);
  RC_ASSERT(succeeded(plan));
  RC_ASSERT(haveSameTokenOrder(plan->source, source));
  RC_ASSERT(haveSameTokenOrder(plan->result, result));
  for (unsigned loop = 0; loop < plan->shared; ++loop) {
    RC_ASSERT(plan->source.getTrips()[loop] == plan->result.getTrips()[loop]);
    RC_ASSERT(plan->source.getSteps()[loop] == plan->result.getSteps()[loop]);
    RC_ASSERT(plan->source.getDataDimOf(loop) == plan->result.getDataDimOf(loop));
  }
  RC_ASSERT(runPlan(*plan, source.getDataShape()) == getElements(result));
  int64_t trips = plan->getSharedTrips();
  RC_ASSERT(trips == getMostSharedTrips(source, result));
  if (plan->kind == ConverterKind::PingPong || plan->kind == ConverterKind::SingleBuffer)
    RC_ASSERT(plan->blocks == (trips > 1 ? 2 : 1));
  RC_ASSERT((plan->kind == ConverterKind::Fifo) == (getElements(source) == getElements(result)));
  RC_TAG(stringifyConverterKind(plan->kind).str());
  bool all = getNormalForm(plan->source).getNumTokens() == trips;
  RC_TAG(trips == 1 ? "shares nothing" : all ? "shares all loops" : "shares some loops");
}

RC_GTEST_FIXTURE_PROP(ConverterPlanTest, SkippedElementsAreDropped, ()) {
  int64_t rows = draw(1, 4), step = draw(2, 3), trips = draw(2, 4);
  ITensorType source = drawExactCover(context, {rows, step * trips});
  std::vector<PlainLoop> loops = {{rows, 1, 0}, {trips, step, 1}};
  shuffle(loops);
  ITensorType result = makeType(context, {1, 1}, loops, {rows, step * trips});
  FailureOr<ConverterPlan> plan = planConverter(source, result);
  RC_ASSERT(succeeded(plan));
  RC_ASSERT(runPlan(*plan, source.getDataShape()) == getElements(result));
}

TEST_F(ConverterPlanTest, RowsOfTilesToARevisitingTranspose) {
  ITensorType source = makeType(context, {4, 2}, {{4, 2, 1}, {2, 4, 0}});
  ITensorType result = makeType(context, {4, 2}, {{4, 2, 1}, {2, 1, -1}, {2, 4, 0}});
  FailureOr<ConverterPlan> plan = planConverter(source, result);
  ASSERT_TRUE(succeeded(plan));
  EXPECT_EQ(plan->shared, 1u);
  EXPECT_EQ(plan->box, (SmallVector<int64_t>{8, 2}));
  EXPECT_EQ(plan->kind, ConverterKind::RepeatBuffer);
  EXPECT_EQ(plan->getNumElements(), 16);
}

TEST_F(ConverterPlanTest, GroupedHeadsShareTheGroup) {
  ITensorType source = makeType(context, {16, 1, 16}, {{3, 1, 1}, {4, 16, 2}});
  ITensorType result = makeType(context, {16, 1, 16}, {{3, 1, 1}, {3, 1, -1}, {4, 16, 2}});
  FailureOr<ConverterPlan> plan = planConverter(source, result);
  ASSERT_TRUE(succeeded(plan));
  EXPECT_EQ(plan->shared, 1u);
  EXPECT_EQ(plan->box, (SmallVector<int64_t>{16, 1, 64}));
  EXPECT_EQ(plan->kind, ConverterKind::RepeatBuffer);
  EXPECT_EQ(plan->getNumElements() * 4, 4096);
  plan = planConverter(source, result, ConverterRule::Paper);
  ASSERT_TRUE(succeeded(plan));
  EXPECT_EQ(plan->kind, ConverterKind::PingPong);
  EXPECT_EQ(plan->getNumElements() * 4, 8192);
}

TEST_F(ConverterPlanTest, RevisitOutsideSharesNothing) {
  ITensorType source = makeType(context, {16, 16}, {{36, 16, 1}});
  ITensorType result = makeType(context, {16, 16}, {{36, 1, -1}, {36, 16, 1}});
  FailureOr<ConverterPlan> plan = planConverter(source, result);
  ASSERT_TRUE(succeeded(plan));
  EXPECT_EQ(plan->shared, 0u);
  EXPECT_EQ(plan->blocks, 1);
  EXPECT_EQ(plan->getNumElements() * 4, 36864);
}

TEST_F(ConverterPlanTest, TilesOfOtherSizesShareAfterSplitting) {
  ITensorType source = makeType(context, {4, 2}, {{3, 4, 0}, {4, 2, 1}});
  ITensorType result = makeType(context, {4, 4}, {{3, 4, 0}, {2, 4, 1}});
  FailureOr<ConverterPlan> plan = planConverter(source, result);
  ASSERT_TRUE(succeeded(plan));
  EXPECT_EQ(plan->shared, 2u);
  EXPECT_EQ(plan->source, makeType(context, {4, 2}, {{3, 4, 0}, {2, 4, 1}, {2, 2, 1}}));
  EXPECT_EQ(plan->result, result);
  EXPECT_EQ(plan->box, (SmallVector<int64_t>{4, 4}));
}

TEST_F(ConverterPlanTest, LargeTensorsCostNothingToPlan) {
  // 16 x 9,437,184: 151 million elements.
  ITensorType source = makeType(context, {4, 16}, {{4, 4, 0}, {589824, 16, 1}});
  ITensorType result =
      makeType(context, {4, 16}, {{4, 4, 0}, {4, 1, -1}, {36864, 256, 1}, {16, 16, 1}});
  FailureOr<ConverterPlan> plan = planConverter(source, result);
  ASSERT_TRUE(succeeded(plan));
  EXPECT_EQ(plan->shared, 1u);
  EXPECT_EQ(plan->box, (SmallVector<int64_t>{4, 9437184}));
}

TEST_F(ConverterPlanTest, RefusesWhatIsNoExactCoverOrOtherData) {
  ITensorType rows = makeType(context, {2}, {{4, 2, 0}});
  EXPECT_TRUE(failed(planConverter(makeType(context, {4}, {{3, 2, 0}}), rows)));
  EXPECT_TRUE(failed(planConverter(rows, makeType(context, {2}, {{3, 2, 0}}))));
  auto half = ITensorType::get({2}, Float16Type::get(&context), {4}, {2}, rows.getMap());
  EXPECT_TRUE(failed(planConverter(rows, half)));
}

//===----------------------------------------------------------------------===//
// Rings of lines
//===----------------------------------------------------------------------===//

/// Lines that come in slabs and windows of whole lines over them.
struct Lines {
  int64_t slab, step, window, trips, lines;

  ITensorType getSource(MLIRContext &context) const {
    return makeType(context, {slab, 4}, {{lines / slab, slab, 0}});
  }
  ITensorType getResult(MLIRContext &context) const {
    return makeType(context, {window, 4}, {{trips, step, 0}}, {lines, 4});
  }
};

/// Steps the stages; all lines of a window must be in the ring both before and after the lines of
/// its stage come in.
void stepStages(const Lines &lines, const LineRing &ring) {
  std::vector<int64_t> held(ring.getSize(), -1);
  auto readWindows = [&](int64_t stage) {
    for (int64_t first = (stage - ring.lag) * ring.advance, i = 0; i < ring.advance;
         i += lines.step) {
      int64_t window = first + i;
      if (window < 0 || window > (lines.trips - 1) * lines.step)
        continue;
      for (int64_t line = window; line < window + lines.window; ++line)
        ASSERT_EQ(held[line % ring.getSize()], line) << "stage " << stage;
    }
  };
  int64_t stages = llvm::divideCeil(lines.trips * lines.step, ring.advance) + ring.lag;
  for (int64_t stage = 0; stage < stages; ++stage) {
    ASSERT_NO_FATAL_FAILURE(readWindows(stage));
    for (int64_t line = stage * ring.advance; line < (stage + 1) * ring.advance; ++line)
      if (line < lines.lines)
        held[line % ring.getSize()] = line;
    ASSERT_NO_FATAL_FAILURE(readWindows(stage));
  }
}

RC_GTEST_FIXTURE_PROP(ConverterPlanTest, RingsHoldEveryLineOfAWindow, ()) {
  Lines lines{draw(1, 3), draw(1, 4), draw(1, 6), draw(2, 12), 0};
  int64_t reach = (lines.trips - 1) * lines.step + lines.window;
  lines.lines = llvm::alignTo(reach + draw(0, 2), lines.slab);
  auto ring = planLineRing(lines.getSource(context), lines.getResult(context));
  RC_TAG(ring ? "ring" : "none");
  if (!ring)
    return;
  RC_ASSERT(ring->getSize() < lines.lines);
  stepStages(lines, *ring);
  RC_ASSERT(!testing::Test::HasFatalFailure());
}

TEST_F(ConverterPlanTest, ThreeLinesNeedARingOfFour) {
  Lines lines{1, 1, 3, 32, 34};
  FailureOr<ConverterPlan> plan = planConverter(lines.getSource(context), lines.getResult(context));
  ASSERT_TRUE(succeeded(plan));
  EXPECT_EQ(plan->kind, ConverterKind::LineBuffer);
  EXPECT_EQ(plan->box, (SmallVector<int64_t>{4, 4}));
  EXPECT_EQ(analyseEvenPace(*plan)->ahead, 4);
}

TEST_F(ConverterPlanTest, NoRingWhereVectorsWouldCrossItsEnd) {
  ITensorType source = makeType(context, {1, 1}, {{34, 1, 0}});
  ITensorType windows = makeType(context, {3, 1}, {{32, 1, 0}});
  EXPECT_FALSE(planLineRing(source, windows));
}

TEST_F(ConverterPlanTest, NoRingWhereMuchIsNotRead) {
  Lines lines{1, 1, 3, 8, 34};
  EXPECT_FALSE(planLineRing(lines.getSource(context), lines.getResult(context)));
}

} // namespace
