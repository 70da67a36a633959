//===- PartsOfWords.cpp - Rows in place that are parts of a word ----------===//
//
// A scale of a row of a cache is one element, and a word of the port holds those of many rows:
//
//   %scales = dataflow.port inout "scales" : !dataflow.port<2x64xf32>, read in words of 16 rows
//
// A port moves whole words. So the reader, which has the words in hand, keeps the one that the
// place of the first new row lies in, and hands it to the leaf that stores, in place of the token
// that says that it has been read. There each new row becomes a lane of the word: rows in front of
// it stay as they are, those behind it become zero. A row that begins a word needs no other, so
// whatever the reader has not read does not matter as long as its words reach up to the place.
//
//===----------------------------------------------------------------------===//

#include "CountClass.h"
#include "InPlace.h"
#include "ProgramChange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// Whether it can be done
//===----------------------------------------------------------------------===//

/// Do neighbours in the argument's port belong to rows that follow each other?
bool InPlace::holdsSeveralRows() {
  SmallVector<int64_t> box = cast<AccessOpInterface>(load.getOperation()).getBox();
  return !box.empty() && box.back() > 1 &&
         from.strides.back() == computeStrides(getExtents(function.getArgument(argument)))[along];
}

/// Where words begin in the argument, over the loops of the reader, and what these go through.
LogicalResult InPlace::findWords() {
  MLIRContext *context = function.getContext();
  ArrayRef<int64_t> loops = reader.getTrips();
  AffineExpr place = linearize(context, load.getMap().getResults(), from.strides);
  if (failed(splitPlace(simplifyAffineExpr(place, loops.size(), 0),
                        getExtents(function.getArgument(argument)), reader, loops, words)))
    return failure();
  auto isInOthers = [&](unsigned loop) {
    return llvm::any_of(llvm::enumerate(words), [&](auto each) {
      return each.index() != along && each.value().isFunctionOfDim(loop);
    });
  };
  for (unsigned loop = 0; loop < loops.size(); ++loop) {
    if (loops[loop] == 1)
      continue;
    bool isInWords = words[along].isFunctionOfDim(loop);
    if (isInOthers(loop) && isInWords)
      return fail("a loop of leaf '" + reader.getName() + "' goes through more than rows");
    if (!isInOthers(loop))
      (isInWords ? wordLoops : againLoops).push_back(loop);
    else if (!wordLoops.empty())
      besideLoops.push_back(loop);
  }
  return checkCoverage();
}

/// Do the loops from word to word reach each word of a row once?
LogicalResult InPlace::checkCoverage() {
  LinearForm form = LinearForm::of(words[along], reader.getNumLoops());
  SmallVector<std::pair<int64_t, int64_t>> steps;
  bool isNested = false;
  for (unsigned loop : wordLoops) {
    steps.push_back({form.factors[loop], reader.getTrips()[loop]});
    isNested |= form.isNested[loop];
  }
  llvm::sort(steps);
  int64_t reached = lanes;
  for (auto [step, count] : steps)
    reached = step == reached ? reached * count : 0;
  if (isNested || reached != getExtents(function.getArgument(argument))[along])
    return fail("leaf '" + reader.getName() + "' does not read every word of it once");
  return success();
}

/// All values of `coordinates` but the one along the rows, in the order of the loops but `without`,
/// which stand still; nothing if they are too many to be compared.
static std::optional<SmallVector<SmallVector<int64_t>>> listPlaces(ArrayRef<AffineExpr> coordinates,
                                                                   unsigned along,
                                                                   ArrayRef<int64_t> trips,
                                                                   ArrayRef<unsigned> without) {
  constexpr int64_t most = 4096;
  SmallVector<int64_t> moving(trips);
  for (unsigned loop : without)
    moving[loop] = 1;
  int64_t count = computeProduct(moving);
  if (count > most)
    return std::nullopt;
  SmallVector<int64_t> strides = computeStrides(moving);
  SmallVector<SmallVector<int64_t>> places;
  for (int64_t number = 0; number < count; ++number) {
    SmallVector<AffineExpr> indices;
    for (int64_t index : delinearize(number, strides))
      indices.push_back(getAffineConstantExpr(index, coordinates.front().getContext()));
    SmallVector<int64_t> &place = places.emplace_back();
    for (auto [dim, each] : llvm::enumerate(coordinates))
      if (dim != along)
        place.push_back(
            cast<AffineConstantExpr>(simplifyAffineExpr(each.replaceDims(indices), 0, 0))
                .getValue());
  }
  return places;
}

/// Words come in the order in which the first of the new rows need them.
LogicalResult InPlace::checkOrder(ArrayRef<AffineExpr> rowsAt) {
  SmallVector<unsigned> inner(wordLoops);
  llvm::append_range(inner, againLoops);
  auto isFixed = [](ArrayRef<AffineExpr> counts, ArrayRef<unsigned> without) {
    return llvm::all_of(llvm::enumerate(counts), [&](auto each) {
      return llvm::is_contained(without, each.index()) || isa<AffineConstantExpr>(each.value());
    });
  };
  if (!isFixed(getCounts(cast<NestOpInterface>(reader.getOperation())), inner) ||
      !isFixed(counts, rowLoops))
    return fail("how many words of it hold new rows is a scalar of the launch");
  auto read = listPlaces(words, along, reader.getTrips(), inner);
  auto written = listPlaces(rowsAt, along, trips, rowLoops);
  if (!read || !written || *read != *written)
    return fail("leaf '" + reader.getName() + "' does not read it in the order in which leaf '" +
                writer.getName() + "' stores its rows");
  return success();
}

LogicalResult InPlace::findParts() {
  MLIRContext *context = function.getContext();
  if (!isRun(cast<AccessOpInterface>(load.getOperation()).getBox()))
    return fail("leaf '" + reader.getName() + "' does not read one word after another");
  lanes = cast<VectorType>(load.getType()).getShape().back();
  AffineExpr place = takeLoops();
  if (given > 1) { // Element after element of a token.
    place = place + getAffineDimExpr(trips.size(), context) * to.strides.back();
    trips.push_back(given);
    counts.push_back(getAffineConstantExpr(given, context));
  }
  SmallVector<AffineExpr> rowsAt;
  if (failed(splitPlace(simplifyAffineExpr(place, trips.size(), 0), getExtents(getResult()), writer,
                        trips, rowsAt)) ||
      failed(checkTiles()) || failed(findWords()))
    return failure();
  for (unsigned loop = 0; loop < trips.size(); ++loop) {
    if (trips[loop] == 1 || !rowsAt[along].isFunctionOfDim(loop))
      continue;
    rowLoops.push_back(loop);
    for (auto [dim, each] : llvm::enumerate(rowsAt))
      if (dim != along && each.isFunctionOfDim(loop))
        return fail("a loop of leaf '" + writer.getName() + "' goes through more than rows");
  }
  if (failed(checkOrder(rowsAt)))
    return failure();
  rowsAt[along] = rowsAt[along] + getAffineSymbolExpr(symbols - 1, context);
  target = getTarget(rowsAt);
  lane = simplifyAffineExpr(target.back() % lanes, trips.size(), symbols);
  target.back() = simplifyAffineExpr(target.back().floorDiv(lanes) * lanes, trips.size(), symbols);
  return success();
}

//===----------------------------------------------------------------------===//
// Words in a memory of a leaf
//===----------------------------------------------------------------------===//

namespace {

/// Words that a leaf keeps from one iteration to a later one, as bits: a recurrence over floats has
/// room for an adder.
class KeptWords {
public:
  /// A word for each iteration of `loops`.
  KeptWords(LeafOp leaf, ArrayRef<unsigned> loops, VectorType bits) : bits(bits) {
    MLIRContext *context = leaf.getContext();
    AffineExpr zero = getAffineConstantExpr(0, context), number = zero;
    int64_t count = 1;
    for (unsigned loop : loops) {
      number = number * leaf.getTrips()[loop] + getAffineDimExpr(loop, context);
      count *= leaf.getTrips()[loop];
    }
    place = AffineMap::get(leaf.getNumLoops(), leaf.getScalars().size(), {number, zero}, context);
    moved = VectorType::get({1, bits.getNumElements()}, bits.getElementType());
    memory = leaf.getBlock().addArgument(
        PrivateType::get(context, {count, bits.getNumElements()}, bits.getElementType()),
        leaf.getLoc());
  }

  Value load(OpBuilder &builder, Location loc) const {
    Value found =
        LoadOp::create(builder, loc, moved, memory, Value(), place, nullptr, nullptr, nullptr);
    return vector::ShapeCastOp::create(builder, loc, bits, found);
  }
  void store(OpBuilder &builder, Location loc, Value word) const {
    word = vector::ShapeCastOp::create(builder, loc, moved, word);
    StoreOp::create(builder, loc, word, memory, place, nullptr, nullptr);
  }

private:
  VectorType bits, moved;
  AffineMap place;
  Value memory;
};

/// Sets over the loops and scalars of a leaf.
class Sets {
public:
  explicit Sets(LeafOp leaf)
      : loc(leaf.getLoc()), loops(leaf.getNumLoops()), scalars(leaf.getScalars().size()) {}

  /// Where all of `zeros` are zero; none holds everywhere.
  IntegerSetAttr where(ArrayRef<AffineExpr> zeros) const {
    return zeros.empty() ? IntegerSetAttr() : getSet(zeros, true);
  }
  Value isZero(OpBuilder &builder, ArrayRef<AffineExpr> zeros) const {
    return TestOp::create(builder, loc, builder.getI1Type(), getSet(zeros, true));
  }
  Value isAtLeast(OpBuilder &builder, AffineExpr expr, int64_t least) const {
    return TestOp::create(builder, loc, builder.getI1Type(), getSet(expr - least, false));
  }

private:
  IntegerSetAttr getSet(ArrayRef<AffineExpr> constraints, bool isEqual) const {
    return IntegerSetAttr::get(IntegerSet::get(loops, scalars, constraints,
                                               SmallVector<bool>(constraints.size(), isEqual)));
  }

  Location loc;
  unsigned loops, scalars;
};

} // namespace

static VectorType getBits(VectorType word) {
  return word.clone(IntegerType::get(word.getContext(), word.getElementTypeBitWidth()));
}

static Value castBits(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type ? value : arith::BitcastOp::create(builder, loc, type, value);
}

static Value createZero(OpBuilder &builder, Location loc, VectorType type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

//===----------------------------------------------------------------------===//
// The reader
//===----------------------------------------------------------------------===//

/// The reader hands on the word that the first new row lies in, with the last word of a row.
void InPlace::keepWord(PortOp port) {
  MLIRContext *context = function.getContext();
  Location loc = reader.getLoc();
  load.getMemoryMutable().assign(port.getResult());
  auto word = VectorType::get({lanes}, port.getType().getElementType());
  OpBuilder builder(reader);
  order = StreamOp::create(builder, loc, StreamType::get(context, word, 0),
                           (port.getName() + "_word").str());
  order.getOrdersMutable().assign(port.getResult());
  SmallVector<AffineExpr> ends = getCounts(cast<NestOpInterface>(reader.getOperation()));
  SmallVector<Value> scalars(reader.getScalars());
  scalars.push_back(addPosition(port));
  reader.getScalarsMutable().assign(scalars);
  reader.setCountsAttr(AffineMapAttr::get(AffineMap::get(0, scalars.size(), ends, context)));

  builder.setInsertionPointToEnd(&reader.getBlock());
  Sets sets(reader);
  Value handed = vector::ShapeCastOp::create(builder, loc, word, load.getResult());
  if (!wordLoops.empty()) {
    VectorType bits = getBits(word);
    KeptWords kept(reader, besideLoops, bits);
    SmallVector<AffineExpr> first;
    for (unsigned loop : wordLoops)
      first.push_back(getAffineDimExpr(loop, context));
    AffineExpr place = getAffineSymbolExpr(scalars.size() - 1, context).floorDiv(lanes) * lanes;
    Value zero = createZero(builder, loc, bits);
    Value isFirst = sets.isZero(builder, first);
    Value before = kept.load(builder, loc);
    before = arith::SelectOp::create(builder, loc, isFirst, zero, before);
    Value isPlace = sets.isZero(builder, words[along] - place);
    Value now = castBits(builder, loc, handed, bits);
    now = arith::SelectOp::create(builder, loc, isPlace, now, before);
    kept.store(builder, loc, now);
    handed = castBits(builder, loc, now, word);
  }
  SmallVector<AffineExpr> last;
  for (unsigned loop : llvm::concat<unsigned>(wordLoops, againLoops))
    last.push_back(getAffineDimExpr(loop, context) - ends[loop] + 1);
  StreamWriteOp::create(builder, loc, handed, order.getResult(), sets.where(last));
}

//===----------------------------------------------------------------------===//
// The leaf that stores
//===----------------------------------------------------------------------===//

/// One element of the token that the rows come in.
static Value getElement(OpBuilder &builder, Location loc, Value token, int64_t number) {
  auto type = dyn_cast<VectorType>(token.getType());
  if (!type)
    return token;
  if (type.getRank() != 1)
    token = vector::ShapeCastOp::create(
        builder, loc, VectorType::get({type.getNumElements()}, type.getElementType()), token);
  return vector::ExtractOp::create(builder, loc, token, number);
}

/// The new row: the innermost loop goes through a token of several.
Value InPlace::takeRow(OpBuilder &builder, LeafOp leaf) {
  Location loc = leaf.getLoc();
  Sets sets(leaf);
  AffineExpr part = getAffineDimExpr(trips.size() - 1, function.getContext());
  auto token = cast<StreamReadOp>(builder.clone(*rows));
  if (given > 1)
    token.setGuardAttr(sets.where(part));
  Value row = getElement(builder, loc, token.getResult(), 0);
  for (int64_t number = 1; number < given; ++number) {
    Value isPart = sets.isZero(builder, part - number);
    Value other = getElement(builder, loc, token.getResult(), number);
    row = arith::SelectOp::create(builder, loc, isPart, other, row);
  }
  return row;
}

/// `before` with `row` in its lane, what is behind it zero.
Value InPlace::putRow(OpBuilder &builder, LeafOp leaf, Value before, Value row) {
  Location loc = leaf.getLoc();
  Sets sets(leaf);
  auto bits = cast<VectorType>(before.getType());
  SmallVector<Value> inFront, here;
  for (int64_t each = 0; each < lanes; ++each) {
    inFront.push_back(sets.isAtLeast(builder, lane, each + 1));
    here.push_back(sets.isZero(builder, lane - each));
  }
  auto flags = VectorType::get({lanes}, builder.getI1Type());
  Value isInFront = vector::FromElementsOp::create(builder, loc, flags, inFront);
  Value isHere = vector::FromElementsOp::create(builder, loc, flags, here);
  Value added = castBits(builder, loc, row, bits.getElementType());
  added = vector::BroadcastOp::create(builder, loc, bits, added);
  Value behind = createZero(builder, loc, bits);
  behind = arith::SelectOp::create(builder, loc, isHere, added, behind);
  return arith::SelectOp::create(builder, loc, isInFront, before, behind);
}

/// Stores each new row in a word with those in front of it.
void InPlace::fillWords(PortOp port) {
  MLIRContext *context = function.getContext();
  Location loc = writer.getLoc();
  auto word = VectorType::get({lanes}, port.getType().getElementType());
  VectorType bits = getBits(word);
  LeafOp leaf = createWriter(port, {});
  OpBuilder builder = OpBuilder::atBlockBegin(&leaf.getBlock());
  Sets sets(leaf);
  SmallVector<AffineExpr> first;
  SmallVector<unsigned> otherLoops;
  for (unsigned loop = 0; loop < trips.size(); ++loop) {
    if (llvm::is_contained(rowLoops, loop))
      first.push_back(getAffineDimExpr(loop, context));
    else
      otherLoops.push_back(loop);
  }
  Value row = takeRow(builder, leaf);
  Value read = StreamReadOp::create(builder, loc, word, order.getResult(), sets.where(first));
  Value before = castBits(builder, loc, read, bits);
  Value after;
  if (first.empty()) {
    after = putRow(builder, leaf, before, row);
  } else { // The next row goes on in the word of this one.
    KeptWords kept(leaf, otherLoops, bits);
    Value isFirst = sets.isZero(builder, first);
    Value held = kept.load(builder, loc);
    before = arith::SelectOp::create(builder, loc, isFirst, before, held);
    after = putRow(builder, leaf, before, row);
    kept.store(builder, loc, after);
  }
  SmallVector<int64_t> box(port.getType().getShape().size(), 1);
  box.back() = lanes;
  Value stored =
      vector::ShapeCastOp::create(builder, loc, VectorType::get(box, word.getElementType()),
                                  castBits(builder, loc, after, word));
  StoreOp::create(builder, loc, stored, port.getResult(),
                  AffineMap::get(trips.size(), symbols, target, context), nullptr, nullptr);
  writer.erase();
}
