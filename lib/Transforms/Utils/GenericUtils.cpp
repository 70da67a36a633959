//===- GenericUtils.cpp - Questions about linalg.generic ------------------===//

#include "streamtensor/Transforms/GenericUtils.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace streamtensor {

bool isElementwise(linalg::GenericOp op) {
  if (op.getNumLoops() != op.getNumParallelLoops())
    return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.getMatchingIndexingMap(&init).isPermutation();
  });
}

bool readsInit(linalg::GenericOp op) {
  return llvm::any_of(op.getRegionOutputArgs(), [](BlockArgument arg) { return !arg.use_empty(); });
}

bool isCopy(linalg::GenericOp op) {
  if (!isElementwise(op) || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1)
    return false;
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  bool isWindow = !op.getMatchingIndexingMap(op.getDpsInputOperand(0))
                       .isProjectedPermutation(/*allowZeroInResults=*/true);
  return !isWindow && op.getBody()->getOperations().size() == 1 &&
         yield.getOperand(0) == op.getRegionInputArgs()[0];
}

AffineMap getCopyMap(linalg::GenericOp copy) {
  AffineMap written = copy.getMatchingIndexingMap(copy.getDpsInitOperand(0));
  AffineMap read = copy.getMatchingIndexingMap(copy.getDpsInputOperand(0));
  return read.compose(inversePermutation(written));
}

TypedAttr getFillConstant(Value value) {
  TypedAttr scalar;
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.value(), m_Constant(&scalar)) ? scalar : TypedAttr();
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<TypedAttr>();
  return {};
}

linalg::GenericOp cloneGeneric(RewriterBase &rewriter, linalg::GenericOp op, ValueRange inputs,
                               ValueRange inits, ArrayRef<AffineMap> maps,
                               ArrayRef<utils::IteratorType> iterators) {
  auto clone = linalg::GenericOp::create(rewriter, op.getLoc(), inits.getTypes(), inputs, inits,
                                         maps, iterators);
  rewriter.cloneRegionBefore(op.getRegion(), clone.getRegion(), clone.getRegion().begin());
  clone->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return clone;
}

linalg::GenericOp createCopy(OpBuilder &builder, Location loc, Value source, AffineMap map,
                             ArrayRef<int64_t> resultShape) {
  Type element = cast<RankedTensorType>(source.getType()).getElementType();
  Value empty = tensor::EmptyOp::create(builder, loc, resultShape, element);
  unsigned rank = resultShape.size();
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  AffineMap maps[] = {map, builder.getMultiDimIdentityMap(rank)};
  return linalg::GenericOp::create(builder, loc, empty.getType(), source, empty, maps, loops,
                                   [](OpBuilder &nested, Location nestedLoc, ValueRange args) {
                                     linalg::YieldOp::create(nested, nestedLoc, args.front());
                                   });
}

} // namespace streamtensor
