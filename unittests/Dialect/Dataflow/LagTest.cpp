//===- LagTest.cpp - Nests with lag against enumeration -------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dependences.h"
#include "streamtensor/Dialect/Dataflow/IR/LeafWalk.h"
#include "streamtensor/Dialect/Dataflow/IR/ReuseDistance.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <rapidcheck.h>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

namespace {

/// What one nest does: stores or loads element (block * a + own * b + c) mod m of a shared memory.
struct Access {
  bool writes;
  int64_t length, ofBlock, ofOwn, offset, modulus;
  int64_t isBehind = 1; ///< The nest before.

  int64_t placeIn(int64_t block, int64_t own) const {
    return (block * ofBlock + own * ofOwn + offset) % modulus;
  }
};

/// A leaf of nests with one access each.
struct Nests {
  /// `trips`: of a serial loop around the blocks; 0 for none.
  Nests(int64_t blocks, ArrayRef<Access> accesses, int64_t trips = 0)
      : blocks(blocks), trips(trips), forms(accesses) {
    context.loadDialect<DataflowDialect>();
    std::string memory = "!dataflow.private<64xf32>";
    std::string text = "dataflow.design @d {\n%s = dataflow.stream \"s\" : !dataflow.stream<f32>\n"
                       "dataflow.leaf \"l\" compute [" +
                       (trips ? std::to_string(trips) + ", " : "") + std::to_string(blocks) +
                       "] attributes {" + (trips ? "serial = 1 : i64, " : "") +
                       "together} {\n^bb0(" + (trips ? "%t: index, " : "") +
                       "%b: index, %m: " + memory + "):\n";
    for (auto [number, form] : llvm::enumerate(forms)) {
      std::string map = std::string("affine_map<(") + (trips ? "t, " : "") + "b, i) -> ((b * " +
                        std::to_string(form.ofBlock) + " + i * " + std::to_string(form.ofOwn) +
                        " + " + std::to_string(form.offset) + ") mod " +
                        std::to_string(form.modulus) + ")>";
      lags.push_back(number == 0 ? 0 : lags.back() + form.isBehind);
      text += "dataflow.nest \"n" + std::to_string(number) + "\" [" + std::to_string(form.length) +
              "] lag " + std::to_string(lags.back()) + " {\n^bb0(%i: index):\n";
      if (form.writes)
        text += "%v = dataflow.stream_read %s : !dataflow.stream<f32> -> f32\n"
                "dataflow.store %v, %m " +
                map + " : f32, " + memory + "\n";
      else
        text += "%v = dataflow.load %m " + map + " : " + memory +
                " -> f32\ndataflow.stream_write %v, %s : f32, !dataflow.stream<f32>\n";
      text += "}\n";
    }
    text += "}\n}\n";
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context, /*verifyAfterParse=*/false));
    module->walk([&](LeafOp found) { leaf = found; });
    for (NestOpInterface nest : leaf.getNests())
      for (AccessOpInterface access : getAccesses(nest))
        if (!access.isToken())
          ops.push_back(access);
  }

  /// Iteration by iteration: which block and which own iteration each nest is at, or -1.
  std::vector<std::vector<std::pair<int64_t, int64_t>>> enumerate() const {
    std::vector<std::vector<std::pair<int64_t, int64_t>>> iterations;
    int64_t nests = forms.size();
    for (int64_t step = 0; step < blocks + lags.back(); ++step) {
      auto hasWork = [&](int64_t nest) { return step >= lags[nest] && step - lags[nest] < blocks; };
      int64_t longest = 0;
      for (int64_t nest = 0; nest < nests; ++nest)
        if (hasWork(nest))
          longest = std::max(longest, forms[nest].length);
      for (int64_t own = 0; own < longest; ++own) {
        auto &places = iterations.emplace_back();
        for (int64_t nest = 0; nest < nests; ++nest)
          if (hasWork(nest) && own < forms[nest].length)
            places.emplace_back(step - lags[nest], own);
          else
            places.emplace_back(-1, -1);
      }
    }
    return iterations;
  }

  /// Least distance, from `least` on, between iterations in which the two touch one element.
  std::optional<int64_t> nearest(size_t first, size_t second, int64_t least, int64_t limit) const {
    auto iterations = enumerate();
    auto placeIn = [&](size_t iteration, size_t nest) -> std::optional<int64_t> {
      auto [block, own] = iterations[iteration][nest];
      if (block < 0)
        return std::nullopt;
      return forms[nest].placeIn(block, own);
    };
    for (int64_t distance = least; distance < limit; ++distance)
      for (size_t from = 0; from + distance < iterations.size(); ++from)
        if (auto one = placeIn(from, first))
          if (one == placeIn(from + distance, second))
            return distance;
    return std::nullopt;
  }

  int64_t blocks, trips;
  std::vector<Access> forms;
  std::vector<int64_t> lags;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  LeafOp leaf;
  SmallVector<AccessOpInterface> ops;
};

Nests randomNests(bool equalLengths) {
  auto pick = [](int64_t least, int64_t most) { return *rc::gen::inRange(least, most + 1); };
  std::vector<Access> accesses;
  int64_t length = pick(1, 6);
  for (int64_t nests = pick(1, 3); nests > 0; --nests)
    accesses.push_back({pick(0, 1) == 0, equalLengths ? length : pick(1, 6), pick(0, 4), pick(0, 3),
                        pick(0, 5), pick(1, 9), pick(0, 1)});
  int64_t blocks = pick(1, 6);
  return Nests(blocks, accesses, pick(0, 3));
}

/// What a fill stores, the core loads a step later: nearest where the last column meets the first
/// row.
TEST(Lag, OfAFillAndACore) {
  // 4 x 16 filled row by row, loaded from the start: 64 iterations later, in the other half.
  Nests nests(8, {{true, 64, 64, 1, 0, 128}, {false, 64, 64, 1, 0, 128}});
  EXPECT_EQ(getReuseDistance(nests.ops[0], nests.ops[1], 1000), 64);
  // Overwritten when the half comes up again, two steps behind the fill and one behind the core.
  EXPECT_EQ(getReuseDistance(nests.ops[1], nests.ops[0], 1000), 64);
  EXPECT_EQ(getReuseDistance(nests.ops[0], nests.ops[0], 1000), 128);
  EXPECT_FALSE(meetInOneIteration(nests.ops[0], nests.ops[1]));
  // One half: what the core has yet to load is overwritten in the same iteration.
  Nests single(8, {{true, 64, 0, 1, 0, 64}, {false, 64, 0, 1, 0, 64}});
  EXPECT_TRUE(meetInOneIteration(single.ops[0], single.ops[1]));
}

TEST(Lag, DistancesEqualEnumerationForNestsOfOneLength) {
  EXPECT_TRUE(rc::check([] {
    Nests nests = randomNests(/*equalLengths=*/true);
    for (size_t first = 0; first < nests.ops.size(); ++first)
      for (size_t second = 0; second < nests.ops.size(); ++second) {
        RC_ASSERT(getReuseDistance(nests.ops[first], nests.ops[second], 30) ==
                  nests.nearest(first, second, 1, 30));
        RC_ASSERT(meetInOneIteration(nests.ops[first], nests.ops[second]) ==
                  nests.nearest(first, second, 0, 1).has_value());
      }
  }));
}

/// A bound below is safe: the schedule keeps what it asks for.
TEST(Lag, DistancesAreNeverTooLarge) {
  EXPECT_TRUE(rc::check([] {
    Nests nests = randomNests(/*equalLengths=*/false);
    for (size_t first = 0; first < nests.ops.size(); ++first)
      for (size_t second = 0; second < nests.ops.size(); ++second) {
        auto found = getReuseDistance(nests.ops[first], nests.ops[second], 30);
        auto nearest = nests.nearest(first, second, 1, 30);
        RC_ASSERT(!nearest || (found && *found <= *nearest));
      }
  }));
}

TEST(Lag, AWalkVisitsWhatEnumerationDoes) {
  EXPECT_TRUE(rc::check([] {
    Nests nests = randomNests(/*equalLengths=*/false);
    LeafWalk walk(nests.leaf);
    for (int64_t trip = 0; trip < std::max<int64_t>(nests.trips, 1); ++trip)
      for (auto &places : nests.enumerate()) {
        RC_ASSERT(!walk.isDone());
        RC_ASSERT(walk.getTrip() == trip);
        for (unsigned nest = 0; nest < places.size(); ++nest) {
          RC_ASSERT(walk.isActive(nest) == (places[nest].first >= 0));
          if (walk.isActive(nest))
            RC_ASSERT(walk.getIndices(nest).take_back(2) ==
                      ArrayRef<int64_t>({places[nest].first, places[nest].second}));
        }
        walk.next();
      }
    RC_ASSERT(walk.isDone());
    RC_ASSERT(walk.getIteration() == nests.leaf.getNumIterations());
  }));
}

} // namespace
