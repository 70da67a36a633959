//===- OperandAccess.h - Where a Linalg operand lies ------------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_OPERANDACCESS_H
#define STREAMTENSOR_LIB_INTERPRETER_OPERANDACCESS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor::interpreter {

/// The place of an operand's element at each point of the iteration space.
struct OperandAccess {
  llvm::SmallVector<int64_t> steps; ///< Per loop, in elements.
  int64_t offset = 0;               ///< At the first point.
  mlir::AffineExpr place;           ///< Instead of `steps`, where the map has divisions.

  static OperandAccess create(mlir::OpOperand &operand, mlir::linalg::LinalgOp op);
  int64_t getPlace(llvm::ArrayRef<int64_t> index) const;
};

} // namespace streamtensor::interpreter

#endif
