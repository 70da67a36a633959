//===- ReuseDistanceTest.cpp - Distances against enumeration --------------===//

#include "streamtensor/Dialect/Dataflow/IR/ReuseDistance.h"

#include "ReferenceAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <rapidcheck.h>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;
using namespace streamtensor::reference;

namespace {

/// How the accumulator of a test is reached.
struct Form {
  std::string trips = "4, 8, 16";
  std::string storeMap = "d2", loadMap = "d2";
  /// Where the loaded value is replaced, and where it is stored; everywhere if empty.
  std::string replaced, stored;
  int lanes = 1;
};

/// A leaf of three loops that loads and stores a private memory.
struct Accumulator {
  explicit Accumulator(const Form &form) {
    context.loadDialect<DataflowDialect, arith::ArithDialect>();
    std::string dims = "(d0, d1, d2) ", memory = "!dataflow.private<4096xf32>";
    std::string value = form.lanes > 1 ? "vector<" + std::to_string(form.lanes) + "xf32>" : "f32";
    std::string zero = form.lanes > 1 ? "dense<0.0>" : "0.0";
    auto map = [&](const std::string &text) {
      return "%m affine_map<" + dims + "-> (" + text + ")>";
    };
    std::string text =
        "dataflow.design @d {\ndataflow.leaf \"l\" compute [" + form.trips +
        "] {\n^bb0(%a: index, %b: index, %c: index, %m: " + memory + "):\n%v = dataflow.load " +
        map(form.loadMap) + " : " + memory + " -> " + value + "\n%zero = arith.constant " + zero +
        " : " + value + "\n%test = dataflow.test affine_set<" + dims + ": (" +
        (form.replaced.empty() ? "-1 >= 0" : form.replaced) +
        ")>\n%w = arith.select %test, %zero, %v : " + value + "\ndataflow.store %w, " +
        map(form.storeMap) +
        (form.stored.empty() ? "" : " when affine_set<" + dims + ": (" + form.stored + ")>") +
        " : " + value + ", " + memory + "\n}\n}\n";
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context, /*verifyAfterParse=*/false));
    module->walk([&](Operation *op) {
      if (auto found = dyn_cast<LeafOp>(op))
        leaf = found;
      if (auto found = dyn_cast<StoreOp>(op))
        store = found;
      if (auto found = dyn_cast<LoadOp>(op))
        load = found;
      if (auto found = dyn_cast<TestOp>(op))
        replaced = found.getSet();
    });
    lanes = form.lanes;
  }

  std::optional<int64_t> distance(int64_t limit) { return getReuseDistance(store, load, limit); }

  /// Fewest iterations from a store to a load of one element, by visiting all of them.
  std::optional<int64_t> enumerate(int64_t limit) {
    ArrayRef<int64_t> trips = leaf.getTrips();
    std::map<int64_t, int64_t> last;
    std::optional<int64_t> nearest;
    int64_t iteration = 0;
    for (int64_t a = 0; a < trips[0]; ++a)
      for (int64_t b = 0; b < trips[1]; ++b)
        for (int64_t c = 0; c < trips[2]; ++c, ++iteration) {
          SmallVector<int64_t> at = {a, b, c};
          IntegerSet stored = store.getGuard().value_or(IntegerSet());
          bool isStored = !stored || isInside(stored, at);
          int64_t read = valueOf(load.getMap().getResult(0), at);
          for (int64_t lane = 0; lane < lanes && isStored && !isInside(replaced, at); ++lane)
            if (auto it = last.find(read + lane);
                it != last.end() && iteration - it->second < limit)
              nearest = std::min(nearest.value_or(limit), iteration - it->second);
          int64_t written = valueOf(store.getMap().getResult(0), at);
          for (int64_t lane = 0; lane < lanes && isStored; ++lane)
            last[written + lane] = iteration;
        }
    return nearest;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  LeafOp leaf;
  StoreOp store;
  LoadOp load;
  IntegerSet replaced;
  int64_t lanes;
};

std::optional<int64_t> distanceOf(const std::string &map) {
  Form form;
  form.storeMap = form.loadMap = map;
  return Accumulator(form).distance(20);
}

TEST(ReuseDistance, OfTheCommonAccumulators) {
  EXPECT_EQ(distanceOf("0"), 1);
  EXPECT_EQ(distanceOf("d2"), 16);
  EXPECT_EQ(distanceOf("d1"), 1);
  EXPECT_EQ(distanceOf("d2 mod 8"), 8);
  EXPECT_EQ(distanceOf("d2 floordiv 8"), 1);
  EXPECT_EQ(distanceOf("d1 + d2"), 15);
  EXPECT_EQ(distanceOf("d0 * 128 + d1 * 16 + d2"), std::nullopt);
}

/// Two partial sums in turn over fifteen trips: the last trip and the first of the next row meet
/// the same one, an iteration apart.
TEST(ReuseDistance, OfAModuloThatDoesNotDivide) {
  Form form;
  form.trips = "1, 8, 15";
  form.storeMap = form.loadMap = "d2 mod 2";
  EXPECT_EQ(Accumulator(form).distance(20), 1);
  form.trips = "1, 1, 15";
  EXPECT_EQ(Accumulator(form).distance(20), 2);
  // Each row begins with zeros: what the row before left is no dependence.
  form.trips = "1, 8, 15";
  form.replaced = "1 - d2 >= 0";
  EXPECT_EQ(Accumulator(form).distance(20), 2);
}

/// 1,024 times 576 rows of 1,536 sums, seven rows of them in turn: 575 mod 7 is 1, so that row 1 of
/// the next round comes two rows later.
TEST(ReuseDistance, OfLargeNests) {
  Form form;
  form.trips = "1024, 576, 1536";
  form.storeMap = form.loadMap = "(d1 mod 7) * 2048 + d2";
  EXPECT_EQ(Accumulator(form).distance(20000), 3072);
}

TEST(ReuseDistance, EqualsEnumeration) {
  EXPECT_TRUE(rc::check([] {
    auto pick = [](int least, int most) { return *rc::gen::inRange(least, most + 1); };
    auto drawMap = [&] {
      std::string map;
      for (int loop = 0; loop < 3; ++loop) {
        std::string dim = "d" + std::to_string(loop), by = std::to_string(pick(2, 5));
        std::string term =
            std::vector<std::string>{dim, dim, dim + " mod " + by, dim + " floordiv " + by,
                                     dim + " ceildiv " + by}[pick(0, 4)];
        map += (loop ? " + " : "") + std::string("(") + term + ") * " + std::to_string(pick(0, 4));
      }
      return map + " + 1";
    };
    auto drawSet = [&]() -> std::string {
      std::string dim = "d" + std::to_string(pick(0, 2)), value = std::to_string(pick(0, 3));
      return std::vector<std::string>{"", dim + " - " + value + " >= 0",
                                      value + " - " + dim + " >= 0",
                                      dim + " - " + value + " == 0"}[pick(0, 3)];
    };
    Form form;
    form.trips.clear();
    for (int loop = 0; loop < 3; ++loop)
      form.trips += (loop ? ", " : "") + std::to_string(pick(1, 8));
    form.storeMap = drawMap();
    form.loadMap = pick(0, 1) ? form.storeMap : drawMap();
    form.replaced = drawSet();
    form.stored = drawSet();
    form.lanes = pick(1, 3);
    Accumulator accumulator(form);
    RC_LOG() << form.trips << " : " << form.storeMap << " / " << form.loadMap << " ; replaced "
             << form.replaced << " ; stored " << form.stored << " ; " << form.lanes << " lanes";
    int64_t limit = pick(2, 24);
    RC_ASSERT(accumulator.distance(limit) == accumulator.enumerate(limit));
  }));
}

} // namespace
