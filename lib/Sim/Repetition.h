//===- Repetition.h - Who repeats a period, and how often -------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_SIM_REPETITION_H
#define STREAMTENSOR_LIB_SIM_REPETITION_H

#include "Snapshot.h"

#include <optional>

namespace streamtensor::sim {

struct FlowPeriod;

/// The tasks that have done since `before` what they will do again, all in the same time, and that
/// nobody else can delay.
class Repetition {
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
  bool repeats(int32_t id, const TaskMark &now);
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
  ArbiterWaits waits;
  std::vector<bool> goesOn;                     ///< Tasks that repeat the period.
  std::vector<std::optional<bool>> areAsBefore; ///< Of flows.
  int64_t period = 0, looked = 0;
  Code code;
};

} // namespace streamtensor::sim

#endif
