//===- WidenWords.cpp - Loads in words of several tokens ------------------===//
//
//   dataflow.leaf "load" load [64] { load %b [i * 4] -> vector<4xf32>, stream_write %f }
//
// moves words of 128 bits, and all that share a master with it would have to. In words of 256
//
//   dataflow.leaf "load" load [32] { load %b [i * 8] -> vector<8xf32>, stream_write %f_words }
//   dataflow.leaf "load_regroup" regroup [32, 2] { stream_read %f_words …, stream_write %f }
//
// the tokens are cut behind the load: one in each cycle, as before. A tensor of one element has no
// more tokens, and gets zeros behind it.
//
//===----------------------------------------------------------------------===//

#include "PortPlanning.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "streamtensor/Analysis/PortWords.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Schedule/Memories.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
namespace {
/// What a load moves in an iteration.
struct Moved {
  AffineMap place;
  SmallVector<int64_t> box;
};
} // namespace

static int64_t countElements(Type token) {
  auto vector = dyn_cast<VectorType>(token);
  return vector ? vector.getNumElements() : 1;
}

/// Does the leaf hand on what it loads as it is, but for its shape?
static bool onlyReshapes(LeafOp leaf) {
  return llvm::all_of(leaf.getBlock(), [](Operation &op) {
    return isa<LoadOp, vector::ShapeCastOp, StreamWriteOp>(op);
  });
}

/// What `times` iterations of the innermost loop move, if they follow one another in one dimension
/// of the port.
static std::optional<Moved> moveSeveral(LoadOp load, unsigned loop, int64_t times) {
  MLIRContext *context = load.getContext();
  AffineMap map = load.getMap();
  AffineExpr index = getAffineDimExpr(loop, context);
  Moved moved{{}, llvm::to_vector(cast<AccessOpInterface>(load.getOperation()).getBox())};
  SmallVector<AffineExpr> place;
  unsigned moving = 0;
  for (auto [expr, extent] : llvm::zip_equal(map.getResults(), moved.box)) {
    place.push_back(expr.replace(index, index * times));
    AffineExpr step = simplifyAffineExpr(expr.replace(index, index + 1) - expr, map.getNumDims(),
                                         map.getNumSymbols());
    if (step == getAffineConstantExpr(0, context))
      continue;
    if (step != getAffineConstantExpr(extent, context))
      return std::nullopt;
    extent *= times;
    ++moving;
  }
  if (moving != 1)
    return std::nullopt;
  moved.place = AffineMap::get(map.getNumDims(), map.getNumSymbols(), place, context);
  return moved;
}

bool canWidenWords(LeafOp leaf, int64_t times) {
  LoadOp load = getOnlyLoad(leaf);
  unsigned innermost = leaf.getTrips().size() - 1;
  if (!load || getNumCountedLoops(leaf) > innermost || leaf.getTrips().back() % times != 0 ||
      !onlyReshapes(leaf))
    return false;
  std::optional<Moved> moved = moveSeveral(load, innermost, times);
  auto type = cast<PortType>(load.getMemory().getType());
  int64_t elements = times * countElements(load.getType());
  return moved && countWordLanes(type, moved->place, moved->box, elements) == elements;
}

/// With the innermost loop's trips replaced by `trips`.
static void setInnermost(LeafOp leaf, const LeafOp &like, ArrayRef<int64_t> trips) {
  LeafOp model = like;
  SmallVector<int64_t> all(model.getTrips().drop_back());
  all.append(trips.begin(), trips.end());
  std::optional<AffineMap> counts = model.getCounts();
  leaf.getScalarsMutable().assign(model.getScalars());
  leaf.setTrips(all);
  if (!counts)
    return;
  SmallVector<AffineExpr> exprs(counts->getResults().drop_back());
  for (int64_t count : trips)
    exprs.push_back(getAffineConstantExpr(count, leaf.getContext()));
  leaf.setCounts(AffineMap::get(0, counts->getNumSymbols(), exprs, leaf.getContext()));
}

void holdInRegisters(LeafOp leaf, const DeviceModel &device) {
  MLIRContext *context = leaf.getContext();
  StorageAttr storage = makeStorage(context, MemoryKind::Registers,
                                    {inferPartition(leaf.getPrivates().front())}, device);
  leaf.setStoragesAttr(ArrayAttr::get(context, {storage}));
}

/// The leaf behind `leaf` that takes words from `words` and writes their tokens as `write` does.
static void createRegroup(LeafOp leaf, StreamWriteOp write, StreamOp words, int64_t times,
                          const DeviceModel &device) {
  OpBuilder builder(leaf.getContext());
  builder.setInsertionPointAfter(leaf);
  Location loc = leaf.getLoc();
  auto word = cast<VectorType>(words.getType().getElementType());
  Type token = write.getValue().getType();
  SmallVector<int64_t> trips(leaf.getTrips().drop_back());
  trips.append({leaf.getTrips().back() / times, times});
  auto memory = PrivateType::get(builder.getContext(), word.getShape(), word.getElementType());
  auto regroup =
      LeafOp::create(builder, loc, (leaf.getName() + "_regroup").str(), trips, ValueRange(), {},
                     ValueRange(), {}, Role::Regroup, TypeRange(memory));
  setInnermost(regroup, leaf, ArrayRef(trips).take_back(2));
  unsigned loops = trips.size();
  AffineExpr part = builder.getAffineDimExpr(loops - 1);
  auto isFirst = IntegerSetAttr::get(IntegerSet::get(loops, 0, part, /*eqFlags=*/true));
  auto getMap = [&](AffineExpr place) { return AffineMap::get(loops, 0, place); };
  builder.setInsertionPointToEnd(&regroup.getBlock());
  Value held = regroup.getPrivates().front();
  Value taken = StreamReadOp::create(builder, loc, word, words.getResult(), isFirst);
  StoreOp::create(builder, loc, taken, held, getMap(builder.getAffineConstantExpr(0)), isFirst,
                  nullptr);
  Value value = LoadOp::create(builder, loc, token, held, Value(),
                               getMap(part * countElements(token)), nullptr, nullptr, nullptr);
  auto given = StreamWriteOp::create(builder, loc, value, write.getStream(), nullptr);
  given->setDiscardableAttrs(write->getDiscardableAttrDictionary());
  holdInRegisters(regroup, device);
}

void widenWords(LeafOp leaf, int64_t times, const DeviceModel &device) {
  LoadOp load = getOnlyLoad(leaf);
  StreamWriteOp write = *leaf.getBlock().getOps<StreamWriteOp>().begin();
  Moved moved = *moveSeveral(load, leaf.getTrips().size() - 1, times);
  Type element = cast<PortType>(load.getMemory().getType()).getElementType();
  auto word = VectorType::get({times * countElements(load.getType())}, element);
  SmallVector<Operation *> before =
      llvm::map_to_vector(leaf.getBlock(), [](Operation &op) { return &op; });
  OpBuilder builder(leaf);
  auto fifo = getFifo(write.getStream()).getDefiningOp<StreamOp>();
  auto words = StreamOp::create(builder, fifo.getLoc(), StreamType::get(leaf.getContext(), word, 0),
                                (fifo.getName() + "_words").str());
  createRegroup(leaf, write, words, times, device);
  builder.setInsertionPoint(load);
  Value value = LoadOp::create(builder, load.getLoc(), VectorType::get(moved.box, element),
                               load.getMemory(), Value(), moved.place, nullptr, nullptr, nullptr);
  if (value.getType() != word)
    value = vector::ShapeCastOp::create(builder, load.getLoc(), word, value);
  StreamWriteOp::create(builder, write.getLoc(), value, words.getResult(), nullptr);
  for (Operation *op : llvm::reverse(before))
    op->erase();
  setInnermost(leaf, leaf, {leaf.getTrips().back() / times});
}

void padElement(LeafOp leaf, int64_t wordBits) {
  LoadOp load = getOnlyLoad(leaf);
  auto port = load.getMemory().getDefiningOp<PortOp>();
  Type element = port.getType().getElementType();
  int64_t lanes = wordBits / getPackedBits(element);
  if (lanes == 1)
    return;
  SmallVector<int64_t> shape = {1, lanes};
  setShape(port, shape, [&](OpBuilder &builder, Location loc, Value tensor) -> Value {
    return itensor::PackOp::create(builder, loc, RankedTensorType::get(shape, element), tensor,
                                   ArrayRef<int64_t>{1, 1}, /*offset=*/0,
                                   builder.getI64IntegerAttr(1));
  });
  OpBuilder builder(load);
  AffineExpr zero = builder.getAffineConstantExpr(0);
  Value word = LoadOp::create(
      builder, load.getLoc(), VectorType::get(shape, element), load.getMemory(), Value(),
      AffineMap::get(load.getMap().getNumDims(), load.getMap().getNumSymbols(), {zero, zero},
                     builder.getContext()),
      nullptr, nullptr, nullptr);
  Value value = vector::ExtractOp::create(builder, load.getLoc(), word, ArrayRef<int64_t>{0, 0});
  if (auto type = dyn_cast<VectorType>(load.getType()))
    value = vector::BroadcastOp::create(builder, load.getLoc(), type, value);
  load.getResult().replaceAllUsesWith(value);
  load.erase();
}

} // namespace streamtensor::schedule
