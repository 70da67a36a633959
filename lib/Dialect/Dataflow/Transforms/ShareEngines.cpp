//===- ShareEngines.cpp - One leaf for the products of several ------------===//
//
//   dataflow.leaf "up" compute [24, 48, 8] attributes {engine = "engine"} {
//     %v = stream_read %x, %w = stream_read %weights, … sum of products …, stream_write %r, %y
//   }
//   dataflow.leaf "down" compute [24, 32] attributes {engine = "engine", together} {
//     nest "fill" [16] { … }
//     nest "core" [8, 8] lag 1 { %v = load %m, … sum of products …, stream_write %r, %z }
//   }
//
// become
//
//   dataflow.leaf "engine" compute [24] {
//     dataflow.nest "up" [48, 8] { %v = stream_read %x … stream_write %r, %y }
//     dataflow.nest "down" [32, 8, 8] { %v = stream_read %taken … stream_write %r, %z }
//   }
//   dataflow.leaf "down" compute [24, 32] attributes {together} {
//     nest "fill" [16] { … }
//     nest "core" [8, 8] lag 1 { %v = load %m, stream_write %v, %taken }
//   }
//
// Nests that run one after the other share their operators, so a product of one contraction and of
// the next is made by the same multiplier. What goes to the engine is the tree from the operands of
// the products to their sum in one iteration, with the FIFOs that it alone reads or writes, and the
// memory that the sums of iterations are added up in. What needs another memory stays: it hands
// operands to the engine, or takes sums from it, through a FIFO. A leaf that does both becomes two,
// since a sum comes later than the operands that it is made of.
//
// Turns are in program order, but what somebody must have whole (the keys of an attention) comes
// before what he takes piece by piece (queries).
//
// A leaf lies on one die. An engine that no die holds is cut into slices, a leaf each: a slice has
// some of the rows of weights, which come through FIFOs of their own, and gives some of the lanes
// of each sum (`EngineSlices.cpp`). The activations, which all need, come through the first one,
// and the sums of all contractions leave a slice through one FIFO. Where rows of weights cannot be
// dealt, rows of activations are, and weights go from slice to slice. Memories of integers stay
// where they were; those in which floats are added up are dealt too, as an adder of floats takes
// DSPs.
//
//===----------------------------------------------------------------------===//

#include "EngineParts.h"
#include "LayerWays.h"
#include "NarrowLanes.h"
#include "ProgramChange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "streamtensor/Device/ScalarOperations.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignGraph.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"
#include "streamtensor/Support/BitWidth.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace streamtensor {
#define GEN_PASS_DEF_SHAREENGINES
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// The engine
//===----------------------------------------------------------------------===//

namespace {

/// Builds the engine of some leaves of a design, which share their outermost loop.
class EngineBuilder {
public:
  EngineBuilder(DesignOp design, StringRef name, MutableArrayRef<EnginePart> parts, int64_t slices,
                int64_t tokenBits)
      : design(design), name(name), parts(parts), slices(slices), tokenBits(tokenBits),
        builder(design.getContext()) {
    for (auto fifo : design.getOps<StreamOp>())
      names.insert(fifo.getName());
    for (auto buffer : design.getOps<BufferOp>())
      names.insert(buffer.getName());
    for (auto leaf : design.getOps<LeafOp>())
      names.insert(leaf.getName());
  }
  void run();

private:
  std::string getName(const Twine &wanted);
  LeafOp createLeaf(int64_t slice);
  void addNest(EnginePart &part, int64_t slice);
  void joinSums();
  StreamOp createFifo(LeafOp before, const Twine &wanted, Type token);
  SmallVector<StreamOp> createFifos(LeafOp before, const Twine &wanted, Type token);
  StreamReadOp takePassed(StreamReadOp before, function_ref<Value(OpBuilder &)> getSent = nullptr);
  StreamOp getSumFifo(EnginePart &part, Value fifo, Type token);
  void giveSums(EnginePart &part, Value sum);
  void handOver(EnginePart &part, function_ref<Value(Value)> getOperand);
  void splitOperands(EnginePart &part);
  void takeSums(EnginePart &part);
  void finishLeaf(EnginePart &part);
  void renumber(Operation *op, const LoopNest &loops);

  DesignOp design;
  StringRef name;
  MutableArrayRef<EnginePart> parts;
  int64_t slices;
  int64_t tokenBits; ///< At most, of a FIFO.
  OpBuilder builder;
  LeafOp engine;              ///< Of the slice that is built.
  SmallVector<LeafOp> built;  ///< Of all slices.
  SmallVector<Value> scalars; ///< Of all parts.
  llvm::StringSet<> names;
  /// The FIFOs of an operand, or of sums that the leaf takes back; for each slice that of what a
  /// FIFO of sums was.
  DenseMap<Value, SmallVector<StreamOp>> handed;
  /// Where the first slice takes what every slice needs.
  DenseMap<Value, StreamReadOp> taken;
  /// FIFOs to the slice that is built, by giver and token, and those that the nest has used.
  using Passing = std::pair<Operation *, Type>;
  DenseMap<Passing, SmallVector<StreamOp>> passed;
  DenseMap<Passing, unsigned> passedInNest;
};

} // namespace

std::string EngineBuilder::getName(const Twine &wanted) {
  std::string found = wanted.str();
  for (int suffix = 1; !names.insert(found).second; ++suffix)
    found = (wanted + "_" + Twine(suffix)).str();
  return found;
}

StreamOp EngineBuilder::createFifo(LeafOp before, const Twine &wanted, Type token) {
  OpBuilder at(before);
  return StreamOp::create(at, before.getLoc(), StreamType::get(design.getContext(), token, 0),
                          getName(wanted));
}

/// As many as `token` takes, each with some of its lanes.
SmallVector<StreamOp> EngineBuilder::createFifos(LeafOp before, const Twine &wanted, Type token) {
  auto vector = dyn_cast<VectorType>(token);
  if (!vector || getBitWidth(token) <= tokenBits)
    return {createFifo(before, wanted, token)};
  SmallVector<StreamOp> fifos;
  int64_t lanes = vector.getNumElements(), most = tokenBits / getBitWidth(vector.getElementType());
  int64_t ofEach = llvm::divideCeil(lanes, llvm::divideCeil(lanes, most));
  for (int64_t first = 0; first < lanes; first += ofEach)
    fifos.push_back(createFifo(
        before, wanted, VectorType::get(std::min(ofEach, lanes - first), vector.getElementType())));
  return fifos;
}

/// Writes `token` into FIFOs that have some of its lanes each.
static void writeLanes(OpBuilder &builder, Value token, ArrayRef<StreamOp> fifos) {
  int64_t first = 0;
  for (StreamOp fifo : fifos) {
    Type type = StreamOp(fifo).getType().getElementType();
    Value lanes = token;
    if (fifos.size() > 1) {
      int64_t count = cast<VectorType>(type).getNumElements();
      lanes = vector::ExtractStridedSliceOp::create(builder, token.getLoc(), token,
                                                    ArrayRef<int64_t>{first},
                                                    ArrayRef<int64_t>{count}, ArrayRef<int64_t>{1});
      first += count;
    }
    StreamWriteOp::create(builder, token.getLoc(), lanes, StreamOp(fifo).getResult(), nullptr);
  }
}

/// Where the last of the leaves stands: the channels of all are declared there. Slices follow each
/// other.
LeafOp EngineBuilder::createLeaf(int64_t slice) {
  LeafOp last = parts.front().leaf;
  SmallVector<Location> locations;
  llvm::SmallSetVector<Value, 4> all;
  for (EnginePart &part : parts) {
    if (last->isBeforeInBlock(part.leaf))
      last = part.leaf;
    locations.push_back(part.leaf.getLoc());
    all.insert_range(part.leaf.getScalars());
  }
  scalars = all.takeVector();
  LoopNest loops = getLoopNest(parts.front().nest);
  loops.renumber(scalars);
  builder.setInsertionPointAfter(slice > 0 ? engine : last);
  std::string leafName = slices == 1 ? name.str() : (name + "_s" + Twine(slice)).str();
  auto leaf = LeafOp::create(builder, FusedLoc::get(design.getContext(), locations),
                             getName(leafName), ArrayRef(loops.trips).take_front(1), ValueRange(),
                             {}, ValueRange(), {}, Role::Compute, TypeRange());
  if (scalars.empty())
    return leaf;
  leaf.getScalarsMutable().assign(scalars);
  leaf.setCountsAttr(AffineMapAttr::get(
      AffineMap::get(0, scalars.size(), loops.counts.front(), design.getContext())));
  return leaf;
}

/// Maps and sets of a part over the scalars of all.
void EngineBuilder::renumber(Operation *op, const LoopNest &loops) {
  auto renumberAll = [&](ArrayRef<AffineExpr> exprs) {
    return llvm::map_to_vector(exprs, [&](AffineExpr each) { return loops.renumber(each); });
  };
  rewriteSpace(
      op,
      [&](IntegerSet set) {
        return IntegerSet::get(set.getNumDims(), scalars.size(), renumberAll(set.getConstraints()),
                               set.getEqFlags());
      },
      [&](AffineMap map) {
        return AffineMap::get(map.getNumDims(), map.getNumSymbols() ? scalars.size() : 0,
                              renumberAll(map.getResults()), design.getContext());
      });
}

/// Takes what another slice has read, which hands it on: all parts have a FIFO together for tokens
/// of it that are alike, so that fewer bits cross to other dies.
StreamReadOp EngineBuilder::takePassed(StreamReadOp before,
                                       function_ref<Value(OpBuilder &)> getSent) {
  OpBuilder after(before->getBlock(), std::next(before->getIterator()));
  Value sent = getSent ? getSent(after) : before.getResult();
  Type token = sent.getType();
  auto giver = before->getParentOfType<LeafOp>();
  SmallVector<StreamOp> &fifos = passed[{giver, token}];
  unsigned &used = passedInNest[{giver, token}];
  if (used == fifos.size()) {
    fifos.push_back(createFifo(giver, giver.getName() + "_passed", token));
  }
  StreamOp fifo = fifos[used++];
  StreamWriteOp::create(after, before.getLoc(), sent, fifo.getResult(), before.getGuardAttr());
  return StreamReadOp::create(builder, before.getLoc(), token, fifo.getResult(),
                              before.getGuardAttr());
}

/// The bits that a slice's sums can take: wires from one die to another are few.
static Value narrowSum(OpBuilder &builder, Value sum) {
  int64_t bits = getSignificantBits(sum);
  Type element = getElementTypeOrSelf(sum.getType());
  if (!element.isInteger() || bits >= element.getIntOrFloatBitWidth())
    return sum;
  return narrow(builder, sum, builder.getIntegerType(bits));
}

/// The FIFO of the slice's lanes of what `fifo` takes.
StreamOp EngineBuilder::getSumFifo(EnginePart &part, Value fifo, Type token) {
  StreamOp made = createFifo(part.leaf, fifo.getDefiningOp<StreamOp>().getName(), token);
  handed[fifo].push_back(made);
  return made;
}

/// The lanes of `fifos`, each read where the guard holds, one after the other along `dim` of
/// `whole`.
static Value readLanes(OpBuilder &builder, Location loc, ArrayRef<StreamOp> fifos, Type whole,
                       unsigned dim, IntegerSetAttr guard, ArrayRef<NamedAttribute> attributes) {
  Value all;
  SmallVector<int64_t> offsets;
  for (StreamOp fifo : fifos) {
    Type token = StreamOp(fifo).getType().getElementType();
    auto read = StreamReadOp::create(builder, loc, token, StreamOp(fifo).getResult(), guard);
    for (NamedAttribute attribute : attributes)
      read->setAttr(attribute.getName(), attribute.getValue());
    if (fifos.size() == 1)
      return reshape(builder, loc, read.getResult(), whole);
    Value lanes = widen(builder, read.getResult(), getElementTypeOrSelf(whole));
    auto type = cast<VectorType>(whole);
    SmallVector<int64_t> shape(type.getShape()), steps(type.getRank(), 1);
    auto row = dyn_cast<VectorType>(token);
    shape[dim] = shape[dim] * (row ? row.getNumElements() : 1) / type.getNumElements();
    if (!all) {
      all = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
      offsets.assign(type.getRank(), 0);
    }
    lanes = reshape(builder, loc, lanes, VectorType::get(shape, type.getElementType()));
    all = vector::InsertStridedSliceOp::create(builder, loc, lanes, all, offsets, steps);
    offsets[dim] += shape[dim];
  }
  return all;
}

void EngineBuilder::addNest(EnginePart &part, int64_t slice) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&engine.getBlock());
  LoopNest loops = getLoopNest(part.nest);
  loops.renumber(scalars);
  ArrayRef<AffineExpr> counts = ArrayRef(loops.counts).drop_front();
  AffineMapAttr counted;
  if (!llvm::all_of(counts, llvm::IsaPred<AffineConstantExpr>))
    counted = AffineMapAttr::get(AffineMap::get(0, scalars.size(), counts, design.getContext()));
  auto nest = NestOp::create(builder, part.leaf.getLoc(), part.leaf.getName(),
                             ArrayRef(loops.trips).drop_front(), counted, /*lag=*/0, /*ii=*/0,
                             /*depth=*/0, /*limit=*/nullptr);
  Block &body = nest.getRegion().emplaceBlock();
  SmallVector<Value> indices(part.leaf.getIndices());
  if (part.leaf.hasNests())
    llvm::append_range(indices, part.nest.getOperations().getArguments());
  IRMapping mapping;
  mapping.map(indices.front(), engine.getIndices().front());
  for (Value index : ArrayRef(indices).drop_front())
    mapping.map(index, body.addArgument(index.getType(), index.getLoc()));
  for (Value memory : part.accumulators)
    mapping.map(memory, engine.getBlock().addArgument(part.slices.getPartOfMemory(memory, slices),
                                                      memory.getLoc()));
  builder.setInsertionPointToEnd(&body);
  passedInNest.clear();
  for (Value operand : part.operands) {
    if (slice > 0) {
      StreamReadOp &before = taken[operand];
      StreamReadOp read = takePassed(before, [&](OpBuilder &at) {
        Value whole = reshape(at, before.getLoc(), before.getResult(), operand.getType());
        Value lanes = part.slices.extract(at, operand, whole, slice, slices);
        return reshape(at, before.getLoc(), lanes, getToken(lanes.getType()));
      });
      mapping.map(operand, reshape(builder, operand.getLoc(), read.getResult(),
                                   part.slices.getPartOf(operand, slices)));
      if (part.slices.isHandedOn(operand))
        before = read;
      continue;
    }
    Type token = getToken(operand.getType());
    SmallVector<StreamOp> fifos = createFifos(part.leaf, part.leaf.getName() + "_taken", token);
    handed[operand] = fifos;
    Value read = readLanes(builder, operand.getLoc(), fifos, token, /*dim=*/0, nullptr, {});
    if (slices > 1)
      taken[operand] = read.getDefiningOp<StreamReadOp>();
    Value whole = reshape(builder, operand.getLoc(), read, operand.getType());
    mapping.map(operand, part.slices.extract(builder, operand, whole, slice, slices));
  }
  for (Operation *op : part.moved) {
    bool isTakenWhole = isa<StreamReadOp>(op) && part.slices.isWhole(op);
    if (isTakenWhole && slice > 0) {
      StreamReadOp &before = taken[op->getResult(0)];
      StreamReadOp read = takePassed(before);
      if (part.slices.isHandedOn(op->getResult(0)))
        before = read;
      mapping.map(op->getResult(0), read.getResult());
      continue;
    }
    Operation *clone = part.slices.clone(builder, op, mapping, slice, slices);
    if (!clone)
      continue;
    renumber(clone, loops);
    if (isTakenWhole)
      taken[op->getResult(0)] = cast<StreamReadOp>(clone);
  }
  Value sum = mapping.lookup(part.sum);
  if (slices > 1)
    sum = narrowSum(builder, sum);
  Type token = getToken(sum.getType());
  sum = reshape(builder, sum.getLoc(), sum, token);
  for (StreamWriteOp write : part.writes) {
    mapping.map(part.sum, sum);
    auto clone = cast<StreamWriteOp>(builder.clone(*write, mapping));
    renumber(clone, loops);
    if (slices > 1)
      clone.getStreamMutable().assign(getSumFifo(part, write.getFifo(), token).getResult());
  }
  if (part.writes.empty())
    giveSums(part, sum);
}

/// What the leaf takes back.
void EngineBuilder::giveSums(EnginePart &part, Value sum) {
  SmallVector<StreamOp> fifos =
      createFifos(part.leaf, part.leaf.getName() + "_sums", sum.getType());
  writeLanes(builder, sum, fifos);
  handed[part.sum].append(fifos);
}

static StreamWriteOp getWrite(StreamOp fifo) {
  for (AccessOpInterface access : getAccesses(fifo))
    if (auto write = dyn_cast<StreamWriteOp>(access.getOperation()))
      return write;
  return nullptr;
}

/// A FIFO for each contraction's sums would cross from a slice to other dies, though one
/// contraction has its turn at a time. So each slice writes sums that are alike into one FIFO, and
/// a leaf near who takes them hands them on:
///
///   dataflow.leaf "engine_sums" {
///     nest "up" { read %s0, write %up_sums; read %s1, … }
///     nest "down" { … }
///   }
void EngineBuilder::joinSums() {
  llvm::MapVector<Type, SmallVector<ArrayRef<StreamOp>>> alike;
  for (EnginePart &part : parts) {
    if (part.writes.size() > 1)
      continue;
    ArrayRef<StreamOp> fifos =
        handed.find(part.writes.empty() ? part.sum : part.writes.front().getFifo())->second;
    alike[StreamOp(fifos.front()).getType()].push_back(fifos);
  }
  for (auto &[type, sums] : alike) {
    if (sums.size() < 2)
      continue;
    SmallVector<StreamOp> joined;
    for (LeafOp slice : built)
      joined.push_back(createFifo(built.front(), slice.getName() + "_sums",
                                  cast<StreamType>(type).getElementType()));
    builder.setInsertionPointAfter(built.back());
    auto leaf = cast<LeafOp>(builder.cloneWithoutRegions(*built.front()));
    leaf.setName(getName(name + "_sums"));
    Block &block = leaf.getRegion().emplaceBlock();
    for (unsigned loop = 0; loop < leaf.getNumLoops(); ++loop)
      block.addArgument(builder.getIndexType(), leaf.getLoc());
    for (ArrayRef<StreamOp> fifos : sums) {
      builder.setInsertionPointToEnd(&block);
      auto ofEngine = getWrite(fifos.front())->getParentOfType<NestOp>();
      auto nest = cast<NestOp>(builder.cloneWithoutRegions(*ofEngine));
      Block &body = nest.getRegion().emplaceBlock();
      for (BlockArgument index : ofEngine.getBlock().getArguments())
        body.addArgument(index.getType(), index.getLoc());
      builder.setInsertionPointToEnd(&body);
      for (auto [fifo, shared] : llvm::zip_equal(fifos, joined)) {
        StreamWriteOp write = getWrite(fifo);
        auto read =
            StreamReadOp::create(builder, write.getLoc(), StreamOp(fifo).getType().getElementType(),
                                 StreamOp(shared).getResult(), write.getGuardAttr());
        auto handedOn = cast<StreamWriteOp>(builder.clone(*write));
        handedOn.getValueMutable().assign(read.getResult());
        write.getStreamMutable().assign(StreamOp(shared).getResult());
        // Tensors of several orders pass it.
        write->setDiscardableAttrs(DictionaryAttr::get(design.getContext()));
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// What is left of a leaf
//===----------------------------------------------------------------------===//

/// Writes the operands, which `getOperand` finds, into their FIFOs.
void EngineBuilder::handOver(EnginePart &part, function_ref<Value(Value)> getOperand) {
  OpBuilder inside(part.leaf);
  for (Value operand : part.operands) {
    Value value = getOperand(operand);
    inside.setInsertionPointAfterValue(value);
    Value token = reshape(inside, value.getLoc(), value, getToken(value.getType()));
    writeLanes(inside, token, handed.lookup(operand));
  }
}

/// The levels of the `blocks` that the leaf still uses; takes the others away.
static SmallVector<int64_t> keepUsed(LeafOp leaf, MutableOperandRange blocks,
                                     ArrayRef<int64_t> levels) {
  SmallVector<Value> used;
  SmallVector<int64_t> kept;
  for (auto [block, level] : llvm::zip_equal(llvm::to_vector(OperandRange(blocks)), levels))
    if (llvm::any_of(getAccesses(leaf),
                     [&](AccessOpInterface access) { return access.getChannel() == block; })) {
      used.push_back(block);
      kept.push_back(level);
    }
  blocks.assign(used);
  return kept;
}

/// Takes nests without work away, and memories that nobody uses; lags begin at 0 again.
static void removeUnused(LeafOp leaf) {
  leaf.setReadLevels(keepUsed(leaf, leaf.getReadsMutable(), leaf.getReadLevels()));
  leaf.setWriteLevels(keepUsed(leaf, leaf.getWritesMutable(), leaf.getWriteLevels()));
  for (NestOp nest : llvm::make_early_inc_range(leaf.getBlock().getOps<NestOp>()))
    if (nest.getBlock().empty())
      nest.erase();
  if (leaf.hasNests()) {
    int64_t least = (*leaf.getBlock().getOps<NestOp>().begin()).getLag();
    for (NestOp nest : leaf.getBlock().getOps<NestOp>())
      nest.setLag(nest.getLag() - least);
  }
  for (unsigned number = leaf.getBlock().getNumArguments(); number-- > leaf.getNumLoops();)
    if (leaf.getBlock().getArgument(number).use_empty())
      leaf.getBlock().eraseArgument(number);
}

/// A leaf of its own for what makes the operands.
void EngineBuilder::splitOperands(EnginePart &part) {
  OpBuilder before(part.leaf);
  IRMapping mapping;
  auto first = cast<LeafOp>(before.clone(*part.leaf, mapping));
  first.setName(getName(part.leaf.getName() + "_operands"));
  SmallVector<Operation *> others;
  for (NestOpInterface nest : part.leaf.getNests())
    for (Operation &op : nest.getOperations())
      if (!part.first.contains(&op))
        others.push_back(mapping.lookup(&op));
  handOver(part, [&](Value operand) { return mapping.lookup(operand); });
  for (Operation *op : llvm::reverse(others))
    op->erase();
  removeUnused(first);
}

/// The type without dimensions of one element; `dim` becomes the place of that dimension there.
static Type dropUnits(Type type, unsigned &dim) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getNumElements() == 1)
    return getToken(type);
  SmallVector<int64_t> shape(vector.getShape());
  dim = llvm::count_if(ArrayRef(shape).take_front(dim), [](int64_t size) { return size > 1; });
  llvm::erase(shape, 1);
  return VectorType::get(shape, vector.getElementType());
}

/// Whoever reads sums takes the lanes of all slices.
void EngineBuilder::takeSums(EnginePart &part) {
  OpBuilder inside(part.leaf);
  if (part.writes.empty()) {
    inside.setInsertionPointAfterValue(part.sum);
    unsigned dim = part.slices.getSumDim();
    Type whole = slices == 1 ? getToken(part.sum.getType()) : dropUnits(part.sum.getType(), dim);
    Value sum =
        readLanes(inside, part.sum.getLoc(), handed.lookup(part.sum), whole, dim, nullptr, {});
    sum = reshape(inside, part.sum.getLoc(), sum, part.sum.getType());
    part.sum.replaceAllUsesWith(sum);
  }
  for (StreamWriteOp write : part.writes) {
    Value fifo = write.getFifo();
    write.erase();
    if (slices == 1)
      continue;
    for (AccessOpInterface access : getAccesses(fifo.getDefiningOp<StreamOp>())) {
      auto read = cast<StreamReadOp>(access.getOperation());
      inside.setInsertionPoint(read);
      read.replaceAllUsesWith(readLanes(inside, read.getLoc(), handed.lookup(fifo), read.getType(),
                                        /*dim=*/0, read.getGuardAttr(),
                                        llvm::to_vector(read->getDiscardableAttrs())));
      read.erase();
    }
    fifo.getDefiningOp()->erase();
  }
}

void EngineBuilder::finishLeaf(EnginePart &part) {
  bool isSplit = !part.first.empty();
  if (isSplit)
    splitOperands(part);
  else
    handOver(part, [](Value operand) { return operand; });
  takeSums(part);
  for (Operation *op : llvm::reverse(part.moved))
    if (op->use_empty())
      op->erase();
  if (isSplit) {
    // Users stand behind what they use.
    for (NestOpInterface nest : part.leaf.getNests())
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(nest.getOperations())))
        if (part.first.contains(&op) && op.use_empty())
          op.erase();
  }
  if (isSplit || !part.accumulators.empty())
    removeUnused(part.leaf);
  if (!part.leaf.hasNests() && part.leaf.getBlock().empty())
    part.leaf.erase();
}

void EngineBuilder::run() {
  for (int64_t slice = 0; slice < slices; ++slice) {
    engine = createLeaf(slice);
    passed.clear();
    for (EnginePart &part : parts)
      addNest(part, slice);
    built.push_back(engine);
  }
  if (slices > 1)
    joinSums();
  for (EnginePart &part : parts)
    finishLeaf(part);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void warn(LeafOp leaf, const Twine &reason) {
  emitWarning(leaf.getLoc()) << "[engine.fallback] leaf '" << leaf.getName()
                             << "' multiplies by itself and not in an engine: " << reason;
}

/// Does the leaf go through the layers in its outermost loop, as `first` does? An engine has all
/// its turns in one layer before the next.
static bool goesRoundWith(LeafOp leaf, LeafOp first) {
  auto getRounds = [](LeafOp op) {
    LeafBoxes boxes(op);
    return boxes.getNumIterations(ScalarBox(ArrayRef(boxes.getWhole()).take_front(1)));
  };
  return leaf.getNumLoops() > 0 && first.getNumLoops() > 0 && getRounds(leaf) == getRounds(first);
}

/// Does a loop go through the layers?
static bool hasLayers(DesignOp design) {
  return llvm::any_of(design.getOps<StreamOp>(), [](StreamOp stream) { return stream.getBack(); });
}

/// A design without a loop over layers is one layer: gives all leaves a loop of one trip, if they
/// have none.
static void addRound(DesignOp design) {
  auto leaves = design.getOps<LeafOp>();
  if (llvm::all_of(leaves,
                   [](LeafOp leaf) { return leaf.getNumLoops() > 0 && leaf.getTrips()[0] == 1; }))
    return;
  for (LeafOp leaf : leaves)
    addOutermostLoop(leaf, 1);
}

/// Leaves that what `from` gives comes to, itself included, up to those of `parts`.
static llvm::SmallSetVector<Operation *, 16> getReached(LeafOp from, ArrayRef<EnginePart> parts,
                                                        ArrayRef<DesignEdge> edges) {
  llvm::SmallSetVector<Operation *, 16> reached;
  reached.insert(from);
  for (size_t number = 0; number < reached.size(); ++number) {
    bool isPart = number > 0 && llvm::any_of(parts, [&](const EnginePart &part) {
                    return part.leaf == reached[number];
                  });
    for (const DesignEdge &edge : edges)
      if (!isPart && edge.writer == reached[number] && !edge.isBack())
        reached.insert(edge.reader);
  }
  return reached;
}

/// Is all that `part` gives held before somebody begins with it?
static bool isHeldWhole(const EnginePart &part, ArrayRef<EnginePart> parts,
                        ArrayRef<DesignEdge> edges) {
  auto reached = getReached(part.leaf, parts, edges);
  return llvm::any_of(edges, [&](const DesignEdge &edge) {
    auto buffer = dyn_cast<BufferOp>(edge.channel);
    return buffer && buffer.getBlocks() == 1 && reached.contains(edge.writer);
  });
}

/// Puts the loads for `part` in front of those for `other`.
static void moveLoads(const EnginePart &part, const EnginePart &other, ArrayRef<DesignEdge> edges) {
  auto getLoads = [&](LeafOp reader) {
    SmallVector<LeafOp> loads;
    for (const DesignEdge &edge : edges)
      if (edge.reader == reader && LeafOp(edge.writer).getRole() == Role::Load)
        loads.push_back(edge.writer);
    return loads;
  };
  LeafOp first;
  for (LeafOp load : getLoads(other.leaf))
    if (!first || load->isBeforeInBlock(first))
      first = load;
  for (LeafOp load : getLoads(part.leaf)) {
    if (!first || load->isBeforeInBlock(first))
      continue;
    for (auto write : load.getBlock().getOps<StreamWriteOp>())
      write.getFifo().getDefiningOp()->moveBefore(first);
    load->moveBefore(first);
  }
}

/// What somebody must have whole before he begins has its turn first: an attention takes queries as
/// they come, once there are keys and values.
static void orderTurns(DesignOp design, std::vector<EnginePart> &parts) {
  SmallVector<DesignEdge> edges = getEdges(design);
  auto isHeld = llvm::map_to_vector(
      parts, [&](const EnginePart &part) { return isHeldWhole(part, parts, edges); });
  for (size_t number = 1; number < parts.size(); ++number)
    for (size_t place = number; place > 0 && isHeld[place] && !isHeld[place - 1]; --place) {
      if (reaches(parts[place - 1].leaf, parts[place].leaf, edges))
        break;
      moveLoads(parts[place], parts[place - 1], edges);
      std::swap(parts[place], parts[place - 1]);
      std::swap(isHeld[place], isHeld[place - 1]);
    }
}

static LogicalResult shareEngine(DesignOp design, StringRef name, ArrayRef<LeafOp> leaves,
                                 const DeviceModel &device) {
  bool isLooped = hasLayers(design);
  std::vector<EnginePart> parts;
  for (LeafOp leaf : leaves) {
    std::string reason;
    if (isLooped && !goesRoundWith(leaf, leaves.front())) {
      warn(leaf, "it goes through other layers than the others");
    } else if (FailureOr<EnginePart> part = findPart(leaf, /*accumulates=*/false, reason);
               succeeded(part)) {
      parts.push_back(std::move(*part));
    } else {
      warn(leaf, reason);
    }
  }
  int64_t slices = chooseSlices(parts, device);
  llvm::erase_if(parts, [&](EnginePart &part) {
    std::string why;
    auto isWide = [&](Value operand) {
      return getBitWidth(operand.getType()) > device.fifo().tokenBits;
    };
    if (slices > 1 && getBitWidth(part.sum.getType()) > slices * device.fifo().tokenBits)
      why = "its sums are wider than the FIFOs of " + std::to_string(slices) + " dies";
    else if (slices > 1 && llvm::any_of(part.operands, isWide))
      why = "what it would hand over to several dies is wider than a FIFO";
    else if (slices > 1 && !part.slices.plan(part, slices))
      why = "its lanes cannot be dealt to " + std::to_string(slices) + " dies";
    if (!why.empty())
      warn(part.leaf, why);
    return !why.empty();
  });
  if (parts.size() < 2)
    return success();
  std::string reason;
  for (EnginePart &part : parts) {
    // Adders of integers are logic.
    if (slices > 1 && getElementTypeOrSelf(part.sum.getType()).isInteger())
      break;
    if (FailureOr<EnginePart> whole = findPart(part.leaf, /*accumulates=*/true, reason);
        succeeded(whole) && (slices == 1 || whole->slices.plan(*whole, slices)))
      part = std::move(*whole);
  }
  auto module = design->getParentOfType<ModuleOp>();
  if (succeeded(applyOrRestore(
          module,
          [&] {
            if (!isLooped) {
              orderTurns(design, parts);
              addRound(design);
            }
            EngineBuilder(design, name, parts, slices, device.fifo().tokenBits).run();
          },
          reason)))
    return success();
  return emitWarning(module.getLoc())
         << "[engine.fallback] each contraction multiplies by itself: " << reason;
}

namespace {
struct ShareEnginesPass : streamtensor::impl::ShareEnginesBase<ShareEnginesPass> {
  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    for (auto design : llvm::to_vector(getOperation().getOps<DesignOp>())) {
      llvm::MapVector<StringAttr, SmallVector<LeafOp>> engines;
      for (auto leaf : design.getOps<LeafOp>())
        if (StringAttr engine = leaf.getEngineAttr())
          engines[engine].push_back(leaf);
      for (auto &[engine, leaves] : engines) {
        for (LeafOp leaf : leaves)
          leaf.removeEngineAttr();
        if (failed(shareEngine(design, engine.getValue(), leaves, **device)))
          return; // The module is as it was, in other operations.
      }
    }
  }
};
} // namespace
