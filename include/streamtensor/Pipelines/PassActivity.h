//===- PassActivity.h - Which passes of a run did something -----*- C++ -*-===//
//
// Counts, for each pass, how often it ran, changed what it was given, and failed; and names the
// operations that there were before and after the passes. The fuzzer adds this up over its
// programs: a pass or an operation that none of them reaches is not tested by them.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_PIPELINES_PASSACTIVITY_H
#define STREAMTENSOR_PIPELINES_PASSACTIVITY_H

#include "mlir/Pass/PassManager.h"

namespace streamtensor {

class PassActivity {
public:
  /// Watches the passes of `pm`, which must not outlive this object.
  void attach(mlir::PassManager &pm);
  /// Writes what was seen as JSON: `{"modules": [{"passes": {NAME: {"runs": N, "changes": N,
  /// "failures": N}}, "operations": [NAME]}]}`, a module for each part of a split input. Passes go
  /// by their names on the command line. Fails, with the reason in `message`, if that is
  /// impossible.
  llvm::LogicalResult write(llvm::StringRef path, std::string &message) const;

private:
  struct Module;
  std::vector<std::shared_ptr<Module>> modules;
};

} // namespace streamtensor

#endif
