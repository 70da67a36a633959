//===- LeafPattern.cpp - Which iterations make which accesses -------------===//
//
// Loops outside those that guards mention repeat one table of runs; the loops
// inside them stretch its runs. Only the loops between are enumerated, once for
// every combination of outer indices that the guards can tell apart.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Sim/LeafPattern.h"

#include "streamtensor/Support/Affine.h"

#include <map>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::sim {

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

bool LeafPattern::isActive(IntegerSet guard, GuardMask mask) const {
  if (!guard)
    return true;
  return mask >> (llvm::find(guards, guard) - guards.begin()) & 1;
}

//===----------------------------------------------------------------------===//
// Enumeration
//===----------------------------------------------------------------------===//

namespace {

class PatternBuilder {
public:
  PatternBuilder(NestOpInterface nest, unsigned serial)
      : nest(nest), serial(serial), trips(nest.getLoopTrips()), indices(trips.size(), 0) {}

  FailureOr<LeafPattern> build();

private:
  LogicalResult collectGuards();
  void chooseLoops();
  void classifyConstraints();
  std::vector<int64_t> distinguish() const;
  GuardMask maskHere() const;
  int32_t classHere();
  int32_t tableHere();
  bool advanceIndices(unsigned begin, unsigned end);

  static constexpr int64_t tableLimit = 4096;

  NestOpInterface nest;
  unsigned serial;
  SmallVector<int64_t> trips;
  SmallVector<int64_t> indices;
  LeafPattern pattern;
  /// Enumerated are the loops [first, last).
  unsigned first = 0, last = 0;
  int64_t stretch = 1;
  /// What tells outer indices apart: constraints on them alone, and those of them
  /// that constraints on inner loops also mention.
  SmallVector<std::pair<AffineExpr, bool>> outerConstraints;
  SmallVector<unsigned> mixedLoops;
  /// No guard mentions the loops [told, first).
  unsigned told = 0;
  std::map<std::vector<int64_t>, int32_t> knownTables;
};

} // namespace

LogicalResult PatternBuilder::collectGuards() {
  for (AccessOpInterface access : getAccesses(nest)) {
    IntegerSet guard = access.getGuardSet();
    if (!guard || llvm::is_contained(pattern.guards, guard))
      continue;
    if (guard.getNumSymbols() != 0)
      return access->emitOpError("has a guard with symbols: a leaf's guards are over its loop "
                                 "indices alone");
    pattern.guards.push_back(guard);
  }
  if (pattern.guards.size() > 64)
    return mlir::emitError(nest.getLoc())
           << "leaf task '" << nest.getLeaf().getName() << "' has " << pattern.guards.size()
           << " distinct guards; at most 64 are supported: split the task";
  return success();
}

void PatternBuilder::chooseLoops() {
  unsigned outermost = trips.size(), innermost = serial;
  for (IntegerSet guard : pattern.guards)
    for (AffineExpr constraint : guard.getConstraints())
      for (unsigned loop = serial; loop < trips.size(); ++loop)
        if (constraint.isFunctionOfDim(loop)) {
          outermost = std::min(outermost, loop);
          innermost = std::max(innermost, loop + 1);
        }
  first = last = innermost;
  int64_t size = 1;
  while (first > outermost && (first == last || size * trips[first - 1] <= tableLimit))
    size *= trips[--first];
  for (unsigned loop = last; loop < trips.size(); ++loop)
    stretch *= trips[loop];
}

void PatternBuilder::classifyConstraints() {
  llvm::SmallSetVector<unsigned, 4> mixed;
  for (IntegerSet guard : pattern.guards)
    for (auto [index, constraint] : llvm::enumerate(guard.getConstraints())) {
      bool inner = false;
      SmallVector<unsigned> outer;
      for (unsigned loop = 0; loop < trips.size(); ++loop)
        if (constraint.isFunctionOfDim(loop)) {
          inner |= loop >= first;
          if (loop < first) {
            outer.push_back(loop);
            told = std::max(told, loop + 1);
          }
        }
      if (inner)
        mixed.insert_range(outer);
      else
        outerConstraints.emplace_back(constraint, guard.isEq(index));
    }
  mixedLoops = mixed.takeVector();
}

std::vector<int64_t> PatternBuilder::distinguish() const {
  std::vector<int64_t> key;
  for (auto [constraint, equality] : outerConstraints) {
    int64_t value = evaluate(constraint, indices);
    key.push_back(equality ? value == 0 : value >= 0);
  }
  for (unsigned loop : mixedLoops)
    key.push_back(indices[loop]);
  return key;
}

GuardMask PatternBuilder::maskHere() const {
  GuardMask mask = 0;
  for (auto [index, guard] : llvm::enumerate(pattern.guards))
    mask |= GuardMask(contains(guard, indices)) << index;
  return mask;
}

int32_t PatternBuilder::classHere() {
  GuardMask mask = maskHere();
  auto it = llvm::find(pattern.masks, mask);
  if (it != pattern.masks.end())
    return it - pattern.masks.begin();
  pattern.masks.push_back(mask);
  return pattern.masks.size() - 1;
}

/// Next combination of the indices of loops [begin, end); false after the last.
bool PatternBuilder::advanceIndices(unsigned begin, unsigned end) {
  for (unsigned loop = end; loop-- > begin;) {
    if (++indices[loop] < trips[loop])
      return true;
    indices[loop] = 0;
  }
  return false;
}

int32_t PatternBuilder::tableHere() {
  auto [it, inserted] = knownTables.try_emplace(distinguish(), pattern.tables.size());
  if (!inserted)
    return it->second;
  std::vector<Run> runs;
  do {
    int32_t accessClass = classHere();
    if (!runs.empty() && runs.back().accessClass == accessClass)
      runs.back().length += stretch;
    else
      runs.push_back({accessClass, stretch});
  } while (advanceIndices(first, last));
  pattern.tables.push_back(std::move(runs));
  return it->second;
}

FailureOr<LeafPattern> PatternBuilder::build() {
  if (failed(collectGuards()))
    return failure();
  chooseLoops();
  classifyConstraints();
  ArrayRef<int64_t> loops = trips;
  pattern.iterationsPerTrip = llvm::product_of(loops.drop_front(serial));
  pattern.tablesPerTrip =
      llvm::product_of(loops.take_front(first).drop_front(std::min<size_t>(serial, first)));
  int64_t repeats = llvm::product_of(loops.take_front(first).drop_front(told));
  do
    pattern.sequence.insert(pattern.sequence.end(), repeats, tableHere());
  while (advanceIndices(0, told));
  return std::move(pattern);
}

FailureOr<LeafPattern> computePattern(NestOpInterface nest, unsigned serial) {
  return PatternBuilder(nest, serial).build();
}

} // namespace streamtensor::sim
