//===- SkipPeriods.h - Steady stretches of a run in closed form -*- C++ -*-===//
//
// What a simulation does next follows from its state, and does not change when all times are later
// by as much, or tasks further in their patterns by whole repetitions. So where a state was before,
// but for that, the run repeats what it did in between, as often as patterns repeat: those periods
// are passed at once. Nothing is approximated.
//
// Some tasks may stand still meanwhile, and FIFOs fill up or drain, as long as nobody waits for
// their tokens or slots. A time is part of the state only if it can still delay something: a token
// that was visible before its reader could come to it says no more than that it is there.
//
// A state is looked at when a task comes to a landmark, a next table of its pattern. It is compared
// with one that is kept for some landmarks, then for twice as many (Brent's algorithm). So that a
// run that does not repeat takes hardly longer, the next state is looked at when many more steps
// were taken than numbers were compared.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_SIM_SKIPPERIODS_H
#define STREAMTENSOR_LIB_SIM_SKIPPERIODS_H

#include "EngineState.h"

#include <memory>

namespace streamtensor::sim {

class PeriodSkipper {
public:
  PeriodSkipper(EngineState &state, const SimOptions &options);
  ~PeriodSkipper();

  /// Task `id` went on. Passes periods if it came to a landmark and the run repeats.
  void noteAdvance(int32_t id) {
    Landmark &landmark = landmarks[id];
    if (!landmark.isUsed)
      return;
    int64_t place = getPlace(id);
    if (std::exchange(landmark.place, place) != place && state.steps >= landmark.nextStep)
      reachLandmark(landmark);
  }
  /// Something else than time went on: what was kept is compared no more.
  void forget();

  int64_t getPeriods() const { return passed; }

private:
  struct Snapshot;
  /// A FIFO or a buffer, of which either end has one more block that it holds.
  struct Flow {
    Channel *channel;
    int64_t held;
  };
  struct Landmark {
    bool isUsed = false;
    int64_t place = 0;
    int64_t nextStep = 0; ///< From which on the next is looked at.
    int64_t reached = 0, nextKept = 1;
    std::unique_ptr<Snapshot> kept;

    void forget();
  };
  int64_t getPlace(int32_t id) const;
  void reachLandmark(Landmark &landmark);
  bool passFrom(const Snapshot &before);

  EngineState &state;
  std::vector<Flow> flows;
  const int64_t stepsPerNumber;
  int64_t passed = 0;
  int64_t looked = 0;              ///< Numbers that were kept or compared.
  std::vector<Landmark> landmarks; ///< Of each task.
};

} // namespace streamtensor::sim

#endif
