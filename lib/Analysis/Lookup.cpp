//===- Lookup.cpp - Rows of a table at computed places --------------------===//

#include "streamtensor/Analysis/Lookup.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace streamtensor;

/// The loop whose index `value` is, perhaps with a tile's offset from outside the body: none if
/// it does not change inside the body. Fails if it is neither.
static FailureOr<std::optional<unsigned>> getLoop(Value value, Block *body) {
  if (auto index = value.getDefiningOp<linalg::IndexOp>())
    return std::optional<unsigned>(index.getDim());
  if (value.getParentBlock() != body || matchPattern(value, m_Constant()))
    return std::optional<unsigned>();
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return failure();
  std::optional<unsigned> loop;
  for (Value operand : apply.getMapOperands()) {
    FailureOr<std::optional<unsigned>> inner = getLoop(operand, body);
    if (failed(inner) || (*inner && loop))
      return failure();
    if (*inner)
      loop = *inner;
  }
  return loop;
}

AffineMap Lookup::getMap(unsigned numLoops) const {
  MLIRContext *context = extract->getContext();
  SmallVector<AffineExpr> indices = {getAffineConstantExpr(0, context)};
  for (std::optional<unsigned> loop : columns)
    indices.push_back(loop ? getAffineDimExpr(*loop, context) : indices.front());
  return AffineMap::get(numLoops, 0, indices, context);
}

bool streamtensor::extractsElements(linalg::LinalgOp op) {
  return !op.getBlock()->getOps<tensor::ExtractOp>().empty();
}

std::optional<Lookup> streamtensor::findLookup(linalg::LinalgOp op) {
  auto extracts = op.getBlock()->getOps<tensor::ExtractOp>();
  if (extracts.empty() || std::next(extracts.begin()) != extracts.end())
    return std::nullopt;
  tensor::ExtractOp extract = *extracts.begin();
  if (extract.getIndices().empty() || extract.getTensor().getParentBlock() == op.getBlock())
    return std::nullopt;
  Lookup lookup{extract, extract.getIndices().front(), {}};
  for (Value index : extract.getIndices().drop_front()) {
    FailureOr<std::optional<unsigned>> loop = getLoop(index, op.getBlock());
    if (failed(loop))
      return std::nullopt;
    if (*loop &&
        (llvm::is_contained(lookup.columns, *loop) || dependsOnLoop(op, lookup.row, **loop)))
      return std::nullopt;
    lookup.columns.push_back(*loop);
  }
  return lookup;
}

bool streamtensor::dependsOnLoop(linalg::LinalgOp op, Value row, unsigned loop) {
  if (auto argument = dyn_cast<BlockArgument>(row)) {
    if (argument.getOwner() != op.getBlock())
      return false;
    return op.getMatchingIndexingMap(op.getMatchingOpOperand(argument)).isFunctionOfDim(loop);
  }
  if (auto index = row.getDefiningOp<linalg::IndexOp>())
    return index.getDim() == loop;
  if (row.getParentBlock() != op.getBlock())
    return false;
  return llvm::any_of(row.getDefiningOp()->getOperands(),
                      [&](Value operand) { return dependsOnLoop(op, operand, loop); });
}

DenseSet<Operation *> streamtensor::getIndexOperations(Lookup lookup) {
  DenseSet<Operation *> operations;
  for (Operation &op : llvm::reverse(*lookup.extract->getBlock()))
    if (op.getNumResults() > 0 && llvm::all_of(op.getUsers(), [&](Operation *user) {
          return user == lookup.extract || operations.contains(user);
        }))
      operations.insert(&op);
  operations.erase(lookup.extract);
  return operations;
}
