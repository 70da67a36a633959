//===- SingleLocks.cpp - One block in the hands of a leaf -----------------===//
//
//   dataflow.leaf "mm" compute [4, 16] reads(%a at 0) writes(%r at 0) {
//     %v = load %a[…] … store %s, %r[…] when last
//   }
//
// becomes
//
//   dataflow.leaf "mm" compute [4, 16] reads(%a at 0) {
//     %v = load %a[…] … stream_write %s, %f when last
//   }
//   dataflow.leaf "r_collect" convert_in [4] writes(%r at 0) { store (stream_read %f), %r[…] }
//
// A block that is read goes the other way: a leaf of its own sends what the core loads. What is
// wider than a FIFO goes through several.
//
//===----------------------------------------------------------------------===//

#include "ProgramChange.h"

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/IterationBox.h"
#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"
#include "streamtensor/Support/BitWidth.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace streamtensor {
#define GEN_PASS_DEF_SINGLELOCKS
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

namespace {

/// The only access of a leaf to a block, and the iterations in which it happens.
struct BlockAccess {
  Acquire acquire;
  AccessOpInterface access;
  IterationBox box;

  int64_t getBits() { return getBitWidth(access.getMovedType()); }
};

} // namespace

/// Nothing if a leaf of its own could not make the access: several accesses, a row that a value
/// chooses, or a guard that is no box inside the loops around the block.
static std::optional<BlockAccess> findAccess(LeafOp leaf, const Acquire &acquire) {
  SmallVector<AccessOpInterface> found;
  llvm::copy_if(getAccesses(leaf), std::back_inserter(found),
                [&](AccessOpInterface access) { return access.getChannel() == acquire.buffer; });
  if (found.size() != 1)
    return std::nullopt;
  if (auto load = dyn_cast<LoadOp>(*found.front()); load && load.getRow())
    return std::nullopt;
  SmallVector<int64_t> trips(getNest(found.front()).getLoopTrips());
  IntegerSet guard = found.front().getGuardSet();
  std::optional<IterationBox> box = getGuardBox(guard ? std::optional(guard) : std::nullopt, trips);
  if (!box || box->isEmpty())
    return std::nullopt;
  for (auto [range, trip] : llvm::zip(ArrayRef(box->loops).take_front(acquire.level), trips))
    if (range.getSize() != trip)
      return std::nullopt;
  return BlockAccess{acquire, found.front(), *box};
}

namespace {
/// A scalar or a line on its way: in FIFOs side by side where one is too narrow for it.
class Way {
public:
  Way(OpBuilder &builder, Location loc, StringRef name, Type token, int64_t tokenBits)
      : token(token) {
    auto line = dyn_cast<VectorType>(token);
    int64_t lanes = line ? line.getNumElements() : 1;
    int64_t most = std::max<int64_t>(1, tokenBits / (getBitWidth(token) / lanes));
    for (int64_t offset = 0; offset < lanes; offset += most) {
      Type part =
          line ? VectorType::get({std::min(most, lanes - offset)}, line.getElementType()) : token;
      std::string suffix = offset == 0 ? "" : "_" + std::to_string(offset / most);
      fifos.push_back(StreamOp::create(builder, loc, StreamType::get(builder.getContext(), part, 0),
                                       (name + suffix).str()));
      offsets.push_back(offset);
    }
  }

  void write(OpBuilder &builder, Location loc, Value value, IntegerSetAttr guard) {
    for (auto [fifo, offset] : llvm::zip_equal(fifos, offsets)) {
      Value part = value;
      if (fifos.size() > 1)
        part =
            vector::ExtractStridedSliceOp::create(builder, loc, value, offset, getLanes(fifo), 1);
      StreamWriteOp::create(builder, loc, part, fifo, guard);
    }
  }

  Value read(OpBuilder &builder, Location loc, IntegerSetAttr guard) {
    if (fifos.size() == 1)
      return StreamReadOp::create(builder, loc, token, fifos.front(), guard);
    Value line = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(token));
    for (auto [fifo, offset] : llvm::zip_equal(fifos, offsets)) {
      Type part = cast<StreamType>(fifo.getType()).getElementType();
      Value read = StreamReadOp::create(builder, loc, part, fifo, guard);
      line = vector::InsertStridedSliceOp::create(builder, loc, read, line, offset, 1);
    }
    return line;
  }

private:
  static int64_t getLanes(Value fifo) {
    return cast<VectorType>(cast<StreamType>(fifo.getType()).getElementType()).getNumElements();
  }

  Type token;
  SmallVector<Value> fifos;
  SmallVector<int64_t> offsets;
};
} // namespace

/// A leaf over the iterations of `access` alone; loops inside the block that make one trip go.
/// `map` becomes that of the access in these loops.
static LeafOp createLeaf(OpBuilder &builder, BlockAccess &access, AffineMap &map) {
  Location loc = access.access.getLoc();
  Value buffer = access.acquire.buffer;
  SmallVector<int64_t> trips;
  SmallVector<AffineExpr> indices;
  for (auto [loop, range] : llvm::enumerate(access.box.loops)) {
    bool isKept = int64_t(loop) < access.acquire.level || range.getSize() > 1;
    AffineExpr first = builder.getAffineConstantExpr(range.low);
    indices.push_back(isKept ? builder.getAffineDimExpr(trips.size()) + first : first);
    if (isKept)
      trips.push_back(range.getSize());
  }
  map = access.access.getPlace().replaceDimsAndSymbols(indices, {}, trips.size(), 0);
  bool gives = access.acquire.isWrite;
  StringRef name = buffer.getDefiningOp<BufferOp>().getName();
  SmallVector<Value> buffers = {buffer};
  SmallVector<int64_t> levels = {access.acquire.level}, none;
  return gives ? LeafOp::create(builder, loc, (name + "_collect").str(), trips, ValueRange(), none,
                                buffers, levels, Role::ConvertIn, TypeRange())
               : LeafOp::create(builder, loc, (name + "_serve").str(), trips, buffers, levels,
                                ValueRange(), none, Role::ConvertOut, TypeRange());
}

static void forget(LeafOp leaf, const Acquire &acquire) {
  auto remove = [&](MutableOperandRange operands, ArrayRef<int64_t> levels) {
    OperandRange values = operands;
    unsigned place = llvm::find(values, acquire.buffer) - values.begin();
    SmallVector<int64_t> left(levels);
    left.erase(left.begin() + place);
    operands.erase(place);
    return left;
  };
  if (acquire.isWrite)
    leaf.setWriteLevels(remove(leaf.getWritesMutable(), leaf.getWriteLevels()));
  else
    leaf.setReadLevels(remove(leaf.getReadsMutable(), leaf.getReadLevels()));
}

/// The access goes through a FIFO, and a leaf at its other end holds the block.
static void split(LeafOp leaf, BlockAccess access, int64_t tokenBits) {
  OpBuilder builder(leaf);
  Location loc = access.access.getLoc();
  Type type = access.access.getMovedType(), token = getToken(type);
  std::string name = access.acquire.buffer.getDefiningOp<BufferOp>().getName().str() + "_fifo";
  Way way(builder, loc, name, token, tokenBits);
  if (access.acquire.isWrite)
    builder.setInsertionPointAfter(leaf);
  AffineMap map;
  LeafOp holder = createLeaf(builder, access, map);
  OpBuilder inside = OpBuilder::atBlockEnd(&holder.getBlock());
  OpBuilder core(access.access);
  IntegerSetAttr guard;
  if (IntegerSet set = access.access.getGuardSet())
    guard = IntegerSetAttr::get(set);
  if (auto store = dyn_cast<StoreOp>(*access.access)) {
    way.write(core, loc, reshape(core, loc, store.getValue(), token), guard);
    Value read = way.read(inside, loc, IntegerSetAttr());
    StoreOp::create(inside, loc, reshape(inside, loc, read, type), store.getMemory(),
                    AffineMapAttr::get(map), IntegerSetAttr(), WordsAttr());
  } else {
    auto load = cast<LoadOp>(*access.access);
    Value loaded =
        LoadOp::create(inside, loc, type, load.getMemory(), Value(), AffineMapAttr::get(map),
                       IntegerSetAttr(), WordsAttr(), IntegerAttr());
    way.write(inside, loc, reshape(inside, loc, loaded, token), IntegerSetAttr());
    Value read = way.read(core, loc, guard);
    load.replaceAllUsesWith(reshape(core, loc, read, type));
  }
  access.access->erase();
  forget(leaf, access.acquire);
}

/// Nests together drain between the blocks of the deepest level, and the halves of their memories
/// begin anew there. Would they run on across it without `acquire`?
static bool holdsDrains(LeafOp leaf, const Acquire &acquire) {
  return leaf.getTogether() && llvm::count_if(getAcquires(leaf), [&](const Acquire &other) {
                                 return other.level >= acquire.level;
                               }) == 1;
}

/// Each nest has a block to itself, in whatever half of a memory.
static void takeTurns(LeafOp leaf) {
  leaf.setTogether(false);
  for (auto nest : leaf.getBlock().getOps<NestOp>())
    nest.setLag(0);
}

/// What does not hold drains goes first; then what a leaf gives: it gives less often than it takes.
static std::optional<BlockAccess> chooseAccess(LeafOp leaf) {
  std::optional<BlockAccess> chosen;
  auto getRank = [&](BlockAccess &access) {
    return std::tuple(holdsDrains(leaf, access.acquire), !access.acquire.isWrite, access.getBits());
  };
  for (const Acquire &acquire : getAcquires(leaf))
    if (std::optional<BlockAccess> access = findAccess(leaf, acquire);
        access && (!chosen || getRank(*access) < getRank(*chosen)))
      chosen = access;
  return chosen;
}

namespace {
struct SingleLocksPass : streamtensor::impl::SingleLocksBase<SingleLocksPass> {
  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    for (auto design : getOperation().getOps<DesignOp>())
      for (LeafOp leaf : llvm::to_vector(design.getOps<LeafOp>()))
        while (!leaf.getCounts() && getAcquires(leaf).size() > 1) {
          std::optional<BlockAccess> access = chooseAccess(leaf);
          if (!access)
            break;
          if (holdsDrains(leaf, access->acquire))
            takeTurns(leaf);
          split(leaf, *access, (*device)->fifo().tokenBits);
        }
  }
};
} // namespace
