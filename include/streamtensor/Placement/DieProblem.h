//===- DieProblem.h - Which die of a card holds which task ------*- C++ -*-===//
//
// Die assignment as plain data: tasks with their resources, bits that flow between them, dies in a
// row with wires between neighbours. Knows nothing of MLIR, so that tests can make problems at
// random.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_PLACEMENT_DIEPROBLEM_H
#define STREAMTENSOR_PLACEMENT_DIEPROBLEM_H

#include "streamtensor/Device/DeviceModel.h"

namespace streamtensor::placement {

/// The die of each task.
using Dies = std::vector<int32_t>;

/// What tasks take of a die.
struct DieUse : Resources {
  /// Blocks of memories that may be BRAM or URAM, as there is room beside the others.
  double eitherBlocks = 0;
  DieUse &operator+=(const DieUse &other);
  DieUse &operator-=(const DieUse &other);
};

struct DieProblem {
  struct Task {
    std::string name;
    Resources resources;
    /// Bits between the task and external memory.
    int64_t memoryBits = 0;
    double eitherBlocks = 0;
    DieUse getUse() const { return {resources, eitherBlocks}; }
  };
  /// Bits of the FIFOs between two tasks.
  struct Edge {
    int32_t from, to;
    int64_t bits;
  };

  /// What may be used of each die, in the order in which they lie side by side.
  std::vector<Resources> budgets;
  /// Wires between two neighbours.
  int64_t wires = 0;
  /// The die with the ports of external memory.
  int32_t memoryDie = 0;
  /// Do tasks have blocks of either kind?
  bool poolsBlocks = false;
  std::vector<Task> tasks;
  std::vector<Edge> edges;

  /// Names of dies that exist and tasks that exist, figures of at least 0.
  llvm::Error check() const;
  /// What the tasks on each die use.
  std::vector<DieUse> getUse(const Dies &dies) const;
  /// Bits over each boundary between neighbours: FIFOs, and what goes to and from memory.
  std::vector<int64_t> getCrossings(const Dies &dies) const;
  /// How much more than the budgets and the wires is used, in parts of them, all added up; 0 fits.
  double getExcess(const Dies &dies) const;
  /// Less excess has no assignment: what all tasks together use more than all dies have.
  double getLeastExcess() const;
  /// What an assignment costs: bits over boundaries, excess weighted so that none is worth bits.
  double getCost(const Dies &dies) const;
  /// The same of what is used on a die, and of the bits over a boundary.
  double getExcessOnDie(int32_t die, const DieUse &used) const;
  double getExcessOfWires(int64_t bits) const;
  /// Bits of all edges, and of all tasks to and from memory; at least 1.
  double getBits() const;
  double getExcessWeight() const;
  /// Blocks of both kinds as one. Of those that may be either, a few more than they are: one of a
  /// FIFO's kinds may take more blocks than the other, and a FIFO has all of one kind.
  static double getPooledBlocks(const DieUse &used) {
    constexpr double partThatIsDealt = 0.95;
    return used.bram36 + used.uram + used.eitherBlocks / partThatIsDealt;
  }
  static double getPooledBlocks(const Resources &budget) { return budget.bram36 + budget.uram; }
};

struct DieSolution {
  Dies dies;
  /// What it costs, and what every assignment costs at least.
  double cost = 0, bound = 0;
  /// Nodes of the search that were visited.
  int64_t nodes = 0;
  /// Distance from the bound, as a part of the cost; 0 is optimal.
  double getGap() const { return cost > 0 ? (cost - bound) / cost : 0; }
};

/// All tasks on the memory's die if they fit there; else the best that passes of moves lead to,
/// from that and from dies filled from there outwards, with random moves in between, `tries` times;
/// and, where that does not fit, simulated annealing, `anneals` times, or until `vainAnneals` in a
/// row made it hardly cheaper. Fast, with no bound.
Dies assignByMoves(const DieProblem &problem, int tries = 8, int anneals = 16,
                   int vainAnneals = 16);

/// What is no worse than `known`, and its bound, by an integer program, solved by branch and bound
/// until `nodes` were visited: equal problems have equal solutions, however fast the machine is.
/// Once all fits, and where not even all dies together have enough, a part of the nodes is visited.
DieSolution assignByProgram(const DieProblem &problem, const Dies &known, int64_t nodes);

/// By moves, then by the program.
DieSolution assignDies(const DieProblem &problem, int64_t nodes);

} // namespace streamtensor::placement

#endif
