//===- RepeatLoads.cpp - Loads for the first round, in each round ---------===//
//
//   dataflow.leaf "load" load [64] { load %x, stream_write %f }
//   dataflow.leaf "enter" fork [24, 64] counts … { stream_read %f when (d0 == 0), … }
//
// What only the first of the rounds reads (the rows that the first layer starts with) has a master
// to itself, as a load in no round can take no turns in one. Loaded in each round
//
//   dataflow.leaf "load" load [24, 64] counts … { load %x, stream_write %f }
//   dataflow.leaf "enter" fork [24, 64] counts … { stream_read %f, … }
//
// it can, for a few words that the reader drops.
//
//===----------------------------------------------------------------------===//

#include "PortPlanning.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::schedule {

/// Is `value` looked at only where `guard` holds?
static bool isDroppedElsewhere(Value value, IntegerSet guard) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    auto select = dyn_cast<arith::SelectOp>(use.getOwner());
    auto test = select ? select.getCondition().getDefiningOp<TestOp>() : TestOp();
    return test && test.getSet() == guard && use.getOperandNumber() == 1; // where it is true
  });
}

/// The scalar of the launch that says how many rounds the leaf makes; null if none alone does.
static Value getRounds(LeafOp leaf) {
  if (getNumCountedLoops(leaf) != 1)
    return {};
  auto symbol =
      dyn_cast<AffineSymbolExpr>(getCounts(cast<NestOpInterface>(leaf.getOperation())).front());
  return symbol ? leaf.getScalars()[symbol.getPosition()] : Value();
}

/// The read of what `leaf` loads, if it takes it in the first of its rounds and nowhere else.
static StreamReadOp findFirstRound(LeafOp leaf) {
  auto writes = leaf.getBlock().getOps<StreamWriteOp>();
  if (!getOnlyLoad(leaf) || !leaf.getScalars().empty() || !llvm::hasSingleElement(writes))
    return {};
  for (Operation *user : (*writes.begin()).getStream().getUsers()) {
    auto read = dyn_cast<StreamReadOp>(user);
    auto reader = read ? dyn_cast<LeafOp>(read->getParentOp()) : LeafOp();
    if (!reader || !read.getGuard() || !getRounds(reader))
      continue;
    IntegerSet guard = *read.getGuard();
    bool isFirst = guard.getNumConstraints() == 1 && guard.isEq(0) &&
                   guard.getConstraint(0) == getAffineDimExpr(0, leaf.getContext());
    if (isFirst && isDroppedElsewhere(read.getResult(), guard))
      return read;
  }
  return {};
}

/// Gives `leaf` the outermost loop of `reader`, whose count the launch gives.
static void addRounds(LeafOp leaf, LeafOp reader) {
  MLIRContext *context = leaf.getContext();
  SmallVector<AffineExpr> counts = {getAffineSymbolExpr(0, context)};
  for (int64_t trips : leaf.getTrips())
    counts.push_back(getAffineConstantExpr(trips, context));
  SmallVector<int64_t> trips = {reader.getTrips().front()};
  llvm::append_range(trips, leaf.getTrips());
  leaf.getScalarsMutable().assign(getRounds(reader));
  leaf.setTrips(trips);
  leaf.setCounts(AffineMap::get(0, 1, counts, context));
  leaf.getBlock().insertArgument(0u, IndexType::get(context), leaf.getLoc());
  LoadOp load = getOnlyLoad(leaf);
  load.setMap(load.getMap().shiftDims(1));
}

void repeatLoads(DesignOp design) {
  SmallVector<LeafOp> leaves(design.getOps<LeafOp>());
  for (LeafOp leaf : leaves)
    if (StreamReadOp read = findFirstRound(leaf)) {
      addRounds(leaf, cast<LeafOp>(read->getParentOp()));
      read.removeGuardAttr();
      leaf->moveBefore(leaves.front()); // In a round it is needed first.
    }
}

} // namespace streamtensor::schedule
