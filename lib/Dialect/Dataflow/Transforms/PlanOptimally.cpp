//===- PlanOptimally.cpp - The fusion plan as an integer program ----------===//
//
// Groups are numbered in the order in which they run. Node n has a binary z[n, b] for each boundary
// b between groups, 1 if it lies behind it, so z[n, b] <= z[n, b - 1], and z[writer, b] <=
// z[reader, b]: nothing is read before it is written, so no group depends on itself. A pair of
// writer and reader is apart, a[w, r] = 1, if a boundary lies between them:
//
//   z[r, b] - z[w, b] <= a[w, r] <= sum over b of z[r, b] - z[w, b]
//
// The rest follows from these: a tensor is stored if it is apart from a reader, and group g holds a
// converter, h[c, g] >= (is w in g?) - a[w, r], for each of its pairs.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/Transforms/FusionProblem.h"

#include "llvm/ADT/STLExtras.h"

#include <coin/CbcModel.hpp>
#include <coin/CglGomory.hpp>
#include <coin/CglMixedIntegerRounding2.hpp>
#include <coin/CoinPackedMatrix.hpp>
#include <coin/CoinPackedVector.hpp>
#include <coin/OsiClpSolverInterface.hpp>

#include <map>

using namespace llvm;

namespace streamtensor::dataflow {
namespace {

class Program {
public:
  /// For plans of at most so many groups.
  Program(const FusionProblem &problem, int32_t mostGroups)
      : problem(problem), boundaries(mostGroups - 1) {
    addNodes();
    addTensors();
    addMemory();
  }

  FusionSolution solve(const FusionGroups &known, int64_t nodes);

private:
  /// Columns with their factors, and a constant.
  struct Sum {
    std::map<int, double> terms;
    double constant = 0;

    void add(int column, double factor) { terms[column] += factor; }
  };

  int addColumn(double cost, bool isBinary = false) {
    costs.push_back(cost);
    if (isBinary)
      binaries.push_back(costs.size() - 1);
    return costs.size() - 1;
  }
  /// sum <= 0
  void addRow(const Sum &sum) {
    CoinPackedVector row;
    for (auto [column, factor] : sum.terms)
      row.insert(column, factor);
    rows.push_back(row);
    mostOf.push_back(-sum.constant);
  }
  int behind(int32_t node, int32_t boundary) const { return node * boundaries + boundary; }
  int getApart(int32_t writer, int32_t reader);
  /// Adds `factor` x (is the node in the group?).
  void addMembership(Sum &sum, int32_t node, int32_t group, double factor) const;
  void addNodes();
  void addTensors();
  void addMemory();
  void addHeld(Sum &used, const FusionProblem::Converter &converter, int32_t group);
  void addAlone(int32_t node, int32_t group);
  FusionGroups read(const double *columns) const;

  const FusionProblem &problem;
  int32_t boundaries;
  std::vector<double> costs, mostOf;
  std::vector<int> binaries;
  std::vector<CoinPackedVector> rows;
  std::map<std::pair<int32_t, int32_t>, int> apart;
};

} // namespace

/// A boundary costs a launch if any node lies behind it.
void Program::addNodes() {
  int32_t count = problem.nodes.size();
  for (int32_t node = 0; node < count; ++node)
    for (int32_t boundary = 0; boundary < boundaries; ++boundary)
      addColumn(0, /*isBinary=*/true);
  for (int32_t boundary = 0; boundary < boundaries; ++boundary) {
    int launched = addColumn(problem.launchBytes);
    for (int32_t node = 0; node < count; ++node) {
      Sum isBehind;
      isBehind.add(behind(node, boundary), 1);
      isBehind.add(launched, -1);
      addRow(isBehind);
      if (boundary == 0)
        continue;
      Sum order;
      order.add(behind(node, boundary), 1);
      order.add(behind(node, boundary - 1), -1);
      addRow(order);
    }
  }
}

int Program::getApart(int32_t writer, int32_t reader) {
  auto [place, isNew] = apart.try_emplace({writer, reader}, 0);
  if (!isNew)
    return place->second;
  int column = place->second = addColumn(0);
  Sum all;
  all.add(column, 1);
  for (int32_t boundary = 0; boundary < boundaries; ++boundary) {
    Sum order, one;
    order.add(behind(writer, boundary), 1);
    order.add(behind(reader, boundary), -1);
    addRow(order);
    one.add(behind(reader, boundary), 1);
    one.add(behind(writer, boundary), -1);
    one.add(column, -1);
    addRow(one);
    all.add(behind(reader, boundary), -1);
    all.add(behind(writer, boundary), 1);
  }
  addRow(all);
  return column;
}

void Program::addTensors() {
  for (const FusionProblem::Tensor &tensor : problem.tensors) {
    int stored = addColumn(tensor.isResult ? 0 : tensor.bytes);
    for (int32_t reader : tensor.readers) {
      int column = getApart(tensor.writer, reader);
      costs[column] += tensor.bytes;
      Sum isStored;
      isStored.add(column, 1);
      isStored.add(stored, -1);
      addRow(isStored);
    }
  }
}

void Program::addMembership(Sum &sum, int32_t node, int32_t group, double factor) const {
  if (group == 0)
    sum.constant += factor;
  else
    sum.add(behind(node, group - 1), factor);
  if (group < boundaries)
    sum.add(behind(node, group), -factor);
}

void Program::addHeld(Sum &used, const FusionProblem::Converter &converter, int32_t group) {
  int held = addColumn(0);
  used.add(held, converter.bytes);
  for (int32_t writer : converter.writers)
    for (int32_t reader : converter.readers) {
      Sum isHeld;
      addMembership(isHeld, writer, group, 1);
      isHeld.add(getApart(writer, reader), -1);
      isHeld.add(held, -1);
      addRow(isHeld);
    }
}

/// A node that does not fit with others shares its group with none.
void Program::addAlone(int32_t node, int32_t group) {
  for (int32_t other = 0; other < static_cast<int32_t>(problem.nodes.size()); ++other) {
    if (other == node)
      continue;
    Sum both;
    addMembership(both, node, group, 1);
    addMembership(both, other, group, 1);
    both.constant -= 1;
    addRow(both);
  }
}

void Program::addMemory() {
  for (int32_t group = 0; group <= boundaries; ++group) {
    Sum used;
    used.constant = -problem.maxBytes;
    for (auto [node, own] : enumerate(problem.nodes)) {
      bool isTooLarge = own > problem.maxBytes;
      addMembership(used, node, group, isTooLarge ? problem.maxBytes : own);
      if (isTooLarge)
        addAlone(node, group);
    }
    for (const FusionProblem::Converter &converter : problem.converters)
      if (converter.bytes > 0)
        addHeld(used, converter, group);
    // In parts of the memory, so that tolerances are parts of it too.
    double scale = std::max<int64_t>(problem.maxBytes, 1);
    for (auto &[column, factor] : used.terms)
      factor /= scale;
    used.constant /= scale;
    addRow(used);
  }
}

/// The groups that have members, numbered anew.
FusionGroups Program::read(const double *columns) const {
  FusionGroups groups(problem.nodes.size(), 0);
  for (size_t node = 0; node < groups.size(); ++node)
    for (int32_t boundary = 0; boundary < boundaries; ++boundary)
      groups[node] += columns[behind(node, boundary)] > 0.5;
  FusionGroups numbers(boundaries + 1, 0);
  for (int32_t group = 0, next = 0; group <= boundaries; ++group)
    if (is_contained(groups, group))
      numbers[group] = next++;
  for (int32_t &group : groups)
    group = numbers[group];
  return groups;
}

FusionSolution Program::solve(const FusionGroups &known, int64_t nodes) {
  CoinPackedMatrix matrix(/*colOrdered=*/false, 0, 0);
  matrix.setDimensions(0, costs.size());
  for (const CoinPackedVector &row : rows)
    matrix.appendRow(row);
  std::vector<double> zeros(costs.size(), 0), ones(costs.size(), 1);
  std::vector<double> least(rows.size(), -COIN_DBL_MAX);
  // One launch is one, so that tolerances are small parts of it.
  double scale = std::max<int64_t>(problem.launchBytes, 1);
  std::vector<double> scaled = costs;
  for (double &cost : scaled)
    cost /= scale;
  OsiClpSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  solver.loadProblem(matrix, zeros.data(), ones.data(), scaled.data(), least.data(), mostOf.data());
  for (int column : binaries)
    solver.setInteger(column);
  CbcModel model(solver);
  model.setLogLevel(0);
  model.messageHandler()->setLogLevel(0);
  CglGomory gomory;
  CglMixedIntegerRounding2 rounding;
  model.addCutGenerator(&gomory, -99, "gomory");
  model.addCutGenerator(&rounding, -99, "rounding");
  FusionSolution solution{known, problem.getCost(known)};
  // The first group's launch is no column. Only what is cheaper by a byte is looked for.
  model.setCutoff((solution.cost - problem.launchBytes - 0.5) / scale);
  model.setMaximumNodes(nodes);
  model.branchAndBound();
  solution.nodes = model.getNodeCount();
  if (const double *columns = model.bestSolution())
    if (FusionGroups found = read(columns); problem.getCost(found) < solution.cost) {
      // What is within the solver's tolerance of the memory may be beyond it.
      if (Error fault = problem.verify(found)) {
        consumeError(std::move(fault));
        return solution;
      }
      solution.groups = found;
      solution.cost = problem.getCost(found);
    }
  solution.isProven = model.isProvenOptimal() || model.isProvenInfeasible();
  return solution;
}

FusionSolution planOptimally(const FusionProblem &problem, const FusionGroups &known,
                             int64_t nodes) {
  int32_t count = problem.nodes.size();
  FusionGroups together(count, 0);
  Error fault = problem.verify(together);
  bool isOne = !fault;
  consumeError(std::move(fault));
  if (isOne)
    return {together, problem.getCost(together), /*isProven=*/true, 0};
  // More groups than that cost more by their launches alone.
  int64_t cost = problem.getCost(known);
  int64_t most = problem.launchBytes > 0 ? cost / problem.launchBytes : count;
  int32_t mostGroups = std::min<int64_t>(count, most);
  if (mostGroups < 2)
    return {known, cost, /*isProven=*/true, 0};
  return Program(problem, mostGroups).solve(known, nodes);
}

} // namespace streamtensor::dataflow
