//===- Trials.h - Passes run to see what comes of them ----------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_PIPELINES_TRIALS_H
#define STREAMTENSOR_LIB_PIPELINES_TRIALS_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Sim/BuildMachine.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

namespace streamtensor {

/// What passes say, kept until it is known whether their result is.
class KeptDiagnostics {
public:
  explicit KeptDiagnostics(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          kept.push_back(std::move(diagnostic));
          return mlir::success();
        }) {}

  std::vector<mlir::Diagnostic> take() { return std::move(kept); }

private:
  std::vector<mlir::Diagnostic> kept;
  mlir::ScopedDiagnosticHandler handler;
};

inline void takeBody(mlir::ModuleOp module, mlir::ModuleOp from) {
  module.getBodyRegion().takeBody(from.getBodyRegion());
}

/// Cycles of a launch of a scheduled design whose FIFOs hold all that is worth it; none if it does
/// not end, or takes more than `most`.
std::optional<int64_t> countCycles(const sim::Machine &machine,
                                   int64_t most = std::numeric_limits<int64_t>::max());
std::optional<int64_t> countCycles(dataflow::DesignOp design, llvm::ArrayRef<int64_t> scalars);

/// What the designs ask of their dies that these have not, by more than a part of it; where leaves
/// have no dies yet, after a search by moves. Empty if they fit.
std::string findExcess(mlir::ModuleOp module, const DeviceModel &device, int tries,
                       double tolerance = 0);

/// What leaves of scheduled designs ask of the card, or of its dies, that these have not, without
/// the memory of FIFOs. Empty if they fit.
std::string findExcessOfLeaves(mlir::ModuleOp module, const DeviceModel &device);

} // namespace streamtensor

#endif
