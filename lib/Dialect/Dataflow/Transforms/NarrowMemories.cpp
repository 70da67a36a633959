//===- NarrowMemories.cpp - Memories of leaves as wide as their values ----===//
//
//   ^bb0(%i: index, %sums: !dataflow.private<2x8xi32>):
//     %v = arith.extsi %narrow : vector<8xi19> to vector<8xi32>
//     dataflow.store %v, %sums …
//
// becomes
//
//   ^bb0(%i: index, %sums: !dataflow.private<2x8xi19>):
//     %v = arith.extsi %narrow : vector<8xi19> to vector<8xi32>
//     %w = arith.trunci %v : vector<8xi32> to vector<8xi19>
//     dataflow.store %w, %sums …
//
// What slices of an engine give has as many bits as it can take. Where a leaf holds it, in another
// order or until all is there, a memory of 32 bits would hold the sign over and over.
//
//===----------------------------------------------------------------------===//

#include "NarrowLanes.h"

#include "streamtensor/Device/ScalarOperations.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"

namespace streamtensor {
#define GEN_PASS_DEF_NARROWMEMORIES
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

/// Of all that is stored in it; those that it has if somebody uses it in another way.
static int64_t getStoredBits(Value memory) {
  int64_t bits = 1,
          most = cast<PrivateType>(memory.getType()).getElementType().getIntOrFloatBitWidth();
  for (Operation *user : memory.getUsers())
    if (auto store = dyn_cast<StoreOp>(user))
      bits = std::max(bits, getSignificantBits(store.getValue()));
    else if (!isa<LoadOp>(user))
      return most;
  return std::min(bits, most);
}

static void narrowMemory(BlockArgument memory, Type element) {
  auto type = cast<PrivateType>(memory.getType());
  memory.setType(PrivateType::get(type.getContext(), type.getShape(), element));
  for (Operation *user : memory.getUsers()) {
    OpBuilder builder(user);
    if (auto store = dyn_cast<StoreOp>(user)) {
      store.getValueMutable().assign(narrow(builder, store.getValue(), element));
      continue;
    }
    Value loaded = cast<LoadOp>(user).getResult();
    loaded.setType(withElement(loaded.getType(), element));
    builder.setInsertionPointAfter(user);
    Value whole = widen(builder, loaded, type.getElementType());
    loaded.replaceAllUsesExcept(whole, whole.getDefiningOp());
  }
}

namespace {
struct NarrowMemoriesPass : streamtensor::impl::NarrowMemoriesBase<NarrowMemoriesPass> {
  using NarrowMemoriesBase::NarrowMemoriesBase;

  void runOnOperation() override {
    getOperation().walk([](LeafOp leaf) {
      for (BlockArgument memory : leaf.getBlock().getArguments()) {
        auto type = dyn_cast<PrivateType>(memory.getType());
        if (!type || !type.getElementType().isInteger())
          continue;
        int64_t bits = getStoredBits(memory);
        if (bits < type.getElementType().getIntOrFloatBitWidth())
          narrowMemory(memory, IntegerType::get(type.getContext(), bits));
      }
    });
  }
};
} // namespace
