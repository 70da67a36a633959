//===- streamtensor-opt.cpp - Pass driver ---------------------------------===//

#include "streamtensor/Pipelines/OptMain.h"

int main(int argc, char **argv) { return streamtensor::runOptMain(argc, argv); }
