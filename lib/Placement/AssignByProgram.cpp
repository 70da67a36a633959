//===- AssignByProgram.cpp - Die assignment as an integer program ---------===//
//
// Dies lie in a row. Task t has a binary u[t, b] for each boundary b, 1 if it lies above it, so
// u[t, b] <= u[t, b - 1] and the task is on the die with u[t, d - 1] = 1 and u[t, d] = 0. An edge
// crosses boundary b if its ends differ there: c[e, b] >= |u[from, b] - u[to, b]|. What exceeds a
// budget or the wires is a variable of its own, dear enough that it is 0 wherever it can be.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Placement/DieProblem.h"

#include <coin/CbcEventHandler.hpp>
#include <coin/CbcModel.hpp>
#include <coin/CglGomory.hpp>
#include <coin/CglMixedIntegerRounding2.hpp>
#include <coin/CoinPackedMatrix.hpp>
#include <coin/CoinPackedVector.hpp>
#include <coin/OsiClpSolverInterface.hpp>

using namespace llvm;

namespace streamtensor::placement {

namespace {

/// The part of the nodes that are visited in any case, if all fits, and at most, if not even all
/// dies together have enough.
constexpr int64_t shorterOnceItFits = 5, shorterWhereNothingFits = 10;

class Program {
public:
  explicit Program(const DieProblem &problem)
      : problem(problem), boundaries(problem.budgets.size() - 1) {
    addTasks();
    addEdges();
    addBudgets();
  }

  /// The best found, or nothing better than `known`.
  DieSolution solve(const Dies &known, int64_t nodes);

private:
  struct Row {
    CoinPackedVector terms;
    double least, most;
  };

  int addColumn(double cost, double most, bool isBinary) {
    costs.push_back(cost);
    mostOf.push_back(most);
    if (isBinary)
      binaries.push_back(costs.size() - 1);
    return costs.size() - 1;
  }
  int above(size_t task, size_t boundary) const { return task * boundaries + boundary; }
  void addTasks();
  void addEdges();
  void addBudgets();
  /// Adds `amount` x (is the task on the die?) to the terms; the constant goes to `constant`.
  void addOnDie(CoinPackedVector &terms, double &constant, size_t task, size_t die, double amount);
  Dies read(const double *columns) const;
  std::vector<double> write(const Dies &dies) const;

  const DieProblem &problem;
  size_t boundaries;
  std::vector<double> costs, mostOf;
  std::vector<int> binaries;
  std::vector<Row> rows;
  std::vector<std::pair<int, size_t>> crossingOf; // column by edge and boundary
  std::vector<int> excesses;                      // in the order of budgets and wires
};

} // namespace

/// Bits to memory cross a boundary below it if the task lies above, and the reverse.
void Program::addTasks() {
  for (const DieProblem::Task &task : problem.tasks)
    for (size_t boundary = 0; boundary < boundaries; ++boundary)
      addColumn(static_cast<int32_t>(boundary) >= problem.memoryDie ? task.memoryBits
                                                                    : -double(task.memoryBits),
                1, /*isBinary=*/true);
  for (size_t task = 0; task < problem.tasks.size(); ++task)
    for (size_t boundary = 1; boundary < boundaries; ++boundary) {
      Row row{{}, 0, COIN_DBL_MAX};
      row.terms.insert(above(task, boundary - 1), 1);
      row.terms.insert(above(task, boundary), -1);
      rows.push_back(row);
    }
}

void Program::addEdges() {
  for (const DieProblem::Edge &edge : problem.edges)
    for (size_t boundary = 0; boundary < boundaries; ++boundary) {
      int crossing = addColumn(edge.bits, 1, /*isBinary=*/false);
      crossingOf.push_back({crossing, boundary});
      if (edge.from == edge.to)
        continue;
      for (double sign : {1.0, -1.0}) {
        Row row{{}, 0, COIN_DBL_MAX};
        row.terms.insert(crossing, 1);
        row.terms.insert(above(edge.from, boundary), sign);
        row.terms.insert(above(edge.to, boundary), -sign);
        rows.push_back(row);
      }
    }
}

void Program::addOnDie(CoinPackedVector &terms, double &constant, size_t task, size_t die,
                       double amount) {
  if (die == 0)
    constant += amount;
  else
    terms.insert(above(task, die - 1), amount);
  if (die < boundaries)
    terms.insert(above(task, die), -amount);
}

void Program::addBudgets() {
  double weight = problem.getExcessWeight();
  auto add = [&](CoinPackedVector terms, double constant, double budget) {
    double scale = std::max(budget, 1.0);
    int excess = addColumn(weight, COIN_DBL_MAX, /*isBinary=*/false);
    excesses.push_back(excess);
    terms.insert(excess, -scale);
    rows.push_back({std::move(terms), -COIN_DBL_MAX, budget - constant});
  };
  auto addOfDie = [&](size_t die, auto get) {
    CoinPackedVector terms;
    double constant = 0;
    for (auto [index, task] : enumerate(problem.tasks))
      if (double used = get(task.getUse()); used > 0)
        addOnDie(terms, constant, index, die, used);
    add(std::move(terms), constant, get(problem.budgets[die]));
  };
  for (size_t die = 0; die < problem.budgets.size(); ++die) {
    for (double Resources::*field : Resources::fields)
      addOfDie(die, [field](const Resources &resources) { return resources.*field; });
    if (problem.poolsBlocks)
      addOfDie(die, [](const auto &resources) { return DieProblem::getPooledBlocks(resources); });
  }
  for (size_t boundary = 0; boundary < boundaries; ++boundary) {
    CoinPackedVector terms;
    double constant = 0;
    for (auto [index, column] : enumerate(crossingOf))
      if (column.second == boundary)
        terms.insert(column.first, problem.edges[index / boundaries].bits);
    for (auto [index, task] : enumerate(problem.tasks)) {
      bool isAboveMemory = static_cast<int32_t>(boundary) >= problem.memoryDie;
      constant += isAboveMemory ? 0 : task.memoryBits;
      if (task.memoryBits > 0)
        terms.insert(above(index, boundary),
                     isAboveMemory ? task.memoryBits : -double(task.memoryBits));
    }
    add(std::move(terms), constant, problem.wires);
  }
}

Dies Program::read(const double *columns) const {
  Dies dies(problem.tasks.size(), 0);
  for (size_t task = 0; task < dies.size(); ++task)
    for (size_t boundary = 0; boundary < boundaries; ++boundary)
      dies[task] += columns[above(task, boundary)] > 0.5;
  return dies;
}

/// The values of all columns for an assignment.
std::vector<double> Program::write(const Dies &dies) const {
  std::vector<double> columns(costs.size(), 0);
  for (size_t task = 0; task < dies.size(); ++task)
    for (size_t boundary = 0; boundary < boundaries; ++boundary)
      columns[above(task, boundary)] = dies[task] > static_cast<int32_t>(boundary);
  for (auto [index, column] : enumerate(crossingOf)) {
    const DieProblem::Edge &edge = problem.edges[index / boundaries];
    int32_t boundary = column.second;
    columns[column.first] = (dies[edge.from] > boundary) != (dies[edge.to] > boundary);
  }
  size_t next = 0;
  auto put = [&](double used, double budget) {
    columns[excesses[next++]] = std::max(0.0, used - budget) / std::max(budget, 1.0);
  };
  for (auto [used, budget] : zip_equal(problem.getUse(dies), problem.budgets)) {
    for (double Resources::*field : Resources::fields)
      put(used.*field, budget.*field);
    if (problem.poolsBlocks)
      put(DieProblem::getPooledBlocks(used), DieProblem::getPooledBlocks(budget));
  }
  for (int64_t bits : problem.getCrossings(dies))
    put(bits, problem.wires);
  return columns;
}

namespace {
/// Bits over boundaries that have wires for them cost latency only, so that a part of the nodes
/// will do for an assignment that fits.
class EndOnceItFits : public CbcEventHandler {
public:
  EndOnceItFits(std::vector<int> excesses, int64_t nodes)
      : excesses(std::move(excesses)), nodes(nodes) {}

  CbcAction event(CbcEvent event) override {
    if (event != node || model_->getNodeCount() < nodes || !model_->bestSolution())
      return noAction;
    return fits() ? stop : noAction;
  }
  CbcEventHandler *clone() const override { return new EndOnceItFits(*this); }

private:
  bool fits() const {
    return llvm::all_of(excesses, [&](int column) {
      return model_->bestSolution()[column] < model_->getIntegerTolerance();
    });
  }

  std::vector<int> excesses; ///< Columns that are above 0 where something does not fit.
  int64_t nodes;
};
} // namespace

DieSolution Program::solve(const Dies &known, int64_t nodes) {
  CoinPackedMatrix matrix(/*colOrdered=*/false, 0, 0);
  matrix.setDimensions(0, costs.size());
  std::vector<double> least, most;
  for (const Row &row : rows) {
    matrix.appendRow(row.terms);
    least.push_back(row.least);
    most.push_back(row.most);
  }
  std::vector<double> zeros(costs.size(), 0);
  OsiClpSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  solver.loadProblem(matrix, zeros.data(), mostOf.data(), costs.data(), least.data(), most.data());
  for (int column : binaries)
    solver.setInteger(column);
  // What memory's die adds for tasks below it, which the columns count from 0.
  double offset = 0;
  for (const DieProblem::Task &task : problem.tasks)
    offset += double(task.memoryBits) * problem.memoryDie;
  CbcModel model(solver);
  model.setLogLevel(0);
  model.messageHandler()->setLogLevel(0);
  CglGomory gomory;
  CglMixedIntegerRounding2 rounding;
  model.addCutGenerator(&gomory, 1, "gomory");
  model.addCutGenerator(&rounding, 1, "rounding");
  std::vector<double> start = write(known);
  model.setBestSolution(start.data(), start.size(), problem.getCost(known) - offset,
                        /*check=*/true);
  // Nobody builds a design for which all dies together are too small.
  bool isTooLarge = problem.getLeastExcess() > 0;
  model.setMaximumNodes(isTooLarge ? nodes / shorterWhereNothingFits : nodes);
  EndOnceItFits end(excesses, nodes / shorterOnceItFits);
  model.passInEventHandler(&end);
  model.branchAndBound();
  DieSolution solution{known, problem.getCost(known), 0, model.getNodeCount()};
  if (const double *columns = model.bestSolution())
    if (Dies found = read(columns); problem.getCost(found) < solution.cost) {
      solution.dies = found;
      solution.cost = problem.getCost(found);
    }
  bool isProven = model.isProvenOptimal();
  solution.bound =
      isProven ? solution.cost : std::min(solution.cost, model.getBestPossibleObjValue() + offset);
  return solution;
}

DieSolution assignByProgram(const DieProblem &problem, const Dies &known, int64_t nodes) {
  double cost = problem.getCost(known);
  if (cost == 0 || problem.budgets.size() == 1)
    return {known, cost, cost, 0};
  return Program(problem).solve(known, nodes);
}

DieSolution assignDies(const DieProblem &problem, int64_t nodes) {
  return assignByProgram(problem, assignByMoves(problem), nodes);
}

} // namespace streamtensor::placement
