//===- EngineBuilder.cpp - The leaves of an engine ------------------------===//
//
// A leaf for each slice, with a nest for each part, in which what goes to the engine is cloned.
// Then what is left of each leaf hands operands over and takes sums back, or is no more.
//
//===----------------------------------------------------------------------===//

#include "EngineBuilder.h"

#include "EngineSums.h"

#include "NarrowLanes.h"
#include "ProgramChange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "streamtensor/Device/ScalarOperations.h"
#include "streamtensor/Support/BitWidth.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

StreamOp EngineBuilder::createFifo(LeafOp before, const Twine &wanted, Type token) {
  OpBuilder at(before);
  return StreamOp::create(at, before.getLoc(), StreamType::get(design.getContext(), token, 0),
                          getName(wanted));
}

ParallelFifos &EngineBuilder::createWay(EnginePart &part, Value value, const Twine &wanted) {
  OpBuilder at(part.leaf);
  ParallelFifos fifos(at, part.leaf.getLoc(), getToken(value.getType()), tokenBits,
                      [&](unsigned) { return getName(wanted); });
  return ways.try_emplace(value, std::move(fifos)).first->second;
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

/// The FIFO of the slice's lanes of `sum`, or of what a FIFO of sums takes.
StreamOp EngineBuilder::createSumFifo(EnginePart &part, Value sum, const Twine &wanted,
                                      Type token) {
  StreamOp made = createFifo(part.leaf, wanted, token);
  handed[sum].push_back(made);
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
    shape[dim] /= fifos.size();
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
    Value read =
        createWay(part, operand, part.leaf.getName() + "_taken").read(builder, operand.getLoc());
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
    if (slices == 1)
      continue;
    Value fifo = write.getFifo();
    StringRef wanted = fifo.getDefiningOp<StreamOp>().getName();
    clone.getStreamMutable().assign(createSumFifo(part, fifo, wanted, token).getResult());
  }
  if (part.writes.empty())
    giveSums(part, sum);
}

/// What the leaf takes back.
void EngineBuilder::giveSums(EnginePart &part, Value sum) {
  std::string wanted = (part.leaf.getName() + "_sums").str();
  if (slices == 1) {
    createWay(part, part.sum, wanted).write(builder, sum.getLoc(), sum);
    return;
  }
  StreamOp fifo = createSumFifo(part, part.sum, wanted, sum.getType());
  StreamWriteOp::create(builder, sum.getLoc(), sum, fifo.getResult(), nullptr);
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
    ways.find(operand)->second.write(inside, value.getLoc(), token);
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

/// Takes nests without work away, and memories that nobody uses; lags begin at 0 again. Nests with
/// lag drain as often as before where they have an odd number of blocks from one drain to the next:
/// the first block of the next would have the half of a memory in which the last one is read.
static void removeUnused(LeafOp leaf) {
  int64_t serial = leaf.getSerialLevel();
  bool areOdd = llvm::product_of(leaf.getTrips().drop_front(serial)) % 2 != 0;
  if (leaf.getTogether() && areOdd)
    leaf.setSerial(serial);
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
  eraseUnusedPrivates(leaf);
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
    Location loc = part.sum.getLoc();
    unsigned dim = part.slices.getSumDim();
    Type whole = dropUnits(part.sum.getType(), dim);
    Value sum = slices == 1
                    ? ways.find(part.sum)->second.read(inside, loc)
                    : readLanes(inside, loc, handed.lookup(part.sum), whole, dim, nullptr, {});
    sum = reshape(inside, loc, sum, part.sum.getType());
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
  for (LeafOp engine : built)
    shareSums(engine);
}
