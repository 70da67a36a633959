//===- ITensor.h - The itensor dialect --------------------------*- C++ -*-===//
//
// Types and operations of design "The itensor type" and "Operations".
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_ITENSOR_IR_ITENSOR_H
#define STREAMTENSOR_DIALECT_ITENSOR_IR_ITENSOR_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "streamtensor/Dialect/ITensor/IR/ITensorDialect.h.inc"
#include "streamtensor/Dialect/ITensor/IR/ITensorEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "streamtensor/Dialect/ITensor/IR/ITensorAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "streamtensor/Dialect/ITensor/IR/ITensorTypes.h.inc"

#define GET_OP_CLASSES
#include "streamtensor/Dialect/ITensor/IR/ITensor.h.inc"

#endif
