//===- LeafWalk.cpp - The iterations of a leaf, in order ------------------===//

#include "streamtensor/Dialect/Dataflow/IR/LeafWalk.h"

using namespace mlir;
using namespace streamtensor::dataflow;

LeafWalk::LeafWalk(LeafOp leaf) : leaf(leaf), pipelines(leaf.getPipelines()) {
  for (Pipeline &group : pipelines) {
    firstNest.push_back(nests.size());
    for (NestOpInterface nest : group.nests) {
      Nest &added = nests.emplace_back();
      added.trips = nest.getLoopTrips();
      added.indices.assign(added.trips.size(), 0);
    }
  }
  serial = pipelines.front().nests.front().getNumSerialLoops();
  ownBegin = leaf.hasNests() ? leaf.getNumLoops() : serial;
  numTrips = llvm::product_of(leaf.getTrips().take_front(serial));
  beginPipeline();
}

/// Loops [begin, end) at their `place`-th combination.
void LeafWalk::setShared(MutableArrayRef<int64_t> indices, unsigned begin, unsigned end,
                         int64_t place) {
  for (unsigned loop = end; loop-- > begin;) {
    indices[loop] = place % leaf.getTrips()[loop];
    place /= leaf.getTrips()[loop];
  }
}

void LeafWalk::beginPipeline() {
  isFresh = true;
  step = 0;
  numSteps = pipelines[pipeline].getNumSteps();
  for (unsigned number = 0; number < pipelines[pipeline].nests.size(); ++number)
    setShared(nests[firstNest[pipeline] + number].indices, 0, serial, trip);
  beginStep();
}

/// Every step has work.
bool LeafWalk::beginStep() {
  if (step == numSteps)
    return false;
  Pipeline &group = pipelines[pipeline];
  for (unsigned number = 0; number < group.nests.size(); ++number) {
    Nest &nest = nests[firstNest[pipeline] + number];
    nest.isActive = group.isActive(number, step);
    if (!nest.isActive)
      continue;
    if (ownBegin > serial)
      setShared(nest.indices, serial, ownBegin, step - group.getLag(number));
    llvm::fill(MutableArrayRef(nest.indices).drop_front(ownBegin), 0);
  }
  return true;
}

int64_t LeafWalk::countAlike() const {
  int64_t count = std::numeric_limits<int64_t>::max();
  for (unsigned number = 0; number < pipelines[pipeline].nests.size(); ++number)
    if (const Nest &nest = nests[firstNest[pipeline] + number]; nest.isActive)
      count = std::min(
          count, nest.trips.size() > ownBegin ? nest.trips.back() - 1 - nest.indices.back() : 0);
  return count;
}

void LeafWalk::skip(int64_t count) {
  if (count == 0)
    return;
  iteration += count;
  isFresh = false;
  for (unsigned number = 0; number < pipelines[pipeline].nests.size(); ++number)
    if (Nest &nest = nests[firstNest[pipeline] + number]; nest.isActive)
      nest.indices.back() += count;
}

bool LeafWalk::next() {
  ++iteration;
  isFresh = false;
  bool anyActive = false;
  for (unsigned number = 0; number < pipelines[pipeline].nests.size(); ++number) {
    Nest &nest = nests[firstNest[pipeline] + number];
    if (!nest.isActive)
      continue;
    unsigned loop = nest.trips.size();
    while (loop > ownBegin && nest.indices[loop - 1] + 1 == nest.trips[loop - 1])
      --loop;
    nest.isActive = loop > ownBegin;
    if (!nest.isActive) // done with this step; the indices stay at the last iteration
      continue;
    ++nest.indices[loop - 1];
    llvm::fill(MutableArrayRef(nest.indices).drop_front(loop), 0);
    anyActive = true;
  }
  if (anyActive)
    return true;
  ++step;
  if (beginStep())
    return true;
  if (++pipeline == pipelines.size()) {
    pipeline = 0;
    if (++trip == numTrips)
      return false;
  }
  beginPipeline();
  return true;
}
