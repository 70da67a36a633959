//===- WidenLoads.cpp - Loads as wide as the tasks that they feed ---------===//
//
// A task of 256 lanes that takes each token of 16x16 weights once needs all of it in one
// iteration; a load of one row at a time, 16 elements, lets it wait for 15 of 16 cycles. Such a
// load moves several rows at once:
//   %w = itensor.from_tensor packed %t {dataflow.lanes = array<i64: 16>}
// becomes
//   %w = itensor.from_tensor packed %t {dataflow.lanes = array<i64: 256>}
// as far as rows lie one after the other in memory and what takes them is a block, which has no
// lanes of its own, or a task that wants just as many and then needs no block. The phase `size`
// deals the words of an iteration to several masters; those of a tensor that the launch updates
// come one by one through the only one that it has, ahead of the task, as far as the FIFO holds
// them.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Analysis/PortWords.h"
#include "streamtensor/Analysis/TaskNest.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h"

namespace streamtensor {
#define GEN_PASS_DEF_WIDENLOADS
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

namespace {
/// The lanes that the readers of a load want.
struct WantedLanes {
  int64_t needed = 0;       ///< Lanes with which it never waits; 0 if more lanes help nobody.
  int64_t streamed = 0;     ///< Whole rows that it can take as they come; 0 if it holds a block.
  bool mayEndEarly = false; ///< Are they needed where a launch ends a loop early, and only there?
};
} // namespace

/// Those of the task that reads `stream`. Where a launch may end a loop early (one token of a
/// prompt's several), the task still takes all of the input, in the fewest iterations.
static FailureOr<WantedLanes> getWantedLanes(Value stream) {
  auto reader = dyn_cast<itensor::ReadOp>(*stream.user_begin());
  auto task = reader ? reader->getParentOfType<dataflow::TaskOp>() : dataflow::TaskOp();
  if (!stream.hasOneUse() || !task)
    return WantedLanes();
  FailureOr<UnrolledNest> read = UnrolledNest::read(task);
  if (failed(read))
    return failure();
  const auto &[nest, unroll] = *read;
  PointPlan plan = planPoints(nest, unroll);
  for (auto [mode, lanes, input] : llvm::zip_equal(plan.modes, plan.lanes, nest.inputs)) {
    bool takesRows = mode == InputMode::Stream && lanes > getLaneExtent(input.type);
    if (input.stream != stream || (mode != InputMode::Block && !takesRows))
      continue;
    SmallVector<int64_t> extents = linalg::GenericOp(nest.generic).getStaticLoopRanges();
    // For each token of the input.
    int64_t most = countIterationsInside(nest, input.depth, extents, unroll);
    if (DenseI64ArrayAttr least = dataflow::getLeast(nest.generic))
      extents = SmallVector<int64_t>(least.asArrayRef());
    int64_t fewest = countIterationsInside(nest, input.depth, extents, unroll);
    return WantedLanes{int64_t(llvm::divideCeil(input.type.getTokenElements(), fewest)),
                       takesRows ? lanes : 0, fewest < most};
  }
  return WantedLanes();
}

/// The fork behind a load that feeds several tasks.
static itensor::ForkOp getFork(itensor::FromTensorOp from) {
  return from.getResult().hasOneUse() ? dyn_cast<itensor::ForkOp>(*from->user_begin())
                                      : itensor::ForkOp();
}

/// Whole rows that all behind a fork take as they come, or nothing.
static FailureOr<WantedLanes> getWantedLanes(itensor::ForkOp fork) {
  std::optional<int64_t> streamed;
  for (Value result : fork.getResults()) {
    FailureOr<WantedLanes> wanted = getWantedLanes(result);
    if (failed(wanted))
      return failure();
    if (wanted->streamed == 0 || (streamed && *streamed != wanted->streamed))
      return WantedLanes();
    streamed = wanted->streamed;
  }
  return WantedLanes{0, streamed.value_or(0), false};
}

/// Do vectors of `lanes` lie in memory as whole words of `portBits`, or as one that is shorter?
static bool moveWords(itensor::FromTensorOp from, int64_t lanes, int64_t portBits) {
  auto type = cast<ITensorType>(from.getType());
  int64_t bits = lanes * dataflow::getPackedBits(type.getElementType());
  if (bits % portBits != 0 && (bits > portBits || !llvm::isPowerOf2_64(lanes)))
    return false;
  if (from.getPacked())
    type = itensor::getPackedType(type, {from.getOrder().value_or(ArrayRef<int64_t>())});
  ArrayRef<int64_t> shape = cast<RankedTensorType>(from.getSource().getType()).getShape();
  return isContiguousBox(getLaneBox(type, lanes), shape);
}

/// The fewest lanes of whole rows that are at least those needed, or else the most, on half of
/// `maximalBits`: wider FIFOs to tasks on other dies would take more wires than there are between
/// these. If rows fill whole words on no fewer bits, on all of `maximalBits`; and for a task that
/// may end early, whose shortest run is as long as its input takes to come. A part of the tensor,
/// whose load stays a loop.
static int64_t chooseLanes(itensor::FromTensorOp from, int64_t lanes, WantedLanes wanted,
                           int64_t portBits, int64_t maximalBits) {
  auto type = cast<ITensorType>(from.getType());
  int64_t row = getLaneExtent(type), elements = type.getNumTokens() * type.getTokenElements();
  if (row % lanes != 0)
    return lanes;
  int64_t bits = dataflow::getPackedBits(type.getElementType()), widest = maximalBits / bits;
  int64_t widestRows = wanted.mayEndEarly ? widest : std::max<int64_t>(widest / 2, row);
  auto isWorth = [&](int64_t wider) {
    return lanes < wanted.needed && wider < elements &&
           wider <= (lanes <= row ? widest : widestRows);
  };
  for (int64_t wider = lanes < row ? row : 2 * row; isWorth(wider); wider += row)
    if (areLanes(type, wider) && moveWords(from, wider, portBits))
      lanes = wider;
  return lanes;
}

/// Can the load give vectors of `lanes`, on at most `maximalBits`?
static bool canGive(itensor::FromTensorOp from, int64_t lanes, int64_t portBits,
                    int64_t maximalBits) {
  auto type = cast<ITensorType>(from.getType());
  return lanes > 0 && lanes * dataflow::getPackedBits(type.getElementType()) <= maximalBits &&
         areLanes(type, lanes) && moveWords(from, lanes, portBits);
}

namespace {
struct WidenLoadsPass : streamtensor::impl::WidenLoadsBase<WidenLoadsPass> {
  using WidenLoadsBase::WidenLoadsBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = dataflow::getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    int64_t portBits = (*device)->port().bits;
    // Half of the masters: other tensors come in at the same time.
    int64_t widest = portBits * std::max<int64_t>((*device)->externalMemory().masters / 2, 1);
    for (auto kernel : getOperation().getOps<dataflow::KernelOp>())
      for (auto from : kernel.getBody().front().getOps<itensor::FromTensorOp>()) {
        if (from.getLanes() || from.getOffsets() || from->use_empty())
          continue; // Vectors have words of their own, or the tensor is read in part.
        itensor::ForkOp fork = getFork(from);
        FailureOr<WantedLanes> wanted =
            fork ? getWantedLanes(fork) : getWantedLanes(from.getResult());
        if (failed(wanted))
          return signalPassFailure();
        int64_t lanes = dataflow::getLanes(cast<OpResult>(from.getResult()));
        // A task that takes vectors as they come has no other way to be as fast.
        int64_t wider = canGive(from, wanted->streamed, portBits, 2 * widest)
                            ? wanted->streamed
                            : chooseLanes(from, lanes, *wanted, portBits, widest);
        if (wider == lanes)
          continue;
        dataflow::setLanes(from, {wider});
        if (fork)
          dataflow::setLanes(fork, SmallVector<int64_t>(fork->getNumResults(), wider));
      }
  }
};
} // namespace
