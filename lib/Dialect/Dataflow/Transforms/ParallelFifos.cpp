//===- ParallelFifos.cpp - A token in FIFOs side by side ------------------===//

#include "ParallelFifos.h"

#include "streamtensor/Support/BitWidth.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

static Type getTokenOf(Value fifo) { return cast<StreamType>(fifo.getType()).getElementType(); }

ParallelFifos::ParallelFifos(OpBuilder &builder, Location loc, Type token, int64_t tokenBits,
                             function_ref<std::string(unsigned)> getName)
    : token(token) {
  auto line = dyn_cast<VectorType>(token);
  int64_t lanes = line ? line.getNumElements() : 1;
  int64_t most = std::max<int64_t>(1, tokenBits / (getBitWidth(token) / lanes));
  for (int64_t offset = 0; offset < lanes; offset += most) {
    Type part =
        line ? VectorType::get({std::min(most, lanes - offset)}, line.getElementType()) : token;
    fifos.push_back(StreamOp::create(builder, loc, StreamType::get(builder.getContext(), part, 0),
                                     getName(fifos.size())));
    offsets.push_back(offset);
  }
}

void ParallelFifos::write(OpBuilder &builder, Location loc, Value value, IntegerSetAttr guard) {
  for (auto [fifo, offset] : llvm::zip_equal(fifos, offsets)) {
    Value part = value;
    if (fifos.size() > 1)
      part = vector::ExtractStridedSliceOp::create(
          builder, loc, value, offset, cast<VectorType>(getTokenOf(fifo)).getNumElements(), 1);
    StreamWriteOp::create(builder, loc, part, fifo, guard);
  }
}

Value ParallelFifos::read(OpBuilder &builder, Location loc, IntegerSetAttr guard) {
  if (fifos.size() == 1)
    return StreamReadOp::create(builder, loc, token, fifos.front(), guard);
  Value line = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(token));
  for (auto [fifo, offset] : llvm::zip_equal(fifos, offsets)) {
    Value part = StreamReadOp::create(builder, loc, getTokenOf(fifo), fifo, guard);
    line = vector::InsertStridedSliceOp::create(builder, loc, part, line, offset, 1);
  }
  return line;
}
