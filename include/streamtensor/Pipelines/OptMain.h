//===- OptMain.h - What streamtensor-opt does -------------------*- C++ -*-===//

#ifndef STREAMTENSOR_PIPELINES_OPTMAIN_H
#define STREAMTENSOR_PIPELINES_OPTMAIN_H

namespace streamtensor {

/// The main function of a pass driver with all dialects and passes of the project (and what the
/// caller registered before): MLIR's own, with --validate. Returns the exit code.
int runOptMain(int argc, char **argv);

} // namespace streamtensor

#endif
