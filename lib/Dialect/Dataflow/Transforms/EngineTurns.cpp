//===- EngineTurns.cpp - In which order an engine has its turns -----------===//

#include "EngineTurns.h"

#include "streamtensor/Dialect/Dataflow/IR/DesignGraph.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

/// Leaves that what `from` gives comes to, itself included, up to those of `parts`.
static llvm::SmallSetVector<Operation *, 16> getReached(LeafOp from, ArrayRef<EnginePart> parts,
                                                        ArrayRef<DesignEdge> edges) {
  llvm::SmallSetVector<Operation *, 16> reached;
  reached.insert(from);
  for (size_t number = 0; number < reached.size(); ++number) {
    bool isPart = number > 0 && llvm::any_of(parts, [&](const EnginePart &part) {
                    return part.leaf == reached[number];
                  });
    for (const DesignEdge &edge : edges)
      if (!isPart && edge.writer == reached[number] && !edge.isBack())
        reached.insert(edge.reader);
  }
  return reached;
}

/// Is all that `part` gives held before somebody begins with it?
static bool isHeldWhole(const EnginePart &part, ArrayRef<EnginePart> parts,
                        ArrayRef<DesignEdge> edges) {
  auto reached = getReached(part.leaf, parts, edges);
  return llvm::any_of(edges, [&](const DesignEdge &edge) {
    auto buffer = dyn_cast<BufferOp>(edge.channel);
    return buffer && buffer.getBlocks() == 1 && reached.contains(edge.writer);
  });
}

/// Puts the loads for `part` in front of those for `other`.
static void moveLoads(const EnginePart &part, const EnginePart &other, ArrayRef<DesignEdge> edges) {
  auto getLoads = [&](LeafOp reader) {
    SmallVector<LeafOp> loads;
    for (const DesignEdge &edge : edges)
      if (edge.reader == reader && LeafOp(edge.writer).getRole() == Role::Load)
        loads.push_back(edge.writer);
    return loads;
  };
  LeafOp first;
  for (LeafOp load : getLoads(other.leaf))
    if (!first || load->isBeforeInBlock(first))
      first = load;
  for (LeafOp load : getLoads(part.leaf)) {
    if (!first || load->isBeforeInBlock(first))
      continue;
    for (auto write : load.getBlock().getOps<StreamWriteOp>())
      write.getFifo().getDefiningOp()->moveBefore(first);
    load->moveBefore(first);
  }
}

void dataflow::orderTurns(DesignOp design, std::vector<EnginePart> &parts) {
  SmallVector<DesignEdge> edges = getEdges(design);
  auto isHeld = llvm::map_to_vector(
      parts, [&](const EnginePart &part) { return isHeldWhole(part, parts, edges); });
  for (size_t number = 1; number < parts.size(); ++number)
    for (size_t place = number; place > 0 && isHeld[place] && !isHeld[place - 1]; --place) {
      if (reaches(parts[place - 1].leaf, parts[place].leaf, edges))
        break;
      moveLoads(parts[place], parts[place - 1], edges);
      std::swap(parts[place], parts[place - 1]);
      std::swap(isHeld[place], isHeld[place - 1]);
    }
}
