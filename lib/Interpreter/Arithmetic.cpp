//===- Arithmetic.cpp - Operations of arith and math, lane by lane --------===//

#include "Step.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace streamtensor::interpreter;

static bool hasWords(Type type) { return getWordWidth(getElementTypeOrSelf(type)) != 0; }

StepPtr streamtensor::interpreter::makeArithmetic(Operation *op, Registers result,
                                                  ArrayRef<Registers> operands, Fault &fault) {
  if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) || op->getNumResults() != 1 ||
      op->getNumOperands() == 0 || !llvm::all_of(op->getOperandTypes(), hasWords) ||
      !llvm::all_of(op->getResultTypes(), hasWords))
    return nullptr;
  if (isa<arith::SelectOp>(op))
    return makeLaneStep<3>(result, operands, [](Word condition, Word yes, Word no) {
      return condition.isTrue() ? yes : no;
    });
  if (StepPtr step = makeConversion(op, result, operands))
    return step;
  if (isa<FloatType>(getElementTypeOrSelf(op->getOperand(0).getType())))
    return makeFloatArithmetic(op, result, operands);
  return makeIntegerArithmetic(op, result, operands, fault);
}
