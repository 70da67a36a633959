//===- streamtensor-sim.cpp - Cycle-level simulation driver ---------------===//
//
// Simulates the designs of a sized module. Launches run one after the other, each
// distinct design being simulated once for each set of scalars: its cycles do not depend on data.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Analysis/LaunchLoop.h"
#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Schedule/Ports.h"
#include "streamtensor/Sim/BuildMachine.h"
#include "streamtensor/Sim/Deadlock.h"
#include "streamtensor/Sim/Timeline.h"
#include "streamtensor/Sizing/DesignReport.h"
#include "streamtensor/Sizing/FifoSizing.h"
#include "streamtensor/Sizing/QuestionReport.h"
#include "streamtensor/Sizing/SizingComparison.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace streamtensor;

namespace cl = llvm::cl;

static cl::OptionCategory category("streamtensor-sim options");
static cl::opt<std::string> inputFile(cl::Positional, cl::desc("SIZED.mlir"), cl::init("-"),
                                      cl::cat(category));
static cl::opt<std::string> deviceFile("device",
                                       cl::desc("device file or name, for a module that has none"),
                                       cl::cat(category));
static cl::opt<bool> asJson("json", cl::desc("print JSON instead of a summary"), cl::cat(category));
static cl::opt<std::string> timelineFile("timeline", cl::desc("write a Chrome trace here"),
                                         cl::value_desc("file"), cl::cat(category));
static cl::opt<int64_t> activityParts("activity",
                                      cl::desc("tell in JSON where in the run tasks wait"),
                                      cl::value_desc("most parts"), cl::init(0), cl::cat(category));
static cl::opt<bool> onChipIO("on-chip-io", cl::desc("leave external memory out"),
                              cl::cat(category));
static cl::opt<double> clockMHz("clock-mhz", cl::desc("clock instead of the device's"), cl::init(0),
                                cl::cat(category));
static cl::list<std::string>
    scalarSettings("scalar", cl::desc("value of a scalar of the launches, else its largest"),
                   cl::value_desc("name=value"), cl::cat(category));
static cl::list<std::string> questionTexts(
    "what-if",
    cl::desc("edit the machine and tell what changes: \"fifo NAME depth=512\", \"port NAME "
             "bits=1024\", \"task NAME lanes=x2\", \"task NAME ii=1\"; may be given several times"),
    cl::value_desc("question"), cl::cat(category));
static cl::opt<bool> asksAdvice("advise",
                                cl::desc("try what could be widened next, the best first"),
                                cl::cat(category));
static cl::list<double> fifoLosses(
    "fifo-losses", cl::CommaSeparated,
    cl::desc("size the FIFOs anew by every strategy, the search with each of these allowed losses "
             "of speed, and tell in JSON the cycles and the memory of each"),
    cl::value_desc("fractions"), cl::cat(category));
static cl::opt<int64_t> maxSteps("max-steps", cl::desc("token accesses before giving up"),
                                 cl::init(int64_t(20) * 1000 * 1000 * 1000), cl::cat(category));

namespace {

/// A design with its run: as it was compiled, or as questions made it.
struct Simulated {
  sim::DesignMachine built;
  sim::SimResult result;
  std::optional<sim::DesignMachine> edited;
  std::vector<sizing::ComparedSizing> sizings;

  const sim::DesignMachine &getRun() const { return edited ? *edited : built; }
};

/// One launch: the design and the values of its scalars.
using Launch = std::pair<StringRef, std::vector<int64_t>>;

class Driver {
public:
  Driver(ModuleOp module, DeviceModel device, dataflow::ScalarValues scalars,
         std::vector<sim::WhatIf> questions)
      : module(module), device(std::move(device)), scalars(std::move(scalars)),
        questions(std::move(questions)) {}

  LogicalResult run();

private:
  LogicalResult simulateDesigns();
  LogicalResult simulate(dataflow::DesignOp design, const Launch &launch);
  LogicalResult checkRun(const sim::DesignMachine &built, const sim::SimResult &result);
  LogicalResult findLaunches();
  LogicalResult compareSizings();
  LogicalResult answerQuestions();
  LogicalResult answer(Simulated &run);
  std::vector<sizing::SimulatedDesign> getDesigns() const;
  int64_t countLaunches(size_t number) const;
  Resources countKernels() const;
  llvm::json::Object report() const;
  void printAnswers() const;
  LogicalResult writeTimeline() const;
  int64_t getCycles() const;

  ModuleOp module;
  DeviceModel device;
  dataflow::ScalarValues scalars;
  std::vector<sim::WhatIf> questions;
  std::vector<std::string> notes;
  std::optional<llvm::json::Object> whatIf, advice;
  /// In the order in which they run; without launches every design once.
  std::vector<Launch> launches;
  std::map<Launch, size_t> numbers; // of what was simulated
  std::vector<Simulated> simulated;
};

} // namespace

/// Memory keeps its rate; what it gives in a cycle of the design changes.
static void setClock(dataflow::DesignOp design) {
  for (auto channel : design.getOps<dataflow::ChannelOp>()) {
    dataflow::ChannelAttr facts = channel.getFacts();
    channel.setFactsAttr(dataflow::ChannelAttr::get(
        design.getContext(), facts.getBits(), facts.getKhz(), facts.getPeak(), facts.getSustained(),
        std::llround(clockMHz * 1000)));
  }
}

static sim::SimOptions getOptions() {
  sim::SimOptions options;
  options.recordSpans = !timelineFile.empty();
  options.activityParts = activityParts;
  options.maxSteps = maxSteps;
  return options;
}

LogicalResult Driver::simulate(dataflow::DesignOp design, const Launch &launch) {
  FailureOr<sim::DesignMachine> built = sim::buildMachine(design, launch.second);
  if (failed(built))
    return failure();
  // Questions ask for other depths than those of the design.
  built->machine.fifoRules = sizing::getFifoRules(device.fifo());
  sim::SimResult result = sim::simulate(built->machine, getOptions());
  // A question may be how a deadlock ends.
  if (questions.empty() || result.status != sim::SimResult::Status::Deadlock)
    if (failed(checkRun(*built, result)))
      return failure();
  numbers[launch] = simulated.size();
  simulated.push_back({std::move(*built), std::move(result), std::nullopt, {}});
  return success();
}

/// Diagnoses a run that did not end.
LogicalResult Driver::checkRun(const sim::DesignMachine &built, const sim::SimResult &result) {
  dataflow::DesignOp design = built.design;
  if (result.status == sim::SimResult::Status::Deadlock)
    return emitError(design.getLoc())
           << "design '" << design.getSymName() << "' deadlocks"
           << (questions.empty() ? "" : ", if it is as was asked; there are no cycles") << ": "
           << sim::describeDeadlock(built.machine, result.depths, result);
  if (result.status == sim::SimResult::Status::StepLimit)
    return emitError(design.getLoc()) << "design '" << design.getSymName() << "': given up after "
                                      << result.steps << " token accesses; raise --max-steps";
  return success();
}

std::vector<sizing::SimulatedDesign> Driver::getDesigns() const {
  std::vector<sizing::SimulatedDesign> designs;
  for (auto [number, run] : llvm::enumerate(simulated))
    designs.push_back({&run.built, &run.getRun().machine, &run.result, countLaunches(number)});
  return designs;
}

int64_t Driver::countLaunches(size_t number) const {
  return llvm::count_if(launches,
                        [&](const Launch &launch) { return numbers.at(launch) == number; });
}

/// The designs as they were compiled, their FIFOs sized by every strategy.
LogicalResult Driver::compareSizings() {
  if (fifoLosses.empty())
    return success();
  for (double loss : fifoLosses)
    if (!(loss >= 0)) {
      llvm::WithColor::error() << "--fifo-losses: a loss is a fraction of at least 0, not " << loss
                               << "\n";
      return failure();
    }
  for (Simulated &run : simulated) {
    dataflow::DesignOp design = run.built.design;
    std::vector<double> losses(fifoLosses.begin(), fifoLosses.end());
    auto sizings = sizing::compareSizings(run.built, device, losses);
    if (!sizings)
      return emitError(design.getLoc()) << llvm::toString(sizings.takeError());
    run.sizings = std::move(*sizings);
  }
  return success();
}

/// Runs the design as questions make it.
LogicalResult Driver::answer(Simulated &run) {
  llvm::Expected<sim::EditedMachine> edited = sim::applyWhatIfs(run.built, questions);
  if (!edited) {
    llvm::WithColor::error() << llvm::toString(edited.takeError()) << "\n";
    return failure();
  }
  run.result = sim::simulateEdited(*edited, getOptions());
  sizing::checkMasters(run.built, *edited, device);
  for (const std::string &note : edited->notes)
    if (!llvm::is_contained(notes, note))
      notes.push_back(note);
  run.edited = run.built;
  run.edited->machine = std::move(edited->machine);
  return checkRun(run.getRun(), run.result);
}

LogicalResult Driver::answerQuestions() {
  if (!questions.empty()) {
    auto machines = llvm::map_to_vector(
        simulated, [](const Simulated &run) -> const sim::DesignMachine * { return &run.built; });
    llvm::Expected<std::vector<sim::WhatIf>> resolved = sim::resolveWhatIfs(questions, machines);
    if (!resolved) {
      llvm::WithColor::error() << llvm::toString(resolved.takeError()) << "\n";
      return failure();
    }
    questions = std::move(*resolved);
    std::optional<int64_t> before;
    if (llvm::all_of(simulated, [](const Simulated &run) { return run.result.completed(); }))
      before = getCycles();
    for (Simulated &run : simulated)
      if (failed(answer(run)))
        return failure();
    whatIf = sizing::reportWhatIf(questions, before, getCycles(), getDesigns(), notes);
  }
  if (asksAdvice)
    advice = sizing::reportAdvice(sizing::advise(getDesigns(), questions, device), getCycles());
  return success();
}

LogicalResult Driver::findLaunches() {
  FailureOr<SmallVector<dataflow::ProgramRun>> runs = dataflow::getRuns(module, scalars);
  if (failed(runs))
    return failure();
  for (dataflow::ProgramRun &run : *runs)
    launches.push_back({run.launch.getDesign(), {run.scalars.begin(), run.scalars.end()}});
  return success();
}

/// Each design once for each set of scalars that it is launched with.
LogicalResult Driver::simulateDesigns() {
  for (auto design : module.getOps<dataflow::DesignOp>()) {
    if (onChipIO && failed(schedule::moveTensorsOnChip(design, device)))
      return failure();
    if (clockMHz > 0)
      setClock(design);
    std::vector<Launch> own;
    llvm::copy_if(launches, std::back_inserter(own),
                  [&](const Launch &launch) { return launch.first == design.getSymName(); });
    if (own.empty()) {
      SmallVector<int64_t> values = dataflow::getScalars(design, scalars);
      own.push_back({design.getSymName(), {values.begin(), values.end()}});
    }
    for (const Launch &launch : own)
      if (!numbers.count(launch) && failed(simulate(design, launch)))
        return failure();
  }
  if (simulated.empty() && !returnsOnlyExternal(module))
    return emitError(module.getLoc()) << "the module has no dataflow.design: run the phases up to "
                                         "size first";
  if (launches.empty())
    for (const Simulated &run : simulated)
      launches.push_back({run.built.machine.name, run.built.scalars});
  return success();
}

int64_t Driver::getCycles() const {
  int64_t cycles = 0;
  for (const Launch &launch : launches)
    cycles += simulated[numbers.at(launch)].result.cycles;
  return cycles;
}

/// Moves the entries of `from[key]` to the end of `into`, each with its design's name.
static void gather(llvm::json::Object &from, StringRef key, llvm::json::Array &into) {
  StringRef design = *from.getString("name");
  for (llvm::json::Value &entry : *from.getArray(key)) {
    entry.getAsObject()->insert({"design", design.str()});
    into.push_back(std::move(entry));
  }
  from.erase(key);
}

/// One bitstream per kernel: the largest need of each kind. A kernel is a design, or those that a
/// loop of the program launches in turn, together.
Resources Driver::countKernels() const {
  llvm::DenseMap<Operation *, Operation *> loops;
  module->walk([&](dataflow::LaunchOp launch) {
    loops[SymbolTable::lookupNearestSymbolFrom(launch, launch.getDesignAttr())] =
        getOutermostLoop(launch);
  });
  llvm::MapVector<Operation *, Resources> kernels;
  llvm::SmallDenseSet<Operation *> counted;
  for (const Simulated &run : simulated) {
    dataflow::DesignOp design = run.built.design;
    if (!counted.insert(design).second)
      continue;
    Operation *loop = loops.lookup(design);
    kernels[loop ? loop : design.getOperation()] += sizing::countDesign(run.getRun(), device);
  }
  Resources most;
  for (const auto &[kernel, used] : kernels)
    most = {std::max(most.lut, used.lut), std::max(most.ff, used.ff), std::max(most.dsp, used.dsp),
            std::max(most.bram36, used.bram36), std::max(most.uram, used.uram)};
  return most;
}

llvm::json::Object Driver::report() const {
  llvm::json::Array perDesign, tasks, fifos, buffers, channels, ports;
  sizing::MemoryBytes bytes;
  for (auto [number, run] : llvm::enumerate(simulated)) {
    llvm::json::Object entry = sizing::reportDesign(run.getRun(), run.result, device);
    entry["launches"] = countLaunches(number);
    if (!run.sizings.empty())
      entry["sizings"] = sizing::reportSizings(run.sizings, device);
    gather(entry, "tasks", tasks);
    gather(entry, "fifos", fifos);
    gather(entry, "buffers", buffers);
    gather(entry, "channels", channels);
    gather(entry, "ports", ports);
    perDesign.push_back(std::move(entry));
    sizing::MemoryBytes own = sizing::countBytes(run.getRun());
    bytes = {bytes.buffers + own.buffers, bytes.fifos + own.fifos, bytes.privates + own.privates};
  }
  int64_t cycles = getCycles();
  llvm::json::Object all{{"device", device.getName()},
                         {"card", device.getCard()},
                         {"clock_mhz", device.getClockMHz()},
                         {"on_chip_io", onChipIO.getValue()},
                         {"cycles", cycles},
                         {"seconds", cycles / (device.getClockMHz() * 1e6)},
                         {"launches", static_cast<int64_t>(launches.size())},
                         {"designs", std::move(perDesign)},
                         {"tasks", std::move(tasks)},
                         {"fifos", std::move(fifos)},
                         {"buffers", std::move(buffers)},
                         {"channels", std::move(channels)},
                         {"ports", std::move(ports)},
                         {"resources", sizing::reportResources(countKernels(), device)},
                         {"memory", llvm::json::Object{{"buffer_bytes", bytes.buffers},
                                                       {"fifo_bytes", bytes.fifos},
                                                       {"private_bytes", bytes.privates},
                                                       {"total_bytes", bytes.buffers + bytes.fifos +
                                                                           bytes.privates}}}};
  if (whatIf)
    all["what_if"] = llvm::json::Object(*whatIf);
  if (advice)
    all["advice"] = llvm::json::Object(*advice);
  return all;
}

LogicalResult Driver::writeTimeline() const {
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(timelineFile, &error);
  if (!file) {
    llvm::WithColor::error() << error << "\n";
    return failure();
  }
  bool first = true;
  int64_t begin = 0;
  file->os() << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  for (auto [index, launch] : llvm::enumerate(launches)) {
    const Simulated &run = simulated[numbers.at(launch)];
    sim::appendTrace(file->os(), run.getRun().machine, run.result, device.getClockMHz(), index,
                     begin, first);
    begin += run.result.cycles;
  }
  file->os() << "\n]}\n";
  file->keep();
  return success();
}

/// What cycles depend on besides the design: "d: tokens = 5".
static void printScalars(const Simulated &run) {
  dataflow::DesignOp design = run.built.design;
  for (auto [scalar, value] :
       llvm::zip(design.getBody().getOps<dataflow::ScalarOp>(), run.built.scalars))
    llvm::outs() << design.getSymName() << ": " << scalar.getName() << " = " << value
                 << (value == static_cast<int64_t>(scalar.getHigh()) ? " (the largest)\n" : "\n");
}

/// "one, two"; the names in an array of objects.
static std::string listNames(const llvm::json::Array &entries) {
  return llvm::join(llvm::map_range(entries,
                                    [](const llvm::json::Value &entry) {
                                      return entry.getAsObject()->getString("name")->str();
                                    }),
                    ", ");
}

/// "+4 DSP, +36 LUT": what a trial takes besides.
static std::string listCost(const llvm::json::Object &resources) {
  std::string text;
  for (auto [key, unit] : {std::pair("dsp", "DSP"), std::pair("lut", "LUT"),
                           std::pair("bram", "BRAM"), std::pair("uram", "URAM")})
    if (double count = *resources.getNumber(key))
      text += llvm::formatv("{0}{1}{2} {3}", text.empty() ? "" : ", ", count > 0 ? "+" : "",
                            llvm::json::Value(count), unit);
  return text.empty() ? "nothing" : text;
}

/// The trials that gain something.
static void printAdvice(const llvm::json::Object &advice) {
  int64_t others = 0;
  for (const llvm::json::Value &value : *advice.getArray("trials")) {
    const llvm::json::Object &trial = *value.getAsObject();
    double gain = trial.getNumber("gain_percent").value_or(0);
    if (gain <= 0) {
      ++others;
      continue;
    }
    auto texts = llvm::map_range(*trial.getArray("what_if"), [](const llvm::json::Value &text) {
      return text.getAsString()->str();
    });
    llvm::outs() << llvm::formatv("{0}: {1} cycles, gains {2:f2} % ({3})\n",
                                  llvm::join(texts, " and "), *trial.getInteger("cycles"), gain,
                                  listCost(*trial.getObject("resources")));
  }
  llvm::outs() << others << " others gain nothing";
  if (int64_t untried = *advice.getInteger("untried"))
    llvm::outs() << "; " << untried << " that could gain less were not tried";
  llvm::outs() << "\n";
}

void Driver::printAnswers() const {
  if (whatIf) {
    if (std::optional<int64_t> before = whatIf->getInteger("cycles_before"))
      llvm::outs() << llvm::formatv("{0} cycles before, {1} then: {2}{3:f2} %\n", *before,
                                    getCycles(), getCycles() > *before ? "+" : "",
                                    *whatIf->getNumber("change_percent"));
    else
      llvm::outs() << llvm::formatv("a deadlock before, {0} cycles then\n", getCycles());
    for (const std::string &note : notes)
      llvm::outs() << note << "\n";
    std::string fifos = listNames(*whatIf->getArray("critical_fifos"));
    llvm::outs() << "critical FIFOs: " << (fifos.empty() ? "none" : fifos)
                 << "\nbusiest tasks: " << listNames(*whatIf->getArray("busiest_tasks")) << "\n";
  }
  if (advice)
    printAdvice(*advice);
}

LogicalResult Driver::run() {
  if (failed(dataflow::checkGivenScalars(module, scalars)) || failed(findLaunches()) ||
      failed(simulateDesigns()) || failed(compareSizings()) || failed(answerQuestions()))
    return failure();
  if (!timelineFile.empty() && failed(writeTimeline()))
    return failure();
  if (asJson) {
    llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(report()));
    return success();
  }
  for (const Simulated &run : simulated)
    printScalars(run);
  printAnswers();
  int64_t cycles = getCycles();
  llvm::outs() << llvm::formatv("{0} cycles, {1:f3} us at {2} MHz on {3}\n", cycles,
                                cycles / device.getClockMHz(), device.getClockMHz(),
                                device.getCard());
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Cycle-level simulation of sized designs\n");

  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(inputFile, &error);
  if (!file) {
    llvm::WithColor::error() << error << "\n";
    return 1;
  }
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, dataflow::DataflowDialect, func::FuncDialect,
                  linalg::LinalgDialect, math::MathDialect, scf::SCFDialect, tensor::TensorDialect,
                  vector::VectorDialect>();
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;
  if (!deviceFile.empty() && failed(dataflow::attachDevice(*module, deviceFile)))
    return 1;
  FailureOr<const DeviceModel *> own = dataflow::getDevice(*module);
  if (failed(own))
    return 1;
  DeviceModel device = **own;
  if (clockMHz > 0)
    device.setClockMHz(clockMHz);
  llvm::Expected<dataflow::ScalarValues> scalars = dataflow::parseScalarValues(scalarSettings);
  if (!scalars) {
    llvm::WithColor::error() << llvm::toString(scalars.takeError()) << "\n";
    return 1;
  }
  std::vector<sim::WhatIf> questions;
  for (const std::string &text : questionTexts) {
    llvm::Expected<sim::WhatIf> question = sim::parseWhatIf(text);
    if (!question) {
      llvm::WithColor::error() << llvm::toString(question.takeError()) << "\n";
      return 1;
    }
    questions.push_back(std::move(*question));
  }
  return failed(
      Driver(*module, std::move(device), std::move(*scalars), std::move(questions)).run());
}
