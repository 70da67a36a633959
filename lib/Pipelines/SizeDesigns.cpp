//===- SizeDesigns.cpp - Sizes, with the stripes of caches that dies hold -===//
//
// A tensor that a launch reads and updates (a cache) has one master, and where all wait for that,
// several (StripeCaches.cpp), as many as there are or two. Each takes wires between dies, and
// whether there are enough is known only when FIFOs have their depths and leaves their dies. So a
// design with stripes is taken if no launch of those that are looked at is slower, before FIFOs
// have depths, and if its dies hold it then; else a warning says why not, and caches have one
// master each.
//
// That dies do not hold it is mostly known before depths are: leaves without the memory of FIFOs
// are placed first. Where another design would be compiled instead (`refusesUnfit`), that is an
// error before the search for depths, which takes most of the time. So is a limit that leaves alone
// are beyond.
//
//===----------------------------------------------------------------------===//

#include "Trials.h"

#include "streamtensor/Pipelines/Phases.h"

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Schedule/Ports.h"
#include "streamtensor/Sizing/DesignReport.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

namespace {

/// The caches of a design that keep it waiting, and the scalars that say how much is read of them.
struct SlowCaches {
  std::string design;
  SmallVector<std::string> caches;
  llvm::StringSet<> scalars;
};

class SizeDesignsPass : public PassWrapper<SizeDesignsPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SizeDesignsPass)
  explicit SizeDesignsPass(const SizePhaseOptions &options) : options(options) {}

  StringRef getArgument() const override { return "streamtensor-size-designs"; }
  StringRef getDescription() const override {
    return "Ports, schedules, FIFO depths and dies, with the stripes of caches that dies hold";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager all(ModuleOp::getOperationName());
    buildPortPasses(all, /*cacheStripes=*/1);
    buildDepthPasses(all, options, /*strict=*/false);
    buildDiePasses(all, options);
    all.getDependentDialects(registry);
  }
  void runOnOperation() override;

private:
  using Build = function_ref<void(OpPassManager &)>;
  LogicalResult run(Build build, std::vector<Diagnostic> &said);
  LogicalResult planPorts(int64_t stripes, std::vector<Diagnostic> &said) {
    return run([&](OpPassManager &passes) { buildPortPasses(passes, stripes); }, said);
  }
  LogicalResult chooseDepths(bool strict, std::vector<Diagnostic> &said) {
    return run([&](OpPassManager &passes) { buildDepthPasses(passes, options, strict); }, said);
  }
  LogicalResult assignDies(std::vector<Diagnostic> &said) {
    return run([&](OpPassManager &passes) { buildDiePasses(passes, options); }, said);
  }
  bool tryStripes(ModuleOp unplanned, ArrayRef<SlowCaches> slow, std::vector<Diagnostic> &said);
  std::optional<std::string> findFault(ModuleOp unplanned, ModuleOp plain,
                                       ArrayRef<SlowCaches> slow, int64_t stripes,
                                       std::vector<Diagnostic> &said);

  SizePhaseOptions options;
  const DeviceModel *device = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

static std::vector<SlowCaches> findSlowCaches(ModuleOp module, const DeviceModel &device) {
  std::vector<SlowCaches> found;
  for (auto design : module.getOps<DesignOp>()) {
    SlowCaches slow{design.getSymName().str(), {}, {}};
    DenseSet<Value> rounds = getRoundScalars(design);
    for (PortOp port : schedule::getSlowCaches(design, device)) {
      slow.caches.push_back(port.getName().str());
      for (Operation *user : port->getUsers())
        if (auto load = dyn_cast<LoadOp>(user))
          for (Value scalar : getLeaf(load).getScalars())
            if (!rounds.contains(scalar))
              slow.scalars.insert(scalar.getDefiningOp<ScalarOp>().getName());
    }
    if (!slow.caches.empty())
      found.push_back(std::move(slow));
  }
  return found;
}

/// The most masters that one of the caches has.
static int64_t getMostStripes(ModuleOp module, ArrayRef<SlowCaches> slow) {
  int64_t most = 1;
  for (const SlowCaches &each : slow)
    for (auto port : module.lookupSymbol<DesignOp>(each.design).getOps<PortOp>())
      if (llvm::is_contained(each.caches, port.getName()))
        most = std::max(most, port.getNumStripes());
  return most;
}

//===----------------------------------------------------------------------===//
// Fit
//===----------------------------------------------------------------------===//

/// Fails where leaves do not fit the card, FIFOs left out: with them it takes more.
static LogicalResult checkLeavesFit(ModuleOp module, const DeviceModel &device) {
  std::string excess = findExcessOfLeaves(module, device);
  if (excess.empty())
    return success();
  return mlir::emitError(module.getLoc())
         << "[size.unfit] the design takes more than the device has on chip, "
            "even without the memory of FIFOs"
         << excess;
}

/// Fails where leaves of a design alone take more than what is asked for at most.
static LogicalResult checkLimits(ModuleOp module, const SizePhaseOptions &options,
                                 const DeviceModel &device) {
  // FIFOs have latencies, and who comes first to a shared channel changes with their depths.
  constexpr double mostSaved = 0.05;
  if (options.mostDsps == 0 && options.mostCycles == 0)
    return success();
  for (auto design : module.getOps<DesignOp>()) {
    FailureOr<sim::DesignMachine> built = sim::buildMachine(design, getLargestScalars(design));
    if (failed(built))
      return failure();
    double dsps = std::ceil(sizing::countTasksAndBuffers(*built, device).dsp);
    if (options.mostDsps > 0 && dsps > options.mostDsps)
      return design.emitError() << "[size.limit] the design takes " << int64_t(dsps)
                                << " DSPs, more than the " << options.mostDsps << " asked for";
    if (options.mostCycles > 0 &&
        !countCycles(built->machine, options.mostCycles / (1 - mostSaved)))
      return design.emitError() << "[size.limit] a launch takes more than the "
                                << options.mostCycles
                                << " cycles asked for, even with FIFOs that hold all";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Speed
//===----------------------------------------------------------------------===//

/// Launches with caches filled in a few steps, with the least of other scalars, and as little and
/// as far as they can be, with the largest; the first layers, of which others repeat the last.
static SmallVector<SmallVector<int64_t>> getTrialLaunches(DesignOp design,
                                                          const llvm::StringSet<> &filled) {
  constexpr int64_t steps = 4, layers = 2;
  DenseSet<Value> rounds = getRoundScalars(design);
  SmallVector<int64_t> largest = getLargestScalars(design, layers);
  SmallVector<SmallVector<int64_t>> launches;
  for (bool isLeast : {false, true})
    for (int64_t step = 0; step <= steps; step += isLeast ? 1 : steps) {
      SmallVector<int64_t> launch = largest;
      for (auto [scalar, value] : llvm::zip_equal(design.getOps<ScalarOp>(), launch)) {
        int64_t low = scalar.getLow();
        if (filled.contains(scalar.getName()))
          value = low + (value - low) * step / steps;
        else if (isLeast && !rounds.contains(scalar.getResult()))
          value = low;
      }
      if (!llvm::is_contained(launches, launch))
        launches.push_back(std::move(launch));
    }
  return launches;
}

/// Why `striped` is not worth its masters, if it is not.
static std::optional<std::string> findSlower(DesignOp plain, DesignOp striped,
                                             const llvm::StringSet<> &filled) {
  // The leaf behind the load takes a few cycles more in each layer.
  constexpr double worth = 0.97, alike = 1.001;
  double best = 1;
  for (ArrayRef<int64_t> launch : getTrialLaunches(plain, filled)) {
    std::optional<int64_t> before = countCycles(plain, launch), then = countCycles(striped, launch);
    if (!before || !then)
      return "a launch does not end";
    if (*then > alike * *before) {
      std::string scalars;
      for (auto [scalar, value] : llvm::zip_equal(plain.getOps<ScalarOp>(), launch))
        scalars +=
            (Twine(scalars.empty() ? "" : ", ") + scalar.getName() + " = " + Twine(value)).str();
      return llvm::formatv("a launch with {0} takes {1:N0} cycles, and {2:N0} without", scalars,
                           *then, *before)
          .str();
    }
    best = std::min(best, double(*then) / *before);
  }
  if (best > worth)
    return "that wins too little";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

LogicalResult SizeDesignsPass::run(Build build, std::vector<Diagnostic> &said) {
  KeptDiagnostics kept(&getContext());
  OpPassManager passes(ModuleOp::getOperationName());
  build(passes);
  LogicalResult result = runPipeline(passes, getOperation());
  llvm::move(kept.take(), std::back_inserter(said));
  return result;
}

/// Sizes the module with stripes. Gives why it is not to stay so, if it is not.
std::optional<std::string> SizeDesignsPass::findFault(ModuleOp unplanned, ModuleOp plain,
                                                      ArrayRef<SlowCaches> slow, int64_t stripes,
                                                      std::vector<Diagnostic> &said) {
  auto getError = [&] {
    for (Diagnostic &diagnostic : said)
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        return diagnostic.str();
    return std::string("a pass fails");
  };
  auto findUnfit = [&]() -> std::optional<std::string> {
    constexpr int shortTries = 4;
    std::string excess = findExcess(getOperation(), *device, shortTries);
    return excess.empty() ? std::nullopt
                          : std::optional("no way was found to divide it among the dies" + excess);
  };
  OwningOpRef<ModuleOp> copy(unplanned.clone());
  takeBody(getOperation(), *copy);
  if (failed(planPorts(stripes, said)))
    return getError();
  if (getMostStripes(getOperation(), slow) == 1)
    return "no master is left";
  for (const SlowCaches &each : slow)
    if (auto slower = findSlower(plain.lookupSymbol<DesignOp>(each.design),
                                 getOperation().lookupSymbol<DesignOp>(each.design), each.scalars))
      return slower;
  if (std::optional<std::string> unfit = findUnfit())
    return unfit;
  if (failed(chooseDepths(/*strict=*/true, said)) || failed(assignDies(said)))
    return getError();
  return findUnfit();
}

/// Sizes the module with as many stripes as dies hold. If they hold none, it is as before, and
/// `said` tells why.
bool SizeDesignsPass::tryStripes(ModuleOp unplanned, ArrayRef<SlowCaches> slow,
                                 std::vector<Diagnostic> &said) {
  OwningOpRef<ModuleOp> plain(getOperation().clone());
  std::string why;
  for (int64_t stripes = device->externalMemory().channels; stripes > 1;) {
    std::vector<Diagnostic> saidOfCopy;
    std::optional<std::string> fault = findFault(unplanned, *plain, slow, stripes, saidOfCopy);
    if (!fault) {
      said = std::move(saidOfCopy);
      return true;
    }
    int64_t had = getMostStripes(getOperation(), slow);
    why += llvm::formatv("{0}in {1} stripes, {2}", why.empty() ? "" : "; ",
                         std::max<int64_t>(2, had), *fault);
    stripes = had > 2 ? 2 : 1;
  }
  takeBody(getOperation(), *plain);
  for (const SlowCaches &each : slow) {
    Diagnostic warning(getOperation().lookupSymbol<DesignOp>(each.design).getLoc(),
                       DiagnosticSeverity::Warning);
    warning
        << "[ports.stripes] a launch that reads all of a cache waits for its one memory channel ("
        << llvm::join(each.caches, ", ") << "): " << why;
    said.push_back(std::move(warning));
  }
  return false;
}

void SizeDesignsPass::runOnOperation() {
  FailureOr<const DeviceModel *> model = getDevice(getOperation());
  if (failed(model))
    return signalPassFailure();
  device = *model;
  std::vector<SlowCaches> slow = findSlowCaches(getOperation(), *device);
  OwningOpRef<ModuleOp> unplanned;
  if (!slow.empty())
    unplanned = getOperation().clone();
  std::vector<Diagnostic> said;
  bool isPlanned = succeeded(planPorts(1, said));
  if (isPlanned && options.refusesUnfit && failed(checkLeavesFit(getOperation(), *device)))
    return signalPassFailure();
  if (isPlanned && failed(checkLimits(getOperation(), options, *device)))
    return signalPassFailure();
  if (isPlanned && (slow.empty() || !tryStripes(*unplanned, slow, said)))
    isPlanned = succeeded(chooseDepths(/*strict=*/false, said)) && succeeded(assignDies(said));
  for (Diagnostic &diagnostic : said)
    getContext().getDiagEngine().emit(std::move(diagnostic));
  if (!isPlanned)
    signalPassFailure();
}

std::unique_ptr<Pass> streamtensor::createSizeDesigns(const SizePhaseOptions &options) {
  return std::make_unique<SizeDesignsPass>(options);
}
