//===- Interpreter.cpp - Running a module ---------------------------------===//

#include "streamtensor/Interpreter/Interpreter.h"

#include "Evaluator.h"

#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

StringRef interpreter::stringifyLevel(Level level) {
  switch (level) {
  case Level::Linalg:
    return "linalg";
  case Level::ITensor:
    return "itensor";
  case Level::Stream:
    return "stream";
  }
  llvm_unreachable("all levels are handled");
}

Level interpreter::getLevel(ModuleOp module) {
  Level level = Level::Linalg;
  module.walk([&](Operation *op) {
    if (isa<dataflow::DesignOp>(op)) {
      level = Level::Stream;
      return WalkResult::interrupt();
    }
    if (isa<dataflow::KernelOp>(op) || isa<itensor::ITensorDialect>(op->getDialect()))
      level = Level::ITensor;
    return WalkResult::advance();
  });
  return level;
}

SumOrder interpreter::getSumOrder(ModuleOp module) {
  if (getLevel(module) == Level::Stream)
    return SumOrder::Hardware;
  bool isTiled = true, adds = false, isPlanned = true;
  module.walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (isa<dataflow::ExternOp>(inner)) // Its reference is the same at every level.
      return WalkResult::skip();
    auto op = dyn_cast<linalg::LinalgOp>(inner);
    isTiled &= !op || dataflow::isTiled(op) || isa<linalg::FillOp>(inner);
    if (op && op.getNumReductionLoops() > 0) {
      adds = true;
      isPlanned &= bool(dataflow::getSums(op));
    }
    return WalkResult::advance();
  });
  // A softmax does not say yet how it adds.
  module.walk([&](linalg::AggregatedOpInterface) { isTiled = false; });
  if (!isTiled)
    return SumOrder::Unstated;
  return !adds ? SumOrder::None : isPlanned ? SumOrder::Hardware : SumOrder::Loops;
}

Agreement interpreter::getAgreement(SumOrder before, SumOrder after) {
  if (before == SumOrder::Unstated || after == SumOrder::Unstated)
    return Agreement::Rounding;
  bool isSame = before == after || before == SumOrder::None || after == SumOrder::None;
  return isSame ? Agreement::Bits : Agreement::Rounding;
}

FailureOr<FunctionOpInterface> interpreter::getEntry(ModuleOp module) {
  SmallVector<FunctionOpInterface> functions;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (!function.isExternal()) {
      if (function.getName() == "main")
        return function;
      functions.push_back(function);
    }
  if (functions.size() == 1)
    return functions.front();
  return module.emitOpError("has ")
         << functions.size() << " functions and none is called main; a run needs one to enter";
}

/// Tensors and scalars can be passed; returns the tensor type of what is passed.
static FailureOr<RankedTensorType> getArgumentType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.hasStaticShape() && getWordWidth(tensor.getElementType()))
    return tensor;
  if (!tensor && getWordWidth(type))
    return RankedTensorType::get({}, type);
  return failure();
}

static FailureOr<SmallVector<RankedTensorType>> getArgumentTypes(FunctionOpInterface entry) {
  SmallVector<RankedTensorType> types;
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
    FailureOr<RankedTensorType> known = getArgumentType(type);
    if (failed(known))
      return entry.emitOpError("argument ")
             << index << " has type " << type
             << "; the interpreter takes tensors of fixed shape and scalars of at most 64 bits";
    types.push_back(*known);
  }
  return types;
}

FailureOr<SmallVector<RankedTensorType>> interpreter::getArgumentTypes(ModuleOp module) {
  FailureOr<FunctionOpInterface> entry = getEntry(module);
  if (failed(entry))
    return failure();
  return ::getArgumentTypes(*entry);
}

FailureOr<SmallVector<Array>> interpreter::interpret(ModuleOp module, ArrayRef<Array> arguments,
                                                     bool overlaps) {
  FailureOr<FunctionOpInterface> entry = getEntry(module);
  if (failed(entry))
    return failure();
  FailureOr<SmallVector<RankedTensorType>> types = ::getArgumentTypes(*entry);
  if (failed(types))
    return failure();
  if (types->size() != arguments.size())
    return entry->emitOpError("takes ")
           << types->size() << " arguments, " << arguments.size() << " are given";
  SmallVector<RuntimeValue> values;
  for (auto [index, type, argument] : llvm::enumerate(*types, arguments)) {
    if (argument.getType() != type)
      return entry->emitOpError("argument ")
             << index << " has type " << type << ", the given one " << argument.getType();
    bool isScalar = !isa<RankedTensorType>(entry->getArgumentTypes()[index]);
    values.push_back(isScalar ? RuntimeValue{argument.words.front(), nullptr}
                              : RuntimeValue{{}, std::make_shared<Array>(argument)});
  }
  FailureOr<SmallVector<RuntimeValue>> results = Evaluator(overlaps).call(*entry, values);
  if (failed(results))
    return failure();
  SmallVector<Array> arrays;
  for (auto [value, type] : llvm::zip_equal(*results, entry->getResultTypes()))
    arrays.push_back(value.array ? *value.array : Array{{}, type, {value.word}, {}});
  return arrays;
}

//===----------------------------------------------------------------------===//
// Random arguments
//===----------------------------------------------------------------------===//

/// SplitMix64: a sequence of 64-bit numbers that is the same everywhere.
static uint64_t getNextRandom(uint64_t &state) {
  uint64_t value = state += 0x9e3779b97f4a7c15ull;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}

static Word makeRandomWord(Type type, uint64_t &state) {
  uint64_t random = getNextRandom(state);
  if (auto floatType = dyn_cast<FloatType>(type)) {
    llvm::APFloat value(static_cast<double>(random >> 11) * 0x1p-52 - 1.0);
    bool isInexact = false;
    value.convert(floatType.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
    return getWord(value.bitcastToAPInt(), type);
  }
  return Word::ofInteger(static_cast<int64_t>(random >> 60) - 8, getWordWidth(type));
}

FailureOr<SmallVector<Array>> interpreter::makeRandomArguments(ModuleOp module, uint64_t seed) {
  FailureOr<SmallVector<RankedTensorType>> types = getArgumentTypes(module);
  if (failed(types))
    return failure();
  SmallVector<Array> arguments;
  for (auto [index, type] : llvm::enumerate(*types)) {
    uint64_t state = seed * 0x100000001b3ull + index;
    arguments.push_back(*makeArray(type.getShape(), type.getElementType()));
    for (Word &word : arguments.back().words)
      word = makeRandomWord(type.getElementType(), state);
  }
  return arguments;
}
