//===- Dependences.h - Orders that accesses must keep -----------*- C++ -*-===//
//
// What the schedule of a leaf must respect among the accesses to one private memory, for the pass
// that makes schedules and the verifier that checks them.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_DEPENDENCES_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_DEPENDENCES_H

#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"

namespace streamtensor::dataflow {

/// Cycles that a recurrence over values of `type` keeps free: two over floats, so that one register
/// more in synthesis, at either end of an adder, changes no interval.
int64_t getRecurrenceSlack(mlir::Type type);

/// Two accesses that may touch one element, `second` in the iteration of `first` and behind it in
/// the body (distance 0), or a number of iterations later.
struct Dependence {
  AccessOpInterface first, second;
  int64_t distance = 0;

  bool isReadAfterWrite() { return first.isWrite() && !second.isWrite(); }
  bool isWriteAfterRead() { return !first.isWrite(); }
  /// Cycles from the beginning of `first` to that of `second`, at least: a read after a write comes
  /// when the write has ended, a write after a read not before it, a write after a write later.
  /// `latency` is that of `first`.
  /// A recurrence has its slack: a read of a sum after the write of what it was added to.
  int64_t getCycles(int64_t latency);
};

/// Cycles that an access takes by what its memory, or its port and its words, state; nothing if
/// they do not, and for a FIFO.
std::optional<int64_t> getStatedLatency(AccessOpInterface access);

/// Can both happen in one iteration of their pipeline? Guards alone decide, and in nests with lag
/// whether both can have work in one step.
bool canMeet(AccessOpInterface first, AccessOpInterface second);

/// Must `second` keep behind `first` in one iteration? It stands behind it, and both may touch one
/// element: within a nest guards decide, between nests with lag the places do.
bool isOrderedInOneIteration(AccessOpInterface first, AccessOpInterface second);

/// Pairs of accesses to one private memory of which one is a write, at the least distance at which
/// they touch one element, below `limit`.
llvm::SmallVector<Dependence> findDependences(Pipeline pipeline, int64_t limit);

/// Accesses to a port, each with a write of a FIFO that orders the port: the token is given when
/// the access has ended.
llvm::SmallVector<std::pair<AccessOpInterface, StreamWriteOp>> findOrderings(Pipeline pipeline);

/// Do words of both accesses take beats of one interface, one way?
bool shareBeats(AccessOpInterface first, AccessOpInterface second);

/// Does an access to on-chip memory move all that `partition` reaches at a time, and never parts of
/// two words?
bool movesWholeWords(AccessOpInterface access, llvm::ArrayRef<int64_t> partition);

/// `4 ports`, or `4 ports, of which 1 writes,`.
std::string describePorts(StorageAttr storage);

/// Accesses to the ports of the banks of on-chip memories, slot by slot of the interval.
class PortReservations {
public:
  explicit PortReservations(int64_t interval) : interval(interval) {}

  /// May `access` begin at `stage` beside those added, the banks built as `storage` says? Accesses
  /// that exclude each other share a port if they begin at one stage.
  bool fits(AccessOpInterface access, int64_t stage, StorageAttr storage) const;
  void add(AccessOpInterface access, int64_t stage, StorageAttr storage);

private:
  struct Use {
    AccessOpInterface access;
    int64_t stage, beats, ports;
  };
  int64_t countPorts(llvm::ArrayRef<Use> uses, int64_t slot) const;

  int64_t interval;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Use>> uses;
};

} // namespace streamtensor::dataflow

#endif
