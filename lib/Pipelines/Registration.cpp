//===- Registration.cpp - Dialects and passes of the tools ----------------===//

#include "streamtensor/Pipelines/Registration.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tensor/IR/TensorTilingInterfaceImpl.h"
#include "streamtensor/Conversion/Passes.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h"
#include "streamtensor/Dialect/Program/IR/Program.h"
#include "streamtensor/Pipelines/Phases.h"
#include "streamtensor/Pipelines/Pipeline.h"
#include "streamtensor/Placement/Passes.h"
#include "streamtensor/Schedule/Passes.h"
#include "streamtensor/Sizing/Passes.h"
#include "streamtensor/Transforms/Import/Passes.h"
#include "streamtensor/Transforms/Linalg/Passes.h"
#include "streamtensor/Transforms/Tile/Passes.h"

using namespace mlir;

void streamtensor::registerAllDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  dataflow::DataflowDialect, func::FuncDialect, itensor::ITensorDialect,
                  linalg::LinalgDialect, math::MathDialect, ml_program::MLProgramDialect,
                  program::ProgramDialect, scf::SCFDialect, tensor::TensorDialect,
                  vector::VectorDialect>();
  linalg::registerTilingInterfaceExternalModels(registry);
  tensor::registerTilingInterfaceExternalModels(registry);
}

void streamtensor::registerAllPasses() {
  mlir::registerTransformsPasses();
  mlir::registerLinalgPasses();
  registerImportPasses();
  registerLinalgPhasePasses();
  registerStreamTensorTilePasses();
  registerDataflowTransformsPasses();
  registerITensorTransformsPasses();
  registerConversionPasses();
  placement::registerPlacementPasses();
  schedule::registerSchedulePasses();
  sizing::registerSizingPasses();
  registerPhases();
  registerPipeline();
}
