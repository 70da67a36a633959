//===- DealInTurn.cpp - Loads of parts of tokens --------------------------===//
//
//   dataflow.leaf "load" load [256] {
//     %token = load %w [d0, …] -> vector<4096xi4>     // 32 words
//     stream_write %token[0, 1024], %f0 … stream_write %token[3072, 4096], %f3
//   }
//
// can use 8, 16 or 32 masters. With 24 it moves three of the four parts in an iteration, one of
// these in another FIFO each time, and a tensor that is dealt to 24 masters by rows of 24 words:
//
//   dataflow.leaf "load" load [86, 4] {
//     %row = load %w [d0 * 4 + d1, 0] -> vector<3072xi4>
//     %a, %b, %c = … the parts of the row
//     // Part r of all that are moved is in row r floordiv 3, and goes to FIFO r mod 4.
//     stream_write (select (d1 == 0), %a, (d1 == 1), %b, %c), %f0 when (d1 < 3) …
//     stream_write …, %f1 when (d1 < 2), and when (d1 >= 3) …
//   }
//
// Each FIFO gets what it got before. Guards compare single loops with constants, so the turn is a
// loop of its own, and a FIFO that waits in the middle of it has an access on either side.
//
//===----------------------------------------------------------------------===//

#include "PortPlanning.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignGraph.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Dialect/ITensor/IR/Packing.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {

//===----------------------------------------------------------------------===//
// Whether it can be done
//===----------------------------------------------------------------------===//

/// The writes of equal parts of a token, in their order; none if the leaf does anything else.
static SmallVector<StreamWriteOp> getPartWrites(LeafOp leaf) {
  SmallVector<StreamWriteOp> writes;
  for (Operation &op : leaf.getBlock()) {
    auto write = dyn_cast<StreamWriteOp>(op);
    if (!write && !isa<LoadOp, vector::ShapeCastOp, vector::ExtractStridedSliceOp>(op))
      return {};
    if (!write)
      continue;
    auto part = write.getValue().getDefiningOp<vector::ExtractStridedSliceOp>();
    if (!part || part.getSourceVectorType().getRank() != 1)
      return {};
    int64_t size = part.getType().getNumElements();
    int64_t first = cast<IntegerAttr>(part.getOffsets()[0]).getInt();
    if (first != int64_t(writes.size()) * size || write.getStream() != write.getFifo())
      return {};
    writes.push_back(write);
  }
  return writes;
}

/// Does it move the tensor's elements in the order in which they lie?
static bool goesStraightOn(LeafOp leaf, LoadOp load) {
  MLIRContext *context = leaf.getContext();
  ArrayRef<int64_t> shape = cast<PortType>(load.getMemory().getType()).getShape();
  ArrayRef<int64_t> trips = leaf.getTrips();
  int64_t token = cast<AccessOpInterface>(load.getOperation()).getNumElements();
  AffineExpr place = linearize(context, load.getMap().getResults(), computeStrides(shape));
  AffineExpr expected = getAffineConstantExpr(0, context);
  for (auto [loop, stride] : llvm::enumerate(computeStrides(trips)))
    if (trips[loop] > 1)
      expected = expected + getAffineDimExpr(loop, context) * (stride * token);
  for (auto [loop, count] : llvm::enumerate(trips))
    if (count == 1)
      place = place.replace(getAffineDimExpr(loop, context), getAffineConstantExpr(0, context));
  AffineExpr rest =
      simplifyAffineExpr(place - expected, trips.size(), load.getMap().getNumSymbols());
  return rest == getAffineConstantExpr(0, context) &&
         llvm::product_of(shape) == llvm::product_of(trips) * token;
}

int64_t countWordsOfPart(LeafOp leaf, int64_t words) {
  LoadOp load = getOnlyLoad(leaf);
  SmallVector<StreamWriteOp> writes = getPartWrites(leaf);
  if (!load || writes.size() < 2 || words % writes.size() != 0)
    return 0;
  int64_t moved = cast<AccessOpInterface>(load.getOperation()).getNumElements();
  int64_t part = cast<VectorType>(writes.front().getValue().getType()).getNumElements();
  bool isAll = part * int64_t(writes.size()) == moved;
  return isAll && goesStraightOn(leaf, load) ? words / writes.size() : 0;
}

//===----------------------------------------------------------------------===//
// How
//===----------------------------------------------------------------------===//

namespace {
/// The loops of the leaf: those whose counts the launch gives, groups of rows, and rows in a group.
struct Turns {
  int64_t parts;  ///< Of a row.
  int64_t fifos;  ///< That take one part of a token each.
  int64_t rounds; ///< Iterations of the counted loops.
  int64_t chunks; ///< Parts of all tokens of a round.
  int64_t rows;   ///< Of a group, after which the first FIFO has the first part again.
  int64_t groups; ///< The last one may have fewer parts.
  unsigned counted;

  int64_t countRows() const { return groups * rows; }
  /// The part of the row that goes to `fifo`, if it is below `parts`: that row begins with part
  /// row * parts of all.
  int64_t getPart(int64_t row, int64_t fifo) const {
    return ((fifo - row * parts) % fifos + fifos) % fifos;
  }
  bool isWritten(int64_t group, int64_t row, int64_t fifo) const {
    int64_t part = getPart(row, fifo);
    return part < parts && (group * rows + row) * parts + part < chunks;
  }
};
} // namespace

static Turns planTurns(LeafOp leaf, int64_t parts, int64_t fifos) {
  Turns turns{};
  turns.parts = parts;
  turns.fifos = fifos;
  turns.counted = getNumCountedLoops(leaf);
  ArrayRef<int64_t> trips = leaf.getTrips();
  turns.rounds = llvm::product_of(trips.take_front(turns.counted));
  turns.chunks = llvm::product_of(trips.drop_front(turns.counted)) * fifos;
  turns.rows = fifos / std::gcd(parts, fifos);
  turns.groups = llvm::divideCeil(turns.chunks, turns.rows * parts);
  return turns;
}

/// `value` in `shape`: what each of the rounds reads, and zeros behind it where its rows hold more.
static Value layOutByHost(OpBuilder &builder, Location loc, Value value, const Turns &turns,
                          ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t has = type.getNumElements() / turns.rounds;
  int64_t wants = llvm::product_of(shape) / turns.rounds;
  if (has != wants)
    value = itensor::PackOp::create(
        builder, loc, RankedTensorType::get({turns.rounds, wants}, type.getElementType()), value,
        ArrayRef<int64_t>{has, 1}, /*offset=*/0, builder.getI64IntegerAttr(has));
  return itensor::createReshape(builder, loc, value, type.clone(shape));
}

/// The leaf's loops become those of `turns`.
static void setLoops(LeafOp leaf, const Turns &turns) {
  Block &body = leaf.getBlock();
  SmallVector<int64_t> trips(leaf.getTrips().take_front(turns.counted));
  trips.append({turns.groups, turns.rows});
  if (std::optional<AffineMap> counts = leaf.getCounts()) {
    SmallVector<AffineExpr> all(counts->getResults().take_front(turns.counted));
    for (int64_t count : {turns.groups, turns.rows})
      all.push_back(getAffineConstantExpr(count, leaf.getContext()));
    leaf.setCounts(AffineMap::get(0, counts->getNumSymbols(), all, leaf.getContext()));
  }
  leaf.setTrips(trips);
  body.eraseArguments(turns.counted, body.getNumArguments() - turns.counted);
  for (unsigned loop = 0; loop < 2; ++loop)
    body.addArgument(IndexType::get(leaf.getContext()), leaf.getLoc());
}

/// A set over the leaf's loops that holds from the first of `groups` up to the second, and in each
/// from the first of `rows` up to the second; none if it holds everywhere.
static IntegerSet getTurnSet(MLIRContext *context, const Turns &turns,
                             std::pair<int64_t, int64_t> groups, std::pair<int64_t, int64_t> rows) {
  SmallVector<AffineExpr> constraints;
  auto isWithin = [&](unsigned loop, std::pair<int64_t, int64_t> range, int64_t trips) {
    AffineExpr index = getAffineDimExpr(loop, context);
    if (range.first > 0)
      constraints.push_back(index - range.first);
    if (range.second < trips)
      constraints.push_back(range.second - 1 - index);
  };
  isWithin(turns.counted, groups, turns.groups);
  isWithin(turns.counted + 1, rows, turns.rows);
  if (constraints.empty())
    return {};
  SmallVector<bool> areEqual(constraints.size(), false);
  return IntegerSet::get(turns.counted + 2, 0, constraints, areEqual);
}

/// The sets in which `fifo` is written: it may wait in each group once, and in the last one from
/// the end of the tensor on.
static SmallVector<IntegerSet> getGuards(MLIRContext *context, const Turns &turns, int64_t fifo) {
  SmallVector<IntegerSet> guards;
  auto addRuns = [&](std::pair<int64_t, int64_t> groups) {
    for (int64_t row = 0; row < turns.rows; ++row) {
      int64_t first = row;
      while (row < turns.rows && turns.isWritten(groups.first, row, fifo))
        ++row;
      if (row > first)
        guards.push_back(getTurnSet(context, turns, groups, {first, row}));
    }
  };
  bool isShort = turns.chunks % (turns.rows * turns.parts) != 0;
  int64_t whole = turns.groups - isShort;
  if (whole > 0)
    addRuns({0, whole});
  if (isShort)
    addRuns({whole, turns.groups});
  return guards;
}

/// The part of the row that `fifo` takes, by the row's turn.
static Value selectPart(OpBuilder &builder, Location loc, ArrayRef<Value> parts, const Turns &turns,
                        int64_t fifo) {
  Value value;
  for (int64_t row = 0; row < turns.rows; ++row) {
    int64_t part = turns.getPart(row, fifo);
    if (part >= turns.parts)
      continue;
    if (!value) {
      value = parts[part];
      continue;
    }
    AffineExpr turn = getAffineDimExpr(turns.counted + 1, builder.getContext());
    Value isTurn = TestOp::create(builder, loc, builder.getI1Type(),
                                  IntegerSet::get(turns.counted + 2, 0, turn - row, true));
    value = arith::SelectOp::create(builder, loc, isTurn, parts[part], value);
  }
  return value;
}

void dealInTurn(LeafOp leaf, int64_t parts) {
  MLIRContext *context = leaf.getContext();
  LoadOp load = getOnlyLoad(leaf);
  SmallVector<StreamWriteOp> writes = getPartWrites(leaf);
  Turns turns = planTurns(leaf, parts, writes.size());
  auto partType = cast<VectorType>(writes.front().getValue().getType());
  int64_t row = parts * partType.getNumElements();
  SmallVector<int64_t> shape(leaf.getTrips().take_front(turns.counted));
  shape.append({turns.countRows(), row});
  setShape(load.getMemory().getDefiningOp<PortOp>(), shape,
           [&](OpBuilder &builder, Location loc, Value tensor) {
             return layOutByHost(builder, loc, tensor, turns, shape);
           });
  SmallVector<Operation *> before =
      llvm::map_to_vector(leaf.getBlock(), [](Operation &op) { return &op; });
  setLoops(leaf, turns);

  Location loc = load.getLoc();
  OpBuilder builder = OpBuilder::atBlockEnd(&leaf.getBlock());
  SmallVector<AffineExpr> place;
  for (unsigned loop = 0; loop < turns.counted; ++loop)
    place.push_back(getAffineDimExpr(loop, context));
  place.push_back(getAffineDimExpr(turns.counted, context) * turns.rows +
                  getAffineDimExpr(turns.counted + 1, context));
  place.push_back(getAffineConstantExpr(0, context));
  SmallVector<int64_t> box(turns.counted + 1, 1);
  box.push_back(row);
  Value value = LoadOp::create(
      builder, loc, VectorType::get(box, partType.getElementType()), load.getMemory(), Value(),
      AffineMap::get(turns.counted + 2, 0, place, context), nullptr, nullptr, nullptr);
  value = vector::ShapeCastOp::create(builder, loc,
                                      VectorType::get({row}, partType.getElementType()), value);
  SmallVector<Value> values;
  for (int64_t part = 0; part < parts; ++part)
    values.push_back(vector::ExtractStridedSliceOp::create(
        builder, loc, value, ArrayRef<int64_t>{part * partType.getNumElements()},
        ArrayRef<int64_t>{partType.getNumElements()}, ArrayRef<int64_t>{1}));
  for (auto [fifo, write] : llvm::enumerate(writes)) {
    Value mine = selectPart(builder, loc, values, turns, fifo);
    for (IntegerSet guard : getGuards(context, turns, fifo))
      StreamWriteOp::create(builder, loc, mine, write.getStream(),
                            guard ? IntegerSetAttr::get(guard) : IntegerSetAttr());
    // That is in the order of the parts, whatever the loops are.
    for (AccessOpInterface access : getAccesses(write.getFifo().getDefiningOp<StreamOp>()))
      setOrder(access, {});
  }
  for (Operation *op : llvm::reverse(before))
    op->erase();
}

} // namespace streamtensor::schedule
