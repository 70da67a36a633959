//===- ScalarBoxTest.cpp - Boxes that scalars bound, by enumeration -------===//

#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"

#include "ReferenceAffine.h"

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/ReuseDistance.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <rapidcheck.h>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;
using namespace streamtensor::reference;

namespace {

int pick(int least, int most) { return *rc::gen::inRange(least, most + 1); }

/// A leaf of two loops whose counts depend on two scalars, and what a test asks of it.
struct Nest {
  int64_t low[2], high[2];
  std::string counts[2];
  std::string guard = "d0 >= 0", other = "d0 >= 0";
  std::string storeMap = "d1", loadMap = "d1";

  std::string text() const {
    std::string form = "affine_set<(d0, d1)[s0, s1] : (", map = "affine_map<(d0, d1)[s0, s1] -> (";
    std::string memory = "!dataflow.private<4096xf32>";
    auto scalar = [&](int number, const std::string &name) {
      return "%" + name + " = dataflow.scalar \"" + name + "\" from " +
             std::to_string(low[number]) + " to " + std::to_string(high[number]) + " : index\n";
    };
    return "dataflow.design @d {\n" + scalar(0, "n") + scalar(1, "m") +
           "dataflow.leaf \"l\" compute [99, 99] counts affine_map<()[s0, s1] -> (" + counts[0] +
           ", " + counts[1] + ")> (%n, %m) {\n^bb0(%i: index, %j: index, %p: " + memory +
           "):\n%v = dataflow.load %p " + map + loadMap + ")> : " + memory +
           " -> f32\ndataflow.store %v, %p " + map + storeMap + ")> : f32, " + memory +
           "\n%a = dataflow.test " + form + guard + ")>\n%b = dataflow.test " + form + other +
           ")>\n}\n}\n";
  }
};

/// The nest as IR, its trips set to the largest counts, which are found by enumeration.
struct Parsed {
  explicit Parsed(const Nest &nest) : nest(nest) {
    context.loadDialect<DataflowDialect, arith::ArithDialect>();
    module = parseSourceString<ModuleOp>(nest.text(), ParserConfig(&context, /*verify=*/false));
    module->walk([&](LeafOp found) { leaf = found; });
    for (auto test : leaf.getBlock().getOps<TestOp>())
      sets.push_back(test.getSet());
    SmallVector<int64_t> trips = {1, 1};
    forEachValue([&](ArrayRef<int64_t> values, ArrayRef<int64_t> counts) {
      for (int loop : {0, 1})
        trips[loop] = std::max(trips[loop], counts[loop]);
    });
    leaf.setTrips(trips);
  }

  DesignOp getDesign() { return leaf->getParentOfType<DesignOp>(); }

  void forEachValue(function_ref<void(ArrayRef<int64_t>, ArrayRef<int64_t>)> visit) {
    for (int64_t n = nest.low[0]; n <= nest.high[0]; ++n)
      for (int64_t m = nest.low[1]; m <= nest.high[1]; ++m) {
        SmallVector<int64_t> values = {n, m}, counts;
        for (AffineExpr count : leaf.getCounts()->getResults())
          counts.push_back(valueOf(count, {}, values));
        visit(values, counts);
      }
  }

  const Nest &nest;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  LeafOp leaf;
  SmallVector<IntegerSet> sets;
};

Nest drawNest() {
  Nest nest;
  for (int number : {0, 1}) {
    nest.low[number] = pick(1, 4);
    nest.high[number] = nest.low[number] + pick(0, 5);
    std::string scalar = "s" + std::to_string(pick(0, 1)), by = std::to_string(pick(2, 4));
    nest.counts[number] = std::vector<std::string>{scalar,
                                                   scalar + " + 1",
                                                   scalar + " ceildiv " + by,
                                                   scalar + " floordiv " + by + " + 1",
                                                   scalar + " * 2",
                                                   "s0 + s1",
                                                   "5"}[pick(0, 6)];
  }
  return nest;
}

std::string drawGuard(const Nest &nest) {
  int loop = pick(0, 1);
  std::string dim = "d" + std::to_string(loop), number = std::to_string(pick(0, 3));
  std::string last = "(" + nest.counts[loop] + ") - 1";
  return std::vector<std::string>{dim + " == 0",
                                  dim + " - " + last + " == 0",
                                  dim + " - (" + last + ") == 0",
                                  last + " - " + dim + " - 1 >= 0",
                                  dim + " - 1 >= 0",
                                  number + " - " + dim + " >= 0",
                                  dim + " - s0 >= 0",
                                  "s1 - " + dim + " >= 0",
                                  dim + " >= 0"}[pick(0, 8)];
}

TEST(ScalarBox, EqualsEnumeration) {
  int drawn = 0, known = 0, excluded = 0, inside = 0;
  EXPECT_TRUE(rc::check([&] {
    ++drawn;
    Nest nest = drawNest();
    nest.guard = drawGuard(nest);
    nest.other = drawGuard(nest);
    RC_LOG() << nest.text();
    Parsed parsed(nest);
    LeafBoxes boxes(parsed.leaf);
    std::optional<ScalarBox> first = boxes.getBox(parsed.sets[0]);
    std::optional<ScalarBox> second = boxes.getBox(parsed.sets[1]);
    if (!first || !second)
      return;
    ++known;
    ScalarPolynomial size = boxes.getNumIterations(*first), other = boxes.getNumIterations(*second);
    bool exclude = boxes.exclude(*first, *second), contains = boxes.contains(*first, *second);
    excluded += exclude;
    inside += contains;
    parsed.forEachValue([&](ArrayRef<int64_t> values, ArrayRef<int64_t> counts) {
      int64_t sizes[2] = {0, 0};
      bool meet = false, isContained = true, isFirst = false;
      for (int64_t i = 0; i < counts[0]; ++i)
        for (int64_t j = 0; j < counts[1]; ++j) {
          bool a = isInside(parsed.sets[0], {i, j}, values);
          bool b = isInside(parsed.sets[1], {i, j}, values);
          sizes[0] += a;
          sizes[1] += b;
          meet |= a && b;
          isContained &= a || !b;
          isFirst |= a && i == 0 && j == 0;
        }
      // Equal polynomials are equal numbers; a number is equal to itself as a constant.
      if (size == other)
        RC_ASSERT(sizes[0] == sizes[1]);
      for (int64_t guess = 0; guess < 40; ++guess)
        if (size == ScalarPolynomial(guess))
          RC_ASSERT(sizes[0] == guess);
      if (exclude)
        RC_ASSERT(!meet);
      if (contains)
        RC_ASSERT(isContained);
      if (boxes.isEmpty(*first))
        RC_ASSERT(sizes[0] == 0);
      if (boxes.containsFirst(*first))
        RC_ASSERT(isFirst);
      if (std::optional<ScalarBox> rest = boxes.getComplement(*first))
        RC_ASSERT(boxes.exclude(*first, *rest));
    });
  }));
  EXPECT_GT(4 * known, drawn);
  EXPECT_GT(200 * excluded, drawn);
  EXPECT_GT(50 * inside, drawn);
}

/// The least distance of all values, where none is left out.
TEST(ScalarBox, DistancesHoldForEveryValue) {
  EXPECT_TRUE(rc::check([&] {
    Nest nest = drawNest();
    std::string by = std::to_string(pick(2, 4));
    auto drawMap = [&] {
      return std::vector<std::string>{"d1",
                                      "d0 + d1",
                                      "d1 mod " + by,
                                      "d0 * 2 + d1",
                                      "s0 + d1",
                                      "d1 floordiv 2",
                                      "0"}[pick(0, 6)];
    };
    nest.storeMap = drawMap();
    nest.loadMap = pick(0, 2) ? nest.storeMap : drawMap();
    RC_LOG() << nest.text();
    Parsed parsed(nest);
    int64_t limit = pick(2, 20);
    StoreOp store = *parsed.leaf.getBlock().getOps<StoreOp>().begin();
    // Used, so that the load counts.
    LoadOp load = *parsed.leaf.getBlock().getOps<LoadOp>().begin();
    std::optional<int64_t> nearest;
    parsed.forEachValue([&](ArrayRef<int64_t> values, ArrayRef<int64_t> counts) {
      std::map<int64_t, int64_t> last;
      int64_t iteration = 0;
      for (int64_t i = 0; i < counts[0]; ++i)
        for (int64_t j = 0; j < counts[1]; ++j, ++iteration) {
          auto it = last.find(valueOf(load.getMap().getResult(0), {i, j}, values));
          if (it != last.end() && iteration - it->second < limit)
            nearest = std::min(nearest.value_or(limit), iteration - it->second);
          last[valueOf(store.getMap().getResult(0), {i, j}, values)] = iteration;
        }
    });
    RC_ASSERT(getReuseDistance(store, load, limit) == nearest);
  }));
}

ScalarPolynomial polynomial(MLIRContext &context, const std::string &text) {
  auto map =
      cast<AffineMapAttr>(parseAttribute("affine_map<()[s0, s1] -> (" + text + ")>", &context));
  return ScalarPolynomial::get(map.getValue().getResult(0), {"n", "m"});
}

TEST(ScalarPolynomial, NormalForm) {
  MLIRContext context;
  auto get = [&](const std::string &text) { return polynomial(context, text); };
  EXPECT_EQ(get("s0 ceildiv 4"), get("(s0 + 3) floordiv 4"));
  EXPECT_EQ(get("(s0 * 2 + 1) floordiv 2"), get("s0"));
  EXPECT_EQ(get("(s0 * 5 + 6) floordiv 4"), get("s0 + 1 + (s0 + 2) floordiv 4"));
  EXPECT_EQ(get("s0 mod 4"), get("s0 - (s0 floordiv 4) * 4"));
  EXPECT_NE(get("s0 ceildiv 4"), get("s0 floordiv 4 + 1"));
  EXPECT_EQ((get("s0 + 1") * get("s1 + 2")), get("s0 * 2 + s1 + 2") + get("s0") * get("s1"));
  EXPECT_EQ((get("s0 + 1") * get("s1 * 3")).str(), "3 * m * n + 3 * m");
  EXPECT_EQ((get("s0") * get("s1")), (get("s1") * get("s0")));
  EXPECT_EQ(get("0 - s0 * 3").str(), "-3 * n");
  EXPECT_EQ(ScalarPolynomial().str(), "0");
}

} // namespace
