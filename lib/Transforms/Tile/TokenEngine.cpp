//===- TokenEngine.cpp - One array for the linears of a single token ------===//
//
//   arrays:  | q, k, v | o | up      | down    |   8 of 32 channels bring most of the weights
//   engine:  | q | k | v | o | up | down |         all channels bring them
//
// A linear of one token takes as long as memory brings its weights, and each waits for the one
// before. With arrays of their own, lanes and masters of all but one are idle. An engine takes one
// after the other, with a lane for each number that all masters together bring in a cycle.
//
// Its lanes are as many outputs as a word of memory has numbers, and as many inputs as words come.
// The sum over the inputs stands outermost: activations come once, and no addition waits for the
// one before, as the outputs are many. A slice of the engine has some of the outputs, so weights
// lie in rows along the inputs, as the host packs them:
//
//   %w = itensor.pack %weights strides [1, 1024] offset 0 lanes 1024 : … -> tensor<1024x1036xf32>
//   %x = tensor.pad %activations low[0] high[12] {zero}
//
// Few numbers of masters divide the inputs; zeros fill what is left. Of the numbers that masters
// allow, the one is taken with which memory moves least.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/Engines.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/Accumulation.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Dialect/Program/IR/Program.h"
#include "streamtensor/Support/BitWidth.h"
#include "streamtensor/Transforms/Tile/Passes.h"
#include "streamtensor/Transforms/Tile/Schedule.h"
#include "streamtensor/Transforms/Tile/UnrollBudget.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

namespace streamtensor {
#define GEN_PASS_DEF_LAYTOKENWEIGHTS
#include "streamtensor/Transforms/Tile/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;

//===----------------------------------------------------------------------===//
// What the engine takes
//===----------------------------------------------------------------------===//

namespace {
/// A matrix of the host, or a part of one: its rows are `pitch` elements apart.
struct HostMatrix {
  Value source;
  int64_t offset, pitch;
};

/// The contractions that could share an engine, and what is known of their times.
class TokenEngine {
public:
  TokenEngine(func::FuncOp function, const DeviceModel &device);

  Engines get(int64_t inputs) const;
  /// As many inputs at once as let the engine be done first, with `lanes` at most; 0 if arrays are.
  int64_t chooseInputs(int64_t lanes);
  ArrayRef<linalg::GenericOp> getCandidates() const { return candidates; }

private:
  bool isCandidate(linalg::GenericOp op) const;
  int64_t countOutputs(linalg::LinalgOp op) const {
    return op.getStaticLoopRanges()[getPassLoops(op)->outputs];
  }
  int64_t countInputs(linalg::LinalgOp op) const {
    return op.getStaticLoopRanges()[getPassLoops(op)->inputs];
  }
  int64_t countIterations(linalg::GenericOp op, int64_t inputs) const;
  double getTimeOfArrays(int64_t lanes);
  double getTimeOfEngine(int64_t inputs) const;
  /// Words that a master brings in a cycle: its channel may sustain less than it takes.
  double getWordsOfCycle() const {
    return std::min(1.0, device.getBytesOfCycle() * 8 / device.port().bits);
  }

  func::FuncOp function;
  const DeviceModel &device;
  SmallVector<linalg::GenericOp> candidates;
  int64_t outputs = 0; ///< Side by side.
};
} // namespace

/// Does `value` stay as it is from launch to launch?
static bool isParameter(Value value) {
  auto argument = dyn_cast<BlockArgument>(stripHostSteps(value));
  if (!argument)
    return isExternal(value);
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto kind = function ? function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                               program::kindAttrName)
                       : StringAttr();
  return !kind || kind == program::parameterKind;
}

/// The weights `value`, if they are a parameter of two dimensions or a part of one.
static std::optional<HostMatrix> findMatrix(Value value) {
  Value source = value;
  int64_t offset = 0;
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (slice)
    source = slice.getSource();
  auto type = cast<RankedTensorType>(source.getType());
  if (!isParameter(source) || type.getRank() != 2)
    return std::nullopt;
  int64_t pitch = type.getDimSize(1);
  if (slice) {
    ArrayRef<int64_t> offsets = slice.getStaticOffsets();
    if (!slice.hasUnitStride() || ShapedType::isDynamicShape(offsets))
      return std::nullopt;
    offset = offsets[0] * pitch + offsets[1];
  }
  return HostMatrix{source, offset, pitch};
}

/// Does `op` multiply what is computed for a single token with a parameter, floats?
bool TokenEngine::isCandidate(linalg::GenericOp op) const {
  std::optional<PassLoops> loops = getPassLoops(op);
  return loops && !loops->tokens &&
         !isExternal(stripSlices(op.getDpsInputOperand(loops->activations)->get())) &&
         findMatrix(op.getDpsInputOperand(loops->weights)->get());
}

/// Do the same operators compute both?
static bool areAlike(linalg::GenericOp op, linalg::GenericOp other) {
  return llvm::equal(op.getBody()->getArgumentTypes(), other.getBody()->getArgumentTypes()) &&
         llvm::equal(*op.getBody(), *other.getBody(), [](Operation &lhs, Operation &rhs) {
           return lhs.getName() == rhs.getName() &&
                  llvm::equal(lhs.getResultTypes(), rhs.getResultTypes());
         });
}

TokenEngine::TokenEngine(func::FuncOp function, const DeviceModel &device)
    : function(function), device(device) {
  for (auto op : function.getOps<linalg::GenericOp>()) {
    if (!isCandidate(op) || (!candidates.empty() && !areAlike(candidates.front(), op)))
      continue;
    // The weights of one input, for all outputs side by side, fill a word.
    Value weights = op.getDpsInputOperand(getPassLoops(op)->weights)->get();
    outputs = device.port().getElements(getLaneBits(weights.getType()));
    if (countOutputs(op) % outputs == 0)
      candidates.push_back(op);
  }
}

Engines TokenEngine::get(int64_t inputs) const {
  Engines engines;
  engines.outputsOfToken = outputs;
  engines.inputsOfToken = inputs;
  for (linalg::GenericOp op : candidates)
    engines[op] = StringAttr::get(op.getContext(), "engine");
  return engines;
}

/// Cycles of its turn, if no weights are late: with few outputs an addition waits for the one
/// before.
int64_t TokenEngine::countIterations(linalg::GenericOp op, int64_t inputs) const {
  int64_t groups = countOutputs(op) / outputs;
  FailureOr<int64_t> adding = getAccumulateCycles(findCombiners(op), device);
  return llvm::divideCeil(countInputs(op), inputs) *
         std::max(groups, succeeded(adding) ? *adding : groups);
}

/// A turn of each, as fast as memory brings the weights. Its rows come and go as those of arrays
/// do.
double TokenEngine::getTimeOfEngine(int64_t inputs) const {
  double time = 0;
  for (linalg::GenericOp op : candidates)
    time += countIterations(op, inputs) / getWordsOfCycle();
  return time;
}

/// Of a linear and those before it on the longest path: with lanes in proportion to the square root
/// of the work of each they take the square of their sum. Half of the masters bring weights of
/// arrays (WidenLoads.cpp).
double TokenEngine::getTimeOfArrays(int64_t lanes) {
  DenseMap<Operation *, unsigned> before;
  SmallVector<double> work; // By the number of those before.
  double words = 0;
  for (Operation &op : function.getBody().front()) {
    unsigned &depth = before[&op];
    for (Value operand : op.getOperands())
      depth = std::max(depth, before.lookup(operand.getDefiningOp()));
    if (!llvm::is_contained(candidates, &op))
      continue;
    work.resize(std::max<size_t>(work.size(), depth + 1));
    double weights =
        double(countOutputs(cast<linalg::LinalgOp>(op))) * countInputs(cast<linalg::LinalgOp>(op));
    work[depth++] += weights;
    words += weights / outputs;
  }
  double roots = 0;
  for (double each : work)
    roots += std::sqrt(each);
  const ExternalMemoryModel &memory = device.externalMemory();
  int64_t masters = std::min(memory.masters / 2, memory.channels);
  return std::max(roots * roots / lanes, words / (masters * getWordsOfCycle()));
}

int64_t TokenEngine::chooseInputs(int64_t lanes) {
  if (candidates.size() < 2)
    return 0;
  // What else comes and goes is small and shares masters.
  constexpr int64_t partOfOthers = 8;
  const ExternalMemoryModel &memory = device.externalMemory();
  int64_t others = llvm::divideCeil(memory.masters, partOfOthers);
  int64_t most = std::min({memory.masters - others, memory.channels, lanes / outputs});
  int64_t best = 0;
  for (int64_t inputs = most; inputs > most / 2; --inputs)
    if (best == 0 || getTimeOfEngine(inputs) <= getTimeOfEngine(best))
      best = inputs;
  return best > 0 && getTimeOfEngine(best) <= getTimeOfArrays(lanes) ? best : 0;
}

Engines streamtensor::getTokenEngine(func::FuncOp function, const DeviceModel &device) {
  int64_t inputs = dataflow::getTokenInputs(function);
  return inputs > 0 ? TokenEngine(function, device).get(inputs) : Engines();
}

//===----------------------------------------------------------------------===//
// How its operands lie
//===----------------------------------------------------------------------===//

/// The weights of `op` as rows of inputs, with zeros behind them up to `inputs`.
static Value layWeights(OpBuilder &builder, linalg::GenericOp op, const PassLoops &loops,
                        int64_t inputs) {
  OpOperand *weights = op.getDpsInputOperand(loops.weights);
  HostMatrix matrix = *findMatrix(weights->get());
  auto type = cast<RankedTensorType>(weights->get().getType());
  bool isRow = op.getMatchingIndexingMap(weights).getDimPosition(0) == loops.outputs;
  int64_t extent = type.getDimSize(isRow ? 1 : 0);
  if (isRow && extent == inputs)
    return weights->get();
  auto rows =
      RankedTensorType::get({type.getDimSize(isRow ? 0 : 1), inputs}, type.getElementType());
  SmallVector<int64_t> strides = {isRow ? matrix.pitch : 1, isRow ? 1 : matrix.pitch};
  return itensor::PackOp::create(builder, op.getLoc(), rows, matrix.source, strides, matrix.offset,
                                 extent < inputs ? builder.getI64IntegerAttr(extent)
                                                 : IntegerAttr());
}

/// `activations` with zeros behind them.
static Value padActivations(OpBuilder &builder, Location loc, Value activations, int64_t inputs) {
  auto type = cast<RankedTensorType>(activations.getType());
  if (type.getDimSize(0) == inputs)
    return activations;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(activations);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  return tensor::PadOp::create(builder, loc, type.clone({inputs}), activations,
                               {builder.getIndexAttr(0)},
                               {builder.getIndexAttr(inputs - type.getDimSize(0))}, zero);
}

namespace {
struct LayTokenWeightsPass : streamtensor::impl::LayTokenWeightsBase<LayTokenWeightsPass> {
  using LayTokenWeightsBase::LayTokenWeightsBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    FailureOr<const DeviceModel *> device = dataflow::getDevice(function);
    if (failed(device))
      return signalPassFailure();
    if (dataflow::getOdd(function).any())
      return;
    TokenEngine engine(function, **device);
    FailureOr<int64_t> inputs = getInputs(engine, **device);
    if (failed(inputs))
      return signalPassFailure();
    if (*inputs == 0)
      return;
    DenseMap<Value, Value> padded;
    for (linalg::GenericOp op : engine.getCandidates())
      lay(op, *inputs, padded);
    dataflow::setTokenInputs(function, *inputs);
  }

private:
  /// Those that the schedule says, or those that let the engine be done first.
  FailureOr<int64_t> getInputs(TokenEngine &engine, const DeviceModel &device) {
    if (schedule.empty())
      return engine.chooseInputs(getLaneLimits(device, unroll, laneShare).getPassLanes(device));
    FailureOr<Schedule> known = readSchedule(&getContext(), schedule);
    return failed(known) ? FailureOr<int64_t>() : known->tokenInputs;
  }

  static void lay(linalg::GenericOp op, int64_t atOnce, DenseMap<Value, Value> &padded) {
    PassLoops loops = *getPassLoops(op);
    OpBuilder builder(op);
    int64_t inputs = llvm::alignTo(op.getStaticLoopRanges()[loops.inputs], atOnce);
    Value weights = layWeights(builder, op, loops, inputs);
    OpOperand *given = op.getDpsInputOperand(loops.activations);
    Value &activations = padded[given->get()];
    if (!activations)
      activations = padActivations(builder, op.getLoc(), given->get(), inputs);
    given->set(activations);
    op.getDpsInputOperand(loops.weights)->set(weights);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps[loops.weights] = AffineMap::get(
        2, 0, {builder.getAffineDimExpr(loops.outputs), builder.getAffineDimExpr(loops.inputs)},
        op.getContext());
    op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  }
};
} // namespace
