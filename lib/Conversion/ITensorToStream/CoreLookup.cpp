//===- CoreLookup.cpp - Rows of a table in external memory ----------------===//

#include "CoreLeaf.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace streamtensor;

LogicalResult CoreLeaf::cloneBodyWithLookup(const Lookup &lookup) {
  auto getIndex = [&](unsigned dim) { return getIndexVector(dim); };
  auto lookUpNow = [&]() { return lookUp(lookup); };
  return cloneBodyOnVectors(design.builder, generic, space, mapping, getIndex,
                            getIndexOperations(lookup), lookUpNow);
}

/// The elements of a table in external memory, at a row that the body computes.
FailureOr<Value> CoreLeaf::lookUp(const Lookup &lookup) {
  tensor::ExtractOp extract = lookup.extract;
  AffineMap map = lookup.getMap(extents.size());
  // A row that the body does not compute is a part of the address.
  bool isComputed = Value(lookup.row).getParentBlock() == generic.getBody();
  Address address = {isComputed ? loops.zero() : getRow(lookup)};
  for (Value column : extract.getIndices().drop_front())
    address.push_back(getColumn(column));
  FailureOr<Value> row = isComputed ? computeRow(lookup.row) : Value();
  if (failed(row))
    return failure();
  Value table = design.getPort(extract.getTensor());
  return spread(design.load(table, address, getBox(map), {}, *row), map);
}

/// A constant row, the nearest one of the table, or the place of a loop around the body.
AffineExpr CoreLeaf::getRow(const Lookup &lookup) const {
  std::optional<int64_t> constant = getConstantIntValue(lookup.row);
  if (!constant)
    return getColumn(lookup.row);
  auto table = cast<RankedTensorType>(tensor::ExtractOp(lookup.extract).getTensor().getType());
  return getAffineConstantExpr(std::clamp<int64_t>(*constant, 0, table.getDimSize(0) - 1),
                               lookup.row.getContext());
}

/// An index of a lookup as an expression of the leaf's loops.
AffineExpr CoreLeaf::getColumn(Value index) const {
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

/// The operations of `block` that `value` does not need.
static FailureOr<DenseSet<Operation *>> findOthers(Block *block, Value value) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return op->getBlock() == block; };
  if (failed(getBackwardSlice(value, &slice, options)))
    return failure();
  DenseSet<Operation *> others;
  for (Operation &op : *block)
    if (!slice.contains(&op))
      others.insert(&op);
  return others;
}

/// The row of a lookup, one for all points of an iteration.
FailureOr<Value> CoreLeaf::computeRow(Value row) {
  if (Value known = mapping.lookupOrNull(row))
    return vectors.reshape(known, {});
  IRMapping scalars;
  for (auto [from, to] : mapping.getValueMap())
    scalars.map(from, vectors.reshape(to, {}));
  auto getIndex = [&](unsigned dim) { return vectors.reshape(getIndexVector(dim), {}); };
  FailureOr<DenseSet<Operation *>> others = findOthers(generic.getBody(), row);
  if (failed(others) ||
      failed(cloneBodyOnVectors(design.builder, generic, {}, scalars, getIndex, *others)))
    return failure();
  return scalars.lookup(row);
}
