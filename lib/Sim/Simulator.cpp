//===- Simulator.cpp - Event times of a machine ---------------------------===//
//
// Every task runs ahead until it needs a time that is not yet known: that of a
// token not yet written, of a slot or a block not yet freed. One case is not
// decided by known times alone: a task that waits for a token of unknown time
// (which may issue an iteration) has writes of later stages in flight, and an
// early write of that iteration could freeze them. When nothing else can run, the
// earliest of these writes is the earliest event of the whole machine, no token
// can be visible before it, and it may happen. Likewise who gets a channel of external memory that
// several ways share: when nothing else can run, nobody can still ask as early as the earliest
// grant.
//
// No task issues behind a horizon before all others have come to it, which rises when nothing else
// can run. So what the state is at a horizon follows from the machine alone, not from who ran
// first, and comes again where the run repeats (SkipPeriods.h).
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Sim/Simulator.h"

#include "Activity.h"
#include "EngineState.h"
#include "SkipPeriods.h"

using namespace llvm;

namespace streamtensor::sim {

/// Where accesses of one FIFO follow one another, each is one token later.
static void addAccess(SmallVectorImpl<Access> &accesses, Channel *fifos, int32_t fifo) {
  bool repeats = !accesses.empty() && accesses.back().fifo == fifo;
  accesses.push_back({&fifos[fifo], fifo, repeats ? accesses.back().ahead + 1 : 0});
}

ClassAccesses::ClassAccesses(const AccessClass &accessClass, ArrayRef<int32_t> stages,
                             Channel *fifos) {
  for (int32_t fifo : accessClass.reads)
    addAccess(reads, fifos, fifo);
  for (const AccessClass::Write &write : accessClass.writes) {
    int32_t stage = llvm::lower_bound(stages, write.stage) - stages.begin();
    if (writes.empty() || writes.back().stage != stage)
      writes.push_back({stage, {}});
    addAccess(writes.back().accesses, fifos, write.fifo);
  }
}

TaskState::TaskState(const Task &task, bool oneInFlight, Channel *fifos)
    : cursor(task.pattern), freezesOnEmpty(task.freezesOnEmpty), oneInFlight(oneInFlight),
      task(&task) {
  int64_t shortest = std::numeric_limits<int64_t>::max();
  for (const Phase &phase : task.phases)
    shortest = std::min(shortest, oneInFlight ? phase.depth : phase.ii);
  std::vector<int32_t> distinct;
  for (const AccessClass &accessClass : task.pattern.classes)
    for (const AccessClass::Write &write : accessClass.writes)
      distinct.push_back(write.stage);
  llvm::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (int32_t stage : distinct)
    stages.emplace_back(stage, stage / shortest + 2);
  for (const AccessClass &accessClass : task.pattern.classes)
    classes.emplace_back(accessClass, distinct, fifos);
  if (!distinct.empty())
    firstWriteStage = distinct.front();
  if (!task.bursts.empty())
    nextBurst = task.bursts.front().iteration;
  findGap();
  findSpecial();
}

namespace {

class Engine : EngineState {
public:
  Engine(const Machine &machine, const std::vector<int64_t> &depths, const SimOptions &options);
  SimResult run();

private:
  enum class Outcome { Progress, Blocked };

  // Parts of `issuePlain`: calls of them would be a good part of its time.
  LLVM_ATTRIBUTE_ALWAYS_INLINE int64_t reachTokens(TaskState &task, Stamp tokens);
  LLVM_ATTRIBUTE_ALWAYS_INLINE Outcome waitToIssue(int32_t id, TaskState &task, WaitKind kind,
                                                   int32_t channel);
  LLVM_ATTRIBUTE_ALWAYS_INLINE void issueAt(int32_t id, TaskState &task, int64_t tick);
  LLVM_ATTRIBUTE_ALWAYS_INLINE Outcome commitWrites(int32_t id, TaskState &task,
                                                    Stamp floor = minStamp);
  LLVM_ATTRIBUTE_ALWAYS_INLINE void writeStage(WriteStage &stage, Stamp frozen);
  LLVM_ATTRIBUTE_ALWAYS_INLINE void block(TaskState &task, WaitKind kind, int32_t channel);

  void advance(int32_t id);
  bool isBehindHorizon(const TaskState &task) const { return task.getNextIssue() >= horizon; }
  Outcome park(int32_t id, TaskState &task);
  void raiseHorizon();
  bool passPeriods();
  Outcome startTrip(int32_t id, TaskState &task);
  void endTrip(int32_t id, TaskState &task);
  void skipIdleRun(TaskState &task);
  Outcome step(int32_t id, TaskState &task);
  Outcome issueNext(int32_t id, TaskState &task);
  Outcome issuePlain(int32_t id, TaskState &task, int64_t end);
  Outcome continueRun(int32_t id, TaskState &task);
  Outcome issueOrFreeze(int32_t id, TaskState &task, Stamp tokens);
  void standStill(int32_t id, TaskState &task, int64_t tick, Stamp until, int32_t cause);
  void noteInputStall(int32_t id, TaskState &task, int64_t begin, int64_t end);
  void askForBursts(TaskState &task, Stamp tokens);
  void grantBurst(Arbiter &arbiter, int64_t cycle);
  bool decideEarliest();
  bool enlargeFullFifo();

  void wake(int32_t id);
  void wakeWaiting(bool &waits, int32_t id);
  void noteSpan(int32_t id, Span::Kind kind, int64_t begin, int64_t end);
  void noteStall(int32_t id, Span::Kind kind, int64_t begin, int64_t end);
  Wait describeWait(int32_t id) const;
  std::vector<Wait> findWaits() const;
  std::vector<Wait> findWaitCycle(ArrayRef<Wait> waits) const;
  SimResult finish();

  static constexpr Stamp minStamp = std::numeric_limits<Stamp>::min() / 2;

  const SimOptions &options;
  /// Tasks whose next issue cannot come before this cycle are parked.
  int64_t horizon;
  std::vector<int32_t> parked;
  std::vector<int64_t> depths;
  TagTable tags;
  std::vector<Span> spans;
  Activity activity;
  Stamp lastEnd = 0;
  bool takesTooLong = false;
  std::optional<PeriodSkipper> skipper;
};

} // namespace

EngineState::EngineState(const Machine &machine, const std::vector<int64_t> &depths,
                         const SimOptions &options)
    : machine(machine), fifos(machine.fifos.size()), buffers(machine.buffers.size()) {
  for (size_t index = 0; index < fifos.size(); ++index) {
    int64_t depth = options.unbounded ? 0 : depths[index];
    fifos[index].initialise(depth, makeStamp(machine.getLatency(index, depth), 0), makeStamp(1, 0));
    fifos[index].writer = machine.fifos[index].writer;
    fifos[index].reader = machine.fifos[index].reader;
  }
  for (size_t index = 0; index < buffers.size(); ++index) {
    const BlockBuffer &buffer = machine.buffers[index];
    buffers[index].initialise(buffer.blocks, 0, 0);
    buffers[index].writer = buffer.writer;
    buffers[index].reader = buffer.reader;
  }
  for (const MemoryChannel &channel : machine.channels)
    arbiters.emplace_back(channel);
  for (const Way &way : machine.ways)
    arbiters[way.channel].addWay();
  wayOwner.resize(machine.ways.size(), -1);
  for (const Task &task : machine.tasks) {
    for (const Burst &burst : task.bursts)
      wayOwner[burst.way] = tasks.size();
    tasks.emplace_back(task, options.oneInFlight, fifos.data());
    tasks.back().ready = makeStamp(machine.entry, 0);
  }
}

Engine::Engine(const Machine &machine, const std::vector<int64_t> &depths,
               const SimOptions &options)
    : EngineState(machine, depths, options), options(options), horizon(options.quantum),
      depths(depths), activity(options.activityParts, machine.tasks.size()) {
  // Stalls are told one by one.
  if (!options.recordSpans && options.activityParts == 0)
    skipper.emplace(static_cast<EngineState &>(*this), options);
}

void Engine::wake(int32_t id) {
  if (tasks[id].queued)
    return;
  tasks[id].queued = true;
  worklist.push_back(id);
}

/// Who was noted to wait is woken, once: to be woken for nothing costs time and changes nothing.
void Engine::wakeWaiting(bool &waits, int32_t id) {
  if (std::exchange(waits, false))
    wake(id);
}

void Engine::block(TaskState &task, WaitKind kind, int32_t channel) {
  task.waitKind = kind;
  task.waitChannel = channel;
  if (kind == WaitKind::Memory)
    return;
  bool isBuffer = kind == WaitKind::FullBlock || kind == WaitKind::FreeBlock;
  Channel &waited = isBuffer ? buffers[channel] : fifos[channel];
  bool reads = kind == WaitKind::Token || kind == WaitKind::FullBlock;
  (reads ? waited.readerWaits : waited.writerWaits) = true;
}

void Engine::noteSpan(int32_t id, Span::Kind kind, int64_t begin, int64_t end) {
  if (options.recordSpans && end - begin >= options.minSpan && spans.size() < options.maxSpans)
    spans.push_back({id, kind, begin, end});
}

void Engine::noteStall(int32_t id, Span::Kind kind, int64_t begin, int64_t end) {
  activity.addStall(id, kind, begin, end);
  noteSpan(id, kind, begin, end);
}

//===----------------------------------------------------------------------===//
// Trips
//===----------------------------------------------------------------------===//

Engine::Outcome Engine::startTrip(int32_t id, TaskState &task) {
  Stamp start = task.ready;
  bool waitsToWrite = false;
  for (const Acquire &acquire : task.task->acquires) {
    if (task.trip % acquire.period != 0)
      continue;
    const Channel &buffer = buffers[acquire.buffer];
    if (!(acquire.writes ? buffer.hasSlot() : buffer.hasToken())) {
      block(task, acquire.writes ? WaitKind::FreeBlock : WaitKind::FullBlock, acquire.buffer);
      return Outcome::Blocked;
    }
    Stamp time = acquire.writes ? buffer.slotTime() : buffer.tokenTime();
    if (cycleOf(time) > cycleOf(start)) {
      start = time;
      waitsToWrite = acquire.writes;
    }
  }
  int64_t begin = cycleOf(start), waited = begin - cycleOf(task.ready);
  (waitsToWrite ? task.result.outputStall : task.result.inputStall) += waited;
  noteStall(id, waitsToWrite ? Span::Kind::OutputStall : Span::Kind::InputStall,
            cycleOf(task.ready), begin);
  bool beginsRound = task.trip % task.task->phases.size() == 0;
  if (!task.task->acquires.empty() && beginsRound)
    begin += machine.swap;
  task.nextTick = begin - task.issueDelta;
  task.lastTick = task.nextTick;
  task.issueTag = tagOf(start);
  task.enterPhase();
  task.cursor.startTrip(task.phase.tables);
  task.inTrip = true;
  return Outcome::Progress;
}

void Engine::endTrip(int32_t id, TaskState &task) {
  int32_t tag = task.lastIssueDelta == task.delta ? task.issueTag : task.freezeTag;
  int64_t begin = cycleOf(task.ready);
  task.ready = makeStamp(task.lastTick + task.phase.depth + task.delta, tag);
  task.passAllFreezes();
  task.inTrip = false;
  task.result.busy += task.getBusyOfTrip();
  ++task.trip;
  for (const Acquire &acquire : task.task->acquires) {
    if (task.trip % acquire.period != 0)
      continue;
    Channel &buffer = buffers[acquire.buffer];
    ++steps;
    if (acquire.writes) {
      buffer.write(task.ready);
      wakeWaiting(buffer.readerWaits, buffer.reader);
    } else {
      buffer.takeToken(task.ready);
      wakeWaiting(buffer.writerWaits, buffer.writer);
    }
  }
  noteSpan(id, Span::Kind::Trip, begin, cycleOf(task.ready));
  if (task.trip == task.task->trips) {
    task.done = true;
    task.result.end = cycleOf(task.ready);
    lastEnd = std::max(lastEnd, task.ready);
  }
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

/// The pipeline stands still at `tick` until `until`, for a slot of the FIFO `cause` or, without
/// one, for what its next iteration reads.
void Engine::standStill(int32_t id, TaskState &task, int64_t tick, Stamp until, int32_t cause) {
  int64_t begin = tick + task.delta, end = cycleOf(until);
  if (cause < 0) {
    noteInputStall(id, task, begin, end);
  } else {
    task.result.outputStall += end - begin;
    noteStall(id, Span::Kind::OutputStall, begin, end);
  }
  task.freeze(tick, end - tick, cause < 0 ? tagOf(until) : tags.with(tagOf(until), cause));
}

/// From `begin` to `end` the next iteration waits: for its tokens, then for the bursts that it asks
/// for.
void Engine::noteInputStall(int32_t id, TaskState &task, int64_t begin, int64_t end) {
  int64_t asked = end;
  if (task.nextBurst == task.iteration)
    asked = std::clamp(task.askedTick + task.issueDelta, begin, end);
  task.result.inputStall += asked - begin;
  task.result.memoryStall += end - asked;
  noteStall(id, Span::Kind::InputStall, begin, asked);
  noteStall(id, Span::Kind::MemoryStall, asked, end);
}

/// The next writes, all of one tick, happen together, not before `floor`.
Engine::Outcome Engine::commitWrites(int32_t id, TaskState &task, Stamp floor) {
  int64_t tick = task.nextWriteTick;
  Stamp due = makeStamp(tick + task.delta, 0), time = std::max(due, floor);
  int32_t cause = -1;
  if (!task.findWriteTime(time, cause)) {
    block(task, WaitKind::Slot, cause);
    return Outcome::Blocked;
  }
  if (cycleOf(time) > cycleOf(due))
    standStill(id, task, tick, time, cause);
  task.nextWriteTick = never;
  for (WriteStage &stage : task.stages) {
    if (stage.nextTick() == tick)
      writeStage(stage, makeStamp(cycleOf(time), task.freezeTag));
    task.nextWriteTick = std::min(task.nextWriteTick, stage.nextTick());
  }
  return Outcome::Progress;
}

/// A write is late by the last freeze since its iteration issued, or by what this waited for.
void Engine::writeStage(WriteStage &stage, Stamp frozen) {
  const PendingWrite &write = stage.front();
  Stamp time = cycleOf(write.due) == cycleOf(frozen) ? write.due : frozen;
  for (const Access &access : write.writes->accesses) {
    access.channel->write(time);
    wakeWaiting(access.channel->readerWaits, access.channel->reader);
  }
  steps += write.writes->accesses.size();
  stage.pop();
}

/// The earliest of the events that known times do not decide: writes of tasks that wait, and grants
/// of shared channels. False if there is none, or none before what parked tasks may do.
bool Engine::decideEarliest() {
  const int64_t most = parked.empty() ? never : horizon;
  int64_t earliest = most;
  std::vector<int32_t> first;
  for (const Arbiter &arbiter : arbiters)
    earliest = std::min(earliest, arbiter.nextGrant());
  for (int32_t id = 0, e = tasks.size(); id < e; ++id) {
    TaskState &task = tasks[id];
    if (!task.ambiguous)
      continue;
    if (task.nextWriteTick == never)
      continue;
    Stamp time = makeStamp(task.nextWriteTick + task.delta, 0);
    int32_t cause = -1;
    if (!task.findWriteTime(time, cause))
      continue;
    if (cycleOf(time) < earliest) {
      earliest = cycleOf(time);
      first.clear();
    }
    if (cycleOf(time) == earliest)
      first.push_back(id);
  }
  if (earliest == most)
    return false;
  for (int32_t id : first)
    commitWrites(id, tasks[id]);
  for (Arbiter &arbiter : arbiters)
    while (arbiter.nextGrant() == earliest)
      grantBurst(arbiter, earliest);
  return true;
}

//===----------------------------------------------------------------------===//
// External memory
//===----------------------------------------------------------------------===//

/// Asks for the bursts of the next iteration, in the first cycle in which its tick has come and its
/// tokens are there, even if the task is frozen then. All writes of ticks before are known.
void Engine::askForBursts(TaskState &task, Stamp tokens) {
  const std::vector<Burst> &bursts = task.task->bursts;
  Stamp time = makeStamp(task.nextTick + task.issueDelta, task.issueTag);
  for (const Freeze &freeze : task.freezes)
    if (freeze.tick < task.nextTick)
      time = makeStamp(task.nextTick + freeze.delta, freeze.tag);
  time = std::max(time, tokens);
  int64_t cycle = cycleOf(time);
  task.asked = 0;
  task.askedTick = cycle - task.issueDelta;
  task.granted = time;
  SmallVector<Arbiter *> alone;
  for (size_t next = task.burst; next < bursts.size() && bursts[next].iteration == task.iteration;
       ++next) {
    Arbiter &arbiter = arbiters[machine.ways[bursts[next].way].channel];
    arbiter.ask(bursts[next].way, cycle, bursts[next].bytes);
    ++task.asked;
    ++steps;
    if (arbiter.isAlone())
      alone.push_back(&arbiter);
  }
  for (Arbiter *arbiter : alone)
    grantBurst(*arbiter, arbiter->nextGrant());
}

void Engine::grantBurst(Arbiter &arbiter, int64_t cycle) {
  int32_t id = wayOwner[arbiter.grant(cycle)];
  TaskState &task = tasks[id];
  if (cycle > cycleOf(task.granted))
    task.granted = makeStamp(cycle, tagOf(task.granted));
  if (--task.asked == 0)
    wake(id);
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

/// The first issue of a task, all that it waited for before being known.
static void noteStart(TaskState &task, int64_t cycle) {
  if (std::exchange(task.started, true))
    return;
  task.result.start = cycle;
  task.result.startStall = task.result.inputStall;
}

/// Iterations without accesses, up to one that starts bursts, cost their interval and nothing else.
void Engine::skipIdleRun(TaskState &task) {
  int64_t count = std::min(task.cursor.remaining, task.nextBurst - task.iteration);
  noteStart(task, task.nextTick + task.issueDelta);
  task.iteration += count;
  task.nextTick += task.interval * count;
  task.payGaps(task.iteration - 1);
  task.lastTick = task.nextTick - task.interval;
  task.lastIssueDelta = task.issueDelta;
}

void Engine::issueAt(int32_t id, TaskState &task, int64_t tick) {
  const ClassAccesses &accesses = task.nextAccesses();
  int64_t cycle = tick + task.issueDelta;
  if (tick > task.nextTick)
    noteInputStall(id, task, task.nextTick + task.issueDelta, cycle);
  noteStart(task, cycle);
  if (task.nextBurst == task.iteration)
    task.passBursts();
  Stamp time = makeStamp(cycle, task.issueTag);
  for (const Access &access : accesses.reads) {
    access.channel->takeToken(time);
    wakeWaiting(access.channel->writerWaits, access.channel->writer);
  }
  steps += accesses.reads.size();
  for (const StageWrites &writes : accesses.writes)
    task.push(writes, tick, time);
  task.lastIssueDelta = task.issueDelta;
  task.lastTick = tick;
  task.nextTick = tick + task.interval;
  ++task.iteration;
}

/// stp: the pipeline stands still until the tokens are there, writes of this tick included.
Engine::Outcome Engine::issueOrFreeze(int32_t id, TaskState &task, Stamp tokens) {
  int64_t tick = task.nextTick;
  if (task.nextWriteTick == tick) {
    if (commitWrites(id, task, tokens) == Outcome::Blocked)
      return Outcome::Blocked;
  } else if (cycleOf(tokens) > tick + task.delta) {
    standStill(id, task, tick, tokens, -1);
  }
  task.issueTag = task.lastTag();
  task.passAllFreezes();
  issueAt(id, task, tick);
  return Outcome::Progress;
}

/// Raises `tokens` to the time when all tokens that an iteration takes are visible; else gives the
/// first whose time is unknown.
static const Access *findMissing(ArrayRef<Access> reads, Stamp &tokens) {
  for (const Access &read : reads) {
    if (!read.channel->hasToken(read.ahead))
      return &read;
    tokens = std::max(tokens, read.channel->tokenTime(read.ahead));
  }
  return nullptr;
}

/// The first tick at which `tokens` are visible to the next iteration of a pipeline that flushes.
/// Freezes that come before are passed.
int64_t Engine::reachTokens(TaskState &task, Stamp tokens) {
  int64_t tick, reached = task.nextTick;
  while (true) {
    tick = std::max(reached, cycleOf(tokens) - task.issueDelta);
    if (task.nextFreeze > tick)
      break;
    const Freeze &freeze = task.freezes.front();
    reached = std::max(reached, freeze.tick);
    if (task.askedTick > freeze.tick)
      task.askedTick = std::max(freeze.tick, task.askedTick + task.issueDelta - freeze.delta);
    task.issueDelta = freeze.delta;
    task.issueTag = freeze.tag;
    task.passFreeze();
  }
  if (tick > reached)
    task.issueTag = tagOf(tokens);
  return tick;
}

/// The next iteration waits for a token or its bursts. Writes in flight that come before any of its
/// own go on, and should they wait for a slot, the task waits for both.
Engine::Outcome Engine::waitToIssue(int32_t id, TaskState &task, WaitKind kind, int32_t channel) {
  block(task, kind, channel);
  if (task.freezesOnEmpty)
    return Outcome::Blocked;
  if (task.writesFirst())
    return commitWrites(id, task);
  task.ambiguous = task.nextWriteTick < never;
  return Outcome::Blocked;
}

/// One step of a running trip: writes that are due, or the issue of one iteration.
Engine::Outcome Engine::issueNext(int32_t id, TaskState &task) {
  task.payGaps(task.iteration);
  const ClassAccesses &accesses = task.nextAccesses();
  bool bursts = task.nextBurst == task.iteration;
  bool freezes = task.freezesOnEmpty && (bursts || !accesses.reads.empty());
  bool asks = bursts && task.asked < 0;
  if (task.nextWriteTick < task.nextTick ||
      (task.nextWriteTick == task.nextTick && !freezes && !asks))
    return commitWrites(id, task);

  Stamp tokens = minStamp;
  if (const Access *missing = findMissing(accesses.reads, tokens))
    return waitToIssue(id, task, WaitKind::Token, missing->fifo);
  if (asks) {
    askForBursts(task, tokens);
    return Outcome::Progress;
  }
  if (bursts && task.asked > 0)
    return waitToIssue(id, task, WaitKind::Memory, -1);
  if (bursts)
    tokens = std::max(tokens, task.granted);
  if (freezes)
    return issueOrFreeze(id, task, tokens);
  int64_t tick = reachTokens(task, tokens);
  if (task.nextWriteTick <= tick)
    return commitWrites(id, task);
  issueAt(id, task, tick);
  return Outcome::Progress;
}

/// The same for plain iterations of one run, up to `end` or until one has to wait: most of a
/// simulation's time.
Engine::Outcome Engine::issuePlain(int32_t id, TaskState &task, int64_t end) {
  const ClassAccesses &accesses = task.nextAccesses();
  while (task.iteration < end) {
    if (isBehindHorizon(task))
      return park(id, task);
    if (task.nextWriteTick > task.nextTick) {
      Stamp tokens = minStamp;
      if (const Access *missing = findMissing(accesses.reads, tokens)) {
        do
          if (waitToIssue(id, task, WaitKind::Token, missing->fifo) == Outcome::Blocked)
            return Outcome::Blocked;
        while (!missing->channel->hasToken(missing->ahead));
        continue;
      }
      if (int64_t tick = reachTokens(task, tokens); tick < task.nextWriteTick) {
        issueAt(id, task, tick);
        continue;
      }
    }
    if (commitWrites(id, task) == Outcome::Blocked)
      return Outcome::Blocked;
  }
  return Outcome::Progress;
}

/// What comes next in a running trip.
Engine::Outcome Engine::continueRun(int32_t id, TaskState &task) {
  if (task.nextAccesses().isIdle() && task.nextBurst > task.iteration) {
    skipIdleRun(task);
    return Outcome::Progress;
  }
  if (isBehindHorizon(task))
    return park(id, task);
  int64_t end = task.getPlainEnd();
  if (task.isLandmark)
    end = std::min(end, PeriodSkipper::getNextPlace(task));
  return task.iteration < end ? issuePlain(id, task, end) : issueNext(id, task);
}

Engine::Outcome Engine::step(int32_t id, TaskState &task) {
  if (!task.inTrip)
    return isBehindHorizon(task) ? park(id, task) : startTrip(id, task);
  if (task.cursor.fetch()) {
    if (task.isLandmark)
      skipper->notePlace(id, horizon);
    int64_t first = task.iteration;
    Outcome outcome = continueRun(id, task);
    task.cursor.remaining -= task.iteration - first;
    return outcome;
  }
  if (task.nextWriteTick < never)
    return commitWrites(id, task);
  endTrip(id, task);
  return Outcome::Progress;
}

void Engine::advance(int32_t id) {
  TaskState &task = tasks[id];
  task.ambiguous = false;
  while (!task.done && step(id, task) != Outcome::Blocked) {
  }
}

//===----------------------------------------------------------------------===//
// The horizon
//===----------------------------------------------------------------------===//

/// The next issue is behind the horizon. It waits for writes that come before it; where a pipeline
/// flushes, those that come before any of its own go on too.
Engine::Outcome Engine::park(int32_t id, TaskState &task) {
  bool comeBefore = task.nextWriteTick < task.nextTick;
  bool goOn = comeBefore || (!task.freezesOnEmpty && task.writesFirst());
  if (goOn && commitWrites(id, task) == Outcome::Progress)
    return Outcome::Progress;
  if (!comeBefore && !std::exchange(task.parked, true))
    parked.push_back(id);
  return Outcome::Blocked;
}

/// Nobody can run before it rises.
void Engine::raiseHorizon() {
  int64_t first = never;
  for (int32_t id : parked)
    first = std::min(first, tasks[id].getNextIssue());
  int64_t next = std::max(horizon, first) + options.quantum;
  if (skipper)
    next = std::min(next, skipper->getNextLook());
  horizon = std::max(horizon, next);
  llvm::erase_if(parked, [&](int32_t id) {
    if (isBehindHorizon(tasks[id]))
      return false;
    tasks[id].parked = false;
    wake(id);
    return true;
  });
}

/// At the horizon: passes periods if the run repeats. Who waited for those that went on may go on.
bool Engine::passPeriods() {
  if (!skipper || !skipper->look(horizon))
    return false;
  for (int32_t id = 0, e = tasks.size(); id < e; ++id)
    if (!tasks[id].done && !tasks[id].parked)
      wake(id);
  return true;
}

//===----------------------------------------------------------------------===//
// The whole machine
//===----------------------------------------------------------------------===//

Wait Engine::describeWait(int32_t id) const {
  const TaskState &task = tasks[id];
  WaitKind kind = task.waitKind;
  int32_t index = task.waitChannel;
  // Should no token come, it stands still for the slot of a write in flight.
  Stamp time = minStamp;
  int32_t full = -1;
  if (task.ambiguous && task.nextWriteTick < never && !task.findWriteTime(time, full)) {
    kind = WaitKind::Slot;
    index = full;
  }
  bool isBuffer = kind == WaitKind::FullBlock || kind == WaitKind::FreeBlock;
  const Channel &channel = isBuffer ? buffers[index] : fifos[index];
  bool reads = kind == WaitKind::Token || kind == WaitKind::FullBlock;
  return {id, reads ? channel.writer : channel.reader, kind, index, channel.written - channel.read};
}

std::vector<Wait> Engine::findWaits() const {
  std::vector<Wait> waits;
  for (int32_t id = 0, e = tasks.size(); id < e; ++id)
    if (!tasks[id].done)
      waits.push_back(describeWait(id));
  return waits;
}

/// Follows who waits for whom until a task comes up again; empty if one has ended.
std::vector<Wait> Engine::findWaitCycle(ArrayRef<Wait> waits) const {
  if (waits.empty())
    return {};
  std::vector<int32_t> place(tasks.size(), -1);
  std::vector<Wait> path;
  for (int32_t id = waits.front().task; place[id] < 0; id = path.back().peer) {
    if (tasks[id].done)
      return {};
    place[id] = path.size();
    path.push_back(describeWait(id));
  }
  std::vector<Wait> cycle(path.begin() + place[path.back().peer], path.end());
  auto full = llvm::find_if(cycle, [](const Wait &wait) {
    return wait.kind == WaitKind::Slot || wait.kind == WaitKind::FreeBlock;
  });
  std::rotate(cycle.begin(), full, cycle.end()); // what can be enlarged first
  return cycle;
}

bool Engine::enlargeFullFifo() {
  if (options.ceilings.empty())
    return false;
  int32_t best = -1;
  for (const Wait &wait : findWaitCycle(findWaits()))
    if (wait.kind == WaitKind::Slot && depths[wait.channel] < options.ceilings[wait.channel] &&
        (best < 0 || machine.getTraffic(wait.channel) < machine.getTraffic(best)))
      best = wait.channel;
  if (best < 0)
    return false;
  depths[best] = std::min(2 * depths[best], options.ceilings[best]);
  fifos[best].enlarge(depths[best], makeStamp(machine.getLatency(best, depths[best]), 0));
  wake(machine.fifos[best].writer);
  if (skipper)
    skipper->forget();
  return true;
}

SimResult Engine::finish() {
  SimResult result;
  result.steps = steps;
  for (TaskState &task : tasks) {
    task.result.iterations = task.iteration;
    if (task.inTrip)
      task.result.busy += task.getBusyOfTrip();
    result.tasks.push_back(task.result);
    if (!task.done)
      result.status = SimResult::Status::Deadlock;
  }
  if (steps > options.maxSteps)
    result.status = SimResult::Status::StepLimit;
  if (takesTooLong || cycleOf(lastEnd) > options.maxCycles)
    result.status = SimResult::Status::CycleLimit;
  if (result.status == SimResult::Status::Deadlock) {
    result.waits = findWaits();
    result.waitCycle = findWaitCycle(result.waits);
  }
  result.depths = depths;
  result.skippedPeriods = skipper ? skipper->getPeriods() : 0;
  for (const Channel &fifo : fifos)
    result.fifos.push_back({fifo.written, fifo.getHighWater()});
  for (const Arbiter &arbiter : arbiters)
    result.channels.push_back({arbiter.getBytes(), arbiter.getBusy()});
  result.cycles = cycleOf(lastEnd);
  result.criticalFifos = tags.getSet(tagOf(lastEnd));
  result.spans = std::move(spans);
  result.activity = activity.take(result.cycles);
  result.partCycles = activity.getPartCycles();
  return result;
}

SimResult Engine::run() {
  for (int32_t id = tasks.size(); id-- > 0;)
    wake(id);
  while (steps <= options.maxSteps) {
    if (worklist.empty()) {
      if (decideEarliest() || passPeriods())
        continue;
      if (!parked.empty())
        raiseHorizon();
      else if (!enlargeFullFifo())
        break;
      continue;
    }
    int32_t id = worklist.back();
    worklist.pop_back();
    tasks[id].queued = false;
    advance(id);
    if (tasks[id].getLastIssue() > options.maxCycles) {
      takesTooLong = true;
      break;
    }
  }
  return finish();
}

SimResult simulate(const Machine &machine, const std::vector<int64_t> &depths,
                   const SimOptions &options) {
  return Engine(machine, depths, options).run();
}

SimResult simulate(const Machine &machine, const SimOptions &options) {
  std::vector<int64_t> depths;
  for (const Fifo &fifo : machine.fifos)
    depths.push_back(fifo.depth);
  return simulate(machine, depths, options);
}

} // namespace streamtensor::sim
