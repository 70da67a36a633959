//===- AssignDies.cpp - Leaves on the dies of the card --------------------===//
//
//   dataflow.leaf "q_proj" compute [4, 4, 16] ... attributes {die = "SLR1", ii = 1, ...}
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Placement/MixedBlocks.h"
#include "streamtensor/Placement/Passes.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::placement {
#define GEN_PASS_DEF_ASSIGNDIES
#include "streamtensor/Placement/Passes.h.inc"

static Dies assignByFewMoves(const DieProblem &problem) {
  constexpr int tries = 8, fewAnneals = 4;
  return assignByMoves(problem, tries, fewAnneals);
}

bool isFittedByMoves(DesignOp design, const DeviceModel &device) {
  DesignDies described = describeDies(design, device);
  return described.problem.getExcess(assignByFewMoves(described.problem)) == 0 ||
         placeMixedBlocks(design, described, device);
}

static DieSolution choose(DesignOp design, const DesignDies &described, const DeviceModel &device,
                          int64_t nodes) {
  const DieProblem &problem = described.problem;
  Dies moved = assignByFewMoves(problem);
  if (problem.getExcess(moved) > 0 && problem.getLeastExcess() == 0) {
    if (auto mixed = placeMixedBlocks(design, described, device))
      return *mixed;
    return assignDies(problem, nodes);
  }
  return assignByProgram(problem, moved, nodes);
}

void placeLeaves(DesignOp design, const DeviceModel &device, int64_t nodes,
                 ArrayRef<Resources> room) {
  DesignDies described = describeDies(design, device);
  for (auto [budget, left] : llvm::zip(described.problem.budgets, room))
    for (double Resources::*field : Resources::fields)
      budget.*field = std::max(0.0, budget.*field - left.*field);
  DieSolution solution = choose(design, described, device, nodes);
  for (auto [leaf, task] : llvm::zip_equal(described.leaves, described.taskOf))
    leaf.setDie(device.getDies()[solution.dies[task]].name);
  std::vector<int64_t> crossings = described.problem.getCrossings(solution.dies);
  int64_t bits = std::accumulate(crossings.begin(), crossings.end(), int64_t(0));
  int64_t bound = std::clamp<int64_t>(std::ceil(solution.bound - 1e-6), 0, bits);
  design.setPlacementAttr(PlacementAttr::get(design.getContext(), bits, bound, solution.nodes));
}

namespace {
struct AssignDiesPass : impl::AssignDiesBase<AssignDiesPass> {
  using AssignDiesBase::AssignDiesBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> model = getDevice(getOperation());
    if (failed(model))
      return signalPassFailure();
    for (auto design : getOperation().getOps<DesignOp>())
      placeLeaves(design, **model, nodes);
  }
};
} // namespace

} // namespace streamtensor::placement
