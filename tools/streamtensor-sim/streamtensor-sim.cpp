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
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Schedule/Ports.h"
#include "streamtensor/Sim/BuildMachine.h"
#include "streamtensor/Sim/Deadlock.h"
#include "streamtensor/Sim/Timeline.h"
#include "streamtensor/Sizing/DesignReport.h"
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
static cl::opt<bool> onChipIO("on-chip-io", cl::desc("leave external memory out"),
                              cl::cat(category));
static cl::opt<double> clockMHz("clock-mhz", cl::desc("clock instead of the device's"), cl::init(0),
                                cl::cat(category));
static cl::list<std::string>
    scalarSettings("scalar", cl::desc("value of a scalar of the launches, else its largest"),
                   cl::value_desc("name=value"), cl::cat(category));
static cl::opt<int64_t> maxSteps("max-steps", cl::desc("token accesses before giving up"),
                                 cl::init(int64_t(20) * 1000 * 1000 * 1000), cl::cat(category));

namespace {

/// A design with its run.
struct Simulated {
  sim::DesignMachine built;
  sim::SimResult result;
};

/// One launch: the design and the values of its scalars.
using Launch = std::pair<StringRef, std::vector<int64_t>>;

class Driver {
public:
  Driver(ModuleOp module, DeviceModel device, dataflow::ScalarValues scalars)
      : module(module), device(std::move(device)), scalars(std::move(scalars)) {}

  LogicalResult run();

private:
  LogicalResult simulateDesigns();
  LogicalResult simulate(dataflow::DesignOp design, const Launch &launch);
  LogicalResult findLaunches();
  llvm::json::Object report() const;
  LogicalResult writeTimeline() const;
  int64_t getCycles() const;

  ModuleOp module;
  DeviceModel device;
  dataflow::ScalarValues scalars;
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

LogicalResult Driver::simulate(dataflow::DesignOp design, const Launch &launch) {
  FailureOr<sim::DesignMachine> built = sim::buildMachine(design, launch.second);
  if (failed(built))
    return failure();
  sim::SimOptions options;
  options.recordSpans = !timelineFile.empty();
  options.maxSteps = maxSteps;
  sim::SimResult result = sim::simulate(built->machine, options);
  std::vector<int64_t> depths;
  for (const sim::Fifo &fifo : built->machine.fifos)
    depths.push_back(fifo.depth);
  if (result.status == sim::SimResult::Status::Deadlock)
    return emitError(design.getLoc())
           << "design '" << design.getSymName()
           << "' deadlocks: " << sim::describeDeadlock(built->machine, depths, result);
  if (result.status == sim::SimResult::Status::StepLimit)
    return emitError(design.getLoc()) << "design '" << design.getSymName() << "': given up after "
                                      << result.steps << " token accesses; raise --max-steps";
  numbers[launch] = simulated.size();
  simulated.push_back({std::move(*built), std::move(result)});
  return success();
}

LogicalResult Driver::findLaunches() {
  WalkResult walk = module.walk([&](dataflow::LaunchOp launch) {
    FailureOr<SmallVector<int64_t>> values = dataflow::getScalars(launch, scalars);
    if (failed(values))
      return WalkResult::interrupt();
    launches.push_back({launch.getDesign(), {values->begin(), values->end()}});
    return WalkResult::advance();
  });
  return success(!walk.wasInterrupted());
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

llvm::json::Object Driver::report() const {
  llvm::json::Array perDesign, tasks, fifos, buffers, channels, ports;
  Resources used; // one bitstream per design: the largest need of each kind
  sizing::MemoryBytes bytes;
  for (auto [number, run] : llvm::enumerate(simulated)) {
    llvm::json::Object entry = sizing::reportDesign(run.built, run.result, device);
    entry["launches"] = static_cast<int64_t>(llvm::count_if(
        launches, [&](const Launch &launch) { return numbers.at(launch) == number; }));
    gather(entry, "tasks", tasks);
    gather(entry, "fifos", fifos);
    gather(entry, "buffers", buffers);
    gather(entry, "channels", channels);
    gather(entry, "ports", ports);
    perDesign.push_back(std::move(entry));
    Resources design = sizing::countDesign(run.built, device);
    used = {std::max(used.lut, design.lut), std::max(used.ff, design.ff),
            std::max(used.dsp, design.dsp), std::max(used.bram36, design.bram36),
            std::max(used.uram, design.uram)};
    sizing::MemoryBytes own = sizing::countBytes(run.built);
    bytes = {bytes.buffers + own.buffers, bytes.fifos + own.fifos, bytes.privates + own.privates};
  }
  int64_t cycles = getCycles();
  return llvm::json::Object{
      {"device", device.getName()},
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
      {"resources", sizing::reportResources(used, device)},
      {"memory",
       llvm::json::Object{{"buffer_bytes", bytes.buffers},
                          {"fifo_bytes", bytes.fifos},
                          {"private_bytes", bytes.privates},
                          {"total_bytes", bytes.buffers + bytes.fifos + bytes.privates}}}};
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
    sim::appendTrace(file->os(), run.built.machine, run.result, device.getClockMHz(), index, begin,
                     first);
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

LogicalResult Driver::run() {
  if (failed(dataflow::checkScalarNames(module, scalars)) || failed(findLaunches()) ||
      failed(simulateDesigns()))
    return failure();
  if (!timelineFile.empty() && failed(writeTimeline()))
    return failure();
  if (asJson) {
    llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(report()));
    return success();
  }
  for (const Simulated &run : simulated)
    printScalars(run);
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
                  linalg::LinalgDialect, math::MathDialect, tensor::TensorDialect,
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
  return failed(Driver(*module, std::move(device), std::move(*scalars)).run());
}
