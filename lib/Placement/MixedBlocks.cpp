//===- MixedBlocks.cpp - FIFOs in blocks, dealt on each die ---------------===//
//
// FIFOs in blocks have BRAM or URAM, dealt over the whole card before anybody knows the dies. Where
// that leaves a die with too much of the one and room in the other, leaves are placed as if both
// were one. Then FIFOs are dealt again, on each die by itself. Both are as fast, so nothing else of
// the design changes.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Placement/MixedBlocks.h"

#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Support/BitWidth.h"

#include <cmath>
#include <utility>

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::placement {
namespace {

/// FIFOs in blocks, beside whatever else is there.
struct Fifos {
  SmallVector<StreamOp> streams;
  SmallVector<int32_t> tasks; ///< That they lie with.
  SmallVector<schedule::Banks> banks;
};

} // namespace

static bool isBlock(MemoryKind kind) {
  return kind == MemoryKind::BRAM || kind == MemoryKind::URAM;
}

static Fifos findFifos(DesignOp design, const DesignDies &described) {
  DenseMap<Operation *, int32_t> tasks;
  for (auto [leaf, task] : llvm::zip_equal(described.leaves, described.taskOf))
    tasks[leaf] = task;
  Fifos fifos;
  for (auto stream : design.getOps<StreamOp>()) {
    if (!isBlock(stream.getMemory()))
      continue;
    fifos.streams.push_back(stream);
    fifos.tasks.push_back(tasks.lookup(getEnds(stream).second));
    StreamType type = stream.getType();
    fifos.banks.push_back({1, type.getDepth(), getBitWidth(type.getElementType())});
  }
  return fifos;
}

/// Takes the blocks of FIFOs from their tasks.
static void takeFifos(DieProblem &problem, const Fifos &fifos, const DeviceModel &device) {
  for (auto [stream, task, banks] : llvm::zip_equal(fifos.streams, fifos.tasks, fifos.banks)) {
    Resources blocks = countBanks(banks, StreamOp(stream).getMemory(), device);
    problem.tasks[task].resources.bram36 -= blocks.bram36;
    problem.tasks[task].resources.uram -= blocks.uram;
  }
}

/// Blocks of both kinds as one, of which a FIFO takes as many as of the kind that needs fewer.
static void poolBlocks(DieProblem &problem, const Fifos &fifos, const DeviceModel &device) {
  auto pool = [](Resources &resources) { resources.bram36 += std::exchange(resources.uram, 0); };
  // What is left for those that have more of the other kind.
  constexpr double most = 0.95;
  for (Resources &budget : problem.budgets) {
    pool(budget);
    budget.bram36 = std::floor(most * budget.bram36);
  }
  for (DieProblem::Task &task : problem.tasks)
    pool(task.resources);
  for (auto [task, banks] : llvm::zip_equal(fifos.tasks, fifos.banks))
    problem.tasks[task].resources.bram36 +=
        std::min(countBanks(banks, MemoryKind::BRAM, device).bram36,
                 countBanks(banks, MemoryKind::URAM, device).uram);
}

/// Deals the FIFOs of each die, beside the others in `problem`.
static void dealOnDies(const DieProblem &problem, const Dies &dies, Fifos &fifos,
                       const DeviceModel &device) {
  std::vector<Resources> others = problem.getUse(dies);
  for (auto [die, budget] : llvm::enumerate(problem.budgets)) {
    SmallVector<StreamOp> streams;
    SmallVector<schedule::Banks> banks;
    for (auto [stream, task, bank] : llvm::zip_equal(fifos.streams, fifos.tasks, fifos.banks))
      if (dies[task] == int32_t(die)) {
        streams.push_back(stream);
        banks.push_back(bank);
      }
    SmallVector<MemoryKind> kinds(banks.size(), MemoryKind::BRAM);
    schedule::dealBlocks(banks, others[die], budget, device, kinds);
    for (auto [stream, kind] : llvm::zip_equal(streams, kinds))
      stream.setMemory(kind);
  }
}

std::optional<DieSolution> placeMixedBlocks(DesignOp design, const DesignDies &described,
                                            const DeviceModel &device) {
  const DieProblem &problem = described.problem;
  Fifos fifos = findFifos(design, described);
  if (fifos.streams.empty() || device.getPlaceable().uram == 0)
    return std::nullopt;
  DieProblem bare = problem;
  takeFifos(bare, fifos, device);
  DieProblem pooled = bare;
  poolBlocks(pooled, fifos, device);
  Dies dies = assignByMoves(pooled);
  auto before =
      llvm::map_to_vector(fifos.streams, [](StreamOp stream) { return stream.getMemory(); });
  dealOnDies(bare, dies, fifos, device);
  DieProblem dealt = describeDies(design, device).problem;
  dealt.budgets = problem.budgets; // Of which some may be left.
  if (dealt.getExcess(dies) == 0)
    return DieSolution{dies, dealt.getCost(dies)};
  for (auto [stream, kind] : llvm::zip_equal(fifos.streams, before))
    stream.setMemory(kind);
  return std::nullopt;
}

} // namespace streamtensor::placement
