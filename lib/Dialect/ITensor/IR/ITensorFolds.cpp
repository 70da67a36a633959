//===- ITensorFolds.cpp - Operations that are identities ------------------===//
//
// An operation is removed only where its law makes it an identity.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace streamtensor::itensor;

/// cast to its own type -> source; cast(cast(x)) -> cast(x).
OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<CastOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return {};
}

OpFoldResult ReassociateOp::fold(FoldAdaptor) {
  return getSource().getType() == getResult().getType() ? getSource() : OpFoldResult();
}

OpFoldResult ConverterOp::fold(FoldAdaptor) {
  return getSource().getType() == getResult().getType() ? getSource() : OpFoldResult();
}

/// A converter between equal orders is a cast.
LogicalResult ConverterOp::canonicalize(ConverterOp op, PatternRewriter &rewriter) {
  if (!haveSameTokenOrder(op.getSource().getType(), op.getResult().getType()))
    return failure();
  rewriter.replaceOpWithNewOp<CastOp>(op, op.getResult().getType(), op.getSource());
  return success();
}

/// A fork keeps its used results only; with one of them it is no fork.
LogicalResult ForkOp::canonicalize(ForkOp op, PatternRewriter &rewriter) {
  SmallVector<OpResult> used =
      llvm::filter_to_vector(op.getResults(), [](OpResult result) { return !result.use_empty(); });
  if (used.size() == op.getNumResults() && used.size() != 1)
    return failure();
  if (used.size() <= 1) {
    rewriter.replaceOp(op, SmallVector<Value>(op.getNumResults(), op.getSource()));
    return success();
  }
  auto fork =
      ForkOp::create(rewriter, op.getLoc(),
                     SmallVector<Type>(used.size(), op.getSource().getType()), op.getSource());
  for (auto [old, replacement] : llvm::zip_equal(used, fork.getResults()))
    rewriter.replaceAllUsesWith(old, replacement);
  rewriter.eraseOp(op);
  return success();
}
