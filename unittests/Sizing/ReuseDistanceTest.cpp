//===- ReuseDistanceTest.cpp - Distances against enumeration --------------===//

#include "streamtensor/Schedule/LeafSchedule.h"
#include "streamtensor/Sim/LeafPattern.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <rapidcheck.h>

#include <map>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

namespace {

/// A leaf that loads and stores a private memory at `map`.
struct Accumulator {
  Accumulator(const std::string &trips, const std::string &map, const std::string &memory) {
    context.loadDialect<DataflowDialect, arith::ArithDialect>();
    std::string type = "!dataflow.private<" + memory + ">";
    std::string access = "%m affine_map<(d0, d1, d2) -> (" + map + ")> : ";
    std::string text = "dataflow.design @d {\n"
                       "dataflow.leaf \"l\" compute [" +
                       trips +
                       "] {\n"
                       "^bb0(%a: index, %b: index, %c: index, %m: " +
                       type +
                       "):\n"
                       "%v = dataflow.load " +
                       access + type +
                       " -> f32\n"
                       "dataflow.store %v, " +
                       access + "f32, " + type + "\n}\n}\n";
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context, /*verifyAfterParse=*/false));
    module->walk([&](Operation *op) {
      if (auto found = dyn_cast<LeafOp>(op))
        leaf = found;
      if (auto found = dyn_cast<StoreOp>(op))
        store = found;
      if (auto found = dyn_cast<LoadOp>(op))
        load = found;
    });
  }

  int64_t distance(int64_t limit) { return sizing::getReuseDistance(leaf, store, load, limit); }

  /// Fewest iterations between two equal addresses.
  int64_t enumerate(int64_t limit) {
    ArrayRef<int64_t> trips = leaf.getTrips();
    std::map<std::vector<int64_t>, int64_t> last;
    int64_t nearest = limit, iteration = 0;
    for (int64_t a = 0; a < trips[0]; ++a)
      for (int64_t b = 0; b < trips[1]; ++b)
        for (int64_t c = 0; c < trips[2]; ++c, ++iteration) {
          std::vector<int64_t> address;
          for (AffineExpr result : store.getMap().getResults())
            address.push_back(sim::evaluate(result, {a, b, c}));
          auto [it, inserted] = last.try_emplace(address, iteration);
          if (!inserted)
            nearest = std::min(nearest, iteration - it->second);
          it->second = iteration;
        }
    return nearest;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  LeafOp leaf;
  StoreOp store;
  LoadOp load;
};

TEST(ReuseDistance, OfTheCommonAccumulators) {
  EXPECT_EQ(Accumulator("4, 8, 16", "0", "1xf32").distance(20), 1);
  EXPECT_EQ(Accumulator("4, 8, 16", "d2", "16xf32").distance(20), 16);
  EXPECT_EQ(Accumulator("4, 8, 16", "d1", "8xf32").distance(20), 1);
  EXPECT_EQ(Accumulator("4, 8, 16", "d2 mod 8", "8xf32").distance(20), 8);
  EXPECT_EQ(Accumulator("4, 8, 16", "d2 floordiv 8", "2xf32").distance(20), 1);
  EXPECT_EQ(Accumulator("4, 8, 16", "d1 + d2", "32xf32").distance(20), 15);
  EXPECT_EQ(Accumulator("4, 8, 16", "d0 * 128 + d1 * 16 + d2", "512xf32").distance(20), 20);
}

TEST(ReuseDistance, EqualsEnumeration) {
  EXPECT_TRUE(rc::check([] {
    auto pick = [](int least, int most) { return *rc::gen::inRange(least, most + 1); };
    std::string trips, map;
    for (int loop = 0; loop < 3; ++loop) {
      int trip = std::vector<int>{1, 2, 3, 4, 6, 8}[pick(0, 5)];
      trips += (loop ? ", " : "") + std::to_string(trip);
      std::string dim = "d" + std::to_string(loop);
      std::string term =
          std::vector<std::string>{dim, dim + " mod 2", dim + " floordiv 2"}[pick(0, 2)];
      map += (loop ? " + " : "") + std::string("(") + term + ") * " + std::to_string(pick(0, 4));
    }
    Accumulator accumulator(trips, map, "1024xf32");
    RC_LOG() << trips << " : " << map;
    int64_t limit = pick(2, 24);
    RC_ASSERT(accumulator.distance(limit) == accumulator.enumerate(limit));
  }));
}

} // namespace
