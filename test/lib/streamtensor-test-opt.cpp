//===- streamtensor-test-opt.cpp - Pass driver with wrong passes ----------===//

#include "Miscompile.h"
#include "streamtensor/Pipelines/OptMain.h"

int main(int argc, char **argv) {
  streamtensor::test::registerMiscompilations();
  return streamtensor::runOptMain(argc, argv);
}
