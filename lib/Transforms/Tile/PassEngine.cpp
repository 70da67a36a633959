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
// dies. A turn goes through the tokens in passes. In each of them the sum over the inputs stands
// outermost: activations come once, sums are held for all outputs, and no addition waits for the
// one before. Weights come anew for each pass, which memory has time for. With fewer tokens in a
// pass there are fewer sums to hold, and rows of the one flow while the next is at work.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/Engines.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/Accumulation.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Support/BitWidth.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace streamtensor;

/// Tokens side by side, and as many slices of the engine at most; outputs.
constexpr int64_t tokensInTurn = 8, outputsInTurn = 8;

std::optional<PassLoops> streamtensor::getPassLoops(linalg::LinalgOp op, bool alsoTurned) {
  if (!isContraction(op) || !isa_and_nonnull<arith::MulFOp>(getSummedProduct(op)) ||
      op.getNumReductionLoops() != 1 ||
      !isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())))
    return std::nullopt;
  unsigned tokens = op.getNumLoops() == 3 ? 1 : 0; // One alone has no loop.
  auto getMap = [&](unsigned input) {
    return op.getMatchingIndexingMap(op.getDpsInputOperand(input));
  };
  auto hasRank = [](AffineMap map, unsigned rank) {
    return map.getNumResults() == rank && map.isProjectedPermutation();
  };
  unsigned vector = hasRank(getMap(0), 1 + tokens) ? 0 : 1;
  AffineMap activations = getMap(vector), weights = getMap(1 - vector);
  AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
  if (op.getNumLoops() != 2 + tokens || !hasRank(activations, 1 + tokens) || !hasRank(weights, 2) ||
      !hasRank(result, 1 + tokens))
    return std::nullopt;
  PassLoops loops;
  bool isTurned =
      alsoTurned && tokens == 1 && activations.getDimPosition(1) == result.getDimPosition(0);
  loops.outputs = result.getDimPosition(tokens);
  loops.inputs = activations.getDimPosition(isTurned ? 0 : tokens);
  loops.activations = vector;
  loops.weights = 1 - vector;
  if (tokens == 1)
    loops.tokens = result.getDimPosition(0);
  bool isPass = (tokens == 0 || isTurned || activations.getDimPosition(0) == loops.tokens) &&
                loops.inputs != loops.outputs && weights.isFunctionOfDim(loops.outputs) &&
                weights.isFunctionOfDim(loops.inputs);
  return isPass ? std::optional(loops) : std::nullopt;
}

std::optional<PassLoops> streamtensor::getPassLoops(linalg::LinalgOp op, const Engines &engines) {
  return engines.contains(op) ? getProductLoops(op) : std::nullopt;
}

SmallVector<int64_t> streamtensor::getPassLanes(linalg::LinalgOp op, const Engines &engines,
                                                ArrayRef<int64_t> tiles, int64_t lanes) {
  if (auto turn = engines.turns.find(op); turn != engines.turns.end())
    return turn->second.unroll;
  PassLoops loops = *getPassLoops(op);
  SmallVector<int64_t> unroll(op.getNumLoops(), 1);
  if (!loops.tokens) {
    unroll[loops.outputs] = engines.outputsOfToken;
    unroll[loops.inputs] = engines.inputsOfToken;
    return unroll;
  }
  auto getLanes = [&](unsigned loop, int64_t most) {
    int64_t found = std::min(tiles[loop], most);
    while (tiles[loop] % found != 0)
      --found;
    return found;
  };
  unroll[*loops.tokens] = getLanes(*loops.tokens, tokensInTurn);
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

  Engines find();

private:
  bool isCandidate(linalg::LinalgOp op);
  int64_t getTokens(Operation *op) const;
  double getWork(Operation *op) const;
  bool neverWaits(Operation *op, int64_t tokens);
  bool canBeHeld(int64_t tokens) const;
  double getTimeOfArrays();
  double getTimeOfEngine(int64_t tokens) const;
  std::pair<double, int64_t> findPass();

  func::FuncOp function;
  const DeviceModel &device;
  int64_t tileSize, lanes;
  llvm::SetVector<Operation *> candidates;
};
} // namespace

/// Does no addition wait for the one before, with so many tokens in a pass?
bool PassEngine::neverWaits(Operation *op, int64_t tokens) {
  auto contraction = cast<linalg::LinalgOp>(op);
  int64_t outputs = contraction.getStaticLoopRanges()[getPassLoops(contraction)->outputs];
  FailureOr<int64_t> cycles =
      getAccumulateCycles(findCombiners(cast<linalg::GenericOp>(op)), device);
  return succeeded(cycles) && tokens / tokensInTurn * (outputs / outputsInTurn) >= *cycles;
}

/// Does `op` multiply what is computed with a parameter, in whole groups of lanes, and does no
/// addition wait for the one before?
bool PassEngine::isCandidate(linalg::LinalgOp op) {
  std::optional<PassLoops> loops = getPassLoops(op);
  if (!loops || !loops->tokens || isExternal(stripSlices(op.getDpsInputOperand(0)->get())) ||
      !isExternal(stripSlices(op.getDpsInputOperand(1)->get())))
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  return ranges[*loops->tokens] % tokensInTurn == 0 &&
         ranges[loops->outputs] % outputsInTurn == 0 && ranges[loops->inputs] % tileSize == 0 &&
         neverWaits(op, ranges[*loops->tokens]);
}

int64_t PassEngine::getTokens(Operation *op) const {
  auto contraction = cast<linalg::LinalgOp>(op);
  return contraction.getStaticLoopRanges()[*getPassLoops(contraction)->tokens];
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

/// A turn of each, which goes on as fast as memory brings the weights anew for each pass, and the
/// rows of one pass in front and behind: those of the others flow meanwhile. Beside an engine few
/// DSPs are left for rows: measured, layers of 128 to 2048 features move about this many elements
/// a cycle.
double PassEngine::getTimeOfEngine(int64_t tokens) const {
  constexpr double elementsOfRows = 4;
  // As wide as WidenLoads.cpp lets weights come.
  double bytesOfCycle = device.externalMemory().masters / 2 * device.getBytesOfCycle();
  double time = 0;
  for (Operation *op : candidates) {
    auto contraction = cast<linalg::LinalgOp>(op);
    SmallVector<int64_t> tiles(contraction.getNumLoops(), tileSize);
    tiles[*getPassLoops(contraction)->tokens] = tokensInTurn;
    auto weights = cast<ShapedType>(op->getOperand(1).getType());
    double passes = double(getTokens(op)) / tokens;
    double bytes = passes * weights.getNumElements() * getBitWidth(weights.getElementType()) / 8;
    time +=
        std::max(getWork(op) / llvm::product_of(getPassLanes(contraction, Engines(), tiles, lanes)),
                 bytes / bytesOfCycle);
    for (Value tensor : {op->getOperand(0), Value(op->getResult(0))})
      time += cast<ShapedType>(tensor.getType()).getNumElements() / elementsOfRows / passes;
  }
  return time;
}

/// Is there memory for the sums of all outputs of a pass, one turn's at a time, and for the
/// results, which may have to wait for their readers?
bool PassEngine::canBeHeld(int64_t tokens) const {
  double sums = 0, results = 0;
  for (Operation *op : candidates) {
    auto type = cast<ShapedType>(op->getResult(0).getType());
    double bytes = double(type.getNumElements()) * getBitWidth(type.getElementType()) / 8;
    sums = std::max(sums, bytes * tokens / getTokens(op));
    results += bytes;
  }
  // Sums lie in a bank for each lane, few of which are full: more than this fills the block RAM of
  // dies.
  constexpr double mostForSums = 1.0 / 12, mostForResults = 1.0 / 3;
  return sums <= mostForSums * device.getOnChipBytes() &&
         results <= mostForResults * device.getOnChipBytes();
}

/// The time with the best number of tokens in a pass, and that number; 0 if there is none.
std::pair<double, int64_t> PassEngine::findPass() {
  std::pair<double, int64_t> best = {0, 0};
  int64_t all = getTokens(candidates.front());
  for (int64_t tokens = all; tokens >= std::min(all, tileSize); tokens -= tokensInTurn) {
    bool isPass = all % tokens == 0 && canBeHeld(tokens) &&
                  llvm::all_of(candidates, [&](Operation *op) { return neverWaits(op, tokens); });
    if (!isPass)
      continue;
    double time = getTimeOfEngine(tokens);
    if (best.second == 0 || time < best.first)
      best = {time, tokens};
  }
  return best;
}

Engines PassEngine::find() {
  Engines engines;
  if (lanes < tokensInTurn * outputsInTurn)
    return engines;
  function.walk([&](linalg::GenericOp op) {
    if (isCandidate(op))
      candidates.insert(op);
  });
  if (candidates.size() < 2 ||
      !llvm::all_equal(llvm::map_range(candidates, [&](Operation *op) { return getTokens(op); })))
    return engines;
  auto [time, tokens] = findPass();
  if (tokens == 0 || time >= getTimeOfArrays())
    return engines;
  engines.tokensOfPass = tokens;
  for (Operation *op : candidates)
    engines[op] = StringAttr::get(function.getContext(), "engine");
  return engines;
}

Engines streamtensor::findPassEngine(func::FuncOp function, const DeviceModel &device,
                                     int64_t tileSize, int64_t lanes) {
  return PassEngine(function, device, tileSize, lanes).find();
}
