//===- Validation.h - Does every pass keep what a program computes? -*- C++ -*-===//
//
// Runs each pass's input and output on the same random arguments. The first pass that changes a
// result is named and leaves its input behind as a file that streamtensor-opt can run.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_PIPELINES_VALIDATION_H
#define STREAMTENSOR_PIPELINES_VALIDATION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "streamtensor/Interpreter/Interpreter.h"

namespace streamtensor {

struct ValidationOptions {
  uint64_t seed = 0;               ///< Of the random arguments.
  std::string reproducerDirectory; ///< Where files of a failure go; empty: none are written.
};

/// What a wrong pass leaves behind.
struct ValidationFailure {
  std::string pass;       ///< Its name on the command line.
  std::string difference; ///< In the results, or why its output cannot be executed.
  std::string pipeline;   ///< All passes up to this one, as --pass-pipeline takes them.
  std::string program;    ///< What the first pass was given, as text.
  bool isOfTrial;         ///< Did another pass run it, which may try others if it fails?
};

class Validation {
public:
  explicit Validation(ValidationOptions options);
  ~Validation();

  /// Watches the passes of `pm`, which runs once and must not outlive this object. The passes
  /// after a failure run unwatched.
  void attach(mlir::PassManager &pm);
  /// Could the programs themselves be executed? Where not, the error has been emitted, and no pass
  /// was watched.
  bool haveProgramsRun() const;
  /// The first failure, if any; its error has been emitted.
  const ValidationFailure *getFailure() const;

private:
  struct State;
  ValidationOptions options;
  std::vector<std::shared_ptr<State>> runs; ///< One per module: an input may be split.
};

/// Runs a pipeline, written as --pass-pipeline takes it, on a module under validation, without a
/// word; nothing if the pipeline does not parse, a pass fails, or every pass is right.
std::optional<ValidationFailure> validatePipeline(mlir::ModuleOp module, llvm::StringRef pipeline,
                                                  uint64_t seed);

} // namespace streamtensor

#endif
