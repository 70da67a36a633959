//===- IntegerRanges.h - What integers a tensor can hold --------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_TRANSFORMS_LINALG_INTEGERRANGES_H
#define STREAMTENSOR_LIB_TRANSFORMS_LINALG_INTEGERRANGES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/DenseMap.h"

namespace streamtensor {

/// A sum that a generic computes: the result is the accumulator plus a term.
struct IntegerSum {
  mlir::arith::AddIOp add;
  mlir::Value term;
  mlir::APInt init;
};

/// The integer sum that `op` computes from a constant, if that is all it computes.
std::optional<IntegerSum> matchIntegerSum(mlir::linalg::GenericOp op);

/// The ranges of the elements of integer tensors, by value. A tensor of which nothing is known
/// holds every integer of its type.
class IntegerRanges {
public:
  explicit IntegerRanges(mlir::func::FuncOp function);

  mlir::ConstantIntRanges get(mlir::Value tensor) const;

private:
  void visit(mlir::Operation &op);
  void visitGeneric(mlir::linalg::GenericOp op);
  mlir::ConstantIntRanges sumRange(const IntegerSum &sum, mlir::linalg::GenericOp op,
                                   const mlir::ConstantIntRanges &term) const;

  llvm::DenseMap<mlir::Value, mlir::ConstantIntRanges> ranges;
};

} // namespace streamtensor

#endif
