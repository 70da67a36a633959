//===- PassEngine.cpp - One array for the linears of a single layer -------===//
//
//   arrays:  | q, k, v            | attention, o, up, down |   lanes of the one side are idle
//   engine:  | q | k | v | o | up        | down            |   all lanes are at work
//
// An attention wants all keys before it gives anything, so what stands in front of such a product
// and what stands behind it are never at work together. With arrays of their own, of lanes in
// proportion to the square roots of the work, both take (sqrt(before) + sqrt(behind))^2 / lanes. An
// engine takes one contraction after the other with all lanes, but each waits for the rows of the
// one before.
//
// Its lanes are eight tokens, eight outputs and as many inputs as are left: so a slice of the
// engine has one token, whatever the layout of the weights, these come slowly, and few sums cross
// dies. The sum over the inputs stands outermost: activations come once, sums are held for all
// outputs, and no addition waits for the one before.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/Engines.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/Accumulation.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Support/BitWidth.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace streamtensor;

/// Tokens side by side, and as many slices of the engine at most; outputs.
constexpr int64_t tokensInTurn = 8, outputsInTurn = 8;

std::optional<PassLoops> streamtensor::getPassLoops(linalg::LinalgOp op) {
  if (!isContraction(op) || op.getNumLoops() != 3 || op.getNumReductionLoops() != 1 ||
      op.getNumDpsInputs() != 2 ||
      !isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())))
    return std::nullopt;
  AffineMap activations = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap weights = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
  auto isMatrix = [](AffineMap map) {
    return map.getNumResults() == 2 && map.isProjectedPermutation();
  };
  if (!isMatrix(activations) || !isMatrix(weights) || !isMatrix(result))
    return std::nullopt;
  PassLoops loops{result.getDimPosition(0), result.getDimPosition(1),
                  activations.getDimPosition(1)};
  bool isPass = activations.getDimPosition(0) == loops.tokens && loops.inputs != loops.outputs &&
                weights.isFunctionOfDim(loops.outputs) && weights.isFunctionOfDim(loops.inputs);
  return isPass ? std::optional(loops) : std::nullopt;
}

std::optional<PassLoops> streamtensor::getPassLoops(linalg::LinalgOp op, const Engines &engines) {
  return engines.contains(op) ? getPassLoops(op) : std::nullopt;
}

SmallVector<int64_t> streamtensor::getPassLanes(linalg::LinalgOp op, ArrayRef<int64_t> tiles,
                                                int64_t lanes) {
  PassLoops loops = *getPassLoops(op);
  SmallVector<int64_t> unroll(op.getNumLoops(), 1);
  auto getLanes = [&](unsigned loop, int64_t most) {
    int64_t found = std::min(tiles[loop], most);
    while (tiles[loop] % found != 0)
      --found;
    return found;
  };
  unroll[loops.tokens] = getLanes(loops.tokens, tokensInTurn);
  unroll[loops.outputs] = getLanes(loops.outputs, outputsInTurn);
  unroll[loops.inputs] =
      getLanes(loops.inputs, std::max<int64_t>(1, lanes / llvm::product_of(unroll)));
  return unroll;
}

namespace {
/// The contractions that could share an engine, and what is known of their times.
class PassEngine {
public:
  PassEngine(func::FuncOp function, const DeviceModel &device, int64_t tileSize, int64_t lanes)
      : function(function), device(device), tileSize(tileSize), lanes(lanes) {}

  SmallVector<Operation *> find();

private:
  bool isCandidate(linalg::LinalgOp op);
  double getWork(Operation *op) const;
  double getTimeOfArrays();
  double getTimeOfEngine() const;

  func::FuncOp function;
  const DeviceModel &device;
  int64_t tileSize, lanes;
  llvm::SetVector<Operation *> candidates;
};
} // namespace

/// Does `op` multiply what is computed with a parameter, in whole groups of lanes, and does no
/// addition wait for the one before?
bool PassEngine::isCandidate(linalg::LinalgOp op) {
  std::optional<PassLoops> loops = getPassLoops(op);
  if (!loops || isExternal(stripSlices(op.getDpsInputOperand(0)->get())) ||
      !isExternal(stripSlices(op.getDpsInputOperand(1)->get())))
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t tokens = ranges[loops->tokens], outputs = ranges[loops->outputs];
  if (tokens % tokensInTurn != 0 || outputs % outputsInTurn != 0 ||
      ranges[loops->inputs] % tileSize != 0)
    return false;
  FailureOr<int64_t> cycles =
      getAccumulateCycles(findCombiners(cast<linalg::GenericOp>(op.getOperation())), device);
  return succeeded(cycles) && tokens / tokensInTurn * (outputs / outputsInTurn) >= *cycles;
}

double PassEngine::getWork(Operation *op) const {
  return llvm::product_of(cast<linalg::LinalgOp>(op).getStaticLoopRanges());
}

/// The largest over all products of two computed tensors: what they are computed from is one
/// phase, the other candidates are one.
double PassEngine::getTimeOfArrays() {
  DenseMap<Operation *, llvm::SetVector<Operation *>> before; // Candidates, itself included.
  double all = 0, most = 0;
  for (Operation *op : candidates)
    all += getWork(op);
  function.walk([&](Operation *op) {
    llvm::SetVector<Operation *> &own = before[op];
    for (Value operand : op->getOperands())
      if (auto it = before.find(operand.getDefiningOp()); it != before.end())
        own.insert_range(it->second);
    auto product = dyn_cast<linalg::LinalgOp>(op);
    if (product && isContraction(product) &&
        llvm::none_of(getDataInputs(product),
                      [](OpOperand *input) { return isExternal(stripSlices(input->get())); })) {
      double first = 0;
      for (Operation *each : own)
        first += getWork(each);
      most = std::max(most, std::pow(std::sqrt(first) + std::sqrt(all - first), 2));
    }
    if (candidates.contains(op))
      own.insert(op);
  });
  return most / lanes;
}

/// A turn of each, and a pass of its rows in front and behind. Beside an engine few DSPs are left
/// for rows: measured, layers of 128 to 2048 features move about this many elements a cycle.
double PassEngine::getTimeOfEngine() const {
  constexpr double elementsOfRows = 4;
  double time = 0;
  for (Operation *op : candidates) {
    auto contraction = cast<linalg::LinalgOp>(op);
    SmallVector<int64_t> tiles(contraction.getNumLoops(), tileSize);
    tiles[getPassLoops(contraction)->tokens] = tokensInTurn;
    time += getWork(op) / llvm::product_of(getPassLanes(contraction, tiles, lanes));
    for (Value tensor : {op->getOperand(0), Value(op->getResult(0))})
      time += cast<ShapedType>(tensor.getType()).getNumElements() / elementsOfRows;
  }
  return time;
}

SmallVector<Operation *> PassEngine::find() {
  if (lanes < tokensInTurn * outputsInTurn)
    return {};
  function.walk([&](linalg::GenericOp op) {
    if (isCandidate(op))
      candidates.insert(op);
  });
  // Sums of all outputs, and results that wait for their readers.
  double bytes = 0;
  for (Operation *op : candidates) {
    auto type = cast<ShapedType>(op->getResult(0).getType());
    bytes += 2.0 * type.getNumElements() * getBitWidth(type.getElementType()) / 8;
  }
  auto tokens = llvm::map_to_vector(candidates, [](Operation *op) {
    auto contraction = cast<linalg::LinalgOp>(op);
    return contraction.getStaticLoopRanges()[getPassLoops(contraction)->tokens];
  });
  if (!llvm::all_equal(tokens))
    return {};
  // They lie in a bank for each lane, few of which are full: more than this fills the block RAM of
  // dies.
  constexpr double mostOfMemory = 1.0 / 6;
  if (candidates.size() < 2 || bytes > mostOfMemory * device.getOnChipBytes() ||
      getTimeOfEngine() >= getTimeOfArrays())
    return {};
  return candidates.takeVector();
}

SmallVector<Operation *> streamtensor::findPassEngine(func::FuncOp function,
                                                      const DeviceModel &device, int64_t tileSize,
                                                      int64_t lanes) {
  return PassEngine(function, device, tileSize, lanes).find();
}
