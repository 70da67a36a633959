//===- Machine.h - The machine that the simulator steps ---------*- C++ -*-===//
//
// A design as plain data: leaf tasks with their access patterns, FIFOs and block
// buffers (design "Leaf-task normal form"). Knows nothing of MLIR, so that tests
// can make machines at random. Times are in cycles.
//
// One task: in every serial trip it acquires its blocks, then issues iterations
// in order, and drains before the next trip. Iteration i issues when `ii` cycles have passed since
// i-1 and every FIFO that it reads has a visible token; its writes happen a fixed number of stages
// later. A full output FIFO freezes the whole task; an empty input is a bubble while older
// iterations flush (flp), or freezes the task (stp).
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIM_MACHINE_H
#define STREAMTENSOR_SIM_MACHINE_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace streamtensor::sim {

/// Iterations with equal accesses: tokens taken at issue, tokens put `stage`
/// ticks later, at least one, sorted by stage. A design's FIFO appears at most once per stage;
/// where an edit lets it take several tokens at once (EditMachine.h), these follow one another.
struct AccessClass {
  struct Write {
    int32_t fifo;
    int32_t stage;
    bool operator==(const Write &) const = default;
  };
  std::vector<int32_t> reads;
  std::vector<Write> writes;
  bool operator==(const AccessClass &) const = default;
};

/// `length` consecutive iterations of one class.
struct Run {
  int32_t accessClass;
  int64_t length;
  bool operator==(const Run &) const = default;
};

/// The iterations of one activation: a sequence of tables of runs.
struct AccessPattern {
  std::vector<AccessClass> classes;
  std::vector<std::vector<Run>> tables;
  std::vector<int32_t> sequence;

  /// Of each class, in one activation.
  std::vector<int64_t> countIterations() const;
};

/// What one serial trip is: `tables` of the pattern's sequence, `iterations` in all, `ii` cycles
/// apart.
struct Phase {
  int64_t ii = 1;
  /// Cycles from the issue of an iteration to its end; larger than every write stage.
  int64_t depth = 1;
  int64_t tables = 1;
  int64_t iterations = 1;
  bool operator==(const Phase &) const = default;
};

/// An iteration that starts a burst and therefore issues `cycles` later.
struct BurstGap {
  int64_t iteration; // flat, counted over the whole activation
  int64_t cycles;
};

/// An iteration that starts bursts over a way to external memory, `bytes` in all: it issues when
/// the channel has taken them up.
struct Burst {
  int64_t iteration; // flat, counted over the whole activation
  int32_t way;
  int64_t bytes;
};

/// Acquires one block every `period` serial trips.
struct Acquire {
  int32_t buffer;
  bool writes;
  int64_t period;
};

struct Task {
  std::string name;
  bool freezesOnEmpty = false; // stp
  int64_t trips = 1;           // serial trips
  /// Serial trips go through these in turn; blocks are held from a first to a last one.
  std::vector<Phase> phases = {Phase()};
  AccessPattern pattern;
  std::vector<BurstGap> gaps;
  std::vector<Burst> bursts; // by iteration; a way at most once in each
  std::vector<Acquire> acquires;

  const Phase &getPhase(int64_t trip) const { return phases[trip % phases.size()]; }
  /// Of all its phases together.
  int64_t getIterationsPerRound() const;
  int64_t getIterations() const { return trips / phases.size() * getIterationsPerRound(); }
  /// Does it take and give things one after the other, each once, as an engine does?
  bool hasTurns() const;
  /// Cycles of an activation that never waits, without gaps and swaps.
  int64_t getBusyCycles() const;
  int64_t getLastWriteStage() const;
};

struct Fifo {
  std::string name;
  int32_t writer = -1, reader = -1;
  int64_t depth = 0; // slots; 0 is unbounded
  int64_t bits = 32; // of one token
  /// Cycles from a token's write to its first possible read, at this depth.
  int64_t latency = 1;
  /// Does it close a cycle of tasks?
  bool isBack = false;
  /// Does it join two kernels? Its latency is then the same at any depth.
  bool isLink = false;
};

/// What a FIFO would be like if it had another depth: shift registers up to `shiftRegisterBits` in
/// all or `shiftRegisterDepth`, else RAM.
struct FifoRules {
  int64_t shiftRegisterLatency, ramLatency, shiftRegisterBits, shiftRegisterDepth, minimumDepth;

  int64_t getLatency(int64_t bits, int64_t depth) const {
    bool shiftRegister = depth <= shiftRegisterDepth || depth * bits <= shiftRegisterBits;
    return shiftRegister ? shiftRegisterLatency : ramLatency;
  }
};

struct BlockBuffer {
  std::string name;
  int32_t writer = -1, reader = -1;
  int64_t blocks = 2;
};

/// A channel of external memory: `bytes` in `cycles`. It takes up one burst after the other, each
/// as soon as the one before is through, and goes round among the ways that ask.
struct MemoryChannel {
  std::string name;
  int64_t bytes = 1, cycles = 1;
};

/// Reads or writes through one interface: they belong to one task and go to one channel.
struct Way {
  std::string name;
  int32_t channel;
};

/// Of each FIFO.
struct TokenCounts {
  std::vector<int64_t> written, read;
};

struct Machine {
  std::string name;
  std::vector<Task> tasks;
  std::vector<Fifo> fifos;
  std::vector<BlockBuffer> buffers;
  std::vector<MemoryChannel> channels;
  std::vector<Way> ways;
  /// Cycles to enter a task, and to take and give back blocks for one trip.
  int64_t entry = 0, swap = 0;
  /// For runs at other depths than the FIFOs': sizing needs it, a sized design does not.
  std::optional<FifoRules> fifoRules;

  /// Cycles from the write of a token of `fifo` to its first possible read, at a depth; a FIFO
  /// without bound (depth 0) counts as shift registers.
  int64_t getLatency(int32_t fifo, int64_t depth) const;

  /// Stage at which `fifo`'s writer writes it.
  int64_t getWriteStage(int32_t fifo) const;

  /// Tokens written and read in one activation.
  TokenCounts countTokens() const;
  int64_t countWrites(int32_t fifo) const;

  /// Depths at which every FIFO holds all its tokens.
  std::vector<int64_t> getTokens() const { return countTokens().written; }

  /// Bits that pass through `fifo` in one activation: what it takes to hold all of them.
  int64_t getTraffic(int32_t fifo) const { return fifos[fifo].bits * countWrites(fifo); }

  /// The same machine with a channel for each way, which gives it a share of the rate by the square
  /// root of its bytes: the sum of the ways' times is the least that fixed shares allow. No way
  /// waits for another. For searches, which need to know what a change can do.
  Machine withFixedShares() const;

  /// What every algorithm on machines assumes: each FIFO and buffer has one writer
  /// and one reader, both move the same number of tokens or blocks, and writes lie
  /// inside the pipeline.
  llvm::Error verify() const;
};

} // namespace streamtensor::sim

#endif
