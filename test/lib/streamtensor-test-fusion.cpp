//===- streamtensor-test-fusion.cpp - Fusion plans of random graphs -------===//
//
// Draws graphs like those of models (each node reads what a few nodes before it write; most
// tensors need a converter of a part of their size) and plans them greedily and optimally. Prints
// a JSON object for each, one a line; ends with 1 and a message where a plan breaks a law or the
// optimal one costs more. Equal seeds draw equal graphs on every machine.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/Transforms/FusionProblem.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"

#include <random>

using namespace streamtensor::dataflow;

namespace cl = llvm::cl;

static cl::opt<int64_t> count("count", cl::desc("graphs"), cl::init(100));
static cl::opt<uint64_t> seed("seed", cl::init(1));
static cl::opt<int64_t> leastNodes("least-nodes", cl::init(8));
static cl::opt<int64_t> mostNodes("most-nodes", cl::init(32));
static cl::opt<int64_t> launchBytes("launch-bytes", cl::desc("what a launch costs"),
                                    cl::init(32 * 1000 * 1000));
static cl::opt<int64_t> searchNodes("search-nodes", cl::desc("nodes of each search"),
                                    cl::init(1000));

namespace {

class Drawing {
public:
  explicit Drawing(uint64_t seed) : engine(seed) {}

  FusionProblem draw() {
    FusionProblem problem;
    int64_t nodes = pick(leastNodes, mostNodes);
    problem.nodes.assign(nodes, 0);
    for (int32_t writer = 0; writer + 1 < nodes; ++writer)
      problem.tensors.push_back({writer, {writer + 1}, pick(1, 64) << 16});
    for (int32_t reader = 2; reader < nodes; ++reader) // ways around, as residuals
      if (pick(0, 1) == 0)
        problem.tensors[pick(std::max(0, reader - maxWay), reader - 2)].readers.push_back(reader);
    int64_t all = 0;
    for (const FusionProblem::Tensor &tensor : problem.tensors)
      for (int32_t reader : tensor.readers)
        if (pick(0, 2) > 0) {
          int64_t bytes = tensor.bytes / (1 << pick(0, 4));
          problem.converters.push_back({{tensor.writer}, {reader}, bytes});
          all += bytes;
        }
    problem.maxBytes = all * pick(20, 80) / 100;
    problem.launchBytes = launchBytes;
    return problem;
  }

private:
  static constexpr int32_t maxWay = 12;

  /// No distribution of the standard library: each has draws of its own.
  int64_t pick(int64_t least, int64_t most) { return least + engine() % (most - least + 1); }

  std::mt19937_64 engine;
};

} // namespace

static llvm::json::Object describe(const FusionProblem &problem, const FusionGroups &groups) {
  return llvm::json::Object{{"groups", FusionProblem::countGroups(groups)},
          {"external_bytes", problem.getExternalBytes(groups)},
          {"cost", problem.getCost(groups)}};
}

static llvm::Error plan(const FusionProblem &problem) {
  if (llvm::Error fault = problem.check())
    return fault;
  FusionGroups greedy = planGreedily(problem);
  FusionSolution best = planOptimally(problem, greedy, searchNodes);
  for (const FusionGroups &groups : {greedy, best.groups})
    if (llvm::Error fault = problem.verify(groups))
      return fault;
  if (problem.getCost(best.groups) > problem.getCost(greedy))
    return llvm::createStringError("the optimal plan costs more than the greedy one");
  llvm::outs() << llvm::json::Value(
                      llvm::json::Object{{"nodes", static_cast<int64_t>(problem.nodes.size())},
                                         {"greedy", describe(problem, greedy)},
                                         {"optimal", describe(problem, best.groups)},
                                         {"is_proven", best.isProven},
                                         {"search_nodes", best.nodes}})
               << "\n";
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Fusion plans of random graphs\n");
  Drawing drawing(seed);
  for (int64_t number = 0; number < count; ++number)
    if (llvm::Error fault = plan(drawing.draw())) {
      llvm::WithColor::error() << "graph " << number << " of seed " << seed << ": "
                               << llvm::toString(std::move(fault)) << "\n";
      return 1;
    }
  return 0;
}
