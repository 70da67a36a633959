//===- Registration.h - Dialects and passes of the tools --------*- C++ -*-===//

#ifndef STREAMTENSOR_PIPELINES_REGISTRATION_H
#define STREAMTENSOR_PIPELINES_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace streamtensor {

/// Registers every dialect that the pipeline reads or makes.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers every pass of the project and the MLIR passes that tests use.
void registerAllPasses();

} // namespace streamtensor

#endif
