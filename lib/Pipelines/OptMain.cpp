//===- OptMain.cpp - What streamtensor-opt does ---------------------------===//

#include "streamtensor/Pipelines/OptMain.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "streamtensor/Pipelines/PassActivity.h"
#include "streamtensor/Pipelines/Registration.h"
#include "streamtensor/Pipelines/ValidatedReduction.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace streamtensor;
namespace cl = llvm::cl;

namespace {

/// Options beside those of MLIR.
struct Flags {
  cl::OptionCategory category{"Validation"};
  cl::opt<bool> validate{"validate",
                         cl::desc("Execute each pass's input and output on the same random "
                                  "arguments; name the first pass that changes a result"),
                         cl::cat(category)};
  cl::opt<uint64_t> seed{"validate-seed", cl::desc("Seed of the arguments"), cl::init(0),
                         cl::cat(category)};
  cl::opt<std::string> directory{"validate-dir",
                                 cl::desc("Where the input of a wrong pass and the reduced program "
                                          "are written"),
                                 cl::value_desc("directory"), cl::init("."), cl::cat(category)};
  cl::opt<unsigned> reduceSeconds{"validate-reduce-seconds",
                                  cl::desc("Time for making a failing program smaller (0: do not)"),
                                  cl::init(30), cl::cat(category)};
  cl::opt<std::string> activity{"pass-activity",
                                cl::desc("Write as JSON which passes ran, changed the program or "
                                         "failed, and which operations there were"),
                                cl::value_desc("file")};
};

} // namespace

static LogicalResult fail(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "streamtensor-opt") << message << "\n";
  return failure();
}

/// Makes the failing program smaller and writes it down.
static LogicalResult reduceFailure(const ValidationFailure &wrong, const Flags &flags) {
  if (flags.reduceSeconds == 0)
    return success();
  std::string reduced = reduceFailingProgram(wrong, flags.seed, flags.reduceSeconds);
  SmallString<128> path(flags.directory.getValue());
  llvm::sys::path::append(path, "reduced-" + wrong.pass + ".mlir");
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return fail(message);
  file->os() << "// streamtensor-opt " << path << " --pass-pipeline='" << wrong.pipeline
             << "' --validate --validate-seed=" << flags.seed << "\n"
             << reduced;
  file->keep();
  llvm::WithColor::note() << "the program, made as small as shows the fault, is in " << path
                          << "\n";
  return success();
}

static LogicalResult runWatched(StringRef inputFile, StringRef outputFile,
                                DialectRegistry &registry, const Flags &flags) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  Validation validation({flags.seed, flags.directory});
  PassActivity activity;
  MlirOptMainConfig watched = config;
  watched.setPassPipelineSetupFn([&](PassManager &pm) {
    if (failed(config.setupPassPipeline(pm)))
      return failure();
    if (flags.validate)
      validation.attach(pm);
    if (!flags.activity.empty())
      activity.attach(pm);
    return success();
  });
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputFile, &message);
  if (!input)
    return fail(message);
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(outputFile, &message);
  if (!output)
    return fail(message);
  LogicalResult status = MlirOptMain(output->os(), std::move(input), registry, watched);
  if (!flags.activity.empty() && failed(activity.write(flags.activity, message)))
    return fail(message);
  if (const ValidationFailure *wrong = validation.getFailure()) {
    if (wrong->isOfTrial) // Its errors are not heard.
      (void)fail("pass '" + wrong->pass + "' changes what the program computes, on the way to a " +
                 "choice: " + wrong->difference);
    (void)reduceFailure(*wrong, flags);
    return failure();
  }
  if (!validation.haveProgramsRun())
    return failure();
  if (succeeded(status))
    output->keep();
  return status;
}

int streamtensor::runOptMain(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  static Flags flags; // Registered with the command line for good.
  auto [inputFile, outputFile] =
      registerAndParseCLIOptions(argc, argv, "StreamTensor optimizer driver\n", registry);
  if (!flags.validate && flags.activity.empty())
    return asMainReturnCode(MlirOptMain(argc, argv, inputFile, outputFile, registry));
  llvm::InitLLVM init(argc, argv);
  return asMainReturnCode(runWatched(inputFile, outputFile, registry, flags));
}
