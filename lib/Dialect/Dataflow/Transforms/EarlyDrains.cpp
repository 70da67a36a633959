//===- EarlyDrains.cpp - Results leave as they are done -------------------===//
//
// A product whose reduction stands outermost gives its sums tile by tile with the last terms, but
// in a block of all of them, which is drained when the last one is there:
//
//   dataflow.leaf "mm" compute [8, 14, 9, 12, 4] writes(%r at 0) {
//     … store %s, %r[d3 mod 3, 20 * d2 + 5 * d4, 16 * d1] when d0 = 7 and d3 >= 9
//   }
//   dataflow.leaf "mm_drain" drain [14, 9, 20] reads(%r at 0) { load %r[0, 20 * d1 + d2, 16 * d0] …
//   }
//
// becomes
//
//   dataflow.leaf "mm" compute [8, 14, 9, 12, 4] { … stream_write %s, %f when d0 = 7 and d3 >= 9 }
//   dataflow.leaf "r_collect" fill [14, 9, 3, 4] writes(%t at 2) { store …, %t[d2, 5 * d3, 0] }
//   dataflow.leaf "mm_drain" compute [14, 9, 20] reads(%t at 2) { load %t[0, d2, 0] … }
//
// The block is that of a tile, and the last two leaves become nests of one (NestBlocks.cpp).
//
//===----------------------------------------------------------------------===//

#include "SplitAccess.h"

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"
#include "streamtensor/Support/Affine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace streamtensor {
#define GEN_PASS_DEF_EARLYDRAINS
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

namespace {

/// An access to a block, in a nest of its own.
struct OwnAccess {
  ArrayRef<int64_t> trips;
  AffineMap place;
  SmallVector<int64_t> box; ///< Of the elements that it moves at a time.
};

/// What both sides reach in an iteration of the outer loops that they share.
struct Part {
  unsigned numShared;
  SmallVector<int64_t> shape;
  AffineMap given, taken; ///< Places within it.
};

} // namespace

/// `expr` where the first loops have not gone on.
static AffineExpr enterPart(AffineExpr expr, unsigned numShared) {
  SmallVector<AffineExpr> zeros(numShared, getAffineConstantExpr(0, expr.getContext()));
  return expr.replaceDims(zeros);
}

/// If `expr`, of so many loops, is a multiple of a shared one, that loop and the step.
static std::optional<std::pair<unsigned, int64_t>> findStep(AffineExpr expr, unsigned numLoops,
                                                            unsigned numShared) {
  for (unsigned loop = 0; loop < numShared; ++loop) {
    SmallVector<int64_t> once(numLoops, 0);
    once[loop] = 1;
    int64_t step = evaluate(expr, once);
    if (expr == getAffineDimExpr(loop, expr.getContext()) * step)
      return std::pair(loop, step);
  }
  return std::nullopt;
}

/// The part that belongs to each iteration of the first `numShared` loops, of a block that is held
/// over `level` of them: on both sides the same, and none for two iterations.
static std::optional<Part> findPart(const OwnAccess &gives, const OwnAccess &takes,
                                    ArrayRef<int64_t> block, unsigned level, unsigned numShared) {
  if (gives.trips.take_front(numShared) != takes.trips.take_front(numShared))
    return std::nullopt;
  Part part{numShared, {}, {}, {}};
  SmallVector<AffineExpr> given, taken;
  llvm::SmallBitVector apart(numShared);
  apart.set(0, level);
  for (auto [dim, extent] : llvm::enumerate(block)) {
    AffineExpr give = gives.place.getResult(dim), take = takes.place.getResult(dim);
    given.push_back(enterPart(give, numShared));
    taken.push_back(enterPart(take, numShared));
    AffineExpr start = simplifyAffineExpr(give - given.back(), gives.trips.size(), 0);
    if (start != simplifyAffineExpr(take - taken.back(), takes.trips.size(), 0))
      return std::nullopt;
    if (start == getAffineConstantExpr(0, start.getContext())) {
      part.shape.push_back(extent);
      continue;
    }
    auto found = findStep(start, gives.trips.size(), numShared);
    if (!found || found->first < level)
      return std::nullopt;
    IndexRange own = getRange(given.back(), getWholeBox(gives.trips));
    IndexRange others = getRange(taken.back(), getWholeBox(takes.trips));
    int64_t reached = std::max(own.high + gives.box[dim], others.high + takes.box[dim]);
    if (std::min(own.low, others.low) < 0 || reached > found->second)
      return std::nullopt;
    apart.set(found->first);
    part.shape.push_back(reached);
  }
  if (!apart.all())
    return std::nullopt;
  part.given = AffineMap::get(gives.trips.size(), 0, given, gives.place.getContext());
  part.taken = AffineMap::get(takes.trips.size(), 0, taken, takes.place.getContext());
  return part;
}

/// The drain of a block that nobody else reads.
static LeafOp getDrain(LeafOp core, Value buffer) {
  LeafOp found = getPeer(core, buffer);
  bool isDrain = found && found.getRole() == Role::Drain && !found.hasNests() &&
                 !found.isScheduled() && found.getNumOperands() == 1;
  return isDrain ? found : LeafOp();
}

/// Where the sums of `leaf` in a block come in the last trips of a loop alone, and parts of the
/// block are complete one after the other in them. Of several blocks one is drained while the next
/// is computed: that is early enough, and the last part of each would wait for the next block.
static void drainEarly(LeafOp leaf, const Acquire &acquire, int64_t tokenBits) {
  auto buffer = acquire.buffer.getDefiningOp<BufferOp>();
  LeafOp drain = getDrain(leaf, acquire.buffer);
  bool isOnlyOne = llvm::product_of(leaf.getTrips().take_front(acquire.level)) == 1;
  if (!drain || !isOnlyOne || buffer.getStorage())
    return;
  std::optional<BlockAccess> gives = findOnlyAccess(leaf, acquire);
  std::optional<BlockAccess> takes = findOnlyAccess(drain, getAcquires(drain).front());
  if (!gives || !takes || takes->access.getGuardSet())
    return;
  OwnLoops own = getOwnLoops(*gives);
  OwnAccess given = {own.trips, own.place, gives->access.getBox()};
  OwnAccess taken = {drain.getTrips(), takes->access.getPlace(), takes->access.getBox()};
  std::optional<Part> part;
  // Both have loops within a part.
  int64_t most = std::min(given.trips.size(), taken.trips.size());
  for (int64_t shared = most - 1; !part && shared > acquire.level; --shared)
    part = findPart(given, taken, buffer.getType().getShape(), acquire.level, shared);
  if (!part)
    return;
  ArrayRef<int64_t> trips = leaf.getTrips();
  bool comesLate =
      llvm::any_of(llvm::seq<unsigned>(acquire.level, own.loops[part->numShared - 1]),
                   [&](unsigned loop) { return gives->box.loops[loop].getSize() < trips[loop]; });
  if (!comesLate)
    return;

  LeafOp collect = splitAccess(leaf, *gives, tokenBits);
  OpBuilder builder(buffer);
  auto type = BufferType::get(builder.getContext(), part->shape, buffer.getType().getElementType());
  constexpr int64_t halves = 2;
  auto tile =
      BufferOp::create(builder, buffer.getLoc(), type, buffer.getName(), halves, StorageAttr());
  int64_t level = part->numShared;
  for (auto store : collect.getBlock().getOps<StoreOp>())
    store.setMap(part->given);
  takes->access.setPlace(part->taken);
  buffer.getResult().replaceAllUsesWith(tile);
  buffer.erase();
  collect.setWriteLevels({level});
  collect.setRole(Role::Fill);
  drain.setReadLevels({level});
  drain.setRole(Role::Compute);
}

namespace {
struct EarlyDrainsPass : streamtensor::impl::EarlyDrainsBase<EarlyDrainsPass> {
  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    for (auto design : getOperation().getOps<DesignOp>())
      for (LeafOp leaf : llvm::to_vector(design.getOps<LeafOp>()))
        if (leaf.getRole() == Role::Compute && !leaf.hasNests() && !leaf.isScheduled() &&
            !leaf.getCounts())
          for (const Acquire &acquire : getAcquires(leaf))
            if (acquire.isWrite)
              drainEarly(leaf, acquire, (*device)->fifo().tokenBits);
  }
};
} // namespace
