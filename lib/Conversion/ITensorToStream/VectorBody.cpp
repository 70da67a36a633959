//===- VectorBody.cpp - A linalg body on vectors of points ----------------===//

#include "VectorBody.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace streamtensor;

VectorSpace VectorSpace::without(function_ref<bool(unsigned)> drop) const {
  VectorSpace rest;
  for (auto [dim, size] : llvm::zip_equal(dims, sizes))
    if (!drop(dim)) {
      rest.dims.push_back(dim);
      rest.sizes.push_back(size);
    }
  return rest;
}

Type VectorSpace::getType(Type elementType) const {
  return dims.empty() ? elementType : VectorType::get(sizes, elementType);
}

VectorSpace VectorBuilder::restrict(const VectorSpace &space, AffineMap map) {
  return space.without([&](unsigned dim) { return !map.isFunctionOfDim(dim); });
}

Value VectorBuilder::reshape(Value value, ArrayRef<int64_t> shape) {
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!vector) {
    if (shape.empty())
      return value;
    return vector::BroadcastOp::create(builder, loc, VectorType::get(shape, value.getType()),
                                       value);
  }
  auto repeated = value.getDefiningOp<vector::BroadcastOp>();
  if (shape.empty() && repeated && !isa<VectorType>(repeated.getSourceType()))
    return repeated.getSource();
  if (shape.empty())
    return vector::ExtractOp::create(builder, loc, value,
                                     SmallVector<int64_t>(vector.getRank(), 0));
  if (vector.getShape() == shape)
    return value;
  return vector::ShapeCastOp::create(builder, loc, VectorType::get(shape, vector.getElementType()),
                                     value);
}

/// Unrolled loops in the order in which `map` names them.
static VectorSpace inMapOrder(AffineMap map, const VectorSpace &space) {
  VectorSpace ordered;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      continue;
    auto it = llvm::find(space.dims, dim.getPosition());
    if (it == space.dims.end())
      continue;
    ordered.dims.push_back(*it);
    ordered.sizes.push_back(space.sizes[it - space.dims.begin()]);
  }
  return ordered;
}

/// The permutation that takes `from`'s order of dimensions to `to`'s.
static SmallVector<int64_t> getPermutation(const VectorSpace &from, const VectorSpace &to) {
  return llvm::map_to_vector(to.dims, [&](unsigned dim) -> int64_t {
    return llvm::find(from.dims, dim) - from.dims.begin();
  });
}

static Value transpose(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return value;
  return vector::TransposeOp::create(builder, loc, value, permutation);
}

Value VectorBuilder::fromBox(Value value, AffineMap map, const VectorSpace &space) {
  VectorSpace stored = inMapOrder(map, space);
  value = reshape(value, stored.sizes);
  return transpose(builder, loc, value, getPermutation(stored, restrict(space, map)));
}

Value VectorBuilder::toBox(Value value, AffineMap map, const VectorSpace &space,
                           ArrayRef<int64_t> shape) {
  VectorSpace stored = inMapOrder(map, space);
  value = transpose(builder, loc, value, getPermutation(restrict(space, map), stored));
  return llvm::product_of(shape) == 1 ? reshape(value, {}) : reshape(value, shape);
}

Value VectorBuilder::broadcast(Value value, ArrayRef<unsigned> dims, const VectorSpace &space) {
  if (dims == ArrayRef(space.dims))
    return value;
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::zip_equal(space.dims, space.sizes))
    shape.push_back(llvm::is_contained(dims, dim) ? size : 1);
  if (isa<VectorType>(value.getType()))
    value = reshape(value, shape);
  Type elementType = getElementTypeOrSelf(value.getType());
  return vector::BroadcastOp::create(builder, loc, VectorType::get(space.sizes, elementType),
                                     value);
}

Value VectorBuilder::combine(Operation *combiner, Value lhs, Value rhs) {
  OperationState state(loc, combiner->getName());
  state.addOperands({lhs, rhs});
  state.addTypes(lhs.getType());
  state.addAttributes(combiner->getDiscardableAttrDictionary().getValue());
  Operation *op = builder.create(state);
  op->copyProperties(combiner->getPropertiesStorage());
  return op->getResult(0);
}

Value VectorBuilder::reduceTree(Value value, unsigned position, Operation *combiner) {
  auto type = cast<VectorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  int64_t lanes = shape[position];
  auto slice = [&](int64_t offset, int64_t size) -> Value {
    SmallVector<int64_t> offsets(shape.size(), 0), strides(shape.size(), 1), sizes(shape);
    offsets[position] = offset;
    sizes[position] = size;
    return vector::ExtractStridedSliceOp::create(builder, loc, value, offsets, sizes, strides);
  };
  if (lanes == 1) {
    shape.erase(shape.begin() + position);
    return reshape(value, shape);
  }
  if (lanes % 2 == 1) {
    Value last = reduceTree(slice(lanes - 1, 1), position, combiner);
    return combine(combiner, reduceTree(slice(0, lanes - 1), position, combiner), last);
  }
  Value half = combine(combiner, slice(0, lanes / 2), slice(lanes / 2, lanes / 2));
  return reduceTree(half, position, combiner);
}

Value VectorBuilder::constant(TypedAttr attribute, const VectorSpace &space) {
  if (space.dims.empty())
    return arith::ConstantOp::create(builder, loc, attribute);
  auto type = cast<VectorType>(space.getType(attribute.getType()));
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, Attribute(attribute)));
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// An affine expression on index vectors, as additions and multiplications.
static FailureOr<Value> expandAffine(VectorBuilder &vectors, OpBuilder &builder, Location loc,
                                     AffineExpr expr, ValueRange dims, ValueRange symbols,
                                     const VectorSpace &space) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return vectors.constant(builder.getIndexAttr(constant.getValue()), space);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  FailureOr<Value> lhs = expandAffine(vectors, builder, loc, binary.getLHS(), dims, symbols, space);
  FailureOr<Value> rhs = expandAffine(vectors, builder, loc, binary.getRHS(), dims, symbols, space);
  if (failed(lhs) || failed(rhs))
    return failure();
  if (expr.getKind() == AffineExprKind::Add)
    return Value(arith::AddIOp::create(builder, loc, *lhs, *rhs));
  if (expr.getKind() == AffineExprKind::Mul)
    return Value(arith::MulIOp::create(builder, loc, *lhs, *rhs));
  return failure();
}

static LogicalResult cloneOnVectors(OpBuilder &builder, Operation &op, const VectorSpace &space,
                                    IRMapping &mapping) {
  SmallVector<Value> operands;
  for (Value operand : op.getOperands()) {
    Value mapped = mapping.lookupOrNull(operand);
    TypedAttr constant;
    if (!mapped && matchPattern(operand, m_Constant(&constant)))
      mapped = VectorBuilder(builder, op.getLoc()).constant(constant, space);
    if (!mapped)
      return op.emitError("uses a value from outside its linalg body; only constants and tokens "
                          "reach a leaf task: [leaf.body]");
    operands.push_back(mapped);
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    VectorBuilder vectors(builder, op.getLoc());
    unsigned numDims = apply.getAffineMap().getNumDims();
    FailureOr<Value> value = expandAffine(
        vectors, builder, op.getLoc(), apply.getAffineMap().getResult(0),
        ArrayRef(operands).take_front(numDims), ArrayRef(operands).drop_front(numDims), space);
    if (failed(value))
      return op.emitError("has no form of additions and multiplications: [leaf.body]");
    mapping.map(apply.getResult(), *value);
    return success();
  }
  if (!space.dims.empty() && !OpTrait::hasElementwiseMappableTraits(&op))
    return op.emitError("has no lane-wise form, so it cannot run in a leaf task: [leaf.body]");
  OperationState state(op.getLoc(), op.getName());
  state.addOperands(operands);
  state.addAttributes(op.getDiscardableAttrDictionary().getValue());
  for (Type type : op.getResultTypes())
    state.addTypes(space.getType(type));
  Operation *clone = builder.create(state);
  clone->copyProperties(op.getPropertiesStorage());
  mapping.map(op.getResults(), clone->getResults());
  return success();
}

LogicalResult streamtensor::cloneBodyOnVectors(OpBuilder &builder, linalg::GenericOp generic,
                                               const VectorSpace &space, IRMapping &mapping,
                                               function_ref<Value(unsigned)> getIndex,
                                               const DenseSet<Operation *> &skip,
                                               function_ref<FailureOr<Value>()> lookUp) {
  for (Operation &op : generic.getBody()->without_terminator()) {
    if (skip.contains(&op))
      continue;
    VectorBuilder vectors(builder, op.getLoc());
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      mapping.map(constant.getResult(), vectors.constant(constant.getValue(), space));
    else if (auto index = dyn_cast<linalg::IndexOp>(op))
      mapping.map(index.getResult(), getIndex(index.getDim()));
    else if (isa<tensor::ExtractOp>(op) && lookUp) {
      FailureOr<Value> elements = lookUp();
      if (failed(elements))
        return failure();
      mapping.map(op.getResult(0), *elements);
    } else if (failed(cloneOnVectors(builder, op, space, mapping)))
      return failure();
  }
  return success();
}
