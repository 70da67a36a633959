//===- ReuseDistance.cpp - Iterations between equal addresses -------------===//
//
// Maps that are sums of loop indices: the difference of two addresses depends
// only on the difference of the index vectors. A step of k iterations in mixed
// radix changes each index by its digit plus a carry, less the trip count where it
// carries over; the few carry vectors are tried. `d mod m` and `d floordiv m` of a
// loop whose trip count m divides are the two indices of that loop split in two.
// Other maps, and guarded accesses, are enumerated if the nest is small.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Sim/LeafPattern.h"
#include "streamtensor/Schedule/LeafSchedule.h"
#include "streamtensor/Schedule/Memories.h"

#include <map>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::sizing {
namespace {

/// A linear form over the (split) loops of the flat pipeline.
struct LinearForm {
  SmallVector<int64_t> coefficients;
  int64_t constant = 0;
  /// Terms over serial loops, which do not change within one trip.
  AffineExpr serial;
};

/// The loops of the flat pipeline, outermost first, those used modulo a constant split.
class FlatLoops {
public:
  FlatLoops(LeafOp leaf, ArrayRef<AffineMap> maps) : serialLevel(leaf.getSerialLevel()) {
    ArrayRef<int64_t> all = leaf.getTrips();
    SmallVector<int64_t> moduli(all.size(), 0);
    for (AffineMap map : maps)
      map.walkExprs([&](AffineExpr expr) { noteModulus(expr, moduli); });
    for (unsigned loop = 0; loop < all.size(); ++loop) {
      place.push_back(trips.size());
      modulus.push_back(0);
      if (loop < serialLevel)
        continue;
      int64_t m = moduli[loop];
      if (m > 1 && m < all[loop] && all[loop] % m == 0) {
        modulus.back() = m;
        trips.push_back(all[loop] / m);
        trips.push_back(m);
      } else {
        trips.push_back(all[loop]);
      }
    }
  }

  /// Fails on what is not linear over the split loops.
  LogicalResult linearise(AffineExpr expr, int64_t factor, LinearForm &form) const {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      form.constant += factor * constant.getValue();
      return success();
    }
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      unsigned loop = dim.getPosition();
      if (loop < serialLevel) {
        form.serial = form.serial ? form.serial + dim * factor : dim * factor;
        return success();
      }
      form.coefficients[place[loop] + (modulus[loop] != 0)] += factor;
      if (modulus[loop])
        form.coefficients[place[loop]] += factor * modulus[loop];
      return success();
    }
    auto binary = cast<AffineBinaryOpExpr>(expr);
    if (expr.getKind() == AffineExprKind::Add)
      return success(succeeded(linearise(binary.getLHS(), factor, form)) &&
                     succeeded(linearise(binary.getRHS(), factor, form)));
    auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!constant)
      return failure();
    if (expr.getKind() == AffineExprKind::Mul)
      return linearise(binary.getLHS(), factor * constant.getValue(), form);
    auto dim = dyn_cast<AffineDimExpr>(binary.getLHS());
    if (!dim || dim.getPosition() < serialLevel ||
        modulus[dim.getPosition()] != constant.getValue())
      return failure();
    bool remainder = expr.getKind() == AffineExprKind::Mod;
    if (!remainder && expr.getKind() != AffineExprKind::FloorDiv)
      return failure();
    form.coefficients[place[dim.getPosition()] + remainder] += factor;
    return success();
  }

  ArrayRef<int64_t> getTrips() const { return trips; }

private:
  static void noteModulus(AffineExpr expr, SmallVector<int64_t> &moduli) {
    if (expr.getKind() != AffineExprKind::Mod && expr.getKind() != AffineExprKind::FloorDiv)
      return;
    auto binary = cast<AffineBinaryOpExpr>(expr);
    auto dim = dyn_cast<AffineDimExpr>(binary.getLHS());
    auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (dim && constant)
      moduli[dim.getPosition()] = constant.getValue();
  }

  unsigned serialLevel;
  SmallVector<int64_t> trips, modulus;
  SmallVector<unsigned> place;
};

/// An access of one of the two operations.
struct Access {
  AffineMap map;
  Shape box;
  std::optional<IntegerSet> guard;
};

/// Searches the index differences of `step` iterations for one whose addresses overlap.
class StepSearch {
public:
  StepSearch(ArrayRef<int64_t> trips, ArrayRef<LinearForm> store, ArrayRef<LinearForm> load,
             const Shape &storeBox, const Shape &loadBox)
      : trips(trips), store(store), load(load), storeBox(storeBox), loadBox(loadBox),
        difference(trips.size()) {}

  bool overlapsAfter(int64_t step) {
    digits.assign(trips.size(), 0);
    for (unsigned loop = trips.size(); loop-- > 0;) {
      digits[loop] = step % trips[loop];
      step /= trips[loop];
    }
    return step == 0 && search(trips.size(), /*carry=*/false);
  }

private:
  bool search(unsigned loop, bool carry) {
    if (loop == 0)
      return !carry && overlaps();
    --loop;
    int64_t change = digits[loop] + carry;
    // Without a carry out some index x has x + change < trips, with one x + change >= trips.
    if (change < trips[loop]) {
      difference[loop] = change;
      if (search(loop, false))
        return true;
    }
    if (change > 0) {
      difference[loop] = change - trips[loop];
      if (search(loop, true))
        return true;
    }
    return false;
  }

  bool overlaps() const {
    for (size_t dim = 0; dim < store.size(); ++dim) {
      int64_t distance = load[dim].constant - store[dim].constant;
      for (size_t loop = 0; loop < trips.size(); ++loop)
        distance += load[dim].coefficients[loop] * difference[loop];
      if (distance >= storeBox[dim] || distance <= -loadBox[dim])
        return false;
    }
    return true;
  }

  ArrayRef<int64_t> trips;
  ArrayRef<LinearForm> store, load;
  const Shape &storeBox, &loadBox;
  SmallVector<int64_t> digits, difference;
};

} // namespace

template <typename Op> static Access describe(Op op, Type value) {
  Access access{op.getMap(), Shape(op.getMap().getNumResults(), 1), op.getGuard()};
  if (auto vector = dyn_cast<VectorType>(value))
    access.box.assign(vector.getShape().begin(), vector.getShape().end());
  return access;
}

/// Distance for linear maps, guards left out; nothing if the maps are not linear
/// or differ in more than constants.
static std::optional<int64_t> solveLinear(LeafOp leaf, const Access &store, const Access &load,
                                          int64_t limit) {
  FlatLoops loops(leaf, {store.map, load.map});
  SmallVector<LinearForm> forms[2];
  for (bool isLoad : {false, true})
    for (AffineExpr result : (isLoad ? load : store).map.getResults()) {
      LinearForm &form = forms[isLoad].emplace_back();
      form.coefficients.assign(loops.getTrips().size(), 0);
      if (failed(loops.linearise(result, 1, form)))
        return std::nullopt;
    }
  for (auto [a, b] : llvm::zip_equal(forms[0], forms[1]))
    if (a.coefficients != b.coefficients || a.serial != b.serial)
      return std::nullopt;
  StepSearch search(loops.getTrips(), forms[0], forms[1], store.box, load.box);
  for (int64_t step = 1; step < limit; ++step)
    if (search.overlapsAfter(step))
      return step;
  return limit;
}

/// Calls `visit` with every offset of the box.
static void forEachElement(ArrayRef<int64_t> start, const Shape &box,
                           function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> at(start);
  while (true) {
    visit(at);
    unsigned dim = box.size();
    while (dim-- > 0) {
      if (++at[dim] < start[dim] + box[dim])
        break;
      at[dim] = start[dim];
    }
    if (dim > box.size()) // wrapped: every dimension was at its end
      return;
  }
}

static SmallVector<int64_t> addressOf(AffineMap map, ArrayRef<int64_t> indices) {
  SmallVector<int64_t> address;
  for (AffineExpr result : map.getResults())
    address.push_back(sim::evaluate(result, indices));
  return address;
}

/// Distance by visiting every iteration; nothing if there are too many.
static std::optional<int64_t> enumerate(LeafOp leaf, const Access &store, const Access &load,
                                        int64_t limit) {
  constexpr int64_t maxVisits = 1 << 18;
  ArrayRef<int64_t> trips = leaf.getTrips();
  if (leaf.getNumIterations() * (llvm::product_of(store.box) + llvm::product_of(load.box)) >
      maxVisits)
    return std::nullopt;
  int64_t perTrip = llvm::product_of(trips.drop_front(leaf.getSerialLevel()));
  std::map<SmallVector<int64_t>, int64_t> written;
  SmallVector<int64_t> indices(trips.size(), 0);
  int64_t nearest = limit;
  for (int64_t iteration = 0, end = leaf.getNumIterations(); iteration < end; ++iteration) {
    if (iteration % perTrip == 0)
      written.clear();
    if (!load.guard || sim::holds(*load.guard, indices))
      forEachElement(addressOf(load.map, indices), load.box, [&](ArrayRef<int64_t> at) {
        auto it = written.find(SmallVector<int64_t>(at));
        if (it != written.end())
          nearest = std::min(nearest, iteration - it->second);
      });
    if (!store.guard || sim::holds(*store.guard, indices))
      forEachElement(addressOf(store.map, indices), store.box,
                     [&](ArrayRef<int64_t> at) { written[SmallVector<int64_t>(at)] = iteration; });
    for (unsigned loop = trips.size(); loop-- > 0;) {
      if (++indices[loop] < trips[loop])
        break;
      indices[loop] = 0;
    }
  }
  return nearest;
}

int64_t getReuseDistance(LeafOp leaf, StoreOp store, LoadOp load, int64_t limit) {
  if (limit <= 1)
    return 1;
  Access writes = describe(store, store.getValue().getType());
  Access reads = describe(load, load.getResult().getType());
  std::optional<int64_t> linear = solveLinear(leaf, writes, reads, limit);
  if (linear && (*linear >= limit || (!writes.guard && !reads.guard)))
    return *linear;
  if (std::optional<int64_t> exact = enumerate(leaf, writes, reads, limit))
    return *exact;
  return linear.value_or(1);
}

} // namespace streamtensor::sizing
