//===- BitWidth.cpp - Bits of types in hardware ---------------------------===//

#include "streamtensor/Support/BitWidth.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

int64_t streamtensor::getBitWidth(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::sum_of(llvm::map_range(tuple.getTypes(), getBitWidth));
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.getNumElements() * getBitWidth(shaped.getElementType());
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getBitWidth(complex.getElementType());
  return type.isIndex() ? 32 : type.getIntOrFloatBitWidth();
}

int64_t streamtensor::getLaneBits(Type type) { return getBitWidth(getElementTypeOrSelf(type)); }
