//===- RematerialiseKernels.cpp - Compute again instead of holding --------===//
//
//   h = norm(x)                          h  = norm(x), h' = norm(x)
//   q = h * Wq   (row by row)      =>    q  = h' * Wq
//   k = h * Wk                           k  = h * Wk
//   s = q * k'   (k whole per row)       s  = q * k'
//
// The first row of s needs all of k, hence all of h. Until then the rows of h (or q)
// would stand in a FIFO. With kernels of its own the branch of q starts when its
// results are wanted, and x is read again from external memory.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace streamtensor {
#define GEN_PASS_DEF_REMATERIALISEKERNELS
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;
using itensor::ITensorType;

/// Outer trips of a value below which holding it costs no more than the rows that each copy
/// of its kernels holds.
constexpr int64_t fewestRows = 4;
/// Kernels that may be repeated for one value.
constexpr size_t mostKernels = 16;

static bool isView(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp,
             tensor::ConcatOp, tensor::PadOp>(op);
}

/// A contraction, or a kernel of the user's: what must not be computed twice.
static bool hasContraction(KernelOp kernel) {
  return kernel
      .walk([](Operation *op) {
        auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        bool found = isa<ExternTaskOp>(op) || (linalgOp && isContraction(linalgOp));
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Does `kernel` read `input` whole again on each trip of an outermost loop?
static bool readsWholePerTrip(KernelOp kernel, unsigned input) {
  return llvm::any_of(kernel.getBody().getArgument(input).getUsers(), [](Operation *user) {
    auto from = dyn_cast<itensor::FromTensorOp>(user);
    if (!from)
      return false;
    auto type = cast<ITensorType>(from.getType());
    return type.getIterRank() > 1 && !type.getDataDimOf(0);
  });
}

/// How a value's branch ends: at contractions that read it whole per trip, or row by row.
struct Branch {
  bool isHeld = false, isStreamed = false;
  DenseSet<Value> visited;
};

/// Follows what becomes of `value` up to the next contractions.
static void follow(Value value, Branch &branch) {
  if (!branch.visited.insert(value).second)
    return;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    auto kernel = dyn_cast<KernelOp>(user);
    if (kernel && hasContraction(kernel))
      (readsWholePerTrip(kernel, use.getOperandNumber()) ? branch.isHeld : branch.isStreamed) =
          true;
    else if (kernel || isView(user))
      for (Value result : user->getResults())
        follow(result, branch);
  }
}

/// The kernels and views that compute `value` from external memory, producers first; fails if a
/// contraction is among them or they are too many.
static LogicalResult collectSlice(Value value, SetVector<Operation *> &slice) {
  Operation *op = value.getDefiningOp();
  if (!op || isExternal(value) || slice.contains(op))
    return success();
  auto kernel = dyn_cast<KernelOp>(op);
  if ((!kernel && !isView(op)) || (kernel && hasContraction(kernel)))
    return failure();
  for (Value operand : op->getOperands())
    if (failed(collectSlice(operand, slice)))
      return failure();
  slice.insert(op);
  return success(slice.size() <= mostKernels);
}

/// Uses of `value` by contractions, views in between.
static void collectReaders(Value value, SmallVectorImpl<OpOperand *> &readers) {
  for (OpOperand &use : value.getUses()) {
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(use.getOwner()))
      collectReaders(use.getOwner()->getResult(0), readers);
    else if (auto kernel = dyn_cast<KernelOp>(use.getOwner()); kernel && hasContraction(kernel))
      readers.push_back(&use);
  }
}

static int64_t countRows(KernelOp kernel) {
  auto to = kernel.getBody().front().getTerminator()->getOperand(0).getDefiningOp();
  auto type = to ? dyn_cast<ITensorType>(to->getOperand(0).getType()) : ITensorType();
  return type && type.getIterRank() > 0 ? type.getTrips().front() : 1;
}

namespace {
struct RematerialiseKernelsPass
    : streamtensor::impl::RematerialiseKernelsBase<RematerialiseKernelsPass> {
  void runOnOperation() override {
    for (KernelOp kernel : llvm::to_vector(getOperation().getOps<KernelOp>()))
      if (kernel->getNumResults() == 1 && !hasContraction(kernel) &&
          countRows(kernel) >= fewestRows)
        rematerialise(kernel);
  }

  void rematerialise(KernelOp kernel) {
    SmallVector<OpOperand *> readers, streamed;
    collectReaders(kernel->getResult(0), readers);
    bool isHeld = false;
    for (OpOperand *reader : readers) {
      Branch branch;
      for (Value result : reader->getOwner()->getResults())
        follow(result, branch);
      isHeld |= branch.isHeld;
      if (branch.isStreamed && !branch.isHeld)
        streamed.push_back(reader);
    }
    SetVector<Operation *> slice;
    if (!isHeld || streamed.empty() || failed(collectSlice(streamed.front()->get(), slice)))
      return;
    OpBuilder builder(streamed.front()->getOwner());
    for (OpOperand *reader : streamed)
      if (reader->getOwner()->isBeforeInBlock(&*builder.getInsertionPoint()))
        builder.setInsertionPoint(reader->getOwner());
    IRMapping copies;
    for (OpOperand *reader : streamed) {
      SetVector<Operation *> needed;
      if (failed(collectSlice(reader->get(), needed)))
        continue;
      for (Operation *op : needed)
        if (!copies.contains(op))
          builder.clone(*op, copies);
      reader->set(copies.lookupOrDefault(reader->get()));
    }
  }
};
} // namespace
