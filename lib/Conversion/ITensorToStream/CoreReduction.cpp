//===- CoreReduction.cpp - Accumulators of a core leaf --------------------===//

#include "CoreLeaf.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace streamtensor;

//===----------------------------------------------------------------------===//
// Where the accumulators are and when they start and end
//===----------------------------------------------------------------------===//

AffineExpr CoreLeaf::getIndex(const ReductionLoop &loop) const {
  return loop.isTile ? tileIndex[loop.number] : pointLoop[loop.number];
}

/// Holds in the first trips, one per bank.
Guard CoreLeaf::getFirst() const {
  Guard guard;
  for (const ReductionLoop &loop : core.reductions)
    if (loop.banks < loop.trips)
      loop.banks == 1 ? guard.equals(getIndex(loop), 0)
                      : guard.atMost(getIndex(loop), loop.banks - 1);
  return guard;
}

/// Holds in the last trips, one per bank.
Guard CoreLeaf::getLast() const {
  Guard guard;
  for (const ReductionLoop &loop : core.reductions)
    if (loop.banks < loop.trips)
      loop.banks == 1 ? guard.equals(getIndex(loop), loop.trips - 1)
                      : guard.atLeast(getIndex(loop), loop.trips - loop.banks);
  return guard;
}

/// The bank of this iteration, one coordinate per loop with more than one.
CoreLeaf::Address CoreLeaf::getBank() const {
  Address bank;
  for (const ReductionLoop &loop : core.reductions)
    if (loop.banks > 1)
      bank.push_back(loop.banks == loop.trips ? getIndex(loop) : getIndex(loop) % loop.banks);
  return bank;
}

/// The address of this iteration's accumulators: one for every point inside the reduction.
CoreLeaf::Address CoreLeaf::getAccumulator(unsigned result) const {
  Address address = getBank();
  llvm::append_range(address, getResultAddress(result, nest.getNumOuterLoops()));
  return address;
}

/// One bank of a result's points.
CoreLeaf::Shape CoreLeaf::getBankBox(unsigned result) const {
  Shape box(core.getBankCounts().size(), 1);
  llvm::append_range(box, getBox(task.getResultMap(result)));
  return box;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

LogicalResult CoreLeaf::computeReduction() {
  DenseSet<Operation *> skip(core.combiners.begin(), core.combiners.end());
  if (failed(cloneBody(skip)))
    return failure();
  for (auto [index, combiner] : llvm::enumerate(core.combiners)) {
    FailureOr<Value> contribution = combinePoints(index);
    if (failed(contribution))
      return failure();
    Value previous = loadAccumulator(index, getStart(index));
    finishReduction(index, vectors.combine(combiner, previous, *contribution));
  }
  return success();
}

/// What the points of this iteration add to a result, combined over the unrolled reduction loops.
FailureOr<Value> CoreLeaf::combinePoints(unsigned index) {
  Operation *combiner = core.combiners[index];
  BlockArgument accumulator =
      generic.getMatchingBlockArgument(&generic.getDpsInitsMutable()[index]);
  Value operand = combiner->getOperand(combiner->getOperand(0) == accumulator ? 1 : 0);
  FailureOr<Value> contribution = getVector(operand);
  if (failed(contribution))
    return failure();
  for (int position = int(space.dims.size()) - 1; position >= 0; --position)
    if (!llvm::is_contained(core.resultSpace.dims, space.dims[position]))
      contribution = vectors.reduceTree(*contribution, position, combiner);
  return contribution;
}

/// A reduction whose body is not one associative operation (an index of a maximum, say):
/// the whole body is carried from one point to the next.
LogicalResult CoreLeaf::computeGeneralReduction() {
  for (auto [index, init] : llvm::enumerate(generic.getDpsInitsMutable())) {
    if (!nest.inits[index])
      continue;
    Value start = vectors.constant(nest.inits[index], core.resultSpace);
    mapping.map(generic.getMatchingBlockArgument(&init), loadAccumulator(index, start));
  }
  if (failed(cloneBody()))
    return failure();
  return forEachYielded([&](unsigned result, Value value) { finishReduction(result, value); });
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Is a reduction's start value the one that changes nothing?
static bool isNeutral(TypedAttr init, TypedAttr neutral) {
  if (init == neutral)
    return true;
  auto initFloat = dyn_cast<FloatAttr>(init), neutralFloat = dyn_cast<FloatAttr>(neutral);
  return initFloat && neutralFloat && initFloat.getValue().isZero() &&
         neutralFloat.getValue().isZero();
}

/// What the accumulators of this iteration's bank start from: only the first bank starts from the
/// given value.
Value CoreLeaf::getStart(unsigned index) {
  TypedAttr init = nest.inits[index];
  Value start = vectors.constant(init, core.resultSpace);
  if (!core.hasBanks())
    return start;
  TypedAttr neutral = *arith::getNeutralElement(core.combiners[index]);
  if (isNeutral(init, neutral))
    return start;
  Guard firstBank;
  for (const ReductionLoop &loop : core.reductions)
    firstBank.equals(getIndex(loop), 0);
  Value isFirstBank = design.test(firstBank);
  return arith::SelectOp::create(design.builder, loc, isFirstBank, start,
                                 vectors.constant(neutral, core.resultSpace));
}

/// The accumulators of this iteration, `start` in the first trip of the reduction.
Value CoreLeaf::loadAccumulator(unsigned index, Value start) {
  if (leaf.getPrivates().empty())
    return start;
  AffineMap map = task.getResultMap(index);
  Value loaded = design.load(leaf.getPrivates()[index], getAccumulator(index), getBankBox(index));
  loaded = vectors.fromBox(loaded, map, core.resultSpace);
  return arith::SelectOp::create(design.builder, loc, design.test(getFirst()), start, loaded);
}

/// Keeps the new value for later trips and, in the last one, passes it on.
void CoreLeaf::finishReduction(unsigned index, Value value) {
  AffineMap map = task.getResultMap(index);
  Value boxed = vectors.toBox(value, map, core.resultSpace, getBankBox(index));
  if (!leaf.getPrivates().empty())
    design.store(boxed, leaf.getPrivates()[index], getAccumulator(index));
  const DesignBuilder::Edge &edge = task.resultEdges[index];
  if (!edge.stream)
    return;
  const BlockBuffer &block = task.resultBlocks[index];
  if (!block.buffer) {
    design.write(vectors.toBox(value, map, core.resultSpace, getBox(map)), edge.stream, getLast());
    return;
  }
  Address address = getBank();
  llvm::append_range(address, getResultAddress(index, block.level));
  design.store(boxed, block.buffer, address, getLast());
}
