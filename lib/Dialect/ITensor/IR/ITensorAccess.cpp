//===- ITensorAccess.cpp - Verifiers of itensor.read and itensor.write ----===//
//
// A read or write stands in a nest of scf.for. The verifier proves that the nest
// visits the points of the type in the type's order: the indices are induction
// variables of the nest, outermost first, with the type's trip counts, and no
// other loop repeats them.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace streamtensor::itensor;

namespace {
/// A loop around an access.
struct NestLoop {
  Value index;
  std::optional<int64_t> lowerBound;
  std::optional<int64_t> trips;
  bool isFixed = false; ///< A guard lets one trip through.
};
} // namespace

static NestLoop describeLoop(scf::ForOp loop) {
  NestLoop result{loop.getInductionVar(), getConstantIntValue(loop.getLowerBound()), {}, false};
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (result.lowerBound && upper && step && *step > 0 && *upper > *result.lowerBound)
    result.trips = llvm::divideCeil(*upper - *result.lowerBound, *step);
  return result;
}

/// Collects the values that `condition` fixes: `iv == constant`, joined by `and`.
static void collectFixed(Value condition, llvm::SmallDenseSet<Value> &fixed) {
  if (auto conjunction = condition.getDefiningOp<arith::AndIOp>()) {
    collectFixed(conjunction.getLhs(), fixed);
    collectFixed(conjunction.getRhs(), fixed);
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return;
  if (getConstantIntValue(compare.getRhs()))
    fixed.insert(compare.getLhs());
  if (getConstantIntValue(compare.getLhs()))
    fixed.insert(compare.getRhs());
}

/// The loops around `op` up to the enclosing task or function, outermost first.
static SmallVector<NestLoop> getEnclosingLoops(Operation *op) {
  SmallVector<NestLoop> nest;
  llvm::SmallDenseSet<Value> fixed;
  Region *inner = op->getParentRegion();
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp()) {
    if (auto guard = dyn_cast<scf::IfOp>(parent)) {
      if (inner == &guard.getThenRegion())
        collectFixed(guard.getCondition(), fixed);
    } else if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      nest.push_back(describeLoop(loop));
    } else {
      break;
    }
    inner = parent->getParentRegion();
  }
  for (NestLoop &loop : nest)
    loop.isFixed = fixed.contains(loop.index);
  std::reverse(nest.begin(), nest.end());
  return nest;
}

/// Checks one named loop against the dimension it stands for.
static LogicalResult verifyLoop(Operation *op, const NestLoop &loop, unsigned dim,
                                int64_t expected) {
  if (!loop.trips || loop.lowerBound != 0)
    return op->emitOpError("[itensor.index] the loop of index ")
           << dim << " must run from 0 to a constant bound by a constant step";
  if (loop.trips != expected)
    return op->emitOpError("[itensor.index] the loop of index ")
           << dim << " makes " << *loop.trips << " trips, iteration dimension d" << dim
           << " of the type has " << expected;
  return success();
}

/// `mayHold`: loops inside all named ones may repeat the access (a read holds the
/// token there).
static LogicalResult verifyIndices(Operation *op, ITensorType type, ValueRange indices,
                                   bool mayHold) {
  if (indices.size() != type.getIterRank())
    return op->emitOpError("[itensor.index] has ")
           << indices.size() << " indices for " << type.getIterRank() << " iteration dimensions";
  SmallVector<NestLoop> nest = getEnclosingLoops(op);
  unsigned next = 0;
  for (const NestLoop &loop : nest) {
    if (next < indices.size() && loop.index == indices[next]) {
      if (failed(verifyLoop(op, loop, next, type.getTrips()[next])))
        return failure();
      ++next;
      continue;
    }
    bool holds = mayHold && next == indices.size();
    if (loop.trips == 1 || loop.isFixed || holds)
      continue;
    return op->emitOpError("[itensor.index] the enclosing loop over ")
           << (loop.trips ? std::to_string(*loop.trips) : std::string("an unknown number of"))
           << " trips is not index " << next
           << ", so tokens would be visited again or in another order; name it as a revisit of "
              "the type, or fix it by a guard";
  }
  if (next != indices.size())
    return op->emitOpError("[itensor.index] index ")
           << next << " is not the induction variable of an enclosing scf.for in nest order";
  return success();
}

static LogicalResult verifyToken(Operation *op, ITensorType type, Type token) {
  if (isa<TupleType>(type.getElementType()))
    return op->emitOpError(
        "[itensor.tuple] a token of tuples is no tensor; take the members apart "
        "with itensor.unjoin, and write streams that itensor.join puts together");
  if (token == type.getTokenType())
    return success();
  return op->emitOpError("[itensor.token] the token has type ")
         << token << ", the itensor carries " << type.getTokenType();
}

LogicalResult ReadOp::verify() {
  ITensorType type = getSource().getType();
  if (failed(verifyToken(*this, type, getToken().getType())))
    return failure();
  return verifyIndices(*this, type, getIndices(), /*mayHold=*/true);
}

LogicalResult WriteOp::verify() {
  ITensorType type = getDest().getType();
  if (failed(verifyToken(*this, type, getToken().getType())))
    return failure();
  if (!isExactCover(type))
    return emitOpError("[itensor.cover] what a task writes must be an exact cover without "
                       "revisits, ")
           << type << " is not";
  return verifyIndices(*this, type, getIndices(), /*mayHold=*/false);
}
