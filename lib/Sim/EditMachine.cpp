//===- EditMachine.cpp - The same machine but for one part ----------------===//

#include "streamtensor/Sim/EditMachine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <numeric>

using namespace llvm;

namespace streamtensor::sim {

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

namespace {
/// Where a flat iteration lies.
struct Place {
  size_t phase;
  int64_t round, within; // rounds of all phases before, iterations of the phase's trip before
};
} // namespace

static Place findPlace(const Task &task, int64_t iteration) {
  int64_t round = task.getIterationsPerRound();
  Place place = {0, iteration / round, iteration % round};
  while (place.within >= task.phases[place.phase].iterations)
    place.within -= task.phases[place.phase++].iterations;
  return place;
}

std::vector<bool> findMemoryPhases(const Task &task) {
  std::vector<bool> found(task.phases.size());
  for (const Burst &burst : task.bursts)
    found[findPlace(task, burst.iteration).phase] = true;
  for (const BurstGap &gap : task.gaps)
    found[findPlace(task, gap.iteration).phase] = true;
  return found;
}

int64_t getCommonIterations(const Task &task) {
  int64_t common = 0;
  for (auto [phase, movesWords] : zip_equal(task.phases, findMemoryPhases(task)))
    if (!movesWords)
      common = std::gcd(common, phase.iterations);
  return std::max<int64_t>(common, 1);
}

//===----------------------------------------------------------------------===//
// Several iterations in one
//===----------------------------------------------------------------------===//

namespace {

/// Builds the task of which each iteration of phase p does what `factors[p]` did.
class IterationMerger {
public:
  IterationMerger(const Task &task, ArrayRef<int64_t> factors)
      : old(task), factors(factors), merged(task) {}

  Task run();

private:
  bool allTablesDivide(size_t phase) const;
  int32_t tableOf(ArrayRef<int32_t> tables, int64_t factor);
  int32_t classOf(const std::vector<int32_t> &classes);
  int64_t placeOf(int64_t iteration) const;
  void mergeBursts();

  const Task &old;
  ArrayRef<int64_t> factors;
  Task merged;
  std::map<std::pair<std::vector<int32_t>, int64_t>, int32_t> knownTables;
  std::map<std::vector<int32_t>, int32_t> knownClasses;
};

} // namespace

/// What these do together; one alone stays as it is.
int32_t IterationMerger::classOf(const std::vector<int32_t> &classes) {
  std::vector<AccessClass> &all = merged.pattern.classes;
  auto [it, inserted] = knownClasses.try_emplace(classes, all.size());
  if (!inserted)
    return it->second;
  AccessClass &together = all.emplace_back(old.pattern.classes[classes.front()]);
  if (classes.size() == 1)
    return it->second;
  for (int32_t number : ArrayRef(classes).drop_front()) {
    append_range(together.reads, old.pattern.classes[number].reads);
    append_range(together.writes, old.pattern.classes[number].writes);
  }
  llvm::sort(together.reads);
  llvm::sort(together.writes, [](auto &a, auto &b) {
    return std::pair(a.stage, a.fifo) < std::pair(b.stage, b.fifo);
  });
  return it->second;
}

/// The iterations of these tables, `factor` in one, as one table.
int32_t IterationMerger::tableOf(ArrayRef<int32_t> tables, int64_t factor) {
  auto [it, inserted] =
      knownTables.try_emplace({tables.vec(), factor}, merged.pattern.tables.size());
  if (!inserted)
    return it->second;
  std::vector<Run> runs;
  auto add = [&](const std::vector<int32_t> &classes, int64_t length) {
    int32_t accessClass = classOf(classes);
    if (!runs.empty() && runs.back().accessClass == accessClass)
      runs.back().length += length;
    else
      runs.push_back({accessClass, length});
  };
  std::vector<int32_t> begun; // classes of an iteration that is not yet whole
  for (int32_t table : tables)
    for (Run run : old.pattern.tables[table]) {
      auto take = [&](int64_t count) {
        begun.insert(begun.end(), count, run.accessClass);
        run.length -= count;
      };
      if (!begun.empty())
        take(std::min<int64_t>(factor - begun.size(), run.length));
      if (begun.size() == static_cast<size_t>(factor)) {
        add(begun, 1);
        begun.clear();
      }
      if (int64_t whole = run.length / factor; whole > 0) {
        add(std::vector<int32_t>(factor, run.accessClass), whole);
        run.length -= whole * factor;
      }
      take(run.length);
    }
  merged.pattern.tables.push_back(std::move(runs));
  return it->second;
}

/// Can the tables of the phase be merged one by one?
bool IterationMerger::allTablesDivide(size_t phase) const {
  auto lengths = map_to_vector(old.pattern.tables, [](const std::vector<Run> &table) {
    return std::accumulate(table.begin(), table.end(), int64_t(0),
                           [](int64_t sum, Run run) { return sum + run.length; });
  });
  size_t next = 0;
  for (int64_t trip = 0; trip < old.trips; next += old.getPhase(trip++).tables)
    if (trip % old.phases.size() == phase)
      for (int32_t table : ArrayRef(old.pattern.sequence).slice(next, old.phases[phase].tables))
        if (lengths[table] % factors[phase] != 0)
          return false;
  return true;
}

/// The merged iteration that does what a flat one did.
int64_t IterationMerger::placeOf(int64_t iteration) const {
  Place place = findPlace(old, iteration);
  int64_t before = place.round * merged.getIterationsPerRound();
  for (size_t phase = 0; phase < place.phase; ++phase)
    before += merged.phases[phase].iterations;
  return before + place.within / factors[place.phase];
}

void IterationMerger::mergeBursts() {
  merged.gaps.clear();
  for (const BurstGap &gap : old.gaps) {
    int64_t place = placeOf(gap.iteration);
    if (!merged.gaps.empty() && merged.gaps.back().iteration == place)
      merged.gaps.back().cycles += gap.cycles;
    else
      merged.gaps.push_back({place, gap.cycles});
  }
  std::map<std::pair<int64_t, int32_t>, int64_t> bytes;
  for (const Burst &burst : old.bursts)
    bytes[{placeOf(burst.iteration), burst.way}] += burst.bytes;
  merged.bursts.clear();
  for (auto [place, count] : bytes)
    merged.bursts.push_back({place.first, place.second, count});
}

Task IterationMerger::run() {
  merged.pattern = {};
  std::vector<bool> tableByTable;
  for (size_t phase = 0; phase < old.phases.size(); ++phase) {
    tableByTable.push_back(allTablesDivide(phase));
    merged.phases[phase].iterations /= factors[phase];
    if (!tableByTable.back())
      merged.phases[phase].tables = 1;
  }
  size_t next = 0;
  for (int64_t trip = 0; trip < old.trips; ++trip) {
    size_t phase = trip % old.phases.size();
    ArrayRef<int32_t> tables = ArrayRef(old.pattern.sequence).slice(next, old.phases[phase].tables);
    next += tables.size();
    if (!tableByTable[phase])
      merged.pattern.sequence.push_back(tableOf(tables, factors[phase]));
    else
      for (int32_t table : tables)
        merged.pattern.sequence.push_back(tableOf(table, factors[phase]));
  }
  mergeBursts();
  return std::move(merged);
}

//===----------------------------------------------------------------------===//
// FIFOs
//===----------------------------------------------------------------------===//

namespace {
/// The most tokens of one FIFO that a task moves in one iteration, and of these in one cycle.
struct TokensAtOnce {
  int64_t iteration = 0, cycle = 0;
};
} // namespace

/// In the phases that have classes of their own it may be less: this counts the most of all.
static TokensAtOnce countTokensAtOnce(const Task &task, int32_t fifo) {
  int64_t shortest = std::numeric_limits<int64_t>::max();
  for (const Phase &phase : task.phases)
    shortest = std::min(shortest, phase.ii);
  TokensAtOnce most;
  for (const AccessClass &accesses : task.pattern.classes) {
    int64_t reads = llvm::count(accesses.reads, fifo), writes = 0;
    std::map<int32_t, int64_t> byStage;
    for (const AccessClass::Write &write : accesses.writes)
      if (write.fifo == fifo) {
        ++writes;
        most.cycle = std::max(most.cycle, ++byStage[write.stage]);
      }
    most.cycle = std::max<int64_t>(most.cycle, divideCeil(reads, shortest));
    most.iteration = std::max({most.iteration, reads, writes});
  }
  return most;
}

/// Slots of as many tokens as `task` moves at once: what the FIFO held before, what the task now
/// waits for besides, and two of them at least.
static void fitDepth(Machine &machine, int32_t number, const Task &before, const Task &task) {
  Fifo &fifo = machine.fifos[number];
  TokensAtOnce now = countTokensAtOnce(task, number);
  if (fifo.depth == 0 || now.cycle <= 1)
    return;
  int64_t more = now.iteration - countTokensAtOnce(before, number).iteration;
  int64_t least = machine.fifoRules ? machine.fifoRules->minimumDepth : 1;
  int64_t slots = std::max<int64_t>(divideCeil(fifo.depth + more, now.cycle), least);
  if (machine.fifoRules && !fifo.isLink)
    fifo.latency = machine.fifoRules->getLatency(fifo.bits * now.cycle, slots);
  fifo.depth = slots * now.cycle;
}

Error setDepth(Machine &machine, int32_t fifo, int64_t depth) {
  int64_t least = machine.fifoRules ? machine.fifoRules->minimumDepth : 1;
  if (depth < least)
    return createStringError("a FIFO has at least " + Twine(least) + " slots [fifo.depth], not " +
                             Twine(depth));
  machine.fifos[fifo].latency = machine.getLatency(fifo, depth);
  machine.fifos[fifo].depth = depth;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Tasks and ways
//===----------------------------------------------------------------------===//

/// The factors from 2 on that divide `number`, the first few of them: "2, 4 or 8".
static std::string listFactors(int64_t number) {
  std::vector<std::string> factors;
  constexpr size_t most = 4;
  for (int64_t factor = 2; factor <= number && factors.size() < most; ++factor)
    if (number % factor == 0)
      factors.push_back(std::to_string(factor));
  if (factors.size() < 2)
    return llvm::join(factors, "");
  return llvm::join(drop_end(factors), ", ") + " or " + factors.back();
}

/// Merges the iterations of the phases in `changed`.
static Error mergePhases(Machine &machine, int32_t id, int64_t factor, ArrayRef<bool> changed) {
  Task &task = machine.tasks[id];
  int64_t common = 0;
  std::vector<int64_t> factors;
  for (auto [phase, isChanged] : zip_equal(task.phases, changed)) {
    factors.push_back(isChanged ? factor : 1);
    if (isChanged)
      common = std::gcd(common, phase.iterations);
  }
  if (common % factor != 0) {
    std::string possible = listFactors(common);
    return createStringError(
        "task '" + task.name + "' goes through " + Twine(common) +
        (count(changed, true) > 1 ? " iterations, or a multiple, in every trip"
                                  : " iterations in every trip") +
        ", which " + Twine(factor) + " does not divide: " +
        (possible.empty() ? "no factor does" : "a factor of " + possible + " does"));
  }
  Task merged = IterationMerger(task, factors).run();
  for (auto [number, fifo] : enumerate(machine.fifos))
    if (fifo.writer == id || fifo.reader == id)
      fitDepth(machine, number, task, merged);
  task = std::move(merged);
  return Error::success();
}

Error widenTask(Machine &machine, int32_t task, int64_t factor) {
  std::vector<bool> movesWords = findMemoryPhases(machine.tasks[task]);
  SmallVector<bool> changed;
  for (bool moves : movesWords)
    changed.push_back(!moves);
  if (!is_contained(changed, true))
    return createStringError("task '" + machine.tasks[task].name +
                             "' goes at the pace of the words of external memory that it moves: "
                             "widen the port");
  return mergePhases(machine, task, factor, changed);
}

Error setInterval(Machine &machine, int32_t id, int64_t interval) {
  Task edited = machine.tasks[id];
  bool isChanged = false;
  for (auto [phase, movesWords] : zip_equal(edited.phases, findMemoryPhases(edited)))
    if (!movesWords && phase.ii > interval) {
      phase.ii = interval;
      isChanged = true;
    }
  if (!isChanged)
    return createStringError("task '" + edited.name +
                             "' has no larger interval that memory does not set");
  for (auto [number, fifo] : enumerate(machine.fifos))
    if (fifo.writer == id || fifo.reader == id)
      if (int64_t tokens = countTokensAtOnce(edited, number).iteration; tokens > interval)
        return createStringError("task '" + edited.name + "' moves " + Twine(tokens) +
                                 " tokens of FIFO '" + fifo.name +
                                 "' in an iteration, one a cycle: its interval is at least that");
  machine.tasks[id] = std::move(edited);
  return Error::success();
}

/// Phases that start bursts over `ways` and no other.
static SmallVector<bool> findPhasesOf(const Task &task, ArrayRef<int32_t> ways) {
  SmallVector<bool> uses(task.phases.size()), others(task.phases.size());
  for (const Burst &burst : task.bursts)
    (is_contained(ways, burst.way) ? uses : others)[findPlace(task, burst.iteration).phase] = true;
  for (size_t phase = 0; phase < uses.size(); ++phase)
    uses[phase] = uses[phase] && !others[phase];
  return uses;
}

/// Divides each way into `parts`, the first of which keeps its number and its channel.
static void splitWays(Machine &machine, ArrayRef<int32_t> ways, int64_t parts) {
  std::map<int32_t, std::vector<int32_t>> numbers; // of the parts
  for (int32_t way : ways) {
    numbers[way] = {way};
    for (int64_t part = 1; part < parts; ++part) {
      MemoryChannel channel = machine.channels[machine.ways[way].channel];
      channel.name += formatv(" + {0} for {1}", part, machine.ways[way].name);
      numbers[way].push_back(machine.ways.size());
      machine.ways.push_back(
          {machine.ways[way].name, static_cast<int32_t>(machine.channels.size())});
      machine.channels.push_back(std::move(channel));
    }
  }
  for (Task &task : machine.tasks) {
    std::vector<Burst> bursts;
    for (const Burst &burst : task.bursts) {
      auto found = numbers.find(burst.way);
      if (found == numbers.end()) {
        bursts.push_back(burst);
        continue;
      }
      int64_t bytes = divideCeil(burst.bytes, parts);
      for (int32_t number : found->second)
        bursts.push_back({burst.iteration, number, bytes});
    }
    llvm::sort(bursts, [](auto &a, auto &b) {
      return std::pair(a.iteration, a.way) < std::pair(b.iteration, b.way);
    });
    task.bursts = std::move(bursts);
  }
}

Error widenWays(Machine &machine, ArrayRef<int32_t> ways, int64_t factor, int64_t parts) {
  Machine edited = machine;
  bool isChanged = false;
  for (size_t task = 0; task < machine.tasks.size(); ++task) {
    SmallVector<bool> changed = findPhasesOf(machine.tasks[task], ways);
    if (!is_contained(changed, true))
      continue;
    isChanged = true;
    if (Error error = mergePhases(edited, task, factor, changed))
      return error;
  }
  if (!isChanged)
    return createStringError("every task that uses it moves words over others in the same cycles: "
                             "widen those with it");
  if (parts > 1)
    splitWays(edited, ways, parts);
  machine = std::move(edited);
  return Error::success();
}

} // namespace streamtensor::sim
