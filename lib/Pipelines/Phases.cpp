//===- Phases.cpp - Phases of several passes ------------------------------===//

#include "streamtensor/Pipelines/Phases.h"

#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"
#include "streamtensor/Placement/Passes.h"
#include "streamtensor/Schedule/Passes.h"
#include "streamtensor/Transforms/Import/Passes.h"
#include "streamtensor/Transforms/Linalg/Passes.h"

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace streamtensor;

void streamtensor::buildImportPhase(OpPassManager &pm, StringRef sourceDirectory) {
  pm.addPass(createImportModule({sourceDirectory.str()}));
}

void streamtensor::buildLinalgPhase(OpPassManager &module) {
  OpPassManager &pm = module.nest<func::FuncOp>();
  pm.addPass(createGeneralizeOps());
  pm.addPass(createSelectGathers());
  pm.addPass(createSimplifyBodies());
  pm.addPass(createFoldUnitExtents());
  pm.addPass(createSimplifyBodies());
  pm.addPass(createCSEPass());
  pm.addPass(createNarrowIntegers());
  pm.addPass(createFoldCopiesIntoWriters({/*rowsOfSums=*/true}));
  pm.addPass(createAbsorbCopies());
  pm.addPass(createPropagateCopies());
  pm.addPass(createHoistSlices());
  pm.addPass(createPropagateCopies());
  pm.addPass(createFuseElementwise());
  pm.addPass(createSinkReshapes());
  pm.addPass(createPropagateCopies());
  pm.addPass(createFoldCopiesIntoWriters());
  pm.addPass(createCSEPass());
  pm.addPass(createFuseElementwise());
  pm.addPass(createLocalizeInits());
  pm.addPass(createVerifyLinalgContract());
}

static void buildMemoryPasses(OpPassManager &pm) {
  pm.addPass(schedule::createAssembleWords());
  pm.addPass(schedule::createPartitionBuffers());
  pm.addPass(schedule::createAssignMemories());
}

void streamtensor::buildPortPasses(OpPassManager &pm, int64_t cacheStripes) {
  schedule::PlanPortsOptions ports;
  ports.cacheStripes = cacheStripes;
  pm.addPass(schedule::createPlanPorts(ports));
  pm.addPass(schedule::createScheduleLeaves());
}

void streamtensor::buildDepthPasses(OpPassManager &pm, const SizePhaseOptions &options,
                                    bool strict) {
  sizing::SizeFifosOptions fifos;
  fifos.strategy = options.strategy;
  fifos.loss = options.loss;
  fifos.forceDepth = options.forceDepth;
  fifos.strict = strict;
  pm.addPass(sizing::createSizeFifos(fifos));
}

void streamtensor::buildDiePasses(OpPassManager &pm, const SizePhaseOptions &options) {
  pm.addPass(placement::createAssignDies());
  if (options.kernels == Kernels::PerDie)
    pm.addPass(sizing::createCutKernels({options.loss}));
}

void streamtensor::buildSizePhase(OpPassManager &pm, const SizePhaseOptions &options) {
  buildMemoryPasses(pm);
  pm.addPass(createSizeDesigns(options));
}

void streamtensor::buildSchedulePasses(OpPassManager &pm) {
  buildMemoryPasses(pm);
  buildPortPasses(pm, /*cacheStripes=*/1);
}

void streamtensor::buildJoinPhase(OpPassManager &pm) {
  pm.addPass(createJoinPrograms());
  // Designs stay as they were sized.
  OpPassManager &programs = pm.nest<func::FuncOp>();
  programs.addPass(createCSEPass());
  programs.addPass(createKeepLayouts());
  programs.addPass(createCanonicalizerPass());
  programs.addPass(createCSEPass());
}

namespace {
struct SizeOptions : PassPipelineOptions<SizeOptions> {
  Option<int64_t> forceDepth{*this, "force-depth", llvm::cl::init(0),
                             llvm::cl::desc("Give every FIFO this depth")};
};
} // namespace

void streamtensor::registerPhases() {
  PassPipelineRegistration<>("streamtensor-import-phase", "The phase `import`",
                             [](OpPassManager &pm) { buildImportPhase(pm); });
  PassPipelineRegistration<>("streamtensor-linalg-phase", "The phase `linalg`", buildLinalgPhase);
  PassPipelineRegistration<>("streamtensor-join-phase",
                             "Sized programs of files, launched in turn by one", buildJoinPhase);
  PassPipelineRegistration<>(
      "streamtensor-schedule-phase",
      "Partition, memory kinds, ports, schedules; depths of FIFOs as they stand",
      buildSchedulePasses);
  PassPipelineRegistration<SizeOptions>("streamtensor-size-phase",
                                        "Partition, memory kinds, schedules, FIFO depths",
                                        [](OpPassManager &pm, const SizeOptions &options) {
                                          SizePhaseOptions phase;
                                          phase.forceDepth = options.forceDepth;
                                          buildSizePhase(pm, phase);
                                        });
}
