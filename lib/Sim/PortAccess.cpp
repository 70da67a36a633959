//===- PortAccess.cpp - Accesses to external memory -----------------------===//

#include "streamtensor/Sim/PortAccess.h"

#include "streamtensor/Support/Affine.h"

#include "streamtensor/Dialect/Dataflow/IR/Dependences.h"
#include "streamtensor/Dialect/Dataflow/IR/LeafWalk.h"
#include "streamtensor/Dialect/Dataflow/IR/Stripes.h"

#include <limits>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::sim {

static SmallVector<InterfaceOp> getInterfaces(AccessOpInterface access) {
  return llvm::map_to_vector(access.getChannel().getDefiningOp<PortOp>().getInterfaces(),
                             [](Value value) { return value.getDefiningOp<InterfaceOp>(); });
}

/// The channel of an interface; null if it is bound to none.
static ChannelOp getChannel(InterfaceOp interface) {
  return interface.getChannel() ? interface.getChannel().getDefiningOp<ChannelOp>() : ChannelOp();
}

/// The pieces of `count` copies of what begins at `pieces`, `step` bits apart.
static SmallVector<int64_t> repeat(ArrayRef<int64_t> pieces, int64_t count, int64_t step) {
  SmallVector<int64_t> all;
  for (int64_t copy = 0; copy < count; ++copy)
    for (int64_t piece : pieces)
      all.push_back(copy * step + piece);
  return all;
}

static PortAccess makeAccess(AccessOpInterface op) {
  auto declared = op.getChannel().getDefiningOp<PortOp>();
  PortType port = declared.getStripeType();
  ArrayRef<int64_t> shape = port.getShape();
  SmallVector<int64_t> box = getStripeBox(op);
  int64_t bits = getStorageBits(declared);
  WordsAttr words = op.getWordsAttr();
  // Padding moves along with the data.
  if (words.getUsed() < words.getLanes())
    box.back() = words.getLanes();
  AffineMap map = getStripePlace(op);
  AffineExpr address = getAffineConstantExpr(0, op->getContext());
  int64_t stride = 1, contiguous = 1;
  SmallVector<int64_t> pieces = {0};
  bool open = true; // does the piece go on into this dimension?
  for (unsigned dim = shape.size(); dim-- > 0;) {
    address = address + map.getResult(dim) * (stride * bits);
    if (open)
      contiguous *= box[dim];
    else
      pieces = repeat(pieces, box[dim], stride * bits);
    open &= box[dim] == shape[dim];
    stride *= shape[dim];
  }
  return {op,
          simplifyAffineExpr(address, map.getNumDims(), 0),
          std::move(pieces),
          contiguous * bits,
          words.getCount(),
          words.getLongest() * words.getLanes() * bits,
          declared.getInterface()->getGap(),
          getMovedStripe(op),
          words.getRequest() > 0,
          getLeaf(op).hasNests() ? 0u : unsigned(getLeaf(op).getSerial())};
}

SmallVector<PortAccess> getPortAccesses(NestOpInterface nest) {
  SmallVector<PortAccess> accesses;
  for (AccessOpInterface access : getAccesses(nest))
    if (access.isExternal())
      accesses.push_back(makeAccess(access));
  return accesses;
}

namespace {

/// Words of one iteration over an interface, one way, cycles between its bursts, and those until
/// the next iteration.
struct WayUse {
  int64_t beats = 0, gaps = 0, interval = 0;
};

/// Iterations that start bursts, in order, and the bytes of these.
using BurstBytes = std::vector<std::pair<int64_t, int64_t>>;

/// Follows the addresses of one access through the iterations.
class BurstTracker {
public:
  /// `way` numbers what shares an interface, one way; a channel moves `beatBits` at once. Where an
  /// iteration moves one stripe, that is `stripe`.
  BurstTracker(const PortAccess &access, int32_t way, unsigned loops, int64_t beatBits,
               int64_t stripe)
      : access(access), guard(this->access.op.getGuardSet()), way(way), stripe(stripe),
        beatBits(beatBits), interval(getPipeline(this->access.op).getInterval()),
        strides(loops, 0) {
    linear = findStrides(access.address, 1);
    unsigned innermost = loops - 1;
    auto isTold = [&](AffineExpr expr) { return expr.isFunctionOfDim(innermost); };
    isAlike = loops > access.serial && !access.isAlone &&
              !(access.stripe && isTold(access.stripe)) &&
              !(guard && llvm::any_of(guard.getConstraints(), isTold));
    isSteady =
        isAlike && linear && access.pieces.size() == 1 && strides[innermost] == access.bitsPerPiece;
  }

  /// Adds the words that the access moves in this iteration, and what its bursts cost.
  void visit(int64_t iteration, ArrayRef<int64_t> indices, WayUse &use) {
    moves = !(guard && !contains(guard, indices)) &&
            !(access.stripe && evaluate(access.stripe, indices) != stripe);
    if (!moves)
      return;
    int64_t start = linear ? offset : evaluate(access.address, indices);
    if (linear)
      for (auto [index, stride] : llvm::zip_equal(indices, strides))
        start += index * stride;
    int64_t bursts = 0;
    bool begins = llvm::all_of(indices.drop_front(access.serial), [](int64_t i) { return i == 0; });
    if ((access.isAlone || (access.serial > 0 && begins)) && expected >= 0)
      expected = endOfAll;
    for (int64_t piece : access.pieces)
      bursts += countBursts(iteration, start + piece);
    use.interval = interval;
    use.beats += access.beats;
    use.gaps += bursts * access.gap;
  }
  /// Does the outermost loop do the same in each trip?
  bool repeats() {
    auto isTold = [](AffineExpr expr) { return expr.isFunctionOfDim(0); };
    return linear && strides[0] == 0 && !(access.stripe && isTold(access.stripe)) &&
           !(guard && llvm::any_of(guard.getConstraints(), isTold));
  }
  int32_t getWay() const { return way; }
  /// How many iterations of the innermost loop behind this one go on with the open burst, or move
  /// as little as this one.
  int64_t countPlain(int64_t most) const {
    if (!moves)
      return isAlike ? most : 0;
    return isSteady ? std::min(most, (burstEnd - expected) / access.bitsPerPiece) : 0;
  }
  /// Passes so many of them.
  void pass(int64_t count) {
    if (!moves)
      return;
    openBits += count * access.bitsPerPiece;
    expected += count * access.bitsPerPiece;
  }

  /// All bursts, once the last iteration was visited.
  const BurstBytes &finish() {
    close();
    return bytes;
  }

private:
  /// Bursts that begin in the piece at `begin`, after the first of all.
  int64_t countBursts(int64_t iteration, int64_t begin) {
    int64_t end = begin + access.bitsPerPiece, bursts = 0;
    if (begin == expected && end <= burstEnd) {
      openBits += end - begin;
      expected = end;
      return 0;
    }
    bool isFirst = expected < 0;
    bool goesOn = begin == expected && begin % access.burstBits != 0;
    expected = end;
    for (int64_t place = begin; place < end;) {
      int64_t limit = (place / access.burstBits + 1) * access.burstBits;
      if (place > begin || !goesOn) {
        close();
        openIteration = iteration;
        ++bursts;
      }
      openBits += std::min(end, limit) - place;
      place = burstEnd = limit;
    }
    return bursts - isFirst;
  }

  /// The open burst is over: a channel moves whole beats.
  void close() {
    if (openBits == 0)
      return;
    if (bytes.empty() || bytes.back().first != openIteration)
      bytes.emplace_back(openIteration, 0);
    bytes.back().second += llvm::divideCeil(openBits, beatBits) * (beatBits / 8);
    openBits = 0;
  }

  /// Reads `expr` as a sum of loop indices times constants, if it is one.
  bool findStrides(AffineExpr expr, int64_t factor) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      offset += factor * constant.getValue();
      return true;
    }
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      strides[dim.getPosition()] += factor;
      return true;
    }
    auto binary = cast<AffineBinaryOpExpr>(expr);
    if (expr.getKind() == AffineExprKind::Add)
      return findStrides(binary.getLHS(), factor) && findStrides(binary.getRHS(), factor);
    auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return expr.getKind() == AffineExprKind::Mul && constant &&
           findStrides(binary.getLHS(), factor * constant.getValue());
  }

  PortAccess access;
  IntegerSet guard;
  int32_t way;
  int64_t stripe, beatBits, interval;
  BurstBytes bytes;
  int64_t openBits = 0, openIteration = 0;
  int64_t burstEnd = 0; // of the open burst, at the latest
  SmallVector<int64_t> strides;
  /// Where the piece before ended; before the first of all it is negative.
  int64_t offset = 0, expected = -1;
  /// No piece begins there.
  static constexpr int64_t endOfAll = std::numeric_limits<int64_t>::max();
  bool linear;
  /// Does the innermost loop change nothing but the address? And this to where the access ended?
  bool isAlike, isSteady;
  bool moves = false; // in this iteration
};

} // namespace

namespace {
/// The accesses of a leaf to external memory, followed nest by nest.
struct LeafTrackers {
  LeafTrackers(LeafOp leaf, NumberOfWay numberOfWay);
  void add(const PortAccess &access, NumberOfWay numberOfWay);

  std::vector<std::vector<BurstTracker>> nests;
  /// Accesses in the order of the trackers, the interfaces that each moves alike over, and the
  /// number of what shares one with it.
  SmallVector<AccessOpInterface> accesses;
  std::vector<SmallVector<InterfaceOp>> interfaces;
  SmallVector<int32_t> ways;
  bool matters = false; // has any a gap or a way?
};
} // namespace

LeafTrackers::LeafTrackers(LeafOp leaf, NumberOfWay numberOfWay) {
  for (NestOpInterface nest : leaf.getNests()) {
    nests.emplace_back();
    for (const PortAccess &access : getPortAccesses(nest))
      add(access, numberOfWay);
  }
}

/// One tracker for all stripes if they move alike, else one for each.
void LeafTrackers::add(const PortAccess &access, NumberOfWay numberOfWay) {
  SmallVector<InterfaceOp> all = getInterfaces(access.op);
  for (int64_t stripe = 0, end = access.stripe ? all.size() : 1; stripe < end; ++stripe) {
    auto *sharer = llvm::find_if(
        accesses, [&](AccessOpInterface other) { return shareBeats(other, access.op); });
    ways.push_back(sharer == accesses.end() ? accesses.size() : ways[sharer - accesses.begin()]);
    accesses.push_back(access.op);
    interfaces.push_back(access.stripe ? SmallVector<InterfaceOp>{all[stripe]} : all);
    InterfaceOp interface = all[stripe];
    ChannelOp channel = getChannel(interface);
    matters |= access.gap > 0 || numberOfWay(interface, accesses.back().isWrite()) >= 0;
    nests.back().emplace_back(access, ways.back(), getNest(access.op).getNumNestLoops(),
                              channel ? channel.getFacts().getBits() : 8, stripe);
  }
}

/// Bursts of all trackers, by iteration and way of the machine.
static std::vector<Burst> collectBursts(LeafTrackers &trackers, NumberOfWay numberOfWay) {
  std::vector<Burst> found;
  size_t number = 0;
  for (std::vector<BurstTracker> &nest : trackers.nests)
    for (BurstTracker &tracker : nest) {
      for (InterfaceOp interface : trackers.interfaces[number])
        if (int32_t way = numberOfWay(interface, trackers.accesses[number].isWrite()); way >= 0)
          for (auto [iteration, bytes] : tracker.finish())
            found.push_back({iteration, way, bytes});
      ++number;
    }
  auto placeOf = [](const Burst &burst) { return std::pair(burst.iteration, burst.way); };
  llvm::stable_sort(found, [&](auto &a, auto &b) { return placeOf(a) < placeOf(b); });
  std::vector<Burst> bursts;
  for (const Burst &burst : found)
    if (!bursts.empty() && placeOf(bursts.back()) == placeOf(burst))
      bursts.back().bytes += burst.bytes;
    else
      bursts.push_back(burst);
  return bursts;
}

/// Of `entries` in three trips of `length` iterations those in `trips` trips: the second again and
/// again, and the last.
template <typename Entry>
static std::vector<Entry> repeatMiddle(ArrayRef<Entry> entries, int64_t length, int64_t trips) {
  auto find = [&](int64_t trip) {
    return llvm::partition_point(
        entries, [&](const Entry &entry) { return entry.iteration < trip * length; });
  };
  std::vector<Entry> all(entries.begin(), find(1));
  auto add = [&](const Entry *begin, const Entry *end, int64_t later) {
    for (Entry entry : llvm::make_range(begin, end)) {
      entry.iteration += later * length;
      all.push_back(entry);
    }
  };
  for (int64_t later = 0; later < trips - 2; ++later)
    add(find(1), find(2), later);
  add(find(2), entries.end(), trips - 3);
  return all;
}

PortTraffic computePortTraffic(LeafOp leaf, NumberOfWay numberOfWay) {
  PortTraffic traffic;
  LeafTrackers trackers(leaf, numberOfWay);
  if (!trackers.matters)
    return traffic;
  // Three trips of a loop that repeats all say what any number of them does.
  SmallVector<int64_t> loops = leaf.getNests().front().getLoopTrips();
  int64_t trips = loops.empty() ? 1 : loops.front(), length = llvm::product_of(loops) / trips;
  bool repeats = leaf.getNests().size() == 1 && trips > 3 &&
                 llvm::all_of(trackers.nests.front(), [](auto &each) { return each.repeats(); });
  SmallVector<WayUse> uses(trackers.accesses.size());
  for (LeafWalk walk(leaf); !walk.isDone(); walk.next()) {
    if (repeats && walk.getIteration() == 3 * length)
      break;
    llvm::fill(uses, WayUse());
    for (unsigned nest = 0; nest < trackers.nests.size(); ++nest)
      if (walk.isActive(nest))
        for (BurstTracker &tracker : trackers.nests[nest])
          tracker.visit(walk.getIteration(), walk.getIndices(nest), uses[tracker.getWay()]);
    int64_t cycles = 0;
    for (const WayUse &use : uses)
      cycles = std::max(cycles, use.gaps - (use.interval - use.beats));
    if (cycles > 0 && walk.getIteration() > 0)
      traffic.gaps.push_back({walk.getIteration(), cycles});
    // Where words alone leave no gap.
    int64_t plain = walk.countAlike();
    for (const WayUse &use : uses)
      plain = use.beats <= use.interval ? plain : 0;
    for (unsigned nest = 0; nest < trackers.nests.size(); ++nest)
      if (walk.isActive(nest))
        for (const BurstTracker &tracker : trackers.nests[nest])
          plain = tracker.countPlain(plain);
    for (unsigned nest = 0; nest < trackers.nests.size(); ++nest)
      if (walk.isActive(nest))
        for (BurstTracker &tracker : trackers.nests[nest])
          tracker.pass(plain);
    walk.skip(plain);
  }
  traffic.bursts = collectBursts(trackers, numberOfWay);
  if (repeats) {
    traffic.gaps = repeatMiddle<BurstGap>(traffic.gaps, length, trips);
    traffic.bursts = repeatMiddle<Burst>(traffic.bursts, length, trips);
  }
  return traffic;
}

} // namespace streamtensor::sim
