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

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

namespace {

class CallOrder {
public:
  explicit CallOrder(DesignOp design) : leaves(design.getBody().getOps<LeafOp>()) {
    bool hasBack = false;
    for (const DesignEdge &edge : getEdges(design)) {
      users[edge.writer].insert(edge.reader);
      if (!edge.isBack())
        producers[edge.reader].push_back(edge.writer);
      hasBack |= edge.isBack();
    }
    if (hasBack)
      findCycles(design);
    else
      for (LeafOp leaf : leaves)
        groups[leaf] = leaf;
    for (LeafOp leaf : leaves)
      members[groups[leaf]].push_back(leaf);
  }

  std::optional<SmallVector<LeafGroup>> find(SmallVectorImpl<LeafOp> &waiting) {
    SmallVector<LeafGroup> order;
    waiting.assign(leaves.begin(), leaves.end());
    while (!waiting.empty()) {
      LeafOp *ready = llvm::find_if(waiting, [&](LeafOp leaf) { return isReady(leaf); });
      if (ready == waiting.end())
        return std::nullopt;
      LeafOp leaf = *ready;
      if (open != groups[leaf])
        order.emplace_back();
      open = groups[leaf];
      order.back().leaves.push_back(leaf);
      done.insert(leaf);
      waiting.erase(ready);
    }
    return order;
  }

private:
  /// A cycle, once begun, is finished before another leaf follows; it begins when everything that
  /// any of its leaves needs from outside is there.
  bool isReady(LeafOp leaf) {
    Operation *group = groups[leaf];
    auto isDone = [&](Operation *other) { return done.contains(other); };
    if (open && open != group && !llvm::all_of(members[open], isDone))
      return false;
    if (!llvm::all_of(producers[leaf], isDone))
      return false;
    return llvm::all_of(members[group], [&](Operation *member) {
      return llvm::all_of(producers[member], [&](Operation *producer) {
        return groups[producer] == group || isDone(producer);
      });
    });
  }

  llvm::SmallDenseSet<Operation *> getReached(Operation *from) {
    llvm::SmallDenseSet<Operation *> reached;
    SmallVector<Operation *> next = {from};
    while (!next.empty())
      for (Operation *user : users[next.pop_back_val()])
        if (reached.insert(user).second)
          next.push_back(user);
    return reached;
  }

  /// Leaves that reach each other are one group, named by its first leaf; where there is one cycle,
  /// others that can take turns with its leaves join it.
  void findCycles(DesignOp design) {
    llvm::DenseMap<Operation *, llvm::SmallDenseSet<Operation *>> reached;
    for (LeafOp leaf : leaves)
      reached[leaf] = getReached(leaf);
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
    for (LeafOp leaf : getRound(design, cycle, getEdges(design)))
      groups[leaf] = name;
  }

  SmallVector<LeafOp> leaves;
  llvm::DenseMap<Operation *, llvm::SmallSetVector<Operation *, 4>> users;
  llvm::DenseMap<Operation *, SmallVector<Operation *>> producers;
  llvm::DenseMap<Operation *, Operation *> groups;
  llvm::DenseMap<Operation *, SmallVector<Operation *>> members;
  Operation *open = nullptr; // the group of the last leaf
  llvm::DenseSet<Operation *> done;
};

} // namespace

std::optional<SmallVector<LeafGroup>> getCallOrder(DesignOp design,
                                                   SmallVectorImpl<LeafOp> &waiting) {
  return CallOrder(design).find(waiting);
}

} // namespace streamtensor::dataflow
