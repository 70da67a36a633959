//===- NestBlocks.cpp - Fill, core and drain of a task in one leaf --------===//
//
//   dataflow.leaf "fill" fill [36, 16] writes(%b at 1) { … }
//   dataflow.leaf "mm" compute [36, 16, 16] reads(%b at 1) writes(%r at 1) { … }
//   dataflow.leaf "drain" drain [36, 16] reads(%r at 1) { … }
//
// becomes
//
//   dataflow.leaf "mm" compute [36] attributes {together} {
//   ^bb0(%i: index, %b: !dataflow.private<2x…>, %r: !dataflow.private<2x…>):
//     dataflow.nest "fill" [16] { … }
//     dataflow.nest "core" [16, 16] lag 1 { … }
//     dataflow.nest "drain" [16] lag 2 { … }
//   }
//
// Blocks that only such a task takes and gives become its own memories, of two halves: their index
// is the block's number mod 2.
//
//===----------------------------------------------------------------------===//

#include "SplitAccess.h"

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace streamtensor {
#define GEN_PASS_DEF_NESTBLOCKS
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// What can be merged
//===----------------------------------------------------------------------===//

namespace {

/// A core with the leaves that fill its blocks and drain its results, in program order.
struct Group {
  LeafOp core;
  SmallVector<LeafOp> fills, drains;
  SmallVector<Value> merged; ///< Buffers that become memories.
  SmallVector<Acquire> kept;
  bool isTogether = false;

  unsigned getNumShared() { return core.getSerialLevel(); }
  /// The shared loops [begin, end) number the blocks between two drains.
  unsigned getNumSerial() const {
    int64_t serial = 0;
    for (const Acquire &acquire : kept)
      serial = std::max(serial, acquire.level);
    return serial;
  }
  /// Blocks between two drains of the pipeline.
  int64_t getNumBlocks() {
    if (!isTogether)
      return 1;
    return llvm::product_of(core.getTrips().take_front(getNumShared()).drop_front(getNumSerial()));
  }
};

} // namespace

/// Does a fill only fill, a drain only drain? What else it gave or took could come from, or go to,
/// another nest of the leaf by a way around.
static bool hasNoOtherTokens(LeafOp peer, bool fills) {
  return llvm::none_of(getAccesses(peer), [&](AccessOpInterface access) {
    return access.isToken() && access.isWrite() == fills;
  });
}

/// Are kinds and partitions still open? What somebody stated by hand holds for what he stated.
static bool isOpen(LeafOp leaf, Value buffer) {
  auto op = buffer.getDefiningOp<BufferOp>();
  return !leaf.getStorages() && !op.getStorage() && op.getBlocks() <= 2;
}

/// Has `peer` no other block, and does it take this one in the loops in which `core` does?
static bool sharesLoops(LeafOp core, LeafOp peer) {
  unsigned shared = core.getSerialLevel();
  return peer && !peer.hasNests() && !peer.isScheduled() && peer.getNumOperands() == 1 &&
         peer.getStyle() == core.getStyle() && peer.getSerialLevel() == shared &&
         peer.getTrips().take_front(shared) == core.getTrips().take_front(shared);
}

/// Iterations of one of the leaf's blocks.
static int64_t countOwnIterations(LeafOp leaf) {
  return llvm::product_of(leaf.getTrips().drop_front(leaf.getSerialLevel()));
}

/// Does the leaf take what it reads from loads of external memory, which run ahead?
static bool readsMemory(LeafOp leaf) {
  for (AccessOpInterface read : getAccesses(leaf)) {
    if (!read.isToken() || read.isWrite())
      continue;
    for (AccessOpInterface access : getAccesses(read.getChannel().getDefiningOp<StreamOp>()))
      if (access.isWrite() && getLeaf(access).getRole() != Role::Load)
        return false;
  }
  return true;
}

/// One after the other, fills and drains cost their iterations at each block, and `serialTrip`
/// cycles to fill and empty a pipeline of their own. With lag they cost nothing, but a result
/// leaves only when the next block comes in, and blocks come as fast as the `slowest` leaf of the
/// design, by its iterations, lets them. Memory never lets wait.
static bool paysToRunTogether(Group &group, int64_t slowest, int64_t serialTrip) {
  if (group.drains.empty() && llvm::all_of(group.fills, readsMemory))
    return true;
  int64_t hidden = 0;
  for (LeafOp leaf : llvm::concat<LeafOp>(group.fills, group.drains))
    hidden += countOwnIterations(leaf) + serialTrip;
  int64_t blocks = llvm::product_of(group.core.getTrips().take_front(group.getNumShared()));
  return blocks * hidden > slowest / blocks;
}

/// Is there a cycle in the design?
static bool hasCycle(LeafOp leaf) {
  return llvm::any_of(leaf->getParentOfType<DesignOp>().getOps<StreamOp>(),
                      [](StreamOp stream) { return stream.getBack(); });
}

static std::optional<Group> findGroup(LeafOp core, int64_t slowest, int64_t serialTrip) {
  // Nests with lag have constant counts, and none crosses a loop that a FIFO closes.
  if (core.getRole() != Role::Compute || core.hasNests() || core.isScheduled() ||
      core.getCounts() || hasCycle(core))
    return std::nullopt;
  Group group{core, {}, {}, {}, {}, false};
  for (const Acquire &acquire : getAcquires(core)) {
    LeafOp peer = getPeer(core, acquire.buffer);
    bool isOwn = peer && peer.getRole() == (acquire.isWrite ? Role::Drain : Role::Fill);
    if (!isOwn || acquire.level != core.getSerialLevel() || !sharesLoops(core, peer) ||
        !hasNoOtherTokens(peer, !acquire.isWrite) || !isOpen(peer, acquire.buffer) ||
        core.getStorages()) {
      group.kept.push_back(acquire);
      continue;
    }
    (acquire.isWrite ? group.drains : group.fills).push_back(peer);
    group.merged.push_back(acquire.buffer);
  }
  if (group.merged.empty())
    return std::nullopt;
  // A block that stays at the innermost level drains the pipeline at each block anyway.
  group.isTogether =
      group.getNumSerial() < group.getNumShared() && paysToRunTogether(group, slowest, serialTrip);
  return group;
}

//===----------------------------------------------------------------------===//
// The new leaf
//===----------------------------------------------------------------------===//

namespace {

class Merger {
public:
  explicit Merger(Group group) : group(std::move(group)), builder(this->group.core) {}

  void run();

private:
  SmallVector<LeafOp> getLeaves() const {
    SmallVector<LeafOp> leaves = group.fills;
    leaves.push_back(group.core);
    llvm::append_range(leaves, group.drains);
    return leaves;
  }
  LeafOp createLeaf(ArrayRef<LeafOp> leaves);
  void addNest(LeafOp from, StringRef name, int64_t lag);
  void cloneAccess(Operation *access, IRMapping &mapping);
  AffineMap addHalf(AffineMap map);

  Group group;
  OpBuilder builder;
  LeafOp merged;
  DenseMap<Value, Value> memories; ///< Of merged buffers and of the leaves' own.
};

} // namespace

/// Own memories of the leaves, then those of the buffers.
LeafOp Merger::createLeaf(ArrayRef<LeafOp> leaves) {
  SmallVector<Value> old;
  SmallVector<Type> types;
  for (LeafOp leaf : leaves)
    for (Value memory : leaf.getPrivates()) {
      old.push_back(memory);
      types.push_back(memory.getType());
    }
  int64_t halves = std::min<int64_t>(2, group.getNumBlocks());
  for (Value buffer : group.merged) {
    auto type = cast<BufferType>(buffer.getType());
    SmallVector<int64_t> shape = {halves};
    llvm::append_range(shape, type.getShape());
    old.push_back(buffer);
    types.push_back(PrivateType::get(type.getContext(), shape, type.getElementType()));
  }
  SmallVector<Value> reads, writes;
  SmallVector<int64_t> readLevels, writeLevels;
  for (const Acquire &acquire : group.kept) {
    (acquire.isWrite ? writes : reads).push_back(acquire.buffer);
    (acquire.isWrite ? writeLevels : readLevels).push_back(acquire.level);
  }
  LeafOp core = group.core;
  auto leaf = LeafOp::create(builder, core.getLoc(), core.getName(),
                             core.getTrips().take_front(group.getNumShared()), reads, readLevels,
                             writes, writeLevels, core.getRole(), types);
  leaf.setStyle(core.getStyle());
  leaf.setTogether(group.isTogether);
  leaf.setEngineAttr(core.getEngineAttr());
  for (auto [before, after] : llvm::zip_equal(old, leaf.getPrivates()))
    memories[before] = after;
  return leaf;
}

/// In front of the place in a block: which half. The loops of a nest stand behind the shared ones.
AffineMap Merger::addHalf(AffineMap map) {
  MLIRContext *context = map.getContext();
  AffineExpr block = getAffineConstantExpr(0, context);
  for (unsigned loop = group.getNumSerial(); loop < group.getNumShared(); ++loop)
    block = block * group.core.getTrips()[loop] + getAffineDimExpr(loop, context);
  SmallVector<AffineExpr> results = {group.getNumBlocks() > 1 ? block % 2
                                                              : getAffineConstantExpr(0, context)};
  llvm::append_range(results, map.getResults());
  return AffineMap::get(map.getNumDims(), 0, results, context);
}

/// A vector names a box of the memory's rank, so it gets an extent for the half.
static VectorType addExtent(VectorType type) {
  SmallVector<int64_t> shape = {1};
  llvm::append_range(shape, type.getShape());
  return VectorType::get(shape, type.getElementType());
}

void Merger::cloneAccess(Operation *access, IRMapping &mapping) {
  Location loc = access->getLoc();
  if (auto load = dyn_cast<LoadOp>(access)) {
    auto clone = cast<LoadOp>(builder.clone(*access, mapping));
    clone.setMap(addHalf(load.getMap()));
    auto vector = dyn_cast<VectorType>(load.getType());
    if (!vector)
      return;
    clone.getResult().setType(addExtent(vector));
    mapping.map(load.getResult(),
                vector::ShapeCastOp::create(builder, loc, vector, clone.getResult()));
    return;
  }
  auto store = cast<StoreOp>(access);
  Value value = mapping.lookupOrDefault(store.getValue());
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    value = vector::ShapeCastOp::create(builder, loc, addExtent(vector), value);
  auto clone = cast<StoreOp>(builder.clone(*access, mapping));
  clone.getValueMutable().assign(value);
  clone.setMap(addHalf(store.getMap()));
}

void Merger::addNest(LeafOp from, StringRef name, int64_t lag) {
  unsigned shared = group.getNumShared();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&merged.getBlock());
  ArrayRef<int64_t> trips = from.getTrips().drop_front(shared);
  auto nest = NestOp::create(builder, from.getLoc(), name, trips, /*counts=*/nullptr, lag,
                             /*ii=*/0, /*depth=*/0, /*limit=*/nullptr);
  Block &body = nest.getRegion().emplaceBlock();
  IRMapping mapping;
  for (auto [loop, index] : llvm::enumerate(from.getIndices()))
    mapping.map(index, loop < shared ? merged.getIndices()[loop]
                                     : body.addArgument(index.getType(), index.getLoc()));
  for (auto [before, after] : memories)
    mapping.map(before, after);
  builder.setInsertionPointToEnd(&body);
  for (Operation &op : from.getBlock()) {
    Value memory = getMemory(&op);
    if (memory && llvm::is_contained(group.merged, memory))
      cloneAccess(&op, mapping);
    else
      builder.clone(op, mapping);
  }
}

/// `fill`, or `fill_1` where there are several.
static std::string getName(StringRef what, size_t number) {
  return number == 0 ? what.str() : (what + "_" + Twine(number)).str();
}

void Merger::run() {
  SmallVector<LeafOp> leaves = getLeaves();
  // Channels stand in front of all who use them.
  LeafOp last = group.core;
  for (LeafOp leaf : leaves)
    if (last->isBeforeInBlock(leaf))
      last = leaf;
  builder.setInsertionPointAfter(last);
  merged = createLeaf(leaves);
  for (auto [number, fill] : llvm::enumerate(group.fills))
    addNest(fill, getName("fill", number), 0);
  int64_t behind = group.isTogether ? 1 : 0, lag = group.fills.empty() ? 0 : behind;
  addNest(group.core, "core", lag);
  for (auto [number, drain] : llvm::enumerate(group.drains))
    addNest(drain, getName("drain", number), lag + behind);
  for (LeafOp leaf : leaves)
    leaf.erase();
  for (Value buffer : group.merged)
    buffer.getDefiningOp()->erase();
}

namespace {
struct NestBlocksPass : streamtensor::impl::NestBlocksBase<NestBlocksPass> {
  void runOnOperation() override {
    FailureOr<const streamtensor::DeviceModel *> device = getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    int64_t serialTrip = (*device)->control().serialTrip;
    for (auto design : getOperation().getOps<DesignOp>()) {
      int64_t slowest = 0;
      for (LeafOp leaf : design.getOps<LeafOp>())
        slowest = std::max(slowest, leaf.getNumIterations());
      // Merging erases cores, fills and drains: no core is a fill or a drain of another.
      for (LeafOp core :
           llvm::to_vector(llvm::make_filter_range(design.getOps<LeafOp>(), [](LeafOp leaf) {
             return leaf.getRole() == Role::Compute;
           })))
        if (std::optional<Group> group = findGroup(core, slowest, serialTrip))
          Merger(std::move(*group)).run();
    }
  }
};
} // namespace
