//===- CycleVerifier.cpp - [design.cycle] ---------------------------------===//
//
// Values may return to an earlier leaf through a FIFO that is declared `back`. The leaves of such a
// cycle go round together: in each trip of its outermost loop a leaf reads what earlier trips gave
// to FIFOs that go back, and what this trip and earlier ones gave to others. So a sequential run
// may call them one after the other, trip by trip.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignGraph.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"

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

namespace {
/// Tokens that one end of a FIFO moves in the trips of the outermost loop.
class TripCounts {
public:
  TripCounts(LeafOp leaf, Value fifo, bool writes, const DenseMap<Value, int64_t> &scalars) {
    SmallVector<int64_t> values = llvm::map_to_vector(
        leaf.getScalars(), [&](Value scalar) { return scalars.lookup(scalar); });
    for (AccessOpInterface access : getAccesses(leaf)) {
      if (access.isWrite() != writes || access.getChannel() != fifo)
        continue;
      LeafBoxes boxes(getNest(access));
      parts.push_back(boxes.getBoxAt(*boxes.getBox(access.getGuardSet()), values));
    }
  }

  /// In trips 0 to `trip`.
  int64_t countUpTo(int64_t trip) const {
    int64_t tokens = 0;
    for (const IterationBox &box : parts) {
      int64_t trips = std::clamp<int64_t>(trip - box.loops[0].low + 1, 0, box.loops[0].getSize());
      if (trips > 0)
        tokens += box.getNumIterations() / box.loops[0].getSize() * trips;
    }
    return tokens;
  }

  /// Trips at which the number of tokens begins or ends to grow.
  void addTurns(SmallVectorImpl<int64_t> &turns) const {
    for (const IterationBox &box : parts)
      turns.append(
          {box.loops[0].low - 1, box.loops[0].low, box.loops[0].high, box.loops[0].high + 1});
  }

private:
  SmallVector<IterationBox> parts;
};
} // namespace

/// Between two turns both counts grow evenly, so it is enough to compare them there.
static LogicalResult verifyTrips(DesignEdge edge, const DenseMap<Value, int64_t> &scalars) {
  Value fifo = edge.channel->getResult(0);
  TripCounts written(edge.writer, fifo, true, scalars), read(edge.reader, fifo, false, scalars);
  int64_t delay = edge.isBack() ? 1 : 0;
  SmallVector<int64_t> turns;
  written.addTurns(turns);
  for (int64_t &turn : turns)
    turn += delay;
  read.addTurns(turns);
  llvm::sort(turns);
  for (int64_t trip : turns) {
    if (read.countUpTo(trip) <= written.countUpTo(trip - delay))
      continue;
    InFlightDiagnostic error = edge.channel->emitOpError("[design.cycle] up to trip ")
                               << trip << " of its outermost loop leaf '" << edge.reader.getName()
                               << "' reads " << read.countUpTo(trip) << " tokens of FIFO '"
                               << edge.getName() << "', leaf '" << edge.writer.getName()
                               << "' has written " << written.countUpTo(trip - delay)
                               << (delay ? " in earlier trips" : " up to this trip");
    error.attachNote(edge.reader.getLoc()) << "leaves of a cycle go round together, a trip each";
    return error;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

static LogicalResult verifyMember(LeafOp leaf, LeafOp first) {
  if (!leaf.getBlock().getOps<ExternStepOp>().empty())
    return leaf.emitOpError("[design.cycle] a kernel written by hand cannot stand on a cycle: its "
                            "reference takes whole tensors");
  auto getTrips = [](LeafOp member) {
    LeafBoxes boxes(member);
    return boxes.getNumIterations(ScalarBox(ArrayRef(boxes.getWhole()).take_front(1)));
  };
  if (leaf.getNumLoops() == 0 || first.getNumLoops() == 0 || !(getTrips(leaf) == getTrips(first)))
    return leaf.emitOpError("[design.cycle] the leaves of a cycle go round together, but the "
                            "outermost loop makes ")
           << (leaf.getNumLoops() ? getTrips(leaf).str() : "no") << " trips and that of leaf '"
           << first.getName() << "' " << (first.getNumLoops() ? getTrips(first).str() : "no");
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

static LogicalResult verifyGroup(const LeafGroup &group, ArrayRef<DesignEdge> edges,
                                 ArrayRef<SmallVector<int64_t>> allValues) {
  for (LeafOp leaf : group.leaves)
    if (failed(verifyMember(leaf, group.leaves.front())))
      return failure();
  auto design = group.leaves.front()->getParentOfType<DesignOp>();
  for (const SmallVector<int64_t> &values : allValues) {
    DenseMap<Value, int64_t> scalars;
    for (auto [scalar, value] :
         llvm::zip_equal(llvm::to_vector(design.getBody().getOps<ScalarOp>()), values))
      scalars[scalar.getResult()] = value;
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
  SmallVector<SmallVector<int64_t>> values = {getLargestScalars(design), {}};
  for (auto scalar : design.getBody().getOps<ScalarOp>())
    values.back().push_back(scalar.getLow());
  for (const LeafGroup &group : *order)
    if (group.isCycle() && failed(verifyGroup(group, edges, values)))
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
