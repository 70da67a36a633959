//===- EngineState.h - All that a simulation is at one point ----*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_SIM_ENGINESTATE_H
#define STREAMTENSOR_LIB_SIM_ENGINESTATE_H

#include "Arbiter.h"
#include "TaskState.h"

namespace streamtensor::sim {

/// What comes next follows from it alone. Tasks and FIFOs point to each other.
struct EngineState {
  EngineState(const Machine &machine, const std::vector<int64_t> &depths,
              const SimOptions &options);
  EngineState(const EngineState &) = delete;

  const Machine &machine;
  std::vector<Channel> fifos, buffers;
  std::vector<Arbiter> arbiters;
  std::vector<int32_t> wayOwner; ///< The task of each way.
  std::vector<TaskState> tasks;
  std::vector<int32_t> worklist;
  int64_t steps = 0;
};

} // namespace streamtensor::sim

#endif
