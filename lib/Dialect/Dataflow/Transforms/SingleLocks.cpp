//===- SingleLocks.cpp - One block in the hands of a leaf -----------------===//
//
//   dataflow.leaf "mm" compute [4, 16] reads(%a at 0) writes(%r at 0) {
//     %v = load %a[…] … store %s, %r[…] when last
//   }
//
// takes one block and gives another. One of the accesses goes to a leaf of its own
// (SplitAccess.h).
//
//===----------------------------------------------------------------------===//

#include "SplitAccess.h"

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace streamtensor {
#define GEN_PASS_DEF_SINGLELOCKS
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

/// Nests together drain between the blocks of the deepest level, and the halves of their memories
/// begin anew there. Would they run on across it without `acquire`?
static bool holdsDrains(LeafOp leaf, const Acquire &acquire) {
  return leaf.getTogether() && llvm::count_if(getAcquires(leaf), [&](const Acquire &other) {
                                 return other.level >= acquire.level;
                               }) == 1;
}

/// Each nest has a block to itself, in whatever half of a memory.
static void takeTurns(LeafOp leaf) {
  leaf.setTogether(false);
  for (auto nest : leaf.getBlock().getOps<NestOp>())
    nest.setLag(0);
}

/// What does not hold drains goes first; then what a leaf gives: it gives less often than it takes.
static std::optional<BlockAccess> chooseAccess(LeafOp leaf) {
  std::optional<BlockAccess> chosen;
  auto getRank = [&](BlockAccess &access) {
    return std::tuple(holdsDrains(leaf, access.acquire), !access.acquire.isWrite, access.getBits());
  };
  for (const Acquire &acquire : getAcquires(leaf))
    if (std::optional<BlockAccess> access = findOnlyAccess(leaf, acquire);
        access && (!chosen || getRank(*access) < getRank(*chosen)))
      chosen = access;
  return chosen;
}

namespace {
struct SingleLocksPass : streamtensor::impl::SingleLocksBase<SingleLocksPass> {
  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    for (auto design : getOperation().getOps<DesignOp>())
      for (LeafOp leaf : llvm::to_vector(design.getOps<LeafOp>()))
        while (!leaf.getCounts() && getAcquires(leaf).size() > 1) {
          std::optional<BlockAccess> access = chooseAccess(leaf);
          if (!access)
            break;
          if (holdsDrains(leaf, access->acquire))
            takeTurns(leaf);
          splitAccess(leaf, *access, (*device)->fifo().tokenBits);
        }
  }
};
} // namespace
