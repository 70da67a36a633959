//===- MixedBlocks.cpp - FIFOs in blocks, dealt on each die ---------------===//
//
// FIFOs in blocks have BRAM or URAM, dealt over the whole card before anybody knows the dies. Where
// that leaves a die with too much of the one and room in the other, leaves are placed with FIFOs
// that may be either. Then FIFOs are dealt again, on each die by itself. Both are as fast, so
// nothing else of the design changes.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Placement/MixedBlocks.h"

#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "streamtensor/Schedule/Memories.h"
#include "streamtensor/Support/BitWidth.h"

using namespace mlir;
using namespace streamtensor::dataflow;

namespace streamtensor::placement {
namespace {

/// A FIFO in blocks.
struct Fifo {
  StreamOp stream;
  int32_t task; ///< That it lies with.
  schedule::Banks banks;
};

} // namespace

static std::vector<Fifo> findFifos(DesignOp design, const DesignDies &described) {
  DenseMap<Operation *, int32_t> tasks;
  for (auto [leaf, task] : llvm::zip_equal(described.leaves, described.taskOf))
    tasks[leaf] = task;
  std::vector<Fifo> fifos;
  for (auto stream : design.getOps<StreamOp>()) {
    StreamType type = stream.getType();
    if (schedule::isBlock(stream.getMemory()))
      fifos.push_back({stream,
                       tasks.lookup(getEnds(stream).second),
                       {1, type.getDepth(), getBitWidth(type.getElementType())}});
  }
  return fifos;
}

/// Takes the blocks of FIFOs from their tasks.
static void takeFifos(DieProblem &problem, std::vector<Fifo> &fifos, const DeviceModel &device) {
  for (Fifo &fifo : fifos)
    problem.tasks[fifo.task].resources -= countBanks(fifo.banks, fifo.stream.getMemory(), device);
}

/// Blocks of FIFOs are of either kind, as many as of the one that needs fewer.
static void poolBlocks(DieProblem &problem, ArrayRef<Fifo> fifos, const DeviceModel &device) {
  problem.poolsBlocks = true;
  for (const Fifo &fifo : fifos)
    problem.tasks[fifo.task].eitherBlocks +=
        std::min(countBanks(fifo.banks, MemoryKind::BRAM, device).bram36,
                 countBanks(fifo.banks, MemoryKind::URAM, device).uram);
}

/// Deals the FIFOs of each die, beside the others in `problem`.
static void dealOnDies(const DieProblem &problem, const Dies &dies, std::vector<Fifo> &fifos,
                       const DeviceModel &device) {
  std::vector<DieUse> others = problem.getUse(dies);
  for (auto [die, budget] : llvm::enumerate(problem.budgets)) {
    SmallVector<StreamOp> streams;
    SmallVector<schedule::Banks> banks;
    for (Fifo &fifo : fifos)
      if (dies[fifo.task] == int32_t(die)) {
        streams.push_back(fifo.stream);
        banks.push_back(fifo.banks);
      }
    SmallVector<MemoryKind> kinds(banks.size(), MemoryKind::BRAM);
    schedule::dealBlocks(banks, others[die], budget, device, kinds);
    schedule::dealBlocksSingly(banks, others[die], budget, device, kinds);
    for (auto [stream, kind] : llvm::zip_equal(streams, kinds))
      stream.setMemory(kind);
  }
}

std::optional<DieSolution> placeMixedBlocks(DesignOp design, const DesignDies &described,
                                            const DeviceModel &device) {
  const DieProblem &problem = described.problem;
  std::vector<Fifo> fifos = findFifos(design, described);
  if (fifos.empty() || device.getPlaceable().uram == 0)
    return std::nullopt;
  DieProblem bare = problem;
  takeFifos(bare, fifos, device);
  DieProblem pooled = bare;
  poolBlocks(pooled, fifos, device);
  Dies dies = assignByMoves(pooled);
  auto before = llvm::map_to_vector(fifos, [](Fifo &fifo) { return fifo.stream.getMemory(); });
  dealOnDies(bare, dies, fifos, device);
  DieProblem dealt = describeDies(design, device).problem;
  dealt.budgets = problem.budgets; // Of which some may be left.
  if (dealt.getExcess(dies) == 0)
    return DieSolution{dies, dealt.getCost(dies)};
  for (auto [fifo, kind] : llvm::zip_equal(fifos, before))
    fifo.stream.setMemory(kind);
  return std::nullopt;
}

} // namespace streamtensor::placement
