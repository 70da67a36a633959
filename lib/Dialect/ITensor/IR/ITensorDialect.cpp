//===- ITensorDialect.cpp - Registration of the itensor dialect -----------===//

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace streamtensor::itensor;

#include "streamtensor/Dialect/ITensor/IR/ITensorDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "streamtensor/Dialect/ITensor/IR/ITensorTypes.cpp.inc"

void ITensorDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "streamtensor/Dialect/ITensor/IR/ITensorTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "streamtensor/Dialect/ITensor/IR/ITensor.cpp.inc"
      >();
}
