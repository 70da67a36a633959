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
#include "llvm/Support/Compiler.h"
#include "llvm/Support/MathExtras.h"

#include <cstdint>
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

/// A FIFO of tokens, or of blocks. Position k of the ring first holds the time of write k, then
/// that of read k, which frees the slot for write k + depth. What every access needs is in the
/// first 64 bytes, a line of the cache.
///
/// A slot counts as used in the cycle that frees it: at read r, w + 1 - r slots are in use if write
/// w comes no later. Of a read and a write, the one that is simulated last compares the two. A
/// bounded FIFO's writes are all later than the reads that its ring no longer holds.
class alignas(64) Channel {
public:
  static constexpr int64_t unbounded = std::numeric_limits<int64_t>::max() / 2;

  void initialise(int64_t slots, Stamp tokenLatency, Stamp freeLatency) {
    depth = slots > 0 ? slots : unbounded;
    latency = tokenLatency;
    slotLatency = freeLatency;
    // Without a bound it begins as small as it can, so that small tests see it grow.
    setRing(std::vector<Stamp>(slots > 0 ? llvm::PowerOf2Ceil(slots) : 2, before));
  }

  /// More slots for a full FIFO. They have been free for as long as its writer has been waiting,
  /// and by the time of the last write so have the slots of all reads before it.
  void enlarge(int64_t slots, Stamp tokenLatency) {
    depth = slots;
    latency = tokenLatency;
    isSaturated = false;
    extend(llvm::PowerOf2Ceil(slots), read);
  }

  bool hasSlot(int64_t ahead = 0) const { return written + ahead - depth < read; }
  /// Earliest time of the next write, or of the one `ahead` writes later.
  Stamp slotTime(int64_t ahead = 0) const {
    int64_t freed = written + ahead - depth;
    return freed < 0 ? before : ring[freed & mask] + slotLatency;
  }
  bool hasToken(int64_t ahead = 0) const { return read + ahead < written; }
  /// Earliest time of the next read, or of the one `ahead` reads later.
  Stamp tokenTime(int64_t ahead = 0) const { return ring[(read + ahead) & mask] + latency; }

  LLVM_ATTRIBUTE_ALWAYS_INLINE void write(Stamp time) {
    if (!isSaturated) { // one without a bound never is
      if (depth == unbounded)
        makeRoom(cycleOf(time));
      noteWrite(cycleOf(time));
    }
    ring[written++ & mask] = time;
  }

  LLVM_ATTRIBUTE_ALWAYS_INLINE void takeToken(Stamp time) {
    if (!isSaturated)
      noteRead(read, cycleOf(time));
    ring[read++ & mask] = time;
  }

  /// The most slots in use at a read.
  int64_t getHighWater() const { return highWater; }
  /// Do reads and writes no longer count slots in use, as no more can be?
  bool hasHighestMark() const { return isSaturated; }

  /// The first of the tokens that are not visible before `cycle`.
  int64_t findToken(int64_t cycle) const {
    return findTime(read, written, cycle - cycleOf(latency));
  }
  /// The first of the reads whose slots are not free before `cycle`; of those that the ring holds.
  int64_t findSlot(int64_t cycle) const {
    return findTime(getOldest(), read, cycle - cycleOf(slotLatency));
  }
  int64_t getRingSize() const { return storage.size(); }
  /// The position of the oldest time that the ring holds.
  int64_t getOldest() const {
    return std::max<int64_t>(oldest, written - static_cast<int64_t>(storage.size()));
  }
  Stamp getTime(int64_t position) const { return ring[position & mask]; }
  /// Cycles from a write to the first read that may take its token.
  int64_t getLatency() const { return cycleOf(latency); }

  /// Passes `periods` times what happened last: `writes` and `reads`, each a `period` (whole
  /// cycles) after the one before. The ring holds those reads, and tokens of those writes are not
  /// yet read unless both are equally many. Where there are only writes or only reads, the other
  /// end is not yet that far.
  void pass(int64_t periods, int64_t writes, int64_t reads, Stamp period);

private:
  static constexpr Stamp before = std::numeric_limits<Stamp>::min() / 2;

  /// Counts the slots that the read of the token at `position`, in `cycle`, finds in use, as far as
  /// writes are known.
  LLVM_ATTRIBUTE_ALWAYS_INLINE void noteRead(int64_t position, int64_t cycle) {
    int64_t write = std::max(position + highWater, read);
    while (write < written && cycleOf(ring[write & mask]) <= cycle)
      ++write;
    raiseHighWater(write - position);
  }

  /// Adds the next write to what known reads have found, as far as they are not earlier.
  LLVM_ATTRIBUTE_ALWAYS_INLINE void noteWrite(int64_t cycle) {
    int64_t first = std::min(written - highWater + 1, read);
    while (first > 0 && cycleOf(ring[(first - 1) & mask]) >= cycle)
      --first;
    if (first < read)
      raiseHighWater(written + 1 - first);
  }

  /// Before a write in `cycle`: tokens keep their places, and so do reads that are not earlier.
  void makeRoom(int64_t cycle) {
    if (written > mask && (written - read > mask || cycleOf(ring[written & mask]) >= cycle))
      extend(2 * storage.size(), written - mask - 1);
  }

  /// The first position from `begin` on whose time is not before `cycle`: later ones are no
  /// earlier.
  int64_t findTime(int64_t begin, int64_t end, int64_t cycle) const {
    while (begin < end) {
      int64_t middle = begin + (end - begin) / 2;
      if (cycleOf(ring[middle & mask]) < cycle)
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }

  void raiseHighWater(int64_t slots) {
    highWater = std::max(highWater, slots);
    isSaturated = highWater >= depth; // it cannot become more
  }

  void setRing(std::vector<Stamp> times) {
    storage = std::move(times);
    ring = storage.data();
    mask = storage.size() - 1;
  }
  /// Keeps the times from position `first` on.
  LLVM_ATTRIBUTE_NOINLINE void extend(int64_t size, int64_t first) {
    std::vector<Stamp> larger(size, before);
    for (int64_t position = first; position < written; ++position)
      larger[position & (size - 1)] = ring[position & mask];
    oldest = std::max<int64_t>(0, first);
    setRing(std::move(larger));
  }

  Stamp *ring = nullptr;
  Stamp latency = 0, slotLatency = 0;

public:
  int64_t depth = unbounded, written = 0, read = 0;

private:
  uint32_t mask = 0;

public:
  int32_t writer = -1, reader = -1;
  bool readerWaits = false, writerWaits = false;

private:
  bool isSaturated = false;
  int64_t highWater = 0;
  int64_t oldest = 0;         // no earlier time was kept when the ring grew
  std::vector<Stamp> storage; // of the ring
};

inline void Channel::pass(int64_t periods, int64_t writes, int64_t reads, Stamp period) {
  if (writes == 0 && reads == 0)
    return;
  int64_t newWritten = written + periods * writes, newRead = read + periods * reads;
  const int64_t firstWrite = written;
  if (writes == 0)
    for (int64_t position = read; position < newRead && !isSaturated; ++position) {
      int64_t later = (position - read) / reads + 1;
      noteRead(position, cycleOf(ring[(position - later * reads) & mask] + later * period));
    }
  int64_t size = storage.size();
  if (depth == unbounded) // room for as many reads as before
    size = std::max<int64_t>(size, llvm::PowerOf2Ceil(newWritten - newRead + read - getOldest()));
  std::vector<Stamp> times(size, before);
  int64_t newOldest = std::max<int64_t>(0, newWritten - size);
  for (int64_t position = newOldest; position < newWritten; ++position) {
    bool isRead = position < newRead;
    int64_t end = isRead ? read : written, each = isRead ? reads : writes;
    // As many periods after the last that happened.
    int64_t later = writes == reads ? periods : position < end ? 0 : (position - end) / each + 1;
    int64_t source = position - later * each;
    if (source >= getOldest())
      times[position & (size - 1)] = ring[source & mask] + later * period;
    else
      newOldest = position + 1;
  }
  if (!isSaturated && writes > reads && reads > 0)
    highWater += periods * (writes - reads);
  setRing(std::move(times));
  oldest = newOldest;
  written = newWritten;
  read = newRead;
  if (reads == 0) { // some may be later than the first of these writes
    int64_t cycle = cycleOf(ring[firstWrite & mask]);
    for (int64_t position = findTime(getOldest(), read, cycle); position < read && !isSaturated;
         ++position)
      noteRead(position, cycleOf(ring[position & mask]));
  }
}

} // namespace streamtensor::sim

#endif
