//===- DesignBuilder.cpp - FIFOs, buffers and leaf tasks of a design ------===//

#include "DesignBuilder.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Support/BitWidth.h"

using namespace mlir;
using namespace streamtensor;

Type streamtensor::getLaneType(Type elementType, int64_t lanes) {
  if (auto tuple = dyn_cast<TupleType>(elementType)) {
    SmallVector<Type> members = llvm::map_to_vector(
        tuple.getTypes(), [&](Type member) { return getLaneType(member, lanes); });
    return TupleType::get(elementType.getContext(), members);
  }
  return lanes == 1 ? elementType : VectorType::get({lanes}, elementType);
}

std::string streamtensor::getValueName(Value value) {
  if (auto task = value.getDefiningOp<dataflow::TaskOp>())
    return task.getName().str();
  std::string name = getIdentifier(getModulePath(value.getLoc()));
  return name.empty() ? "t" : name;
}

int64_t DesignBuilder::getWantedLanes(OpResult result) const {
  int64_t lanes = dataflow::getLanes(result);
  assert(lanes && "run the vectorise pass first");
  return lanes;
}

DesignBuilder::Edge DesignBuilder::createEdge(OpResult result, StringRef name) {
  if (result.use_empty())
    return edges[result] = Edge();
  auto type = cast<itensor::ITensorType>(result.getType());
  int64_t count = getWantedLanes(result);
  Value stream = createStream(name, type.getElementType(), count, result.getLoc(), /*order=*/{},
                              getLaneExtent(type));
  writeOrders[stream] = type;
  return edges[result] = Edge{stream, count};
}

Value DesignBuilder::createFifo(StringRef name, Type type, Location loc) {
  return dataflow::StreamOp::create(builder, loc,
                                    dataflow::StreamType::get(builder.getContext(), type, 0),
                                    names.get((name + "_fifo").str()));
}

Value DesignBuilder::createStream(StringRef name, Type elementType, int64_t lanes, Location loc,
                                  Type order, int64_t row) {
  Type type = getLaneType(elementType, lanes);
  Value stream;
  if (getBitWidth(type) <= device->fifo().tokenBits) {
    stream = createFifo(name, type, loc);
  } else {
    WideToken token = createParts(name, type, row, loc);
    stream = token.parts.front().stream;
    wideTokens[stream] = token;
  }
  writeOrders[stream] = readOrders[stream] = order;
  return stream;
}

Value DesignBuilder::createBuffer(StringRef name, ArrayRef<int64_t> shape, Type elementType,
                                  int64_t blocks, Location loc) {
  auto type = dataflow::BufferType::get(builder.getContext(), shape, elementType);
  return dataflow::BufferOp::create(builder, loc, type, names.get(name), blocks,
                                    dataflow::StorageAttr());
}

dataflow::LeafOp DesignBuilder::beginLeaf(const Nest &loops, const LeafSpec &spec) {
  auto split = [](ArrayRef<Acquire> acquires) {
    std::pair<SmallVector<Value>, SmallVector<int64_t>> result;
    for (const Acquire &acquire : acquires) {
      result.first.push_back(acquire.buffer);
      result.second.push_back(acquire.level);
    }
    return result;
  };
  auto [reads, readLevels] = split(spec.reads);
  auto [writes, writeLevels] = split(spec.writes);
  leaf = dataflow::LeafOp::create(builder, spec.loc, names.get(spec.name), loops.getTrips(), reads,
                                  readLevels, writes, writeLevels, spec.role, spec.privates);
  nest = &loops;
  tuples.clear();
  outside = builder.saveInsertionPoint();
  builder.setInsertionPointToEnd(&leaf.getBlock());
  return leaf;
}

void DesignBuilder::endLeaf() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(leaf.getBlock())))
    if (isOpTriviallyDead(&op))
      op.erase();
  builder.restoreInsertionPoint(outside);
}

/// States the order of tokens at one end of a FIFO.
static void stateOrder(dataflow::AccessOpInterface access, Type order) {
  if (order)
    dataflow::setOrder(access, cast<itensor::ITensorType>(order));
}

Value DesignBuilder::readFifo(Value fifo, Type order, const Guard &guard) {
  Type type = cast<dataflow::StreamType>(fifo.getType()).getElementType();
  auto access =
      dataflow::StreamReadOp::create(builder, currentLoc(), type, fifo, guard.getAttr(*nest));
  stateOrder(access, order);
  return access;
}

Value DesignBuilder::read(Value stream, const Guard &guard) {
  Type order = readOrders.lookup(stream);
  auto wide = wideTokens.find(stream);
  return wide == wideTokens.end() ? readFifo(stream, order, guard)
                                  : readWide(wide->second, order, guard);
}

Value DesignBuilder::read(const Edge &edge, const Guard &guard) {
  if (!edge.member)
    return read(edge.stream, guard);
  Value &token = tuples[edge.stream];
  if (!token)
    token = read(edge.stream, guard);
  return builder.createOrFold<dataflow::MemberOp>(currentLoc(), token, int64_t(*edge.member));
}

void DesignBuilder::writeFifo(Value value, Value fifo, Type order, const Guard &guard) {
  auto access =
      dataflow::StreamWriteOp::create(builder, currentLoc(), value, fifo, guard.getAttr(*nest));
  stateOrder(access, order);
}

/// The shape of a token that is a vector, else none.
static ArrayRef<int64_t> getLineShape(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getShape() : ArrayRef<int64_t>();
}

void DesignBuilder::write(Value value, Value stream, const Guard &guard) {
  Type order = writeOrders.lookup(stream);
  auto wide = wideTokens.find(stream);
  Type type = wide == wideTokens.end()
                  ? cast<dataflow::StreamType>(stream.getType()).getElementType()
                  : wide->second.type;
  value = reshape(value, getLineShape(type));
  if (wide == wideTokens.end())
    writeFifo(value, stream, order, guard);
  else
    writeWide(value, wide->second, order, guard);
}

static Type getMemoryElementType(Type type) {
  return TypeSwitch<Type, Type>(type)
      .Case<dataflow::BufferType, dataflow::PortType, dataflow::PrivateType>(
          [](auto memory) { return memory.getElementType(); });
}

Value DesignBuilder::load(Value memory, ArrayRef<AffineExpr> address, ArrayRef<int64_t> box,
                          const Guard &guard, Value row) {
  Type type = getMemoryElementType(memory.getType());
  if (llvm::product_of(box) != 1)
    type = VectorType::get(box, type);
  AffineMap map = AffineMap::get(nest->getLevel(), 0, address, builder.getContext());
  return dataflow::LoadOp::create(builder, currentLoc(), type, memory, row, AffineMapAttr::get(map),
                                  guard.getAttr(*nest), dataflow::WordsAttr(), IntegerAttr());
}

void DesignBuilder::store(Value value, Value memory, ArrayRef<AffineExpr> address,
                          const Guard &guard) {
  AffineMap map = AffineMap::get(nest->getLevel(), 0, address, builder.getContext());
  dataflow::StoreOp::create(builder, currentLoc(), value, memory, AffineMapAttr::get(map),
                            guard.getAttr(*nest), dataflow::WordsAttr());
}

Value DesignBuilder::test(const Guard &guard) {
  return dataflow::TestOp::create(builder, currentLoc(), builder.getI1Type(),
                                  IntegerSetAttr::get(guard.getSet(*nest)));
}

Value DesignBuilder::reshape(Value value, ArrayRef<int64_t> shape) {
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!vector) {
    // A scalar stays one unless a vector of one element is asked for.
    if (shape.empty() || llvm::product_of(shape) == 1)
      return value;
    return vector::BroadcastOp::create(builder, currentLoc(),
                                       VectorType::get(shape, value.getType()), value);
  }
  if (vector.getShape() == shape)
    return value;
  return vector::ShapeCastOp::create(builder, currentLoc(),
                                     VectorType::get(shape, vector.getElementType()), value);
}
