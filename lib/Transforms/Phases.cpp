//===- Phases.cpp - The phases import and linalg --------------------------===//

#include "streamtensor/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

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

void streamtensor::registerImportAndLinalgPhases() {
  registerStreamTensorTransformsPasses();
  PassPipelineRegistration<>("streamtensor-import-phase", "The phase `import`",
                             [](OpPassManager &pm) { buildImportPhase(pm); });
  PassPipelineRegistration<>("streamtensor-linalg-phase", "The phase `linalg`", buildLinalgPhase);
}
