//===- Word.cpp - One number of an executed program -----------------------===//

#include "streamtensor/Interpreter/Word.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace streamtensor;
using interpreter::Word;

unsigned interpreter::getWordWidth(Type type) {
  if (type.isIndex())
    return 64;
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64 ? integer.getWidth() : 0;
  if (type.isF16() || type.isBF16())
    return 16;
  return type.isF32() ? 32 : type.isF64() ? 64 : 0;
}

llvm::APInt interpreter::getBits(Word word, Type type) {
  unsigned width = getWordWidth(type);
  return {width, word.asUnsigned(width)};
}

Word interpreter::getWord(const llvm::APInt &bits, Type type) {
  if (isa<FloatType>(type))
    return {bits.getZExtValue()};
  return Word::ofInteger(static_cast<int64_t>(bits.getZExtValue()), getWordWidth(type));
}

Word interpreter::getWord(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return getWord(number.getValue().bitcastToAPInt(), number.getType());
  auto number = cast<IntegerAttr>(attribute);
  return getWord(number.getValue(), number.getType());
}

double interpreter::getDouble(Word word, Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return type.isInteger(1) ? word.isTrue() : static_cast<double>(word.asInteger());
  llvm::APFloat value(floatType.getFloatSemantics(), getBits(word, type));
  bool isInexact = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return value.convertToDouble();
}

bool interpreter::isNaN(Word word, Type type) {
  double value = isa<FloatType>(type) ? getDouble(word, type) : 0;
  return value != value;
}

Word interpreter::getPoison(Type type) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return getWord(llvm::APFloat::getNaN(floatType.getFloatSemantics()).bitcastToAPInt(), type);
  return Word::ofInteger(static_cast<int64_t>(0xa5a5a5a5a5a5a5a5ull), getWordWidth(type));
}
