//===- OperandAccess.cpp - Where an access finds its element ------------===//

#include "OperandAccess.h"

#include "streamtensor/Support/Affine.h"

#include "Body.h"

using namespace mlir;
using namespace streamtensor::interpreter;

/// Adds the coefficient of each dimension in `expression`; false if it is not linear.
static bool addCoefficients(AffineExpr expression, int64_t factor, OperandAccess &access) {
  if (auto dim = dyn_cast<AffineDimExpr>(expression)) {
    access.steps[dim.getPosition()] += factor;
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expression)) {
    access.offset += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addCoefficients(binary.getLHS(), factor, access) &&
           addCoefficients(binary.getRHS(), factor, access);
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && scale &&
         addCoefficients(binary.getLHS(), factor * scale.getValue(), access);
}

OperandAccess OperandAccess::create(AffineMap map, ArrayRef<int64_t> shape) {
  OperandAccess access;
  access.steps.assign(map.getNumDims(), 0);
  access.place = getAffineConstantExpr(0, map.getContext());
  bool isLinear = true;
  for (auto [result, stride] : llvm::zip_equal(map.getResults(), getStrides(shape))) {
    isLinear &= addCoefficients(result, stride, access);
    access.place = access.place + result * stride;
  }
  if (isLinear)
    access.place = {};
  return access;
}

OperandAccess OperandAccess::create(OpOperand &operand, linalg::LinalgOp op) {
  if (auto type = dyn_cast<RankedTensorType>(operand.get().getType()))
    return create(op.getMatchingIndexingMap(&operand), type.getShape());
  OperandAccess scalar;
  scalar.steps.assign(op.getNumLoops(), 0);
  return scalar;
}

int64_t OperandAccess::getPlace(ArrayRef<int64_t> index) const {
  if (place)
    return evaluate(place, index);
  int64_t sum = offset;
  for (size_t loop = 0; loop < index.size(); ++loop)
    sum += steps[loop] * index[loop];
  return sum;
}
