//===- ExternKernels.cpp - Kernels around hand-written ones ---------------===//
//
//   %y = dataflow.extern_task @scale(%x)
// becomes
//   %y = dataflow.kernel "scale"(%x) {
//     %xs = itensor.from_tensor %x          // in the order that the port declares
//     %xf = dataflow.itensor_to_stream %xs  // then a stream_cast, if a token is a packed word
//     %yf = dataflow.extern_task @scale(%xf)
//     %ys = dataflow.stream_to_itensor %yf
//     %y = itensor.to_tensor %ys
//   }
//
//===----------------------------------------------------------------------===//

#include "ExternKernels.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace streamtensor;

/// A token of `lanes` elements of `order`.
static dataflow::StreamType getLaneStream(itensor::ITensorType order, int64_t lanes) {
  Type element = order.getElementType();
  Type token = lanes == 1 ? element : VectorType::get({lanes}, element);
  return dataflow::StreamType::get(order.getContext(), token, 0);
}

/// A tensor as the FIFO that `port` takes: through lanes of its elements.
static Value takeStream(OpBuilder &builder, Location loc, Value tensor,
                        dataflow::ExternPortAttr port) {
  Value tokens = itensor::FromTensorOp::create(builder, loc, port.getOrder(), tensor);
  dataflow::StreamType lanes = getLaneStream(port.getOrder(), port.getLanes());
  Value stream = dataflow::ITensorToStreamOp::create(builder, loc, lanes, tokens);
  if (lanes == port.getToken())
    return stream;
  return dataflow::StreamCastOp::create(builder, loc, port.getToken(), stream);
}

static Value giveTensor(OpBuilder &builder, Location loc, Value stream,
                        dataflow::ExternPortAttr port) {
  dataflow::StreamType lanes = getLaneStream(port.getOrder(), port.getLanes());
  if (lanes != port.getToken())
    stream = dataflow::StreamCastOp::create(builder, loc, lanes, stream);
  Value tokens = dataflow::StreamToITensorOp::create(builder, loc, port.getOrder(), stream);
  return itensor::ToTensorOp::create(builder, loc, port.getOrder().getDataType(), tokens);
}

dataflow::KernelOp streamtensor::buildExternKernel(dataflow::ExternTaskOp task, StringRef name) {
  auto declaration =
      SymbolTable::lookupNearestSymbolFrom<dataflow::ExternOp>(task, task.getCalleeAttr());
  OpBuilder builder(task);
  Location loc = task.getLoc();
  SmallVector<Value> operands =
      llvm::SetVector<Value>(task.getInputs().begin(), task.getInputs().end()).takeVector();
  auto kernel = dataflow::KernelOp::create(builder, loc, task.getResultTypes(), name, operands);
  Block *body = builder.createBlock(&kernel.getBody(), {}, ValueRange(operands).getTypes(),
                                    SmallVector<Location>(operands.size(), loc));
  SmallVector<Value> streams, tensors;
  for (auto [input, port] : llvm::zip_equal(task.getInputs(), declaration.getInputPorts())) {
    unsigned position = llvm::find(operands, input) - operands.begin();
    streams.push_back(takeStream(builder, loc, body->getArgument(position), port));
  }
  SmallVector<Type> types = llvm::map_to_vector(declaration.getOutputPorts(),
                                                [](auto port) { return Type(port.getToken()); });
  auto inner = dataflow::ExternTaskOp::create(builder, loc, types, task.getCalleeAttr(), streams);
  for (auto [stream, port] : llvm::zip_equal(inner.getResults(), declaration.getOutputPorts()))
    tensors.push_back(giveTensor(builder, loc, stream, port));
  dataflow::YieldOp::create(builder, loc, tensors);
  return kernel;
}
