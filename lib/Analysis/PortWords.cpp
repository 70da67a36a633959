//===- PortWords.cpp - Words of external memory ---------------------------===//

#include "streamtensor/Analysis/PortWords.h"

#include "streamtensor/Dialect/Dataflow/IR/Device.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

/// Elements above this width have no C++ type that words could be made of.
static constexpr int64_t widestElement = 64;

int64_t streamtensor::getStorageBits(Type elementType) {
  int64_t bits = elementType.isIndex() ? 32 : elementType.getIntOrFloatBitWidth();
  return std::max<int64_t>(8, llvm::PowerOf2Ceil(bits));
}

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
/// An access to a port, load or store.
struct Access {
  explicit Access(Operation *op);

  PortType port;
  AffineMap map;
  SmallVector<int64_t> box;
  bool hasRow = false;
};
} // namespace

Access::Access(Operation *op) {
  Type value;
  if (auto load = dyn_cast<LoadOp>(op)) {
    port = cast<PortType>(load.getMemory().getType());
    map = load.getMap();
    value = load.getType();
    hasRow = bool(load.getRow());
  } else {
    auto store = cast<StoreOp>(op);
    port = cast<PortType>(store.getMemory().getType());
    map = store.getMap();
    value = store.getValue().getType();
  }
  box.assign(port.getShape().size(), 1);
  if (auto vector = dyn_cast<VectorType>(value))
    box.assign(vector.getShape().begin(), vector.getShape().end());
}

/// The largest number that divides the first element's row-major place in every iteration; 0 if
/// that is always 0.
static int64_t getAlignment(const Access &access) {
  AffineExpr place = getAffineConstantExpr(0, access.map.getContext());
  for (auto [index, extent] : llvm::zip_equal(access.map.getResults(), access.port.getShape()))
    place = place * extent + index;
  place = simplifyAffineExpr(place, access.map.getNumDims(), 0);
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

static PortWords getOwnWords(Operation *op) {
  Access access(op);
  int64_t bits = getStorageBits(access.port.getElementType());
  FailureOr<const DeviceModel *> device = getDevice(op);
  assert(succeeded(device) && "who asks for words has looked for the device");
  int64_t portBits = (*device)->port().bits;
  int64_t maximalLanes = bits > widestElement ? 1 : std::max<int64_t>(portBits / bits, 1);
  if (std::optional<PortWords> padded = getPaddedWords(access, maximalLanes))
    return *padded;
  return getWholeWords(access, maximalLanes);
}

PortWords streamtensor::getPortWords(Operation *access) {
  PortWords own = getOwnWords(access);
  int64_t lanes = own.lanes;
  bool allWhole = own.used == own.lanes, allAlike = true;
  for (Operation &other : *access->getBlock()) {
    if (&other == access || getMemory(&other) != getMemory(access))
      continue;
    PortWords words = getOwnWords(&other);
    allAlike &= words.lanes == own.lanes;
    allWhole &= words.used == words.lanes;
    lanes = std::min(lanes, words.lanes);
  }
  if (allAlike)
    return own;
  // Padded words cannot be cut.
  if (!allWhole)
    lanes = 1;
  return {lanes, lanes, own.used * own.count / lanes};
}
