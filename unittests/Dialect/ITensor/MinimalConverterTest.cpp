//===- MinimalConverterTest.cpp - Peak live elements by stepping tokens ---===//
//
// All pairs of an exact cover and a read type over the same data with up to three loops of
// two to four trips (a loop of one trip is no loop) over one or two data dimensions. Tiles
// of one or two elements on the source's side, of up to four on the reader's, which may
// overlap, revisit, and skip elements between whole tiles. By default every k-th pair is
// stepped, from a random start; STREAMTENSOR_ALL_PAIRS=1 steps all of them.
//
//===----------------------------------------------------------------------===//

#include "TokenEnumeration.h"
#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"

#include <cstdlib>
#include <random>

using namespace mlir;
using namespace streamtensor::itensor;
using namespace streamtensor::itensor::test;

namespace {

//===----------------------------------------------------------------------===//
// The definition, stepped
//===----------------------------------------------------------------------===//

/// The elements of each token, as linear indices into the data.
using Tokens = std::vector<std::vector<int>>;

/// A type as the tests write it.
struct PlainType {
  Index tile;
  std::vector<PlainLoop> loops;
};

Tokens getTokenElements(const PlainType &type, const Index &shape) {
  Tokens tokens;
  std::vector<int64_t> trips;
  for (const PlainLoop &loop : type.loops)
    trips.push_back(loop.trips);
  forEachPoint(trips, [&](const Index &point) {
    Index offset(shape.size(), 0);
    for (size_t loop = 0; loop < trips.size(); ++loop)
      if (type.loops[loop].dim >= 0)
        offset[type.loops[loop].dim] += point[loop] * type.loops[loop].step;
    std::vector<int> &elements = tokens.emplace_back();
    forEachPoint(type.tile, [&](const Index &inner) {
      elements.push_back(linearize(add(offset, inner), shape));
    });
  });
  return tokens;
}

/// Ticks after the start at which the reader may read its first token: with N tokens written
/// and M read, one is written every M ticks and one read every N.
int64_t getDelay(const Tokens &written, const Tokens &read, const std::vector<int> &writer) {
  int64_t delay = 0, writes = written.size(), reads = read.size();
  for (int64_t j = 0; j < reads; ++j)
    for (int element : read[j])
      delay = std::max(delay, reads * (writer[element] + 1) - writes * j);
  return delay;
}

/// Runs one activation tick by tick of its events and returns the largest number of elements
/// that were in the buffer at once.
int64_t stepTokens(const Tokens &written, const Tokens &read, int64_t numElements) {
  std::vector<int> writer(numElements), pending(numElements, 0);
  for (size_t i = 0; i < written.size(); ++i)
    for (int element : written[i])
      writer[element] = i;
  for (const std::vector<int> &token : read)
    for (int element : token)
      ++pending[element];
  int64_t delay = getDelay(written, read, writer);
  int64_t live = 0, peak = 0;
  size_t i = 0, j = 0;
  while (j < read.size()) {
    int64_t nextRead = delay + int64_t(written.size()) * j;
    if (i < written.size() && int64_t(read.size()) * int64_t(i + 1) <= nextRead) {
      for (int element : written[i++])
        live += pending[element] > 0;
      peak = std::max(peak, live);
      continue;
    }
    for (int element : read[j++]) {
      EXPECT_LT(size_t(writer[element]), i) << "read before it was written";
      live -= --pending[element] == 0;
    }
  }
  EXPECT_EQ(live, 0);
  return peak;
}

//===----------------------------------------------------------------------===//
// All types
//===----------------------------------------------------------------------===//

constexpr int maxLoops = 3, maxTrips = 4, maxReadTile = 4;

/// Calls `visit` with every list of up to three loops with two to four trips over `dims`;
/// the steps are not set.
template <typename Visit> void forEachNest(std::vector<int> dims, Visit visit) {
  std::vector<PlainLoop> loops;
  auto extend = [&](auto &self) -> void {
    visit(loops);
    if (loops.size() == maxLoops)
      return;
    for (int dim : dims)
      for (int trips = 2; trips <= maxTrips; ++trips) {
        loops.push_back({trips, 1, dim});
        self(self);
        loops.pop_back();
      }
  };
  extend(extend);
}

/// Gives the loops of a nest the steps of an exact cover in all ways: whatever loop is the
/// innermost of its dimension steps by the tile.
template <typename Visit>
void forEachExactSteps(std::vector<PlainLoop> loops, std::vector<int64_t> reach,
                       std::vector<bool> done, Visit visit) {
  bool all = true;
  for (size_t loop = 0; loop < loops.size(); ++loop) {
    // Dimension by dimension, so that no choice of steps comes twice.
    bool earlier = false;
    for (size_t other = 0; other < loops.size(); ++other)
      earlier |= !done[other] && loops[other].dim < loops[loop].dim;
    if (done[loop] || earlier)
      continue;
    all = false;
    auto nextLoops = loops;
    auto nextReach = reach;
    auto nextDone = done;
    nextLoops[loop].step = reach[loops[loop].dim];
    nextReach[loops[loop].dim] *= loops[loop].trips;
    nextDone[loop] = true;
    forEachExactSteps(nextLoops, nextReach, nextDone, visit);
  }
  if (all)
    visit(loops, reach);
}

/// Gives the loops of a nest all steps with which they stay inside the data; `room` is what
/// is left of each dimension. With `whole`, they reach its last element.
template <typename Visit>
void forEachReadSteps(std::vector<PlainLoop> &loops, size_t next, std::vector<int64_t> &room,
                      bool whole, Visit visit) {
  if (next == loops.size()) {
    if (!whole || llvm::all_of(room, [](int64_t left) { return left == 0; }))
      visit(loops);
    return;
  }
  PlainLoop &loop = loops[next];
  if (loop.dim < 0)
    return forEachReadSteps(loops, next + 1, room, whole, visit);
  int64_t spaces = loop.trips - 1, left = room[loop.dim];
  bool last = std::none_of(loops.begin() + next + 1, loops.end(),
                           [&](const PlainLoop &later) { return later.dim == loop.dim; });
  if (whole && last && left % spaces != 0)
    return;
  for (loop.step = whole && last ? left / spaces : 1; loop.step > 0 && spaces * loop.step <= left;
       ++loop.step) {
    room[loop.dim] = left - spaces * loop.step;
    forEachReadSteps(loops, next + 1, room, whole, visit);
  }
  room[loop.dim] = left;
}

std::vector<int> getDims(size_t rank, bool revisit) {
  std::vector<int> dims;
  if (revisit)
    dims.push_back(-1);
  for (size_t dim = 0; dim < rank; ++dim)
    dims.push_back(dim);
  return dims;
}

std::map<Index, std::vector<PlainType>> getSources() {
  std::map<Index, std::vector<PlainType>> sources;
  for (size_t rank : {1, 2})
    forEachPoint(std::vector<int64_t>(rank, 2), [&](Index tile) {
      for (int64_t &extent : tile)
        ++extent;
      forEachNest(getDims(rank, false), [&](const std::vector<PlainLoop> &nest) {
        forEachExactSteps(nest, tile, std::vector<bool>(nest.size(), false),
                          [&](const std::vector<PlainLoop> &loops, const Index &shape) {
                            sources[shape].push_back({tile, loops});
                          });
      });
    });
  return sources;
}

/// Does the reader reach every element?
bool reachesAll(const std::vector<PlainLoop> &loops, const Index &tile, const Index &shape) {
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    std::vector<bool> reached(shape[dim], false);
    auto reach = [&](auto &self, size_t loop, int64_t offset) -> void {
      if (loop == loops.size()) {
        std::fill_n(reached.begin() + offset, tile[dim], true);
        return;
      }
      bool feeds = loops[loop].dim == int(dim);
      for (int64_t trip = 0; trip < (feeds ? loops[loop].trips : 1); ++trip)
        self(self, loop + 1, offset + trip * loops[loop].step);
    };
    reach(reach, 0, 0);
    if (!llvm::all_of(reached, [](bool bit) { return bit; }))
      return false;
  }
  return true;
}

/// Is every step of a reader that skips elements a whole number of tiles?
bool stepsByTiles(const std::vector<PlainLoop> &loops, const Index &tile) {
  return llvm::all_of(loops, [&](const PlainLoop &loop) {
    return loop.dim < 0 || loop.step % tile[loop.dim] == 0;
  });
}

enum class Reach { All, Some };

/// All readers that reach all elements, or that leave some out.
template <typename Visit> void forEachReader(const Index &shape, Reach wanted, Visit visit) {
  std::vector<int64_t> tiles;
  for (int64_t extent : shape)
    tiles.push_back(std::min<int64_t>(extent, maxReadTile));
  bool whole = wanted == Reach::All;
  forEachPoint(tiles, [&](Index tile) {
    std::vector<int64_t> room;
    for (size_t dim = 0; dim < shape.size(); ++dim)
      room.push_back(shape[dim] - ++tile[dim]);
    forEachNest(getDims(shape.size(), true), [&](std::vector<PlainLoop> nest) {
      forEachReadSteps(nest, 0, room, whole, [&](const std::vector<PlainLoop> &loops) {
        if (whole ? reachesAll(loops, tile, shape)
                  : stepsByTiles(loops, tile) && !reachesAll(loops, tile, shape))
          visit(PlainType{tile, loops});
      });
    });
  });
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

struct MinimalConverterTest : testing::Test {
  /// Compares with stepping; counts what the pair is for.
  void check(ITensorType source, const Tokens &written, ITensorType reader, const Tokens &read) {
    FailureOr<ConverterPlan> plan = planConverter(source, reader);
    ASSERT_TRUE(succeeded(plan));
    int64_t paper = planConverter(source, reader, ConverterRule::Paper)->getNumElements();
    int64_t stepped = stepTokens(written, read, source.getDataType().getNumElements());
    std::optional<EvenPace> pace = analyseEvenPace(*plan);
    ASSERT_TRUE(pace);
    ASSERT_EQ(pace->peakLive, stepped) << describe(source, reader);
    ASSERT_LE(pace->peakLive, paper) << describe(source, reader);
    ASSERT_LE(plan->getNumElements() + pace->ahead, paper) << describe(source, reader);
    ++pairs;
    ++kinds[plan->kind];
    smaller += pace->peakLive < paper;
  }

  static std::string describe(ITensorType source, ITensorType reader) {
    std::string text;
    llvm::raw_string_ostream(text) << source << " to " << reader;
    return text;
  }

  /// Checks every `stride`-th pair over `shape`.
  void checkShape(const Index &shape, const std::vector<PlainType> &sources, Reach reach) {
    MLIRContext context; // Types live as long as their context.
    context.loadDialect<ITensorDialect>();
    std::vector<std::pair<ITensorType, Tokens>> written;
    for (const PlainType &source : sources)
      written.push_back(
          {makeType(context, source.tile, source.loops), getTokenElements(source, shape)});
    forEachReader(shape, reach, [&](const PlainType &plain) {
      if (HasFatalFailure())
        return;
      for (; next < int64_t(sources.size()); next += stride) {
        ITensorType reader = makeType(context, plain.tile, plain.loops, shape);
        check(written[next].first, written[next].second, reader, getTokenElements(plain, shape));
        if (HasFatalFailure())
          return;
      }
      next -= sources.size();
    });
  }

  void checkAll(Reach reach, int64_t sampledStride, int64_t maxElements) {
    const char *setting = std::getenv("STREAMTENSOR_ALL_PAIRS");
    bool all = setting && setting != std::string("0");
    unsigned seed = std::random_device()();
    stride = all ? 1 : sampledStride;
    next = all ? 0 : seed % stride;
    for (const auto &[shape, sources] : getSources())
      if (llvm::product_of(shape) <= maxElements)
        ASSERT_NO_FATAL_FAILURE(checkShape(shape, sources, reach)) << "seed " << seed;
    std::cout << pairs << " pairs" << (all ? "" : " (seed " + std::to_string(seed) + ")") << ", "
              << smaller * 100.0 / pairs << "% need less than the paper's rule;";
    for (auto [kind, count] : kinds)
      std::cout << ' ' << stringifyConverterKind(kind).str() << ' ' << count;
    std::cout << '\n';
    EXPECT_GT(pairs, 5000);
  }

  int64_t stride = 1, next = 0;
  int64_t pairs = 0, smaller = 0;
  std::map<ConverterKind, int64_t> kinds;
};

TEST_F(MinimalConverterTest, ReadersOfAllElements) {
  checkAll(Reach::All, /*sampledStride=*/53, /*maxElements=*/1 << 20);
}

TEST_F(MinimalConverterTest, ReadersThatSkipElements) {
  checkAll(Reach::Some, /*sampledStride=*/53, /*maxElements=*/24);
}

} // namespace
