//===- Pipeline.cpp - The phases of a compilation -------------------------===//

#include "streamtensor/Pipelines/Pipeline.h"

#include "streamtensor/Conversion/Passes.h"
#include "streamtensor/Sizing/Passes.h"
#include "streamtensor/Support/DeviceModel.h"
#include "streamtensor/Transforms/Passes.h"
#include "streamtensor/Transforms/Tile/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace streamtensor;

namespace {

struct Phase {
  StringRef name;
  void (*build)(OpPassManager &, const PipelineOptions &, const DeviceModel &);
};

/// Writes the module to a file, with locations, so that a run can start there.
struct DumpPass : PassWrapper<DumpPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DumpPass)
  explicit DumpPass(std::string path) : path(std::move(path)) {}

  StringRef getArgument() const override { return "streamtensor-dump"; }
  void runOnOperation() override {
    std::string error;
    StringRef directory = llvm::sys::path::parent_path(path);
    if (std::error_code failed = llvm::sys::fs::create_directories(directory))
      return fail("cannot create the directory " + directory + ": " + failed.message());
    std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &error);
    if (!file)
      return fail(error);
    OpPrintingFlags flags;
    flags.enableDebugInfo();
    getOperation()->print(file->os(), flags);
    file->os() << '\n';
    file->os().flush();
    if (file->os().has_error()) {
      std::string reason = file->os().error().message();
      file->os().clear_error();
      return fail("cannot write " + path + ": " + reason);
    }
    file->keep();
  }

  /// No fault of the module, so it is not printed.
  void fail(const Twine &message) {
    mlir::emitError(FileLineColLoc::get(&getContext(), path, 0, 0)) << message;
    signalPassFailure();
  }

  std::string path;
};

} // namespace

/// Half of the DSPs go to multiply-adds when the user sets no budget.
static int64_t getUnrollBudget(const PipelineOptions &options, const DeviceModel &device) {
  if (options.unroll > 0)
    return options.unroll;
  constexpr double dspsPerFloatMac = 5;
  return std::max<int64_t>(device.getTotals().dsp / 2 / dspsPerFloatMac, 1);
}

/// On-chip bytes of block RAM and UltraRAM.
static int64_t getOnChipBytes(const DeviceModel &device) {
  constexpr int64_t bram36Bytes = 36864 / 8, uram288Bytes = 294912 / 8;
  return device.getTotals().bram36 * bram36Bytes + device.getTotals().uram * uram288Bytes;
}

static const Phase phases[] = {
    {"import", [](OpPassManager &pm, const PipelineOptions &options,
                  const DeviceModel &) { buildImportPhase(pm, options.sourceDir); }},
    {"linalg",
     [](OpPassManager &pm, const PipelineOptions &, const DeviceModel &) { buildLinalgPhase(pm); }},
    {"decide",
     [](OpPassManager &pm, const PipelineOptions &options, const DeviceModel &device) {
       std::string name = device.getName().str();
       if (options.schedule.empty())
         pm.addNestedPass<func::FuncOp>(createDecideTiling(
             {options.tileSize, getUnrollBudget(options, device), options.converterRule}));
       else
         pm.addNestedPass<func::FuncOp>(createReadSchedule({options.schedule, name}));
       if (!options.writeSchedule.empty())
         pm.addNestedPass<func::FuncOp>(createWriteSchedule({options.writeSchedule, name}));
     }},
    {"tile",
     [](OpPassManager &pm, const PipelineOptions &, const DeviceModel &) {
       pm.addNestedPass<func::FuncOp>(createTileLinalg());
       pm.addPass(createCanonicalizerPass());
       pm.addPass(createCSEPass());
     }},
    {"kernel",
     [](OpPassManager &pm, const PipelineOptions &, const DeviceModel &) {
       pm.addNestedPass<func::FuncOp>(createLinalgToDataflow());
     }},
    {"fuse",
     [](OpPassManager &pm, const PipelineOptions &options, const DeviceModel &device) {
       pm.addNestedPass<func::FuncOp>(createRematerialiseKernels());
       pm.addNestedPass<func::FuncOp>(
           createFuseKernels({getOnChipBytes(device), options.groupBytes, options.converterRule}));
       pm.addNestedPass<func::FuncOp>(createMergeStreams());
     }},
    {"pack",
     [](OpPassManager &pm, const PipelineOptions &, const DeviceModel &device) {
       pm.addNestedPass<func::FuncOp>(createPackTensors({device.port().burstBytes}));
     }},
    {"materialise",
     [](OpPassManager &pm, const PipelineOptions &options, const DeviceModel &) {
       pm.addNestedPass<func::FuncOp>(createMaterialiseConverters({options.converterRule}));
     }},
    {"optimise",
     [](OpPassManager &pm, const PipelineOptions &options, const DeviceModel &device) {
       pm.addNestedPass<func::FuncOp>(createEnsureSingleUse());
       pm.addNestedPass<func::FuncOp>(createVectoriseITensors({device.port().bits}));
       pm.addNestedPass<func::FuncOp>(createWidenPorts({device.port().bits}));
       pm.addNestedPass<func::FuncOp>(createPlanSums({options.device}));
     }},
    {"stream",
     [](OpPassManager &pm, const PipelineOptions &options, const DeviceModel &) {
       pm.addPass(createITensorToStream({options.device}));
       pm.addPass(createCSEPass());
     }},
    {"size",
     [](OpPassManager &pm, const PipelineOptions &options, const DeviceModel &) {
       buildSizePhase(pm, {options.device, options.sizing, options.forceDepth});
     }},
};

ArrayRef<StringRef> streamtensor::getPhaseNames() {
  static const SmallVector<StringRef> names =
      llvm::map_to_vector(phases, [](const Phase &phase) { return phase.name; });
  return names;
}

static llvm::Expected<size_t> findPhase(StringRef name) {
  ArrayRef<StringRef> names = getPhaseNames();
  auto it = llvm::find(names, name);
  if (it == names.end())
    return llvm::createStringError("unknown phase '" + name + "'; the phases are " +
                                   llvm::join(names, ", "));
  return it - names.begin();
}

llvm::Error streamtensor::buildPipeline(OpPassManager &pm, const PipelineOptions &options) {
  size_t begin = 0, end = std::size(phases);
  if (!options.startAfter.empty()) {
    llvm::Expected<size_t> phase = findPhase(options.startAfter);
    if (!phase)
      return phase.takeError();
    begin = *phase + 1;
  }
  if (!options.stopAfter.empty()) {
    llvm::Expected<size_t> phase = findPhase(options.stopAfter);
    if (!phase)
      return phase.takeError();
    end = *phase + 1;
  }
  llvm::Expected<DeviceModel> device = DeviceModel::load(options.device);
  if (!device)
    return device.takeError();
  for (size_t index = begin; index < end; ++index) {
    phases[index].build(pm, options, *device);
    if (options.dumpDir.empty())
      continue;
    SmallString<128> path(options.dumpDir);
    llvm::sys::path::append(path, llvm::formatv("{0,0+2}-{1}.mlir", index + 1, phases[index].name));
    pm.addPass(std::make_unique<DumpPass>(std::string(path)));
  }
  return llvm::Error::success();
}

namespace {
/// The paths among the options as words of their own, which may hold anything: MLIR cuts the
/// options of a pipeline at spaces, quotes and braces.
struct PathFlags {
  llvm::cl::OptionCategory category{"Paths of --streamtensor-pipeline"};
  llvm::cl::opt<std::string> device{"device", llvm::cl::desc("device file or name"),
                                    llvm::cl::cat(category)};
  llvm::cl::opt<std::string> dumpDir{"dump-dir", llvm::cl::desc("where the IR of phases goes"),
                                     llvm::cl::cat(category)};
  llvm::cl::opt<std::string> sourceDir{"source-dir",
                                       llvm::cl::desc("where headers of hand-written kernels lie"),
                                       llvm::cl::cat(category)};
  llvm::cl::opt<std::string> schedule{"schedule", llvm::cl::desc("file of choices to be taken"),
                                      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> writeSchedule{"write-schedule",
                                           llvm::cl::desc("file that choices are written to"),
                                           llvm::cl::cat(category)};
};
} // namespace

/// `options`, with the paths that stand by themselves on the command line.
static void takePaths(PipelineOptions &chosen, const PipelineOptions &options,
                      const PathFlags &flags) {
  chosen.copyOptionValuesFrom(options);
  if (!flags.device.empty())
    chosen.device = flags.device.getValue();
  if (!flags.dumpDir.empty())
    chosen.dumpDir = flags.dumpDir.getValue();
  if (!flags.sourceDir.empty())
    chosen.sourceDir = flags.sourceDir.getValue();
  if (!flags.schedule.empty())
    chosen.schedule = flags.schedule.getValue();
  if (!flags.writeSchedule.empty())
    chosen.writeSchedule = flags.writeSchedule.getValue();
}

void streamtensor::registerPipeline() {
  static PathFlags flags;
  static PassPipelineRegistration<PipelineOptions> registration(
      "streamtensor-pipeline", "the phases of a compilation, from Linalg to a sized design",
      [](OpPassManager &pm, const PipelineOptions &options) {
        PipelineOptions chosen;
        takePaths(chosen, options, flags);
        if (llvm::Error error = buildPipeline(pm, chosen))
          llvm::report_fatal_error(std::move(error), /*gen_crash_diag=*/false);
      });
}
