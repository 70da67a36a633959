//===- LowerCompute.cpp - Compute tasks as leaf tasks ---------------------===//
//
// A compute task becomes
//   fill leaves     one per input that the points read in another order than it flows:
//                   FIFO to block buffer,
//   the core leaf   tile loops and point loops around the body on vectors,
//   a drain leaf    where the results do not leave in the order of their FIFO, or partial
//                   sums remain: block buffer to FIFO, adding the partial sums.
//
// A reduction keeps its accumulators in private memory. If the same accumulator came
// around again before the combiner has finished, the reduction is split over
// enough accumulators ("banks"), chosen by the innermost reduction loops.
//
//===----------------------------------------------------------------------===//

#include "CorePlan.h"
#include "DesignBuilder.h"
#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/Lookup.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace streamtensor;
using dataflow::Role;
using itensor::ITensorType;

/// Cycles that filling and emptying a pipeline and swapping blocks cost, roughly. Every trip
/// of the loops outside a block pays them, so a block may be worth holding for longer.
constexpr double serialOverhead = 48;
/// Bytes of blocks that all of a task's efficiency is worth: data from external memory
/// (weights) may take more than what the fusion of kernels saved.
constexpr double bytesWorthMemoryData = 4 << 20, bytesWorthIntermediate = 256 << 10;

namespace {

/// A block buffer between the core leaf and a fill or drain leaf.
struct Block {
  Value buffer;
  unsigned level = 0; ///< Tile loops outside the block.
};

class ComputeLowering {
public:
  ComputeLowering(DesignBuilder &design, dataflow::TaskOp task) : design(design), task(task) {}

  LogicalResult lower();

private:
  // Decisions.
  LogicalResult plan();
  void planBanks(ArrayRef<ReductionLoop> reductions);
  unsigned chooseLevel(ITensorType type, unsigned firstAllowed, int64_t copies,
                       const TaskNest::Input *filled = nullptr) const;
  int64_t getBytesHeldBeside(const TaskNest::Input *filled, unsigned level) const;
  int64_t countPointIterations() const;
  bool canWriteDirectly(unsigned result) const;

  // Pieces.
  void createFill(unsigned input);
  void createResultBlock(unsigned result);
  LogicalResult createCore();
  void createDrain(unsigned result);

  // Body of the core leaf.
  Value readInput(unsigned input);
  Value getIndexVector(unsigned dim);
  AffineExpr getColumn(Value index) const;
  FailureOr<Value> computeRow(Lookup lookup, const IRMapping &mapping);
  FailureOr<Value> lookUp(Lookup lookup, const IRMapping &mapping);
  LogicalResult computeElementwise(IRMapping &mapping);
  LogicalResult computeReduction(IRMapping &mapping);
  Value accumulate(unsigned result, Value contribution);
  LogicalResult computeGeneralReduction(IRMapping &mapping);
  Value loadAccumulator(unsigned result, Value init);
  void finishReduction(unsigned result, Value value);
  SmallVector<AffineExpr> getTokenAddress(AffineMap map) const;
  void addBlockLoops(ITensorType type, unsigned begin, MutableArrayRef<AffineExpr> address) const;
  Guard getFirst() const;
  Guard getLast() const;
  SmallVector<int64_t> getBox(AffineMap map) const { return getLaneShape(map, points.unroll); }
  AffineMap getResultMap(unsigned result) const {
    return generic().getIndexingMapMatchingResult(generic()->getResult(result));
  }
  linalg::GenericOp generic() const { return const_cast<TaskNest &>(nest).generic; }
  Location loc() const { return const_cast<dataflow::TaskOp &>(task).getLoc(); }
  std::string name() const { return const_cast<dataflow::TaskOp &>(task).getName().str(); }

  DesignBuilder &design;
  dataflow::TaskOp task;
  TaskNest nest;
  PointPlan points;
  SmallVector<int64_t> extents;       ///< Tile extent per loop of the generic.
  VectorSpace space;                  ///< All unrolled loops.
  VectorSpace resultSpace;            ///< The parallel ones.
  SmallVector<Operation *> combiners; ///< Per result; empty: general reduction.
  SmallVector<AffineExpr> banks;      ///< Bank coordinates.
  SmallVector<int64_t> bankCounts;
  SmallVector<std::pair<AffineExpr, int64_t>> reductionLoops; ///< Index and banks of each.
  std::optional<Nest> loops;
  SmallVector<AffineExpr> tileIndex;  ///< Per tile loop.
  SmallVector<AffineExpr> pointLoop;  ///< Per loop of the generic: its point loop.
  SmallVector<AffineExpr> pointIndex; ///< Per loop of the generic, in elements.
  SmallVector<Block> inputBlocks, resultBlocks;
  SmallVector<DesignBuilder::Edge> resultEdges;
  SmallVector<Value> accumulators; ///< Private memory per result.
};

} // namespace

LogicalResult streamtensor::lowerTask(DesignBuilder &design, dataflow::TaskOp task) {
  return ComputeLowering(design, task).lower();
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

LogicalResult ComputeLowering::lower() {
  FailureOr<TaskNest> read = TaskNest::read(task);
  if (failed(read))
    return failure();
  nest = *read;
  extents = generic().getStaticLoopRanges();
  for (OpResult result : task->getResults())
    resultEdges.push_back(design.createEdge(result, name()));
  if (failed(plan()))
    return failure();
  inputBlocks.resize(nest.inputs.size());
  resultBlocks.resize(nest.results.size());
  for (unsigned input = 0; input < nest.inputs.size(); ++input)
    if (points.modes[input] == InputMode::Block)
      createFill(input);
  for (unsigned result = 0; result < nest.results.size(); ++result)
    if (resultEdges[result].stream && !canWriteDirectly(result))
      createResultBlock(result);
  if (failed(createCore()))
    return failure();
  for (unsigned result = 0; result < nest.results.size(); ++result)
    if (resultBlocks[result].buffer)
      createDrain(result);
  return success();
}

LogicalResult ComputeLowering::plan() {
  int64_t resultLanes = 0;
  for (const DesignBuilder::Edge &edge : resultEdges)
    if (edge.stream)
      resultLanes = edge.lanes;
  auto getLanes = [&](Value stream) { return design.getEdge(stream).lanes; };
  FailureOr<CorePlan> core = planCore(nest, *design.device, getLanes, resultLanes);
  if (failed(core))
    return failure();
  points = core->points;
  space = core->space;
  resultSpace = core->resultSpace;
  combiners = core->combiners;

  loops.emplace(task.getContext());
  for (const TaskNest::Loop &loop : nest.loops)
    tileIndex.push_back(loops->add(loop.trips));
  pointLoop.assign(extents.size(), loops->zero());
  pointIndex.assign(extents.size(), loops->zero());
  for (unsigned dim : points.order) {
    pointLoop[dim] = loops->add(extents[dim] / points.unroll[dim]);
    pointIndex[dim] = pointLoop[dim] * points.unroll[dim];
  }
  planBanks(core->reductions);
  return success();
}

void ComputeLowering::planBanks(ArrayRef<ReductionLoop> reductions) {
  for (const ReductionLoop &loop : reductions) {
    AffineExpr index = loop.isTile ? tileIndex[loop.number] : pointLoop[loop.number];
    reductionLoops.push_back({index, loop.banks});
    if (loop.banks > 1) {
      banks.push_back(loop.banks == loop.trips ? index : index % loop.banks);
      bankCounts.push_back(loop.banks);
    }
  }
}

int64_t ComputeLowering::countPointIterations() const {
  int64_t count = 1;
  for (auto [extent, factor] : llvm::zip_equal(extents, points.unroll))
    count *= extent / factor;
  return count;
}

/// Shape of a block that holds the tokens of loops [level, end) of `type`.
static SmallVector<int64_t> getBlockShape(ITensorType type, unsigned level) {
  SmallVector<int64_t> shape(type.getElementShape());
  for (unsigned loop = level; loop < type.getIterRank(); ++loop)
    if (std::optional<unsigned> dim = type.getDataDimOf(loop))
      shape[*dim] += (type.getTrips()[loop] - 1) * type.getSteps()[loop];
  return shape;
}

static int64_t getBytes(ITensorType type, ArrayRef<int64_t> shape) {
  return llvm::divideCeil(llvm::product_of(shape) * type.getElementBitWidth(), 8);
}

/// What the FIFOs beside this task must hold while a block under `level` loops is filled, with
/// results or with the input `filled`: whoever shares the other inputs through a fork waits too.
int64_t ComputeLowering::getBytesHeldBeside(const TaskNest::Input *filled, unsigned level) const {
  int64_t bytes = 0;
  for (const TaskNest::Input &input : nest.inputs)
    if (&input != filled && Value(input.stream).getDefiningOp<itensor::ForkOp>())
      bytes += getBytes(input.type,
                        getBlockShape(input.type, std::min(level, input.type.getIterRank())));
  return bytes;
}

/// The level of a block for results, or for the input `filled`: from the deepest one outwards, as
/// long as the longer flat pipeline is worth the larger block, of which `copies` are built.
unsigned ComputeLowering::chooseLevel(ITensorType type, unsigned firstAllowed, int64_t copies,
                                      const TaskNest::Input *filled) const {
  bool isFromMemory = filled && comesFromMemory(filled->stream);
  double bytesWorth = isFromMemory ? bytesWorthMemoryData : bytesWorthIntermediate;
  unsigned level = type.getIterRank();
  int64_t iterations = countPointIterations();
  for (unsigned loop = level; loop < nest.loops.size(); ++loop)
    iterations *= nest.loops[loop].trips;
  auto getEfficiency = [](double count) { return count / (count + serialOverhead); };
  for (; level > firstAllowed; --level) {
    int64_t longer = iterations * nest.loops[level - 1].trips;
    double gain = getEfficiency(longer) - getEfficiency(iterations);
    int64_t bytes = copies * getBytes(type, getBlockShape(type, level - 1));
    if (!isFromMemory)
      bytes += getBytesHeldBeside(filled, level - 1);
    if (gain * bytesWorth < bytes)
      break;
    iterations = longer;
  }
  return level;
}

/// Do the result's vectors leave the core in the order of the FIFO?
bool ComputeLowering::canWriteDirectly(unsigned result) const {
  AffineMap map = getResultMap(result);
  SmallVector<unsigned> parallel, wanted;
  for (unsigned dim : points.order)
    if (extents[dim] > 1 && map.isFunctionOfDim(dim))
      parallel.push_back(dim);
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && extents[dim.getPosition()] > 1)
      wanted.push_back(dim.getPosition());
  if (parallel != wanted || !bankCounts.empty())
    return false;
  int64_t lanes = 1;
  for (unsigned dim : wanted) {
    if (dim != wanted.back() && points.unroll[dim] != 1)
      return false;
    lanes = points.unroll[dim];
  }
  return resultEdges[result].lanes == lanes;
}

//===----------------------------------------------------------------------===//
// Fill and drain leaves
//===----------------------------------------------------------------------===//

static int64_t getNumBlocks(ITensorType type, unsigned level) {
  return llvm::product_of(type.getTrips().take_front(level)) > 1 ? 2 : 1;
}

/// Walks the tokens of `type`; the address is relative to the block under `level` loops.
static SmallVector<AffineExpr> walkBlock(Nest &loops, ITensorType type, unsigned level,
                                         int64_t lanes) {
  SmallVector<AffineExpr> ignored = loops.zeros(type.getDataRank());
  SmallVector<AffineExpr> address = loops.zeros(type.getDataRank());
  loops.addLoops(type, 0, level, ignored);
  loops.addLoops(type, level, type.getIterRank(), address);
  loops.addPoints(type, lanes, address);
  return address;
}

void ComputeLowering::createFill(unsigned index) {
  const TaskNest::Input &input = nest.inputs[index];
  // A revisit inside the block would send the same elements again before the first use.
  unsigned firstAllowed = 0;
  for (unsigned loop = 0; loop < input.depth; ++loop)
    if (!input.type.getDataDimOf(loop))
      firstAllowed = loop + 1;
  unsigned level = chooseLevel(input.type, firstAllowed, /*copies=*/2, &input);
  DesignBuilder::Edge edge = design.getEdge(input.stream);
  std::string label = (name() + "_" + getValueName(input.stream));
  if (StringRef(label).ends_with("_t"))
    label = name() + "_in" + std::to_string(index);
  Value buffer =
      design.createBuffer(label + "_block", getBlockShape(input.type, level),
                          input.type.getElementType(), getNumBlocks(input.type, level), loc());
  Nest walk(task.getContext());
  SmallVector<AffineExpr> address = walkBlock(walk, input.type, level, edge.lanes);
  design.beginLeaf(walk, {label + "_fill", loc(), Role::Fill, {}, {{buffer, level}}});
  Value value = design.read(edge.stream);
  if (edge.lanes > 1)
    value = design.reshape(value, getLaneBox(input.type, edge.lanes));
  design.store(value, buffer, address);
  design.endLeaf();
  inputBlocks[index] = {buffer, level};
}

void ComputeLowering::createResultBlock(unsigned index) {
  ITensorType type = nest.results[index];
  unsigned level = chooseLevel(type, 0, 2 * llvm::product_of(bankCounts));
  SmallVector<int64_t> shape(bankCounts);
  llvm::append_range(shape, getBlockShape(type, level));
  Value buffer = design.createBuffer(name() + "_result", shape, type.getElementType(),
                                     getNumBlocks(type, level), loc());
  resultBlocks[index] = {buffer, level};
}

void ComputeLowering::createDrain(unsigned index) {
  ITensorType type = nest.results[index];
  const Block &block = resultBlocks[index];
  const DesignBuilder::Edge &edge = resultEdges[index];
  Nest walk(task.getContext());
  SmallVector<AffineExpr> address = walk.zeros(bankCounts.size());
  llvm::append_range(address, walkBlock(walk, type, block.level, edge.lanes));
  SmallVector<int64_t> box(bankCounts);
  llvm::append_range(box, getLaneBox(type, edge.lanes));
  design.beginLeaf(walk, {name() + "_drain", loc(), Role::Drain, {{block.buffer, block.level}}});
  Value value = design.load(block.buffer, address, box);
  VectorBuilder vectors(design.builder, loc());
  for (size_t bank = 0; bank < bankCounts.size(); ++bank)
    value = vectors.reduceTree(value, 0, combiners[index]);
  if (edge.lanes == 1)
    value = vectors.reshape(value, {});
  design.write(value, edge.stream);
  design.endLeaf();
}

//===----------------------------------------------------------------------===//
// The core leaf
//===----------------------------------------------------------------------===//

SmallVector<AffineExpr> ComputeLowering::getTokenAddress(AffineMap map) const {
  return llvm::map_to_vector(map.getResults(),
                             [&](AffineExpr expr) { return expr.replaceDims(pointIndex); });
}

void ComputeLowering::addBlockLoops(ITensorType type, unsigned begin,
                                    MutableArrayRef<AffineExpr> address) const {
  for (unsigned loop = begin; loop < type.getIterRank(); ++loop)
    if (std::optional<unsigned> dim = type.getDataDimOf(loop))
      address[*dim] = address[*dim] + tileIndex[loop] * type.getSteps()[loop];
}

LogicalResult ComputeLowering::createCore() {
  LeafSpec spec{name(), loc(), Role::Compute};
  for (const Block &block : inputBlocks)
    if (block.buffer)
      spec.reads.push_back({block.buffer, block.level});
  for (const Block &block : resultBlocks)
    if (block.buffer)
      spec.writes.push_back({block.buffer, block.level});
  if (nest.reduces() && !reductionLoops.empty())
    for (ITensorType type : nest.results) {
      SmallVector<int64_t> shape(bankCounts);
      llvm::append_range(shape, type.getElementShape());
      spec.privates.push_back(
          dataflow::PrivateType::get(task.getContext(), shape, type.getElementType()));
    }
  dataflow::LeafOp leaf = design.beginLeaf(*loops, spec);
  accumulators = llvm::to_vector_of<Value>(leaf.getPrivates());

  IRMapping mapping;
  for (unsigned input = 0; input < nest.inputs.size(); ++input)
    mapping.map(generic().getBody()->getArgument(input), readInput(input));
  VectorBuilder vectors(design.builder, loc());
  for (auto [loop, index] : llvm::zip_equal(nest.loops, tileIndex)) {
    bool isUsed = llvm::any_of(loop.induction.getUsers(), [&](Operation *user) {
      return user->getBlock() == generic().getBody();
    });
    if (!isUsed)
      continue;
    Value value = leaf.getIndices()[cast<AffineDimExpr>(index).getPosition()];
    Value step = arith::ConstantIndexOp::create(design.builder, loc(), loop.step);
    value = arith::MulIOp::create(design.builder, loc(), value, step);
    mapping.map(loop.induction, vectors.broadcast(value, {}, space));
  }
  LogicalResult result = !nest.reduces()      ? computeElementwise(mapping)
                         : !combiners.empty() ? computeReduction(mapping)
                                              : computeGeneralReduction(mapping);
  design.endLeaf();
  return result;
}

Value ComputeLowering::readInput(unsigned index) {
  const TaskNest::Input &input = nest.inputs[index];
  VectorBuilder vectors(design.builder, loc());
  DesignBuilder::Edge edge = design.getEdge(input.stream);
  if (points.modes[index] == InputMode::Single) {
    Guard first;
    for (unsigned loop = input.depth; loop < nest.loops.size(); ++loop)
      first.equals(tileIndex[loop], 0);
    for (unsigned dim : points.order)
      if (extents[dim] > points.unroll[dim])
        first.equals(pointLoop[dim], 0);
    return vectors.broadcast(vectors.reshape(design.read(edge.stream, first), {}), {}, space);
  }
  Value value;
  if (points.modes[index] == InputMode::Stream) {
    // Point loops that the token does not use hold its elements.
    Guard first;
    for (unsigned dim : points.order)
      if (extents[dim] > points.unroll[dim] && !input.map.isFunctionOfDim(dim))
        first.equals(pointLoop[dim], 0);
    value = design.read(edge.stream, first);
  } else {
    SmallVector<AffineExpr> address = getTokenAddress(input.map);
    addBlockLoops(input.type, inputBlocks[index].level, address);
    value = design.load(inputBlocks[index].buffer, address, getBox(input.map));
  }
  AffineMap lanes = getLaneMap(input.map, points.unroll);
  value = vectors.fromBox(value, lanes, space);
  return vectors.broadcast(value, VectorBuilder::restrict(space, lanes).dims, space);
}

/// The index of loop `dim` inside the tile, one per point of the space.
Value ComputeLowering::getIndexVector(unsigned dim) {
  VectorBuilder vectors(design.builder, loc());
  OpBuilder &builder = design.builder;
  Value base;
  auto leaf = cast<dataflow::LeafOp>(builder.getInsertionBlock()->getParentOp());
  AffineExpr index = pointLoop[dim];
  if (auto loop = dyn_cast<AffineDimExpr>(index)) {
    base = leaf.getIndices()[loop.getPosition()];
    if (points.unroll[dim] > 1) {
      Value factor = arith::ConstantIndexOp::create(builder, loc(), points.unroll[dim]);
      base = arith::MulIOp::create(builder, loc(), base, factor);
    }
  } else {
    base = arith::ConstantIndexOp::create(builder, loc(), 0);
  }
  base = vectors.broadcast(base, {}, space);
  if (points.unroll[dim] == 1)
    return base;
  auto type = VectorType::get({points.unroll[dim]}, builder.getIndexType());
  SmallVector<Attribute> lanes;
  for (int64_t lane = 0; lane < points.unroll[dim]; ++lane)
    lanes.push_back(builder.getIndexAttr(lane));
  Value offsets = arith::ConstantOp::create(builder, loc(), DenseElementsAttr::get(type, lanes));
  return arith::AddIOp::create(builder, loc(), base, vectors.broadcast(offsets, {dim}, space));
}

/// An index of a lookup as an expression of the leaf's loops.
AffineExpr ComputeLowering::getColumn(Value index) const {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return getAffineConstantExpr(*constant, index.getContext());
  if (auto point = index.getDefiningOp<linalg::IndexOp>())
    return pointIndex[point.getDim()];
  for (auto [loop, tile] : llvm::zip_equal(nest.loops, tileIndex))
    if (loop.induction == index)
      return tile * loop.step;
  auto apply = index.getDefiningOp<affine::AffineApplyOp>();
  SmallVector<AffineExpr> operands = llvm::map_to_vector(
      apply.getMapOperands(), [&](Value operand) { return getColumn(operand); });
  AffineMap map = apply.getAffineMap();
  return map.getResult(0).replaceDimsAndSymbols(ArrayRef(operands).take_front(map.getNumDims()),
                                                ArrayRef(operands).drop_front(map.getNumDims()));
}

/// The row of a lookup, one for all points of an iteration.
FailureOr<Value> ComputeLowering::computeRow(Lookup lookup, const IRMapping &mapping) {
  VectorBuilder vectors(design.builder, loc());
  if (Value row = mapping.lookupOrNull(lookup.row))
    return vectors.reshape(row, {});
  IRMapping scalars;
  for (auto [from, to] : mapping.getValueMap())
    scalars.map(from, vectors.reshape(to, {}));
  auto getIndex = [&](unsigned dim) { return vectors.reshape(getIndexVector(dim), {}); };
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return op->getBlock() == generic().getBody(); };
  if (failed(getBackwardSlice(lookup.row, &slice, options)))
    return failure();
  DenseSet<Operation *> others;
  for (Operation &op : *generic().getBody())
    if (!slice.contains(&op))
      others.insert(&op);
  if (failed(cloneBodyOnVectors(design.builder, generic(), {}, scalars, getIndex, others)))
    return failure();
  return scalars.lookup(lookup.row);
}

/// The elements of a table in external memory, at a row that the body computes.
FailureOr<Value> ComputeLowering::lookUp(Lookup lookup, const IRMapping &mapping) {
  VectorBuilder vectors(design.builder, loc());
  AffineMap map = lookup.getMap(extents.size());
  SmallVector<AffineExpr> address = {loops->zero()};
  for (Value column : lookup.extract.getIndices().drop_front())
    address.push_back(getColumn(column));
  FailureOr<Value> row = computeRow(lookup, mapping);
  if (failed(row))
    return failure();
  AffineMap lanes = getLaneMap(map, points.unroll);
  Value value =
      design.load(design.getPort(lookup.extract.getTensor()), address, getBox(map), {}, *row);
  value = vectors.fromBox(value, lanes, space);
  return vectors.broadcast(value, VectorBuilder::restrict(space, lanes).dims, space);
}

LogicalResult ComputeLowering::computeElementwise(IRMapping &mapping) {
  auto getIndex = [&](unsigned dim) { return getIndexVector(dim); };
  std::optional<Lookup> lookup = findLookup(generic());
  DenseSet<Operation *> skip;
  if (lookup)
    skip = getIndexOperations(*lookup);
  auto look = [&]() { return lookUp(*lookup, mapping); };
  if (failed(cloneBodyOnVectors(design.builder, generic(), space, mapping, getIndex, skip, look)))
    return failure();
  VectorBuilder vectors(design.builder, loc());
  auto yield = cast<linalg::YieldOp>(generic().getBody()->getTerminator());
  for (auto [index, operand] : llvm::enumerate(yield.getOperands())) {
    Value value = mapping.lookupOrNull(operand);
    if (!value) {
      TypedAttr constant;
      if (!matchPattern(operand, m_Constant(&constant)))
        return generic().emitError("yields a value from outside its body: [leaf.body]");
      value = vectors.constant(constant, space);
    }
    if (!resultEdges[index].stream)
      continue;
    if (!resultBlocks[index].buffer) {
      design.write(value, resultEdges[index].stream);
      continue;
    }
    AffineMap map = getResultMap(index);
    SmallVector<AffineExpr> address = getTokenAddress(map);
    addBlockLoops(nest.results[index], resultBlocks[index].level, address);
    design.store(vectors.toBox(value, map, space, getBox(map)), resultBlocks[index].buffer,
                 address);
  }
  return success();
}

Guard ComputeLowering::getFirst() const {
  Guard guard;
  for (auto [index, count] : reductionLoops)
    if (count < loops->getTrips(index))
      count == 1 ? guard.equals(index, 0) : guard.atMost(index, count - 1);
  return guard;
}

Guard ComputeLowering::getLast() const {
  Guard guard;
  for (auto [index, count] : reductionLoops) {
    int64_t trips = loops->getTrips(index);
    if (count < trips)
      count == 1 ? guard.equals(index, trips - 1) : guard.atLeast(index, trips - count);
  }
  return guard;
}

LogicalResult ComputeLowering::computeReduction(IRMapping &mapping) {
  DenseSet<Operation *> skip(combiners.begin(), combiners.end());
  auto getIndex = [&](unsigned dim) { return getIndexVector(dim); };
  if (failed(cloneBodyOnVectors(design.builder, generic(), space, mapping, getIndex, skip)))
    return failure();
  VectorBuilder vectors(design.builder, loc());
  for (auto [index, combiner] : llvm::enumerate(combiners)) {
    BlockArgument accumulator =
        generic().getMatchingBlockArgument(&generic().getDpsInitsMutable()[index]);
    Value operand = combiner->getOperand(combiner->getOperand(0) == accumulator ? 1 : 0);
    Value contribution = mapping.lookup(operand);
    for (int position = int(space.dims.size()) - 1; position >= 0; --position)
      if (!llvm::is_contained(resultSpace.dims, space.dims[position]))
        contribution = vectors.reduceTree(contribution, position, combiner);
    finishReduction(index, accumulate(index, contribution));
  }
  return success();
}

/// Is a reduction's start value the one that changes nothing?
static bool isNeutral(TypedAttr init, TypedAttr neutral) {
  if (init == neutral)
    return true;
  auto initFloat = dyn_cast<FloatAttr>(init), neutralFloat = dyn_cast<FloatAttr>(neutral);
  return initFloat && neutralFloat && initFloat.getValue().isZero() &&
         neutralFloat.getValue().isZero();
}

/// Adds a contribution to the accumulators of this iteration; returns the new value.
Value ComputeLowering::accumulate(unsigned index, Value contribution) {
  VectorBuilder vectors(design.builder, loc());
  TypedAttr init = nest.inits[index];
  Value start = vectors.constant(init, resultSpace);
  if (!bankCounts.empty()) {
    TypedAttr neutral = *arith::getNeutralElement(combiners[index]);
    if (!isNeutral(init, neutral)) {
      // Only the first bank starts from the given value.
      Guard firstBank;
      for (auto [loop, count] : reductionLoops)
        firstBank.equals(loop, 0);
      Value isFirstBank = design.test(firstBank);
      start = arith::SelectOp::create(design.builder, loc(), isFirstBank, start,
                                      vectors.constant(neutral, resultSpace));
    }
  }
  Value previous = loadAccumulator(index, start);
  return vectors.combine(combiners[index], previous, contribution);
}

/// The accumulators of this iteration, `start` in the first trip of the reduction.
Value ComputeLowering::loadAccumulator(unsigned index, Value start) {
  if (accumulators.empty())
    return start;
  VectorBuilder vectors(design.builder, loc());
  AffineMap map = getResultMap(index);
  SmallVector<AffineExpr> address(banks);
  llvm::append_range(address, getTokenAddress(map));
  SmallVector<int64_t> box(bankCounts.size(), 1);
  llvm::append_range(box, getBox(map));
  Value loaded = design.load(accumulators[index], address, box);
  loaded = vectors.fromBox(loaded, map, resultSpace);
  Guard first = getFirst();
  if (first.isTrivial())
    return start;
  return arith::SelectOp::create(design.builder, loc(), design.test(first), start, loaded);
}

/// Keeps the new value and, in the last trip, passes it on.
void ComputeLowering::finishReduction(unsigned index, Value value) {
  VectorBuilder vectors(design.builder, loc());
  AffineMap map = getResultMap(index);
  SmallVector<int64_t> box(bankCounts.size(), 1);
  llvm::append_range(box, getBox(map));
  Value boxed = vectors.toBox(value, map, resultSpace, box);
  SmallVector<AffineExpr> address(banks);
  llvm::append_range(address, getTokenAddress(map));
  if (!accumulators.empty())
    design.store(boxed, accumulators[index], address);
  if (!resultEdges[index].stream)
    return;
  if (!resultBlocks[index].buffer) {
    design.write(vectors.toBox(value, map, resultSpace, getBox(map)), resultEdges[index].stream,
                 getLast());
    return;
  }
  addBlockLoops(nest.results[index], resultBlocks[index].level,
                MutableArrayRef(address).drop_front(banks.size()));
  design.store(boxed, resultBlocks[index].buffer, address, getLast());
}

/// A reduction whose body is not one associative operation (an index of a maximum, say):
/// the whole body is carried from one point to the next.
LogicalResult ComputeLowering::computeGeneralReduction(IRMapping &mapping) {
  VectorBuilder vectors(design.builder, loc());
  for (auto [index, init] : llvm::enumerate(generic().getDpsInitsMutable())) {
    if (!nest.inits[index])
      continue;
    Value start = vectors.constant(nest.inits[index], resultSpace);
    mapping.map(generic().getMatchingBlockArgument(&init), loadAccumulator(index, start));
  }
  auto getIndex = [&](unsigned dim) { return getIndexVector(dim); };
  if (failed(cloneBodyOnVectors(design.builder, generic(), space, mapping, getIndex, {})))
    return failure();
  auto yield = cast<linalg::YieldOp>(generic().getBody()->getTerminator());
  for (auto [index, operand] : llvm::enumerate(yield.getOperands()))
    finishReduction(index, mapping.lookup(operand));
  return success();
}
