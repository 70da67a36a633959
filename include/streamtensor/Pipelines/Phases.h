//===- Phases.h - Phases of several passes ----------------------*- C++ -*-===//

#ifndef STREAMTENSOR_PIPELINES_PHASES_H
#define STREAMTENSOR_PIPELINES_PHASES_H

#include "mlir/Pass/PassManager.h"
#include "streamtensor/Sizing/Passes.h"

#include <functional>

namespace streamtensor {

/// Appends the phase `import`: torch-mlir's Linalg in, one function @main of
/// static tensors out. Headers of hand-written kernels lie in `sourceDirectory`; empty: beside
/// the module's file.
void buildImportPhase(mlir::OpPassManager &pm, llvm::StringRef sourceDirectory = "");

/// Appends the phase `linalg`: the normal form that tiling expects, verified.
void buildLinalgPhase(mlir::OpPassManager &pm);

using BuildPasses = std::function<void(mlir::OpPassManager &)>;

/// Of the odd factors of lanes that are tried.
constexpr int64_t largestOdd = 15;

/// A way to decide on tiles, orders and lanes.
struct DecisionWay {
  /// `extents`: what those become that may be padded, where that is known; else the way decides.
  std::function<void(mlir::OpPassManager &, llvm::ArrayRef<int64_t> extents)> decide;
  /// For programs that change between launches: are tiles as large as the options say, or half?
  /// Others cut their words, or make launches of few rows longer, which are not tried.
  bool suitsCaches = false;
  int64_t odd = 1; ///< Factor of lanes that extents are padded for; 1 for none.
  /// Is it the first with rows that take less of the card beside an engine?
  bool besideEngine = false;
  /// Has it one engine for all products, if it has an engine?
  bool allProducts = false;
  /// Has it fewer lanes than the device decides on? For designs that do not fit with those.
  bool fewerLanes = false;
};

/// What designs may have.
struct DecisionBudget {
  int64_t unroll;    ///< Lanes that the user asks for; 0 where the device decides on them.
  int64_t laneShare; ///< Percent of those that it would decide on.
  int64_t padding;   ///< Percent of elements more that an extent may be padded by.
};

/// Of `ways` the one whose designs cost least, or hardly more and need less of the card; of those
/// with an engine of many tokens, in their order, the first that fits beside FIFOs. `lower`:
/// what makes scheduled designs of a decided program.
std::unique_ptr<mlir::Pass> createDecideDesigns(std::vector<DecisionWay> ways, BuildPasses lower,
                                                DecisionBudget budget);

/// What a design becomes: one kernel, or one for each die that it lies on.
enum class Kernels { One, PerDie };

struct SizePhaseOptions {
  sizing::Strategy strategy = sizing::Strategy::Search;
  /// What the strategy `search` may lose of the speed, a fraction.
  double loss = sizing::SizeFifosOptions().loss;
  /// Every FIFO at this depth; 0 follows the strategy.
  int64_t forceDepth = 0;
  Kernels kernels = Kernels::One;
  /// An error before the search for depths where leaves alone do not fit.
  bool refusesUnfit = false;
  /// An error there where leaves alone take more; 0 is no limit.
  int64_t mostDsps = 0, mostCycles = 0;
};

/// Appends what plans ports and schedules leaves: a tensor that is read and written has at most so
/// many masters.
void buildPortPasses(mlir::OpPassManager &pm, int64_t cacheStripes);

/// Appends the search for FIFO depths, which follows. `strict`: an error where FIFOs take too much
/// memory, rather than slower ones.
void buildDepthPasses(mlir::OpPassManager &pm, const SizePhaseOptions &options, bool strict);

/// Appends dies, and kernels if there is to be one for each die.
void buildDiePasses(mlir::OpPassManager &pm, const SizePhaseOptions &options);

/// All of them, with the stripes of caches that dies hold (SizeDesigns.cpp).
std::unique_ptr<mlir::Pass> createSizeDesigns(const SizePhaseOptions &options);

/// Appends the phase `size` but for the depths of FIFOs and dies.
void buildSchedulePasses(mlir::OpPassManager &pm);

/// Appends the phase `size`: partition, memory kinds, schedules, FIFO depths.
void buildSizePhase(mlir::OpPassManager &pm, const SizePhaseOptions &options);

/// Appends what makes one module of a program that calls sized programs of files.
void buildJoinPhase(mlir::OpPassManager &pm);

/// Registers the pipelines `streamtensor-import-phase`, `streamtensor-linalg-phase`,
/// `streamtensor-schedule-phase`, `streamtensor-size-phase` and `streamtensor-join-phase`.
void registerPhases();

} // namespace streamtensor

#endif
