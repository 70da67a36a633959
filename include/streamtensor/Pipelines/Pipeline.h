//===- Pipeline.h - The phases of a compilation -----------------*- C++ -*-===//
//
// Design "Passes": phases with names, in a fixed order; a run can start after and stop
// after any of them, and the IR of each is written out.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_PIPELINES_PIPELINE_H
#define STREAMTENSOR_PIPELINES_PIPELINE_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"
#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "streamtensor/Pipelines/Phases.h"
#include "streamtensor/Sizing/Passes.h"

namespace streamtensor {

/// How phase `decide` goes about a budget that is a number of lanes.
enum class Decision { Rules, Simulated };

struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
  Option<std::string> device{*this, "device",
                             llvm::cl::desc("device file or name, for a module that has none")};
  Option<int64_t> tileSize{*this, "tile-size", llvm::cl::desc("default tile extent"),
                           llvm::cl::init(16)};
  Option<int64_t> unroll{*this, "unroll",
                         llvm::cl::desc("multiply-add lanes of a design; 0: the device decides"),
                         llvm::cl::init(0)};
  Option<int64_t> laneShare{*this, "lane-share",
                            llvm::cl::desc("percent of the lanes that the device would decide on"),
                            llvm::cl::init(100)};
  Option<Decision> decision{
      *this, "decision", llvm::cl::desc("how a budget of lanes is shared out, and tiles chosen"),
      llvm::cl::init(Decision::Simulated),
      llvm::cl::values(
          clEnumValN(Decision::Rules, "rules", "the slowest contraction grows, tiles are given"),
          clEnumValN(Decision::Simulated, "simulated",
                     "the cheapest of several ways in simulation"))};
  Option<bool> engines{
      *this, "engines",
      llvm::cl::desc("one set of multipliers for contractions of a layer whose products are alike"),
      llvm::cl::init(true)};
  Option<int64_t> padding{
      *this, "padding",
      llvm::cl::desc("percent of elements more that an extent may be padded by; 0: none"),
      llvm::cl::init(12)};
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("take tiles, orders and lanes from this file instead of choosing them")};
  Option<std::string> writeSchedule{*this, "write-schedule",
                                    llvm::cl::desc("write tiles, orders and lanes to this file")};
  Option<std::string> startAfter{*this, "start-after",
                                 llvm::cl::desc("the input is the output of this phase")};
  Option<std::string> stopAfter{*this, "stop-after", llvm::cl::desc("last phase to run")};
  Option<std::string> dumpDir{
      *this, "dump-dir", llvm::cl::desc("write the IR after each phase to NN-phase.mlir here")};
  Option<std::string> sourceDir{
      *this, "source-dir",
      llvm::cl::desc("where the headers of hand-written kernels lie, if not beside the input")};
  Option<sizing::Strategy> sizing{
      *this, "sizing", llvm::cl::desc("FIFO sizing strategy"),
      llvm::cl::init(sizing::Strategy::Search),
      llvm::cl::values(
          clEnumValN(sizing::Strategy::LinearProgram, "lp", "linear program of the paper"),
          clEnumValN(sizing::Strategy::HighWater, "highwater", "largest use in an unbounded run"),
          clEnumValN(sizing::Strategy::Search, "search", "small depths that keep the cycles"))};
  Option<double> fifoLoss{
      *this, "fifo-loss",
      llvm::cl::desc("part of the speed that smaller FIFOs may cost, with sizing=search"),
      llvm::cl::init(sizing::SizeFifosOptions().loss)};
  Option<itensor::ConverterRule> converterRule{
      *this, "converter-rule", llvm::cl::desc("how converters are built"),
      llvm::cl::init(itensor::ConverterRule::Minimal),
      llvm::cl::values(clEnumValN(itensor::ConverterRule::Minimal, "minimal",
                                  "the smallest form that can be built"),
                       clEnumValN(itensor::ConverterRule::Paper, "paper",
                                  "two blocks under the shared loops, always"))};
  Option<int64_t> groupBytes{
      *this, "group-bytes",
      llvm::cl::desc("bytes of converters with which a group of fused kernels takes no more "
                     "kernels (0: what the device has on chip)"),
      llvm::cl::init(0)};
  Option<FusionPlanner> fusionPlan{
      *this, "fusion-plan", llvm::cl::desc("how kernels are dealt to groups"),
      llvm::cl::init(FusionPlanner::Greedy),
      llvm::cl::values(clEnumValN(FusionPlanner::Greedy, "greedy", "the plan of the paper"),
                       clEnumValN(FusionPlanner::Optimal, "optimal",
                                  "the least time of launches and of what crosses groups"))};
  Option<Kernels> kernels{
      *this, "kernels", llvm::cl::desc("what a design on several dies becomes"),
      llvm::cl::init(Kernels::One),
      llvm::cl::values(
          clEnumValN(Kernels::One, "one", "one kernel, whose tasks a floorplan places"),
          clEnumValN(Kernels::PerDie, "per-die", "a kernel for each die, joined by AXI streams"))};
  Option<int64_t> forceDepth{*this, "force-depth",
                             llvm::cl::desc("give every FIFO this depth (experiments)"),
                             llvm::cl::init(0)};
  Option<bool> refuseUnfit{
      *this, "refuse-unfit",
      llvm::cl::desc("an error where designs do not fit the card even without the memory of FIFOs, "
                     "before that is searched for"),
      llvm::cl::init(false)};
  Option<int64_t> mostDsps{*this, "most-dsps",
                           llvm::cl::desc("an error there where designs take more DSPs"),
                           llvm::cl::init(0)};
  Option<int64_t> mostCycles{
      *this, "most-cycles",
      llvm::cl::desc("an error there where a launch takes more cycles with FIFOs that hold all"),
      llvm::cl::init(0)};
};

/// Names of the phases that the pipeline knows, in order.
llvm::ArrayRef<llvm::StringRef> getPhaseNames();

/// Appends the phases that `options` select, before them what gives the module its device.
/// Errors: an unknown phase.
llvm::Error buildPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Registers the pipeline as `--streamtensor-pipeline`. Its paths can also be words of the command
/// line, `--device=FILE`, `--dump-dir=DIR`, `--source-dir=DIR`, `--schedule=FILE` and
/// `--write-schedule=FILE`, in which any character may stand.
void registerPipeline();

} // namespace streamtensor

#endif
