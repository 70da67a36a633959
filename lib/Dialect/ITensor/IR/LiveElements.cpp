//===- LiveElements.cpp - The fewest elements a converter must hold -------===//
//
// Which token brings an element, which reads it first and which reads it last are sums
// over the data dimensions, because a loop feeds at most one of them. So the smallest
// legal delay is a sum of one maximum per dimension, and the elements that arrive with a
// token, or leave with one, are a product of one count per dimension. Only tokens are
// stepped through, and of the shared loops two trips: an element that arrives in one
// trip has left before the end of the next.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

#include <numeric>

using namespace mlir;

namespace streamtensor::itensor {

namespace {

/// The range of indices that a tile covers along one data dimension, and what the loops of
/// that dimension add to the number of its token.
struct Tile {
  int64_t begin, end, token;
};

/// The loops inside the shared ones, each with the tokens that one trip of it sends.
struct InnerNest {
  InnerNest(ITensorType type, unsigned shared);
  /// The tiles along a data dimension, the outermost loop slowest.
  std::vector<Tile> getTiles(unsigned dim) const;

  ITensorType type;
  LoopNest loops;
  SmallVector<int64_t> tokensPerTrip;
  int64_t numTokens = 1;
};

/// One token interval of each side, in ticks; both sides take `span` ticks for their tokens.
struct Clock {
  int64_t write, read, span;
};

/// The life of the indices of one data dimension.
struct Axis {
  Axis(ArrayRef<Tile> written, ArrayRef<Tile> read, const Clock &clock);

  std::vector<int64_t> arriving; ///< Per tile of the source, the indices that are read at all.
  std::vector<int64_t> leaving;  ///< Per tile of the result, the indices that it reads last.
  /// Ticks by which the arrival of an index lies behind its first read, at most.
  int64_t delay = std::numeric_limits<int64_t>::min();
};

/// A token at which `elements` elements arrive or leave.
struct Event {
  int64_t token, elements;
};

} // namespace

InnerNest::InnerNest(ITensorType type, unsigned shared) : type(type) {
  loops = LoopNest(ArrayRef<Loop>(getLoops(type)).drop_front(shared));
  tokensPerTrip.resize(loops.size());
  for (size_t loop = loops.size(); loop-- > 0;) {
    tokensPerTrip[loop] = numTokens;
    numTokens *= loops[loop].trips;
  }
}

std::vector<Tile> InnerNest::getTiles(unsigned dim) const {
  std::vector<Tile> tiles = {{0, type.getElementShape()[dim], 0}};
  for (auto [loop, tokens] : llvm::zip_equal(loops, tokensPerTrip)) {
    if (loop.dim != dim)
      continue;
    std::vector<Tile> grown;
    for (const Tile &tile : tiles)
      for (int64_t trip = 0; trip < loop.trips; ++trip)
        grown.push_back({tile.begin + trip * loop.step, tile.end + trip * loop.step,
                         tile.token + trip * tokens});
    tiles = std::move(grown);
  }
  return tiles;
}

/// Calls `visit` with the runs of `cuts` that each tile covers.
static void forEachRun(ArrayRef<Tile> tiles, ArrayRef<int64_t> cuts,
                       function_ref<void(size_t tile, size_t run)> visit) {
  for (auto [index, tile] : llvm::enumerate(tiles))
    for (size_t run = llvm::lower_bound(cuts, tile.begin) - cuts.begin(); cuts[run] < tile.end;
         ++run)
      visit(index, run);
}

Axis::Axis(ArrayRef<Tile> written, ArrayRef<Tile> read, const Clock &clock)
    : arriving(written.size(), 0), leaving(read.size(), 0) {
  // Between two neighbouring ends of tiles all indices have the same life.
  std::vector<int64_t> cuts;
  for (const Tile &tile : llvm::concat<const Tile>(written, read))
    cuts.insert(cuts.end(), {tile.begin, tile.end});
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());

  constexpr size_t none = -1;
  std::vector<size_t> writer(cuts.size(), none), first(writer), last(writer);
  forEachRun(written, cuts, [&](size_t tile, size_t run) { writer[run] = tile; });
  forEachRun(read, cuts, [&](size_t tile, size_t run) {
    if (first[run] == none || read[tile].token < read[first[run]].token)
      first[run] = tile;
    if (last[run] == none || read[tile].token > read[last[run]].token)
      last[run] = tile;
  });
  for (size_t run = 0; run + 1 < cuts.size(); ++run) {
    if (first[run] == none)
      continue;
    arriving[writer[run]] += cuts[run + 1] - cuts[run];
    leaving[last[run]] += cuts[run + 1] - cuts[run];
    delay = std::max(delay, clock.write * written[writer[run]].token -
                                clock.read * read[first[run]].token);
  }
}

/// The tokens at which elements arrive or leave, in order: `counts` per dimension and tile.
/// Revisits stand at their last trip, as no element leaves before.
static std::vector<Event> getEvents(const InnerNest &nest, ArrayRef<std::vector<int64_t>> counts) {
  std::vector<Event> events;
  SmallVector<int64_t> trips(nest.loops.size(), 0), tiles(counts.size(), 0);
  int64_t token = 0;
  for (auto [loop, tokens] : llvm::zip_equal(nest.loops, nest.tokensPerTrip))
    token += loop.isRevisit() ? (loop.trips - 1) * tokens : 0;
  SmallVector<int64_t> tilesPerTrip(nest.loops.size(), 1), reached(counts.size(), 1);
  for (size_t loop = nest.loops.size(); loop-- > 0;)
    if (std::optional<unsigned> dim = nest.loops[loop].dim) {
      tilesPerTrip[loop] = reached[*dim];
      reached[*dim] *= nest.loops[loop].trips;
    }
  while (true) {
    int64_t elements = 1;
    for (auto [dim, tile] : llvm::enumerate(tiles))
      elements *= counts[dim][tile];
    if (elements > 0)
      events.push_back({token, elements});
    size_t loop = trips.size();
    while (loop-- > 0) {
      const Loop &current = nest.loops[loop];
      if (current.isRevisit())
        continue;
      int64_t step = ++trips[loop] < current.trips ? 1 : 1 - current.trips;
      token += step * nest.tokensPerTrip[loop];
      tiles[*current.dim] += step * tilesPerTrip[loop];
      if (step == 1)
        break;
      trips[loop] = 0;
    }
    if (loop > trips.size()) // Wrapped: every loop was at its last trip.
      return events;
  }
}

/// The most elements that are live at one time over `repeats` trips of the shared loops.
/// Only arrivals can set a maximum; what leaves at the same instant is still live.
static int64_t getPeak(ArrayRef<Event> arrivals, ArrayRef<Event> departures, const Clock &clock,
                       int64_t delay, int64_t repeats) {
  int64_t live = 0, peak = 0;
  size_t departed = 0;
  auto departs = [&](size_t index) {
    return delay + clock.read * departures[index % departures.size()].token +
           clock.span * int64_t(index / departures.size());
  };
  for (int64_t repeat = 0; repeat < repeats; ++repeat)
    for (const Event &arrival : arrivals) {
      int64_t now = clock.write * (arrival.token + 1) + clock.span * repeat;
      while (departs(departed) < now)
        live -= departures[departed++ % departures.size()].elements;
      live += arrival.elements;
      peak = std::max(peak, live);
    }
  return peak;
}

/// A repeat buffer starts a trip of the shared loops when `tokensAtStart` tokens have come, as
/// those of the next trip come while it repeats; with one trip only, it follows the source in the
/// first visit and ends no later. A line buffer takes what comes in one stage at its end.
static int64_t getElementsAhead(const ConverterPlan &plan, int64_t tokensAtStart) {
  if (plan.kind == ConverterKind::RepeatBuffer)
    return plan.shared > 0 ? tokensAtStart * plan.source.getTokenElements() : 0;
  if (plan.kind != ConverterKind::LineBuffer)
    return 0;
  LineRing ring = *planLineRing(plan.source, plan.result);
  return plan.getNumElements() / ring.getSize() * ring.advance;
}

std::optional<EvenPace> analyseEvenPace(const ConverterPlan &plan) {
  constexpr int64_t maxTokens = 1 << 24;
  constexpr double maxTicks = 1e18;
  InnerNest source(plan.source, plan.shared), result(plan.result, plan.shared);
  if (source.numTokens > maxTokens ||
      source.numTokens * static_cast<double>(result.numTokens) > maxTicks)
    return std::nullopt;
  int64_t common = std::gcd(source.numTokens, result.numTokens);
  Clock clock{result.numTokens / common, source.numTokens / common,
              source.numTokens / common * result.numTokens};

  int64_t delay = clock.write; // A token can be read when it is complete.
  std::vector<std::vector<int64_t>> arriving, leaving;
  for (unsigned dim = 0; dim < plan.source.getDataRank(); ++dim) {
    Axis axis(source.getTiles(dim), result.getTiles(dim), clock);
    delay += axis.delay;
    arriving.push_back(std::move(axis.arriving));
    leaving.push_back(std::move(axis.leaving));
  }
  int64_t peak = getPeak(getEvents(source, arriving), getEvents(result, leaving), clock, delay,
                         std::min<int64_t>(plan.getSharedTrips(), 2));
  return EvenPace{peak, getElementsAhead(plan, delay / clock.write)};
}

} // namespace streamtensor::itensor
