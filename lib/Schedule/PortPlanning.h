//===- PortPlanning.h - Steps of planning external memory -------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_SCHEDULE_PORTPLANNING_H
#define STREAMTENSOR_LIB_SCHEDULE_PORTPLANNING_H

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Schedule/Passes.h"
#include "streamtensor/Schedule/SequenceProblem.h"
#include "llvm/ADT/StringMap.h"

namespace streamtensor::schedule {

/// The launches of `design` in its module.
llvm::SmallVector<dataflow::LaunchOp> getLaunches(dataflow::DesignOp design);

/// The operands of launches that are the tensor of `port`, which is read.
llvm::SmallVector<mlir::OpOperand *> getInputs(dataflow::PortOp port);

/// Gives `port` another shape: each launch takes what `layOut` makes of the tensor.
void setShape(
    dataflow::PortOp port, llvm::ArrayRef<int64_t> shape,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::Value)> layOut);
/// The same tensor in another shape.
void setShape(dataflow::PortOp port, llvm::ArrayRef<int64_t> shape);

/// What launches of `design` give for `port`, which is written.
llvm::SmallVector<mlir::OpResult> getResults(dataflow::PortOp port);

/// Does a launch take what is made of `result`, or a loop hand it on?
bool isLaunchedAgain(mlir::Value result);

/// Where `access` is if its tensor has rows of what it moves in an iteration.
mlir::AffineMap getPlaceInRows(dataflow::AccessOpInterface access);

/// Could the tensor of `port` have rows of what an iteration of `access` moves? That must lie in
/// one piece, from a multiple of its size on.
bool movesRowsOfPort(dataflow::AccessOpInterface access, dataflow::PortOp port);

/// Declares so many masters as the device has them: `stem`, or `stem`_s0 and so on.
llvm::SmallVector<mlir::Value> createMasters(dataflow::DesignOp design, mlir::Location loc,
                                             const llvm::Twine &stem, int64_t count,
                                             const DeviceModel &device);

/// Gives a port that is written another shape; what a launch gives keeps its own for the program.
void setResultShape(dataflow::PortOp port, llvm::ArrayRef<int64_t> shape);

/// What moves over an interface one way, in a launch with the largest scalars.
struct WayTraffic {
  int64_t bytes = 0, bursts = 0;
  /// Of the longest burst.
  int64_t mostBytes = 0;
};
/// By interface, and whether it is written.
using Traffic = llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, WayTraffic>;

/// Visits every iteration that moves words of external memory. Words must be planned.
mlir::FailureOr<Traffic> measureTraffic(dataflow::DesignOp design);

/// Bursts of so many words that must be on the way so that none is waited for: as many as begin
/// while memory answers the first, and that one. Latency and gap in cycles.
int64_t countOutstanding(double words, int64_t latency, int64_t gap);

/// The same words in bursts of other lengths, and as many of these on the way.
dataflow::WordsAttr withBursts(dataflow::WordsAttr words, int64_t burst, int64_t outstanding);

/// The load of a leaf that only loads a tensor into FIFOs, in every iteration; null if it does
/// anything else.
dataflow::LoadOp getOnlyLoad(dataflow::LeafOp leaf);

/// The outermost loops of a leaf up to the last one whose count the launch gives.
unsigned getNumCountedLoops(dataflow::LeafOp leaf);

/// Have both leaves the same scalars, and the same counts of their first `loops` loops?
bool haveSameCounts(dataflow::LeafOp leaf, dataflow::LeafOp other, unsigned loops);

/// One leaf of a nest for each of `leaves`, in program order, under their first `shared` loops,
/// where the first of them stood. They have the same counts of these, and other loops have constant
/// ones.
dataflow::LeafOp mergeLoads(llvm::SmallVector<dataflow::LeafOp> leaves, unsigned shared);

/// The same for leaves that write no FIFO, where the last of them stands.
dataflow::LeafOp mergeStores(llvm::SmallVector<dataflow::LeafOp> leaves, unsigned shared);

/// Can a leaf that only loads a tensor into a FIFO move the tokens of `times` iterations in a word?
bool canWidenWords(dataflow::LeafOp leaf, int64_t times);

/// Holds the one private memory of `leaf` in registers: the kinds of others are chosen already.
void holdInRegisters(dataflow::LeafOp leaf, const DeviceModel &device);

/// Makes it so; a leaf behind it cuts the words to the tokens that it gave.
void widenWords(dataflow::LeafOp leaf, int64_t times, const DeviceModel &device);

/// Gives the tensor of one element that `leaf` loads a word of zeros behind it, as wide as others
/// have.
void padElement(dataflow::LeafOp leaf, int64_t wordBits);

/// The words of one of the parts of a token, `words` in all, that a leaf gives to a FIFO each, if
/// it goes through its tensor from the first word to the last and moves a part alone as well; or 0.
int64_t countWordsOfPart(dataflow::LeafOp leaf, int64_t words);

/// Makes such a leaf move `parts` parts in an iteration, fewer than there are, each of them to the
/// FIFO whose turn it is. The host puts zeros behind the tensor where these do not divide it.
void dealInTurn(dataflow::LeafOp leaf, int64_t parts);

/// Makes a leaf that loads several words in an iteration move them one by one: a leaf behind it
/// puts them together. Nothing if it does more than that.
void gatherWords(dataflow::LoadOp load, const DeviceModel &device);

/// Makes what only the first of several rounds reads come in each of them, so that its load can
/// take turns with others.
void repeatLoads(dataflow::DesignOp design);

/// Masters of the design: its interfaces, and one for each port that has none yet.
int64_t countMasters(dataflow::DesignOp design);

/// Would most masters of a load of `widest` words be idle in the turn of one of `words`?
inline bool isNarrow(int64_t words, int64_t widest) {
  constexpr int64_t part = 4;
  return words * part <= widest;
}

/// A way to deal masters to loads of several words an iteration.
struct StripePlan {
  int64_t masters = 0; ///< Beyond one for each tensor; negative if they share masters.
  int64_t cycles = 0;  ///< That the slowest of them takes with these.
  /// Of the loads that take turns, in program order: one sequence, or several that run side by
  /// side; none if they have as many masters as are left.
  SequenceChoice beside;

  /// Do they take all masters that other tensors can leave?
  bool isDealt() const { return !beside.masters.empty(); }
};

/// The fewest cycles first; the last is without sequences side by side.
llvm::SmallVector<StripePlan> planStripes(dataflow::DesignOp design, const DeviceModel &device);

/// Slots for the FIFOs, by name, of loads that take turns: a round for those that the plan lets run
/// ahead; the others share what they leave of the memory for weights.
llvm::StringMap<int64_t> planDepths(dataflow::DesignOp design, const StripePlan &plan,
                                    const DeviceModel &device);

/// Deals what an iteration of a load moves, if that is several words, to as many masters as the
/// device has left. Loads that pass their tensors once share theirs, one tensor after the other, or
/// as the plan says in several sequences side by side. False if these are not the loads of the
/// plan, as some have been merged with others.
bool stripeLoads(dataflow::DesignOp design, const DeviceModel &device, const StripePlan &plan);

/// Cycles that a channel takes for a word as wide as a master.
double getCyclesOfWord(const DeviceModel &device);

/// The masters that `stripeCaches` would use at least, beyond one for each tensor.
int64_t countCacheMasters(dataflow::DesignOp design, const DeviceModel &device,
                          int64_t mostStripes);

/// Deals masters that are left, at most `mostStripes` each, to tensors that are read and written
/// (caches), which keep a design waiting: one for each of several words of what becomes a row.
void stripeCaches(dataflow::DesignOp design, const DeviceModel &device, int64_t mostStripes);

/// Deals what an iteration of a store moves, if that is several words, to as many masters: those
/// that are left, or such as other tensors come in through.
void stripeStores(dataflow::DesignOp design, const DeviceModel &device);

/// Merges leaves that only load a tensor into a FIFO, so that they share an interface: small
/// tensors, for which a master costs more than a FIFO for a round of them, as long as they take at
/// most the `loss` of the options of the slowest leaf's time; and further ones as long as the
/// design has more masters than the device, or than leave those of the plan. For sequences side by
/// side words of different widths become alike, and a result goes out through the master of tensors
/// that come in. False if the masters of the plan are not left.
bool shareInterfaces(dataflow::DesignOp design, const DeviceModel &device,
                     const PlanPortsOptions &options, const StripePlan &plan);

/// Declares the masters of `design` and the words that it moves over them. Gives false, and leaves
/// the design as it is in parts, if masters for sequences side by side are not left.
mlir::FailureOr<bool> planDesign(dataflow::DesignOp design, const DeviceModel &device,
                                 const PlanPortsOptions &options, const StripePlan &plan,
                                 Traffic &traffic);

/// The plan with which a launch of `design` is fastest, of those that its masters allow.
StripePlan choosePlan(dataflow::DesignOp design, const DeviceModel &device,
                      const PlanPortsOptions &options);

/// Binds the interfaces of all designs to channels. Each tensor has one channel for each of its
/// stripes, whoever reads or writes it; what is stated is kept. `traffic` is that of each design.
mlir::LogicalResult bindChannels(mlir::ModuleOp module, const DeviceModel &device,
                                 llvm::DenseMap<mlir::Operation *, Traffic> &traffic);

} // namespace streamtensor::schedule

#endif
