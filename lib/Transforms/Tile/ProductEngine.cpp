//===- ProductEngine.cpp - One array for all products of a program --------===//
//
//   arrays:  | q, k, v               |
//            |   | scores, values, o |   |   lanes wait for the first head and for the last
//   engine:  | q | k | v | scores | values | o |
//
// Scores of an attention need all keys of a head, and each projection behind it all heads. With
// arrays of their own, products of one head are made while the projections of the next are: in
// front of the first head and behind the last most lanes are idle, and the time of all is that of
// the one whose part of the lanes suits it least. So an engine takes also the products of two
// computed tensors, of heads or of matrices, each with all lanes, if all contractions of a program
// are products that it can take. So it does where rows of one product are columns of the next.
//
// Its lanes are tokens, outputs and inputs of each product in turn: as many tokens of each, and
// what divides outputs and inputs best, for which fewer weights and activations cross to others.
// Products of heads are taken a head at a time, with rows of scores as wide as norms take them. In
// projections the sum over the inputs stands outermost, for passes of few tokens: the rows of one
// flow while the next is at work.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/Engines.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/Accumulation.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Support/BitWidth.h"

#include "llvm/ADT/SetVector.h"

#include <numeric>
#include <tuple>

using namespace mlir;
using namespace streamtensor;

std::optional<PassLoops> streamtensor::getHeadLoops(linalg::LinalgOp op) {
  if (!isContraction(op) || !isa_and_nonnull<arith::MulFOp>(getSummedProduct(op)) ||
      op.getNumReductionLoops() != 1 ||
      !isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())))
    return std::nullopt;
  AffineMap first = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap second = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
  for (AffineMap map : {first, second, result})
    if (!map.isProjectedPermutation())
      return std::nullopt;
  PassLoops loops;
  SmallVector<unsigned> tokens, outputs, inputs;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    bool ofFirst = first.isFunctionOfDim(loop), ofSecond = second.isFunctionOfDim(loop);
    if (!result.isFunctionOfDim(loop))
      inputs.push_back(loop);
    else if (ofFirst && ofSecond)
      loops.heads.push_back(loop);
    else
      (ofFirst ? tokens : outputs).push_back(loop);
  }
  bool isProduct = tokens.size() == 1 && outputs.size() == 1 && inputs.size() == 1 &&
                   first.isFunctionOfDim(inputs[0]) && second.isFunctionOfDim(inputs[0]);
  if (loops.heads.empty() || !isProduct)
    return std::nullopt;
  loops.tokens = tokens[0];
  loops.outputs = outputs[0];
  loops.inputs = inputs[0];
  return loops;
}

std::optional<PassLoops> streamtensor::getProductLoops(linalg::LinalgOp op) {
  std::optional<PassLoops> heads = getHeadLoops(op);
  return heads ? heads : getPassLoops(op, /*alsoTurned=*/true);
}

namespace {
/// The contractions of a program, and what lanes they could have together.
class ProductEngine {
public:
  ProductEngine(func::FuncOp function, const DeviceModel &device, int64_t lanes)
      : function(function), device(device), lanes(lanes) {}

  Engines find();

private:
  struct Product {
    linalg::LinalgOp op;
    PassLoops loops;
    SmallVector<int64_t> ranges;
    int64_t cycles, bits; ///< Of an addition, and of what it adds.

    int64_t getTokens() const { return ranges[*loops.tokens]; }
    bool isOfHeads() const { return !loops.heads.empty(); }
  };
  /// Lanes of a product, and the iterations that it takes with them.
  struct Shape {
    int64_t outputs, inputs, iterations;
  };
  std::optional<Product> readProduct(linalg::LinalgOp op) const;
  std::optional<Shape> chooseShape(const Product &product, int64_t tokens, int64_t fifos) const;
  int64_t getTokensOfPass(const Product &product, int64_t tokens, Shape shape) const;
  EngineTurn getTurn(const Product &product, int64_t tokens, Shape shape) const;

  func::FuncOp function;
  const DeviceModel &device;
  int64_t lanes;
  std::vector<Product> products;
};
} // namespace

static SmallVector<int64_t> getDivisors(int64_t number) {
  SmallVector<int64_t> divisors;
  for (int64_t each = 1; each <= number; ++each)
    if (number % each == 0)
      divisors.push_back(each);
  return divisors;
}

static bool isComputed(linalg::LinalgOp op, unsigned input) {
  return !isExternal(stripSlices(op.getDpsInputOperand(input)->get()));
}

/// Does `op` take what is computed, on both sides?
static bool takesComputed(linalg::LinalgOp op) { return isComputed(op, 0) && isComputed(op, 1); }

/// Nothing if the engine cannot take `op`.
std::optional<ProductEngine::Product> ProductEngine::readProduct(linalg::LinalgOp op) const {
  std::optional<PassLoops> loops = getProductLoops(op);
  if (!loops || !loops->tokens || loops->activations != 0 ||
      (!loops->heads.empty() && !takesComputed(op)))
    return std::nullopt;
  FailureOr<int64_t> cycles =
      getAccumulateCycles(findCombiners(cast<linalg::GenericOp>(op.getOperation())), device);
  if (failed(cycles))
    return std::nullopt;
  return Product{op, *loops, op.getStaticLoopRanges(), *cycles,
                 getBitWidth(getElementTypeOrSelf(op->getResult(0).getType()))};
}

/// The fewest cycles with `tokens` side by side and so many FIFOs for each operand and the sums,
/// then operands that are as narrow as can be. Computed activations come row by row, as much of a
/// row at a time as there are inputs side by side, most of them while this product is made. Results
/// leave so in the end, at most a word of memory at a time. None if an addition would have to wait
/// for the one before.
std::optional<ProductEngine::Shape>
ProductEngine::chooseShape(const Product &product, int64_t tokens, int64_t fifos) const {
  const PassLoops &loops = product.loops;
  ArrayRef<int64_t> ranges = product.ranges;
  int64_t word = device.port().getElements(product.bits);
  constexpr double partWhileMade = 0.6;
  int64_t wide = fifos * device.fifo().tokenBits / product.bits;
  using Rank = std::tuple<double, int64_t, int64_t, int64_t>;
  std::optional<std::pair<Rank, Shape>> best;
  for (int64_t outputs : getDivisors(ranges[loops.outputs]))
    for (int64_t inputs : getDivisors(ranges[loops.inputs])) {
      int64_t ofRow = ranges[loops.outputs] / outputs, turns = product.getTokens() / tokens * ofRow;
      // Both operands and the sums pass FIFOs.
      bool fits = tokens * outputs * inputs <= lanes && tokens * inputs <= wide &&
                  outputs * inputs <= wide && tokens * outputs <= wide && turns >= product.cycles;
      if (!fits)
        continue;
      Shape shape = {outputs, inputs, llvm::product_of(ranges) / (tokens * outputs * inputs)};
      double coming = 0, leaving = 0;
      if (!product.isOfHeads()) {
        coming = isComputed(product.op, 0) ? ranges[loops.inputs] / inputs : 0;
        leaving = ofRow * llvm::divideCeil(outputs, word);
      }
      int64_t all = product.getTokens();
      Rank rank = {std::max<double>(shape.iterations, partWhileMade * all * coming) + all * leaving,
                   shape.iterations, -std::min(outputs, word), std::max(tokens, outputs) * inputs};
      if (!best || rank < best->first)
        best = {rank, shape};
    }
  return best ? std::optional(best->second) : std::nullopt;
}

static SmallVector<Operation *> getUsers(Operation *op) {
  return llvm::to_vector_of<Operation *>(op->getUsers());
}

static SmallVector<Operation *> getGivers(Operation *op) {
  SmallVector<Operation *> givers;
  for (Value operand : op->getOperands())
    if (Operation *giver = operand.getDefiningOp())
      givers.push_back(giver);
  return givers;
}

/// Do the users of `product`, or those who give it something, lead to heads before they lead to
/// another product?
static bool leadsToHeads(Operation *product,
                         function_ref<SmallVector<Operation *>(Operation *)> getNext) {
  llvm::SmallSetVector<Operation *, 16> reached;
  reached.insert(product);
  for (size_t number = 0; number < reached.size(); ++number)
    for (Operation *next : getNext(reached[number])) {
      auto op = dyn_cast<linalg::LinalgOp>(next);
      bool isProduct = op && isContraction(op);
      if (isProduct && getHeadLoops(op))
        return true;
      if (!isProduct)
        reached.insert(next);
    }
  return false;
}

/// With few tokens in a pass rows come early and few sums are held; but no addition waits, and
/// there is time to bring the weights anew for each: as much as memory sends, of heads the few
/// numbers that a FIFO of rows does. What goes to heads or takes computed weights is taken in one
/// pass; so is what comes of heads, which give some of the inputs of all tokens each, if several
/// rows of results leave at the end in whole words (WidenStores.cpp).
int64_t ProductEngine::getTokensOfPass(const Product &product, int64_t tokens, Shape shape) const {
  const PassLoops &loops = product.loops;
  linalg::LinalgOp op = product.op;
  int64_t all = product.getTokens();
  bool isHead = product.isOfHeads();
  bool isTakenOnce = !isExternal(stripSlices(op.getDpsInputOperand(loops.weights)->get()));
  bool leavesInWords = all * shape.outputs * product.bits % device.port().bits == 0;
  if (!isHead &&
      (isTakenOnce || leadsToHeads(op, getUsers) || (leavesInWords && leadsToHeads(op, getGivers))))
    return all;
  // Other tensors come at the same time.
  int64_t bytes = product.bits / 8;
  int64_t masters = device.externalMemory().masters / 8;
  double ofMemory = masters * device.getBytesOfCycle() / bytes;
  constexpr double ofRows = 8;
  constexpr int64_t leastOfHeads = 64;
  for (int64_t ofPass = tokens; ofPass < all; ofPass += tokens) {
    int64_t turns = ofPass / tokens;
    bool neverWaits = turns * (product.ranges[loops.outputs] / shape.outputs) >= product.cycles;
    bool isBrought = shape.outputs * shape.inputs <= turns * (isHead ? ofRows : ofMemory);
    if (all % ofPass == 0 && neverWaits && isBrought && (!isHead || ofPass >= leastOfHeads))
      return ofPass;
  }
  return all;
}

EngineTurn ProductEngine::getTurn(const Product &product, int64_t tokens, Shape shape) const {
  const PassLoops &loops = product.loops;
  EngineTurn turn;
  turn.tile = product.ranges;
  turn.unroll.assign(product.ranges.size(), 1);
  turn.unroll[*loops.tokens] = tokens;
  turn.unroll[loops.outputs] = shape.outputs;
  turn.unroll[loops.inputs] = shape.inputs;
  for (unsigned head : loops.heads)
    turn.tile[head] = 1;
  turn.tile[*loops.tokens] = getTokensOfPass(product, tokens, shape);
  // A vector of weights comes as one token.
  if (!product.isOfHeads())
    for (unsigned loop : {loops.outputs, loops.inputs})
      turn.tile[loop] = turn.unroll[loop];
  return turn;
}

Engines ProductEngine::find() {
  int64_t tokens = 0;
  for (auto generic : function.getOps<linalg::GenericOp>()) {
    auto op = cast<linalg::LinalgOp>(generic.getOperation());
    if (!isContraction(op) || !getSummedProduct(op))
      continue;
    std::optional<Product> product = readProduct(op);
    if (!product)
      return Engines();
    tokens = std::gcd(tokens, product->getTokens());
    products.push_back(std::move(*product));
  }
  if (products.size() < 2)
    return Engines();
  constexpr int64_t mostFifos = 4;
  using Rank = std::tuple<int64_t, int64_t>;
  std::optional<Rank> best;
  Engines engines;
  for (int64_t beside : getDivisors(tokens))
    for (int64_t fifos : {int64_t(1), mostFifos}) {
      Rank rank = {0, 0};
      int64_t widest = 0;
      Engines found;
      for (const Product &product : products) {
        std::optional<Shape> shape = chooseShape(product, beside, fifos);
        if (!shape)
          break;
        std::get<0>(rank) += shape->iterations;
        std::get<1>(rank) += std::max(beside, shape->outputs) * shape->inputs;
        widest = std::max(widest, beside * shape->outputs * shape->inputs);
        found[product.op] = StringAttr::get(function.getContext(), "engine");
        found.turns[product.op] = getTurn(product, beside, *shape);
      }
      // Each slice has one FIFO.
      bool isCut = device.isCutIntoSlices(widest * device.getDspsPerFloatMac());
      if (found.size() == products.size() && (fifos == 1 || !isCut) && (!best || rank < *best)) {
        best = rank;
        engines = std::move(found);
      }
    }
  return engines;
}

Engines streamtensor::findProductEngine(func::FuncOp function, const DeviceModel &device,
                                        int64_t lanes) {
  return ProductEngine(function, device, lanes).find();
}
