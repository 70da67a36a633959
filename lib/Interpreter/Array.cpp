//===- Array.cpp - A tensor or an itensor of an executed program ----------===//

#include "streamtensor/Interpreter/Array.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

SmallVector<int64_t> interpreter::getStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

void interpreter::forEachIndex(ArrayRef<int64_t> shape,
                               llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t left = llvm::product_of(shape); left > 0; --left) {
    visit(index);
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
  }
}

ArrayPtr interpreter::makeArray(ArrayRef<int64_t> shape, Type elementType) {
  auto array = std::make_shared<Array>();
  array->shape.assign(shape.begin(), shape.end());
  array->elementType = elementType;
  array->words.assign(llvm::product_of(shape), getPoison(elementType));
  return array;
}

/// Elements of a resource lie in whole bytes, lowest first.
static bool readResource(DenseResourceElementsAttr attribute, Array &array) {
  AsmResourceBlob *blob = attribute.getRawHandle().getBlob();
  unsigned width = getWordWidth(array.elementType);
  size_t bytes = llvm::divideCeil(width, 8);
  if (!blob || blob->getData().size() != bytes * array.words.size())
    return false;
  const char *data = blob->getData().data();
  for (Word &word : array.words) {
    uint64_t bits = 0;
    std::memcpy(&bits, data, bytes);
    word = getWord(llvm::APInt(64, bits).trunc(width), array.elementType);
    data += bytes;
  }
  return true;
}

static Word getWordOf(const llvm::APFloat &value, Type type) {
  return getWord(value.bitcastToAPInt(), type);
}

static void readDense(DenseElementsAttr attribute, Array &array) {
  if (isa<FloatType>(array.elementType)) {
    for (auto [word, value] : llvm::zip_equal(array.words, attribute.getValues<APFloat>()))
      word = getWordOf(value, array.elementType);
    return;
  }
  for (auto [word, value] : llvm::zip_equal(array.words, attribute.getValues<APInt>()))
    word = getWord(value, array.elementType);
}

ArrayPtr interpreter::makeArray(ElementsAttr attribute) {
  Type elementType = attribute.getElementType();
  if (!getWordWidth(elementType))
    return nullptr;
  ArrayPtr array = makeArray(attribute.getShapedType().getShape(), elementType);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute))
    return readResource(resource, *array) ? array : nullptr;
  auto dense = dyn_cast<DenseElementsAttr>(attribute);
  if (!dense)
    return nullptr;
  readDense(dense, *array);
  return array;
}
