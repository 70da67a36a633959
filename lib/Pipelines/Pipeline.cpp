//===- Pipeline.cpp - The phases of a compilation -------------------------===//

#include "streamtensor/Pipelines/Pipeline.h"

#include "DecisionWays.h"

#include "streamtensor/Conversion/Passes.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h"
#include "streamtensor/Pipelines/Phases.h"
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
  void (*build)(OpPassManager &, const PipelineOptions &);
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

/// Appends what decides on tiles, orders and lanes.
static void buildDecidePhase(OpPassManager &pm, const PipelineOptions &options);

static const Phase phases[] = {
    {"import", [](OpPassManager &pm,
                  const PipelineOptions &options) { buildImportPhase(pm, options.sourceDir); }},
    {"linalg", [](OpPassManager &pm, const PipelineOptions &) { buildLinalgPhase(pm); }},
    {"decide", buildDecidePhase},
    {"tile",
     [](OpPassManager &pm, const PipelineOptions &) {
       pm.addNestedPass<func::FuncOp>(createTileLinalg());
       pm.addPass(createCanonicalizerPass());
       pm.addPass(createCSEPass());
     }},
    {"kernel",
     [](OpPassManager &pm, const PipelineOptions &) {
       pm.addNestedPass<func::FuncOp>(createLinalgToDataflow());
     }},
    {"fuse",
     [](OpPassManager &pm, const PipelineOptions &options) {
       pm.addNestedPass<func::FuncOp>(createRematerialiseKernels());
       FuseKernelsOptions fusion;
       fusion.groupBytes = options.groupBytes;
       fusion.planner = options.fusionPlan;
       fusion.converterRule = options.converterRule;
       pm.addNestedPass<func::FuncOp>(createFuseKernels(fusion));
       pm.addNestedPass<func::FuncOp>(createMergeStreams());
       pm.addNestedPass<func::FuncOp>(createShareLoads());
     }},
    {"pack", [](OpPassManager &pm,
                const PipelineOptions &) { pm.addNestedPass<func::FuncOp>(createPackTensors()); }},
    {"materialise",
     [](OpPassManager &pm, const PipelineOptions &options) {
       pm.addNestedPass<func::FuncOp>(createMaterialiseConverters({options.converterRule}));
     }},
    {"optimise",
     [](OpPassManager &pm, const PipelineOptions &options) {
       pm.addNestedPass<func::FuncOp>(createEnsureSingleUse());
       pm.addNestedPass<func::FuncOp>(createVectoriseITensors());
       pm.addNestedPass<func::FuncOp>(createWidenLoads());
       pm.addNestedPass<func::FuncOp>(createWidenStores());
       pm.addNestedPass<func::FuncOp>(createWidenPorts());
       pm.addNestedPass<func::FuncOp>(createPlanSums());
     }},
    {"stream",
     [](OpPassManager &pm, const PipelineOptions &options) {
       pm.addPass(createITensorToStream());
       pm.addPass(createEarlyDrains());
       pm.addPass(createNestBlocks());
       pm.addPass(createSingleLocks());
       pm.addPass(createCSEPass());
       pm.addPass(createRunTimeCounts());
       pm.addPass(createWriteInPlace());
       pm.addPass(createLoopLayers());
       pm.addPass(createShareEngines());
       pm.addPass(createNarrowMemories());
     }},
    {"size",
     [](OpPassManager &pm, const PipelineOptions &options) {
       buildSizePhase(pm, {options.sizing, options.fifoLoss, options.forceDepth, options.kernels,
                           options.refuseUnfit, options.mostDsps, options.mostCycles});
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

static void buildDecidePhase(OpPassManager &pm, const PipelineOptions &options) {
  if (!options.schedule.empty()) {
    pm.addNestedPass<func::FuncOp>(createPadExtents(
        {options.padding, /*odd=*/1, /*oddRows=*/1, /*extents=*/{}, options.schedule}));
    pm.addNestedPass<func::FuncOp>(
        createLayTokenWeights({/*unroll=*/0, /*laneShare=*/100, options.schedule}));
    pm.addNestedPass<func::FuncOp>(createReadSchedule({options.schedule}));
  } else {
    auto chosen = std::make_shared<PipelineOptions>();
    chosen->copyOptionValuesFrom(options);
    if (options.decision == Decision::Rules) {
      buildDecisionByRules(pm, chosen);
    } else {
      auto lower = [chosen](OpPassManager &pm) {
        for (const Phase &phase : ArrayRef(phases).slice(*findPhase("tile")).drop_back())
          phase.build(pm, *chosen);
        buildSchedulePasses(pm);
      };
      pm.addPass(createDecideDesigns(getDecisionWays(chosen), lower,
                                     {options.unroll, options.laneShare, options.padding}));
    }
  }
  if (!options.writeSchedule.empty())
    pm.addNestedPass<func::FuncOp>(createWriteSchedule({options.writeSchedule}));
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
  if (!options.device.empty())
    pm.addPass(createAttachDevice({options.device}));
  for (size_t index = begin; index < end; ++index) {
    phases[index].build(pm, options);
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
