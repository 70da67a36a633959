//===- Deadlock.cpp - Why a machine stands still --------------------------===//

#include "streamtensor/Sim/Deadlock.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace streamtensor::sim {

static std::vector<int32_t> fullFifos(const SimResult &deadlock) {
  std::vector<int32_t> fifos;
  const std::vector<Wait> &waits = deadlock.waitCycle.empty() ? deadlock.waits : deadlock.waitCycle;
  for (const Wait &wait : waits)
    if (wait.kind == WaitKind::Slot && !llvm::is_contained(fifos, wait.channel))
      fifos.push_back(wait.channel);
  return fifos;
}

/// Token accesses that the search for a least depth may simulate.
constexpr int64_t releaseSteps = int64_t(50) * 1000 * 1000;

/// A depth of `fifo` with which the machine ends, the least one if the machine is
/// not too large to find it; nothing if none does.
static std::optional<int64_t> leastDepth(const Machine &machine, std::vector<int64_t> depths,
                                         int32_t fifo) {
  int64_t steps = 0;
  auto ends = [&](int64_t depth) {
    depths[fifo] = depth;
    SimResult result = simulate(machine, depths);
    steps += result.steps;
    return result.completed();
  };
  int64_t stuck = depths[fifo], free = machine.countWrites(fifo);
  if (free <= stuck || !ends(free))
    return std::nullopt;
  while (free - stuck > 1 && steps < releaseSteps) {
    int64_t middle = stuck + (free - stuck) / 2;
    (ends(middle) ? free : stuck) = middle;
  }
  return free;
}

std::optional<Release> findRelease(const Machine &machine, const std::vector<int64_t> &depths,
                                   const SimResult &deadlock) {
  std::optional<std::pair<int32_t, int64_t>> best;
  for (int32_t fifo : fullFifos(deadlock))
    if (std::optional<int64_t> depth = leastDepth(machine, depths, fifo)) {
      auto bits = [&](int32_t id, int64_t slots) { return slots * machine.fifos[id].bits; };
      if (!best || bits(fifo, *depth) < bits(best->first, best->second))
        best = {fifo, *depth};
    }
  if (best)
    return Release{{*best}};

  // No FIFO alone: double those of each cycle until the machine ends.
  std::vector<int64_t> grown = depths;
  SimResult result = deadlock;
  while (!result.completed()) {
    bool changed = false;
    for (int32_t fifo : fullFifos(result)) {
      int64_t most = machine.countWrites(fifo);
      changed |= grown[fifo] < most;
      grown[fifo] = std::min(2 * grown[fifo], std::max(most, grown[fifo]));
    }
    if (!changed)
      return std::nullopt;
    result = simulate(machine, grown);
  }
  Release release;
  for (size_t fifo = 0; fifo < grown.size(); ++fifo)
    if (grown[fifo] != depths[fifo])
      release.depths.emplace_back(fifo, grown[fifo]);
  return release;
}

/// How full a FIFO is; depth 0 is one without bound.
static std::string describeSlots(int64_t used, int64_t depth) {
  return depth > 0 ? formatv("{0} of {1} slots used", used, depth).str()
                   : formatv("{0} slots used, no bound", used).str();
}

static std::string describeWait(const Machine &machine, const std::vector<int64_t> &depths,
                                const Wait &wait) {
  StringRef task = machine.tasks[wait.task].name, peer = machine.tasks[wait.peer].name;
  switch (wait.kind) {
  case WaitKind::Token:
    return formatv("task '{0}' waits for a token in FIFO '{1}' ({2}) from '{3}'", task,
                   machine.fifos[wait.channel].name,
                   describeSlots(wait.occupancy, depths[wait.channel]), peer);
  case WaitKind::Slot:
    return formatv("task '{0}' waits for a slot in FIFO '{1}' ({2}) read by '{3}'", task,
                   machine.fifos[wait.channel].name,
                   describeSlots(wait.occupancy, depths[wait.channel]), peer);
  case WaitKind::FullBlock:
    return formatv("task '{0}' waits for a full block of buffer '{1}' from '{2}'", task,
                   machine.buffers[wait.channel].name, peer);
  case WaitKind::FreeBlock:
    return formatv("task '{0}' waits for a free block of buffer '{1}' ({2} of {3} used) read by "
                   "'{4}'",
                   task, machine.buffers[wait.channel].name, wait.occupancy,
                   machine.buffers[wait.channel].blocks, peer);
  case WaitKind::Memory:
    break; // whoever asks a channel gets it
  }
  llvm_unreachable("all kinds are handled");
}

std::string describeWaits(const Machine &machine, const std::vector<int64_t> &depths,
                          const SimResult &deadlock) {
  const std::vector<Wait> &waits = deadlock.waitCycle.empty() ? deadlock.waits : deadlock.waitCycle;
  constexpr size_t most = 8, atBegin = 4, atEnd = 2;
  std::string text;
  for (auto [index, wait] : llvm::enumerate(waits)) {
    bool shown = waits.size() <= most || index < atBegin || index + atEnd >= waits.size();
    if (shown)
      text += (text.empty() ? "" : "; ") + describeWait(machine, depths, wait);
    else if (index == atBegin)
      text += formatv("; ... {0} more tasks, each waiting for the next ...",
                      waits.size() - atBegin - atEnd);
  }
  return text;
}

std::string describeDeadlock(const Machine &machine, const std::vector<int64_t> &depths,
                             const SimResult &deadlock) {
  std::string text = describeWaits(machine, depths, deadlock);
  std::optional<Release> release = findRelease(machine, depths, deadlock);
  if (!release)
    return text + "; no FIFO depth releases it";
  text += "; it ends with";
  for (auto [index, entry] : llvm::enumerate(release->depths))
    text += formatv("{0} FIFO '{1}' of depth {2}", index ? "," : "",
                    machine.fifos[entry.first].name, entry.second);
  return text;
}

} // namespace streamtensor::sim
