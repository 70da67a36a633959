//===- SequenceProblem.h - Loads that take turns on masters -----*- C++ -*-===//
//
// Loads that are needed one after the other share masters. One sequence has as many as its widest
// load can use; the other masters of a card are of use only to further sequences beside it. Which
// load is in which sequence, and how many masters each has. Plain data that knows nothing of MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SCHEDULE_SEQUENCEPROBLEM_H
#define STREAMTENSOR_SCHEDULE_SEQUENCEPROBLEM_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace streamtensor::schedule {

/// A load that moves `words` in each of its iterations, parts of a row of `row` elements.
struct SequencedLoad {
  int64_t iterations = 0, words = 1, row = 1;
  /// The part of the device's memory that holds what a round of it gives.
  double share = 0;
  /// Words that go to one of several FIFOs, if those of an iteration can be loaded in any such
  /// parts; 0 if it must be all of them.
  int64_t part = 0;
  /// If it waits for memory with a master for each word, as a channel takes longer for a word than
  /// a master: the cycles that it takes. Such words may come in halves; 0 for all others.
  double cyclesOfWord = 0;

  /// The most stripes that are at most `masters`: each holds the same part of a row and of the
  /// words, or one word of some of the parts, or half of a word.
  int64_t getStripes(int64_t masters) const;
  /// Are parts dealt to so many stripes, as words and row do not come out even? Then they bring
  /// other parts from one iteration to the next, or a row that is too short for them is laid anew.
  bool isDealtInTurn(int64_t stripes) const {
    return stripes <= words && (words % stripes != 0 || row % stripes != 0);
  }
  int64_t countCycles(int64_t masters) const;
};

struct SequenceProblem {
  std::vector<SequencedLoad> loads;
  /// That a sequence may have.
  int64_t mostStripes = 1;
  /// The design takes so many cycles anyway: fewer are worth nothing.
  int64_t leastCycles = 0;
  /// A load that has fewer masters than it could have in turn must run ahead of its task, a round
  /// of it in a FIFO. The share of the device's memory for all of these.
  double mostHeld = 0;
};

struct SequenceChoice {
  std::vector<int64_t> masters;   ///< Of each sequence, the most first.
  std::vector<size_t> sequenceOf; ///< Of each load.
  int64_t cycles = 0;             ///< Of the sequence that takes most.
  double held = 0;                ///< The share of the memory for loads that run ahead.

  int64_t countMasters() const;
};

/// The sequences that take the fewest cycles with at most `masters` in all; of such that take
/// equally many, those that hold least, then those with the fewest masters. All loads in one
/// sequence are among the choices. Loads are dealt by falling words, each to the sequence that ends
/// first with it and whose masters leave the memory for it, for every number of masters of at most
/// four sequences.
SequenceChoice chooseSequences(const SequenceProblem &problem, int64_t masters);

} // namespace streamtensor::schedule

#endif
