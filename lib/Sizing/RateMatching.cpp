//===- RateMatching.cpp - Slots between two ends of equal speed -----------===//
//
// Each end of a FIFO is a curve: the iteration in which its k-th token is written, or
// read. Both are stretched to one activation. The reader starts as early as it never
// waits again; the depth is the most tokens that are then on the way. It is what an
// edge alone needs so as to slow neither end down: a reader that takes a row at once and
// uses it 64 times wants the next row to have come in the meantime. A task that has its turns one
// after the other, each once, works at a FIFO in some of them: its curve is that of these.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Sizing/FifoSizing.h"

using namespace llvm;

namespace streamtensor::sizing {

/// Tokens above which the curves of an edge are not worth their time.
constexpr int64_t maxTokens = int64_t(1) << 22;

/// Place in the activation, or in the turns that do, from 0 to 1, of each iteration that `touches`.
template <typename Touches>
static std::vector<double> getCurve(const sim::Task &task, Touches touches) {
  const sim::AccessPattern &pattern = task.pattern;
  std::vector<double> curve;
  int64_t iteration = 0;
  for (int32_t table : pattern.sequence)
    for (const sim::Run &run : pattern.tables[table]) {
      int64_t count = touches(pattern.classes[run.accessClass]);
      for (int64_t step = 0; count > 0 && step < run.length; ++step)
        curve.insert(curve.end(), count, iteration + step);
      iteration += run.length;
    }
  if (curve.empty())
    return curve;
  bool hasTurns = task.hasTurns();
  double begin = hasTurns ? curve.front() : 0;
  double end = hasTurns ? curve.back() + 1 : iteration;
  for (double &place : curve)
    place = (place - begin) / (end - begin);
  return curve;
}

int64_t getRateMatchedDepth(const sim::Machine &machine, int32_t fifo) {
  int64_t minimumDepth = machine.fifoRules->minimumDepth;
  if (machine.countWrites(fifo) > maxTokens)
    return minimumDepth;
  const sim::Task &writer = machine.tasks[machine.fifos[fifo].writer];
  const sim::Task &reader = machine.tasks[machine.fifos[fifo].reader];
  std::vector<double> writes = getCurve(writer, [&](const sim::AccessClass &accesses) {
    return llvm::count_if(accesses.writes, [&](auto &write) { return write.fifo == fifo; });
  });
  std::vector<double> reads = getCurve(
      reader, [&](const sim::AccessClass &accesses) { return llvm::count(accesses.reads, fifo); });
  if (writes.size() != reads.size())
    return minimumDepth;
  double delay = 0;
  for (auto [write, read] : llvm::zip_equal(writes, reads))
    delay = std::max(delay, write - read);
  size_t written = 0, deepest = minimumDepth;
  for (auto [token, read] : llvm::enumerate(reads)) {
    while (written < writes.size() && writes[written] <= read + delay)
      ++written;
    deepest = std::max(deepest, written - token);
  }
  return deepest;
}

} // namespace streamtensor::sizing
