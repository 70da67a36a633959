//===- streamtensor-opt.cpp - Pass driver ---------------------------------===//

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "streamtensor/Pipelines/Registration.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  streamtensor::registerAllDialects(registry);
  streamtensor::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "StreamTensor optimizer driver\n", registry));
}
