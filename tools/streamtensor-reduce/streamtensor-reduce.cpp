//===- streamtensor-reduce.cpp - Making failing programs smaller ----------===//
//
// Takes parts of a program of Linalg on tensors away as long as a command fails in the same way
// on what is left: with the same exit code, or by the same signal. For passes that change what a
// program computes, `streamtensor-opt --validate` does this by itself.
//
//===----------------------------------------------------------------------===//

#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "streamtensor/Pipelines/Registration.h"
#include "streamtensor/Reducer/Reducer.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace streamtensor;
namespace cl = llvm::cl;

static cl::OptionCategory category("streamtensor-reduce options");
static cl::opt<std::string> inputFile(cl::Positional, cl::desc("PROGRAM.mlir"), cl::Required,
                                      cl::cat(category));
static cl::opt<std::string> test("test", cl::Required, cl::value_desc("command"),
                                 cl::desc("shell command that fails on the program, whose path it "
                                          "finds in $PROGRAM"),
                                 cl::cat(category));
static cl::opt<std::string> outputFile("o", cl::desc("where the reduced program goes"),
                                       cl::init("-"), cl::cat(category));
static cl::opt<unsigned> timeLimit("time-limit", cl::desc("seconds in all"), cl::init(60),
                                   cl::cat(category));
static cl::opt<unsigned> testLimit("test-time-limit",
                                   cl::desc("seconds for one run of the command; one that takes "
                                            "longer has failed by not ending"),
                                   cl::init(20), cl::cat(category));

static int fail(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "streamtensor-reduce") << message << "\n";
  return 1;
}

/// How the command ends on the program: its exit code, or a negative number for a signal or the
/// time limit.
static int runTest(ModuleOp module, StringRef path) {
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (code)
    return 0;
  file << printModule(module);
  file.close();
  std::string script = "PROGRAM='" + path.str() + "'; " + test;
  std::optional<StringRef> silent[] = {"", "", ""};
  return llvm::sys::ExecuteAndWait("/bin/sh", {"/bin/sh", "-c", script}, std::nullopt, silent,
                                   testLimit);
}

static int reduce(ModuleOp module, StringRef scratch) {
  int expected = runTest(module, scratch);
  if (expected == 0)
    return fail("the command succeeds on the program: there is nothing to look for");
  auto failsAlike = [&](ModuleOp candidate) { return runTest(candidate, scratch) == expected; };
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(timeLimit);
  unsigned tried = reduceProgram(module, failsAlike, deadline);
  llvm::WithColor::note(llvm::errs(), "streamtensor-reduce")
      << "tried " << tried << " programs that are smaller\n";
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(outputFile, &message);
  if (!output)
    return fail(message);
  output->os() << printModule(module);
  output->keep();
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "StreamTensor: make a failing program smaller\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> text = openInputFile(inputFile, &message);
  if (!text)
    return fail(message);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  SmallString<128> scratch;
  if (!module || llvm::sys::fs::createTemporaryFile("reduce", "mlir", scratch))
    return 1;
  int code = reduce(*module, scratch);
  llvm::sys::fs::remove(scratch);
  return code;
}
