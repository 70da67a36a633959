//===- ITensorOps.cpp - Verifiers of the itensor operations ---------------===//
//
// Each law has a label, in brackets, that docs/rationale/itensor.md and the tests
// repeat.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

using namespace mlir;
using namespace streamtensor::itensor;

#define GET_OP_CLASSES
#include "streamtensor/Dialect/ITensor/IR/ITensor.cpp.inc"

//===----------------------------------------------------------------------===//
// Laws that several operations share
//===----------------------------------------------------------------------===//

static std::string toString(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '[';
  llvm::interleaveComma(shape, stream);
  stream << ']';
  return text;
}

/// No tensor has tuples as elements.
static LogicalResult verifyNoTuples(Operation *op, ITensorType type) {
  if (!isa<TupleType>(type.getElementType()))
    return success();
  return op->emitOpError("[itensor.tuple] cannot take or give a stream of tuples, which no tensor "
                         "holds; take its members apart with itensor.unjoin first");
}

static LogicalResult verifySameData(Operation *op, RankedTensorType expected, ITensorType type,
                                    StringRef what) {
  if (expected == type.getDataType())
    return success();
  return op->emitOpError("[itensor.data] ")
         << what << " streams " << toString(type.getDataShape()) << " of " << type.getElementType()
         << ", but the data is " << toString(expected.getShape()) << " of "
         << expected.getElementType();
}

/// What a producer writes: every element once.
static LogicalResult verifyExactCover(Operation *op, ITensorType type, StringRef what) {
  if (isExactCover(type))
    return success();
  return op->emitOpError("[itensor.cover] ")
         << what << " must be an exact cover without revisits: every element of "
         << toString(type.getDataShape()) << " in exactly one tile, sent once; " << type
         << " is not";
}

/// What a consumer reads: every element, unless the type states its data shape.
static LogicalResult verifyCover(Operation *op, ITensorType type, StringRef what) {
  if (isCover(type) || !type.getStatedShape().empty())
    return success();
  return op->emitOpError("[itensor.cover] ")
         << what << " leaves out elements of " << toString(type.getDataShape())
         << "; a reader that skips elements states its data shape with 'of'";
}

//===----------------------------------------------------------------------===//
// Converter, cast, reassociate, fork
//===----------------------------------------------------------------------===//

LogicalResult CastOp::verify() {
  ITensorType source = getSource().getType(), result = getResult().getType();
  if (haveSameTokenOrder(source, result))
    return success();
  return emitOpError("[itensor.cast] the types differ in the order of tokens: their normal forms "
                     "are ")
         << getNormalForm(source) << " and " << getNormalForm(result)
         << "; use itensor.converter to reorder";
}

/// The groups of an attribute like `[[0], [1, 2]]`, or failure.
static FailureOr<SmallVector<SmallVector<int64_t, 2>>> getGroups(ArrayAttr attribute) {
  SmallVector<SmallVector<int64_t, 2>> groups;
  for (Attribute entry : attribute) {
    auto group = dyn_cast<ArrayAttr>(entry);
    if (!group)
      return failure();
    groups.emplace_back();
    for (Attribute dim : group) {
      auto value = dyn_cast<IntegerAttr>(dim);
      if (!value)
        return failure();
      groups.back().push_back(value.getInt());
    }
  }
  return groups;
}

LogicalResult ReassociateOp::verify() {
  ITensorType source = getSource().getType(), result = getResult().getType();
  auto groups = getGroups(getReassociation());
  if (failed(groups))
    return emitOpError("[itensor.reassociate] the reassociation must list groups of dimensions, "
                       "such as [[0], [1, 2]]");
  FailureOr<ITensorType> expected = reassociateType(source, *groups, result.getDataShape());
  if (failed(expected))
    return emitOpError("[itensor.reassociate] data of shape ")
           << toString(source.getDataShape()) << " cannot be regrouped to "
           << toString(result.getDataShape())
           << " without cutting a tile or a loop; convert to a tile that fits first";
  if (!haveSameTokenOrder(*expected, result))
    return emitOpError("[itensor.reassociate] regrouping gives ")
           << *expected << ", another order than " << result;
  return success();
}

/// Do both nests begin with the same `shared` loops?
static bool shareLoops(ITensorType source, ITensorType result, int64_t shared) {
  LoopNest lhs = getLoops(source), rhs = getLoops(result);
  return shared >= 0 && shared <= int64_t(std::min(lhs.size(), rhs.size())) &&
         ArrayRef<Loop>(lhs).take_front(shared) == ArrayRef<Loop>(rhs).take_front(shared);
}

/// The buffer that the materialise phase attaches, as far as the lowering relies on it.
static LogicalResult verifyBuffer(ConverterOp op) {
  std::optional<BufferAttr> buffer = op.getBuffer();
  if (!buffer)
    return success();
  ITensorType source = op.getSource().getType(), result = op.getResult().getType();
  if (buffer->getBox().size() != source.getDataRank())
    return op.emitOpError("[itensor.buffer] the box of a block has one extent per data dimension, ")
           << source.getDataRank() << ", not " << buffer->getBox().size();
  int64_t shared = buffer->getShared();
  if (!shareLoops(source, result, shared))
    return op.emitOpError("[itensor.buffer] the first ")
           << shared << " loops of both types are not the same";
  if (buffer->getKind() == ConverterKind::LineBuffer && !planLineRing(source, result))
    return op.emitOpError(
        "[itensor.buffer] a line buffer needs slabs and windows that go along one "
        "data dimension outermost, and fewer lines than the data has");
  return success();
}

LogicalResult ConverterOp::verify() {
  ITensorType source = getSource().getType(), result = getResult().getType();
  if (failed(verifyNoTuples(*this, source)) || failed(verifyNoTuples(*this, result)) ||
      failed(verifySameData(*this, source.getDataType(), result, "the result")) ||
      failed(verifyExactCover(*this, source, "the source")) ||
      failed(verifyCover(*this, result, "the result")))
    return failure();
  return verifyBuffer(*this);
}

LogicalResult ForkOp::verify() {
  if (getResults().empty())
    return emitOpError("[itensor.fork] needs at least one result");
  for (auto [index, type] : llvm::enumerate(getResultTypes()))
    if (type != getSource().getType())
      return emitOpError("[itensor.fork] result ")
             << index << " has type " << type << ", every result has the source's type "
             << getSource().getType() << "; cast or convert after the fork";
  return success();
}

/// Checks that `streams` are the members of `joined`, in its order.
static LogicalResult verifyMembers(Operation *op, ITensorType joined, TypeRange streams) {
  auto tuple = dyn_cast<TupleType>(joined.getElementType());
  if (!tuple || tuple.size() != streams.size() || streams.empty())
    return op->emitOpError("[itensor.join] of ")
           << streams.size() << " streams has elements of type " << joined.getElementType()
           << ", it must be a tuple with one member for each stream";
  for (auto [index, stream, member] : llvm::enumerate(streams, tuple.getTypes())) {
    auto type = cast<ITensorType>(stream);
    if (type.getElementType() != member)
      return op->emitOpError("[itensor.join] stream ")
             << index << " has elements of " << type.getElementType() << ", the tuple holds "
             << member;
    if (isa<TupleType>(member))
      return op->emitOpError("[itensor.join] stream ")
             << index << " is one of tuples itself; join its members";
    if (!haveSameTokenOrder(withElementType(type, tuple), joined))
      return op->emitOpError("[itensor.join] stream ")
             << index << " has another order of tokens than the tuples: " << type << " and "
             << joined << "; convert it first";
  }
  return success();
}

LogicalResult JoinOp::verify() {
  return verifyMembers(*this, getResult().getType(), getSources().getTypes());
}

LogicalResult UnjoinOp::verify() {
  return verifyMembers(*this, getSource().getType(), getResultTypes());
}

//===----------------------------------------------------------------------===//
// Chunk, concat, pad
//===----------------------------------------------------------------------===//

/// Checks that the parts are the consecutive ranges of `whole` along `dim`.
static LogicalResult verifyParts(Operation *op, StringRef label, ITensorType whole, TypeRange parts,
                                 int64_t dim) {
  if (dim < 0 || dim >= whole.getDataRank())
    return op->emitOpError() << label << " dim " << dim << " is no data dimension of " << whole;
  int64_t offset = 0, extent = whole.getDataShape()[dim];
  for (auto [index, type] : llvm::enumerate(parts)) {
    auto part = cast<ITensorType>(type);
    int64_t size = part.getDataRank() == whole.getDataRank() ? part.getDataShape()[dim] : 0;
    FailureOr<ITensorType> expected = chunkType(whole, dim, offset, size);
    if (failed(expected))
      return op->emitOpError() << label << " part " << index << ", [" << offset << ", "
                               << offset + size << ") of data dimension " << dim
                               << ", cuts a tile or the loops of " << whole
                               << "; convert to a type that can be cut there";
    if (!haveSameTokenOrder(*expected, part))
      return op->emitOpError() << label << " part " << index << " must have the order of "
                               << *expected << ", not of " << part;
    offset += size;
  }
  if (offset != extent)
    return op->emitOpError() << label << " the parts add up to " << offset
                             << " along data dimension " << dim << ", the whole has " << extent;
  return success();
}

LogicalResult ChunkOp::verify() {
  return verifyParts(*this, "[itensor.chunk]", getSource().getType(), getResultTypes(), getDim());
}

LogicalResult ConcatOp::verify() {
  return verifyParts(*this, "[itensor.concat]", getResult().getType(), getSources().getTypes(),
                     getDim());
}

/// The part of a padded type that the source fills.
static FailureOr<ITensorType> getInterior(ITensorType padded, ArrayRef<int64_t> low,
                                          ArrayRef<int64_t> shape) {
  FailureOr<ITensorType> interior = padded;
  for (unsigned dim = 0; dim < shape.size() && succeeded(interior); ++dim)
    interior = chunkType(*interior, dim, low[dim], shape[dim]);
  return interior;
}

LogicalResult PadOp::verify() {
  ITensorType source = getSource().getType(), result = getResult().getType();
  ArrayRef<int64_t> low = getLow(), high = getHigh();
  size_t rank = source.getDataRank();
  if (failed(verifyNoTuples(*this, source)) || failed(verifyNoTuples(*this, result)))
    return failure();
  if (low.size() != rank || high.size() != rank || result.getDataRank() != rank)
    return emitOpError("[itensor.pad] 'low', 'high' and the result must have the source's rank ")
           << rank;
  SmallVector<int64_t> shape = source.getDataShape(), padded(shape);
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t tile = source.getElementShape()[dim];
    if (low[dim] < 0 || high[dim] < 0 || low[dim] % tile != 0 || high[dim] % tile != 0)
      return emitOpError("[itensor.pad] padding of ")
             << low[dim] << " before and " << high[dim] << " after data dimension " << dim
             << " is no multiple of the tile's extent " << tile;
    padded[dim] += low[dim] + high[dim];
  }
  auto data = RankedTensorType::get(padded, source.getElementType());
  if (failed(verifySameData(*this, data, result, "the result")))
    return failure();
  if (getValue().getType() != source.getElementType())
    return emitOpError("[itensor.pad] the value has type ")
           << getValue().getType() << ", the elements have type " << source.getElementType();
  FailureOr<ITensorType> interior = getInterior(result, low, shape);
  if (failed(interior) || !haveSameTokenOrder(*interior, source))
    return emitOpError("[itensor.pad] the result, without the padding, must have the source's "
                       "order of tokens");
  return success();
}

//===----------------------------------------------------------------------===//
// Kernel boundary
//===----------------------------------------------------------------------===//

/// Checks `order` and `lanes`, and the shape of `tensor` where it is packed; `tensor` becomes the
/// data that it holds.
static LogicalResult verifyPacked(Operation *op, bool packed,
                                  std::optional<ArrayRef<int64_t>> order,
                                  std::optional<int64_t> lanes, ITensorType type,
                                  RankedTensorType &tensor) {
  if (!packed) {
    if (order || lanes)
      return op->emitOpError("[itensor.data] 'order' and 'lanes' say how a packed tensor lies; "
                             "write 'packed' before them");
    return success();
  }
  PackedOrder layout{order.value_or(ArrayRef<int64_t>()), lanes.value_or(0)};
  if (order) {
    SmallVector<int64_t> loops = llvm::to_vector(*order);
    llvm::sort(loops);
    if (loops != getMovingLoops(type))
      return op->emitOpError("[itensor.data] 'order' names each loop that moves once");
  }
  std::optional<unsigned> dim = getLaneDim(type);
  if (lanes && (*lanes < 1 || (dim ? type.getElementShape()[*dim] : 1) % *lanes != 0))
    return op->emitOpError("[itensor.data] 'lanes' divide the token's last extent above 1");
  if (tensor.getShape() != ArrayRef<int64_t>(getPackedShape(type, layout)))
    return op->emitOpError("[itensor.data] a packed tensor has the shape of the loops that move, "
                           "then of the token, ")
           << toString(getPackedShape(type, layout));
  tensor = RankedTensorType::get(type.getDataShape(), tensor.getElementType());
  return success();
}

LogicalResult FromTensorOp::verify() {
  ITensorType result = getResult().getType();
  if (failed(verifyNoTuples(*this, result)))
    return failure();
  auto source = cast<RankedTensorType>(getSource().getType());
  if (getPacked() && getOffsets())
    return emitOpError("[itensor.data] a packed tensor is read whole, without offsets");
  if (failed(verifyPacked(*this, getPacked(), getOrder(), getLanes(), result, source)))
    return failure();
  if (std::optional<ArrayRef<int64_t>> offsets = getOffsets()) {
    SmallVector<int64_t> shape = result.getDataShape();
    if (offsets->size() != size_t(source.getRank()) || shape.size() != offsets->size())
      return emitOpError("[itensor.data] takes one offset per dimension of the source");
    for (auto [offset, extent, whole] : llvm::zip_equal(*offsets, shape, source.getShape()))
      if (offset < 0 || offset + extent > whole)
        return emitOpError("[itensor.data] the box at the offsets lies outside the source");
    source = RankedTensorType::get(shape, source.getElementType());
  }
  if (failed(verifySameData(*this, source, result, "the result")))
    return failure();
  return verifyCover(*this, result, "the result");
}

LogicalResult ToTensorOp::verify() {
  ITensorType source = getSource().getType();
  auto result = cast<RankedTensorType>(getResult().getType());
  if (failed(verifyNoTuples(*this, source)) ||
      failed(verifyPacked(*this, getPacked(), getOrder(), getLanes(), source, result)) ||
      failed(verifySameData(*this, result, source, "the source")))
    return failure();
  return verifyExactCover(*this, source, "the source");
}
