//===- Output.h - All files of a compilation ---------------------*- C++ -*-===//
//
// Prints a module of `dataflow.design`s and a `@main` that launches them as
// everything that a card, or a native run, needs: HLS C++, a testbench, a
// Makefile, connectivity and the interface description (design "Outputs of a
// compilation").
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_TARGET_OUTPUT_OUTPUT_H
#define STREAMTENSOR_TARGET_OUTPUT_OUTPUT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace streamtensor::target {

/// Writes hls/, host/, vitis/, params/ and interface.json below `outputDirectory`. Files are
/// first written into a directory beside it, so that an error leaves nothing
/// half-written. The module must have a device: its clock, its platform and its memory channels.
llvm::LogicalResult emitOutput(mlir::ModuleOp module, llvm::StringRef outputDirectory);

} // namespace streamtensor::target

#endif
