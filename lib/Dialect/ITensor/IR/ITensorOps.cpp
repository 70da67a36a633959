//===- ITensorOps.cpp - Verifiers of the itensor operations ---------------===//

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

using namespace mlir;
using namespace streamtensor::itensor;

#define GET_OP_CLASSES
#include "streamtensor/Dialect/ITensor/IR/ITensor.cpp.inc"

LogicalResult ReadOp::verify() { return success(); }
LogicalResult WriteOp::verify() { return success(); }
LogicalResult CastOp::verify() { return success(); }
LogicalResult ReassociateOp::verify() { return success(); }
LogicalResult ConverterOp::verify() { return success(); }
LogicalResult ChunkOp::verify() { return success(); }
LogicalResult ConcatOp::verify() { return success(); }
LogicalResult PadOp::verify() { return success(); }
LogicalResult ForkOp::verify() { return success(); }
LogicalResult FromTensorOp::verify() { return success(); }
LogicalResult ToTensorOp::verify() { return success(); }
