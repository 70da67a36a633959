//===- SkipPeriods.cpp - Steady stretches of a run in closed form ---------===//

#include "SkipPeriods.h"

#include "Repetition.h"

#include <map>

using namespace llvm;

namespace streamtensor::sim {

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
