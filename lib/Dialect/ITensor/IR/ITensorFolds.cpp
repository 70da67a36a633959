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

/// To its own type -> source; by the same groups there and back -> what was there first.
OpFoldResult ReassociateOp::fold(FoldAdaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  auto inner = getSource().getDefiningOp<ReassociateOp>();
  bool returns = inner && inner.getReassociation() == getReassociation() &&
                 inner.getSource().getType() == getResult().getType();
  return returns ? inner.getSource() : OpFoldResult();
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

/// Replaces `op` by a cast of `source`.
static LogicalResult replaceByCast(Operation *op, Value source, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<CastOp>(op, op->getResult(0).getType(), source);
  return success();
}

/// One part is the whole; the parts of a concat are its sources.
LogicalResult ChunkOp::canonicalize(ChunkOp op, PatternRewriter &rewriter) {
  if (op.getNumResults() == 1)
    return replaceByCast(op, op.getSource(), rewriter);
  auto concat = op.getSource().getDefiningOp<ConcatOp>();
  if (!concat || concat.getDim() != op.getDim() ||
      concat.getSources().getTypes() != op.getResultTypes())
    return failure();
  rewriter.replaceOp(op, concat.getSources());
  return success();
}

/// One part is the whole; all parts of a chunk in their order are what was cut.
LogicalResult ConcatOp::canonicalize(ConcatOp op, PatternRewriter &rewriter) {
  if (op.getSources().size() == 1)
    return replaceByCast(op, op.getSources().front(), rewriter);
  auto chunk =
      op.getSources().empty() ? ChunkOp() : op.getSources().front().getDefiningOp<ChunkOp>();
  if (!chunk || chunk.getDim() != op.getDim() || ValueRange(op.getSources()) != chunk.getResults())
    return failure();
  return replaceByCast(op, chunk.getSource(), rewriter);
}

/// All members of one stream of tuples in their order are that stream.
LogicalResult JoinOp::canonicalize(JoinOp op, PatternRewriter &rewriter) {
  auto unjoin =
      op.getSources().empty() ? UnjoinOp() : op.getSources().front().getDefiningOp<UnjoinOp>();
  if (!unjoin || ValueRange(op.getSources()) != unjoin.getResults())
    return failure();
  return replaceByCast(op, unjoin.getSource(), rewriter);
}

/// The members of joined streams are those streams.
LogicalResult UnjoinOp::canonicalize(UnjoinOp op, PatternRewriter &rewriter) {
  auto join = op.getSource().getDefiningOp<JoinOp>();
  if (!join)
    return failure();
  SmallVector<Value> members;
  for (auto [source, result] : llvm::zip_equal(join.getSources(), op.getResults()))
    members.push_back(CastOp::create(rewriter, op.getLoc(), result.getType(), source));
  rewriter.replaceOp(op, members);
  return success();
}

/// Nothing added is a cast.
LogicalResult PadOp::canonicalize(PadOp op, PatternRewriter &rewriter) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (!llvm::all_of(op.getLow(), isZero) || !llvm::all_of(op.getHigh(), isZero))
    return failure();
  return replaceByCast(op, op.getSource(), rewriter);
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
