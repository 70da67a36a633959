//===- LowerMovement.cpp - Leaf tasks that only move tokens ---------------===//
//
// DMA loads and stores, forks, chunks, concats and pads. Each walks the
// tokens of a type and, inside a token, its elements row-major in vectors.
//
//===----------------------------------------------------------------------===//

#include "DesignBuilder.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace streamtensor;
using dataflow::Role;
using itensor::ITensorType;

/// Loops over all tokens of `type` and their elements; returns the data offsets.
static SmallVector<AffineExpr> walkType(Nest &nest, ITensorType type, int64_t lanes) {
  SmallVector<AffineExpr> offsets = nest.zeros(type.getDataRank());
  nest.addLoops(type, 0, type.getIterRank(), offsets);
  nest.addPoints(type, lanes, offsets);
  return offsets;
}

namespace {
/// Where a DMA finds a vector of a token: the first element and the shape around the lanes.
struct Place {
  SmallVector<AffineExpr> address;
  SmallVector<int64_t> box;
};
} // namespace

/// Loops over the vectors of all tokens that `op` moves. Where vectors have words of their own, an
/// address ends with the number of the word in its row and the place in the word, 0.
template <typename TransferOp>
static Place walkTransfer(Nest &nest, ITensorType type, int64_t lanes, TransferOp op) {
  if (op.getPacked())
    type = getPackedType(type, {op.getOrder().value_or(ArrayRef<int64_t>())});
  Place place{walkType(nest, type, lanes), getLaneBox(type, lanes)};
  std::optional<int64_t> wordLanes = op.getLanes();
  if (!wordLanes)
    return place;
  if (std::optional<unsigned> dim = getLaneDim(type)) {
    place.address[*dim] = place.address[*dim].floorDiv(*wordLanes);
    place.box[*dim] /= *wordLanes;
  }
  place.address.push_back(nest.zero());
  place.box.push_back(*wordLanes);
  return place;
}

static StringRef getPortName(Value port) {
  return port.getDefiningOp<dataflow::PortOp>().getName();
}

LogicalResult streamtensor::lowerLoad(DesignBuilder &design, itensor::FromTensorOp op, Value port) {
  auto type = cast<ITensorType>(op.getType());
  DesignBuilder::Edge edge = design.createEdge(cast<OpResult>(op.getResult()), getPortName(port));
  if (!edge.stream)
    return success();
  Nest nest(op.getContext());
  Place place = walkTransfer(nest, type, edge.lanes, op);
  if (std::optional<ArrayRef<int64_t>> offsets = op.getOffsets())
    for (auto [expr, offset] : llvm::zip_equal(place.address, *offsets))
      expr = expr + offset;
  design.beginLeaf(nest, {(getPortName(port) + "_load").str(), op.getLoc(), Role::Load});
  design.write(design.load(port, place.address, place.box), edge.stream);
  design.endLeaf();
  return success();
}

LogicalResult streamtensor::lowerStore(DesignBuilder &design, itensor::ToTensorOp op, Value port) {
  auto type = cast<ITensorType>(op.getSource().getType());
  DesignBuilder::Edge edge = design.getEdge(op.getSource());
  Nest nest(op.getContext());
  Place place = walkTransfer(nest, type, edge.lanes, op);
  design.beginLeaf(nest, {(getPortName(port) + "_store").str(), op.getLoc(), Role::Store});
  Value value = design.read(edge.stream);
  if (edge.lanes > 1)
    value = design.reshape(value, place.box);
  design.store(value, port, place.address);
  design.endLeaf();
  return success();
}

LogicalResult streamtensor::lowerFork(DesignBuilder &design, itensor::ForkOp op) {
  auto type = cast<ITensorType>(op.getSource().getType());
  std::string name = getValueName(op.getSource());
  DesignBuilder::Edge source = design.getEdge(op.getSource());
  SmallVector<Value> targets;
  for (OpResult result : op->getResults())
    if (Value stream = design.createEdge(result, name).stream)
      targets.push_back(stream);
  Nest nest(op.getContext());
  walkType(nest, type, source.lanes);
  design.beginLeaf(nest, {name + "_fork", op.getLoc(), Role::Fork});
  Value value = design.read(source.stream);
  for (Value target : targets)
    design.write(value, target);
  design.endLeaf();
  return success();
}

/// The one loop that feeds `dim` of a type, or the point loop if the token covers more than
/// one part; the index and the elements per trip. Chunk and concat split it by guards.
struct SplitLoop {
  AffineExpr index;
  int64_t step;
};

/// Walks `type` like `walkType` and finds the loop along `dim`. The dimension must be
/// fed by loops that form one chain, outermost first, each step the inner trips times steps.
static FailureOr<SmallVector<SplitLoop>> walkSplit(Nest &nest, ITensorType type, int64_t lanes,
                                                   unsigned dim) {
  SmallVector<AffineExpr> offsets = nest.zeros(type.getDataRank());
  SmallVector<AffineExpr> indices = nest.addLoops(type, 0, type.getIterRank(), offsets);
  nest.addPoints(type, lanes, offsets);
  SmallVector<SplitLoop> loops;
  for (unsigned loop : type.getLoopsOf(dim))
    loops.push_back({indices[loop], type.getSteps()[loop]});
  return loops;
}

/// The guard of the elements [begin, end) along a dimension: in each loop of the chain
/// the bounds must fall on whole trips, or the range lies inside one trip of it.
static FailureOr<Guard> getRangeGuard(const Nest &nest, ArrayRef<SplitLoop> loops, int64_t begin,
                                      int64_t end) {
  Guard guard;
  for (const SplitLoop &loop : loops) {
    int64_t trips = nest.getTrips(loop.index);
    if (begin % loop.step == 0 && end % loop.step == 0) {
      guard.atLeast(loop.index, begin / loop.step);
      if (end / loop.step < trips)
        guard.atMost(loop.index, end / loop.step - 1);
      return guard;
    }
    if (begin / loop.step != (end - 1) / loop.step)
      return failure();
    guard.equals(loop.index, begin / loop.step);
    end -= begin / loop.step * loop.step;
    begin %= loop.step;
  }
  return failure();
}

LogicalResult streamtensor::lowerChunk(DesignBuilder &design, itensor::ChunkOp op) {
  // A part may end within a loop that its type's normal form does not have.
  ITensorType type = itensor::getNormalForm(cast<ITensorType>(op.getSource().getType()));
  unsigned dim = op.getDim();
  std::string name = getValueName(op.getSource());
  DesignBuilder::Edge source = design.getEdge(op.getSource());
  Nest nest(op.getContext());
  FailureOr<SmallVector<SplitLoop>> loops = walkSplit(nest, type, source.lanes, dim);
  design.beginLeaf(nest, {name + "_chunk", op.getLoc(), Role::Chunk});
  OpBuilder::InsertPoint inside = design.builder.saveInsertionPoint();
  Value value = design.read(source.stream);
  int64_t begin = 0;
  for (OpResult result : op->getResults()) {
    int64_t end = begin + cast<ITensorType>(result.getType()).getDataShape()[dim];
    FailureOr<Guard> guard = getRangeGuard(nest, *loops, begin, end);
    if (failed(guard))
      return op.emitError("a part begins or ends inside a trip of the loops along dimension ")
             << dim << ": [itensor.chunk]";
    begin = end;
    // The FIFO belongs to the design, not to the leaf.
    if (result.use_empty())
      continue;
    OpBuilder::InsertPoint body = design.builder.saveInsertionPoint();
    design.builder.setInsertionPoint(inside.getBlock()->getParentOp());
    Value target = design.createEdge(result, name).stream;
    design.builder.restoreInsertionPoint(body);
    design.write(value, target, *guard);
  }
  design.endLeaf();
  return success();
}

LogicalResult streamtensor::lowerConcat(DesignBuilder &design, itensor::ConcatOp op) {
  ITensorType type = itensor::getNormalForm(cast<ITensorType>(op.getType()));
  unsigned dim = op.getDim();
  std::string name = getValueName(op.getResult());
  DesignBuilder::Edge target = design.createEdge(cast<OpResult>(op.getResult()), name);
  if (!target.stream)
    return op.emitError("nobody reads the result of this concat");
  Nest nest(op.getContext());
  FailureOr<SmallVector<SplitLoop>> loops = walkSplit(nest, type, target.lanes, dim);
  design.beginLeaf(nest, {name + "_concat", op.getLoc(), Role::Concat});
  int64_t begin = 0;
  for (Value source : op.getSources()) {
    int64_t end = begin + cast<ITensorType>(source.getType()).getDataShape()[dim];
    FailureOr<Guard> guard = getRangeGuard(nest, *loops, begin, end);
    if (failed(guard))
      return op.emitError("a part begins or ends inside a trip of the loops along dimension ")
             << dim << ": [itensor.concat]";
    // Reading happens in the trips of the part only, so the value need not be held.
    Value value = design.read(design.getEdge(source).stream, *guard);
    design.write(value, target.stream, *guard);
    begin = end;
  }
  design.endLeaf();
  return success();
}

LogicalResult streamtensor::lowerPad(DesignBuilder &design, itensor::PadOp op) {
  ITensorType type = itensor::getNormalForm(cast<ITensorType>(op.getType()));
  auto sourceShape = cast<ITensorType>(op.getSource().getType()).getDataShape();
  std::string name = getValueName(op.getResult());
  DesignBuilder::Edge target = design.createEdge(cast<OpResult>(op.getResult()), name);
  if (!target.stream)
    return op.emitError("nobody reads the result of this pad");
  Nest nest(op.getContext());
  SmallVector<AffineExpr> offsets = nest.zeros(type.getDataRank());
  SmallVector<AffineExpr> indices = nest.addLoops(type, 0, type.getIterRank(), offsets);
  nest.addPoints(type, target.lanes, offsets);
  // The guard of the whole is the conjunction over the padded dimensions.
  Guard inside;
  for (unsigned dim = 0; dim < type.getDataRank(); ++dim)
    for (unsigned loop : type.getLoopsOf(dim)) {
      int64_t step = type.getSteps()[loop], low = op.getLow()[dim];
      if (type.getLoopsOf(dim).size() > 1 || low % step || sourceShape[dim] % step)
        return op.emitError("padding cuts a tile: [itensor.pad]");
      inside.atLeast(indices[loop], low / step);
      if (op.getHigh()[dim] > 0)
        inside.atMost(indices[loop], (low + sourceShape[dim]) / step - 1);
    }
  design.beginLeaf(nest, {name + "_pad", op.getLoc(), Role::Pad});
  Type laneType = getLaneType(type.getElementType(), target.lanes);
  Value value = design.read(design.getEdge(op.getSource()).stream, inside);
  if (!inside.isTrivial()) {
    TypedAttr constant = op.getValue();
    if (auto vector = dyn_cast<VectorType>(laneType))
      constant = DenseElementsAttr::get(vector, Attribute(constant));
    Value padding = arith::ConstantOp::create(design.builder, op.getLoc(), constant);
    value =
        arith::SelectOp::create(design.builder, op.getLoc(), design.test(inside), value, padding);
  }
  design.write(value, target.stream);
  design.endLeaf();
  return success();
}
