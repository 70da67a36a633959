//===- Advice.cpp - What to widen next ------------------------------------===//
//
// A part that takes `busy` cycles of its own can shorten no chain of events by more than what it
// then saves of them, so parts are tried in the order of what they could save, and the rest left
// out. Parts of equal pace gain nothing alone: the first few are tried together as well.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Sizing/Advice.h"

#include "streamtensor/Schedule/LeafSchedule.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Schedule/Multiplexers.h"
#include "streamtensor/Sim/EditMachine.h"
#include "streamtensor/Sizing/QuestionReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace llvm;
using namespace streamtensor::dataflow;
using namespace streamtensor::schedule;
using streamtensor::sim::WhatIf;

namespace streamtensor::sizing {

//===----------------------------------------------------------------------===//
// What it costs
//===----------------------------------------------------------------------===//

static Resources subtract(Resources from, const Resources &what) {
  return {from.lut - what.lut, from.ff - what.ff, from.dsp - what.dsp, from.bram36 - what.bram36,
          from.uram - what.uram};
}

static Resources times(const Resources &one, int64_t count) {
  return {one.lut * count, one.ff * count, one.dsp * count, one.bram36 * count, one.uram * count};
}

static Resources countLanes(LeafOp leaf, int64_t factor, const DeviceModel &device) {
  if (!leaf.getBlock().getOps<ExternStepOp>().empty())
    return times(countLeaf(leaf, device), factor - 1);
  Resources more = times(countOperators(leaf, device), factor - 1);
  for (mlir::Value memory : leaf.getPrivates()) {
    StorageAttr storage = leaf.getStorageOf(memory);
    Banks banks = getBanks(leaf, memory), wide = banks;
    wide.count = std::min(banks.count * factor, banks.count * banks.depth);
    wide.depth = divideCeil(banks.count * banks.depth, wide.count);
    more += subtract(countBanks(wide, storage.getKind(), device),
                     countBanks(banks, storage.getKind(), device));
  }
  return more;
}

static Resources countPort(const sim::DesignMachine &built, const sim::PortWays &port,
                           int64_t factor, const DeviceModel &device) {
  Resources masters;
  for (auto [task, leaf] : zip_equal(built.machine.tasks, built.leaves))
    if (any_of(task.bursts,
               [&](const sim::Burst &burst) { return is_contained(port.ways, burst.way); }))
      masters += countMasters(leaf, device);
  return times(masters, port.getParts(factor) - 1);
}

static Resources countDepth(const sim::Fifo &fifo, StreamOp stream, int64_t depth,
                            const DeviceModel &device) {
  // Blocks stay blocks of their kind; shift registers, if they get too large, do not.
  MemoryKind kind = stream.getMemory();
  MemoryKind then =
      kind == MemoryKind::ShiftRegister ? chooseFifoKind(fifo.bits, depth, device) : kind;
  return subtract(countFifo(fifo.bits, depth, then, device),
                  countFifo(fifo.bits, fifo.depth, kind, device));
}

Resources countQuestion(const sim::DesignMachine &built, const sim::Machine &machine,
                        const WhatIf &question, const DeviceModel &device) {
  switch (question.property) {
  case WhatIf::Property::Depth: {
    size_t number = sim::findNamed(machine.fifos, question.name);
    const sim::Fifo &fifo = machine.fifos[number];
    int64_t depth = question.isFactor ? fifo.depth * question.value : question.value;
    return countDepth(fifo, built.streams[number], depth, device);
  }
  case WhatIf::Property::Bits: {
    sim::PortWays port = sim::findPortWays(built, question.name);
    return countPort(built, port, port.getFactor(question), device);
  }
  case WhatIf::Property::Lanes:
    return countLanes(built.leaves[sim::findNamed(machine.tasks, question.name)], question.value,
                      device);
  case WhatIf::Property::Interval:
    return {}; // operators that no longer take turns: not known
  }
  llvm_unreachable("all properties are handled");
}

//===----------------------------------------------------------------------===//
// What could help
//===----------------------------------------------------------------------===//

namespace {

/// A question and the cycles that it could save.
struct Candidate {
  WhatIf question;
  double saving = 0;
  std::optional<int64_t> cycles;
};

class Adviser {
public:
  Adviser(ArrayRef<SimulatedDesign> designs, ArrayRef<WhatIf> asked, const DeviceModel &device,
          const AdviceOptions &options)
      : designs(designs), asked(asked), device(device), options(options) {
    for (const SimulatedDesign &design : designs)
      before += design.launches * design.result->cycles;
  }

  Advised run();

private:
  void propose(const SimulatedDesign &design);
  void add(const SimulatedDesign &design, const char *form, StringRef name, double cycles,
           function_ref<bool(const WhatIf &)> canAsk);
  bool isAsked(const WhatIf &question) const;
  bool canWiden(const SimulatedDesign &design, const WhatIf &question) const;
  std::optional<int64_t> simulate(ArrayRef<WhatIf> questions);
  std::optional<Advice> tryTogether(ArrayRef<size_t> set);
  Advice report(ArrayRef<WhatIf> questions, std::optional<int64_t> cycles) const;

  ArrayRef<SimulatedDesign> designs;
  ArrayRef<WhatIf> asked;
  const DeviceModel &device;
  const AdviceOptions &options;
  int64_t before = 0, steps = 0;
  std::vector<Candidate> candidates, tried;
  std::vector<std::pair<std::vector<size_t>, int64_t>> together; // sets, and what they gain
};

} // namespace

bool Adviser::isAsked(const WhatIf &question) const {
  return any_of(asked, [&](const WhatIf &other) {
    return other.property == question.property && other.name == question.name &&
           other.design == question.design;
  });
}

/// Does the factor divide what words a port's tasks move, and are there masters for it?
bool Adviser::canWiden(const SimulatedDesign &design, const WhatIf &question) const {
  std::vector<WhatIf> questions = asked.vec();
  questions.push_back(question);
  Expected<sim::EditedMachine> edited = sim::applyWhatIfs(*design.built, questions);
  if (!edited) {
    consumeError(edited.takeError());
    return false;
  }
  size_t objections = edited->notes.size();
  checkMasters(*design.built, *edited, device);
  return edited->notes.size() == objections;
}

/// Adds `form` ("task {0} lanes=x{1}") with the least factor that can be asked for, if one can;
/// the part takes `cycles` now.
void Adviser::add(const SimulatedDesign &design, const char *form, StringRef name, double cycles,
                  function_ref<bool(const WhatIf &)> canAsk) {
  bool isQualified = any_of(designs, [&](const SimulatedDesign &other) {
    return other.machine->name != designs.front().machine->name;
  });
  std::string part = isQualified ? design.machine->name + "/" + name.str() : name.str();
  for (int factor : {2, 3}) {
    WhatIf question = cantFail(sim::parseWhatIf(formatv(form, part, factor).str()));
    question.design = design.machine->name;
    double saving = cycles * (1 - 1.0 / factor) * design.launches;
    auto known = find_if(candidates, [&](const Candidate &other) { // for other scalars
      return other.question.text == question.text;
    });
    if (known != candidates.end())
      known->saving += saving;
    else if (!isAsked(question) && canAsk(question))
      candidates.push_back({question, saving, std::nullopt});
    else
      continue;
    return;
  }
}

void Adviser::propose(const SimulatedDesign &design) {
  const sim::Machine &machine = *design.machine;
  for (auto [task, times] : zip_equal(machine.tasks, design.result->tasks))
    add(design, "task {0} lanes=x{1}", task.name, times.busy, [&](const WhatIf &question) {
      return sim::getCommonIterations(task) % question.value == 0;
    });
  std::set<std::vector<int32_t>> known; // tensors that share interfaces
  for (auto port : DesignOp(design.built->design).getOps<PortOp>()) {
    std::vector<int32_t> ways = sim::findPortWays(*design.built, port.getName()).ways;
    if (ways.empty() || !known.insert(ways).second)
      continue;
    int64_t cycles = 0;
    for (auto [task, times] : zip_equal(machine.tasks, design.result->tasks))
      if (any_of(task.bursts,
                 [&](const sim::Burst &burst) { return is_contained(ways, burst.way); }))
        cycles += times.busy + times.memoryStall;
    add(design, "port {0} bits=x{1}", port.getName(), cycles,
        [&](const WhatIf &question) { return canWiden(design, question); });
  }
  for (int32_t fifo : design.result->criticalFifos)
    add(design, "fifo {0} depth=x{1}", machine.fifos[fifo].name,
        2 * design.result->tasks[machine.fifos[fifo].writer].outputStall,
        [](const WhatIf &) { return true; });
}

/// Cycles of all launches; none if one deadlocks.
std::optional<int64_t> Adviser::simulate(ArrayRef<WhatIf> questions) {
  std::vector<WhatIf> all = asked.vec();
  append_range(all, questions);
  int64_t cycles = 0;
  for (const SimulatedDesign &design : designs) {
    bool isMeant = any_of(
        questions, [&](const WhatIf &question) { return question.design == design.machine->name; });
    if (!isMeant) {
      cycles += design.launches * design.result->cycles;
      continue;
    }
    Expected<sim::EditedMachine> edited = sim::applyWhatIfs(*design.built, all);
    if (!edited) {
      consumeError(edited.takeError()); // a pair that cannot be asked together
      return std::nullopt;
    }
    sim::SimResult result = sim::simulateEdited(*edited, {});
    steps += result.steps;
    if (!result.completed())
      return std::nullopt;
    cycles += design.launches * result.cycles;
  }
  return cycles;
}

Advice Adviser::report(ArrayRef<WhatIf> questions, std::optional<int64_t> cycles) const {
  Advice advice{questions.vec(), cycles, {}};
  for (const WhatIf &question : questions) {
    const SimulatedDesign *design = find_if(designs, [&](const SimulatedDesign &other) {
      return other.machine->name == question.design;
    });
    advice.cost += countQuestion(*design->built, *design->machine, question, device);
  }
  return advice;
}

/// All pairs of the first `count` parts, and the first three, four, ... of them.
static std::vector<std::vector<size_t>> getSets(size_t count) {
  std::vector<std::vector<size_t>> sets;
  for (size_t first = 0; first < count; ++first)
    for (size_t second = first + 1; second < count; ++second)
      sets.push_back({first, second});
  for (size_t size = 3; size <= count; ++size)
    sets.emplace_back(llvm::seq<size_t>(0, size).begin(), llvm::seq<size_t>(0, size).end());
  return sets;
}

/// These parts of `tried`, if together they gain so much more than each alone in sum, and than a
/// smaller set of them, that they are worth their cost.
std::optional<Advice> Adviser::tryTogether(ArrayRef<size_t> set) {
  std::vector<WhatIf> questions;
  int64_t known = 0;
  for (size_t part : set) {
    questions.push_back(tried[part].question);
    known += std::max<int64_t>(0, before - tried[part].cycles.value_or(before));
  }
  for (auto &[smaller, gain] : together)
    if (llvm::all_of(smaller, [&](size_t part) { return is_contained(set, part); }))
      known = std::max(known, gain);
  std::optional<int64_t> cycles = simulate(questions);
  if (!cycles || before - *cycles <= known * (1 + options.more))
    return std::nullopt;
  together.emplace_back(set.vec(), before - *cycles);
  return report(questions, cycles);
}

Advised Adviser::run() {
  for (const SimulatedDesign &design : designs)
    propose(design);
  llvm::stable_sort(candidates,
                    [](const Candidate &a, const Candidate &b) { return a.saving > b.saving; });
  Advised advised;
  for (Candidate &candidate : candidates) {
    if (tried.size() == options.parts || steps > options.maxSteps)
      break;
    candidate.cycles = simulate(candidate.question);
    advised.trials.push_back(report(candidate.question, candidate.cycles));
    tried.push_back(candidate);
  }
  advised.untried = candidates.size() - tried.size();
  for (const std::vector<size_t> &set : getSets(std::min(options.joined, tried.size())))
    if (steps <= options.maxSteps)
      if (std::optional<Advice> together = tryTogether(set))
        advised.trials.push_back(std::move(*together));
  llvm::stable_sort(advised.trials, [](const Advice &a, const Advice &b) {
    constexpr int64_t never = std::numeric_limits<int64_t>::max();
    return std::pair(a.cycles.value_or(never), a.questions.size()) <
           std::pair(b.cycles.value_or(never), b.questions.size());
  });
  return advised;
}

Advised advise(ArrayRef<SimulatedDesign> designs, ArrayRef<WhatIf> asked, const DeviceModel &device,
               const AdviceOptions &options) {
  return Adviser(designs, asked, device, options).run();
}

} // namespace streamtensor::sizing
