//===- WidenStores.cpp - Stores as wide as results leave ------------------===//
//
// A contraction whose outermost loop is a reduction has its results on the last trip of that, all
// within few iterations, and a store of one row at a time goes on long after it:
//   %r = dataflow.task … -> !itensor<180x28xf32, …> {dataflow.lanes = array<i64: 28>}
//   itensor.to_tensor packed %r
// becomes
//   %r = dataflow.task … -> !itensor<180x28xf32, …> {dataflow.lanes = array<i64: 112>}
// four rows at once, as far as rows lie one after the other in memory and the task makes as many.
// The phase `size` deals the words of an iteration to several masters.
//
//===----------------------------------------------------------------------===//

#include "PackedTransfer.h"
#include "streamtensor/Analysis/PortWords.h"
#include "streamtensor/Analysis/TaskNest.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h"

#include <numeric>

namespace streamtensor {
#define GEN_PASS_DEF_WIDENSTORES
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

/// Elements of a result that are left when its task has ended, and iterations of the task.
struct LastResults {
  int64_t elements, iterations;
  int64_t made; ///< Elements that an iteration makes.
};

static FailureOr<LastResults> getLastResults(dataflow::TaskOp task, unsigned result) {
  FailureOr<UnrolledNest> read = UnrolledNest::read(task);
  if (failed(read))
    return failure();
  const auto &[nest, unroll] = *read;
  // What adds nothing up has given all with its last iteration; and a vector that is stated stays.
  if (!nest.reduces() || dataflow::getTiling(nest.generic).getVector())
    return LastResults{0, 1, 1};
  linalg::GenericOp generic = nest.generic;
  ITensorType type = nest.results[result];
  LastResults last{type.getNumTokens() * type.getTokenElements(),
                   countIterationsInside(nest, 0, generic.getStaticLoopRanges(), unroll), 1};
  for (const TaskNest::Loop &loop : ArrayRef(nest.loops).take_front(nest.getNumOuterLoops()))
    last.elements /= loop.trips;
  AffineMap map = generic.getIndexingMapMatchingResult(generic->getResult(result));
  for (auto [dim, factor] : llvm::enumerate(unroll))
    last.made *= map.isFunctionOfDim(dim) ? factor : 1;
  return last;
}

/// Do vectors of `lanes` lie in memory as whole words of the port?
static bool moveWords(itensor::ToTensorOp to, int64_t lanes, int64_t portBits) {
  auto type = cast<ITensorType>(to.getSource().getType());
  if (lanes * dataflow::getPackedBits(type.getElementType()) % portBits != 0)
    return false;
  SmallVector<int64_t> shape = type.getDataShape();
  if (to.getPacked()) {
    itensor::PackedOrder order{to.getOrder().value_or(ArrayRef<int64_t>())};
    shape = itensor::getPackedShape(type, order);
    type = itensor::getPackedType(type, order);
  }
  return isContiguousBox(getLaneBox(type, lanes), shape);
}

/// The fewest rows with which what is left at the end takes a 32nd of the task's time, as the drain
/// of partial sums does (VectoriseITensors.cpp), or else the most that it makes side by side.
static int64_t chooseLanes(itensor::ToTensorOp to, int64_t lanes, const LastResults &last,
                           const MemoryPortModel &port, int64_t widestBits) {
  constexpr int64_t partOfTime = 32;
  auto type = cast<ITensorType>(to.getSource().getType());
  int64_t row = getLaneExtent(type), bits = dataflow::getPackedBits(type.getElementType());
  if (row % lanes != 0)
    return lanes;
  // Rows that end within a word make whole ones together.
  int64_t whole = std::lcm(row, port.getElements(bits));
  int64_t most = std::min(std::max(last.made, whole), widestBits / bits);
  for (int64_t wider = row; wider <= most; wider += row) {
    if (partOfTime * last.elements <= last.iterations * lanes)
      break;
    if (wider > lanes && itensor::areLanes(type, wider) && moveWords(to, wider, port.bits))
      lanes = wider;
  }
  return lanes;
}

namespace {
struct WidenStoresPass : streamtensor::impl::WidenStoresBase<WidenStoresPass> {
  using WidenStoresBase::WidenStoresBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = dataflow::getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    const MemoryPortModel &port = (*device)->port();
    // A quarter of the masters: other tensors come in at the same time.
    int64_t widest =
        std::min(port.bits * std::max<int64_t>((*device)->externalMemory().masters / 4, 1),
                 (*device)->fifo().tokenBits);
    for (auto kernel : getOperation().getOps<dataflow::KernelOp>())
      for (auto to : kernel.getBody().front().getOps<itensor::ToTensorOp>()) {
        auto task = to.getSource().getDefiningOp<dataflow::TaskOp>();
        if (to.getLanes() || !task || !to.getSource().hasOneUse())
          continue;
        unsigned result = cast<OpResult>(to.getSource()).getResultNumber();
        FailureOr<LastResults> last = getLastResults(task, result);
        if (failed(last))
          return signalPassFailure();
        SmallVector<int64_t> lanes = llvm::map_to_vector(
            task->getResults(), [](OpResult each) { return dataflow::getLanes(each); });
        int64_t wider = chooseLanes(to, lanes[result], *last, port, widest);
        if (wider == lanes[result])
          continue;
        lanes[result] = wider;
        dataflow::setLanes(task, lanes);
      }
  }
};
} // namespace
