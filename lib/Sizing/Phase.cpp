//===- Phase.cpp - The phase size -----------------------------------------===//

#include "streamtensor/Sizing/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace streamtensor {

void buildSizePhase(OpPassManager &pm, const SizePhaseOptions &options) {
  sizing::SizeFifosOptions fifos;
  fifos.strategy = options.strategy;
  fifos.forceDepth = options.forceDepth;
  pm.addPass(sizing::createPartitionBuffers());
  pm.addPass(sizing::createAssignMemories());
  pm.addPass(sizing::createScheduleLeaves());
  pm.addPass(sizing::createSizeFifos(fifos));
}

namespace {
struct PhaseOptions : PassPipelineOptions<PhaseOptions> {
  Option<int64_t> forceDepth{*this, "force-depth", llvm::cl::init(0),
                             llvm::cl::desc("Give every FIFO this depth")};
};
} // namespace

void registerSizePhase() {
  sizing::registerStreamTensorSizingPasses();
  PassPipelineRegistration<PhaseOptions>("streamtensor-size-phase",
                                         "Partition, memory kinds, schedules, FIFO depths",
                                         [](OpPassManager &pm, const PhaseOptions &options) {
                                           SizePhaseOptions phase;
                                           phase.forceDepth = options.forceDepth;
                                           buildSizePhase(pm, phase);
                                         });
}

} // namespace streamtensor
