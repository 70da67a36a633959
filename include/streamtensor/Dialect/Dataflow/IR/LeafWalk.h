//===- LeafWalk.h - The iterations of a leaf, in order ----------*- C++ -*-===//
//
// Visits the iterations in the order in which they issue: serial trip by serial trip, pipeline by
// pipeline, step by step. In an iteration several nests may act, if they run together.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_LEAFWALK_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_LEAFWALK_H

#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"

namespace streamtensor::dataflow {

class LeafWalk {
public:
  /// Stands at the first iteration.
  explicit LeafWalk(LeafOp leaf);

  /// To the next iteration; false behind the last.
  bool next();
  bool isDone() const { return trip == numTrips; }
  /// How many iterations follow that differ from this one in innermost loops alone.
  int64_t countAlike() const;
  /// Passes so many of them.
  void skip(int64_t count);

  /// Does nest `number`, of those of `leaf.getNests()`, act in this iteration?
  bool isActive(unsigned number) const { return nests[number].isActive; }
  /// Its indices, those of the shared loops first; of its last iteration if it does not act.
  llvm::ArrayRef<int64_t> getIndices(unsigned number) const { return nests[number].indices; }

  /// Counts from 0: serial trips, and iterations of all.
  int64_t getTrip() const { return trip; }
  int64_t getIteration() const { return iteration; }
  /// Is it the first iteration of its trip, the first after a drain?
  bool beginsTrip() const { return isFresh && pipeline == 0; }
  bool beginsPipeline() const { return isFresh; }
  unsigned getPipeline() const { return pipeline; }

private:
  struct Nest {
    bool isActive = false;
    llvm::SmallVector<int64_t> trips, indices;
  };

  void beginPipeline();
  bool beginStep();
  void setShared(llvm::MutableArrayRef<int64_t> indices, unsigned begin, unsigned end,
                 int64_t place);

  LeafOp leaf;
  std::vector<Pipeline> pipelines;
  std::vector<unsigned> firstNest; // of each pipeline
  std::vector<Nest> nests;
  unsigned serial, ownBegin; // loops
  int64_t numTrips, trip = 0, iteration = 0, step = 0, numSteps = 1;
  unsigned pipeline = 0;
  bool isFresh = true;
};

} // namespace streamtensor::dataflow

#endif
