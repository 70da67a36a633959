//===- Dataflow.h - The dataflow dialect ------------------------*- C++ -*-===//
//
// Kernels and tasks over itensors; designs of leaf tasks, FIFOs, block buffers
// and ports (design "Operations" and "Leaf-task normal form").
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_DATAFLOW_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_DATAFLOW_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

#include "streamtensor/Dialect/Dataflow/IR/DataflowDialect.h.inc"
#include "streamtensor/Dialect/Dataflow/IR/DataflowEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "streamtensor/Dialect/Dataflow/IR/DataflowAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "streamtensor/Dialect/Dataflow/IR/DataflowTypes.h.inc"

#define GET_OP_CLASSES
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h.inc"

#endif
