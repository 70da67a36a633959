//===- LinearProgram.cpp - The paper's FIFO sizing ------------------------===//
//
// Start times t with t[reader] - t[writer] >= D[edge], the sum of the differences
// least: a totally unimodular system with one row per edge. Then, with T tokens,
// the delay from the solution, L cycles of the source and II cycles per token:
//
//   source faster:  depth = min(T, T - floor((L - delay) / II_target))
//   source slower:  depth = min(T, ceil((delay - D) / II_source))
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Sizing/FifoSizing.h"

#include <coin/ClpSimplex.hpp>
#include <coin/CoinPackedMatrix.hpp>
#include <coin/CoinPackedVector.hpp>

#include <cmath>

using namespace llvm;

namespace streamtensor::sizing {
namespace {

/// One FIFO or block buffer, as the paper sees it.
struct Edge {
  int32_t writer, reader;
  double initialDelay; // of the writer, to its first token
  bool isBack = false; // closes a cycle: its reader starts before its writer
};

/// A task alone: every input there, every output free.
struct Rates {
  double iterations; // in one activation
  double cycles;     // from the first iteration to behind the last
  double drain;      // of the last iteration, in cycles

  double getInterval() const { return cycles / iterations; }
  double getLatency() const { return cycles + drain; }
};

class LinearProgram {
public:
  LinearProgram(const FifoSizingProblem &problem, RateStrategy strategy)
      : machine(problem.getMachine()) {
    for (const sim::Task &task : machine.tasks)
      rates.push_back(getRates(task));
    if (strategy == RateStrategy::Conservative)
      slowDown();
    for (size_t fifo = 0; fifo < machine.fifos.size(); ++fifo)
      edges.push_back({machine.fifos[fifo].writer, machine.fifos[fifo].reader,
                       getInitialDelay(fifo), machine.fifos[fifo].isBack});
    for (size_t buffer = 0; buffer < machine.buffers.size(); ++buffer)
      edges.push_back(
          {machine.buffers[buffer].writer, machine.buffers[buffer].reader, getBlockDelay(buffer)});
  }

  Expected<Depths> solve() {
    if (machine.fifos.empty())
      return Depths();
    if (!findStarts())
      return createStringError("design '" + machine.name +
                               "': the graph of tasks has a cycle; the linear program has no "
                               "solution, use the strategy search");
    Depths depths;
    for (size_t fifo = 0; fifo < machine.fifos.size(); ++fifo)
      depths.push_back(getDepth(fifo));
    return depths;
  }

private:
  Rates getRates(const sim::Task &task) const {
    // Serial trips spread their drain over the iterations, but for the last.
    double rounds = static_cast<double>(task.trips) / task.phases.size();
    double last = task.phases.back().depth, drains = -last;
    for (const sim::Phase &phase : task.phases)
      drains += rounds * phase.depth;
    drains += (rounds - 1) * (task.acquires.empty() ? 0 : machine.swap);
    return {double(task.getIterations()), task.getBusyCycles() + drains, last};
  }

  /// Conservative: every task takes as long as the slowest.
  void slowDown() {
    double slowest = 0;
    for (const Rates &rate : rates)
      slowest = std::max(slowest, rate.cycles);
    for (Rates &rate : rates)
      rate.cycles = slowest;
  }

  /// Iterations of the writer before its first write to `fifo`.
  int64_t countBeforeFirstWrite(int32_t fifo) const {
    const sim::AccessPattern &pattern = machine.tasks[machine.fifos[fifo].writer].pattern;
    int64_t iterations = 0;
    for (int32_t table : pattern.sequence)
      for (const sim::Run &run : pattern.tables[table]) {
        for (const auto &write : pattern.classes[run.accessClass].writes)
          if (write.fifo == fifo)
            return iterations;
        iterations += run.length;
      }
    return iterations;
  }

  double getInitialDelay(int32_t fifo) const {
    return countBeforeFirstWrite(fifo) * rates[machine.fifos[fifo].writer].getInterval() +
           machine.getWriteStage(fifo) + 1;
  }

  double getBlockDelay(int32_t buffer) const {
    const sim::Task &task = machine.tasks[machine.buffers[buffer].writer];
    for (const sim::Acquire &acquire : task.acquires)
      if (acquire.buffer == buffer && acquire.writes)
        return acquire.period / task.phases.size() * task.getIterationsPerRound() *
                   rates[machine.buffers[buffer].writer].getInterval() +
               task.phases.back().depth;
    return task.phases.back().depth;
  }

  bool findStarts() {
    int tasks = machine.tasks.size();
    ClpSimplex model;
    model.setLogLevel(0);
    model.resize(0, tasks);
    std::vector<double> objective(tasks, 0);
    CoinPackedMatrix rows(/*colOrdered=*/false, 0, 0);
    rows.setDimensions(0, tasks);
    std::vector<double> least;
    for (const Edge &edge : edges) {
      if (edge.isBack)
        continue;
      objective[edge.reader] += 1;
      objective[edge.writer] -= 1;
      CoinPackedVector row;
      row.insert(edge.reader, 1);
      row.insert(edge.writer, -1);
      rows.appendRow(row);
      least.push_back(edge.initialDelay);
    }
    std::vector<double> most(least.size(), COIN_DBL_MAX);
    std::vector<double> zero(tasks, 0), infinity(tasks, COIN_DBL_MAX);
    model.loadProblem(rows, zero.data(), infinity.data(), objective.data(), least.data(),
                      most.data());
    model.dual();
    if (!model.isProvenOptimal())
      return false;
    starts.assign(model.primalColumnSolution(), model.primalColumnSolution() + tasks);
    return true;
  }

  int64_t getDepth(int32_t fifo) const {
    const Edge &edge = edges[fifo];
    if (edge.isBack) // The formulas know no start before the writer's.
      return getRateMatchedDepth(machine, fifo);
    double tokens = machine.countWrites(fifo);
    double delay = starts[edge.reader] - starts[edge.writer];
    const Rates &source = rates[edge.writer], &target = rates[edge.reader];
    double sourceInterval = source.cycles / tokens;
    double targetInterval = target.cycles / tokens;
    double depth = sourceInterval < targetInterval
                       ? tokens - std::floor((source.getLatency() - delay) / targetInterval)
                       : std::ceil((delay - edge.initialDelay) / sourceInterval);
    depth = std::min(tokens, depth);
    return std::max<int64_t>(machine.fifoRules->minimumDepth, std::llround(depth));
  }

  const sim::Machine &machine;
  std::vector<Rates> rates;
  std::vector<Edge> edges; // FIFOs first
  std::vector<double> starts;
};

} // namespace

Expected<Depths> sizeByLinearProgram(const FifoSizingProblem &problem, RateStrategy strategy) {
  return LinearProgram(problem, strategy).solve();
}

} // namespace streamtensor::sizing
