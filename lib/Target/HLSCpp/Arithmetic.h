//===- Arithmetic.h - Scalar operations as C++ expressions ------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_TARGET_HLSCPP_ARITHMETIC_H
#define STREAMTENSOR_LIB_TARGET_HLSCPP_ARITHMETIC_H

#include "streamtensor/Target/HLSCpp/CppText.h"

#include "mlir/IR/Operation.h"

namespace streamtensor::target {

/// One lane of an elementwise `arith` or `math` operation, with the same
/// rounding and wrap-around as the operation. None when there is no such C++.
std::optional<Expression> printArithmetic(mlir::Operation *op, llvm::ArrayRef<Expression> operands);

/// A word for the result of an operation: `product`, `sum`, `exponential`.
llvm::StringRef resultWord(mlir::Operation *op);

} // namespace streamtensor::target

#endif
