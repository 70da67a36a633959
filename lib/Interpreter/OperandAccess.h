//===- OperandAccess.h - Where an access finds its element ------------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_OPERANDACCESS_H
#define STREAMTENSOR_LIB_INTERPRETER_OPERANDACCESS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor::interpreter {

/// The place of an access in an array at each point of its loops.
struct OperandAccess {
  llvm::SmallVector<int64_t> steps; ///< Per loop, in elements.
  int64_t offset = 0;               ///< At the first point.
  mlir::AffineExpr place;           ///< Instead of `steps`, where the map has divisions.

  /// By a map into a row-major array of this shape.
  static OperandAccess create(mlir::AffineMap map, llvm::ArrayRef<int64_t> shape);
  static OperandAccess create(mlir::OpOperand &operand, mlir::linalg::LinalgOp op);
  int64_t getPlace(llvm::ArrayRef<int64_t> index) const;
};

} // namespace streamtensor::interpreter

#endif
