//===- Layers.h - Programs of one layer of several --------------*- C++ -*-===//
//
// What a program says about the layers of a model: that it is one of them, or that its launch goes
// through them all.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_LAYERS_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_LAYERS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace streamtensor::dataflow {

/// At @main: how many layers the model has; that the launch goes through them.
inline constexpr llvm::StringLiteral layersName = "streamtensor.layers";
inline constexpr llvm::StringLiteral loopedName = "streamtensor.looped";
/// At an argument of @main: each layer has one of its own.
inline constexpr llvm::StringLiteral stackedName = "streamtensor.stacked";
/// The scalar that says through how many layers a launch goes.
inline constexpr llvm::StringLiteral layersScalar = "layers";

/// The layers that a launch goes through at most; nothing if it runs one.
inline std::optional<int64_t> getLoopedLayers(mlir::Operation *main) {
  auto layers = main->getAttrOfType<mlir::IntegerAttr>(layersName);
  if (!layers || !main->hasAttr(loopedName))
    return std::nullopt;
  return layers.getInt();
}

} // namespace streamtensor::dataflow

#endif
