//===- GroupBuilder.cpp - Body of a fused kernel --------------------------===//

#include "GroupBuilder.h"
#include "streamtensor/Analysis/ExternalTensors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;
using itensor::ITensorType;

/// Tile extent for data that no op has tiled.
constexpr int64_t defaultTile = 16;

GroupBuilder::GroupBuilder(MLIRContext *context, Location loc, itensor::ConverterRule rule)
    : loc(loc), rule(rule), region(std::make_unique<Region>()), builder(context) {
  builder.setInsertionPointToEnd(&region->emplaceBlock());
}

GroupBuilder::~GroupBuilder() = default;

//===----------------------------------------------------------------------===//
// Tasks and results
//===----------------------------------------------------------------------===//

LogicalResult GroupBuilder::addKernel(KernelOp kernel) {
  IRMapping mapping;
  Block &body = kernel.getBody().front();
  // A tensor that a task reads by itself, a table, lies in external memory.
  for (auto [argument, outer] : llvm::zip_equal(body.getArguments(), kernel.getInputs()))
    if (llvm::any_of(argument.getUsers(), llvm::IsaPred<tensor::ExtractOp>))
      mapping.map(argument, addInput(outer));
  for (Operation &op : body) {
    if (auto from = dyn_cast<itensor::FromTensorOp>(op)) {
      auto argument = cast<BlockArgument>(from.getSource());
      FailureOr<Value> stream =
          resolve(kernel.getInputs()[argument.getArgNumber()], cast<ITensorType>(from.getType()));
      if (failed(stream))
        return failure();
      mapping.map(from.getResult(), *stream);
    } else if (auto to = dyn_cast<itensor::ToTensorOp>(op)) {
      mapping.map(to.getResult(), mapping.lookup(to.getSource()));
    } else if (!isa<YieldOp>(op)) {
      origins[builder.clone(op, mapping)] = kernel;
    }
  }
  auto yield = cast<YieldOp>(body.getTerminator());
  for (auto [result, inner] : llvm::zip_equal(kernel.getResults(), yield.getOperands()))
    streams[result] = mapping.lookup(inner);
  kernels.insert(kernel);
  return success();
}

LogicalResult GroupBuilder::addResult(Value tensor) {
  if (llvm::is_contained(results, tensor))
    return success();
  FailureOr<Value> stream = lift(tensor, {});
  if (failed(stream))
    return failure();
  // A revisiting read of external memory is no exact cover; views of streams are.
  if (!isExactCover(cast<ITensorType>(stream->getType())))
    return emitError(tensor.getLoc(), "result is not an exact cover of its tensor");
  results.push_back(tensor);
  yielded.push_back(
      itensor::ToTensorOp::create(builder, tensor.getLoc(), tensor.getType(), *stream));
  return success();
}

GroupBuilder::Checkpoint GroupBuilder::getCheckpoint() {
  Block &block = region->front();
  return {block.empty() ? nullptr : &block.back(), inputs.size(), streams, cache, converterBytes};
}

void GroupBuilder::rollBack(const Checkpoint &checkpoint) {
  Block &block = region->front();
  while (!block.empty() && &block.back() != checkpoint.lastOp) {
    origins.erase(&block.back());
    block.back().dropAllReferences();
    block.back().erase();
  }
  block.eraseArguments(checkpoint.numInputs, block.getNumArguments() - checkpoint.numInputs);
  inputs.truncate(checkpoint.numInputs);
  streams = checkpoint.streams;
  cache = checkpoint.cache;
  converterBytes = checkpoint.converterBytes;
}

KernelOp GroupBuilder::finish(OpBuilder &outer, StringRef name) {
  YieldOp::create(builder, loc, yielded);
  SmallVector<Type> types = llvm::map_to_vector(results, [](Value v) { return v.getType(); });
  auto kernel = KernelOp::create(outer, loc, types, name, inputs);
  kernel.getBody().takeBody(*region);
  return kernel;
}

Value GroupBuilder::addInput(Value tensor) {
  inputs.push_back(tensor);
  return region->front().addArgument(tensor.getType(), tensor.getLoc());
}

//===----------------------------------------------------------------------===//
// Operands as itensors
//===----------------------------------------------------------------------===//

FailureOr<Value> GroupBuilder::resolve(Value tensor, ITensorType wanted) {
  FailureOr<Value> stream = lift(tensor, wanted);
  if (failed(stream))
    return failure();
  return connect(*stream, wanted);
}

int64_t GroupBuilder::getBufferBytes(Type source, ITensorType wanted) const {
  auto type = cast<ITensorType>(source);
  FailureOr<itensor::ConverterPlan> plan = itensor::planConverter(type, wanted, rule);
  assert(succeeded(plan) && "a stream covers its tensor exactly, a read type is over that tensor");
  return llvm::divideCeil(plan->getNumElements() * type.getElementBitWidth(), 8);
}

/// Walks from `op` through views and converters, over what `next` gives, to the nearest kernels.
template <typename Next>
static SmallVector<KernelOp>
findKernels(Operation *op, const DenseMap<Operation *, KernelOp> &origins, Next next) {
  llvm::SetVector<Operation *> seen;
  SmallVector<KernelOp> found;
  auto visit = [&](Operation *other) {
    KernelOp kernel = other ? origins.lookup(other) : nullptr;
    if (kernel && !llvm::is_contained(found, kernel))
      found.push_back(kernel);
    else if (other && !kernel)
      seen.insert(other);
  };
  llvm::for_each(next(op), visit);
  for (size_t index = 0; index < seen.size(); ++index)
    llvm::for_each(next(seen[index]), visit);
  return found;
}

SmallVector<GroupBuilder::ConverterUse> GroupBuilder::getConverters() const {
  auto getSources = [](Operation *op) {
    return llvm::map_to_vector(op->getOperands(), [](Value v) { return v.getDefiningOp(); });
  };
  auto getUsers = [&](Operation *op) { // what a task computes stands in its body
    return llvm::map_to_vector(op->getUsers(), [&](Operation *user) {
      return region->front().findAncestorOpInBlock(*user);
    });
  };
  SmallVector<ConverterUse> uses;
  for (auto converter : region->front().getOps<itensor::ConverterOp>())
    uses.push_back(
        {findKernels(converter, origins, getSources), findKernels(converter, origins, getUsers),
         getBufferBytes(converter.getSource().getType(), cast<ITensorType>(converter.getType()))});
  return uses;
}

FailureOr<Value> GroupBuilder::connect(Value stream, ITensorType wanted) {
  auto type = cast<ITensorType>(stream.getType());
  if (type == wanted)
    return stream;
  Value &cached = cache[{stream, wanted}];
  if (cached)
    return cached;
  if (haveSameTokenOrder(type, wanted))
    return cached = itensor::CastOp::create(builder, stream.getLoc(), wanted, stream);
  converterBytes += getBufferBytes(type, wanted);
  return cached = itensor::ConverterOp::create(builder, stream.getLoc(), wanted, stream);
}

/// The order in which external data of type `tensor` is read: `hint` if it is of that shape,
/// else row-major tiles.
static ITensorType chooseReadType(RankedTensorType tensor, ITensorType hint) {
  if (hint && tensor.getShape() == ArrayRef<int64_t>(hint.getDataShape()))
    return hint;
  SmallVector<int64_t> tile = llvm::map_to_vector(
      tensor.getShape(), [](int64_t extent) { return std::gcd(extent, defaultTile); });
  return itensor::getRowMajorType(tensor.getShape(), tensor.getElementType(), tile);
}

/// Is `tensor` in external memory, seen from this group?
bool GroupBuilder::isOutside(Value tensor) const {
  while (!streams.count(tensor)) {
    Operation *op = tensor.getDefiningOp();
    if (!op || isa<KernelOp, itensor::PackOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
      return true;
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return false;
    tensor = op->getOperand(0);
  }
  return false;
}

FailureOr<Value> GroupBuilder::lift(Value tensor, ITensorType hint) {
  if (Value stream = streams.lookup(tensor))
    return stream;
  Operation *op = tensor.getDefiningOp();
  bool isView = isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                                tensor::ExtractSliceOp, tensor::ConcatOp, tensor::PadOp>(op);
  if (!isView || isOutside(tensor)) {
    auto type = cast<RankedTensorType>(tensor.getType());
    return readExternal(tensor, chooseReadType(type, hint));
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return liftSlice(slice, hint);
  FailureOr<Value> stream = failure();
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    stream = liftReshape(op, expand.getReassociationIndices());
  else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    stream = liftReshape(op, collapse.getReassociationIndices());
  else if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    stream = liftConcat(concat);
  else
    stream = liftPad(cast<tensor::PadOp>(op));
  if (succeeded(stream))
    streams[tensor] = *stream;
  return stream;
}

Value GroupBuilder::readExternal(Value tensor, ITensorType type, ArrayRef<int64_t> offsets) {
  DenseI64ArrayAttr attribute = offsets.empty() ? nullptr : builder.getDenseI64ArrayAttr(offsets);
  return itensor::FromTensorOp::create(builder, tensor.getLoc(), type, addInput(tensor), attribute);
}

Value GroupBuilder::reassociate(Value stream, ITensorType type,
                                ArrayRef<SmallVector<int64_t, 2>> groups) {
  SmallVector<Attribute> attributes = llvm::map_to_vector(
      groups, [&](auto &group) { return Attribute(builder.getI64ArrayAttr(group)); });
  return itensor::ReassociateOp::create(builder, stream.getLoc(), type, stream,
                                        builder.getArrayAttr(attributes));
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The tile of the reshape's source that neither cuts a dimension of the result nor
/// crosses one.
static SmallVector<int64_t> getReshapeTile(ITensorType type, ArrayRef<int64_t> resultShape,
                                           ArrayRef<SmallVector<int64_t, 2>> groups) {
  bool expands = resultShape.size() >= type.getDataRank();
  SmallVector<int64_t> tile(type.getDataRank(), 1);
  SmallVector<int64_t> sourceShape = type.getDataShape();
  for (auto [low, group] : llvm::enumerate(groups)) {
    ArrayRef<int64_t> high = expands ? resultShape : ArrayRef<int64_t>(sourceShape);
    for (int64_t dim : llvm::reverse(group)) {
      if (high[dim] == 1)
        continue;
      int64_t sourceDim = expands ? low : dim;
      tile[sourceDim] = std::gcd(type.getElementShape()[sourceDim], high[dim]);
      break;
    }
  }
  return tile;
}

FailureOr<Value> GroupBuilder::liftReshape(Operation *op,
                                           ArrayRef<SmallVector<int64_t, 2>> groups) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  FailureOr<Value> source = lift(op->getOperand(0), {});
  if (failed(source))
    return failure();
  auto type = cast<ITensorType>(source->getType());
  FailureOr<ITensorType> result = itensor::reassociateType(type, groups, shape);
  if (failed(result)) {
    // The reshape would cut a token: convert to the tile that both sides divide.
    ITensorType fitting = itensor::getRowMajorType(type.getDataShape(), type.getElementType(),
                                                   getReshapeTile(type, shape, groups));
    source = connect(*source, fitting);
    if (failed(source))
      return failure();
    result = itensor::reassociateType(fitting, groups, shape);
    if (failed(result))
      return op->emitError("no tile fits both sides of the reshape");
  }
  return reassociate(*source, *result, groups);
}

/// From the dimensions that are kept to all: those in `dropped`, of extent 1, have index 0.
static AffineMap getUnitDimsMap(const llvm::SmallBitVector &dropped, MLIRContext *context) {
  SmallVector<AffineExpr> results;
  unsigned kept = 0;
  for (unsigned dim = 0; dim < dropped.size(); ++dim)
    results.push_back(dropped.test(dim) ? getAffineConstantExpr(0, context)
                                        : getAffineDimExpr(kept++, context));
  return AffineMap::get(kept, 0, results, context);
}

/// From all dimensions to those that are kept.
static AffineMap getKeptDimsMap(const llvm::SmallBitVector &dropped, MLIRContext *context) {
  SmallVector<AffineExpr> results;
  for (unsigned dim = 0; dim < dropped.size(); ++dim)
    if (!dropped.test(dim))
      results.push_back(getAffineDimExpr(dim, context));
  return AffineMap::get(dropped.size(), 0, results, context);
}

/// Groups of a reassociation that joins each dropped unit dimension to a neighbour.
static SmallVector<SmallVector<int64_t, 2>> getDropGroups(const llvm::SmallBitVector &dropped) {
  SmallVector<SmallVector<int64_t, 2>> groups;
  SmallVector<int64_t, 2> pending;
  for (unsigned dim = 0; dim < dropped.size(); ++dim) {
    pending.push_back(dim);
    if (!dropped.test(dim))
      groups.push_back(std::exchange(pending, {}));
  }
  if (!groups.empty())
    llvm::append_range(groups.back(), pending);
  return groups;
}

FailureOr<Value> GroupBuilder::liftSlice(tensor::ExtractSliceOp op, ITensorType hint) {
  if (!op.hasUnitStride() || ShapedType::isDynamicShape(op.getStaticOffsets()) ||
      ShapedType::isDynamicShape(op.getStaticSizes()))
    return op.emitError("only slices of consecutive elements at constant offsets can be "
                        "streamed: [view.slice]");
  llvm::SmallBitVector dropped = op.getDroppedDims();
  FailureOr<Value> stream = failure();
  if (isOutside(op.getSource())) { // A DMA reads it by its offsets.
    ITensorType type = chooseReadType(op.getType(), hint);
    stream =
        readExternal(op.getSource(), *composeType(type, getUnitDimsMap(dropped, op.getContext())),
                     op.getStaticOffsets());
  } else {
    stream = lift(op.getSource(), {});
    for (unsigned dim = 0; dim < dropped.size() && succeeded(stream); ++dim) {
      auto type = cast<ITensorType>(stream->getType());
      int64_t extent = type.getDataShape()[dim];
      int64_t offset = op.getStaticOffsets()[dim], size = op.getStaticSizes()[dim];
      if (size == extent)
        continue;
      // The parts before and after the slice are dropped by the chunk.
      SmallVector<std::pair<int64_t, int64_t>> ranges;
      if (offset > 0)
        ranges.push_back({0, offset});
      ranges.push_back({offset, size});
      if (offset + size < extent)
        ranges.push_back({offset + size, extent - offset - size});
      auto getParts = [&](ITensorType whole) {
        SmallVector<Type> parts;
        for (auto [start, length] : ranges)
          if (FailureOr<ITensorType> part = chunkType(whole, dim, start, length); succeeded(part))
            parts.push_back(*part);
        return parts;
      };
      SmallVector<Type> parts = getParts(type);
      if (parts.size() != ranges.size()) {
        SmallVector<int64_t> tile(type.getElementShape());
        for (auto [start, length] : ranges)
          tile[dim] = std::gcd(tile[dim], std::gcd(start, length));
        type = itensor::getRowMajorType(type.getDataShape(), type.getElementType(), tile);
        stream = connect(*stream, type);
        if (failed(stream))
          return failure();
        parts = getParts(type);
      }
      // Slices of one value along one dimension that partition it share one chunk.
      auto chunk = itensor::ChunkOp::create(builder, op.getLoc(), parts, *stream, dim);
      stream = Value(chunk.getResult(offset > 0 ? 1 : 0));
    }
    if (failed(stream))
      return failure();
  }
  if (dropped.none())
    return stream;
  FailureOr<ITensorType> type =
      composeType(cast<ITensorType>(stream->getType()), getKeptDimsMap(dropped, op.getContext()));
  return reassociate(*stream, *type, getDropGroups(dropped));
}

FailureOr<Value> GroupBuilder::liftConcat(tensor::ConcatOp op) {
  unsigned dim = op.getDim();
  SmallVector<Value> parts;
  SmallVector<int64_t> sizes;
  int64_t tile = 0;
  for (Value input : op.getInputs()) {
    FailureOr<Value> part = lift(input, {});
    if (failed(part))
      return failure();
    parts.push_back(*part);
    auto type = cast<ITensorType>(part->getType());
    sizes.push_back(type.getDataShape()[dim]);
    tile = std::gcd(tile, std::gcd(type.getElementShape()[dim], sizes.back()));
  }
  auto first = cast<ITensorType>(parts.front().getType());
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  FailureOr<ITensorType> whole = failure();
  if (first.getElementShape()[dim] == tile)
    whole = itensor::extendType(first, dim, shape[dim]);
  if (failed(whole)) {
    SmallVector<int64_t> element(first.getElementShape());
    element[dim] = tile;
    whole = itensor::getRowMajorType(shape, first.getElementType(), element);
  }
  int64_t offset = 0;
  for (auto [part, size] : llvm::zip_equal(parts, sizes)) {
    FailureOr<ITensorType> wanted = itensor::chunkType(*whole, dim, offset, size);
    assert(succeeded(wanted) && "the tile divides every part, and one loop walks the dimension");
    FailureOr<Value> connected = connect(part, *wanted);
    if (failed(connected))
      return failure();
    part = *connected;
    offset += size;
  }
  return Value(itensor::ConcatOp::create(builder, op.getLoc(), *whole, parts, dim));
}

FailureOr<Value> GroupBuilder::liftPad(tensor::PadOp op) {
  Value paddingValue = op.getConstantPaddingValue();
  TypedAttr constant;
  if (!paddingValue || !matchPattern(paddingValue, m_Constant(&constant)))
    return op.emitError("only padding with a constant can be streamed: [view.pad]");
  FailureOr<Value> source = lift(op.getSource(), {});
  if (failed(source))
    return failure();
  auto type = cast<ITensorType>(source->getType());
  SmallVector<int64_t> tile;
  for (auto [extent, low, high] :
       llvm::zip_equal(type.getElementShape(), op.getStaticLow(), op.getStaticHigh()))
    tile.push_back(std::gcd(extent, std::gcd(low, high)));
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  ITensorType fitting = itensor::getRowMajorType(type.getDataShape(), type.getElementType(), tile);
  source = connect(*source, fitting);
  if (failed(source))
    return failure();
  ITensorType result = itensor::getRowMajorType(shape, type.getElementType(), tile);
  return Value(itensor::PadOp::create(builder, op.getLoc(), result, *source, op.getStaticLow(),
                                      op.getStaticHigh(), constant));
}
