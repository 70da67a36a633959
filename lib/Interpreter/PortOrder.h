//===- PortOrder.h - What orders accesses to an inout port ------*- C++ -*-===//
//
// Leaves run at the same time: that one happens to come first here proves nothing. An element that
// one leaf writes and another reads in one launch must have a token between them, of a FIFO that
// orders the port: given after the first access and taken before the second.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_PORTORDER_H
#define STREAMTENSOR_LIB_INTERPRETER_PORTORDER_H

#include "Channel.h"
#include "Step.h"

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::interpreter {

class PortOrder {
public:
  PortOrder(dataflow::PortOp port, int64_t elements) : port(port), places(elements) {}

  /// Declares a FIFO that orders the port.
  void addEdge(dataflow::StreamOp stream, Fifo *fifo);

  /// Notes an access of `op` to the element at `place`; reports what is not ordered.
  void access(dataflow::AccessOpInterface op, int64_t place, Fault &fault);

private:
  /// The last access of one kind to an element: the leaf, and tokens that it had given by then, by
  /// edge.
  struct Access {
    mlir::Operation *leaf = nullptr;
    llvm::SmallVector<int64_t, 2> given;
  };
  struct Place {
    Access read, written;
  };
  struct Edge {
    Fifo *fifo;
    mlir::Operation *writer = nullptr, *reader = nullptr;
  };

  bool isOrdered(const Access &before, mlir::Operation *leaf) const;

  dataflow::PortOp port;
  std::vector<Place> places;
  llvm::SmallVector<Edge> edges;
};

} // namespace streamtensor::interpreter

#endif
