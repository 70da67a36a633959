//===- StripeCaches.cpp - Several masters for what is read and written ----===//
//
//   %keys = dataflow.port inout "keys" : !dataflow.port<16x512x64xi8>
//   dataflow.leaf "keys_load" load [16, 32] { load %keys [d0, d1 * 16, 0] -> vector<1x16x64xi8> … }
//   dataflow.leaf "rows_store" store [16] { store %row, %keys [d0, s0, 0] : vector<1x1x64xi8> … }
//
// has a word for each row, and moves one in a cycle. Over two masters
//
//   %keys = dataflow.port inout "keys" via %gmem_keys_s0, %gmem_keys_s1 : <16x256x128xi8>
//   … load %keys [d0, d1 * 8, 0] -> vector<1x8x128xi8>
//   … store %row, %keys [d0, s0 floordiv 2, (s0 mod 2) * 64] : vector<1x1x64xi8>
//
// it has rows of two words, one in each stripe: the reader moves both at once, the writer one of
// them. Elements lie as before, so that the host knows the tensor by its old shape.
//
//===----------------------------------------------------------------------===//

#include "PortPlanning.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "streamtensor/Analysis/PortWords.h"
#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/ITensor/IR/Packing.h"
#include "streamtensor/Schedule/Ports.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
namespace {
/// A tensor that one access reads in several words, and one writes word by word.
struct Cache {
  PortOp port;
  LoadOp load;
  SmallVector<StoreOp> stores;
  int64_t word = 0;    ///< Elements of a word.
  int64_t words = 0;   ///< That an iteration reads.
  double cycles = 0;   ///< For all that is read, over one channel.
  int64_t slowest = 0; ///< Iterations of the slowest leaf beside the reader.
  int64_t stripes = 1;

  double getCycles() const { return cycles / stripes; }
  bool isSlow() const { return getCycles() > slowest; }
};

/// How rows of `size` elements are made of those that the tensor has: each of several, or a part.
struct Rows {
  int64_t size, before;

  bool join() const { return size >= before; }
  int64_t getFactor() const { return join() ? size / before : before / size; }
};
} // namespace

static Rows getRows(const Cache &cache, int64_t stripes) {
  return {stripes * cache.word, PortOp(cache.port).getType().getShape().back()};
}

/// Does the access begin with a row, and move whole ones?
static bool movesWholeRows(AccessOpInterface access, const Rows &rows) {
  SmallVector<int64_t> box = access.getBox();
  ArrayRef<AffineExpr> place = access.getPlace().getResults();
  if (box.back() != rows.before)
    return false;
  return !rows.join() || rows.getFactor() == 1 ||
         (box.size() > 1 && box[box.size() - 2] % rows.getFactor() == 0 &&
          place[box.size() - 2].isMultipleOf(rows.getFactor()));
}

static bool canHave(const Cache &cache, int64_t stripes) {
  Rows rows = getRows(cache, stripes);
  ArrayRef<int64_t> shape = PortOp(cache.port).getType().getShape();
  if (cache.words % stripes != 0 || std::max(rows.size, rows.before) % rows.getFactor() != 0 ||
      rows.getFactor() * std::min(rows.size, rows.before) != std::max(rows.size, rows.before))
    return false;
  if (rows.join() && rows.getFactor() > 1 &&
      (shape.size() < 2 || shape[shape.size() - 2] % rows.getFactor() != 0))
    return false;
  return movesWholeRows(cast<AccessOpInterface>(LoadOp(cache.load).getOperation()), rows);
}

/// The next number of stripes, of at most `most`; 0 if there is none.
static int64_t getNextStripes(const Cache &cache, int64_t most) {
  for (int64_t stripes = cache.stripes + 1; stripes <= std::min(most, cache.words); ++stripes)
    if (canHave(cache, stripes))
      return stripes;
  return 0;
}

/// Another design that reaches the tensor too would have to know it in the same stripes.
static bool belongsToOneDesign(PortOp port) {
  auto design = port->getParentOfType<DesignOp>();
  for (auto other : design->getParentOfType<ModuleOp>().getOps<DesignOp>())
    if (other != design)
      for (auto alike : other.getOps<PortOp>())
        if (alike.getType().getElementType() == port.getType().getElementType() &&
            alike.getType().getNumElements() == port.getType().getNumElements())
          return false;
  return true;
}

static std::optional<Cache> readCache(PortOp port, const DeviceModel &device) {
  const MemoryPortModel &model = device.port();
  if (port.getDirection() != Direction::InOut || !port.getInterfaces().empty() ||
      !belongsToOneDesign(port))
    return std::nullopt;
  Cache cache;
  cache.port = port;
  for (Operation *user : port->getUsers()) {
    if (auto store = dyn_cast<StoreOp>(user))
      cache.stores.push_back(store);
    auto load = dyn_cast<LoadOp>(user);
    if (load && (cache.load || load.getGuard() || load.getRow()))
      return std::nullopt;
    if (load)
      cache.load = load;
  }
  if (!cache.load || cache.stores.empty())
    return std::nullopt;
  int64_t bits = getPackedBits(port.getType().getElementType());
  WordsAttr words = planWords(cache.load, model.bits, model.burstBytes, model.burstWords);
  cache.word = words.getLanes();
  cache.words = words.getCount();
  if (cache.words < 2 || words.getUsed() != cache.word)
    return std::nullopt;
  for (StoreOp store : cache.stores) {
    auto access = cast<AccessOpInterface>(store.getOperation());
    if (access.getBox().back() != cache.word || access.getNumElements() != cache.word ||
        !store.getMap().getResults().back().isMultipleOf(cache.word))
      return std::nullopt;
  }
  cache.cycles = std::max(1.0, getCyclesOfWord(device) * cache.word * bits / model.bits) *
                 getLeaf(cache.load).getNumIterations() * cache.words;
  return cache;
}

//===----------------------------------------------------------------------===//
// How
//===----------------------------------------------------------------------===//

/// Extents, or a box, in rows of `rows`.
static SmallVector<int64_t> reshape(ArrayRef<int64_t> extents, const Rows &rows) {
  SmallVector<int64_t> shape(extents);
  if (!rows.join()) {
    shape.back() = std::max<int64_t>(1, extents.back() / rows.size);
    shape.push_back(std::min(extents.back(), rows.size));
  } else if (rows.getFactor() > 1 && extents.back() == rows.before &&
             extents[extents.size() - 2] % rows.getFactor() == 0) {
    shape[shape.size() - 2] /= rows.getFactor();
    shape.back() = rows.size;
  }
  return shape;
}

static AffineMap reshape(AffineMap map, const Rows &rows) {
  SmallVector<AffineExpr> place(map.getResults());
  AffineExpr last = place.back();
  int64_t factor = rows.getFactor();
  if (!rows.join()) {
    place.back() = last.floorDiv(rows.size);
    place.push_back(last % rows.size);
  } else if (factor > 1) {
    AffineExpr &row = place[place.size() - 2];
    place.back() = (row % factor) * rows.before + last;
    row = row.floorDiv(factor);
  }
  for (AffineExpr &expr : place)
    expr = simplifyAffineExpr(expr, map.getNumDims(), map.getNumSymbols());
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), place, map.getContext());
}

static Value castTo(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> box) {
  auto type = VectorType::get(box, getElementTypeOrSelf(value.getType()));
  return value.getType() == type ? value : vector::ShapeCastOp::create(builder, loc, type, value);
}

/// Gives the load with the new rows.
static LoadOp setRows(Cache &cache, const Rows &rows) {
  PortOp port = cache.port;
  auto getBox = [](Operation *op) { return cast<AccessOpInterface>(op).getBox(); };
  SmallVector<int64_t> read = reshape(getBox(cache.load), rows);
  SmallVector<SmallVector<int64_t>> written;
  for (StoreOp store : cache.stores)
    written.push_back(reshape(getBox(store), rows));
  SmallVector<int64_t> shape = reshape(port.getType().getShape(), rows);
  setResultShape(port, shape);
  setShape(port, shape);
  Type element = port.getType().getElementType();
  OpBuilder builder(cache.load);
  Location loc = cache.load.getLoc();
  auto load =
      LoadOp::create(builder, loc, VectorType::get(read, element), port.getResult(), Value(),
                     reshape(cache.load.getMap(), rows), nullptr, nullptr, nullptr);
  cache.load.getResult().replaceAllUsesWith(
      castTo(builder, loc, load.getResult(), cast<VectorType>(cache.load.getType()).getShape()));
  cache.load.erase();
  for (auto [store, box] : llvm::zip_equal(cache.stores, written)) {
    builder.setInsertionPoint(store);
    StoreOp::create(builder, store.getLoc(), castTo(builder, store.getLoc(), store.getValue(), box),
                    port.getResult(), reshape(store.getMap(), rows), store.getGuardAttr(), nullptr);
    store.erase();
  }
  return load;
}

static void apply(Cache &cache, const DeviceModel &device) {
  if (cache.stripes == 1)
    return;
  PortOp port = cache.port;
  auto design = port->getParentOfType<DesignOp>();
  SmallVector<Value> interfaces =
      createMasters(design, port.getLoc(), "gmem_" + port.getName(), cache.stripes, device);
  LoadOp load = setRows(cache, getRows(cache, cache.stripes));
  port.getInterfacesMutable().assign(interfaces);
  gatherWords(load, device);
}

/// Iterations of the slowest leaf that loads nothing, in the launch in which `reader` is most at
/// work beside the others: scalars that it has are the largest, others the least.
static int64_t countSlowest(DesignOp design, LeafOp reader) {
  SmallVector<int64_t> scalars = getLargestScalars(design);
  for (auto [scalar, value] : llvm::zip_equal(design.getOps<ScalarOp>(), scalars))
    if (!llvm::is_contained(reader.getScalars(), scalar.getResult()))
      value = scalar.getLow();
  FailureOr<BoundDesign> bound = BoundDesign::bind(design, scalars, design);
  int64_t slowest = 0;
  if (succeeded(bound))
    for (auto leaf : bound->get().getOps<LeafOp>())
      if (leaf.getRole() != Role::Load)
        slowest = std::max(slowest, leaf.getNumIterations());
  return slowest;
}

/// Tensors that would keep everyone waiting for one master.
static std::vector<Cache> collectCaches(DesignOp design, const DeviceModel &device) {
  std::vector<Cache> caches;
  for (auto port : llvm::to_vector(design.getOps<PortOp>()))
    if (std::optional<Cache> cache = readCache(port, device))
      if (cache->slowest = countSlowest(design, getLeaf(cache->load)); cache->isSlow())
        caches.push_back(std::move(*cache));
  return caches;
}

SmallVector<PortOp> getSlowCaches(DesignOp design, const DeviceModel &device) {
  SmallVector<PortOp> ports;
  for (const Cache &cache : collectCaches(design, device))
    if (getNextStripes(cache, device.externalMemory().channels))
      ports.push_back(cache.port);
  return ports;
}

int64_t countCacheMasters(DesignOp design, const DeviceModel &device, int64_t mostStripes) {
  if (mostStripes < 2)
    return 0;
  int64_t most = std::min<int64_t>(device.externalMemory().channels, mostStripes), count = 0;
  for (const Cache &cache : collectCaches(design, device))
    if (int64_t stripes = getNextStripes(cache, most))
      count += stripes - 1;
  return count;
}

void stripeCaches(DesignOp design, const DeviceModel &device, int64_t mostStripes) {
  if (mostStripes < 2)
    return;
  std::vector<Cache> caches = collectCaches(design, device);
  int64_t left = device.externalMemory().masters - countMasters(design);
  auto getNext = [&](const Cache &cache) {
    int64_t most =
        std::min<int64_t>({device.externalMemory().channels, mostStripes, cache.stripes + left});
    return cache.isSlow() ? getNextStripes(cache, most) : 0;
  };
  while (true) {
    Cache *slowest = nullptr;
    for (Cache &cache : caches)
      if (getNext(cache) && (!slowest || cache.getCycles() > slowest->getCycles()))
        slowest = &cache;
    if (!slowest)
      break;
    int64_t next = getNext(*slowest);
    left -= next - slowest->stripes;
    slowest->stripes = next;
  }
  for (Cache &cache : caches)
    apply(cache, device);
}

} // namespace streamtensor::schedule
