//===- CycleVerifier.cpp - [design.cycle] ---------------------------------===//
//
// Values may return to an earlier leaf through a FIFO that is declared `back`. The leaves of such a
// cycle go round together: in each trip of its outermost loop a leaf reads what earlier trips gave
// to FIFOs that go back, and what this trip and earlier ones gave to others. So a sequential run
// may call them one after the other, trip by trip.
//
//===----------------------------------------------------------------------===//

#include "Rounds.h"

using namespace mlir;

namespace streamtensor::dataflow {

static std::string listNames(ArrayRef<LeafOp> leaves) {
  std::string text;
  for (LeafOp leaf : leaves)
    text += (text.empty() ? "'" : ", '") + leaf.getName().str() + "'";
  return text;
}

//===----------------------------------------------------------------------===//
// Tokens, trip by trip
//===----------------------------------------------------------------------===//

static LogicalResult verifyTrips(DesignEdge edge, const DenseMap<Value, int64_t> &scalars) {
  std::optional<TripShortage> shortage = findShortage(edge, scalars);
  if (!shortage)
    return success();
  InFlightDiagnostic error = edge.channel->emitOpError("[design.cycle] up to trip ")
                             << shortage->trip << " of its outermost loop leaf '"
                             << edge.reader.getName() << "' reads " << shortage->read
                             << " tokens of FIFO '" << edge.getName() << "', leaf '"
                             << edge.writer.getName() << "' has written " << shortage->written
                             << (edge.isBack() ? " in earlier trips" : " up to this trip");
  error.attachNote(edge.reader.getLoc()) << "leaves of a cycle go round together, a trip each";
  return error;
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

static LogicalResult verifyMember(LeafOp leaf, LeafOp first) {
  if (!leaf.getBlock().getOps<ExternStepOp>().empty())
    return leaf.emitOpError("[design.cycle] a kernel written by hand cannot stand on a cycle: its "
                            "reference takes whole tensors");
  if (leaf.getNumLoops() == 0 || first.getNumLoops() == 0 || !(getRounds(leaf) == getRounds(first)))
    return leaf.emitOpError("[design.cycle] the leaves of a cycle go round together, but the "
                            "outermost loop makes ")
           << (leaf.getNumLoops() ? getRounds(leaf).str() : "no") << " trips and that of leaf '"
           << first.getName() << "' " << (first.getNumLoops() ? getRounds(first).str() : "no");
  if (leaf.getTogether() && leaf.getSerialLevel() == 0)
    return leaf.emitOpError(
        "[design.cycle] its nests run together across the outermost loop, and a "
        "FIFO that goes back closes that loop: a nest would wait for what it "
        "gives itself a trip later");
  for (const Acquire &acquire : getAcquires(leaf))
    if (acquire.level == 0)
      return leaf.emitOpError(
          "[design.cycle] holds a block over all trips of its outermost loop, "
          "in which the other leaves of the cycle take turns; acquire it inside");
  return success();
}

static LogicalResult verifyGroup(const LeafGroup &group, ArrayRef<DesignEdge> edges) {
  for (LeafOp leaf : group.leaves)
    if (failed(verifyMember(leaf, group.leaves.front())))
      return failure();
  auto design = group.leaves.front()->getParentOfType<DesignOp>();
  for (const DenseMap<Value, int64_t> &scalars : getScalarsAtEnds(design)) {
    for (const DesignEdge &edge : edges)
      if (isa<StreamOp>(edge.channel) && llvm::is_contained(group.leaves, edge.writer) &&
          llvm::is_contained(group.leaves, edge.reader) && failed(verifyTrips(edge, scalars)))
        return failure();
  }
  return success();
}

LogicalResult verifyCycles(DesignOp design) {
  SmallVector<DesignEdge> edges = getEdges(design);
  for (const DesignEdge &edge : edges)
    if (edge.writer == edge.reader)
      return edge.channel->emitOpError("[design.cycle] leaf '")
             << LeafOp(edge.writer).getName() << "' reads '" << edge.getName()
             << "', which it writes; keep the values in a private memory";
  SmallVector<LeafOp> waiting;
  std::optional<SmallVector<LeafGroup>> order = getCallOrder(design, waiting);
  if (!order)
    return design.emitOpError("[design.cycle] leaf tasks ")
           << listNames(waiting)
           << " wait for each other; declare the FIFO through which values return 'back', or break "
              "the cycle into two designs";
  for (const LeafGroup &group : *order)
    if (group.isCycle() && failed(verifyGroup(group, edges)))
      return failure();
  for (const DesignEdge &edge : edges)
    if (edge.isBack() && llvm::none_of(*order, [&](const LeafGroup &group) {
          return llvm::is_contained(group.leaves, edge.writer) &&
                 llvm::is_contained(group.leaves, edge.reader);
        }))
      return edge.channel->emitOpError("[design.cycle] FIFO '")
             << edge.getName() << "' is declared 'back' and closes no cycle; leave 'back' out";
  return success();
}

} // namespace streamtensor::dataflow
