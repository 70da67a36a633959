//===- Accumulation.cpp - How sums are carried ----------------------------===//

#include "streamtensor/Analysis/Accumulation.h"

#include "streamtensor/Dialect/Dataflow/IR/Dependences.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace streamtensor;

SmallVector<Operation *> streamtensor::findCombiners(linalg::GenericOp generic) {
  SmallVector<Operation *> combiners;
  auto yield = cast<linalg::YieldOp>(generic.getBody()->getTerminator());
  for (auto [operand, init] : llvm::zip_equal(yield.getOperands(), generic.getDpsInitsMutable())) {
    BlockArgument accumulator = generic.getMatchingBlockArgument(&init);
    Operation *combiner = operand.getDefiningOp();
    bool isBinary = combiner && combiner->getBlock() == generic.getBody() &&
                    combiner->getNumOperands() == 2 && accumulator.hasOneUse() &&
                    llvm::is_contained(combiner->getOperands(), accumulator) &&
                    arith::getNeutralElement(combiner).has_value();
    if (!isBinary)
      return {};
    combiners.push_back(combiner);
  }
  return combiners;
}

FailureOr<int64_t> streamtensor::getAccumulateCycles(ArrayRef<Operation *> combiners,
                                                     const DeviceModel &device) {
  const MemoryKindModel &memory = device.memory("lutram");
  int64_t slowest = 0;
  for (Operation *combiner : combiners) {
    FailureOr<Operator> adder = device.getOperator(combiner);
    if (failed(adder))
      return failure();
    slowest = std::max(slowest, adder->latency +
                                    dataflow::getRecurrenceSlack(combiner->getResult(0).getType()));
  }
  return memory.readLatency + slowest + memory.writeLatency;
}

namespace {
/// A loop of the core with more than one trip.
struct CoreLoop {
  ReductionLoop loop;
  bool isReduction;
  int64_t least;        ///< Trips that every launch makes.
  int64_t distance = 1; ///< Iterations from one trip to the next, at least.
};
} // namespace

/// All loops of the core, outermost first.
static SmallVector<CoreLoop> getCoreLoops(const TaskNest &nest, const PointPlan &points) {
  SmallVector<CoreLoop> loops;
  for (unsigned loop = 0; loop < nest.loops.size(); ++loop)
    loops.push_back({{true, loop, nest.loops[loop].trips},
                     nest.loops[loop].isReduction,
                     nest.loops[loop].trips});
  linalg::GenericOp generic = nest.generic;
  SmallVector<int64_t> extents = generic.getStaticLoopRanges();
  auto iterators = generic.getIteratorTypesArray();
  for (unsigned dim : points.order) {
    int64_t trips = extents[dim] / points.unroll[dim];
    loops.push_back({{false, dim, trips},
                     iterators[dim] == utils::IteratorType::reduction,
                     dataflow::isFilledInPart(generic, dim) ? 1 : trips});
  }
  llvm::erase_if(loops, [](const CoreLoop &core) { return core.loop.trips == 1; });
  int64_t distance = 1;
  for (CoreLoop &core : llvm::reverse(loops)) {
    core.distance = distance;
    distance *= core.least;
  }
  return loops;
}

int64_t streamtensor::countEvenBanks(int64_t trips, int64_t wanted) {
  int64_t count = std::min(trips, wanted);
  while (trips % count != 0)
    ++count;
  return count;
}

int64_t streamtensor::getLeisureInterval(int64_t ofOthers, int64_t iterations) {
  constexpr int64_t partOfOthers = 256;
  return std::max<int64_t>(1, ofOthers / (partOfOthers * iterations));
}

FailureOr<SmallVector<ReductionLoop>> streamtensor::planBanks(const TaskNest &nest,
                                                              const PointPlan &points,
                                                              ArrayRef<Operation *> combiners,
                                                              const DeviceModel &device) {
  SmallVector<CoreLoop> loops = getCoreLoops(nest, points);
  llvm::erase_if(loops, [](const CoreLoop &core) { return !core.isReduction; });
  bool isFarEnough = combiners.empty();
  FailureOr<int64_t> latency = getAccumulateCycles(combiners, device);
  if (failed(latency))
    return failure();
  for (CoreLoop &core : llvm::reverse(loops)) {
    if (isFarEnough)
      break;
    int64_t trips = core.loop.trips, wanted = llvm::divideCeil(*latency, core.distance);
    // With a reduction loop outside, banks must come around evenly.
    bool isOutermost = &core == &loops.front();
    core.loop.banks = isOutermost ? std::min(trips, wanted) : countEvenBanks(trips, wanted);
    isFarEnough = core.loop.banks * core.distance >= *latency;
  }
  return llvm::map_to_vector(loops, [](const CoreLoop &core) { return core.loop; });
}
