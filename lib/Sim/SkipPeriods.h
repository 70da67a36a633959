//===- SkipPeriods.h - Steady stretches of a run in closed form -*- C++ -*-===//
//
// What a simulation does next follows from its state, and does not change when all times are later
// by as much, or tasks further in their patterns by whole repetitions. So where a state was before,
// but for that, the run repeats what it did in between, as often as patterns repeat: those periods
// are passed at once. Nothing is approximated.
//
// So does a part of the machine for itself, as long as nobody outside it can delay it: FIFOs
// between them fill up or drain, and no one in the part waits for their tokens or slots. The others
// are where they were, and catch up. A time is part of the state only if it can still delay
// something: a token that was visible before its reader could come to it says no more than that it
// is there.
//
// A state is looked at a little behind a landmark, the issue with which a task has come to the end
// of a table of its pattern, and when all tasks have come to that cycle (the horizon). It is
// compared with one that is kept for some landmarks, then for twice as many (Brent's algorithm). So
// that a run that does not repeat takes hardly longer, the next state is looked at when many more
// steps were taken than numbers were compared.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_SIM_SKIPPERIODS_H
#define STREAMTENSOR_LIB_SIM_SKIPPERIODS_H

#include "Snapshot.h"

#include <memory>

namespace streamtensor::sim {

class PeriodSkipper {
public:
  PeriodSkipper(EngineState &state, const SimOptions &options);

  /// Task `id`, a landmark, may have come to a next place: then its state is looked at, when the
  /// horizon is some cycles behind.
  void notePlace(int32_t id, int64_t horizon) {
    Landmark &landmark = landmarks[id];
    int64_t place = getPlace(state.tasks[id]);
    if (std::exchange(landmark.place, place) == place || landmark.lookAt < never ||
        state.steps < landmark.nextStep)
      return;
    landmark.lookAt = std::max(horizon, state.tasks[id].getLastIssue() + quantum);
    nextLook = std::min(nextLook, landmark.lookAt);
  }
  /// The first horizon at which a state is to be looked at.
  int64_t getNextLook() const { return nextLook; }
  /// All tasks have come to `horizon`. Passes periods if a part of the run repeats.
  bool look(int64_t horizon);
  /// The iteration up to which `task` goes on without coming to a next place.
  static int64_t getNextPlace(const TaskState &task) {
    return hasTables(task) ? never : (getPlace(task) + 1) << placeBits;
  }
  /// Something else than time went on: what was kept is compared no more.
  void forget();

  int64_t getPeriods() const { return passed; }

private:
  struct Landmark {
    int64_t place = 0, lookAt = never;
    int64_t nextStep = 0; ///< From which on the next is looked at.
    int64_t reached = 0, nextKept = 1;
    std::unique_ptr<Snapshot> kept;

    void forget();
  };

  /// Tables of the pattern where it has several, else iterations, by the thousand.
  static constexpr int placeBits = 10;
  static bool hasTables(const TaskState &task) { return task.task->pattern.sequence.size() > 2; }
  static int64_t getPlace(const TaskState &task) {
    return hasTables(task) ? task.cursor.getTable() : task.iteration >> placeBits;
  }
  bool reachLandmark(int32_t id);

  EngineState &state;
  std::vector<Flow> flows;
  const int64_t stepsPerNumber, quantum;
  int64_t nextLook = never;
  int64_t passed = 0;
  int64_t looked = 0;              ///< Numbers that were kept or compared.
  std::vector<Landmark> landmarks; ///< Of each task.
};

} // namespace streamtensor::sim

#endif
