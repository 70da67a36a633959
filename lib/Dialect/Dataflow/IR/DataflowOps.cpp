//===- DataflowOps.cpp - Verifiers of the structural operations -----------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

using namespace mlir;
using namespace streamtensor::dataflow;

#define GET_OP_CLASSES
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.cpp.inc"

LogicalResult KernelOp::verify() { return success(); }
LogicalResult TaskOp::verify() { return success(); }
LogicalResult DesignOp::verify() { return success(); }
LogicalResult LaunchOp::verify() { return success(); }
