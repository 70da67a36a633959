//===- ShareLoads.cpp - One read of memory for several products -----------===//
//
// Two products that take each element of a matrix once wait for memory. Before, each reads it:
//   %a = itensor.from_tensor %m : … -> !rows      %b = itensor.from_tensor %m : … -> !rows
//   dataflow.task "product" { itensor.read %a }   dataflow.task "transposed" { itensor.read %b }
// After, both take what one load brings:
//   %a = itensor.from_tensor %m : … -> !rows
//   dataflow.task "product" { itensor.read %a }   dataflow.task "transposed" { itensor.read %a }
// They do if they take it in one order, at one pace and in equal vectors, and if none waits long
// for what another gives: then the load would have to stop, or all that passes meanwhile to be
// held. So whatever comes to a reader from a task must come along with the matrix, a part in each
// trip of the outermost loop; a FIFO holds what passes in such a trip.
//
//===----------------------------------------------------------------------===//

#include "PackedTransfer.h"
#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/TaskNest.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h"

namespace streamtensor {
#define GEN_PASS_DEF_SHARELOADS
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

namespace {
/// A load, and how the one product that reads it takes the tokens.
struct ProductLoad {
  itensor::FromTensorOp from;
  Value tensor; ///< What the kernel is given.
  int64_t lanes;
  int64_t iterations; ///< For each token.

  bool canShareWith(ProductLoad &other) {
    return tensor == other.tensor && lanes == other.lanes && iterations == other.iterations &&
           from.getResult().getType() == other.from.getResult().getType();
  }
};
} // namespace

/// The trips of the outermost loop of a type; 1 if it has none.
static int64_t getOutermostTrips(ITensorType type) {
  return type.getIterRank() == 0 ? 1 : type.getTrips().front();
}

/// Does `task` take from other tasks, in each of `trips` of its outermost loop, only what these
/// give in as many trips of theirs?
static bool goesAlong(dataflow::TaskOp task, int64_t trips) {
  FailureOr<TaskNest> nest = TaskNest::read(task);
  if (failed(nest) || nest->loops.empty() || nest->loops.front().trips != trips)
    return false;
  return llvm::all_of(nest->inputs, [&](const TaskNest::Input &input) {
    if (comesFromMemory(input.stream))
      return true;
    auto giver = input.stream.getDefiningOp<dataflow::TaskOp>();
    return giver && input.depth > 0 && getOutermostTrips(input.type) == trips &&
           llvm::all_of(
               giver.getResultTypes(),
               [&](Type type) { return getOutermostTrips(cast<ITensorType>(type)) == trips; }) &&
           goesAlong(giver, trips);
  });
}

/// Does the product take another input than `from` from memory, each element once? Then it is as
/// fast as memory brings that, and can take `from` at this pace again and again.
static bool takesMatrixOnce(TaskNest &nest, itensor::FromTensorOp from) {
  int64_t points = llvm::product_of(nest.generic.getStaticLoopRanges());
  return llvm::any_of(nest.inputs, [&](const TaskNest::Input &input) {
    return input.stream != from.getResult() && comesFromMemory(input.stream) &&
           isExactCover(input.type) && input.depth == nest.loops.size() &&
           input.type.getTokenElements() == points;
  });
}

/// `from`, if only one product reads it as it comes, each element once, or beside a matrix of which
/// it does so: the vector of two products.
static FailureOr<std::optional<ProductLoad>> readProductLoad(dataflow::KernelOp kernel,
                                                             itensor::FromTensorOp from) {
  std::optional<ProductLoad> none;
  auto type = cast<ITensorType>(from.getResult().getType());
  if (from.getPacked() || from.getOffsets() || !from.getResult().hasOneUse())
    return none;
  auto task = (*from->user_begin())->getParentOfType<dataflow::TaskOp>();
  if (!task)
    return none;
  FailureOr<TaskNest> nest = TaskNest::read(task);
  if (failed(nest))
    return failure();
  if (!isContraction(nest->generic) || (!isExactCover(type) && !takesMatrixOnce(*nest, from)) ||
      !goesAlong(task, getOutermostTrips(type)))
    return none;
  FailureOr<dataflow::TilingAttr> tiling = dataflow::requireTiling(nest->generic);
  if (failed(tiling))
    return failure();
  PointPlan plan = planPoints(*nest, tiling->getUnroll().asArrayRef());
  int64_t iterations =
      countPointIterations(linalg::GenericOp(nest->generic).getStaticLoopRanges(), plan.unroll);
  for (auto [mode, lanes, input] : llvm::zip_equal(plan.modes, plan.lanes, nest->inputs))
    if (input.stream == from.getResult() && mode == InputMode::Stream)
      return std::optional(ProductLoad{from, getOuter(kernel, from), lanes, iterations});
  return none;
}

static LogicalResult shareLoads(dataflow::KernelOp kernel) {
  SmallVector<ProductLoad> loads;
  for (auto from :
       llvm::make_early_inc_range(kernel.getBody().front().getOps<itensor::FromTensorOp>())) {
    FailureOr<std::optional<ProductLoad>> load = readProductLoad(kernel, from);
    if (failed(load))
      return failure();
    if (!*load)
      continue;
    auto *same =
        llvm::find_if(loads, [&](ProductLoad &other) { return (*load)->canShareWith(other); });
    if (same == loads.end()) {
      loads.push_back(**load);
      continue;
    }
    from.getResult().replaceAllUsesWith(same->from.getResult());
    from.erase();
  }
  return success();
}

namespace {
struct ShareLoadsPass : streamtensor::impl::ShareLoadsBase<ShareLoadsPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<dataflow::KernelOp>())
      if (failed(shareLoads(kernel)))
        return signalPassFailure();
  }
};
} // namespace
