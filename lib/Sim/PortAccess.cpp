//===- PortAccess.cpp - Accesses to external memory -----------------------===//

#include "streamtensor/Sim/PortAccess.h"

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
  int64_t bits = getStorageBits(port.getElementType());
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

SmallVector<PortAccess> getPortAccesses(LeafOp leaf) {
  SmallVector<PortAccess> accesses;
  for (AccessOpInterface access : getAccesses(leaf))
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
  ArrayRef<int64_t> trips = leaf.getTrips();
  SmallVector<BurstTracker> trackers;
  for (const PortAccess &access : getPortAccesses(leaf))
    if (access.gap > 0)
      trackers.emplace_back(access, leaf.getIi(), trips.size());
  if (trackers.empty())
    return gaps;
  SmallVector<int64_t> indices(trips.size(), 0);
  for (int64_t iteration = 0, end = leaf.getNumIterations(); iteration < end; ++iteration) {
    int64_t cycles = 0;
    for (BurstTracker &tracker : trackers)
      cycles = std::max(cycles, tracker.visit(indices));
    if (cycles > 0 && iteration > 0)
      gaps.push_back({iteration, cycles});
    for (unsigned loop = trips.size(); loop-- > 0;) {
      if (++indices[loop] < trips[loop])
        break;
      indices[loop] = 0;
    }
  }
  return gaps;
}

} // namespace streamtensor::sim
