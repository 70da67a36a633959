//===- MergeLeaves.cpp - Leaves in turn, as nests of one ------------------===//
//
//   dataflow.leaf "keys_store" store [24, 16] { … store %keys }
//   dataflow.leaf "values_store" store [24, 16] { … store %values }
//
// become, under the first of their loops,
//
//   dataflow.leaf "keys_store_and_1" store [24] {
//     dataflow.nest "keys_store" [16] { … store %keys }
//     dataflow.nest "values_store" [16] { … store %values }
//   }
//
//===----------------------------------------------------------------------===//

#include "PortPlanning.h"

#include "mlir/IR/IRMapping.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {

unsigned getNumCountedLoops(LeafOp leaf) {
  unsigned counted = 0;
  for (auto [loop, count] : llvm::enumerate(getCounts(cast<NestOpInterface>(leaf.getOperation()))))
    if (!isa<AffineConstantExpr>(count))
      counted = loop + 1;
  return counted;
}

bool haveSameCounts(LeafOp leaf, LeafOp other, unsigned loops) {
  if (loops > std::min(leaf.getNumLoops(), other.getNumLoops()) ||
      leaf.getScalars() != other.getScalars())
    return false;
  auto counts = [loops](LeafOp op) {
    SmallVector<AffineExpr> all = getCounts(cast<NestOpInterface>(op.getOperation()));
    all.truncate(loops);
    return all;
  };
  return counts(leaf) == counts(other);
}

/// Counts of the loops inside the first `shared`; null if they are constants.
static AffineMapAttr getInnerCounts(LeafOp leaf, unsigned shared) {
  std::optional<AffineMap> counts = leaf.getCounts();
  if (!counts || getNumCountedLoops(leaf) <= shared)
    return {};
  return AffineMapAttr::get(AffineMap::get(
      0, counts->getNumSymbols(), counts->getResults().drop_front(shared), leaf.getContext()));
}

/// A leaf of no nests yet, with the private memories of all `leaves`.
static LeafOp createMerged(OpBuilder &builder, ArrayRef<LeafOp> leaves, unsigned shared) {
  LeafOp first = leaves.front();
  SmallVector<Location> locations;
  SmallVector<Type> privates;
  SmallVector<Attribute> storages;
  for (LeafOp leaf : leaves) {
    locations.push_back(leaf.getLoc());
    llvm::append_range(privates, ValueRange(leaf.getPrivates()).getTypes());
    if (leaf.getStorages())
      llvm::append_range(storages, *leaf.getStorages());
  }
  std::string name = (first.getName() + "_and_" + Twine(leaves.size() - 1)).str();
  auto merged = LeafOp::create(builder, FusedLoc::get(builder.getContext(), locations), name,
                               first.getTrips().take_front(shared), ValueRange(), {}, ValueRange(),
                               {}, first.getRole(), privates);
  if (!storages.empty())
    merged.setStoragesAttr(builder.getArrayAttr(storages));
  if (std::optional<AffineMap> counts = first.getCounts()) {
    merged.getScalarsMutable().assign(first.getScalars());
    merged.setCounts(AffineMap::get(0, counts->getNumSymbols(),
                                    counts->getResults().take_front(shared), builder.getContext()));
  }
  return merged;
}

/// A nest of `merged` for each of `leaves`, under their first `shared` loops.
static LeafOp mergeLeaves(OpBuilder &builder, ArrayRef<LeafOp> leaves, unsigned shared) {
  LeafOp merged = createMerged(builder, leaves, shared);
  builder.setInsertionPointToEnd(&merged.getBlock());
  unsigned memory = 0;
  for (LeafOp leaf : leaves) {
    OpBuilder::InsertionGuard guard(builder);
    auto nest = NestOp::create(builder, leaf.getLoc(), leaf.getName(),
                               leaf.getTrips().drop_front(shared), getInnerCounts(leaf, shared),
                               /*lag=*/0, /*ii=*/0, /*depth=*/0, /*limit=*/nullptr);
    Block &body = nest.getRegion().emplaceBlock();
    IRMapping mapping;
    for (auto [loop, index] : llvm::enumerate(leaf.getIndices()))
      mapping.map(index, loop < shared ? merged.getIndices()[loop]
                                       : body.addArgument(index.getType(), index.getLoc()));
    for (BlockArgument own : leaf.getPrivates())
      mapping.map(own, merged.getPrivates()[memory++]);
    builder.setInsertionPointToEnd(&body);
    for (Operation &op : leaf.getBlock())
      builder.clone(op, mapping);
    leaf->erase();
  }
  return merged;
}

/// Leaves in program order.
static void sortLeaves(SmallVector<LeafOp> &leaves) {
  llvm::sort(leaves, [](LeafOp a, LeafOp b) { return a->isBeforeInBlock(b); });
}

LeafOp mergeLoads(SmallVector<LeafOp> leaves, unsigned shared) {
  sortLeaves(leaves);
  LeafOp first = leaves.front();
  // Where the first stands: all that read from them come later.
  for (LeafOp leaf : leaves)
    for (auto write : leaf.getBlock().getOps<StreamWriteOp>())
      if (Operation *fifo = write.getFifo().getDefiningOp(); first->isBeforeInBlock(fifo))
        fifo->moveBefore(first);
  OpBuilder builder(first);
  return mergeLeaves(builder, leaves, shared);
}

LeafOp mergeStores(SmallVector<LeafOp> leaves, unsigned shared) {
  sortLeaves(leaves);
  OpBuilder builder(leaves.back());
  return mergeLeaves(builder, leaves, shared);
}

} // namespace streamtensor::schedule
