//===- DesignGraph.cpp - The leaf tasks of a design as a graph ------------===//

#include "Rounds.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace streamtensor::dataflow {

bool DesignEdge::isBack() const {
  auto stream = dyn_cast<StreamOp>(channel);
  return stream && stream.getBack();
}

StringRef DesignEdge::getName() const {
  auto stream = dyn_cast<StreamOp>(channel);
  return stream ? stream.getName() : cast<BufferOp>(channel).getName();
}

SmallVector<DesignEdge> getEdges(DesignOp design) {
  llvm::DenseMap<Value, DesignEdge> ends;
  for (auto leaf : design.getBody().getOps<LeafOp>()) {
    for (Value buffer : leaf.getReads())
      ends[buffer].reader = leaf;
    for (Value buffer : leaf.getWrites())
      ends[buffer].writer = leaf;
    for (AccessOpInterface access : getAccesses(leaf))
      if (access.isToken())
        (access.isWrite() ? ends[access.getChannel()].writer : ends[access.getChannel()].reader) =
            leaf;
  }
  SmallVector<DesignEdge> edges;
  for (Operation &op : design.getBody().front())
    if (isa<StreamOp, BufferOp>(op)) {
      DesignEdge edge = ends.lookup(op.getResult(0));
      edge.channel = &op;
      if (edge.writer && edge.reader)
        edges.push_back(edge);
    }
  return edges;
}

bool reaches(ArrayRef<LeafOp> from, ArrayRef<LeafOp> to, ArrayRef<DesignEdge> edges) {
  DenseSet<Operation *> seen;
  SmallVector<LeafOp> next(from);
  while (!next.empty()) {
    LeafOp leaf = next.pop_back_val();
    if (llvm::is_contained(to, leaf))
      return true;
    if (seen.insert(leaf).second)
      for (const DesignEdge &edge : edges)
        if (edge.writer == leaf && !edge.isBack())
          next.push_back(edge.reader);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

namespace {

using LeafSet = llvm::SmallDenseSet<Operation *>;
using Users = llvm::DenseMap<Operation *, llvm::SmallSetVector<Operation *, 4>>;

class CallOrder {
public:
  explicit CallOrder(DesignOp design)
      : leaves(design.getBody().getOps<LeafOp>()), edges(getEdges(design)) {
    for (const DesignEdge &edge : edges) {
      users[edge.writer].insert(edge.reader);
      if (!edge.isBack())
        usersInTrip[edge.writer].insert(edge.reader);
    }
    findCycles(design);
    addTurns();
    for (const DesignEdge &edge : edges)
      if (!edge.isBack())
        orderEnds(edge);
  }

  std::optional<SmallVector<LeafGroup>> find(SmallVectorImpl<LeafOp> &waiting) {
    SmallVector<LeafGroup> order;
    SmallVector<unsigned> left = llvm::to_vector(llvm::seq<unsigned>(turns.size()));
    while (!left.empty()) {
      unsigned *ready = llvm::find_if(left, [&](unsigned turn) { return isReady(turn); });
      if (ready == left.end()) {
        for (unsigned turn : left)
          if (!llvm::is_contained(waiting, turns[turn].leaf))
            waiting.push_back(turns[turn].leaf);
        return std::nullopt;
      }
      const LeafTurn &turn = turns[*ready];
      if (open != groups[turn.leaf])
        order.emplace_back();
      open = groups[turn.leaf];
      if (!llvm::is_contained(order.back().leaves, turn.leaf))
        order.back().leaves.push_back(turn.leaf);
      order.back().turns.push_back(turn);
      done.insert(*ready);
      left.erase(ready);
    }
    return order;
  }

private:
  /// A cycle, once begun, is finished before another leaf follows; it begins when everything that
  /// any of its leaves needs from outside is there.
  bool isReady(unsigned turn) {
    Operation *group = groups[turns[turn].leaf];
    auto isDone = [&](unsigned other) { return done.contains(other); };
    if (open && open != group && !llvm::all_of(members[open], isDone))
      return false;
    if (!llvm::all_of(producers[turn], isDone))
      return false;
    return llvm::all_of(members[group], [&](unsigned member) {
      return llvm::all_of(producers[member], [&](unsigned producer) {
        return groups[turns[producer].leaf] == group || isDone(producer);
      });
    });
  }

  static LeafSet getReached(Operation *from, const Users &users) {
    LeafSet reached;
    SmallVector<Operation *> next = {from};
    while (!next.empty())
      for (Operation *user : users.lookup(next.pop_back_val()))
        if (reached.insert(user).second)
          next.push_back(user);
    return reached;
  }

  /// Leaves that reach each other are one group, named by its first leaf; where there is one cycle,
  /// others that can take turns with its leaves join it.
  void findCycles(DesignOp design) {
    llvm::DenseMap<Operation *, LeafSet> reached;
    for (LeafOp leaf : leaves)
      reached[leaf] = getReached(leaf, users);
    for (LeafOp leaf : leaves) {
      LeafOp *first = llvm::find_if(leaves, [&](LeafOp other) {
        return other == leaf || (reached[leaf].contains(other) && reached[other].contains(leaf));
      });
      groups[leaf] = *first;
    }
    SmallVector<LeafOp> cycle;
    for (LeafOp leaf : leaves)
      if (reached[leaf].contains(leaf))
        cycle.push_back(leaf);
    bool isOne = !cycle.empty() && llvm::all_of(cycle, [&](LeafOp leaf) {
      return groups[leaf] == groups[cycle.front()];
    });
    if (!isOne)
      return;
    Operation *name = groups[cycle.front()];
    for (LeafOp leaf : getRound(design, cycle, edges))
      groups[leaf] = name;
  }

  /// Does what one nest of the leaf gives come back to it within a trip? Then each has a turn.
  bool isEngine(LeafOp leaf) {
    return leaf.hasNests() && !leaf.getTogether() && leaf.getNumLoops() == 1 &&
           getAcquires(leaf).empty() && getReached(leaf, usersInTrip).contains(leaf);
  }

  void addTurns() {
    for (LeafOp leaf : leaves) {
      unsigned count = isEngine(leaf) ? leaf.getNests().size() : 1;
      for (unsigned nest = 0; nest < count; ++nest) {
        SmallVector<unsigned> before;
        if (nest > 0)
          before.push_back(turns.size() - 1);
        members[groups[leaf]].push_back(turns.size());
        turnsOf[leaf].push_back(turns.size());
        turns.push_back({leaf, count > 1 ? std::optional(nest) : std::nullopt});
        producers.push_back(before);
      }
    }
  }

  /// A turn of `leaf` in which it is at an end of a channel, and the tokens that it moves there.
  struct TurnAtEnd {
    unsigned turn;
    ScalarPolynomial tokens = ScalarPolynomial();
  };

  SmallVector<TurnAtEnd> getTurnsAt(LeafOp leaf, Operation *channel, bool writes) {
    SmallVector<TurnAtEnd> found;
    for (unsigned turn : turnsOf[leaf]) {
      std::optional<unsigned> nest = turns[turn].nest;
      if (!nest) {
        found.push_back({turn});
        continue;
      }
      NestOpInterface own = leaf.getNests()[*nest];
      TurnAtEnd end{turn};
      bool isAtEnd = false;
      for (AccessOpInterface access : getAccesses(own)) {
        if (access.isWrite() != writes || access.getChannel().getDefiningOp() != channel)
          continue;
        LeafBoxes boxes(own);
        end.tokens = end.tokens + boxes.getNumIterations(*boxes.getBox(access.getGuardSet()));
        isAtEnd = true;
      }
      if (isAtEnd)
        found.push_back(end);
    }
    return found;
  }

  /// Turns that read need those that write; where turn by turn as many tokens are written as are
  /// read (one slice of an engine hands on to the next), each needs its own.
  void orderEnds(const DesignEdge &edge) {
    SmallVector<TurnAtEnd> reading = getTurnsAt(edge.reader, edge.channel, false);
    SmallVector<TurnAtEnd> writing = getTurnsAt(edge.writer, edge.channel, true);
    bool isInStep = reading.size() == writing.size() &&
                    llvm::all_of(llvm::zip_equal(reading, writing), [](auto pair) {
                      auto &[read, write] = pair;
                      return read.tokens == write.tokens;
                    });
    for (auto [number, read] : llvm::enumerate(reading))
      for (auto [other, write] : llvm::enumerate(writing))
        if (!isInStep || number == other)
          producers[read.turn].push_back(write.turn);
  }

  SmallVector<LeafOp> leaves;
  SmallVector<DesignEdge> edges;
  Users users, usersInTrip; ///< The latter without FIFOs that go back.
  llvm::DenseMap<Operation *, Operation *> groups;
  std::vector<LeafTurn> turns;
  std::vector<SmallVector<unsigned>> producers;                        ///< Of each turn.
  llvm::DenseMap<Operation *, SmallVector<unsigned>> turnsOf, members; ///< Of a leaf, of a group.
  Operation *open = nullptr;                                           // the group of the last turn
  llvm::DenseSet<unsigned> done;
};

} // namespace

std::optional<SmallVector<LeafGroup>> getCallOrder(DesignOp design,
                                                   SmallVectorImpl<LeafOp> &waiting) {
  return CallOrder(design).find(waiting);
}

} // namespace streamtensor::dataflow
