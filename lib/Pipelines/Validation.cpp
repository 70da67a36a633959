//===- Validation.cpp - Does every pass keep what a program computes? -----===//

#include "streamtensor/Pipelines/Validation.h"
#include "streamtensor/Reducer/Reducer.h"

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace streamtensor;
using interpreter::Agreement;
using interpreter::Array;
using interpreter::SumOrder;

namespace {
/// What a module computes, and how exactly.
struct Outcome {
  SmallVector<Array> results;
  SumOrder order;
};
} // namespace

/// One run of a pipeline on one module.
struct Validation::State {
  State(ValidationOptions options, PassManager &pm)
      : options(std::move(options)), passManager(&pm) {}

  LogicalResult begin(ModuleOp module);
  void check(ModuleOp module, Pass *pass, Operation *root);
  std::optional<std::string> findDifference(ModuleOp module, Outcome &outcome);
  void fail(ModuleOp module, Pass *pass, Operation *root, std::string difference);
  std::string getPipelineSoFar() const;
  void noteStart(Pass *pass);

  ValidationOptions options;
  PassManager *passManager;
  unsigned startedPasses = 0; ///< Of the outermost pipeline; passes run others in turn.
  Pass *outermost = nullptr;  ///< The last of them.
  bool isOver = false;        ///< After a failure, or if the program itself cannot be executed.
  SmallVector<Array> arguments;
  std::optional<Outcome> first, last;
  std::optional<OperationFingerPrint> fingerPrint;
  OwningOpRef<ModuleOp> input; ///< Of the pass that runs.
  std::string program;
  std::optional<ValidationFailure> failure;
};

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static ModuleOp getModule(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  return module ? module : op->getParentOfType<ModuleOp>();
}

/// A program that goes through all layers, on the tensors of one: each layer has them.
static void addLayers(func::FuncOp main, SmallVector<Array> &arguments) {
  std::optional<int64_t> layers = program::getLoopedLayers(main);
  if (!layers)
    return;
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    if (!main.getArgAttr(number, program::stackedAttrName))
      continue;
    argument.shape.insert(argument.shape.begin(), *layers);
    auto words = argument.words;
    for (int64_t layer = 1; layer < *layers; ++layer)
      llvm::append_range(argument.words, words);
  }
}

/// The results of the first layer.
static void takeLayer(func::FuncOp main, SmallVector<Array> &results) {
  std::optional<int64_t> layers = program::getLoopedLayers(main);
  if (!layers)
    return;
  for (Array &result : results) {
    result.shape.erase(result.shape.begin());
    result.words.resize(result.words.size() / *layers);
  }
}

/// What a pass made scalars of has their largest values.
static SmallVector<Array> addScalars(ModuleOp module, SmallVector<Array> arguments) {
  FailureOr<SmallVector<RankedTensorType>> types = interpreter::getArgumentTypes(module);
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (failed(types) || !main)
    return arguments;
  addLayers(main, arguments);
  for (const dataflow::ScalarArgument &scalar : dataflow::getScalarArguments(main))
    if (scalar.argument == arguments.size()) {
      Array &value = arguments.emplace_back(
          *interpreter::makeArray({}, (*types)[scalar.argument].getElementType()));
      value.words = {interpreter::Word::ofInteger(scalar.high, 64)};
    }
  return arguments;
}

/// The new elements of an argument that was updated in place of a result.
static Array takeRows(const Array &whole, unsigned dim, int64_t count) {
  SmallVector<int64_t> shape = whole.shape;
  int64_t first = shape[dim] - count; // the largest value of the scalar
  shape[dim] = count;
  Array rows = *interpreter::makeArray(shape, whole.elementType);
  SmallVector<int64_t> strides = interpreter::getStrides(whole.shape);
  size_t next = 0;
  interpreter::forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    int64_t place = first * strides[dim];
    for (auto [at, stride] : llvm::zip_equal(index, strides))
      place += at * stride;
    rows.words[next++] = whole.words[place];
  });
  return rows;
}

/// Runs `module` on the arguments of the program and gives the results of the program.
static FailureOr<SmallVector<Array>> runProgram(ModuleOp module, ArrayRef<Array> arguments) {
  SmallVector<Array> given = addScalars(module, SmallVector<Array>(arguments));
  FailureOr<SmallVector<Array>> results = interpreter::interpret(module, given);
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (succeeded(results) && main)
    for (const dataflow::Update &update : dataflow::getUpdates(main))
      (*results)[update.result] = takeRows((*results)[update.result], update.dim, update.count);
  if (succeeded(results) && main)
    takeLayer(main, *results);
  return results;
}

/// Executes the first module: what all passes must keep.
LogicalResult Validation::State::begin(ModuleOp module) {
  FailureOr<SmallVector<Array>> made = interpreter::makeRandomArguments(module, options.seed);
  if (failed(made))
    return llvm::failure();
  arguments = std::move(*made);
  FailureOr<SmallVector<Array>> results = interpreter::interpret(module, arguments);
  if (failed(results))
    return llvm::failure();
  first = last = Outcome{std::move(*results), interpreter::getSumOrder(module)};
  program = printModule(module);
  return success();
}

/// What differs from the program and from the pass's input. Errors of the run are what differs.
std::optional<std::string> Validation::State::findDifference(ModuleOp module, Outcome &outcome) {
  std::string errors;
  ScopedDiagnosticHandler collect(module.getContext(), [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(errors) << (errors.empty() ? "" : "; ") << diagnostic;
    return success();
  });
  FailureOr<SmallVector<Array>> results = runProgram(module, arguments);
  if (failed(results))
    return "its output cannot be executed: " + errors;
  outcome = {std::move(*results), interpreter::getSumOrder(module)};
  Agreement agreement = interpreter::getAgreement(last->order, outcome.order);
  if (auto difference = interpreter::findDifference(last->results, outcome.results, agreement))
    return difference;
  // Small changes must not add up.
  return interpreter::findDifference(first->results, outcome.results, Agreement::Rounding);
}

void Validation::State::check(ModuleOp module, Pass *pass, Operation *root) {
  OperationFingerPrint now(module);
  if (fingerPrint && *fingerPrint == now)
    return;
  Outcome outcome;
  if (std::optional<std::string> difference = findDifference(module, outcome))
    return fail(module, pass, root, std::move(*difference));
  last = std::move(outcome);
}

//===----------------------------------------------------------------------===//
// Failure
//===----------------------------------------------------------------------===//

/// Is this the pass that runs a pipeline on the operations inside?
static bool isAdaptor(Pass *pass) { return pass->getArgument().empty(); }

/// A pass as --pass-pipeline takes it, on `root` inside a module.
static std::string getPipeline(Pass *pass, Operation *root) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "builtin.module(";
  if (!isa<ModuleOp>(root))
    stream << root->getName() << '(';
  pass->printAsTextualPipeline(stream);
  stream << (isa<ModuleOp>(root) ? ")" : "))");
  return text;
}

void Validation::State::noteStart(Pass *pass) {
  for (auto [number, each] : llvm::enumerate(*passManager))
    if (&each == pass) {
      startedPasses = number + 1;
      outermost = pass;
    }
}

/// The outermost passes that have been started, without those that only write files.
std::string Validation::State::getPipelineSoFar() const {
  std::string text = "builtin.module(";
  bool isFirst = true;
  for (Pass &pass : llvm::make_range(passManager->begin(), passManager->begin() + startedPasses)) {
    if (pass.getArgument() == "streamtensor-dump")
      continue;
    text += isFirst ? "" : ",";
    llvm::raw_string_ostream stream(text);
    pass.printAsTextualPipeline(stream);
    isFirst = false;
  }
  return text + ")";
}

/// Writes the pass's input, headed by the command that shows the fault; the path, or nothing if
/// that was impossible.
static std::optional<std::string> writeReproducer(ModuleOp input, StringRef pass,
                                                  StringRef pipeline,
                                                  const ValidationOptions &options) {
  if (options.reproducerDirectory.empty() ||
      llvm::sys::fs::create_directories(options.reproducerDirectory))
    return std::nullopt;
  SmallString<128> path(options.reproducerDirectory);
  llvm::sys::path::append(path, "validate-" + pass + ".mlir");
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return std::nullopt;
  file->os() << "// streamtensor-opt " << path << " --pass-pipeline='" << pipeline
             << "' --validate --validate-seed=" << options.seed << "\n"
             << printModule(input);
  file->keep();
  return std::string(path);
}

void Validation::State::fail(ModuleOp module, Pass *pass, Operation *root, std::string difference) {
  isOver = true;
  bool isOfTrial = outermost != pass && !isAdaptor(outermost);
  failure = {pass->getArgument().str(), difference, getPipelineSoFar(), program, isOfTrial};
  InFlightDiagnostic error = emitError(module.getLoc(), "pass '")
                             << pass->getArgument()
                             << "' changes what the program computes: " << difference
                             << " (random arguments of seed " << options.seed << ")";
  if (auto path = writeReproducer(*input, pass->getArgument(), getPipeline(pass, root), options))
    error.attachNote() << "the pass's input is in " << *path
                       << "; its first line is the command that shows the fault";
}

//===----------------------------------------------------------------------===//
// Watching
//===----------------------------------------------------------------------===//

namespace {
/// Calls back before and after each pass; after one that failed, without an operation.
struct Watcher : PassInstrumentation {
  using Action = std::function<void(Pass *, Operation *)>;
  Watcher(Action before, Action after) : before(std::move(before)), after(std::move(after)) {}
  void runBeforePass(Pass *pass, Operation *op) override { before(pass, op); }
  void runAfterPass(Pass *pass, Operation *op) override { after(pass, op); }
  void runAfterPassFailed(Pass *pass, Operation *op) override { after(pass, nullptr); }
  Action before, after;
};
} // namespace

Validation::Validation(ValidationOptions options) : options(std::move(options)) {}
Validation::~Validation() = default;

void Validation::attach(PassManager &pm) {
  // Passes on functions read the whole module here.
  pm.getContext()->disableMultithreading();
  auto state = runs.emplace_back(std::make_shared<State>(options, pm));
  auto before = [state](Pass *pass, Operation *op) {
    state->noteStart(pass);
    if (state->isOver || isAdaptor(pass))
      return;
    ModuleOp module = getModule(op);
    if (!state->first && failed(state->begin(module))) {
      state->isOver = true;
      return;
    }
    state->input = module.clone();
    state->fingerPrint.emplace(module);
  };
  auto after = [state](Pass *pass, Operation *op) {
    if (op && !state->isOver && !isAdaptor(pass))
      state->check(getModule(op), pass, op);
    // No module may outlive its context.
    state->input = {};
  };
  pm.addInstrumentation(std::make_unique<Watcher>(before, after));
}

bool Validation::haveProgramsRun() const {
  return llvm::all_of(runs, [](const auto &run) { return !run->isOver || run->first; });
}

const ValidationFailure *Validation::getFailure() const {
  for (const auto &run : runs)
    if (run->failure)
      return &*run->failure;
  return nullptr;
}

std::optional<ValidationFailure> streamtensor::validatePipeline(ModuleOp module, StringRef pipeline,
                                                                uint64_t seed) {
  ScopedDiagnosticHandler silence(module.getContext(), [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager pm(module.getContext());
  FailureOr<OpPassManager> passes = parsePassPipeline(pipeline, llvm::nulls());
  if (failed(passes))
    return std::nullopt;
  static_cast<OpPassManager &>(pm) = std::move(*passes);
  Validation validation({seed, ""});
  validation.attach(pm);
  (void)pm.run(*copy);
  const ValidationFailure *failure = validation.getFailure();
  return failure ? std::optional(*failure) : std::nullopt;
}
