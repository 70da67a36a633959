//===- LoopOrder.cpp - Order of the tile loops ----------------------------===//
//
// The order of the tile loops decides how much of a tensor a converter must hold:
// two nests share buffers only under the loops that they have in common, outermost
// first. Orders are chosen greedily in topological order, by the bytes of the
// converters towards the producers whose orders are already fixed.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/LoopOrder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Transforms/Tile/DimensionClasses.h"

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

namespace {

/// Above this many parallel tile loops only the default order is tried.
constexpr unsigned maxPermutedLoops = 5;

class LoopOrderChooser {
public:
  LoopOrderChooser(const DimensionClasses &classes, itensor::ConverterRule rule)
      : classes(classes), rule(rule) {}

  void visit(Operation *op);
  LoopOrders orders;

private:
  void visitLinalg(linalg::LinalgOp op);
  int64_t getConverterElements(linalg::LinalgOp op, ArrayRef<int64_t> tiles,
                               ArrayRef<TileLoop> loops);
  void setType(Value value, FailureOr<ITensorType> type) {
    if (succeeded(type))
      types[value] = *type;
  }

  const DimensionClasses &classes;
  itensor::ConverterRule rule;
  /// Types of the values inside the design; tensors from outside have none, as any
  /// order can be read from external memory.
  DenseMap<Value, ITensorType> types;
};

} // namespace

void LoopOrderChooser::visit(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return visitLinalg(linalgOp);
  if (op->getNumOperands() == 0)
    return;
  ITensorType source = types.lookup(op->getOperand(0));
  if (!source)
    return;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return setType(expand.getResult(), reassociateType(source, expand.getReassociationIndices(),
                                                       expand.getResultType().getShape()));
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return setType(collapse.getResult(), reassociateType(source, collapse.getReassociationIndices(),
                                                         collapse.getResultType().getShape()));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    FailureOr<ITensorType> type = source;
    for (unsigned dim = 0; dim < source.getDataRank() && succeeded(type); ++dim)
      if (slice.getStaticSizes()[dim] != source.getDataShape()[dim])
        type = chunkType(*type, dim, slice.getStaticOffsets()[dim], slice.getStaticSizes()[dim]);
    if (slice.getType().getRank() == slice.getSourceType().getRank())
      setType(slice.getResult(), type);
  }
}

/// All orders of `loops`' parallel dimensions in lexicographic order, the given one first.
static SmallVector<SmallVector<unsigned>> permute(SmallVector<unsigned> loops) {
  SmallVector<SmallVector<unsigned>> result;
  SmallVector<unsigned> positions(llvm::to_vector(llvm::seq<unsigned>(0, loops.size())));
  do {
    result.push_back(llvm::map_to_vector(positions, [&](unsigned p) { return loops[p]; }));
  } while (loops.size() <= maxPermutedLoops &&
           std::next_permutation(positions.begin(), positions.end()));
  return result;
}

void LoopOrderChooser::visitLinalg(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic)
    return; // A fill: it is its consumer's initial value.
  SmallVector<int64_t> tiles = classes.getLoopTiles(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> parallel, others;
  AffineMap resultMap = generic.getIndexingMapMatchingResult(generic->getResult(0));
  for (AffineExpr expr : resultMap.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      (ranges[dim.getPosition()] > tiles[dim.getPosition()] ? parallel : others)
          .push_back(dim.getPosition());
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
    if (!resultMap.isFunctionOfDim(dim))
      others.push_back(dim);

  SmallVector<unsigned> best;
  int64_t bestElements = 0;
  for (SmallVector<unsigned> &candidate : permute(parallel)) {
    llvm::append_range(candidate, others);
    int64_t elements = getConverterElements(op, tiles, getTileLoops(op, tiles, candidate));
    if (best.empty() || elements < bestElements) {
      best = candidate;
      bestElements = elements;
    }
    if (bestElements == 0)
      break;
  }
  SmallVector<TileLoop> loops = getTileLoops(op, tiles, best);
  for (OpResult result : generic->getResults())
    types[result] = getResultType(generic.getIndexingMapMatchingResult(result),
                                  cast<RankedTensorType>(result.getType()), tiles, loops);
  orders[op] = std::move(best);
}

int64_t LoopOrderChooser::getConverterElements(linalg::LinalgOp op, ArrayRef<int64_t> tiles,
                                               ArrayRef<TileLoop> loops) {
  int64_t elements = 0;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    ITensorType source = types.lookup(operand->get());
    if (!source)
      continue;
    ITensorType wanted =
        getAccessType(op.getMatchingIndexingMap(operand),
                      cast<RankedTensorType>(operand->get().getType()), tiles, loops);
    if (haveSameTokenOrder(source, wanted))
      continue;
    FailureOr<itensor::ConverterPlan> plan = itensor::planConverter(source, wanted, rule);
    elements +=
        succeeded(plan) ? plan->getNumElements() : 2 * source.getDataType().getNumElements();
  }
  return elements;
}

LoopOrders streamtensor::chooseLoopOrders(func::FuncOp function, const DimensionClasses &classes,
                                          itensor::ConverterRule rule) {
  LoopOrderChooser chooser(classes, rule);
  for (Operation &op : function.getBody().front())
    chooser.visit(&op);
  return std::move(chooser.orders);
}
