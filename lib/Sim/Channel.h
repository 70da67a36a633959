//===- Channel.h - Times of a FIFO's or a buffer's events -------*- C++ -*-===//
//
// A time stamp is a cycle and a tag: the tag names the set of FIFOs whose lack of
// slots lies on the chain of events that set this time. The larger stamp is the
// later event, so the maximum of stamps keeps the tag of the cause.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_SIM_CHANNEL_H
#define STREAMTENSOR_LIB_SIM_CHANNEL_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace streamtensor::sim {

using Stamp = int64_t;
constexpr int tagBits = 20;

inline int64_t cycleOf(Stamp stamp) { return stamp >> tagBits; }
inline int32_t tagOf(Stamp stamp) { return stamp & ((Stamp(1) << tagBits) - 1); }
inline Stamp makeStamp(int64_t cycle, int32_t tag) { return cycle * (Stamp(1) << tagBits) + tag; }

/// Sets of FIFOs, shared. Tag 0 is the empty set.
class TagTable {
public:
  TagTable() : sets(1) {}

  int32_t with(int32_t tag, int32_t fifo) {
    auto [it, inserted] = unions.try_emplace({tag, fifo}, tag);
    if (!inserted)
      return it->second;
    std::vector<int32_t> set = sets[tag];
    auto place = llvm::lower_bound(set, fifo);
    bool known = place != set.end() && *place == fifo;
    if (known || sets.size() + 1 >= (size_t(1) << tagBits))
      return tag;
    set.insert(place, fifo);
    int32_t result = sets.size();
    it->second = result;
    sets.push_back(std::move(set));
    return result;
  }

  const std::vector<int32_t> &getSet(int32_t tag) const { return sets[tag]; }

private:
  std::vector<std::vector<int32_t>> sets;
  llvm::DenseMap<std::pair<int32_t, int32_t>, int32_t> unions;
};

/// A FIFO of tokens, or of blocks. Position k of the ring first holds the time of
/// write k, then that of read k, which frees the slot for write k + depth.
class Channel {
public:
  static constexpr int64_t unbounded = std::numeric_limits<int64_t>::max() / 2;

  void initialise(int64_t slots, Stamp tokenLatency, Stamp freeLatency) {
    depth = slots > 0 ? slots : unbounded;
    latency = tokenLatency;
    slotLatency = freeLatency;
    int64_t size = 16;
    while (slots > size)
      size *= 2;
    ring.assign(size, 0);
    mask = size - 1;
  }

  /// More slots for a full FIFO. They have been free for as long as its writer has been waiting,
  /// and by the time of the last write so have the slots of all reads before it.
  void enlarge(int64_t slots, Stamp tokenLatency) {
    depth = slots;
    latency = tokenLatency;
    int64_t size = ring.size();
    while (slots > size)
      size *= 2;
    std::vector<Stamp> larger(size, std::numeric_limits<Stamp>::min() / 2);
    for (int64_t token = read; token < written; ++token)
      larger[token & (size - 1)] = ring[token & mask];
    ring = std::move(larger);
    mask = size - 1;
  }

  bool hasSlot(int64_t ahead = 0) const { return written + ahead - depth < read; }
  /// Earliest time of the next write, or of the one `ahead` writes later.
  Stamp slotTime(int64_t ahead = 0) const {
    int64_t freed = written + ahead - depth;
    return freed < 0 ? std::numeric_limits<Stamp>::min() : ring[freed & mask] + slotLatency;
  }
  bool hasToken(int64_t ahead = 0) const { return read + ahead < written; }
  /// Earliest time of the next read, or of the one `ahead` reads later.
  Stamp tokenTime(int64_t ahead = 0) const { return ring[(read + ahead) & mask] + latency; }

  void write(Stamp time) {
    if (written - read > mask)
      grow();
    while (!undecided.empty() && undecided.front().first < cycleOf(time)) {
      highWater = std::max(highWater, written - undecided.front().second);
      undecided.pop_front();
    }
    ring[written++ & mask] = time;
  }

  void takeToken(Stamp time) {
    noteOccupancy(cycleOf(time));
    ring[read++ & mask] = time;
  }

  /// After the last write: slots in use at the reads that came later.
  int64_t finalHighWater() {
    for (auto [cycle, index] : undecided)
      highWater = std::max(highWater, written - index);
    undecided.clear();
    return highWater;
  }

  int64_t depth = unbounded, written = 0, read = 0;
  int32_t writer = -1, reader = -1;
  bool readerWaits = false, writerWaits = false;

private:
  /// Slots in use just before the next read: writes up to its cycle less the reads
  /// before it. Undecided while the writer has not come as far.
  void noteOccupancy(int64_t cycle) {
    scanned = std::max(scanned, read + 1);
    while (scanned < written && cycleOf(ring[scanned & mask]) <= cycle)
      ++scanned;
    if (scanned < written)
      highWater = std::max(highWater, scanned - read);
    else
      undecided.emplace_back(cycle, read);
  }

  /// Only without a bound are there more tokens than places, and no slot's time is needed then.
  void grow() {
    std::vector<Stamp> larger(ring.size() * 2);
    int64_t largerMask = larger.size() - 1;
    for (int64_t token = read; token < written; ++token)
      larger[token & largerMask] = ring[token & mask];
    ring = std::move(larger);
    mask = largerMask;
  }

  std::vector<Stamp> ring;
  int64_t mask = 0;
  Stamp latency = 0, slotLatency = 0;
  int64_t scanned = 0, highWater = 0;
  std::deque<std::pair<int64_t, int64_t>> undecided; // cycle and index of reads
};

} // namespace streamtensor::sim

#endif
