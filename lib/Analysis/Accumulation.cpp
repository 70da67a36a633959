//===- Accumulation.cpp - How sums are carried ----------------------------===//

#include "streamtensor/Analysis/Accumulation.h"

#include "streamtensor/Dialect/Dataflow/IR/Dependences.h"

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
