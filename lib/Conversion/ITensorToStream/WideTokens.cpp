//===- WideTokens.cpp - Tokens wider than a FIFO --------------------------===//
//
// The lanes of a token that is wider than a FIFO can be are dealt to several FIFOs, the
// members of a tuple likewise. Both ends move all parts in the same iterations, so the parts
// are one FIFO in all but name, and the throughput stays.
//
//===----------------------------------------------------------------------===//

#include "DesignBuilder.h"

#include "streamtensor/Support/BitWidth.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace streamtensor;

static SmallVector<Type> getMembers(Type token) {
  auto tuple = dyn_cast<TupleType>(token);
  return tuple ? llvm::to_vector(tuple.getTypes()) : SmallVector<Type>{token};
}

/// Lanes of each part of `count`, at most `most`: whole rows, and parts with equally many of them
/// if not twice as many parts are needed for that. Who deals lanes deals rows (EngineSlices.cpp).
static int64_t getLanesOfPart(int64_t count, int64_t row, int64_t most) {
  if (count % row != 0 || row > most)
    return most;
  int64_t mostRows = most / row, rows = mostRows;
  while ((count / row) % rows != 0)
    --rows;
  return (2 * rows > mostRows ? rows : mostRows) * row;
}

DesignBuilder::WideToken DesignBuilder::createParts(StringRef name, Type type, int64_t row,
                                                    Location loc) {
  WideToken token{type, {}};
  for (auto [member, lanes] : llvm::enumerate(getMembers(type))) {
    auto vector = dyn_cast<VectorType>(lanes);
    int64_t count = vector ? vector.getNumElements() : 1;
    Type scalar = vector ? vector.getElementType() : lanes;
    // A scalar that is too wide alone is left to the emitter, which refuses it.
    int64_t most = std::max<int64_t>(device->fifo().tokenBits / getBitWidth(scalar), 1);
    int64_t ofPart = getLanesOfPart(count, row, most);
    for (int64_t first = 0; first < count; first += ofPart)
      token.parts.push_back(
          {createFifo(name, getLaneType(scalar, std::min(ofPart, count - first)), loc),
           static_cast<unsigned>(member), first});
  }
  return token;
}

/// `lanes`, the lanes of `whole` from `first` on, put into `value`; that is null for the first
/// part.
static Value insertLanes(OpBuilder &builder, Location loc, Value value, Value lanes, Type whole,
                         int64_t first) {
  auto vector = dyn_cast<VectorType>(whole);
  if (!vector || lanes.getType() == whole)
    return lanes;
  if (!value)
    value = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vector));
  if (!isa<VectorType>(lanes.getType()))
    lanes = vector::BroadcastOp::create(builder, loc, VectorType::get({1}, vector.getElementType()),
                                        lanes);
  return vector::InsertStridedSliceOp::create(builder, loc, lanes, value, ArrayRef<int64_t>{first},
                                              ArrayRef<int64_t>{1});
}

Value DesignBuilder::readWide(const WideToken &token, Type order, const Guard &guard) {
  SmallVector<Type> types = getMembers(token.type);
  SmallVector<Value> members(types.size());
  for (const Part &part : token.parts)
    members[part.member] =
        insertLanes(builder, currentLoc(), members[part.member],
                    readFifo(part.stream, order, guard), types[part.member], part.firstLane);
  if (!isa<TupleType>(token.type))
    return members.front();
  return dataflow::TupleOp::create(builder, currentLoc(), members);
}

/// `count` lanes of `value` from `first` on; one lane is a scalar.
static Value extractLanes(OpBuilder &builder, Location loc, Value value, int64_t first,
                          int64_t count) {
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!vector || vector.getNumElements() == count)
    return value;
  if (count == 1)
    return vector::ExtractOp::create(builder, loc, value, ArrayRef<int64_t>{first});
  return vector::ExtractStridedSliceOp::create(builder, loc, value, ArrayRef<int64_t>{first},
                                               ArrayRef<int64_t>{count}, ArrayRef<int64_t>{1});
}

void DesignBuilder::writeWide(Value value, const WideToken &token, Type order, const Guard &guard) {
  Location loc = currentLoc();
  for (const Part &part : token.parts) {
    Value member = value;
    if (isa<TupleType>(token.type))
      member = builder.createOrFold<dataflow::MemberOp>(loc, value, int64_t(part.member));
    Type type = cast<dataflow::StreamType>(part.stream.getType()).getElementType();
    ArrayRef<int64_t> shape;
    if (auto vector = dyn_cast<VectorType>(type))
      shape = vector.getShape();
    writeFifo(extractLanes(builder, loc, member, part.firstLane, llvm::product_of(shape)),
              part.stream, order, guard);
  }
}
