//===- FloatTypes.h - The C++ types of floats -------------------*- C++ -*-===//
//
// The same types and functions that generated code computes with (runtime/include), so that
// the interpreter and the native run agree bit for bit.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_FLOATTYPES_H
#define STREAMTENSOR_LIB_INTERPRETER_FLOATTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "st_math.h"

namespace streamtensor::interpreter {

/// Calls `use` with a zero of the C++ type of `type`; gives a default result for other types.
template <typename Use> auto withFloatType(mlir::Type type, Use use) -> decltype(use(float())) {
  if (type.isF32())
    return use(float());
  if (type.isF64())
    return use(double());
  if (type.isF16())
    return use(st::half());
  if (type.isBF16())
    return use(st::bfloat16(0.0f));
  return {};
}

} // namespace streamtensor::interpreter

#endif
