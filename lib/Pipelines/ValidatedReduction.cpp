//===- ValidatedReduction.cpp - Small programs for wrong passes -----------===//

#include "streamtensor/Pipelines/ValidatedReduction.h"

#include "mlir/Parser/Parser.h"
#include "streamtensor/Pipelines/Registration.h"
#include "streamtensor/Reducer/Reducer.h"

using namespace mlir;
using namespace streamtensor;

std::string streamtensor::reduceFailingProgram(const ValidationFailure &failure, uint64_t seed,
                                               unsigned seconds) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(failure.program, ParserConfig(&context));
  if (!module)
    return failure.program;
  auto hasSameFault = [&](ModuleOp candidate) {
    auto found = validatePipeline(candidate, failure.pipeline, seed);
    return found && found->pass == failure.pass;
  };
  reduceProgram(*module, hasSameFault,
                std::chrono::steady_clock::now() + std::chrono::seconds(seconds));
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  stream << '\n';
  return text;
}
