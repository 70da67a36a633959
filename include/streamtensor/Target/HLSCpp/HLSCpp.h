//===- HLSCpp.h - HLS C++ from sized stream-level IR ------------*- C++ -*-===//
//
// Prints a module of `dataflow.design`s and a `@main` that launches them as
// everything that a card, or a native run, needs: HLS C++, a testbench, a
// Makefile, connectivity and the interface description (design "Outputs of a
// compilation").
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_TARGET_HLSCPP_HLSCPP_H
#define STREAMTENSOR_TARGET_HLSCPP_HLSCPP_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace streamtensor::target {

struct EmitOptions {
  /// Depth given to FIFOs that the size phase has not sized, in slots; 0 makes
  /// an unsized FIFO an error.
  int64_t unsizedDepth = 0;
};

/// Writes hls/, vitis/, params/ and interface.json below `outputDirectory`. Files are
/// first written into a directory beside it, so that an error leaves nothing
/// half-written. The module must have a device: its clock, its platform and its memory channels.
llvm::LogicalResult emitHLS(mlir::ModuleOp module, llvm::StringRef outputDirectory,
                            const EmitOptions &options);

} // namespace streamtensor::target

#endif
