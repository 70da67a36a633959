//===- LowerExtern.cpp - Hand-written kernels and their bridges -----------===//
//
// A hand-written kernel is one leaf task, its declaration in normal form. What joins its FIFOs
// to the others is a FIFO itself where lanes agree, a leaf that regroups lanes where not, and
// a view where the kernel takes other token types.
//
//===----------------------------------------------------------------------===//

#include "DesignBuilder.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;
using itensor::ITensorType;

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

static int64_t getNumElements(ITensorType type) {
  return type.getNumTokens() * type.getTokenElements();
}

/// A leaf that sends the elements of `source` on in tokens of `target`; one of the two numbers
/// of lanes divides the other. A token of more lanes is gathered, or held, in a private memory.
static void createRegrouping(DesignBuilder &design, ITensorType type, DesignBuilder::Edge source,
                             DesignBuilder::Edge target, StringRef name, Location loc) {
  int64_t few = std::min(source.lanes, target.lanes), many = std::max(source.lanes, target.lanes);
  MLIRContext *context = design.builder.getContext();
  Nest nest(context);
  nest.add(getNumElements(type) / many);
  AffineExpr part = nest.add(many / few);
  auto whole = PrivateType::get(context, {many}, type.getElementType());
  LeafOp leaf =
      design.beginLeaf(nest, {(name + "_regroup").str(), loc, Role::Regroup, {}, {}, {whole}});
  Value memory = leaf.getPrivates().front();
  Guard isFirst = Guard().equals(part, 0), isLast = Guard().equals(part, many / few - 1);
  bool gathers = source.lanes == few;
  Guard reads = gathers ? Guard() : isFirst, writes = gathers ? isLast : Guard();
  AffineExpr first = part * few, all = nest.zero();
  design.store(design.read(source.stream, reads), memory, {gathers ? first : all}, reads);
  design.write(design.load(memory, {gathers ? all : first}, {target.lanes}, writes), target.stream,
               writes);
  design.endLeaf();
}

/// Moves `source` to `target`, whose lanes differ; through their common ones if neither divides
/// the other.
static void regroup(DesignBuilder &design, ITensorType type, DesignBuilder::Edge source,
                    DesignBuilder::Edge target, StringRef name, Location loc) {
  int64_t common = std::gcd(source.lanes, target.lanes);
  if (common != source.lanes && common != target.lanes) {
    Value between = design.createStream(name, type.getElementType(), common, loc, type);
    createRegrouping(design, type, source, {between, common}, name, loc);
    source = {between, common};
  }
  createRegrouping(design, type, source, target, name, loc);
}

/// Takes what nobody reads.
static void createDiscard(DesignBuilder &design, Value stream, int64_t tokens, StringRef name,
                          Location loc) {
  Nest nest(design.builder.getContext());
  nest.add(tokens);
  LeafOp leaf = design.beginLeaf(nest, {(name + "_discard").str(), loc, Role::Discard});
  StreamReadOp::create(design.builder, leaf.getLoc(),
                       cast<StreamType>(stream.getType()).getElementType(), stream,
                       IntegerSetAttr());
  design.endLeaf();
}

//===----------------------------------------------------------------------===//
// Bridges
//===----------------------------------------------------------------------===//

static int64_t getLanes(Value stream) {
  auto token = dyn_cast<VectorType>(cast<StreamType>(stream.getType()).getElementType());
  return token ? token.getNumElements() : 1;
}

LogicalResult streamtensor::lowerITensorToStream(DesignBuilder &design, ITensorToStreamOp op) {
  ITensorType type = op.getSource().getType();
  int64_t lanes = getLanes(op.getResult());
  DesignBuilder::Edge edge = design.getEdge(op.getSource());
  if (edge.lanes != lanes) {
    std::string name = getValueName(op.getSource());
    DesignBuilder::Edge target{
        design.createStream(name, type.getElementType(), lanes, op.getLoc(), type), lanes};
    regroup(design, type, edge, target, name, op.getLoc());
    edge = target;
  }
  if (cast<StreamType>(edge.stream.getType()).getElementType() != op.getType().getElementType())
    return op.emitError("a token of a hand-written kernel is wider than a FIFO can be; declare its "
                        "port with fewer lanes");
  design.setStream(op.getResult(), edge.stream);
  return success();
}

LogicalResult streamtensor::lowerStreamToITensor(DesignBuilder &design, StreamToITensorOp op) {
  auto result = cast<OpResult>(op.getResult());
  Value stream = design.getStream(op.getSource());
  std::string name = getValueName(op.getResult());
  int64_t lanes = getLanes(stream);
  if (result.use_empty()) {
    createDiscard(design, stream, getNumElements(op.getType()) / lanes, name, op.getLoc());
    return success();
  }
  if (design.getWantedLanes(result) == lanes) {
    design.setEdge(result, {stream, lanes});
    return success();
  }
  DesignBuilder::Edge target = design.createEdge(result, name);
  regroup(design, op.getType(), {stream, lanes}, target, name, op.getLoc());
  return success();
}

LogicalResult streamtensor::lowerStreamCast(DesignBuilder &design, StreamCastOp op) {
  Value source = design.getStream(op.getSource());
  design.setStream(op.getResult(),
                   design.builder.createOrFold<StreamCastOp>(op.getLoc(), op.getType(), source));
  return success();
}

//===----------------------------------------------------------------------===//
// Hand-written kernels
//===----------------------------------------------------------------------===//

static bool isWrittenByExtern(Value fifo) {
  return llvm::any_of(fifo.getUsers(), [](Operation *user) {
    auto write = dyn_cast<StreamWriteOp>(user);
    return write && write.getValue().getDefiningOp<ExternStepOp>();
  });
}

/// The C++ type of a FIFO is that of its hand-written end. Two of them, of other types, need a
/// leaf of ours in between, which casts.
static Value joinTypes(DesignBuilder &design, Value stream, ExternPortAttr port, StringRef name,
                       Location loc) {
  Value fifo = getFifo(stream);
  if (fifo == stream || !isWrittenByExtern(fifo))
    return stream;
  Value copy = design.createStream(name, port.getToken().getElementType(), 1, loc);
  Nest nest(design.builder.getContext());
  nest.add(port.getNumTokens());
  design.beginLeaf(nest, {(name + "_regroup").str(), loc, Role::Regroup});
  design.write(design.read(stream), copy);
  design.endLeaf();
  return copy;
}

LogicalResult streamtensor::lowerExternTask(DesignBuilder &design, ExternTaskOp op) {
  auto declaration = SymbolTable::lookupNearestSymbolFrom<ExternOp>(op, op.getCalleeAttr());
  OpBuilder &builder = design.builder;
  Location loc = op.getLoc();
  std::string name = op.getCallee().str();
  SmallVector<Value> inputs, outputs, tokens;
  for (auto [input, port] : llvm::zip_equal(op.getInputs(), declaration.getInputPorts()))
    inputs.push_back(joinTypes(design, design.getStream(input), port, name, loc));
  for (auto [result, port] : llvm::zip_equal(op.getResults(), declaration.getOutputPorts())) {
    std::string fifo = name + "_" + port.getName().getValue().str();
    outputs.push_back(design.createStream(fifo, port.getToken().getElementType(), 1, loc));
    design.setStream(result, outputs.back());
  }
  auto leaf = LeafOp::create(builder, loc, design.getName(name), declaration.getNest(),
                             ValueRange(), ArrayRef<int64_t>(), ValueRange(), ArrayRef<int64_t>(),
                             Role::Extern, TypeRange());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&leaf.getBlock());
    SmallVector<Type> types;
    for (auto [stream, port] : llvm::zip_equal(inputs, declaration.getInputPorts())) {
      auto read = StreamReadOp::create(builder, loc, port.getToken().getElementType(), stream,
                                       port.getGuard());
      setOrder(read, port.getOrder());
      tokens.push_back(read);
    }
    for (ExternPortAttr port : declaration.getOutputPorts())
      types.push_back(port.getToken().getElementType());
    auto step = ExternStepOp::create(builder, loc, types, op.getCalleeAttr(), tokens);
    for (auto [token, stream, port] :
         llvm::zip_equal(step.getResults(), outputs, declaration.getOutputPorts()))
      setOrder(StreamWriteOp::create(builder, loc, token, stream, port.getGuard()),
               port.getOrder());
  }
  for (auto [result, stream, port] :
       llvm::zip_equal(op.getResults(), outputs, declaration.getOutputPorts()))
    if (result.use_empty())
      createDiscard(design, stream, port.getNumTokens(), name, loc);
  return success();
}
