//===- SplitAccess.cpp - A leaf of its own for an access to a block -------===//

#include "SplitAccess.h"

#include "ParallelFifos.h"
#include "ProgramChange.h"

#include "streamtensor/Support/BitWidth.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

LeafOp dataflow::getPeer(LeafOp leaf, Value buffer) {
  for (Operation *user : buffer.getUsers())
    if (auto peer = dyn_cast<LeafOp>(user); peer && peer != leaf)
      return peer;
  return {};
}

int64_t dataflow::BlockAccess::getBits() { return getBitWidth(access.getMovedType()); }

std::optional<BlockAccess> dataflow::findOnlyAccess(LeafOp leaf, const Acquire &acquire) {
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

OwnLoops dataflow::getOwnLoops(BlockAccess &access) {
  MLIRContext *context = access.access.getContext();
  OwnLoops own;
  SmallVector<AffineExpr> indices;
  for (auto [loop, range] : llvm::enumerate(access.box.loops)) {
    bool isKept = int64_t(loop) < access.acquire.level || range.getSize() > 1;
    AffineExpr first = getAffineConstantExpr(range.low, context);
    indices.push_back(isKept ? getAffineDimExpr(own.loops.size(), context) + first : first);
    if (!isKept)
      continue;
    own.loops.push_back(loop);
    own.trips.push_back(range.getSize());
  }
  own.place = access.access.getPlace().replaceDimsAndSymbols(indices, {}, own.trips.size(), 0);
  return own;
}

static LeafOp createHolder(OpBuilder &builder, BlockAccess &access, ArrayRef<int64_t> trips) {
  Location loc = access.access.getLoc();
  Value buffer = access.acquire.buffer;
  StringRef name = buffer.getDefiningOp<BufferOp>().getName();
  SmallVector<Value> buffers = {buffer};
  SmallVector<int64_t> levels = {access.acquire.level}, none;
  return access.acquire.isWrite
             ? LeafOp::create(builder, loc, (name + "_collect").str(), trips, ValueRange(), none,
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

LeafOp dataflow::splitAccess(LeafOp leaf, BlockAccess access, int64_t tokenBits) {
  OpBuilder builder(leaf);
  Location loc = access.access.getLoc();
  Type type = access.access.getMovedType(), token = getToken(type);
  std::string name = access.acquire.buffer.getDefiningOp<BufferOp>().getName().str() + "_fifo";
  ParallelFifos way(builder, loc, token, tokenBits, [&](unsigned part) {
    return part == 0 ? name : name + "_" + std::to_string(part);
  });
  if (access.acquire.isWrite)
    builder.setInsertionPointAfter(leaf);
  OwnLoops own = getOwnLoops(access);
  LeafOp holder = createHolder(builder, access, own.trips);
  OpBuilder inside = OpBuilder::atBlockEnd(&holder.getBlock());
  OpBuilder core(access.access);
  IntegerSetAttr guard;
  if (IntegerSet set = access.access.getGuardSet())
    guard = IntegerSetAttr::get(set);
  if (auto store = dyn_cast<StoreOp>(*access.access)) {
    way.write(core, loc, reshape(core, loc, store.getValue(), token), guard);
    Value read = way.read(inside, loc, IntegerSetAttr());
    StoreOp::create(inside, loc, reshape(inside, loc, read, type), store.getMemory(),
                    AffineMapAttr::get(own.place), IntegerSetAttr(), WordsAttr());
  } else {
    auto load = cast<LoadOp>(*access.access);
    Value loaded =
        LoadOp::create(inside, loc, type, load.getMemory(), Value(), AffineMapAttr::get(own.place),
                       IntegerSetAttr(), WordsAttr(), IntegerAttr());
    way.write(inside, loc, reshape(inside, loc, loaded, token), IntegerSetAttr());
    Value read = way.read(core, loc, guard);
    load.replaceAllUsesWith(reshape(core, loc, read, type));
  }
  access.access->erase();
  forget(leaf, access.acquire);
  return holder;
}
