//===- GatherWords.cpp - Words of an iteration, put together behind a load -===//
//
//   dataflow.leaf "load" load [16, 32] { load %keys [d0, d1 * 8, 0] -> vector<1x8x128xi8> … }
//
// gives 8,192 bits at a time, and where its reader lies on another die than memory, so many wires
// go there, or all those of its masters. But words come one by one. As
//
//   dataflow.leaf "load" load [16, 32, 8] { load %keys [d0, d1 * 8 + d2, 0], stream_write %words }
//   dataflow.leaf "load_regroup" regroup [16, 32, 8] {
//     stream_read %words, store %held [d2 * 128], load %held when d2 == 7, … stream_write %fifo …
//   }
//
// it has the wires of a word, and the second leaf lies with the reader.
//
//===----------------------------------------------------------------------===//

#include "PortPlanning.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Support/Affine.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {
namespace {

/// Cuts a leaf that loads several words in an iteration.
class Gatherer {
public:
  explicit Gatherer(LoadOp load);
  bool canCut();
  void cut(const DeviceModel &device);

private:
  LeafOp createLeaf(OpBuilder &builder, StringRef name, Role role, TypeRange privates);
  AffineMap getPlaceOfWord();
  IntegerSetAttr getGuardOfLast(StreamWriteOp write = {});
  void cloneWrite(OpBuilder &builder, StreamWriteOp write, IRMapping &mapping);
  bool isOfLoad(Operation &op) { return fromLoad.contains(&op); }

  LoadOp load;
  LeafOp leaf;
  SmallVector<int64_t> box;
  int64_t word, words;
  DenseSet<Operation *> fromLoad; ///< What uses the loaded value.
};

} // namespace

Gatherer::Gatherer(LoadOp load)
    : load(load), leaf(getLeaf(load)), box(cast<AccessOpInterface>(load.getOperation()).getBox()),
      word(box.back()), words(llvm::product_of(ArrayRef(box).drop_back())) {
  for (Operation &op : leaf.getBlock())
    if (llvm::any_of(op.getOperands(), [&](Value operand) {
          Operation *by = operand.getDefiningOp();
          return by && (by == load || fromLoad.contains(by));
        }))
      fromLoad.insert(&op);
}

bool Gatherer::canCut() {
  bool isPlain = leaf.getRole() == Role::Load && !leaf.hasNests() && !leaf.getTrips().empty() &&
                 leaf.getReads().empty() && leaf.getWrites().empty() &&
                 leaf.getPrivates().empty() && !load.getGuard() && !load.getRow();
  return isPlain && words > 1 && llvm::all_of(leaf.getBlock(), [&](Operation &op) {
           return &op == load.getOperation() ||
                  isa<arith::ConstantOp, vector::ShapeCastOp, vector::ExtractStridedSliceOp,
                      StreamWriteOp>(op);
         });
}

/// A leaf with the loops of the one there is, and one for the words inside.
LeafOp Gatherer::createLeaf(OpBuilder &builder, StringRef name, Role role, TypeRange privates) {
  SmallVector<int64_t> trips(leaf.getTrips());
  trips.push_back(words);
  auto created = LeafOp::create(builder, leaf.getLoc(), name, trips, ValueRange(), {}, ValueRange(),
                                {}, role, privates);
  created.getScalarsMutable().assign(leaf.getScalars());
  if (std::optional<AffineMap> counts = leaf.getCounts()) {
    SmallVector<AffineExpr> exprs(counts->getResults());
    exprs.push_back(builder.getAffineConstantExpr(words));
    created.setCounts(AffineMap::get(0, counts->getNumSymbols(), exprs, builder.getContext()));
  }
  return created;
}

/// Where the word of each of the inner iterations lies.
AffineMap Gatherer::getPlaceOfWord() {
  AffineMap map = load.getMap();
  AffineExpr number = getAffineDimExpr(map.getNumDims(), map.getContext());
  SmallVector<AffineExpr> place(map.getResults());
  int64_t stride = words;
  for (auto [expr, extent] : llvm::drop_end(llvm::zip_equal(place, box))) {
    bool isOutermost = stride == words;
    stride /= extent;
    AffineExpr step = number.floorDiv(stride);
    expr = expr + (isOutermost ? step : step % extent);
  }
  // A sum of indices where it can be one: bursts are inferred of such places.
  AffineRanges ranges{llvm::to_vector(leaf.getTrips()), {}};
  ranges.trips.push_back(words);
  for (AffineExpr &expr : place)
    expr = simplifyIn(expr, ranges);
  return AffineMap::get(map.getNumDims() + 1, map.getNumSymbols(), place, map.getContext());
}

/// In the last of the inner iterations, where `write` is made.
IntegerSetAttr Gatherer::getGuardOfLast(StreamWriteOp write) {
  AffineMap map = load.getMap();
  std::optional<IntegerSet> guard = write ? write.getGuard() : std::nullopt;
  unsigned symbols = guard ? guard->getNumSymbols() : map.getNumSymbols();
  AffineExpr isLast = getAffineDimExpr(map.getNumDims(), map.getContext()) - (words - 1);
  return IntegerSetAttr::get(addEquality(guard, isLast, map.getNumDims() + 1, symbols));
}

void Gatherer::cloneWrite(OpBuilder &builder, StreamWriteOp write, IRMapping &mapping) {
  auto clone = cast<StreamWriteOp>(builder.clone(*write, mapping));
  clone.setGuardAttr(getGuardOfLast(write));
}

void Gatherer::cut(const DeviceModel &device) {
  OpBuilder builder(leaf);
  Location loc = load.getLoc();
  Type element = getElementTypeOrSelf(load.getType());
  auto token = VectorType::get({word}, element);
  auto fifo = StreamOp::create(builder, loc, StreamType::get(builder.getContext(), token, 0),
                               (leaf.getName() + "_words").str());

  LeafOp moving = createLeaf(builder, leaf.getName(), Role::Load, TypeRange());
  auto memory = PrivateType::get(builder.getContext(), {words * word}, element);
  LeafOp gathering =
      createLeaf(builder, (leaf.getName() + "_regroup").str(), Role::Regroup, TypeRange(memory));
  IRMapping moved, gathered;
  for (auto [index, of, behind] :
       llvm::zip(leaf.getIndices(), moving.getIndices(), gathering.getIndices())) {
    moved.map(index, of);
    gathered.map(index, behind);
  }

  builder.setInsertionPointToEnd(&moving.getBlock());
  SmallVector<int64_t> boxOfWord(box.size(), 1);
  boxOfWord.back() = word;
  Value value = LoadOp::create(builder, loc, VectorType::get(boxOfWord, element), load.getMemory(),
                               Value(), getPlaceOfWord(), nullptr, nullptr, nullptr);
  if (value.getType() != token)
    value = vector::ShapeCastOp::create(builder, loc, token, value);
  StreamWriteOp::create(builder, loc, value, fifo.getResult(), nullptr);

  builder.setInsertionPointToEnd(&gathering.getBlock());
  Value held = gathering.getPrivates().front();
  AffineMap map = load.getMap();
  auto getMap = [&](AffineExpr place) {
    return AffineMap::get(map.getNumDims() + 1, map.getNumSymbols(), place);
  };
  Value taken = StreamReadOp::create(builder, loc, token, fifo.getResult(), nullptr);
  StoreOp::create(builder, loc, taken, held,
                  getMap(builder.getAffineDimExpr(map.getNumDims()) * word), nullptr, nullptr);
  Value all =
      LoadOp::create(builder, loc, VectorType::get({words * word}, element), held, Value(),
                     getMap(builder.getAffineConstantExpr(0)), getGuardOfLast(), nullptr, nullptr);
  gathered.map(load.getResult(),
               vector::ShapeCastOp::create(builder, loc, load.getType(), all).getResult());
  for (Operation &op : leaf.getBlock()) {
    if (&op == load.getOperation())
      continue;
    bool isBehind = isOfLoad(op);
    builder.setInsertionPointToEnd(isBehind ? &gathering.getBlock() : &moving.getBlock());
    if (auto write = dyn_cast<StreamWriteOp>(op))
      cloneWrite(builder, write, isBehind ? gathered : moved);
    else
      builder.clone(op, isBehind ? gathered : moved);
  }
  holdInRegisters(gathering, device);
  leaf->erase();
}

void gatherWords(LoadOp load, const DeviceModel &device) {
  Gatherer gatherer(load);
  if (gatherer.canCut())
    gatherer.cut(device);
}

} // namespace streamtensor::schedule
