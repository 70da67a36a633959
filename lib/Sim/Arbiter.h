//===- Arbiter.h - A channel of external memory and who asks ----*- C++ -*-===//
//
// A channel takes up bursts one after the other. It is free again when the last one is through,
// which may be in the middle of a cycle: time is counted in parts of a cycle, so that no rate is
// rounded. Among the ways that ask it goes round, a burst each.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_SIM_ARBITER_H
#define STREAMTENSOR_LIB_SIM_ARBITER_H

#include "streamtensor/Sim/Machine.h"

#include <limits>
#include <map>

namespace streamtensor::sim {

class Arbiter {
public:
  explicit Arbiter(const MemoryChannel &channel) : channel(channel) {}

  /// A further way of the channel, by its number in the machine.
  void addWay() { ++ways; }
  /// Is there nobody to wait for?
  bool isAlone() const { return ways <= 1; }

  /// `way` asks in `cycle` for `bytes`.
  void ask(int32_t way, int64_t cycle, int64_t bytes) { asking[way] = {cycle, bytes}; }

  /// The cycle of the next grant as far as it is known who asks; `never` if nobody does.
  int64_t nextGrant() const {
    int64_t first = none;
    for (const auto &[way, request] : asking)
      first = std::min(first, request.cycle);
    return first == none ? none : std::max(first, free / channel.bytes);
  }

  /// Takes up a burst in `cycle`, which is that of the next grant; gives its way.
  int32_t grant(int64_t cycle) {
    // The first that asks behind the one served last, in the order of ways.
    auto next = asking.end();
    for (auto it = asking.upper_bound(last); it != asking.end() && next == asking.end(); ++it)
      if (it->second.cycle <= cycle)
        next = it;
    for (auto it = asking.begin(); next == asking.end(); ++it)
      if (it->second.cycle <= cycle)
        next = it;
    last = next->first;
    free = std::max(free, cycle * channel.bytes) + next->second.bytes * channel.cycles;
    moved += next->second.bytes;
    asking.erase(next);
    return last;
  }

  int64_t getBytes() const { return moved; }
  /// Cycles in which the bursts so far were on the way.
  int64_t getBusy() const { return (moved * channel.cycles + channel.bytes - 1) / channel.bytes; }

  static constexpr int64_t none = std::numeric_limits<int64_t>::max() / 4;

  struct Request {
    int64_t cycle, bytes;
  };
  const std::map<int32_t, Request> &getRequests() const { return asking; }
  int32_t getLast() const { return last; }
  /// When it is free again, at most this much behind `cycle`, in parts of a cycle.
  int64_t getWait(int64_t cycle) const {
    return std::max<int64_t>(-1, free - cycle * channel.bytes);
  }
  /// Requests, and what it was busy with, come `cycles` later, and `bytes` more were moved.
  void pass(int64_t cycles, int64_t bytes) {
    if (bytes == 0)
      return;
    free += cycles * channel.bytes;
    moved += bytes;
    for (auto &[way, request] : asking)
      request.cycle += cycles;
  }

private:
  const MemoryChannel &channel;
  int32_t ways = 0;
  std::map<int32_t, Request> asking;
  int32_t last = -1;
  int64_t free = 0, moved = 0; // free: in parts of a cycle, `channel.bytes` each
};

} // namespace streamtensor::sim

#endif
