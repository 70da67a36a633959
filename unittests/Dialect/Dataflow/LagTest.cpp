//===- LagTest.cpp - Nests with lag against enumeration -------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dependences.h"
#include "streamtensor/Dialect/Dataflow/IR/LeafWalk.h"
#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"
#include "streamtensor/Dialect/Dataflow/IR/ReuseDistance.h"

#include "ReferenceAffine.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <rapidcheck.h>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;
using namespace streamtensor::reference;

namespace {

/// What one nest does: stores or loads element (block * a + own * b + s0 * c + d) mod m of a shared
/// memory, where `guard` holds, over the indices (t, b, i) and the scalars s0 and s1.
struct Access {
  bool writes;
  int64_t length, ofBlock, ofOwn, offset, modulus;
  int64_t isBehind = 1; ///< The nest before.
  int64_t ofScalar = 0;
  std::string count = "",
              guard = ""; ///< Of scalars, if the length depends on them; if there is one.
};

/// Values of the two scalars.
using Values = std::pair<int64_t, int64_t>;

/// A leaf of nests with one access each.
struct Nests {
  /// `trips`: of a serial loop around the blocks, counted by `count` if that is not empty. The
  /// scalars have values from 1 to `most`.
  Nests(int64_t blocks, ArrayRef<Access> accesses, int64_t trips = 1, StringRef count = "",
        Values most = {1, 1})
      : blocks(blocks), trips(trips), most(most), forms(accesses) {
    context.loadDialect<DataflowDialect>();
    std::string memory = "!dataflow.private<64xf32>", scalars = "affine_map<()[s0, s1] -> (";
    auto get = [&](StringRef text) {
      return parseAttribute(("affine_" + text + ")>").str(), &context);
    };
    auto getCount = [&](StringRef text, int64_t otherwise) {
      std::string expr = text.empty() ? std::to_string(otherwise) : text.str();
      return cast<AffineMapAttr>(get("map<()[s0, s1] -> (" + expr)).getValue().getResult(0);
    };
    serialCount = getCount(count, trips);
    std::string text = "dataflow.design @d {\n%s = dataflow.stream \"s\" : !dataflow.stream<f32>\n"
                       "%n = dataflow.scalar \"n\" from 1 to " +
                       std::to_string(most.first) +
                       " : index\n%m = dataflow.scalar \"m\" from 1 to " +
                       std::to_string(most.second) + " : index\ndataflow.leaf \"l\" compute [" +
                       std::to_string(trips) + ", " + std::to_string(blocks) + "] counts " +
                       scalars + (count.empty() ? std::to_string(trips) : count.str()) + ", " +
                       std::to_string(blocks) + ")> (%n, %m) attributes {serial = 1 : i64, " +
                       "together} {\n^bb0(%t: index, %b: index, %p: " + memory + "):\n";
    for (auto [number, form] : llvm::enumerate(forms)) {
      counts.push_back(getCount(form.count, form.length));
      auto map = cast<AffineMapAttr>(
          get("map<(t, b, i)[s0, s1] -> ((b * " + std::to_string(form.ofBlock) + " + i * " +
              std::to_string(form.ofOwn) + " + s0 * " + std::to_string(form.ofScalar) + " + " +
              std::to_string(form.offset) + ") mod " + std::to_string(form.modulus)));
      places.push_back(map.getValue().getResult(0));
      std::string set = "set<(t, b, i)[s0, s1] : (" + (form.guard.empty() ? "t >= 0" : form.guard);
      guards.push_back(cast<IntegerSetAttr>(get(set)).getValue());
      lags.push_back(number == 0 ? 0 : lags.back() + form.isBehind);
      int64_t length = form.length;
      forEachValue([&](Values values) { length = std::max(length, getLength(number, values)); });
      text += "dataflow.nest \"n" + std::to_string(number) + "\" [" + std::to_string(length) + "]" +
              (form.count.empty() ? "" : " counts " + scalars + form.count + ")>") + " lag " +
              std::to_string(lags.back()) + " {\n^bb0(%i: index):\n";
      std::string place = print(map);
      if (!form.guard.empty())
        place += " when affine_" + set + ")>";
      if (form.writes)
        text += "%v = dataflow.stream_read %s : !dataflow.stream<f32> -> f32\n"
                "dataflow.store %v, %p " +
                place + " : f32, " + memory + "\n";
      else
        text += "%v = dataflow.load %p " + place + " : " + memory +
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

  template <typename Printed> static std::string print(Printed printed) {
    std::string text;
    llvm::raw_string_ostream(text) << printed;
    return text;
  }

  void forEachValue(function_ref<void(Values)> visit) const {
    for (int64_t n = 1; n <= most.first; ++n)
      for (int64_t m = 1; m <= most.second; ++m)
        visit({n, m});
  }

  int64_t getLength(size_t nest, Values values) const {
    return valueOf(counts[nest], {}, {values.first, values.second});
  }

  /// Iteration by iteration: which block and which own iteration each nest is at, or -1.
  std::vector<std::vector<std::pair<int64_t, int64_t>>> enumerate(Values values = {1, 1}) const {
    std::vector<std::vector<std::pair<int64_t, int64_t>>> iterations;
    int64_t nests = forms.size();
    for (int64_t step = 0; step < blocks + lags.back(); ++step) {
      auto hasWork = [&](int64_t nest) { return step >= lags[nest] && step - lags[nest] < blocks; };
      int64_t longest = 0;
      for (int64_t nest = 0; nest < nests; ++nest)
        if (hasWork(nest))
          longest = std::max(longest, getLength(nest, values));
      for (int64_t own = 0; own < longest; ++own) {
        auto &places = iterations.emplace_back();
        for (int64_t nest = 0; nest < nests; ++nest)
          if (hasWork(nest) && own < getLength(nest, values))
            places.emplace_back(step - lags[nest], own);
          else
            places.emplace_back(-1, -1);
      }
    }
    return iterations;
  }

  /// Least distance, from `least` on, between iterations of a serial trip in which the two touch
  /// one element, with any values of the scalars.
  std::optional<int64_t> nearest(size_t first, size_t second, int64_t least, int64_t limit) const {
    std::optional<int64_t> found;
    forEachValue([&](Values values) {
      SmallVector<int64_t> scalars = {values.first, values.second};
      auto iterations = enumerate(values);
      auto placeIn = [&](int64_t trip, size_t iteration, size_t nest) -> std::optional<int64_t> {
        auto [block, own] = iterations[iteration][nest];
        SmallVector<int64_t> indices = {trip, block, own};
        if (block < 0 || !isInside(guards[nest], indices, scalars))
          return std::nullopt;
        return valueOf(places[nest], indices, scalars);
      };
      for (int64_t trip = 0; trip < valueOf(serialCount, {}, scalars); ++trip)
        for (size_t from = 0; from < iterations.size(); ++from)
          if (auto one = placeIn(trip, from, first))
            for (size_t to = from + least; to < std::min<size_t>(iterations.size(), from + limit);
                 ++to)
              if (one == placeIn(trip, to, second))
                found = std::min<int64_t>(found.value_or(limit), to - from);
    });
    return found;
  }

  int64_t blocks, trips;
  Values most;
  std::vector<Access> forms;
  std::vector<AffineExpr> counts, places;
  AffineExpr serialCount;
  std::vector<IntegerSet> guards;
  std::vector<int64_t> lags;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  LeafOp leaf;
  SmallVector<AccessOpInterface> ops;
};

int64_t pick(int64_t least, int64_t most) { return *rc::gen::inRange(least, most + 1); }

Nests randomNests(bool equalLengths) {
  std::vector<Access> accesses;
  int64_t length = pick(1, 6);
  for (int64_t nests = pick(1, 3); nests > 0; --nests)
    accesses.push_back({pick(0, 1) == 0, equalLengths ? length : pick(1, 6), pick(0, 4), pick(0, 3),
                        pick(0, 5), pick(1, 9), pick(0, 1)});
  int64_t blocks = pick(1, 6);
  return Nests(blocks, accesses, pick(1, 3));
}

/// Nests of scalar lengths, whose accesses may name the scalars too.
Nests randomCounts(bool equalLengths) {
  auto drawCount = [] {
    std::string scalar = "s" + std::to_string(pick(0, 1));
    return std::vector<std::string>{scalar,
                                    scalar + " ceildiv " + std::to_string(pick(2, 4)),
                                    "(" + scalar + " ceildiv 4) * 2",
                                    "s0 + s1",
                                    scalar + " mod 3 + 1",
                                    "4"}[pick(0, 5)];
  };
  std::string all = drawCount();
  std::vector<Access> accesses;
  for (int64_t nests = pick(1, 3); nests > 0; --nests) {
    Access access = {pick(0, 1) == 0, 1,          pick(0, 4), pick(0, 3),
                     pick(0, 5),      pick(1, 9), pick(0, 1), pick(0, 2) ? 0 : pick(0, 3)};
    access.count = equalLengths ? all : drawCount();
    std::string number = std::to_string(pick(1, 5));
    access.guard = std::vector<std::string>{"",
                                            "",
                                            "i - (" + access.count + ") + 1 == 0",
                                            "i - s0 >= 0",
                                            "s1 - i - 2 >= 0",
                                            "s0 - " + number + " == 0",
                                            number + " - s1 >= 0",
                                            "t - s0 + 1 == 0",
                                            "b - s1 >= 0"}[pick(0, 8)];
    accesses.push_back(access);
  }
  bool isCounted = pick(0, 1);
  Values most = {pick(1, 6), pick(1, 6)};
  return Nests(pick(1, 4), accesses, isCounted ? most.first : 2, isCounted ? "s0" : "", most);
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

TEST(Lag, DistancesHoldForEveryValueOfTheScalars) {
  int met = 0;
  EXPECT_TRUE(rc::check([&] {
    Nests nests = randomCounts(/*equalLengths=*/true);
    RC_LOG() << Nests::print(nests.leaf);
    for (size_t first = 0; first < nests.ops.size(); ++first)
      for (size_t second = 0; second < nests.ops.size(); ++second) {
        auto nearest = nests.nearest(first, second, 1, 20);
        met += nearest.has_value();
        RC_ASSERT(getReuseDistance(nests.ops[first], nests.ops[second], 20) == nearest);
        RC_ASSERT(meetInOneIteration(nests.ops[first], nests.ops[second]) ==
                  nests.nearest(first, second, 0, 1).has_value());
      }
  }));
  EXPECT_GT(met, 50);
}

TEST(Lag, DistancesAreNeverTooLargeForAnyValueOfTheScalars) {
  EXPECT_TRUE(rc::check([] {
    Nests nests = randomCounts(/*equalLengths=*/false);
    RC_LOG() << Nests::print(nests.leaf);
    for (size_t first = 0; first < nests.ops.size(); ++first)
      for (size_t second = 0; second < nests.ops.size(); ++second) {
        auto found = getReuseDistance(nests.ops[first], nests.ops[second], 20);
        auto nearest = nests.nearest(first, second, 1, 20);
        RC_ASSERT(!nearest || (found && *found <= *nearest));
      }
  }));
}

/// 512 positions in tiles of 16 make 32 counts, whatever counts the serial trips.
TEST(Lag, ChoicesAreOfCounts) {
  Nests nests(4,
              {{true, 1, 64, 1, 0, 128, 1, 0, "s0 ceildiv 16"},
               {false, 1, 64, 1, 0, 128, 1, 0, "(s0 ceildiv 16) * 2"}},
              24, "s1", {512, 24});
  auto choices = getCountChoices(nests.leaf);
  ASSERT_TRUE(choices);
  ASSERT_EQ(choices->size(), 32u);
  for (auto [number, scalars] : llvm::enumerate(*choices)) {
    EXPECT_EQ(valueOf(nests.counts[0], {}, scalars), int64_t(number) + 1);
    EXPECT_EQ(scalars[1], 24);
  }
  Nests each(4, {{true, 1, 64, 1, 0, 128, 1, 0, "s0"}}, 1, "", {65, 1});
  EXPECT_FALSE(getCountChoices(each.leaf));
}

TEST(Lag, AWalkVisitsWhatEnumerationDoes) {
  EXPECT_TRUE(rc::check([] {
    Nests nests = randomNests(/*equalLengths=*/false);
    LeafWalk walk(nests.leaf);
    for (int64_t trip = 0; trip < nests.trips; ++trip)
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
