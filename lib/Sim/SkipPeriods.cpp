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

/// The same for a FIFO that fills up or drains, which must delay nobody. A buffer has one more
/// block that is `held` at either end, from the time when it is acquired.
static int64_t countPeriods(const Channel &channel, const ChannelMark &before,
                            const ChannelMark &now, int64_t held, int64_t readerBase,
                            int64_t period, int64_t most) {
  int64_t writes = now.written - before.written, reads = now.read - before.read;
  int64_t growth = writes - reads;
  if (!channel.hasHighestMark()) {
    // Slots in use at a read grow as tokens do, if all are written by then; those of a read that
    // comes later than the writer grow with each of its tokens.
    int64_t expected = reads > 0 ? std::max<int64_t>(growth, 0) : 0;
    bool isCounted = reads > 0 ? before.lateToken == before.written && now.lateToken == now.written
                               : now.lateSlot == now.read;
    if (!isCounted || now.highWater - before.highWater != expected)
      return 0;
  }
  // In the last period nobody waited, and what it did is still there.
  bool isWaitedFor = channel.readerWaits || channel.writerWaits;
  bool wasFree = !isWaitedFor && now.read + (reads > 0 ? held : 0) <= before.lateToken &&
                 now.written + held - channel.depth <= before.lateSlot;
  bool isKnown = now.read - reads >= channel.getOldest() && now.written - writes >= now.read;
  if (!wasFree || !isKnown)
    return 0;
  if (writes > 0 && channel.depth != Channel::unbounded)
    most = std::min(most, (now.lateSlot + channel.depth - now.written - held) / writes);
  if (reads > 0) {
    most = std::min(most, (now.written - now.read - held) / reads);
    for (int64_t number = 0; number < most; ++number) {
      Stamp last = channel.getTime(now.read + (number + 1) * reads - 1 + held);
      if (cycleOf(last) + channel.getLatency() >= readerBase + number * period)
        return number;
    }
  }
  return std::max<int64_t>(most, 0);
}

/// Is this a state in which a task that stands still stays as it is, whatever the time?
static bool staysStill(const TaskState &task) {
  if (task.done)
    return true;
  if (task.asked > 0)
    return false;
  Stamp time = 0;
  int32_t cause;
  return !task.ambiguous || task.nextWriteTick == never || !task.findWriteTime(time, cause);
}

/// The same for a task, and what it counts.
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

/// Passes what the run will repeat of what happened since `before`; false if it does not.
bool PeriodSkipper::passFrom(const Snapshot &before) {
  Code code;
  auto isOther = [&](ArrayRef<int64_t> was) {
    looked += code.size();
    return ArrayRef(code) != was;
  };
  std::vector<TaskMark> marks;
  int64_t period = 0;
  for (auto [number, task] : llvm::enumerate(state.tasks)) {
    const TaskMark &was = before.tasks[number];
    const TaskMark &now = marks.emplace_back(task);
    looked += numbersPerMark;
    int64_t passed = now.base - was.base;
    if (now.isAt(was) ? passed != 0 || now.tick != was.tick || !staysStill(task)
                      : passed <= 0 || (period > 0 && passed != period))
      return false;
    period = std::max(period, passed);
  }
  // Most states are told apart by then.
  for (auto [number, task] : llvm::enumerate(state.tasks)) {
    encode(task, code);
    if (isOther(before.taskCodes[number]))
      return false;
  }
  auto hasMoved = [&](int32_t task) { return !marks[task].isAt(before.tasks[task]); };
  std::vector<ChannelMark> channelMarks;
  for (auto [number, flow] : llvm::enumerate(flows)) {
    const Channel &channel = *flow.channel;
    const ChannelMark &was = before.channels[number],
                      &now = channelMarks.emplace_back(channel, marks);
    looked += numbersPerMark;
    if (now.written - now.read != was.written - was.read)
      continue;
    if (now.highWater != was.highWater || now.hasHighestMark != was.hasHighestMark)
      return false;
    // Who stands still finds what was there.
    if (hasMoved(channel.reader) &&
        (!encodeTokens(channel, now, marks, code) || isOther(before.tokens[number])))
      return false;
    if (hasMoved(channel.writer) &&
        (!encodeSlots(channel, now, marks, code) || isOther(before.slots[number])))
      return false;
  }
  auto waits = getWaits(state, marks);
  for (auto [number, arbiter] : llvm::enumerate(state.arbiters)) {
    encode(arbiter, state.wayOwner, marks, code);
    if (isOther(before.arbiterCodes[number]))
      return false;
    if (arbiter.getBytes() == before.arbiterBytes[number])
      continue;
    for (auto [now, was] : llvm::zip_equal(waits[number], before.arbiterWaits[number]))
      if (!marks[now.first].isAt(before.tasks[now.first]) && now != was)
        return false;
  }

  int64_t periods = std::numeric_limits<int64_t>::max();
  int64_t moved = 0;
  for (auto [flow, was, now] : llvm::zip_equal(flows, before.channels, channelMarks)) {
    const Channel &channel = *flow.channel;
    if (now.written - now.read != was.written - was.read)
      periods =
          countPeriods(channel, was, now, flow.held, marks[channel.reader].base, period, periods);
    moved += now.written > was.written || now.read > was.read ? channel.getRingSize() : 0;
  }
  for (auto [task, was, now] : llvm::zip_equal(state.tasks, before.tasks, marks))
    periods = countPeriods(task, was, now, periods);
  if (periods <= 0 || period == 0 || moved > periods * (state.steps - before.steps))
    return false;

  for (auto [task, was, now] : llvm::zip_equal(state.tasks, before.tasks, marks))
    if (!now.isAt(was))
      passPeriods(task, was, now, periods);
  for (auto [flow, was, now] : llvm::zip_equal(flows, before.channels, channelMarks))
    flow.channel->pass(periods, now.written - was.written, now.read - was.read,
                       makeStamp(period, 0));
  for (auto [arbiter, bytes] : llvm::zip_equal(state.arbiters, before.arbiterBytes))
    arbiter.pass(periods * period, periods * (arbiter.getBytes() - bytes));
  state.steps += periods * (state.steps - before.steps);
  passed += periods;
  return true;
}

//===----------------------------------------------------------------------===//
// Landmarks
//===----------------------------------------------------------------------===//

PeriodSkipper::PeriodSkipper(EngineState &state, const SimOptions &options)
    : state(state), stepsPerNumber(options.stepsPerNumber), landmarks(state.tasks.size()) {
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
    landmarks[ids.first].isUsed = landmarks[ids.second].isUsed = true;
  for (Landmark &landmark : landmarks)
    landmark.nextStep = options.firstSkip;
}

PeriodSkipper::~PeriodSkipper() = default;

/// Tables of the pattern where it has several, else iterations, by the thousand.
int64_t PeriodSkipper::getPlace(int32_t id) const {
  const TaskState &task = state.tasks[id];
  return task.task->pattern.sequence.size() > 2 ? task.cursor.getTable() : task.iteration >> 10;
}

void PeriodSkipper::forget() {
  for (Landmark &landmark : landmarks)
    landmark.forget();
}

void PeriodSkipper::Landmark::forget() {
  kept = nullptr;
  reached = 0;
  nextKept = 1;
}

void PeriodSkipper::reachLandmark(Landmark &landmark) {
  if (landmark.kept && passFrom(*landmark.kept)) {
    // States of other landmarks are still states of this run, which may repeat over longer periods.
    landmark.forget();
    for (auto [task, each] : llvm::enumerate(landmarks))
      each.place = getPlace(task);
    return;
  }
  if (++landmark.reached >= landmark.nextKept) {
    landmark.kept = std::make_unique<Snapshot>(state, flows);
    looked += landmark.kept->getSize();
    landmark.nextKept = 2 * landmark.reached;
  }
  landmark.nextStep = state.steps + stepsPerNumber * std::exchange(looked, 0);
}

} // namespace streamtensor::sim
