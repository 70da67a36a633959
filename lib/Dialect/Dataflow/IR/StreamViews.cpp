//===- StreamViews.cpp - Bridges between itensors and FIFOs, casts --------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Support/BitWidth.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;
using itensor::ITensorType;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

bool dataflow::isLaneType(Type token, ITensorType order) {
  auto vector = dyn_cast<VectorType>(token);
  return (vector ? vector.getElementType() : token) == order.getElementType();
}

/// Elements flow along the last extent of a tile above 1.
static int64_t getRowElements(ITensorType order) {
  for (int64_t extent : llvm::reverse(order.getElementShape()))
    if (extent > 1)
      return extent;
  return 1;
}

FailureOr<int64_t> dataflow::getTokenLanes(Type token, ITensorType order) {
  if (isa<TupleType>(order.getElementType()))
    return failure();
  int64_t bits = getBitWidth(token), element = order.getElementBitWidth();
  if ((!isLaneType(token, order) && !isa<IntegerType>(token)) || bits % element != 0 ||
      getRowElements(order) % (bits / element) != 0)
    return failure();
  return bits / element;
}

Value dataflow::getFifo(Value stream) {
  while (auto cast = stream.getDefiningOp<StreamCastOp>())
    stream = cast.getSource();
  return stream;
}

/// A view has the depth of its FIFO: [cast.depth].
static void setDepthOf(Value stream, int64_t depth) {
  Type element = cast<StreamType>(stream.getType()).getElementType();
  stream.setType(StreamType::get(stream.getContext(), element, depth));
  for (Operation *user : stream.getUsers())
    if (auto view = dyn_cast<StreamCastOp>(user))
      setDepthOf(view.getResult(), depth);
}

void dataflow::setDepth(StreamOp stream, int64_t depth) { setDepthOf(stream.getResult(), depth); }

Value StreamReadOp::getFifo() { return dataflow::getFifo(getStream()); }
Value StreamWriteOp::getFifo() { return dataflow::getFifo(getStream()); }

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

/// A FIFO in a kernel has one reader; in a design its accesses are counted.
static LogicalResult verifyOneReader(Operation *op) {
  if (isa<DesignOp>(op->getParentOp()))
    return success();
  for (OpResult result : op->getResults()) {
    auto uses = std::distance(result.use_begin(), result.use_end());
    if (isa<StreamType>(result.getType()) && uses > 1)
      return op->emitOpError("[bridge.once] the FIFO has ")
             << uses << " readers, it can have one; fork the itensor and bridge each result";
  }
  return success();
}

static LogicalResult verifyBridge(Operation *op, ITensorType order, StreamType stream) {
  Type token = stream.getElementType();
  if (isa<TupleType>(order.getElementType()))
    return op->emitOpError("[bridge.token] a bridge carries the elements of a tensor, not ")
           << order.getElementType() << "; take the tuples apart with itensor.unjoin first";
  if (!isLaneType(token, order) || failed(getTokenLanes(token, order)))
    return op->emitOpError("[bridge.token] a token of ")
           << token << " does not hold a whole part of each row of a tile of "
           << order.getTokenType()
           << "; take lanes that divide the row, and a stream_cast for other types";
  if (stream.getDepth() != 0)
    return op->emitOpError("[bridge.token] the FIFO is not sized yet, its depth must be left out");
  return verifyOneReader(op);
}

LogicalResult ITensorToStreamOp::verify() {
  return verifyBridge(*this, getSource().getType(), getResult().getType());
}

LogicalResult StreamToITensorOp::verify() {
  if (!itensor::isExactCover(getResult().getType()))
    return emitOpError("[bridge.cover] the itensor must hold each element of its data once");
  return verifyBridge(*this, getResult().getType(), getSource().getType());
}

LogicalResult StreamCastOp::verify() {
  StreamType source = getSource().getType(), result = getResult().getType();
  for (Type token : {source.getElementType(), result.getElementType()})
    if (isa<TupleType>(token))
      return emitOpError("[cast.token] the members of ")
             << token << " travel side by side, their bits have no order; a view shows a scalar or "
             << "a vector, take members of a tuple in a leaf";
  int64_t from = getBitWidth(source.getElementType()), to = getBitWidth(result.getElementType());
  if (from != to)
    return emitOpError("[cast.bits] a token of ")
           << source.getElementType() << " has " << from << " bits, one of "
           << result.getElementType() << " has " << to << "; a cast is a view, it moves no bits";
  if (source.getDepth() != result.getDepth())
    return emitOpError("[cast.depth] a view has the depth of its FIFO, ")
           << source.getDepth() << ", not " << result.getDepth();
  return verifyOneReader(*this);
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// A view of a view is one of the FIFO; there and back is the FIFO.
OpFoldResult StreamCastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  auto inner = getSource().getDefiningOp<StreamCastOp>();
  if (!inner)
    return {};
  if (inner.getSource().getType() == getType())
    return inner.getSource();
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

/// There and back without another reader is the FIFO itself.
LogicalResult ITensorToStreamOp::canonicalize(ITensorToStreamOp op, PatternRewriter &rewriter) {
  auto back = op.getSource().getDefiningOp<StreamToITensorOp>();
  if (!back || !back->hasOneUse() || back.getSource().getType() != op.getType())
    return failure();
  rewriter.replaceOp(op, back.getSource());
  rewriter.eraseOp(back);
  return success();
}

/// There and back is the itensor, under the other type.
LogicalResult StreamToITensorOp::canonicalize(StreamToITensorOp op, PatternRewriter &rewriter) {
  auto there = op.getSource().getDefiningOp<ITensorToStreamOp>();
  if (!there || !haveSameTokenOrder(there.getSource().getType(), op.getType()))
    return failure();
  if (there.getSource().getType() == op.getType())
    rewriter.replaceOp(op, there.getSource());
  else
    rewriter.replaceOpWithNewOp<itensor::CastOp>(op, op.getType(), there.getSource());
  return success();
}
