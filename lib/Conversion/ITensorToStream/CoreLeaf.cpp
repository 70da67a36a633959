//===- CoreLeaf.cpp - The leaf that computes ------------------------------===//

#include "CoreLeaf.h"

#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace streamtensor;
using dataflow::Role;
using itensor::ITensorType;

LogicalResult streamtensor::createCoreLeaf(DesignBuilder &design, const ComputeTask &task) {
  return CoreLeaf(design, task).create();
}

CoreLeaf::CoreLeaf(DesignBuilder &design, const ComputeTask &task)
    : design(design), task(task), nest(task.nest), core(task.core), points(core.points),
      space(core.space), generic(task.getGeneric()), loc(task.loc), vectors(design.builder, loc),
      extents(task.getExtents()), loops(loc.getContext()) {
  for (const TaskNest::Loop &loop : nest.loops)
    tileIndex.push_back(loops.add(loop.trips));
  pointLoop.assign(extents.size(), loops.zero());
  pointIndex.assign(extents.size(), loops.zero());
  for (unsigned dim : points.order) {
    pointLoop[dim] = loops.add(extents[dim] / points.unroll[dim]);
    pointIndex[dim] = pointLoop[dim] * points.unroll[dim];
  }
}

LogicalResult CoreLeaf::create() {
  leaf = design.beginLeaf(loops, getSpec());
  if (dataflow::TilingAttr tiling = dataflow::getTiling(generic))
    leaf.setEngineAttr(tiling.getEngine());
  Block *body = generic.getBody();
  for (unsigned input = 0; input < nest.inputs.size(); ++input)
    mapping.map(body->getArgument(input), readInput(input));
  for (auto [index, loop] : llvm::enumerate(nest.loops))
    if (llvm::any_of(loop.induction.getUsers(),
                     [&](Operation *user) { return user->getBlock() == body; }))
      mapping.map(loop.induction, getTileOffset(index));
  LogicalResult result = !nest.reduces()           ? computeElementwise()
                         : !core.combiners.empty() ? computeReduction()
                                                   : computeGeneralReduction();
  design.endLeaf();
  return result;
}

LeafSpec CoreLeaf::getSpec() const {
  LeafSpec spec{task.name, loc, Role::Compute};
  for (const BlockBuffer &block : task.inputBlocks)
    if (block.buffer)
      spec.reads.push_back({block.buffer, block.level});
  for (const BlockBuffer &block : task.resultBlocks)
    if (block.buffer)
      spec.writes.push_back({block.buffer, block.level});
  if (!core.carriesSums())
    return spec;
  for (ITensorType type : nest.results) {
    Shape shape = core.getBankCounts();
    llvm::append_range(shape, itensor::getBlockShape(type, nest.getNumOuterLoops()));
    spec.privates.push_back(
        dataflow::PrivateType::get(loc.getContext(), shape, type.getElementType()));
  }
  return spec;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The offset of the tile along tile loop `loop`, in elements, in every point.
Value CoreLeaf::getTileOffset(unsigned loop) {
  Value index = leaf.getIndices()[cast<AffineDimExpr>(tileIndex[loop]).getPosition()];
  Value step = arith::ConstantIndexOp::create(design.builder, loc, nest.loops[loop].step);
  return vectors.broadcast(arith::MulIOp::create(design.builder, loc, index, step), {}, space);
}

/// The index of loop `dim` inside the tile, one per point of the space.
Value CoreLeaf::getIndexVector(unsigned dim) {
  OpBuilder &builder = design.builder;
  Value first = vectors.broadcast(getFirstPoint(dim), {}, space);
  int64_t numLanes = points.unroll[dim];
  if (numLanes == 1)
    return first;
  auto type = VectorType::get({numLanes}, builder.getIndexType());
  SmallVector<Attribute> lanes;
  for (int64_t lane = 0; lane < numLanes; ++lane)
    lanes.push_back(builder.getIndexAttr(lane));
  Value offsets = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, lanes));
  return arith::AddIOp::create(builder, loc, first, vectors.broadcast(offsets, {dim}, space));
}

/// The index of loop `dim` inside the tile at the first point of the iteration.
Value CoreLeaf::getFirstPoint(unsigned dim) {
  OpBuilder &builder = design.builder;
  auto loop = dyn_cast<AffineDimExpr>(pointLoop[dim]);
  if (!loop)
    return arith::ConstantIndexOp::create(builder, loc, 0);
  Value index = leaf.getIndices()[loop.getPosition()];
  if (points.unroll[dim] == 1)
    return index;
  Value factor = arith::ConstantIndexOp::create(builder, loc, points.unroll[dim]);
  return arith::MulIOp::create(builder, loc, index, factor);
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

Value CoreLeaf::readInput(unsigned index) {
  switch (points.modes[index]) {
  case InputMode::Single:
    return readSingle(index);
  case InputMode::Stream:
    return spread(readVector(index), nest.inputs[index].map);
  case InputMode::Block:
    return spread(loadBlock(index), nest.inputs[index].map);
  }
  llvm_unreachable("unknown mode of an input");
}

/// A token of one element, held while the loops inside it pass.
Value CoreLeaf::readSingle(unsigned index) {
  const TaskNest::Input &input = nest.inputs[index];
  Guard first;
  for (AffineExpr inner : ArrayRef(tileIndex).drop_front(input.depth))
    first.equals(inner, 0);
  for (unsigned dim : points.order)
    if (extents[dim] > points.unroll[dim])
      first.equals(pointLoop[dim], 0);
  Value token = design.read(design.getEdge(input.stream), first);
  return vectors.broadcast(vectors.reshape(token, {}), {}, space);
}

/// The next vector of a token; point loops that the token does not use hold its elements.
Value CoreLeaf::readVector(unsigned index) {
  const TaskNest::Input &input = nest.inputs[index];
  Guard first;
  for (unsigned dim : points.order)
    if (extents[dim] > points.unroll[dim] && !input.map.isFunctionOfDim(dim))
      first.equals(pointLoop[dim], 0);
  return design.read(design.getEdge(input.stream), first);
}

Value CoreLeaf::loadBlock(unsigned index) {
  const TaskNest::Input &input = nest.inputs[index];
  const BlockBuffer &block = task.inputBlocks[index];
  Address address = getBlockAddress(input.map, input.type, block.level, tileIndex);
  return design.load(block.buffer, address, getBox(input.map));
}

Value CoreLeaf::spread(Value box, AffineMap map) {
  AffineMap lanes = getLaneMap(map, points.unroll);
  Value value = vectors.fromBox(box, lanes, space);
  return vectors.broadcast(value, VectorBuilder::restrict(space, lanes).dims, space);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

CoreLeaf::Address CoreLeaf::getTokenAddress(AffineMap map) const {
  return llvm::map_to_vector(map.getResults(),
                             [&](AffineExpr expr) { return expr.replaceDims(pointIndex); });
}

/// The address in a block of an access, of `type` and by `map`, whose loops are `tileLoops`: the
/// block holds the tokens of loops [level, end).
CoreLeaf::Address CoreLeaf::getBlockAddress(AffineMap map, ITensorType type, unsigned level,
                                            ArrayRef<AffineExpr> tileLoops) const {
  Address address = getTokenAddress(map);
  for (unsigned loop = level; loop < type.getIterRank(); ++loop)
    if (std::optional<unsigned> dim = type.getDataDimOf(loop))
      address[*dim] = address[*dim] + tileLoops[loop] * type.getSteps()[loop];
  return address;
}

CoreLeaf::Address CoreLeaf::getResultAddress(unsigned result, unsigned level) const {
  Address parallel;
  for (unsigned loop : nest.getParallelLoops())
    parallel.push_back(tileIndex[loop]);
  return getBlockAddress(task.getResultMap(result), nest.results[result], level, parallel);
}

//===----------------------------------------------------------------------===//
// Element-wise bodies
//===----------------------------------------------------------------------===//

LogicalResult CoreLeaf::cloneBody(const DenseSet<Operation *> &skip) {
  auto getIndex = [&](unsigned dim) { return getIndexVector(dim); };
  return cloneBodyOnVectors(design.builder, generic, space, mapping, getIndex, skip);
}

LogicalResult CoreLeaf::computeElementwise() {
  std::optional<Lookup> lookup = findLookup(generic);
  if (failed(lookup ? cloneBodyWithLookup(*lookup) : cloneBody()))
    return failure();
  return forEachYielded([&](unsigned result, Value value) { writeResult(result, value); });
}

LogicalResult CoreLeaf::forEachYielded(function_ref<void(unsigned, Value)> use) {
  for (auto [index, operand] : llvm::enumerate(generic.getBody()->getTerminator()->getOperands())) {
    FailureOr<Value> value = getVector(operand);
    if (failed(value))
      return failure();
    use(index, *value);
  }
  return success();
}

/// The vector of a value that the body yields or combines; it may be a constant outside the body.
FailureOr<Value> CoreLeaf::getVector(Value operand) {
  if (Value value = mapping.lookupOrNull(operand))
    return value;
  TypedAttr constant;
  if (!matchPattern(operand, m_Constant(&constant)))
    return generic.emitError("uses a value from outside its body: [leaf.body]");
  return vectors.constant(constant, space);
}

void CoreLeaf::writeResult(unsigned index, Value value) {
  const DesignBuilder::Edge &edge = task.resultEdges[index];
  if (!edge.stream)
    return;
  const BlockBuffer &block = task.resultBlocks[index];
  if (!block.buffer) {
    design.write(value, edge.stream);
    return;
  }
  AffineMap map = task.getResultMap(index);
  design.store(vectors.toBox(value, map, space, getBox(map)), block.buffer,
               getResultAddress(index, block.level));
}
