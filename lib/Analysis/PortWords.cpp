//===- PortWords.cpp - Words of external memory ---------------------------===//

#include "streamtensor/Analysis/PortWords.h"

#include "streamtensor/Analysis/IndexCounters.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/Stripes.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

/// Elements above this width have no C++ type that words could be made of.
static constexpr int64_t widestElement = 64;

bool streamtensor::isContiguousBox(ArrayRef<int64_t> shape, ArrayRef<int64_t> memoryShape) {
  bool started = false;
  for (auto [extent, whole] : llvm::zip_equal(shape, memoryShape)) {
    if (started && extent != whole)
      return false;
    started |= extent > 1;
  }
  return true;
}

namespace {
/// `count` words of `lanes` elements each, at consecutive places; the first `used` elements of a
/// word are data, the others padding.
struct PortWords {
  int64_t lanes = 1, used = 1, count = 1;
};

/// An access to a port.
struct Access {
  explicit Access(AccessOpInterface access)
      : port(access.getChannel().getDefiningOp<PortOp>().getStripeType()),
        map(getStripePlace(access)), box(getStripeBox(access)) {
    auto load = dyn_cast<LoadOp>(access.getOperation());
    hasRow = load && load.getRow();
  }

  Access(PortType port, AffineMap map, ArrayRef<int64_t> box)
      : port(port), map(map), box(box), hasRow(false) {}

  /// Of one stripe.
  PortType port;
  AffineMap map;
  SmallVector<int64_t> box;
  bool hasRow;
};
} // namespace

/// The largest number that divides the first element's row-major place in every iteration; 0 if
/// that is always 0.
static int64_t getAlignment(const Access &access) {
  AffineExpr place = getAffineConstantExpr(0, access.map.getContext());
  for (auto [index, extent] : llvm::zip_equal(access.map.getResults(), access.port.getShape()))
    place = place * extent + index;
  place = simplifyAffineExpr(place, access.map.getNumDims(), access.map.getNumSymbols());
  auto constant = dyn_cast<AffineConstantExpr>(place);
  int64_t alignment = constant ? constant.getValue() : place.getLargestKnownDivisor();
  return access.hasRow ? std::gcd(alignment, llvm::product_of(access.port.getShape().drop_front()))
                       : alignment;
}

/// Vectors at the beginning of words that the port's last dimension counts.
static std::optional<PortWords> getPaddedWords(const Access &access, int64_t maximalLanes) {
  ArrayRef<int64_t> shape = access.port.getShape(), box = access.box;
  if (shape.empty() || box.back() == 1)
    return std::nullopt;
  int64_t used = box.back(), lanes = shape.back();
  bool isWord = used < lanes && lanes == int64_t(llvm::PowerOf2Ceil(used)) &&
                access.map.getResults().back() == getAffineConstantExpr(0, access.map.getContext());
  if (!isWord || lanes > maximalLanes || !isContiguousBox(box.drop_back(), shape.drop_back()))
    return std::nullopt;
  return PortWords{lanes, used, llvm::product_of(box.drop_back())};
}

/// The widest aligned words that make up a run of elements.
static PortWords getWholeWords(const Access &access, int64_t maximalLanes) {
  int64_t elements = llvm::product_of(access.box), lanes = 1;
  if (isContiguousBox(access.box, access.port.getShape())) {
    int64_t divisor =
        std::gcd(std::gcd(elements, getAlignment(access)), access.port.getNumElements());
    lanes = std::min(divisor & -divisor, maximalLanes);
  }
  return {lanes, lanes, elements / lanes};
}

int64_t streamtensor::countWordLanes(PortType port, AffineMap place, ArrayRef<int64_t> box,
                                     int64_t maximalLanes) {
  return getWholeWords(Access(port, place, box), maximalLanes).lanes;
}

/// `bits` are those of an element in memory.
static PortWords getOwnWords(AccessOpInterface op, int64_t portBits, int64_t bits) {
  Access access(op);
  int64_t maximalLanes = bits > widestElement ? 1 : std::max<int64_t>(portBits / bits, 1);
  if (std::optional<PortWords> padded = getPaddedWords(access, maximalLanes))
    return *padded;
  return getWholeWords(access, maximalLanes);
}

/// The other accesses to the port, and to those that share an interface with it.
static llvm::SmallSetVector<Operation *, 8> getSharers(AccessOpInterface access) {
  auto port = access.getChannel().getDefiningOp<PortOp>();
  llvm::SmallSetVector<Operation *, 8> sharers;
  auto add = [&](Operation *shared) {
    for (Operation *user : shared->getUsers())
      if (isa<AccessOpInterface>(user) && user != access.getOperation())
        sharers.insert(user);
  };
  add(port);
  for (Value interface : port.getInterfaces())
    for (Operation *user : interface.getUsers())
      add(user);
  return sharers;
}

/// Words of the access, as wide as those of all accesses that it shares an interface with. `bits`
/// are those of an element of its port in memory; elements of other ports take as few as they can.
static PortWords getWords(AccessOpInterface access, int64_t portBits, int64_t bits) {
  PortWords own = getOwnWords(access, portBits, bits);
  int64_t least = own.lanes * bits;
  bool allWhole = own.used == own.lanes, allAlike = true;
  for (Operation *op : getSharers(access)) {
    auto other = cast<AccessOpInterface>(op);
    Type element = cast<PortType>(other.getChannel().getType()).getElementType();
    int64_t otherBits = other.getChannel() == access.getChannel() ? bits : getPackedBits(element);
    PortWords words = getOwnWords(other, portBits, otherBits);
    allAlike &= words.lanes * otherBits == own.lanes * bits;
    allWhole &= words.used == words.lanes;
    least = std::min(least, words.lanes * otherBits);
  }
  if (allAlike)
    return own;
  // Padded words cannot be cut.
  int64_t lanes = allWhole ? std::max<int64_t>(1, least / bits) : 1;
  return {lanes, lanes, own.used * own.count / lanes};
}

/// Is the expression a sum of indices from `first` on, each times a constant, and of what is fixed
/// while they count?
static bool isSumOfIndices(AffineExpr expr, unsigned first) {
  auto counts = [&](AffineExpr part) {
    bool found = false;
    part.walk([&](AffineExpr inner) {
      auto dim = dyn_cast<AffineDimExpr>(inner);
      found |= dim && dim.getPosition() >= first;
    });
    return found;
  };
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || !counts(expr))
    return true;
  bool isSum = binary.getKind() == AffineExprKind::Add ||
               (binary.getKind() == AffineExprKind::Mul && !counts(binary.getRHS()));
  return isSum && isSumOfIndices(binary.getLHS(), first) && isSumOfIndices(binary.getRHS(), first);
}

/// The words before the access, in its stripe.
static AffineExpr getFirstWord(AccessOpInterface access, int64_t lanes) {
  Access words(access);
  AffineExpr place = getAffineConstantExpr(0, access->getContext());
  for (auto [index, extent] : llvm::zip_equal(words.map.getResults(), words.port.getShape()))
    place = place * extent + index;
  return simplifyAffineExpr(place.floorDiv(lanes), words.map.getNumDims(),
                            words.map.getNumSymbols());
}

int64_t streamtensor::countRequestWords(AccessOpInterface access, int64_t count, int64_t lanes) {
  NestOpInterface nest = getNest(access);
  if (access.getGuardSet() || getMovedStripe(access))
    return 1;
  auto load = dyn_cast<LoadOp>(access.getOperation());
  bool isInferred = !isOneLoop(nest) && !(load && load.getRow()) &&
                    isSumOfIndices(getFirstWord(access, lanes), nest.getLeaf().getSerialLevel());
  return isInferred ? 0 : count;
}

int64_t streamtensor::planStorageBits(PortOp port, int64_t portBits) {
  Type element = port.getType().getElementType();
  int64_t bits = getPackedBits(element);
  bool fillBytes = llvm::all_of(port->getUsers(), [&](Operation *user) {
    auto access = dyn_cast<AccessOpInterface>(user);
    return access && getWords(access, portBits, bits).lanes * bits % 8 == 0;
  });
  return fillBytes ? bits : getStorageBits(element);
}

WordsAttr streamtensor::planWords(AccessOpInterface access, int64_t portBits, int64_t burstBytes,
                                  int64_t burstWords) {
  int64_t bits = planStorageBits(access.getChannel().getDefiningOp<PortOp>(), portBits);
  PortWords words = getWords(access, portBits, bits);
  int64_t wordBytes = llvm::divideCeil(words.lanes * bits, 8);
  int64_t burst = std::clamp<int64_t>(burstBytes / wordBytes, 1, burstWords);
  int64_t request = std::min(burst, countRequestWords(access, words.count, words.lanes));
  if (request > 0) // Vitis takes limits of 2 words and more.
    burst = std::min<int64_t>(burst, llvm::PowerOf2Ceil(std::max<int64_t>(2, request)));
  return WordsAttr::get(access->getContext(), words.count, words.lanes, words.used, burst,
                        /*outstanding=*/1, request);
}
