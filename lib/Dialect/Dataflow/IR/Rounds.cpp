//===- Rounds.cpp - Leaves that go round together -------------------------===//

#include "Rounds.h"

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"

using namespace mlir;

namespace streamtensor::dataflow {

ScalarPolynomial getRounds(LeafOp leaf) {
  LeafBoxes boxes(leaf);
  return boxes.getNumIterations(ScalarBox(ArrayRef(boxes.getWhole()).take_front(1)));
}

SmallVector<DenseMap<Value, int64_t>> getScalarsAtEnds(DesignOp design) {
  DenseMap<Value, int64_t> largest, least;
  for (auto scalar : design.getBody().getOps<ScalarOp>()) {
    largest[scalar.getResult()] = scalar.getHigh();
    least[scalar.getResult()] = scalar.getLow();
  }
  return {largest, least};
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
std::optional<TripShortage> findShortage(DesignEdge edge, const DenseMap<Value, int64_t> &scalars) {
  Value fifo = edge.channel->getResult(0);
  TripCounts written(edge.writer, fifo, true, scalars), read(edge.reader, fifo, false, scalars);
  int64_t delay = edge.isBack() ? 1 : 0;
  SmallVector<int64_t> turns;
  written.addTurns(turns);
  for (int64_t &turn : turns)
    turn += delay;
  read.addTurns(turns);
  llvm::sort(turns);
  for (int64_t trip : turns)
    if (read.countUpTo(trip) > written.countUpTo(trip - delay))
      return TripShortage{trip, read.countUpTo(trip), written.countUpTo(trip - delay)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Leaves beside a cycle
//===----------------------------------------------------------------------===//

/// Can a call of the leaf make one trip, as one of `first` does?
static bool canTakeTurns(LeafOp leaf, LeafOp first) {
  return leaf.getNumLoops() > 0 && leaf.getBlock().getOps<ExternStepOp>().empty() &&
         !(leaf.getTogether() && leaf.getSerialLevel() == 0) &&
         llvm::none_of(getAcquires(leaf), [](const Acquire &each) { return each.level == 0; }) &&
         getRounds(leaf) == getRounds(first);
}

/// Leaves from which one of `leaves` gets something, or to which one gives it.
static llvm::SmallDenseSet<Operation *> getReached(ArrayRef<LeafOp> leaves,
                                                   ArrayRef<DesignEdge> edges, bool isForward) {
  llvm::SmallDenseSet<Operation *> reached;
  SmallVector<Operation *> next(leaves.begin(), leaves.end());
  while (!next.empty()) {
    Operation *leaf = next.pop_back_val();
    for (const DesignEdge &edge : edges) {
      Operation *from = isForward ? edge.writer : edge.reader;
      Operation *to = isForward ? edge.reader : edge.writer;
      if (from == leaf && reached.insert(to).second)
        next.push_back(to);
    }
  }
  return reached;
}

SmallVector<LeafOp> getRound(DesignOp design, ArrayRef<LeafOp> cycle, ArrayRef<DesignEdge> edges) {
  SmallVector<LeafOp> alone(cycle);
  if (alone.front().getNumLoops() == 0)
    return alone;
  SmallVector<LeafOp> round;
  for (auto leaf : design.getBody().getOps<LeafOp>())
    if (llvm::is_contained(cycle, leaf) || canTakeTurns(leaf, alone.front()))
      round.push_back(leaf);
  // Both ends of a FIFO keep up with each other, or the one beside the cycle stays out.
  SmallVector<DenseMap<Value, int64_t>> ends = getScalarsAtEnds(design);
  for (bool isStable = false; !isStable;) {
    isStable = true;
    for (const DesignEdge &edge : edges) {
      if (!isa<StreamOp>(edge.channel) || !llvm::is_contained(round, edge.writer) ||
          !llvm::is_contained(round, edge.reader) ||
          llvm::none_of(ends, [&](auto &scalars) { return findShortage(edge, scalars); }))
        continue;
      LeafOp out = llvm::is_contained(cycle, edge.reader) ? edge.writer : edge.reader;
      if (llvm::is_contained(cycle, out))
        continue; // an error of the design, which its verifier reports
      llvm::erase(round, out);
      isStable = false;
    }
  }
  // Nothing that leaves the round may come back into it.
  llvm::SmallDenseSet<Operation *> behind = getReached(round, edges, true);
  llvm::SmallDenseSet<Operation *> before = getReached(round, edges, false);
  for (auto leaf : design.getBody().getOps<LeafOp>())
    if (!llvm::is_contained(round, leaf) && behind.contains(leaf) && before.contains(leaf))
      return alone;
  return round;
}

} // namespace streamtensor::dataflow
