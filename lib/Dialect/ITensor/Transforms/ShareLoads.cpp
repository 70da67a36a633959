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
// Loads of one tensor have its one channel in common. Where they go round it again and again, so
// often that the channel takes longer than any task, it is read once, and each reader holds it:
//   %a = itensor.from_tensor %x : … -> !again     %b = itensor.from_tensor %x : … -> !again
// becomes
//   %x = itensor.from_tensor %x : … -> !once
//   %a = itensor.converter %x : !once -> !again   %b = itensor.converter %x : !once -> !again
//
//===----------------------------------------------------------------------===//

#include "PackedTransfer.h"
#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Analysis/TaskNest.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"

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

//===----------------------------------------------------------------------===//
// What goes round again and again
//===----------------------------------------------------------------------===//

/// `type` without its outermost loops that send everything again.
static ITensorType dropOuterRevisits(ITensorType type) {
  unsigned first = 0;
  while (first < type.getIterRank() && !type.getDataDimOf(first))
    ++first;
  SmallVector<AffineExpr> dims(first, getAffineConstantExpr(0, type.getContext()));
  for (unsigned dim = first; dim < type.getIterRank(); ++dim)
    dims.push_back(getAffineDimExpr(dim - first, type.getContext()));
  unsigned rank = type.getIterRank() - first;
  AffineMap map = type.getMap().replaceDimsAndSymbols(dims, {}, rank, 0);
  return ITensorType::get(type.getContext(), type.getElementShape(), type.getElementType(),
                          type.getTrips().drop_front(first), type.getSteps().drop_front(first), map,
                          type.getStatedShape());
}

/// What all tokens of `type` are together.
static double getBytes(ITensorType type) {
  return type.getNumTokens() * type.getTokenElements() *
         dataflow::getPackedBits(type.getElementType()) / 8.0;
}

/// Iterations of the task that has most of them.
static FailureOr<int64_t> countSlowest(dataflow::KernelOp kernel) {
  int64_t slowest = 0;
  for (auto task : kernel.getBody().front().getOps<dataflow::TaskOp>()) {
    FailureOr<UnrolledNest> read = UnrolledNest::read(task);
    if (failed(read))
      return failure();
    auto &[nest, unroll] = *read;
    slowest = std::max(slowest, countIterationsInside(nest, /*depth=*/0,
                                                      nest.generic.getStaticLoopRanges(), unroll));
  }
  return slowest;
}

/// Does one task take `from`, and no more than a word of memory in an iteration? Wider loads are
/// dealt to several channels.
static FailureOr<bool> comesInWords(itensor::FromTensorOp from, const DeviceModel &device) {
  Value stream = from.getResult();
  auto task = stream.hasOneUse() ? (*from->user_begin())->getParentOfType<dataflow::TaskOp>()
                                 : dataflow::TaskOp();
  if (!task)
    return false;
  FailureOr<UnrolledNest> read = UnrolledNest::read(task);
  if (failed(read))
    return failure();
  return llvm::any_of(read->nest.inputs, [&](const TaskNest::Input &input) {
    int64_t bits = dataflow::getPackedBits(input.type.getElementType());
    int64_t lanes = llvm::product_of(getLaneShape(input.map, read->unroll));
    return input.stream == stream && bits * lanes <= device.port().bits;
  });
}

/// Reads once what loads of one order bring again and again over one channel, if that takes longer
/// than any task and is little: fusion has not counted what the readers hold then.
static LogicalResult holdRepeated(dataflow::KernelOp kernel, const DeviceModel &device) {
  llvm::MapVector<std::pair<Value, Type>, SmallVector<itensor::FromTensorOp>> repeated;
  for (auto from : kernel.getBody().front().getOps<itensor::FromTensorOp>()) {
    auto type = cast<ITensorType>(from.getResult().getType());
    Value tensor = getOuter(kernel, from);
    if (from.getPacked() || from.getOffsets() || type == dropOuterRevisits(type) ||
        !isExternal(tensor))
      continue;
    FailureOr<bool> isNarrow = comesInWords(from, device);
    if (failed(isNarrow))
      return failure();
    if (*isNarrow)
      repeated[{tensor, type}].push_back(from);
  }
  if (repeated.empty())
    return success();
  constexpr double little = 1.0 / 64;
  FailureOr<int64_t> slowest = countSlowest(kernel);
  if (failed(slowest))
    return failure();
  for (auto &[key, loads] : repeated) {
    auto again = cast<ITensorType>(key.second), once = dropOuterRevisits(again);
    double cycles = loads.size() * getBytes(again) / device.getBytesOfCycle();
    if (cycles <= *slowest || !isExactCover(once) ||
        loads.size() * getBytes(once) > little * device.getOnChipBytes())
      continue;
    OpBuilder builder(loads.front());
    auto from = itensor::FromTensorOp::create(builder, loads.front().getLoc(), once,
                                              loads.front().getSource());
    for (itensor::FromTensorOp load : loads) {
      builder.setInsertionPoint(load);
      auto held = itensor::ConverterOp::create(builder, load.getLoc(), again, from.getResult());
      load.getResult().replaceAllUsesWith(held.getResult());
      load.erase();
    }
  }
  return success();
}

namespace {
struct ShareLoadsPass : streamtensor::impl::ShareLoadsBase<ShareLoadsPass> {
  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = dataflow::getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<dataflow::KernelOp>())
      if (failed(shareLoads(kernel)) || failed(holdRepeated(kernel, **device)))
        return signalPassFailure();
  }
};
} // namespace
