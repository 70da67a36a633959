//===- PortAccess.cpp - Accesses to external memory -----------------------===//

#include "streamtensor/Sim/PortAccess.h"

#include "streamtensor/Dialect/Dataflow/IR/LeafWalk.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::sim {

/// The pieces of `count` copies of what begins at `pieces`, `step` bits apart.
static SmallVector<int64_t> repeat(ArrayRef<int64_t> pieces, int64_t count, int64_t step) {
  SmallVector<int64_t> all;
  for (int64_t copy = 0; copy < count; ++copy)
    for (int64_t piece : pieces)
      all.push_back(copy * step + piece);
  return all;
}

static PortAccess makeAccess(AccessOpInterface op) {
  auto port = cast<PortType>(op.getChannel().getType());
  ArrayRef<int64_t> shape = port.getShape();
  SmallVector<int64_t> box = op.getBox();
  int64_t bits = getStorageBits(op.getChannel().getDefiningOp<PortOp>());
  WordsAttr words = getWords(op);
  // Padding moves along with the data.
  if (words.getUsed() < words.getLanes())
    box.back() = words.getLanes();
  AffineMap map = op.getPlace();
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
          words.getBurst() * words.getLanes() * bits,
          op.getChannel().getDefiningOp<PortOp>().getInterface()->getGap()};
}

SmallVector<PortAccess> getPortAccesses(NestOpInterface nest) {
  SmallVector<PortAccess> accesses;
  for (AccessOpInterface access : getAccesses(nest))
    if (access.isExternal())
      accesses.push_back(makeAccess(access));
  return accesses;
}

namespace {

/// Follows the addresses of one access through the iterations.
class BurstTracker {
public:
  BurstTracker(const PortAccess &access, int64_t ii, unsigned loops)
      : access(access), guard(this->access.op.getGuardSet()), slack(ii - access.beats),
        strides(loops, 0) {
    linear = findStrides(access.address, 1);
  }

  /// Cycles by which this iteration issues later.
  int64_t visit(ArrayRef<int64_t> indices) {
    if (guard && !holds(guard, indices))
      return 0;
    int64_t start = linear ? offset : evaluate(access.address, indices);
    if (linear)
      for (auto [index, stride] : llvm::zip_equal(indices, strides))
        start += index * stride;
    int64_t bursts = 0;
    for (int64_t piece : access.pieces)
      bursts += countBursts(start + piece);
    return std::max<int64_t>(0, bursts * access.gap - slack);
  }

private:
  /// Bursts that begin in the piece at `begin`.
  int64_t countBursts(int64_t begin) {
    int64_t last = begin + access.bitsPerPiece - 1;
    bool jumps = begin != expected && expected >= 0;
    int64_t from = jumps || expected < 0 ? begin : begin - 1;
    expected = last + 1;
    return jumps + (last / access.burstBits - from / access.burstBits);
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
  int64_t slack;
  SmallVector<int64_t> strides;
  int64_t offset = 0, expected = -1;
  bool linear;
};

} // namespace

std::vector<BurstGap> computeBurstGaps(LeafOp leaf) {
  std::vector<BurstGap> gaps;
  std::vector<SmallVector<BurstTracker>> trackers;
  bool anyAccess = false;
  for (NestOpInterface nest : leaf.getNests()) {
    trackers.emplace_back();
    for (const PortAccess &access : getPortAccesses(nest))
      if (access.gap > 0) {
        anyAccess = true;
        trackers.back().emplace_back(access, getPipeline(access.op).getInterval(),
                                     nest.getNumNestLoops());
      }
  }
  if (!anyAccess)
    return gaps;
  for (LeafWalk walk(leaf); !walk.isDone(); walk.next()) {
    int64_t cycles = 0;
    for (unsigned nest = 0; nest < trackers.size(); ++nest)
      if (walk.isActive(nest))
        for (BurstTracker &tracker : trackers[nest])
          cycles = std::max(cycles, tracker.visit(walk.getIndices(nest)));
    if (cycles > 0 && walk.getIteration() > 0)
      gaps.push_back({walk.getIteration(), cycles});
  }
  return gaps;
}

} // namespace streamtensor::sim
