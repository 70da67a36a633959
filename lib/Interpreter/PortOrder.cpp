//===- PortOrder.cpp - What orders accesses to an inout port --------------===//

#include "PortOrder.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

void PortOrder::addEdge(dataflow::StreamOp stream, Fifo *fifo) {
  Edge edge{fifo};
  SmallVector<Operation *> users(stream->getUsers());
  while (!users.empty()) {
    Operation *user = users.pop_back_val();
    if (isa<dataflow::StreamWriteOp>(user))
      edge.writer = dataflow::getLeaf(user);
    else if (isa<dataflow::StreamReadOp>(user))
      edge.reader = dataflow::getLeaf(user);
    else
      llvm::append_range(users, user->getUsers());
  }
  edges.push_back(edge);
}

/// Was a token given after `before` and taken by `leaf`?
bool PortOrder::isOrdered(const Access &before, Operation *leaf) const {
  for (auto [edge, given] : llvm::zip_equal(edges, before.given))
    if (edge.writer == before.leaf && edge.reader == leaf && edge.fifo->popped > given)
      return true;
  return false;
}

void PortOrder::access(dataflow::AccessOpInterface op, int64_t place, Fault &fault) {
  Operation *leaf = dataflow::getLeaf(op);
  Place &here = places[place];
  auto check = [&](const Access &before, StringRef verb) {
    if (!before.leaf || isOrdered(before, leaf))
      return;
    fault.report(op, ("[port.order] " + Twine(op.isWrite() ? "writes" : "reads") + " element " +
                      Twine(place) + " of '" + port.getName() + "', which leaf '" +
                      cast<dataflow::LeafOp>(before.leaf).getName() + "' " + verb +
                      " in the same launch, and no token orders the two")
                         .str());
  };
  // The writes of one leaf keep their order.
  if (!op.isWrite() || here.written.leaf != leaf)
    check(here.written, "writes");
  if (op.isWrite())
    check(here.read, "reads");
  Access now{leaf, {}};
  for (const Edge &edge : edges)
    now.given.push_back(edge.fifo->pushed);
  (op.isWrite() ? here.written : here.read) = now;
}
