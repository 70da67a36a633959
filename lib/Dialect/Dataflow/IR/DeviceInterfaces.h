//===- DeviceInterfaces.h - What the dialect needs for devices --*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_IR_DEVICEINTERFACES_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_IR_DEVICEINTERFACES_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::dataflow {

/// Models and printed names of devices.
void addDeviceInterfaces(DataflowDialect &dialect);

/// Law [module.device] of the attribute `dataflow.device` of `op`.
llvm::LogicalResult verifyDeviceAttribute(mlir::Operation *op, mlir::Attribute device);

/// The content of a device, a key a line.
mlir::ParseResult parseDeviceContent(mlir::AsmParser &parser, mlir::DictionaryAttr &content);
void printDeviceContent(mlir::AsmPrinter &printer, mlir::DictionaryAttr content);

} // namespace streamtensor::dataflow

#endif
