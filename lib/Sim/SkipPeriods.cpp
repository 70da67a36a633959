//===- SkipPeriods.cpp - Steady stretches of a run in closed form ---------===//

#include "SkipPeriods.h"

#include <map>

using namespace llvm;

namespace streamtensor::sim {

//===----------------------------------------------------------------------===//
// What is compared, and what grows
//===----------------------------------------------------------------------===//

namespace {

using Code = SmallVector<int64_t, 64>;

constexpr int64_t numbersPerMark = 16;

/// Of a FIFO. With more on their way a run is not looked at.
constexpr int64_t mostTimes = 16384;

/// Tokens that a writer passes ahead of its reader into a FIFO without bound.
constexpr int64_t mostAhead = 65536;

/// Of a task, what may be more after a period.
struct TaskMark {
  explicit TaskMark(const TaskState &task)
      : iteration(task.iteration), trip(task.trip), firstOfTrip(task.firstOfTrip),
        table(task.cursor.getTable()), tablesLeft(task.cursor.getTablesLeft()),
        remaining(task.cursor.remaining), gap(task.gap), burst(task.burst), nextGap(task.nextGap),
        nextBurst(task.nextBurst), tick(task.nextTick), delta(task.issueDelta),
        base(task.getNextIssue()), writeBase(task.getNextWrite()), busy(task.result.busy),
        inputStall(task.result.inputStall), outputStall(task.result.outputStall),
        memoryStall(task.result.memoryStall) {}

  bool isAt(const TaskMark &other) const {
    return iteration == other.iteration && trip == other.trip;
  }

  int64_t iteration, trip, firstOfTrip;
  int64_t table, tablesLeft, remaining;
  int64_t gap, burst, nextGap, nextBurst;
  int64_t tick, delta;
  int64_t base, writeBase; ///< No issue, or write, comes before.
  int64_t busy, inputStall, outputStall, memoryStall;
};

/// Of a FIFO or a buffer. What comes before the first late token or slot delays nobody.
struct ChannelMark {
  ChannelMark(const Channel &channel, const std::vector<TaskMark> &tasks)
      : written(channel.written), read(channel.read), highWater(channel.getHighWater()),
        hasHighestMark(channel.hasHighestMark()),
        lateToken(channel.findToken(tasks[channel.reader].base)),
        lateSlot(channel.findSlot(tasks[channel.writer].writeBase)) {}

  int64_t written, read, highWater;
  bool hasHighestMark;
  int64_t lateToken, lateSlot;
};

} // namespace

static void addStamp(Code &code, Stamp stamp, int64_t base) {
  code.push_back(stamp - makeStamp(base, 0));
}

/// What a task is, with times from its next issue on.
static void encode(const TaskState &task, Code &code) {
  code.assign({task.inTrip, task.done, task.started,
               static_cast<int64_t>(task.trip % task.task->phases.size())});
  for (const Acquire &acquire : task.task->acquires)
    code.push_back(task.trip % acquire.period);
  if (!task.inTrip) {
    code.push_back(tagOf(task.ready));
    return;
  }
  llvm::append_values(code, task.cursor.getTableNumber(), task.cursor.getRunsLeft(),
                      task.cursor.accessClass, task.issueTag, task.freezeTag,
                      task.delta - task.issueDelta, task.lastTick - task.nextTick,
                      task.lastIssueDelta - task.issueDelta, task.asked);
  if (task.asked >= 0) {
    code.push_back(task.askedTick - task.nextTick);
    addStamp(code, task.granted, task.getNextIssue());
  }
  code.push_back(task.freezes.size());
  for (const Freeze &freeze : task.freezes)
    llvm::append_values(code, freeze.tick - task.nextTick, freeze.delta - task.issueDelta,
                        freeze.tag);
  for (const WriteStage &stage : task.stages) {
    code.push_back(stage.getNumPending());
    for (int64_t number = 0; number < stage.getNumPending(); ++number) {
      const PendingWrite &write = stage.getPending(number);
      code.push_back(write.tick - task.nextTick);
      addStamp(code, write.due, task.getNextIssue());
      code.push_back(reinterpret_cast<intptr_t>(write.writes));
    }
  }
}

/// Tokens of a FIFO whose time can still delay its reader; false if they are too many to compare.
static bool encodeTokens(const Channel &channel, const ChannelMark &mark,
                         const std::vector<TaskMark> &tasks, Code &code) {
  code.assign({channel.written - channel.read, channel.written - mark.lateToken});
  if (channel.written - mark.lateToken > mostTimes)
    return false;
  for (int64_t position = mark.lateToken; position < channel.written; ++position)
    addStamp(code, channel.getTime(position), tasks[channel.reader].base);
  return true;
}

/// The same of slots and its writer.
static bool encodeSlots(const Channel &channel, const ChannelMark &mark,
                        const std::vector<TaskMark> &tasks, Code &code) {
  code.assign({channel.read - mark.lateSlot});
  if (channel.read - mark.lateSlot > mostTimes)
    return false;
  for (int64_t position = mark.lateSlot; position < channel.read; ++position)
    addStamp(code, channel.getTime(position), tasks[channel.writer].writeBase);
  return true;
}

static void encode(const Arbiter &arbiter, ArrayRef<int32_t> wayOwner,
                   const std::vector<TaskMark> &tasks, Code &code) {
  code.assign({arbiter.getLast()});
  for (const auto &[way, request] : arbiter.getRequests())
    llvm::append_values(code, way, request.cycle - tasks[wayOwner[way]].base, request.bytes);
}

namespace {

/// Codes one behind the other.
class CodeList {
public:
  void add(const Code &code) {
    llvm::append_range(all, code);
    ends.push_back(all.size());
  }
  size_t size() const { return all.size(); }
  ArrayRef<int64_t> operator[](size_t number) const {
    size_t begin = number == 0 ? 0 : ends[number - 1];
    return ArrayRef(all).slice(begin, ends[number] - begin);
  }

private:
  std::vector<int64_t> all;
  std::vector<size_t> ends;
};

} // namespace

struct PeriodSkipper::Snapshot {
  Snapshot(const EngineState &state, ArrayRef<Flow> flows);

  std::vector<TaskMark> tasks;
  std::vector<ChannelMark> channels; ///< Of each flow.
  std::vector<int64_t> arbiterBytes;
  /// Until each is free, for the owner of each way of it.
  std::vector<std::vector<std::pair<int32_t, int64_t>>> arbiterWaits;
  CodeList taskCodes, arbiterCodes, tokens, slots;
  int64_t steps;

  int64_t getSize() const {
    return (tasks.size() + channels.size()) * numbersPerMark + taskCodes.size() +
           arbiterCodes.size() + tokens.size() + slots.size();
  }
};

static std::vector<TaskMark> getMarks(const std::vector<TaskState> &tasks) {
  return std::vector<TaskMark>(tasks.begin(), tasks.end());
}

/// Of each channel, until it is free for the owners of its ways.
static std::vector<std::vector<std::pair<int32_t, int64_t>>>
getWaits(const EngineState &state, const std::vector<TaskMark> &tasks) {
  std::vector<std::vector<std::pair<int32_t, int64_t>>> waits(state.arbiters.size());
  for (auto [way, owner] : llvm::enumerate(state.wayOwner))
    if (int32_t channel = state.machine.ways[way].channel; owner >= 0)
      waits[channel].emplace_back(owner, state.arbiters[channel].getWait(tasks[owner].base));
  return waits;
}

PeriodSkipper::Snapshot::Snapshot(const EngineState &state, ArrayRef<Flow> flows)
    : tasks(getMarks(state.tasks)), arbiterWaits(getWaits(state, tasks)), steps(state.steps) {
  Code code;
  for (const TaskState &task : state.tasks) {
    encode(task, code);
    taskCodes.add(code);
  }
  for (const Flow &flow : flows) {
    const ChannelMark &mark = channels.emplace_back(*flow.channel, tasks);
    encodeTokens(*flow.channel, mark, tasks, code);
    tokens.add(code);
    encodeSlots(*flow.channel, mark, tasks, code);
    slots.add(code);
  }
  for (const Arbiter &arbiter : state.arbiters) {
    arbiterBytes.push_back(arbiter.getBytes());
    encode(arbiter, state.wayOwner, tasks, code);
    arbiterCodes.add(code);
  }
}

//===----------------------------------------------------------------------===//
// How often it repeats
//===----------------------------------------------------------------------===//

static bool follows(const BurstGap &entry, const BurstGap &before, int64_t iterations) {
  return entry.iteration - before.iteration == iterations && entry.cycles == before.cycles;
}
static bool follows(const Burst &entry, const Burst &before, int64_t iterations) {
  return entry.iteration - before.iteration == iterations && entry.way == before.way &&
         entry.bytes == before.bytes;
}

/// How often entries of a list by iterations come again as they did last, `entries` in a period of
/// `iterations`; at most `most`. Those of the next iteration that has some come again too: they may
/// be asked for. `next` is the iteration of the next entry.
template <typename Entry>
static int64_t countPeriods(const std::vector<Entry> &list, int64_t place, int64_t entries,
                            int64_t iterations, int64_t iteration, int64_t next, int64_t most) {
  if (entries == 0)
    return iterations == 0 ? most : std::min(most, (next - iteration - 1) / iterations);
  const int64_t size = list.size();
  int64_t ofNext = 1;
  while (place + ofNext < size && list[place + ofNext].iteration == next)
    ++ofNext;
  int64_t following = -ofNext; // of the entries before the next ones of the last period
  for (int64_t number = place; number < size && following / entries < most; ++number, ++following)
    if (!follows(list[number], list[number - entries], iterations))
      break;
  return std::max<int64_t>(following / entries, 0);
}

/// How many periods like the last one a task may pass; 0 if this was none.
static int64_t countPeriods(const TaskState &task, const TaskMark &before, const TaskMark &now,
                            int64_t most) {
  int64_t iterations = now.iteration - before.iteration, trips = now.trip - before.trip;
  int64_t tables = now.table - before.table;
  if (trips > 0)
    most = std::min(most, (task.task->trips - 1 - now.trip) / trips);
  if (trips > 0 ? now.firstOfTrip - before.firstOfTrip != iterations ||
                      now.tablesLeft != before.tablesLeft
                : now.firstOfTrip != before.firstOfTrip)
    return 0;
  if (tables == 0) { // inside one run
    if (before.remaining - now.remaining != iterations)
      return 0;
    // Behind its last iteration a task waits for nothing.
    if (iterations > 0)
      most = std::min(most, (now.remaining - 1) / iterations);
  } else {
    if (before.remaining != now.remaining)
      return 0;
    if (trips == 0)
      most = std::min(most, now.tablesLeft / tables);
    most = std::min(most, task.cursor.countRepeated(tables, most * tables) / tables);
  }
  bool samePlaces = (now.gap == before.gap || now.nextGap - before.nextGap == iterations) &&
                    (now.burst == before.burst || now.nextBurst - before.nextBurst == iterations);
  if (!samePlaces)
    return 0;
  most = countPeriods(task.task->gaps, now.gap, now.gap - before.gap, iterations, now.iteration,
                      now.nextGap, most);
  return countPeriods(task.task->bursts, now.burst, now.burst - before.burst, iterations,
                      now.iteration, now.nextBurst, most);
}

namespace {

/// What happened in a period to a FIFO or a buffer, at those of its ends that repeat it; the other
/// one does nothing until they have passed it.
struct FlowPeriod {
  FlowPeriod(const Channel &channel, int64_t held, const ChannelMark &before,
             const ChannelMark &now, bool writes, bool reads)
      : channel(channel), before(before), now(now), held(held),
        writes(writes ? now.written - before.written : 0),
        reads(reads ? now.read - before.read : 0) {}

  /// How often a writer without its reader may repeat it, or the other way round, which must delay
  /// nobody; at most `most`. A buffer has one more block that is held at either end, from the time
  /// when it is acquired.
  int64_t countWriterAlone(int64_t most) const;
  int64_t countReaderAlone(int64_t readerBase, int64_t period, int64_t most) const;
  /// The same for both, where the FIFO fills up or drains.
  int64_t countOfBoth(int64_t readerBase, int64_t period, int64_t most) const;

  const Channel &channel;
  const ChannelMark &before, &now;
  const int64_t held, writes, reads;
};

} // namespace

/// In the last period it waited for no slot, and finds that many more without waiting.
int64_t FlowPeriod::countWriterAlone(int64_t most) const {
  if (writes == 0)
    return most;
  bool wasFree = now.written + held - channel.depth <= before.lateSlot;
  bool isKnown = now.written - writes >= now.read;
  if (!wasFree || !isKnown)
    return 0;
  // Tokens that nobody has read take memory.
  int64_t slots = channel.depth == Channel::unbounded
                      ? mostAhead - (now.written - now.read)
                      : now.lateSlot + channel.depth - now.written - held;
  return std::clamp<int64_t>(slots / writes, 0, most);
}

/// In the last period it waited for no token, and finds that many more without waiting.
int64_t FlowPeriod::countReaderAlone(int64_t readerBase, int64_t period, int64_t most) const {
  if (reads == 0)
    return most;
  bool wasVisible = now.read + held <= before.lateToken;
  bool isKnown = now.read - reads >= channel.getOldest();
  if (!wasVisible || !isKnown)
    return 0;
  most = std::clamp<int64_t>((now.written - now.read - held) / reads, 0, most);
  for (int64_t number = 0; number < most; ++number) {
    Stamp last = channel.getTime(now.read + (number + 1) * reads - 1 + held);
    if (cycleOf(last) + channel.getLatency() >= readerBase + number * period)
      return number;
  }
  return most;
}

int64_t FlowPeriod::countOfBoth(int64_t readerBase, int64_t period, int64_t most) const {
  if (!channel.hasHighestMark()) {
    // Slots in use at a read grow as tokens do, if all are written by then; those of a read that
    // comes later than the writer grow with each of its tokens.
    int64_t growth = writes - reads, expected = reads > 0 ? std::max<int64_t>(growth, 0) : 0;
    bool isCounted = reads > 0 ? before.lateToken == before.written && now.lateToken == now.written
                               : now.lateSlot == now.read;
    if (!isCounted || now.highWater - before.highWater != expected)
      return 0;
  }
  if (channel.readerWaits || channel.writerWaits)
    return 0;
  return countReaderAlone(readerBase, period, countWriterAlone(most));
}

/// Passes periods of a task, and what it counts in them.
static void passPeriods(TaskState &task, const TaskMark &was, const TaskMark &now,
                        int64_t periods) {
  int64_t iterations = now.iteration - was.iteration;
  task.postpone(periods * (now.tick - was.tick), periods * (now.delta - was.delta),
                makeStamp(periods * (now.base - was.base), 0));
  int64_t tables = now.table - was.table;
  task.cursor.pass(periods * tables, periods * (tables + now.tablesLeft - was.tablesLeft),
                   tables == 0 ? periods * iterations : 0);
  task.passIterations(periods * iterations, periods * (now.trip - was.trip),
                      periods * (now.gap - was.gap), periods * (now.burst - was.burst));
  task.result.busy += periods * (now.busy - was.busy);
  task.result.inputStall += periods * (now.inputStall - was.inputStall);
  task.result.outputStall += periods * (now.outputStall - was.outputStall);
  task.result.memoryStall += periods * (now.memoryStall - was.memoryStall);
}

//===----------------------------------------------------------------------===//
// The part that repeats
//===----------------------------------------------------------------------===//

/// The tasks that have done since `before` what they will do again, all in the same time, and that
/// nobody else can delay.
class PeriodSkipper::Repetition {
public:
  Repetition(EngineState &state, ArrayRef<Flow> flows, const Snapshot &before)
      : state(state), flows(flows), before(before) {}

  /// How often they will, with the task `landmark` among them; 0 if it is not.
  int64_t count(int32_t landmark);
  void pass(int64_t periods);
  /// Numbers that were compared.
  int64_t getLooked() const { return looked; }

private:
  bool isEqual(const Code &code, ArrayRef<int64_t> was) {
    looked += code.size();
    return ArrayRef(code) == was;
  }
  bool repeats(int32_t id);
  bool isAsBefore(size_t number);
  FlowPeriod getFlow(size_t number, bool writes, bool reads) const;
  int64_t countOfFlow(size_t number, bool writes, bool reads, int64_t most);
  bool isFree(size_t number, bool writes, bool reads) {
    return countOfFlow(number, writes, reads, /*most=*/1) > 0;
  }
  bool leaveOutByFlow(size_t number, int32_t landmark);
  bool areOthersStill() const;
  bool leaveOutByArbiter(size_t number, bool othersAreStill);
  bool leaveOutOthers(int32_t landmark);
  int64_t countSteps() const;
  bool writes(const Flow &flow) const { return goesOn[flow.channel->writer]; }
  bool reads(const Flow &flow) const { return goesOn[flow.channel->reader]; }

  EngineState &state;
  ArrayRef<Flow> flows;
  const Snapshot &before;
  std::vector<TaskMark> marks;
  std::vector<ChannelMark> channelMarks;
  std::vector<std::vector<std::pair<int32_t, int64_t>>> waits; ///< Of channels of memory.
  std::vector<bool> goesOn;                                    ///< Tasks that repeat the period.
  std::vector<std::optional<bool>> areAsBefore;                ///< Of flows.
  int64_t period = 0, looked = 0;
  Code code;
};

/// Will a task repeat the period if only it itself counts?
bool PeriodSkipper::Repetition::repeats(int32_t id) {
  const TaskMark &was = before.tasks[id], &now = marks[id];
  const TaskState &task = state.tasks[id];
  looked += numbersPerMark;
  if (now.isAt(was) || now.base - was.base != period)
    return false;
  encode(task, code);
  return isEqual(code, before.taskCodes[id]) && countPeriods(task, was, now, /*most=*/1) > 0;
}

/// Has a FIFO as many tokens and slots on their way as before, and are they as late?
bool PeriodSkipper::Repetition::isAsBefore(size_t number) {
  std::optional<bool> &known = areAsBefore[number];
  if (known)
    return *known;
  const Channel &channel = *flows[number].channel;
  const ChannelMark &was = before.channels[number], &now = channelMarks[number];
  known = now.highWater == was.highWater && now.hasHighestMark == was.hasHighestMark &&
          encodeTokens(channel, now, marks, code) && isEqual(code, before.tokens[number]) &&
          encodeSlots(channel, now, marks, code) && isEqual(code, before.slots[number]);
  return *known;
}

FlowPeriod PeriodSkipper::Repetition::getFlow(size_t number, bool writes, bool reads) const {
  return FlowPeriod(*flows[number].channel, flows[number].held, before.channels[number],
                    channelMarks[number], writes, reads);
}

/// How often those ends of a FIFO or a buffer that repeat the period do so without being delayed.
int64_t PeriodSkipper::Repetition::countOfFlow(size_t number, bool writes, bool reads,
                                               int64_t most) {
  FlowPeriod flow = getFlow(number, writes, reads);
  int64_t base = marks[flow.channel.reader].base;
  if (writes && reads && flow.writes == flow.reads)
    return isAsBefore(number) ? most : 0;
  if (writes && reads)
    return flow.countOfBoth(base, period, most);
  return writes ? flow.countWriterAlone(most) : flow.countReaderAlone(base, period, most);
}

/// Leaves out who may be delayed at a FIFO or a buffer; false if nobody may.
bool PeriodSkipper::Repetition::leaveOutByFlow(size_t number, int32_t landmark) {
  const Flow &flow = flows[number];
  int32_t writer = flow.channel->writer, reader = flow.channel->reader;
  ++looked;
  if ((!writes(flow) && !reads(flow)) || isFree(number, writes(flow), reads(flow)))
    return false;
  bool isBoth = writes(flow) && reads(flow);
  bool isWriterFree = isBoth && reader != landmark && isFree(number, true, false);
  bool isReaderFree = isBoth && !isWriterFree && writer != landmark && isFree(number, false, true);
  if (!isWriterFree)
    goesOn[writer] = false;
  if (!isReaderFree)
    goesOn[reader] = false;
  return true;
}

/// Do all others stay as they are until those that repeat the period have passed it?
bool PeriodSkipper::Repetition::areOthersStill() const {
  for (auto [id, task] : llvm::enumerate(state.tasks)) {
    Stamp time = 0;
    int32_t cause;
    bool mayWrite = task.ambiguous && task.nextWriteTick < never && task.findWriteTime(time, cause);
    bool mayGoOn = !task.done && (task.parked || task.asked > 0 || mayWrite);
    if (!goesOn[id] && (mayGoOn || !marks[id].isAt(before.tasks[id])))
      return false;
  }
  for (auto [number, flow] : llvm::enumerate(flows)) {
    FlowPeriod passed = getFlow(number, writes(flow), reads(flow));
    bool isWaitedFor = flow.channel->readerWaits || flow.channel->writerWaits;
    if (writes(flow) != reads(flow) && passed.writes + passed.reads > 0 && isWaitedFor)
      return false;
  }
  return true;
}

/// Leaves out who may be delayed at a channel of memory: all that ask, where another may.
bool PeriodSkipper::Repetition::leaveOutByArbiter(size_t number, bool othersAreStill) {
  const Arbiter &arbiter = state.arbiters[number];
  if (arbiter.getBytes() == before.arbiterBytes[number])
    return false;
  encode(arbiter, state.wayOwner, marks, code);
  bool areAlike = isEqual(code, before.arbiterCodes[number]), isAny = false;
  for (auto [now, was] : llvm::zip_equal(waits[number], before.arbiterWaits[number])) {
    int32_t owner = now.first;
    bool wasDone = state.tasks[owner].done && marks[owner].isAt(before.tasks[owner]);
    isAny |= goesOn[owner];
    areAlike &= goesOn[owner] ? now == was : wasDone || othersAreStill;
  }
  if (!isAny || areAlike)
    return false;
  for (auto [owner, wait] : waits[number])
    goesOn[owner] = false;
  return true;
}

bool PeriodSkipper::Repetition::leaveOutOthers(int32_t landmark) {
  bool isAny = false;
  for (size_t number = 0; number < flows.size(); ++number)
    isAny |= leaveOutByFlow(number, landmark);
  if (isAny)
    return true;
  bool othersAreStill = areOthersStill();
  for (size_t number = 0; number < state.arbiters.size(); ++number)
    isAny |= leaveOutByArbiter(number, othersAreStill);
  return isAny;
}

int64_t PeriodSkipper::Repetition::count(int32_t landmark) {
  marks = getMarks(state.tasks);
  period = marks[landmark].base - before.tasks[landmark].base;
  // Most states are told apart by that.
  if (period <= 0 || !repeats(landmark))
    return 0;
  for (size_t id = 0; id < marks.size(); ++id)
    goesOn.push_back(repeats(id));
  for (const Flow &flow : flows)
    channelMarks.emplace_back(*flow.channel, marks);
  looked += flows.size() * numbersPerMark;
  areAsBefore.resize(flows.size());
  waits = getWaits(state, marks);
  while (leaveOutOthers(landmark))
    if (!goesOn[landmark])
      return 0;

  int64_t periods = std::numeric_limits<int64_t>::max(), moved = 0;
  for (auto [number, flow] : llvm::enumerate(flows))
    if (writes(flow) || reads(flow)) {
      periods = countOfFlow(number, writes(flow), reads(flow), periods);
      moved += flow.channel->getRingSize();
    }
  for (size_t id = 0; id < marks.size(); ++id)
    if (goesOn[id])
      periods = countPeriods(state.tasks[id], before.tasks[id], marks[id], periods);
  looked += periods;
  return moved > periods * countSteps() ? 0 : periods;
}

/// Accesses of a period.
int64_t PeriodSkipper::Repetition::countSteps() const {
  int64_t steps = 0;
  for (auto [number, flow] : llvm::enumerate(flows)) {
    FlowPeriod passed = getFlow(number, writes(flow), reads(flow));
    steps += passed.writes + passed.reads;
  }
  for (auto [id, task] : llvm::enumerate(marks))
    steps += goesOn[id] ? task.burst - before.tasks[id].burst : 0;
  return steps;
}

void PeriodSkipper::Repetition::pass(int64_t periods) {
  state.steps += periods * countSteps();
  for (auto [id, task] : llvm::enumerate(state.tasks))
    if (goesOn[id])
      passPeriods(task, before.tasks[id], marks[id], periods);
  for (auto [number, flow] : llvm::enumerate(flows)) {
    FlowPeriod passed = getFlow(number, writes(flow), reads(flow));
    flow.channel->pass(periods, passed.writes, passed.reads, makeStamp(period, 0));
  }
  for (auto [number, arbiter] : llvm::enumerate(state.arbiters))
    if (llvm::any_of(waits[number], [&](auto &wait) { return goesOn[wait.first]; }))
      arbiter.pass(periods * period, periods * (arbiter.getBytes() - before.arbiterBytes[number]));
}

//===----------------------------------------------------------------------===//
// Landmarks
//===----------------------------------------------------------------------===//

PeriodSkipper::PeriodSkipper(EngineState &state, const SimOptions &options)
    : state(state), stepsPerNumber(options.stepsPerNumber), quantum(options.quantum),
      landmarks(state.tasks.size()) {
  for (Channel &fifo : state.fifos)
    flows.push_back({&fifo, /*held=*/0});
  for (Channel &buffer : state.buffers)
    flows.push_back({&buffer, /*held=*/1});
  // A few tasks will do, whose landmarks are as often as periods may be: of each power of two the
  // first and the last.
  std::map<unsigned, std::pair<int32_t, int32_t>> byNumber;
  for (auto [id, task] : llvm::enumerate(state.tasks)) {
    unsigned number = Log2_64_Ceil(task.task->pattern.sequence.size());
    auto [it, isNew] = byNumber.try_emplace(number, id, id);
    it->second.second = id;
  }
  for (auto &[number, ids] : byNumber)
    state.tasks[ids.first].isLandmark = state.tasks[ids.second].isLandmark = true;
  for (Landmark &landmark : landmarks)
    landmark.nextStep = options.firstSkip;
}

PeriodSkipper::~PeriodSkipper() = default;

void PeriodSkipper::forget() {
  for (Landmark &landmark : landmarks)
    landmark.forget();
}

void PeriodSkipper::Landmark::forget() {
  kept = nullptr;
  reached = 0;
  nextKept = 1;
}

bool PeriodSkipper::look(int64_t horizon) {
  if (horizon < nextLook)
    return false;
  bool isAny = false;
  for (auto [id, landmark] : llvm::enumerate(landmarks))
    if (!isAny && landmark.lookAt <= horizon) {
      landmark.lookAt = never;
      isAny = reachLandmark(id);
    }
  nextLook = never;
  for (const Landmark &landmark : landmarks)
    nextLook = std::min(nextLook, landmark.lookAt);
  return isAny;
}

/// Passes periods if the part of the machine that `id` is in repeats them.
bool PeriodSkipper::reachLandmark(int32_t id) {
  Landmark &landmark = landmarks[id];
  if (landmark.kept) {
    Repetition repetition(state, flows, *landmark.kept);
    int64_t periods = repetition.count(id);
    looked += repetition.getLooked();
    if (periods > 0) {
      repetition.pass(periods);
      passed += periods;
      // States of other landmarks are still states of this run, which may repeat over longer
      // periods.
      landmark.forget();
      for (auto [task, each] : llvm::enumerate(landmarks)) {
        each.place = getPlace(state.tasks[task]);
        each.lookAt = never;
      }
      return true;
    }
  }
  if (++landmark.reached >= landmark.nextKept) {
    landmark.kept = std::make_unique<Snapshot>(state, flows);
    looked += landmark.kept->getSize();
    landmark.nextKept = 2 * landmark.reached;
  }
  landmark.nextStep = state.steps + stepsPerNumber * std::exchange(looked, 0);
  return false;
}

} // namespace streamtensor::sim
