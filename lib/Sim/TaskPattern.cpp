//===- TaskPattern.cpp - Phases and iterations of a leaf's task -----------===//
//
// The runs of nests with lag are laid over each other step by step. Steps in which the same
// tables meet share a table, so the cost is one of runs and not of iterations.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Sim/TaskPattern.h"

#include "streamtensor/Sim/LeafPattern.h"

#include <map>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::sim {
namespace {

using Tables = std::vector<int32_t>;

/// The iterations of one nest: its pattern, and what its classes are in the task.
struct NestIterations {
  LeafPattern pattern;
  std::vector<AccessClass> classes;

  /// The tables of a trip.
  ArrayRef<int32_t> getTables(int64_t trip) const {
    return ArrayRef(pattern.sequence).slice(trip * pattern.tablesPerTrip, pattern.tablesPerTrip);
  }
};

/// The runs of one nest in one step.
class RunCursor {
public:
  RunCursor(const NestIterations &nest, ArrayRef<int32_t> tables) {
    for (int32_t table : tables)
      llvm::append_range(runs, nest.pattern.tables[table]);
  }
  bool isDone() const { return next == runs.size(); }
  int32_t getClass() const { return isDone() ? -1 : runs[next].accessClass; }
  int64_t getLength() const { return runs[next].length; }
  void take(int64_t length) {
    if (!isDone() && (runs[next].length -= length) == 0)
      ++next;
  }

private:
  std::vector<Run> runs;
  size_t next = 0;
};

/// Lays the nests of one pipeline over each other.
class Overlay {
public:
  Overlay(Pipeline pipeline, ArrayRef<NestIterations> nests, AccessPattern &pattern)
      : pipeline(std::move(pipeline)), nests(nests), pattern(pattern) {}

  void addTrip(int64_t trip) {
    for (int64_t step : llvm::seq(pipeline.getNumSteps()))
      pattern.sequence.push_back(tableOf(trip, step));
  }

private:
  int32_t tableOf(int64_t trip, int64_t step);
  int32_t classOf(const std::vector<int32_t> &classes);

  Pipeline pipeline;
  ArrayRef<NestIterations> nests;
  AccessPattern &pattern;
  std::map<std::vector<Tables>, int32_t> knownTables;
  std::map<std::vector<int32_t>, int32_t> knownClasses;
};

} // namespace

/// What the nests do together, each its class or -1.
int32_t Overlay::classOf(const std::vector<int32_t> &classes) {
  auto [it, inserted] = knownClasses.try_emplace(classes, pattern.classes.size());
  if (!inserted)
    return it->second;
  AccessClass &all = pattern.classes.emplace_back();
  for (auto [nest, own] : llvm::zip_equal(nests, classes)) {
    if (own < 0)
      continue;
    llvm::append_range(all.reads, nest.classes[own].reads);
    llvm::append_range(all.writes, nest.classes[own].writes);
  }
  llvm::sort(all.reads);
  llvm::stable_sort(all.writes, [](auto &a, auto &b) { return a.stage < b.stage; });
  return it->second;
}

int32_t Overlay::tableOf(int64_t trip, int64_t step) {
  std::vector<Tables> key(nests.size());
  for (unsigned number = 0; number < nests.size(); ++number)
    if (pipeline.isActive(number, step))
      key[number] =
          nests[number].getTables(trip * pipeline.getNumBlocks() + step - pipeline.getLag(number));
  auto [it, inserted] = knownTables.try_emplace(key, pattern.tables.size());
  if (!inserted)
    return it->second;
  std::vector<RunCursor> cursors;
  for (auto [nest, tables] : llvm::zip_equal(nests, key))
    cursors.emplace_back(nest, tables);
  std::vector<Run> runs;
  while (!llvm::all_of(cursors, [](const RunCursor &cursor) { return cursor.isDone(); })) {
    int64_t length = std::numeric_limits<int64_t>::max();
    std::vector<int32_t> classes;
    for (const RunCursor &cursor : cursors) {
      classes.push_back(cursor.getClass());
      if (!cursor.isDone())
        length = std::min(length, cursor.getLength());
    }
    for (RunCursor &cursor : cursors)
      cursor.take(length);
    int32_t accessClass = classOf(classes);
    if (!runs.empty() && runs.back().accessClass == accessClass)
      runs.back().length += length;
    else
      runs.push_back({accessClass, length});
  }
  pattern.tables.push_back(std::move(runs));
  return it->second;
}

static std::vector<AccessClass> getClasses(NestOpInterface nest, const LeafPattern &pattern,
                                           const DenseMap<Value, int32_t> &fifos) {
  std::vector<AccessClass> classes(pattern.masks.size());
  for (AccessOpInterface access : getAccesses(nest)) {
    if (!access.isToken())
      continue;
    int32_t fifo = fifos.lookup(access.getChannel());
    for (auto [accesses, mask] : llvm::zip_equal(classes, pattern.masks)) {
      if (!pattern.isActive(access.getGuardSet(), mask))
        continue;
      if (access.isWrite())
        accesses.writes.push_back({fifo, static_cast<int32_t>(getTiming(access).getStage())});
      else
        accesses.reads.push_back(fifo);
    }
  }
  for (AccessClass &accesses : classes)
    llvm::sort(accesses.reads);
  return classes;
}

LogicalResult addPattern(LeafOp leaf, const DenseMap<Value, int32_t> &fifos, Task &task) {
  std::vector<Pipeline> pipelines = leaf.getPipelines();
  unsigned shared = leaf.getNests().front().getNumSerialLoops();
  std::vector<std::vector<NestIterations>> nests;
  task.phases.clear();
  for (Pipeline &pipeline : pipelines) {
    // Nests that run together are laid over each other block by block.
    unsigned serial = leaf.getTogether() ? leaf.getNumLoops() : shared;
    std::vector<NestIterations> &added = nests.emplace_back();
    for (NestOpInterface nest : pipeline.nests) {
      FailureOr<LeafPattern> pattern = computePattern(nest, serial);
      if (failed(pattern))
        return failure();
      std::vector<AccessClass> classes = getClasses(nest, *pattern, fifos);
      added.push_back({std::move(*pattern), std::move(classes)});
    }
    int64_t tables = leaf.getTogether() ? pipeline.getNumSteps() : added[0].pattern.tablesPerTrip;
    task.phases.push_back(
        {pipeline.getInterval(), pipeline.getDepth(), tables, pipeline.getNumIterations()});
  }
  int64_t rounds = llvm::product_of(leaf.getTrips().take_front(shared));
  task.trips = rounds * pipelines.size();

  if (leaf.getTogether()) {
    Overlay overlay(pipelines.front(), nests.front(), task.pattern);
    for (int64_t trip = 0; trip < rounds; ++trip)
      overlay.addTrip(trip);
    return success();
  }
  std::vector<int32_t> firstTable; // of each nest
  for (std::vector<NestIterations> &pipeline : nests) {
    NestIterations &nest = pipeline.front();
    firstTable.push_back(task.pattern.tables.size());
    int32_t firstClass = task.pattern.classes.size();
    llvm::append_range(task.pattern.classes, nest.classes);
    for (std::vector<Run> &table : nest.pattern.tables) {
      for (Run &run : table)
        run.accessClass += firstClass;
      task.pattern.tables.push_back(std::move(table));
    }
  }
  for (int64_t trip = 0; trip < rounds; ++trip)
    for (auto [pipeline, first] : llvm::zip_equal(nests, firstTable))
      for (int32_t table : pipeline.front().getTables(trip))
        task.pattern.sequence.push_back(first + table);
  return success();
}

} // namespace streamtensor::sim
