//===- ExternTasks.cpp - Hand-written kernels by their references ---------===//
//
// A kernel that the user wrote in C++ is executed as its reference says, on whole tensors. Its
// FIFOs carry the same data in the orders and tokens that its ports declare.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "Tokens.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;
using dataflow::ExternPortAttr;
using itensor::ITensorType;

/// A token of as many elements, as lanes.
static Type getLaneToken(ExternPortAttr port) {
  Type element = port.getOrder().getElementType();
  return port.getLanes() == 1 ? element : VectorType::get({port.getLanes()}, element);
}

FailureOr<SmallVector<ArrayPtr>> interpreter::runReference(dataflow::ExternOp declaration,
                                                           ArrayRef<ArrayPtr> inputs) {
  SmallVector<RuntimeValue> arguments;
  for (const ArrayPtr &input : inputs)
    arguments.push_back({{}, input});
  FailureOr<SmallVector<RuntimeValue>> results = Evaluator().call(declaration, arguments);
  if (failed(results))
    return failure();
  return llvm::map_to_vector(*results, [](const RuntimeValue &value) { return value.array; });
}

FailureOr<SmallVector<std::vector<Word>>>
interpreter::runOnTokens(dataflow::ExternOp declaration, ArrayRef<std::vector<Word>> inputs) {
  SmallVector<ArrayPtr> tensors;
  for (auto [tokens, port] : llvm::zip_equal(inputs, declaration.getInputPorts())) {
    tensors.push_back(makeData(port.getOrder()));
    scatter(castTokens(tokens, port.getToken().getElementType(), getLaneToken(port)),
            port.getOrder(), *tensors.back());
  }
  FailureOr<SmallVector<ArrayPtr>> results = runReference(declaration, tensors);
  if (failed(results))
    return failure();
  SmallVector<std::vector<Word>> outputs;
  for (auto [data, port] : llvm::zip_equal(*results, declaration.getOutputPorts()))
    outputs.push_back(castTokens(gather(*data, port.getOrder())->words, getLaneToken(port),
                                 port.getToken().getElementType()));
  return outputs;
}

/// The tokens of a FIFO of a kernel, one after the other.
static ArrayPtr makeTokens(std::vector<Word> words, Type token) {
  int64_t perToken = getTokenWords(token);
  auto array = std::make_shared<Array>();
  array->shape = {static_cast<int64_t>(words.size()) / perToken, perToken};
  array->elementType = token;
  array->words = std::move(words);
  return array;
}

LogicalResult Evaluator::runExternTask(dataflow::ExternTaskOp op) {
  auto declaration =
      SymbolTable::lookupNearestSymbolFrom<dataflow::ExternOp>(op, op.getCalleeAttr());
  if (!op->getParentOfType<dataflow::KernelOp>()) {
    SmallVector<ArrayPtr> inputs =
        llvm::map_to_vector(op.getInputs(), [&](Value input) { return get(input).array; });
    FailureOr<SmallVector<ArrayPtr>> results = runReference(declaration, inputs);
    if (failed(results))
      return failure();
    for (auto [result, array] : llvm::zip_equal(op.getResults(), *results))
      set(result, array);
    return success();
  }
  SmallVector<std::vector<Word>> inputs =
      llvm::map_to_vector(op.getInputs(), [&](Value input) { return getArray(input).words; });
  FailureOr<SmallVector<std::vector<Word>>> outputs = runOnTokens(declaration, inputs);
  if (failed(outputs))
    return failure();
  for (auto [result, words, port] :
       llvm::zip_equal(op.getResults(), *outputs, declaration.getOutputPorts()))
    set(result, makeTokens(std::move(words), port.getToken().getElementType()));
  return success();
}

std::optional<LogicalResult> Evaluator::runStreamOp(Operation *op) {
  return TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](dataflow::ExternTaskOp task) { return runExternTask(task); })
      .Case([&](dataflow::ITensorToStreamOp bridge) {
        set(bridge.getResult(),
            makeTokens(getArray(bridge.getSource()).words, bridge.getType().getElementType()));
        return success();
      })
      .Case([&](dataflow::StreamToITensorOp bridge) {
        ArrayPtr tokens = makeResult(bridge.getResult());
        tokens->words = getArray(bridge.getSource()).words;
        set(bridge.getResult(), tokens);
        return success();
      })
      .Case([&](dataflow::StreamCastOp cast) {
        Type from = cast.getSource().getType().getElementType();
        Type to = cast.getType().getElementType();
        set(cast.getResult(),
            makeTokens(castTokens(getArray(cast.getSource()).words, from, to), to));
        return success();
      })
      .Default([](Operation *) { return std::nullopt; });
}
