//===- ReferenceMachine.h - A machine, iteration by iteration ---*- C++ -*-===//
//
// What the reference simulator steps: no patterns, no classes, no runs. It is read off a
// `Machine` by unrolling it, or off the IR of a design by visiting every iteration and
// every element that an access moves (ReferenceDesign.h).
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_UNITTESTS_SIM_REFERENCEMACHINE_H
#define STREAMTENSOR_UNITTESTS_SIM_REFERENCEMACHINE_H

#include "streamtensor/Sim/Machine.h"

namespace streamtensor::sim {

struct ReferenceTask {
  struct Write {
    int64_t stage;
    int32_t fifo;
    auto operator<=>(const Write &) const = default;
  };
  struct Iteration {
    std::vector<int32_t> reads; // sorted
    std::vector<Write> writes;  // sorted
    int64_t gap = 0;            // cycles by which it issues later for a burst that it starts
    std::vector<std::pair<int32_t, int64_t>> bursts; // ways and bytes, sorted
    bool operator==(const Iteration &) const = default;
  };
  struct Acquire {
    int32_t buffer;
    bool writes;
    int64_t period; // trips
    auto operator<=>(const Acquire &) const = default;
  };
  /// Of one serial trip.
  struct Phase {
    int64_t ii = 1, depth = 1, iterations = 1;
    bool operator==(const Phase &) const = default;
  };
  std::string name;
  std::vector<Phase> phases; // trips go through them in turn
  bool freezesOnEmpty = false;
  int64_t trips = 1;
  std::vector<Iteration> iterations; // of the whole activation
  std::vector<Acquire> acquires;
};

struct ReferenceFifo {
  int64_t depth = 0, bits = 32; // slots, 0 unbounded; of one token
  int64_t latency = 1;          // cycles from a token's write to its first possible read
};

/// `bytes` in `cycles`.
struct ReferenceChannel {
  int64_t bytes = 1, cycles = 1;
  bool operator==(const ReferenceChannel &) const = default;
};

struct ReferenceMachine {
  std::vector<ReferenceTask> tasks;
  std::vector<ReferenceFifo> fifos;
  std::vector<int64_t> blocks; // of every buffer
  std::vector<ReferenceChannel> channels;
  std::vector<int32_t> channelOfWay;
  int64_t taskEntry = 0, blockSwap = 0;
  int64_t unboundedLatency = 1; // of a FIFO without bound
};

/// The machine with every iteration by itself.
ReferenceMachine unroll(const Machine &machine);

/// What first differs between two machines, in words; empty if nothing does.
std::string describeDifference(const ReferenceMachine &one, const ReferenceMachine &other);

} // namespace streamtensor::sim

#endif
