//===- streamtensor-run.cpp - Executing programs of any level -------------===//
//
// Runs the entry function of each given module on the same arguments. With several modules
// (the phases of one compilation, say) the results of each are compared with those of the one
// before: bit by bit where both fix the order of their sums, else within a tolerance.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Interpreter/Comparison.h"
#include "streamtensor/Interpreter/Interpreter.h"
#include "streamtensor/Interpreter/Jit.h"
#include "streamtensor/Interpreter/NumpyFile.h"
#include "streamtensor/Interpreter/Widen.h"
#include "streamtensor/Pipelines/Registration.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

#include <chrono>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;
namespace cl = llvm::cl;

static cl::OptionCategory category("streamtensor-run options");
static cl::list<std::string> files(cl::Positional, cl::desc("PROGRAM.mlir…"), cl::OneOrMore,
                                   cl::cat(category));
static cl::list<std::string> inputFiles("input", cl::desc("an argument, in order (.npy)"),
                                        cl::value_desc("file"), cl::cat(category));
static cl::list<std::string>
    scalarSettings("scalar", cl::desc("value of a scalar of the launches, else its largest"),
                   cl::value_desc("name=value"), cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("of random arguments, where no input is given"),
                              cl::init(0), cl::cat(category));
static cl::opt<std::string> outputDirectory("output-dir",
                                            cl::desc("write result0.npy, … of the last module and "
                                                     "random arg0.npy, … here"),
                                            cl::value_desc("directory"), cl::cat(category));
static cl::list<std::string>
    foundFiles("compare", cl::desc("a .npy file per result of the last module, which must agree"),
               cl::value_desc("file"), cl::cat(category));
static cl::opt<bool> withJit("jit", cl::desc("run Linalg through MLIR's own lowering instead"),
                             cl::cat(category));
static cl::opt<bool> pipelined("pipelined",
                               cl::desc("overlap the iterations of leaves as they are scheduled"),
                               cl::cat(category));
static cl::opt<bool> widens("widen",
                            cl::desc("compute in f64 what Linalg computes in f32; inputs and "
                                     "results are f64 then"),
                            cl::cat(category));
static cl::opt<bool>
    verifies("verify", cl::init(true),
             cl::desc("verify the program; without, see what a wrong one computes"),
             cl::cat(category));
static cl::opt<unsigned> elements("elements", cl::desc("to print of each result"), cl::init(6),
                                  cl::cat(category));
static cl::opt<bool> asJson("json", cl::desc("print JSON instead of a summary"), cl::cat(category));

namespace {

/// One executed module.
struct Run {
  std::string file;
  Level level;
  SumOrder order;
  double seconds;
  SmallVector<Array> results;
  std::string difference; ///< From the run before, and from what limit; empty if none.
};

class Driver {
public:
  explicit Driver(MLIRContext &context) : context(context) {}
  LogicalResult run();

private:
  LogicalResult runFile(StringRef file);
  FailureOr<SmallVector<Array>> getArguments(ModuleOp module);
  FailureOr<SmallVector<Array>> readArguments(ModuleOp module,
                                              ArrayRef<dataflow::ScalarArgument> scalars);
  LogicalResult writeArrays(StringRef prefix, ArrayRef<Array> arrays);
  FailureOr<SmallVector<Array>> getFound(ArrayRef<Array> results);
  LogicalResult compareFound();
  void printSummary();
  void printJson();

  MLIRContext &context;
  std::optional<SmallVector<Array>> arguments;
  std::string scalarSummary;
  std::vector<Run> runs;
};

} // namespace

static LogicalResult fail(llvm::Error error) {
  llvm::WithColor::error(llvm::errs(), "streamtensor-run")
      << llvm::toString(std::move(error)) << "\n";
  return failure();
}

/// The arguments from files, which hold no scalars of launches.
FailureOr<SmallVector<Array>> Driver::readArguments(ModuleOp module,
                                                    ArrayRef<dataflow::ScalarArgument> scalars) {
  FailureOr<SmallVector<RankedTensorType>> types = getArgumentTypes(module);
  if (failed(types))
    return failure();
  size_t needed = types->size() - scalars.size();
  if (needed != inputFiles.size())
    return fail(llvm::createStringError(llvm::formatv("the program takes {0} arguments, {1} are "
                                                      "given with --input",
                                                      needed, inputFiles.size())));
  SmallVector<Array> read;
  SmallVector<std::string> given(inputFiles.begin(), inputFiles.end());
  ArrayRef<std::string> files = given;
  for (auto [index, type] : llvm::enumerate(*types)) {
    if (llvm::any_of(scalars, [&](const auto &scalar) { return scalar.argument == index; })) {
      read.push_back(*makeArray(type.getShape(), type.getElementType()));
      continue;
    }
    llvm::Expected<Array> array = readNumpyFile(files.front(), type);
    if (!array)
      return fail(array.takeError());
    read.push_back(std::move(*array));
    files = files.drop_front();
  }
  return read;
}

FailureOr<SmallVector<Array>> Driver::getArguments(ModuleOp module) {
  llvm::Expected<dataflow::ScalarValues> given = dataflow::parseScalarValues(scalarSettings);
  if (!given)
    return fail(given.takeError());
  FailureOr<FunctionOpInterface> entry = getEntry(module);
  if (failed(entry) || failed(dataflow::checkGivenScalars(module, *given)))
    return failure();
  SmallVector<dataflow::ScalarArgument> scalars = dataflow::getScalarArguments(*entry);
  FailureOr<SmallVector<Array>> made =
      inputFiles.empty() ? makeRandomArguments(module, seed) : readArguments(module, scalars);
  if (failed(made))
    return failure();
  for (const dataflow::ScalarArgument &scalar : scalars) {
    auto value = given->find(scalar.name);
    bool isGiven = value != given->end();
    int64_t number = isGiven ? value->second : scalar.high;
    (*made)[scalar.argument].words.front() = Word::ofInteger(number, 64);
    scalarSummary +=
        scalar.name + " = " + std::to_string(number) + (isGiven ? "\n" : " (the largest)\n");
  }
  return made;
}

LogicalResult Driver::runFile(StringRef file) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> text = openInputFile(file, &message);
  if (!text)
    return fail(llvm::createStringError(message));
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sources, ParserConfig(&context, verifies));
  if (!module || (widens && failed(widenFloats(*module))))
    return failure();
  if (!arguments) {
    FailureOr<SmallVector<Array>> made = getArguments(*module);
    if (failed(made))
      return failure();
    arguments = std::move(*made);
  }
  auto begin = std::chrono::steady_clock::now();
  FailureOr<SmallVector<Array>> results =
      withJit ? runWithJit(*module, *arguments) : interpret(*module, *arguments, pipelined);
  if (failed(results))
    return failure();
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  Run run{file.str(),   getLevel(*module),   getSumOrder(*module),
          time.count(), std::move(*results), {}};
  if (!runs.empty()) {
    const Run &before = runs.back();
    Agreement agreement = getAgreement(before.order, run.order);
    if (auto difference = findDifference(before.results, run.results, agreement)) {
      // Sums in another order may differ, but by little.
      StringRef limit = agreement == Agreement::Bits ? ": " : " beyond the tolerance: ";
      run.difference = (limit + *difference).str();
    }
  }
  runs.push_back(std::move(run));
  return success();
}

LogicalResult Driver::writeArrays(StringRef prefix, ArrayRef<Array> arrays) {
  for (auto [index, array] : llvm::enumerate(arrays)) {
    SmallString<128> path(outputDirectory.getValue());
    llvm::sys::path::append(path, prefix + Twine(index) + ".npy");
    if (llvm::Error error = writeNumpyFile(path, array))
      return fail(std::move(error));
  }
  return success();
}

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The first elements of a result, for people.
static std::string getExcerpt(const Array &array) {
  std::string text = "[";
  llvm::raw_string_ostream stream(text);
  for (auto [index, word] : llvm::enumerate(ArrayRef(array.words).take_front(elements)))
    stream << (index ? ", " : "") << describeWord(word, array.elementType);
  stream << (array.words.size() > elements ? ", …]" : "]");
  return text;
}

void Driver::printSummary() {
  llvm::outs() << scalarSummary;
  for (const Run &run : runs) {
    llvm::outs() << llvm::formatv("{0}: level {1}, digest {2:x-16}, {3:f1} ms\n", run.file,
                                  stringifyLevel(run.level), getDigest(run.results),
                                  run.seconds * 1e3);
    if (!run.difference.empty())
      llvm::outs() << "  differs from the module before" << run.difference << "\n";
  }
  for (auto [index, array] : llvm::enumerate(runs.back().results))
    llvm::outs() << "result" << index << " " << toString(array.getType()) << " "
                 << getExcerpt(array) << "\n";
}

void Driver::printJson() {
  llvm::json::Array modules;
  for (const Run &run : runs) {
    llvm::json::Array results;
    for (const Array &array : run.results)
      results.push_back(llvm::json::Object{{"type", toString(array.getType())},
                                           {"digest", llvm::utohexstr(getDigest(array))}});
    modules.push_back(llvm::json::Object{{"file", run.file},
                                         {"level", stringifyLevel(run.level)},
                                         {"seconds", run.seconds},
                                         {"difference", run.difference},
                                         {"results", std::move(results)}});
  }
  llvm::json::Object report{{"seed", seed.getValue()}, {"modules", std::move(modules)}};
  llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(std::move(report))) << "\n";
}

FailureOr<SmallVector<Array>> Driver::getFound(ArrayRef<Array> results) {
  if (results.size() != foundFiles.size())
    return fail(llvm::createStringError(
        llvm::formatv("the program gives {0} results, {1} are given with --compare", results.size(),
                      foundFiles.size())));
  SmallVector<Array> found;
  for (auto [file, result] : llvm::zip_equal(foundFiles, results)) {
    llvm::Expected<Array> array = readNumpyFile(file, result.getType());
    if (!array)
      return fail(array.takeError());
    found.push_back(std::move(*array));
  }
  return found;
}

/// What somebody else found agrees up to rounding: sums may be added in another order.
LogicalResult Driver::compareFound() {
  if (foundFiles.empty())
    return success();
  ArrayRef<Array> results = runs.back().results;
  FailureOr<SmallVector<Array>> found = getFound(results);
  if (failed(found))
    return failure();
  std::optional<std::string> difference = findDifference(results, *found, Agreement::Rounding);
  return difference ? fail(llvm::createStringError(*difference)) : success();
}

LogicalResult Driver::run() {
  for (StringRef file : files)
    if (failed(runFile(file)))
      return failure();
  if (failed(compareFound()))
    return failure();
  if (!outputDirectory.empty()) {
    if (std::error_code code = llvm::sys::fs::create_directories(outputDirectory))
      return fail(llvm::createStringError(outputDirectory + ": " + code.message()));
    if (failed(writeArrays("result", runs.back().results)) ||
        (inputFiles.empty() && failed(writeArrays("arg", *arguments))))
      return failure();
  }
  asJson ? printJson() : printSummary();
  return success(llvm::all_of(runs, [](const Run &run) { return run.difference.empty(); }));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "StreamTensor: execute programs of any level\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  return failed(Driver(context).run());
}
