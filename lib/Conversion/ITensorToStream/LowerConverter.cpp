//===- LowerConverter.cpp - Buffers between two orders --------------------===//
//
// Blocks: one leaf fills a block in the source's order, another drains it in the
// result's, each once per trip of the shared loops.
//
// Line buffer: the result sends the source's tokens in the source's order and repeats
// some of them. One leaf walks the result; on the first visit of a token it takes it from
// its FIFO and keeps it, on the others it sends it from memory. While it does so the FIFO
// collects what the source sends ahead; how much that is the sizing finds out.
//
//===----------------------------------------------------------------------===//

#include "DesignBuilder.h"

#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor;
using dataflow::Role;
using itensor::ConverterKind;
using itensor::ITensorType;

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
  auto buffer = op->getAttrOfType<DictionaryAttr>("buffer");
  if (!buffer)
    return op.emitError("has no buffer; run the materialise phase first");
  auto kind = itensor::symbolizeConverterKind(buffer.getAs<StringAttr>("kind").getValue());
  if (!kind)
    return op.emitError("has a buffer of unknown kind ") << buffer.get("kind");
  return Converter{op,
                   cast<ITensorType>(op.getSource().getType()),
                   cast<ITensorType>(op.getType()),
                   *kind,
                   static_cast<unsigned>(buffer.getAs<IntegerAttr>("shared").getInt()),
                   buffer.getAs<IntegerAttr>("blocks").getInt(),
                   buffer.getAs<DenseI64ArrayAttr>("box").asArrayRef()};
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
// Line buffer
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

static void lowerLineBuffer(DesignBuilder &design, Converter &converter) {
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

LogicalResult streamtensor::lowerConverter(DesignBuilder &design, itensor::ConverterOp op) {
  FailureOr<Converter> converter = Converter::read(op);
  if (failed(converter))
    return failure();
  if (converter->kind == ConverterKind::LineBuffer)
    lowerLineBuffer(design, *converter);
  else
    lowerBlocks(design, *converter);
  return success();
}
