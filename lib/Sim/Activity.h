//===- Activity.h - Where in a run tasks wait -------------------*- C++ -*-===//
//
// A run is cut into equal parts while its length is not yet known: when it outgrows them, two
// become one.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_SIM_ACTIVITY_H
#define STREAMTENSOR_LIB_SIM_ACTIVITY_H

#include "streamtensor/Sim/Simulator.h"

#include <algorithm>

namespace streamtensor::sim {

class Activity {
public:
  /// `parts`: at most so many, 0 for a run that does not tell.
  Activity(int64_t parts, size_t tasks) : parts(parts + parts % 2), tasks(parts > 0 ? tasks : 0) {}

  void addStall(int32_t task, Span::Kind kind, int64_t begin, int64_t end) {
    if (tasks.empty() || begin >= end)
      return;
    while (end > parts * width)
      joinParts();
    std::vector<int64_t> &stalls = select(tasks[task], kind);
    stalls.resize(std::max<size_t>(stalls.size(), (end - 1) / width + 1));
    for (int64_t part = begin / width; part * width < end; ++part)
      stalls[part] += std::min(end, (part + 1) * width) - std::max(begin, part * width);
  }

  /// Gives the parts of a run of `cycles` away.
  std::vector<TaskActivity> take(int64_t cycles) {
    while (!tasks.empty() && cycles > parts * width)
      joinParts();
    return std::move(tasks);
  }
  int64_t getPartCycles() const { return width; }

private:
  static std::vector<int64_t> &select(TaskActivity &task, Span::Kind kind) {
    if (kind == Span::Kind::OutputStall)
      return task.output;
    return kind == Span::Kind::MemoryStall ? task.memory : task.input;
  }

  void joinParts() {
    width *= 2;
    for (TaskActivity &task : tasks)
      for (std::vector<int64_t> *stalls : {&task.input, &task.output, &task.memory}) {
        stalls->resize(stalls->size() + stalls->size() % 2);
        for (size_t part = 0; part < stalls->size() / 2; ++part)
          (*stalls)[part] = (*stalls)[2 * part] + (*stalls)[2 * part + 1];
        stalls->resize(stalls->size() / 2);
      }
  }

  int64_t parts, width = 1;
  std::vector<TaskActivity> tasks;
};

} // namespace streamtensor::sim

#endif
