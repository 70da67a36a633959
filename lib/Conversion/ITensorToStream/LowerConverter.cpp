//===- LowerConverter.cpp - Buffers between two orders --------------------===//
//
// FIFO: the elements come in the order in which they go, cut into other tokens.
//
// Blocks: one leaf fills a block in the source's order, another drains it in the
// result's, each once per trip of the shared loops.
//
// Repeat buffer: the result sends the source's tokens in the source's order and repeats
// some of them. One leaf walks the result; on the first visit of a token it takes it from
// its FIFO and keeps it, on the others it sends it from memory. While it does so the FIFO
// collects what the source sends ahead; how much that is the sizing finds out.
//
// Line buffer: the source brings slabs of one data dimension in order, the result reads windows
// over it in order. One leaf has a ring of lines; in each stage it sends the windows of the lines
// that are complete and takes the next lines at its end.
//
//===----------------------------------------------------------------------===//

#include "DesignBuilder.h"

#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor;
using dataflow::Role;
using itensor::ConverterKind;
using itensor::ITensorType;
using itensor::LineRing;

namespace {

/// A converter with the buffer that the materialise phase has written down.
struct Converter {
  static FailureOr<Converter> read(itensor::ConverterOp op);

  itensor::ConverterOp op;
  ITensorType source, result;
  ConverterKind kind;
  unsigned shared;
  int64_t blocks;
  ArrayRef<int64_t> box;
};

/// A nest over one side of a converter.
struct Walk {
  Walk(const Converter &converter, ITensorType type, int64_t lanes);

  Nest nest;
  unsigned level = 0;              ///< Inside the shared loops.
  SmallVector<AffineExpr> address; ///< In the block: the shared loops choose no place in it.
  Guard firstVisit;                ///< All revisits are at their first trip.
};

} // namespace

FailureOr<Converter> Converter::read(itensor::ConverterOp op) {
  std::optional<itensor::BufferAttr> buffer = op.getBuffer();
  if (!buffer)
    return op.emitError("has no buffer; run the materialise phase first");
  return Converter{op,
                   op.getSource().getType(),
                   op.getResult().getType(),
                   buffer->getKind(),
                   static_cast<unsigned>(buffer->getShared()),
                   buffer->getBlocks(),
                   buffer->getBox()};
}

Walk::Walk(const Converter &converter, ITensorType type, int64_t lanes)
    : nest(type.getContext()), address(nest.zeros(type.getDataRank())) {
  SmallVector<AffineExpr> ignored = nest.zeros(type.getDataRank());
  nest.addLoops(type, 0, converter.shared, ignored);
  level = nest.getLevel();
  SmallVector<AffineExpr> inner =
      nest.addLoops(type, converter.shared, type.getIterRank(), address);
  for (auto [offset, index] : llvm::enumerate(inner))
    if (!type.getDataDimOf(converter.shared + offset))
      firstVisit.equals(index, 0);
  nest.addPoints(type, lanes, address);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static void lowerBlocks(DesignBuilder &design, Converter &converter) {
  Location loc = converter.op.getLoc();
  std::string name = getValueName(converter.op.getSource());
  DesignBuilder::Edge in = design.getEdge(converter.op.getSource());
  Value block = design.createBuffer(name + "_reorder", converter.box,
                                    converter.source.getElementType(), converter.blocks, loc);
  DesignBuilder::Edge out =
      design.createEdge(cast<OpResult>(converter.op.getResult()), name + "_reordered");

  Walk fill(converter, converter.source, in.lanes);
  design.beginLeaf(fill.nest,
                   {name + "_reorder_in", loc, Role::ConvertIn, {}, {{block, fill.level}}});
  Value value = design.read(in.stream);
  if (in.lanes > 1)
    value = design.reshape(value, getLaneBox(converter.source, in.lanes));
  design.store(value, block, fill.address);
  design.endLeaf();

  Walk drain(converter, converter.result, out.lanes);
  design.beginLeaf(drain.nest,
                   {name + "_reorder_out", loc, Role::ConvertOut, {{block, drain.level}}});
  design.write(design.load(block, drain.address, getLaneBox(converter.result, out.lanes)),
               out.stream);
  design.endLeaf();
}

//===----------------------------------------------------------------------===//
// Repeat buffer
//===----------------------------------------------------------------------===//

/// A leaf between FIFOs of different lanes, one of which divides the other: the wider
/// vector is kept in a private memory and filled, or sent, in parts.
static Value regroup(DesignBuilder &design, Converter &converter, Value stream, int64_t lanes,
                     int64_t wanted) {
  if (lanes == wanted)
    return stream;
  ITensorType type = converter.source;
  Location loc = converter.op.getLoc();
  std::string name = getValueName(converter.op.getSource());
  Value target = design.createStream(name + "_regrouped", type.getElementType(), wanted, loc, type);
  int64_t wide = std::max(lanes, wanted), parts = wide / std::min(lanes, wanted);
  Walk walk(converter, type, wide);
  AffineExpr part = walk.nest.add(parts);
  Guard whole;
  whole.equals(part, wanted == wide ? parts - 1 : 0);
  auto memory = dataflow::PrivateType::get(type.getContext(), {wide}, type.getElementType());
  dataflow::LeafOp leaf =
      design.beginLeaf(walk.nest, {name + "_regroup", loc, Role::ConvertIn, {}, {}, {memory}});
  Value held = leaf.getPrivates().front();
  // One side has a vector in each iteration, the other once in all `parts`.
  bool widens = wanted == wide;
  Guard always;
  Value value = design.read(stream, widens ? always : whole);
  design.store(value, held, {widens ? part * lanes : walk.nest.zero()}, widens ? always : whole);
  value = design.load(held, {widens ? walk.nest.zero() : part * wanted}, {wanted},
                      widens ? whole : always);
  design.write(value, target, widens ? whole : always);
  design.endLeaf();
  return target;
}

static void lowerRepeatBuffer(DesignBuilder &design, Converter &converter) {
  Location loc = converter.op.getLoc();
  ITensorType type = converter.result;
  std::string name = getValueName(converter.op.getSource());
  DesignBuilder::Edge in = design.getEdge(converter.op.getSource());
  DesignBuilder::Edge out =
      design.createEdge(cast<OpResult>(converter.op.getResult()), name + "_repeated");
  int64_t common = std::gcd(in.lanes, out.lanes);
  Value stream = regroup(design, converter, in.stream, in.lanes,
                         out.lanes % in.lanes == 0 ? in.lanes : common);
  stream =
      regroup(design, converter, stream, out.lanes % in.lanes == 0 ? in.lanes : common, out.lanes);

  Walk walk(converter, type, out.lanes);
  auto memory = dataflow::PrivateType::get(type.getContext(), converter.box, type.getElementType());
  dataflow::LeafOp leaf =
      design.beginLeaf(walk.nest, {name + "_repeat", loc, Role::ConvertOut, {}, {}, {memory}});
  Value held = leaf.getPrivates().front();
  Value value = design.read(stream, walk.firstVisit);
  if (out.lanes > 1)
    value = design.reshape(value, getLaneBox(type, out.lanes));
  design.store(value, held, walk.address, walk.firstVisit);
  design.write(design.load(held, walk.address, getLaneBox(type, out.lanes)), out.stream);
  design.endLeaf();
}

//===----------------------------------------------------------------------===//
// Line buffer
//===----------------------------------------------------------------------===//

namespace {
/// What one stage of a line buffer brings or sends, in vectors: loops over the slabs or windows
/// of the stage, then over each of them.
struct StageWalk {
  StageWalk(const LineRing &ring, ITensorType type, int64_t lanes);
  /// The address in the ring of vector `index` of stage `stage`.
  SmallVector<AffineExpr> getAddress(AffineExpr stage, AffineExpr index) const;
  /// The vectors of the stages from `first` on, starting at `offset` within each: one guard for the
  /// full stages, one for the last if it is not full.
  SmallVector<Guard> getGuards(AffineExpr stage, AffineExpr index, int64_t first,
                               int64_t offset) const;

  const LineRing &ring;
  itensor::LoopNest loops;
  unsigned rank;
  int64_t lines;      ///< Slabs or windows in all.
  int64_t perStage;   ///< Slabs or windows of a stage.
  int64_t numVectors; ///< Vectors of a full stage.
};
} // namespace

StageWalk::StageWalk(const LineRing &ring, ITensorType type, int64_t lanes)
    : ring(ring), loops(itensor::getLoops(*itensor::cutIntoLanes(type, lanes))),
      rank(type.getDataRank()) {
  itensor::Loop &outermost = loops.front();
  lines = outermost.trips;
  perStage = ring.advance / outermost.step;
  outermost.trips = perStage;
  numVectors = 1;
  for (const itensor::Loop &loop : loops)
    numVectors *= loop.trips;
}

/// The sum with its constant at the right, which is how a map is read again that was printed.
static AffineExpr add(AffineExpr sum, AffineExpr term) {
  auto parts = dyn_cast<AffineBinaryOpExpr>(term);
  if (parts && parts.getKind() == AffineExprKind::Add && isa<AffineConstantExpr>(parts.getRHS()))
    return sum + parts.getLHS() + parts.getRHS();
  return sum + term;
}

SmallVector<AffineExpr> StageWalk::getAddress(AffineExpr stage, AffineExpr index) const {
  SmallVector<AffineExpr> address(rank, getAffineConstantExpr(0, stage.getContext()));
  address[ring.dim] = stage * ring.advance;
  int64_t inner = numVectors;
  for (const itensor::Loop &loop : loops) {
    AffineExpr digit = inner == numVectors ? index : index % inner;
    inner /= loop.trips;
    if (loop.dim && loop.trips > 1)
      address[*loop.dim] = add(address[*loop.dim], digit.floorDiv(inner) * loop.step);
  }
  address[ring.dim] = address[ring.dim] % ring.getSize();
  return address;
}

SmallVector<Guard> StageWalk::getGuards(AffineExpr stage, AffineExpr index, int64_t first,
                                        int64_t offset) const {
  SmallVector<Guard> guards;
  int64_t full = lines / perStage, rest = lines % perStage;
  if (full > 0)
    guards.emplace_back()
        .atLeast(stage, first)
        .atMost(stage, first + full - 1)
        .atLeast(index, offset)
        .atMost(index, offset + numVectors - 1);
  if (rest > 0)
    guards.emplace_back()
        .equals(stage, first + full)
        .atLeast(index, offset)
        .atMost(index, offset + rest * (numVectors / perStage) - 1);
  return guards;
}

static void lowerLineBuffer(DesignBuilder &design, Converter &converter) {
  LineRing ring = *itensor::planLineRing(converter.source, converter.result);
  // A line is not overwritten within this many iterations of its last reading, so that the memory
  // may write earlier in the pipeline than it reads.
  constexpr int64_t memoryLatency = 8;
  Location loc = converter.op.getLoc();
  std::string name = getValueName(converter.op.getSource());
  DesignBuilder::Edge in = design.getEdge(converter.op.getSource());
  DesignBuilder::Edge out =
      design.createEdge(cast<OpResult>(converter.op.getResult()), name + "_windows");

  StageWalk fill(ring, converter.source, in.lanes), drain(ring, converter.result, out.lanes);
  int64_t iterations = std::max(fill.numVectors + memoryLatency, drain.numVectors);
  Nest nest(converter.op.getContext());
  AffineExpr stage = nest.add(std::max(llvm::divideCeil(fill.lines, fill.perStage),
                                       ring.lag + llvm::divideCeil(drain.lines, drain.perStage)));
  AffineExpr index = nest.add(iterations);
  auto memory = dataflow::PrivateType::get(converter.op.getContext(), converter.box,
                                           converter.source.getElementType());
  dataflow::LeafOp leaf =
      design.beginLeaf(nest, {name + "_lines", loc, Role::ConvertOut, {}, {}, {memory}});
  Value lines = leaf.getPrivates().front();
  int64_t start = iterations - fill.numVectors;
  for (const Guard &guard : fill.getGuards(stage, index, 0, start)) {
    Value value = design.read(in.stream, guard);
    if (in.lanes > 1)
      value = design.reshape(value, getLaneBox(converter.source, in.lanes));
    design.store(value, lines, fill.getAddress(stage, index - start), guard);
  }
  // In a ring of lag + 1 stages, one stage on is lag stages back, and no index is negative.
  for (const Guard &guard : drain.getGuards(stage, index, ring.lag, 0)) {
    Value value = design.load(lines, drain.getAddress(stage + 1, index),
                              getLaneBox(converter.result, out.lanes), guard);
    design.write(value, out.stream, guard);
  }
  design.endLeaf();
}

LogicalResult streamtensor::lowerConverter(DesignBuilder &design, itensor::ConverterOp op) {
  FailureOr<Converter> converter = Converter::read(op);
  if (failed(converter))
    return failure();
  if (converter->kind == ConverterKind::Fifo) {
    // The same elements in the same order; vectorisation gave both sides the same lanes.
    design.setEdge(op.getResult(), design.getEdge(op.getSource()));
    return success();
  }
  if (converter->kind == ConverterKind::LineBuffer)
    lowerLineBuffer(design, *converter);
  else if (converter->kind == ConverterKind::RepeatBuffer)
    lowerRepeatBuffer(design, *converter);
  else
    lowerBlocks(design, *converter);
  return success();
}
