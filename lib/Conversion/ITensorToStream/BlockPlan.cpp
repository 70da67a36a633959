//===- BlockPlan.cpp - Which blocks a compute task holds ------------------===//

#include "BlockPlan.h"

#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

/// Bytes of blocks that all of a task's efficiency is worth: data from external memory
/// (weights) may take more than what the fusion of kernels saved. A choice, not a figure of the
/// card (docs/rationale/pipeline.md): what does not fit is refused where memories are assigned.
constexpr double bytesWorthMemoryData = 4 << 20, bytesWorthIntermediate = 256 << 10;

int64_t streamtensor::getNumBlocks(ITensorType type, unsigned level) {
  return llvm::product_of(type.getTrips().take_front(level)) > 1 ? 2 : 1;
}

static int64_t getBlockBytes(ITensorType type, unsigned level) {
  return llvm::divideCeil(
      llvm::product_of(itensor::getBlockShape(type, level)) * type.getElementBitWidth(), 8);
}

static int64_t countPointIterations(const ComputeTask &task) {
  int64_t count = 1;
  for (auto [extent, factor] : llvm::zip_equal(task.getExtents(), task.core.points.unroll))
    count *= extent / factor;
  return count;
}

/// What the FIFOs beside this task must hold while a block under `level` loops is filled, with
/// results or with the input `filled`: whoever shares the other inputs through a fork waits too.
static int64_t getBytesHeldBeside(const TaskNest &nest, const TaskNest::Input *filled,
                                  unsigned level) {
  int64_t bytes = 0;
  for (const TaskNest::Input &input : nest.inputs)
    if (&input != filled && input.stream.getDefiningOp<itensor::ForkOp>())
      bytes += getBlockBytes(input.type, std::min(level, input.type.getIterRank()));
  return bytes;
}

static int64_t countTrips(ArrayRef<TaskNest::Loop> loops) {
  int64_t count = 1;
  for (const TaskNest::Loop &loop : loops)
    count *= loop.trips;
  return count;
}

/// Blocks that the task takes or gives under `level` loops.
static int64_t countBlocks(const TaskNest &nest, unsigned level) {
  return countTrips(ArrayRef(nest.loops).take_front(level));
}

static FailureOr<int64_t> countIterations(const TaskNest &nest) {
  FailureOr<dataflow::TilingAttr> tiling = dataflow::requireTiling(nest.generic);
  if (failed(tiling))
    return failure();
  int64_t points = llvm::product_of(linalg::GenericOp(nest.generic).getStaticLoopRanges());
  return countTrips(nest.loops) * points / llvm::product_of(tiling->getUnroll().asArrayRef());
}

/// Does the first trip of the outermost loop want a part of `input` alone?
static bool isTakenInParts(const TaskNest &nest, const TaskNest::Input &input) {
  return nest.loops.empty() || (input.depth > 0 && input.type.getDataDimOf(0));
}

/// When the task can take an iteration, as its inputs come.
static int64_t getStart(const TaskNest &nest, const KernelTimes &times) {
  int64_t start = 0;
  for (const TaskNest::Input &input : nest.inputs) {
    Arrival arrival = times.arrivals.lookup(input.stream);
    start = std::max(start, isTakenInParts(nest, input) ? arrival.first : arrival.last);
  }
  return start;
}

static Arrival getArrivalOfResults(const TaskNest &nest, int64_t iterations,
                                   const KernelTimes &times) {
  int64_t start = getStart(nest, times), end = start + iterations;
  for (const TaskNest::Input &input : nest.inputs)
    end = std::max(end, times.arrivals.lookup(input.stream).last);
  bool endsAtOnce = nest.loops.empty() ? nest.reduces() : nest.loops.front().isReduction;
  return {endsAtOnce ? end : start, end};
}

/// Of what `op` only passes on. What external memory holds comes as it is wanted.
static Arrival getArrivalOfOperands(Operation &op, const KernelTimes &times) {
  Arrival arrival;
  for (Value operand : op.getOperands()) {
    Arrival given = times.arrivals.lookup(operand);
    arrival = {std::max(arrival.first, given.first), std::max(arrival.last, given.last)};
  }
  return arrival;
}

int64_t streamtensor::countComing(const TaskNest &nest, const TaskNest::Input &input,
                                  const KernelTimes &times) {
  return std::max<int64_t>(times.arrivals.lookup(input.stream).last - getStart(nest, times), 0);
}

FailureOr<KernelTimes> streamtensor::estimateTimes(dataflow::KernelOp kernel) {
  KernelTimes times;
  DenseMap<Operation *, int64_t> iterations;
  for (Operation &op : kernel.getBody().front()) {
    auto task = dyn_cast<dataflow::TaskOp>(op);
    Arrival arrival = getArrivalOfOperands(op, times);
    if (task) {
      FailureOr<TaskNest> nest = TaskNest::read(task);
      if (failed(nest))
        return failure();
      FailureOr<int64_t> own = countIterations(*nest);
      if (failed(own))
        return failure();
      iterations[task] = *own;
      arrival = getArrivalOfResults(*nest, *own, times);
    }
    for (Value result : op.getResults())
      times.arrivals[result] = arrival;
  }
  DenseMap<Operation *, int64_t> from; // The longest, with the operation itself.
  for (Operation &op : llvm::reverse(kernel.getBody().front())) {
    int64_t &longest = times.longestBehind[&op];
    for (Operation *user : op.getUsers())
      longest =
          std::max(longest, from.lookup(kernel.getBody().front().findAncestorOpInBlock(*user)));
    from[&op] = std::max(longest, iterations.lookup(&op));
  }
  return times;
}

/// The level of a block for results, or for `input`: from `level` outwards, as long as
/// the longer flat pipeline is worth the larger block, of which `copies` are built. Every trip of
/// the loops outside a block swaps blocks and fills and empties the pipeline; but who takes results
/// waits for the first block of them, unless he has less to do himself, and the task for the first
/// block of an input, unless all of it comes at once: `mostWaited` at most. The last block of
/// results leaves when the core has ended, `lastLanes` elements at a time; 0 if that does not
/// count. Where somebody waits, fill and drain run beside the core with lag (`NestBlocks.cpp`), and
/// a block costs its swap alone. One block of all that comes from memory is filled and read in
/// turn: that is waited for. An engine's operands lie in a leaf of their own, whose swaps are
/// short.
static unsigned chooseLevel(const ControlModel &control, const ComputeTask &task, ITensorType type,
                            unsigned firstAllowed, unsigned level, int64_t copies,
                            int64_t mostWaited, int64_t lastLanes,
                            const TaskNest::Input *input = nullptr) {
  const TaskNest &nest = task.nest;
  bool isFromMemory = input && comesFromMemory(input->stream);
  dataflow::TilingAttr tiling = dataflow::getTiling(task.getGeneric());
  bool isOfEngine = tiling && tiling.getEngine();
  int64_t swap = control.taskEntry + control.blockSwap;
  double bytesWorth = isFromMemory ? bytesWorthMemoryData : bytesWorthIntermediate;
  int64_t iterations =
      countPointIterations(task) * countTrips(ArrayRef(nest.loops).drop_front(level));
  auto getLastDrain = [&](unsigned outside) -> int64_t {
    return lastLanes ? llvm::product_of(itensor::getBlockShape(type, outside)) / lastLanes : 0;
  };
  auto getFill = [&](unsigned outside) -> int64_t {
    int64_t lanes = input ? dataflow::getLanes(cast<OpResult>(input->stream)) : 0;
    return llvm::product_of(itensor::getBlockShape(type, outside)) / std::max<int64_t>(lanes, 1);
  };
  auto getEfficiency = [&](double count) { return count / (count + control.serialTrip); };
  for (; level > firstAllowed; --level) {
    int64_t longer = iterations * nest.loops[level - 1].trips;
    int64_t waited = std::max(std::min(longer - iterations, mostWaited),
                              getLastDrain(level - 1) - getLastDrain(level));
    int64_t fewer = countBlocks(nest, level) - countBlocks(nest, level - 1);
    if (waited > fewer * swap)
      break;
    bool isLone = getNumBlocks(type, level - 1) == 1;
    int64_t filled = getFill(level - 1) - getFill(level);
    if (isFromMemory && isLone &&
        (isOfEngine ? filled > fewer * swap
                    : std::max(longer - iterations, filled) > fewer * control.serialTrip))
      break;
    double gain = getEfficiency(longer) - getEfficiency(iterations);
    int64_t bytes = copies * getBlockBytes(type, level - 1);
    if (!isFromMemory)
      bytes += getBytesHeldBeside(nest, input, level - 1);
    if (gain * bytesWorth < bytes)
      break;
    iterations = longer;
  }
  return level;
}

unsigned streamtensor::chooseInputLevel(const ControlModel &control, const ComputeTask &task,
                                        unsigned index) {
  const TaskNest::Input &input = task.nest.inputs[index];
  // A revisit inside the block would send the same elements again before the first use.
  unsigned firstAllowed = 0;
  for (unsigned loop = 0; loop < input.depth; ++loop)
    if (!input.type.getDataDimOf(loop))
      firstAllowed = loop + 1;
  return chooseLevel(control, task, input.type, firstAllowed, input.type.getIterRank(),
                     /*copies=*/2, task.comesFor[index], /*lastLanes=*/0, &input);
}

unsigned streamtensor::chooseResultLevel(const ControlModel &control, const ComputeTask &task,
                                         unsigned result) {
  ITensorType type = task.nest.results[result];
  int64_t copies = 2 * llvm::product_of(task.core.getBankCounts());
  // Beside a block of an input under fewer loops, the core would drain at each trip of these.
  bool holdsInput = llvm::is_contained(task.core.points.modes, InputMode::Block);
  // Results that a reduction carries leave on its last trip: the block stays for all trips.
  unsigned deepest = std::min(type.getIterRank(), task.nest.getNumOuterLoops());
  return chooseLevel(control, task, type, /*firstAllowed=*/0, deepest, copies, task.longestBehind,
                     holdsInput ? 0 : task.resultEdges[result].lanes);
}

bool streamtensor::canWriteDirectly(const ComputeTask &task, unsigned result) {
  const PointPlan &points = task.core.points;
  AffineMap map = task.getResultMap(result);
  SmallVector<int64_t> extents = task.getExtents();
  SmallVector<unsigned> parallel, wanted;
  for (unsigned dim : points.order)
    if (extents[dim] > 1 && map.isFunctionOfDim(dim))
      parallel.push_back(dim);
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && extents[dim.getPosition()] > 1)
      wanted.push_back(dim.getPosition());
  if (parallel != wanted || task.core.hasBanks())
    return false;
  int64_t lanes = 1;
  for (unsigned dim : wanted) {
    if (dim != wanted.back() && points.unroll[dim] != 1)
      return false;
    lanes = points.unroll[dim];
  }
  return task.resultEdges[result].lanes == lanes;
}
