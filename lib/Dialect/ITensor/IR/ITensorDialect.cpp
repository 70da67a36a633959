//===- ITensorDialect.cpp - Registration of the itensor dialect -----------===//

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace streamtensor::itensor;

#include "streamtensor/Dialect/ITensor/IR/ITensorDialect.cpp.inc"
#include "streamtensor/Dialect/ITensor/IR/ITensorEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "streamtensor/Dialect/ITensor/IR/ITensorAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "streamtensor/Dialect/ITensor/IR/ITensorTypes.cpp.inc"

void ITensorDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "streamtensor/Dialect/ITensor/IR/ITensorAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "streamtensor/Dialect/ITensor/IR/ITensorTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "streamtensor/Dialect/ITensor/IR/ITensor.cpp.inc"
      >();
}
