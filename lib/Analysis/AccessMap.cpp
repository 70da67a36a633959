//===- AccessMap.cpp - How loops move an access ---------------------------===//

#include "streamtensor/Analysis/AccessMap.h"

#include "streamtensor/Analysis/Lookup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace streamtensor;

static bool isWindowIndex(AffineExpr index) {
  return !isa<AffineDimExpr, AffineConstantExpr>(index);
}

bool streamtensor::isWindow(AffineMap map) { return llvm::any_of(map.getResults(), isWindowIndex); }

int64_t streamtensor::getCoefficient(AffineMap map, unsigned loop) {
  for (AffineExpr index : map.getResults())
    if (auto terms = getIndexTerms(index))
      for (const IndexTerm &term : *terms)
        if (term.loop == loop)
          return term.coefficient;
  return 0;
}

AffineMap streamtensor::getLaneMap(AffineMap map, ArrayRef<int64_t> unroll) {
  SmallVector<AffineExpr> lanes(map.getResults());
  for (AffineExpr &index : lanes) {
    if (!isWindowIndex(index))
      continue;
    auto terms = getIndexTerms(index);
    index = getAffineConstantExpr(0, map.getContext());
    for (const IndexTerm &term : *terms)
      if (unroll[term.loop] > 1)
        index = getAffineDimExpr(term.loop, map.getContext());
  }
  return AffineMap::get(map.getNumDims(), 0, lanes, map.getContext());
}

SmallVector<int64_t> streamtensor::getLaneShape(AffineMap map, ArrayRef<int64_t> unroll) {
  return llvm::map_to_vector(getLaneMap(map, unroll).getResults(), [&](AffineExpr index) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    return loop ? unroll[loop.getPosition()] : 1;
  });
}

/// The loop of a window that lanes may run along.
static std::optional<unsigned> getLaneLoop(linalg::LinalgOp op, AffineExpr index) {
  auto iterators = op.getIteratorTypesArray();
  auto terms = getIndexTerms(index);
  for (auto kind : {utils::IteratorType::parallel, utils::IteratorType::reduction})
    for (const IndexTerm &term : *terms)
      if (term.coefficient == 1 && iterators[term.loop] == kind)
        return term.loop;
  return std::nullopt;
}

bool streamtensor::canUnroll(linalg::LinalgOp op, unsigned loop) {
  // One access fetches elements of one row.
  if (std::optional<Lookup> lookup = findLookup(op);
      lookup && !llvm::is_contained(lookup->columns, std::optional<unsigned>(loop)))
    return false;
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr index : map.getResults())
      if (isWindowIndex(index) && index.isFunctionOfDim(loop) && getLaneLoop(op, index) != loop)
        return false;
  return true;
}

bool streamtensor::isWindowShape(linalg::LinalgOp op, OpOperand &operand) {
  if (!op.isDpsInput(&operand) || !op.getMatchingBlockArgument(&operand).use_empty())
    return false;
  Value value = operand.get();
  while (isa_and_nonnull<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value.getDefiningOp<tensor::EmptyOp>() != nullptr;
}

SmallVector<OpOperand *> streamtensor::getDataInputs(linalg::LinalgOp op) {
  SmallVector<OpOperand *> inputs = op.getDpsInputOperands();
  llvm::erase_if(inputs, [&](OpOperand *input) { return isWindowShape(op, *input); });
  return inputs;
}

bool streamtensor::isContraction(linalg::LinalgOp op) {
  SmallVector<OpOperand *> tensors = getDataInputs(op);
  llvm::erase_if(tensors,
                 [](OpOperand *input) { return !isa<RankedTensorType>(input->get().getType()); });
  if (op.getNumReductionLoops() == 0 || tensors.size() != 1)
    return op.getNumReductionLoops() > 0 && tensors.size() > 1;
  AffineMap map = op.getMatchingIndexingMap(tensors.front());
  return llvm::any_of(llvm::enumerate(op.getIteratorTypesArray()), [&](auto loop) {
    return loop.value() == utils::IteratorType::parallel && !map.isFunctionOfDim(loop.index());
  });
}

/// What `value` was before conversions.
static Value stripConversions(Value value) {
  while (value.getDefiningOp<CastOpInterface>())
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

Operation *streamtensor::getSummedProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return nullptr;
  Operation *sum = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum))
    return nullptr;
  Value before = op.getRegionOutputArgs()[0];
  unsigned term = sum->getOperand(0) == before ? 1 : 0;
  if (sum->getOperand(1 - term) != before)
    return nullptr;
  Operation *product = stripConversions(sum->getOperand(term)).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product))
    return nullptr;
  Value lhs = stripConversions(product->getOperand(0));
  Value rhs = stripConversions(product->getOperand(1));
  bool areInputs = isa<BlockArgument>(lhs) && isa<BlockArgument>(rhs) && lhs != before &&
                   rhs != before && lhs != rhs;
  return areInputs ? product : nullptr;
}
