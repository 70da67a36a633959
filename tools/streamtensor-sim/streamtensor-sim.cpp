//===- streamtensor-sim.cpp - Cycle-level simulation driver ---------------===//
//
// Simulates the designs of a sized module. Launches run one after the other, each
// distinct design being simulated once: its cycles do not depend on data.
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
static cl::opt<int64_t> maxSteps("max-steps", cl::desc("token accesses before giving up"),
                                 cl::init(int64_t(20) * 1000 * 1000 * 1000), cl::cat(category));

namespace {

/// A design with its run.
struct Simulated {
  sim::DesignMachine built;
  sim::SimResult result;
};

class Driver {
public:
  Driver(ModuleOp module, DeviceModel device) : module(module), device(std::move(device)) {}

  LogicalResult run();

private:
  LogicalResult simulateDesigns();
  SmallVector<StringRef> getLaunches();
  llvm::json::Object report(ArrayRef<StringRef> launches) const;
  LogicalResult writeTimeline(ArrayRef<StringRef> launches) const;
  int64_t getCycles(ArrayRef<StringRef> launches) const;

  ModuleOp module;
  DeviceModel device;
  llvm::MapVector<StringRef, Simulated> designs;
};

} // namespace

LogicalResult Driver::simulateDesigns() {
  for (auto design : module.getOps<dataflow::DesignOp>()) {
    if (onChipIO && failed(sizing::moveTensorsOnChip(design, device)))
      return failure();
    FailureOr<sim::DesignMachine> built = sim::buildMachine(design);
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
    designs[design.getSymName()] = {std::move(*built), std::move(result)};
  }
  if (designs.empty() && !returnsOnlyExternal(module))
    return emitError(module.getLoc()) << "the module has no dataflow.design: run the phases up to "
                                         "size first";
  return success();
}

/// Designs in the order in which they run; without launches every design once.
SmallVector<StringRef> Driver::getLaunches() {
  SmallVector<StringRef> launches;
  module.walk([&](dataflow::LaunchOp launch) {
    auto it = designs.find(launch.getDesign());
    if (it != designs.end())
      launches.push_back(it->first);
  });
  if (launches.empty())
    for (auto &[name, simulated] : designs)
      launches.push_back(name);
  return launches;
}

int64_t Driver::getCycles(ArrayRef<StringRef> launches) const {
  int64_t cycles = 0;
  for (StringRef name : launches)
    cycles += designs.find(name)->second.result.cycles;
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

llvm::json::Object Driver::report(ArrayRef<StringRef> launches) const {
  llvm::json::Array perDesign, tasks, fifos, buffers;
  Resources used; // one bitstream per design: the largest need of each kind
  sizing::MemoryBytes bytes;
  for (auto &[name, simulated] : designs) {
    llvm::json::Object entry = sizing::reportDesign(simulated.built, simulated.result, device);
    entry["launches"] = static_cast<int64_t>(llvm::count(launches, name));
    gather(entry, "tasks", tasks);
    gather(entry, "fifos", fifos);
    gather(entry, "buffers", buffers);
    perDesign.push_back(std::move(entry));
    Resources design = sizing::countDesign(simulated.built, device);
    used = {std::max(used.lut, design.lut), std::max(used.ff, design.ff),
            std::max(used.dsp, design.dsp), std::max(used.bram36, design.bram36),
            std::max(used.uram, design.uram)};
    sizing::MemoryBytes own = sizing::countBytes(simulated.built);
    bytes = {bytes.buffers + own.buffers, bytes.fifos + own.fifos, bytes.privates + own.privates};
  }
  int64_t cycles = getCycles(launches);
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
      {"resources", sizing::reportResources(used, device)},
      {"memory",
       llvm::json::Object{{"buffer_bytes", bytes.buffers},
                          {"fifo_bytes", bytes.fifos},
                          {"private_bytes", bytes.privates},
                          {"total_bytes", bytes.buffers + bytes.fifos + bytes.privates}}}};
}

LogicalResult Driver::writeTimeline(ArrayRef<StringRef> launches) const {
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(timelineFile, &error);
  if (!file) {
    llvm::WithColor::error() << error << "\n";
    return failure();
  }
  bool first = true;
  int64_t begin = 0;
  file->os() << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  for (auto [index, name] : llvm::enumerate(launches)) {
    const Simulated &simulated = designs.find(name)->second;
    sim::appendTrace(file->os(), simulated.built.machine, simulated.result, device.getClockMHz(),
                     index, begin, first);
    begin += simulated.result.cycles;
  }
  file->os() << "\n]}\n";
  file->keep();
  return success();
}

LogicalResult Driver::run() {
  if (failed(simulateDesigns()))
    return failure();
  SmallVector<StringRef> launches = getLaunches();
  if (!timelineFile.empty() && failed(writeTimeline(launches)))
    return failure();
  if (asJson) {
    llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(report(launches)));
    return success();
  }
  int64_t cycles = getCycles(launches);
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
  return failed(Driver(*module, std::move(device)).run());
}
