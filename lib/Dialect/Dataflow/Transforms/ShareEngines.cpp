//===- ShareEngines.cpp - One leaf for the products of several ------------===//
//
//   dataflow.leaf "up" compute [24, 48, 8] attributes {engine = "engine"} {
//     %v = stream_read %x, %w = stream_read %weights, … sum of products …, stream_write %r, %y
//   }
//   dataflow.leaf "down" compute [24, 32] attributes {engine = "engine", together} {
//     nest "fill" [16] { … }
//     nest "core" [8, 8] lag 1 { %v = load %m, … sum of products …, stream_write %r, %z }
//   }
//
// become
//
//   dataflow.leaf "engine" compute [24] {
//     dataflow.nest "up" [48, 8] { %v = stream_read %x … stream_write %r, %y }
//     dataflow.nest "down" [32, 8, 8] { %v = stream_read %taken … stream_write %r, %z }
//   }
//   dataflow.leaf "down" compute [24, 32] attributes {together} {
//     nest "fill" [16] { … }
//     nest "core" [8, 8] lag 1 { %v = load %m, stream_write %v, %taken }
//   }
//
// Nests that run one after the other share their operators, so a product of one contraction and of
// the next is made by the same multiplier. What goes to the engine is the tree from the operands of
// the products to their sum in one iteration, with the FIFOs that it alone reads or writes, and the
// memory that the sums of iterations are added up in. What needs another memory stays: it hands
// operands to the engine, or takes sums from it, through a FIFO. A leaf that does both becomes two,
// since a sum comes later than the operands that it is made of.
//
// Turns are in program order, but what somebody must have whole (the keys of an attention) comes
// before what he takes piece by piece (queries).
//
// A leaf lies on one die. An engine that no die holds is cut into slices, a leaf each: a slice has
// some of the rows of weights, which come through FIFOs of their own, and gives some of the lanes
// of each sum (`EngineSlices.cpp`). The activations, which all need, come through the first one,
// and the sums of all contractions leave a slice through one FIFO. Where rows of weights cannot be
// dealt, rows of activations are, and weights go from slice to slice. Memories of integers stay
// where they were; those in which floats are added up are dealt too, as an adder of floats takes
// DSPs.
//
//===----------------------------------------------------------------------===//

#include "EngineBuilder.h"
#include "EngineParts.h"
#include "EngineTurns.h"
#include "ProgramChange.h"

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"
#include "streamtensor/Support/BitWidth.h"
#include "llvm/ADT/MapVector.h"

namespace streamtensor {
#define GEN_PASS_DEF_SHAREENGINES
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

static void warn(LeafOp leaf, const Twine &reason) {
  emitWarning(leaf.getLoc()) << "[engine.fallback] leaf '" << leaf.getName()
                             << "' multiplies by itself and not in an engine: " << reason;
}

/// Does the leaf go through the layers in its outermost loop, as `first` does? An engine has all
/// its turns in one layer before the next.
static bool goesRoundWith(LeafOp leaf, LeafOp first) {
  auto getRounds = [](LeafOp op) {
    LeafBoxes boxes(op);
    return boxes.getNumIterations(ScalarBox(ArrayRef(boxes.getWhole()).take_front(1)));
  };
  return leaf.getNumLoops() > 0 && first.getNumLoops() > 0 && getRounds(leaf) == getRounds(first);
}

/// Does a loop go through the layers?
static bool hasLayers(DesignOp design) {
  return llvm::any_of(design.getOps<StreamOp>(), [](StreamOp stream) { return stream.getBack(); });
}

/// A design without a loop over layers is one layer: gives all leaves a loop of one trip, if they
/// have none.
static void addRound(DesignOp design) {
  auto leaves = design.getOps<LeafOp>();
  if (llvm::all_of(leaves,
                   [](LeafOp leaf) { return leaf.getNumLoops() > 0 && leaf.getTrips()[0] == 1; }))
    return;
  for (LeafOp leaf : leaves)
    addOutermostLoop(leaf, 1);
}

static LogicalResult shareEngine(DesignOp design, StringRef name, ArrayRef<LeafOp> leaves,
                                 const DeviceModel &device) {
  bool isLooped = hasLayers(design);
  std::vector<EnginePart> parts;
  for (LeafOp leaf : leaves) {
    std::string reason;
    if (isLooped && !goesRoundWith(leaf, leaves.front())) {
      warn(leaf, "it goes through other layers than the others");
    } else if (FailureOr<EnginePart> part = findPart(leaf, /*accumulates=*/false, reason);
               succeeded(part)) {
      parts.push_back(std::move(*part));
    } else {
      warn(leaf, reason);
    }
  }
  int64_t slices = chooseSlices(parts, device);
  llvm::erase_if(parts, [&](EnginePart &part) {
    std::string why;
    auto isWide = [&](Value operand) {
      return getBitWidth(operand.getType()) > device.fifo().tokenBits;
    };
    if (slices > 1 && getBitWidth(part.sum.getType()) > slices * device.fifo().tokenBits)
      why = "its sums are wider than the FIFOs of " + std::to_string(slices) + " dies";
    else if (slices > 1 && llvm::any_of(part.operands, isWide))
      why = "what it would hand over to several dies is wider than a FIFO";
    else if (slices > 1 && !part.slices.plan(part, slices))
      why = "its lanes cannot be dealt to " + std::to_string(slices) + " dies";
    if (!why.empty())
      warn(part.leaf, why);
    return !why.empty();
  });
  if (parts.size() < 2)
    return success();
  std::string reason;
  for (EnginePart &part : parts) {
    // Adders of integers are logic.
    if (slices > 1 && getElementTypeOrSelf(part.sum.getType()).isInteger())
      break;
    if (FailureOr<EnginePart> whole = findPart(part.leaf, /*accumulates=*/true, reason);
        succeeded(whole) && (slices == 1 || whole->slices.plan(*whole, slices)))
      part = std::move(*whole);
  }
  auto module = design->getParentOfType<ModuleOp>();
  if (succeeded(applyOrRestore(
          module,
          [&] {
            if (!isLooped) {
              orderTurns(design, parts);
              addRound(design);
            }
            EngineBuilder(design, name, parts, slices, device.fifo().tokenBits).run();
          },
          reason)))
    return success();
  return emitWarning(module.getLoc())
         << "[engine.fallback] each contraction multiplies by itself: " << reason;
}

namespace {
struct ShareEnginesPass : streamtensor::impl::ShareEnginesBase<ShareEnginesPass> {
  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    for (auto design : llvm::to_vector(getOperation().getOps<DesignOp>())) {
      llvm::MapVector<StringAttr, SmallVector<LeafOp>> engines;
      for (auto leaf : design.getOps<LeafOp>())
        if (StringAttr engine = leaf.getEngineAttr())
          engines[engine].push_back(leaf);
      for (auto &[engine, leaves] : engines) {
        for (LeafOp leaf : leaves)
          leaf.removeEngineAttr();
        if (failed(shareEngine(design, engine.getValue(), leaves, **device)))
          return; // The module is as it was, in other operations.
      }
    }
  }
};
} // namespace
