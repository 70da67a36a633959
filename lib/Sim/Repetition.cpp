//===- Repetition.cpp - Who repeats a period, and how often ---------------===//

#include "Repetition.h"

using namespace llvm;

namespace streamtensor::sim {

/// Tokens that a writer passes ahead of its reader into a FIFO without bound.
constexpr int64_t mostAhead = 65536;

//===----------------------------------------------------------------------===//
// Tasks
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
// FIFOs and buffers
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// The part that repeats
//===----------------------------------------------------------------------===//

/// Will a task repeat the period if only it itself counts?
bool Repetition::repeats(int32_t id, const TaskMark &now) {
  const TaskMark &was = before.tasks[id];
  const TaskState &task = state.tasks[id];
  looked += numbersPerMark;
  if (now.isAt(was) || now.base - was.base != period)
    return false;
  encode(task, code);
  return isEqual(code, before.taskCodes[id]) && countPeriods(task, was, now, /*most=*/1) > 0;
}

/// Has a FIFO as many tokens and slots on their way as before, and are they as late?
bool Repetition::isAsBefore(size_t number) {
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

FlowPeriod Repetition::getFlow(size_t number, bool writes, bool reads) const {
  return FlowPeriod(*flows[number].channel, flows[number].held, before.channels[number],
                    channelMarks[number], writes, reads);
}

/// How often those ends of a FIFO or a buffer that repeat the period do so without being delayed.
int64_t Repetition::countOfFlow(size_t number, bool writes, bool reads, int64_t most) {
  FlowPeriod flow = getFlow(number, writes, reads);
  int64_t base = marks[flow.channel.reader].base;
  if (writes && reads && flow.writes == flow.reads)
    return isAsBefore(number) ? most : 0;
  if (writes && reads)
    return flow.countOfBoth(base, period, most);
  return writes ? flow.countWriterAlone(most) : flow.countReaderAlone(base, period, most);
}

/// Leaves out who may be delayed at a FIFO or a buffer; false if nobody may.
bool Repetition::leaveOutByFlow(size_t number, int32_t landmark) {
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
bool Repetition::areOthersStill() const {
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
bool Repetition::leaveOutByArbiter(size_t number, bool othersAreStill) {
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

bool Repetition::leaveOutOthers(int32_t landmark) {
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

int64_t Repetition::count(int32_t landmark) {
  TaskMark mark(state.tasks[landmark]);
  period = mark.base - before.tasks[landmark].base;
  // Most states are told apart by that.
  if (period <= 0 || !repeats(landmark, mark))
    return 0;
  marks = getMarks(state.tasks);
  for (auto [id, now] : llvm::enumerate(marks))
    goesOn.push_back(repeats(id, now));
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
int64_t Repetition::countSteps() const {
  int64_t steps = 0;
  for (auto [number, flow] : llvm::enumerate(flows)) {
    FlowPeriod passed = getFlow(number, writes(flow), reads(flow));
    steps += passed.writes + passed.reads;
  }
  for (auto [id, task] : llvm::enumerate(marks))
    steps += goesOn[id] ? task.burst - before.tasks[id].burst : 0;
  return steps;
}

void Repetition::pass(int64_t periods) {
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

} // namespace streamtensor::sim
