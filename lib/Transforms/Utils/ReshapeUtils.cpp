//===- ReshapeUtils.cpp - Dropping dimensions of extent one ---------------===//

#include "streamtensor/Transforms/ReshapeUtils.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;

namespace streamtensor {

namespace {

/// Groups that join each dropped dimension to the kept one before it (leading
/// ones to the first kept); no groups if none is kept.
SmallVector<ReassociationIndices> groupWithKept(const llvm::SmallBitVector &dropped) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices current;
  bool hasKept = false;
  for (unsigned dim = 0, rank = dropped.size(); dim < rank; ++dim) {
    if (!dropped[dim] && hasKept) {
      groups.push_back(std::move(current));
      current.clear();
    }
    hasKept |= !dropped[dim];
    current.push_back(dim);
  }
  if (hasKept)
    groups.push_back(std::move(current));
  return groups;
}

} // namespace

llvm::SmallBitVector findUnitDims(RankedTensorType type) {
  llvm::SmallBitVector units(type.getRank());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.getDimSize(dim) == 1)
      units.set(dim);
  return units;
}

Value dropUnitDims(OpBuilder &builder, Location loc, Value value,
                   const llvm::SmallBitVector &dropped) {
  if (dropped.none())
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!dropped[dim])
      shape.push_back(type.getDimSize(dim));
  return tensor::CollapseShapeOp::create(builder, loc,
                                         RankedTensorType::get(shape, type.getElementType()), value,
                                         groupWithKept(dropped));
}

Value restoreUnitDims(OpBuilder &builder, Location loc, Value value, RankedTensorType type,
                      const llvm::SmallBitVector &dropped) {
  if (dropped.none())
    return value;
  return tensor::ExpandShapeOp::create(builder, loc, type, value, groupWithKept(dropped));
}

void populateReshapeCleanupPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::EmptyOp::getCanonicalizationPatterns(patterns, context);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
}

} // namespace streamtensor
