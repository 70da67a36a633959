//===- LoopOrder.cpp - Order of the tile loops ----------------------------===//
//
// The order of the tile loops decides how much of a tensor a converter must hold:
// two nests share buffers only under the loops that they have in common, outermost
// first. Orders are first chosen greedily in topological order, by the elements of the
// converters towards the producers whose orders are already fixed. The greedy choice
// does not see the readers (a small converter saved can force a large one behind it),
// so single orders are then changed as long as the sum over all converters falls.
//
// Elements are not all: a product that wants the last element of an operand first begins when who
// computes that has ended. Where another order of several ops together (`LoopFamilies.h`) takes
// fewer such phases with no more elements, it is taken, and no single change may give them back.
//
// Reductions stand innermost, so that results are written once; or outside parallel loops, with
// all their accumulators in private memory, where that is less than repeating the input: a
// projection down from a long row then takes each tile of it once, as it comes. A row that comes
// all at once (a norm needs its last element first) stands in a FIFO then, which counts as much.
//
// Products that take each element of a tensor in memory once are as fast as memory. Where several
// of them can take one tensor in one order (y = A x and z = A^T w, with the rows of A outermost in
// both), they get it, so that one read serves them all (ShareLoads.cpp).
//
// What a converter gives again and again comes a row in a cycle. If that takes longer than all
// lanes need for all products, any other order is better.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/LoopOrder.h"

#include "LoopFamilies.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/Accumulation.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Analysis/SharedReads.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Transforms/Tile/DimensionClasses.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

namespace {

/// Above this many parallel tile loops only the default order is tried.
constexpr unsigned maxPermutedLoops = 5;

/// Visits of ops that the improvement may cost.
constexpr int64_t maxVisits = 200000;

/// The loops of an op in one order, and what they make of its operands and results.
struct Order {
  SmallVector<TileLoop> loops;
  SmallVector<ITensorType> inputs, results;
};

/// A linalg op and the orders that its loops can take.
struct Choice {
  linalg::GenericOp op;
  SmallVector<int64_t> tiles;
  bool isContraction;
  SmallVector<SmallVector<unsigned>> orders = {};
  /// From one addition to an element to the next, if reductions may go outside parallel loops.
  int64_t accumulateCycles = 1;
  int64_t pointsInTurn = 1; ///< Of a tile, in one iteration of the reductions.
  unsigned chosen = 0;
  /// The search comes back to an order many times.
  mutable std::vector<std::optional<Order>> known = {};

  const Order &getOrder(unsigned number) const;
  const Order &getOrder() const { return getOrder(chosen); }
};

/// When the tiles of a value come, in phases: contractions and reductions over tiles take one each.
/// What is in memory in the beginning comes as it is wanted.
struct Span {
  int64_t first = 0, last = 0;
  bool isAtOnce() const { return first == last && first > 0; }
};

class LoopOrderSearch {
public:
  LoopOrderSearch(func::FuncOp function, const DimensionClasses &classes, const DeviceModel &device,
                  itensor::ConverterRule rule, const Engines &engines, int64_t lanes)
      : function(function), classes(classes), device(device), rule(rule), engines(engines),
        lanes(lanes) {}

  FailureOr<LoopOrders> run();

private:
  LogicalResult chooseGreedily();
  void chooseGreedily(Choice &choice);
  void improve();
  void improve(Choice &choice);
  void moveFamilies();
  void shareReads();
  const Choice &getReader(const OpOperand &read) const {
    return choices.find(read.getOwner())->second;
  }
  bool follow(OpOperand &read, ITensorType order);
  ITensorType getReadType(OpOperand &read) const;
  int64_t countWordsBeside(const OpOperand &read) const;
  bool putOutermost(ArrayRef<LoopFamilies::Loop> family, bool alsoReductions);
  bool letReadersFollow(const Choice &changed, const DenseMap<Value, ITensorType> &before);
  int64_t visit(Operation &op);
  int64_t countAllElements();
  int64_t countPhases() const;
  SmallVector<unsigned> getChosen() const;
  void setChosen(ArrayRef<unsigned> chosen);
  void clear();
  ITensorType getViewType(Operation *op, ITensorType source);
  void visitView(Operation *op);
  int64_t visitHandWritten(dataflow::ExternTaskOp task);
  int64_t visitChoice(const Choice &choice);
  int64_t countElements(const Choice &choice, const Order &order, bool countsTwice);
  int64_t getElements(ITensorType source, ITensorType wanted);
  int64_t countCyclesOfRows(ITensorType wanted) const;
  Span getInputSpan(const Choice &choice, const Order &order) const;
  Span getSpan(const Choice &choice, const Order &order) const;
  bool beginsAtOnce(const Choice &choice) const;

  func::FuncOp function;
  const DimensionClasses &classes;
  const DeviceModel &device;
  itensor::ConverterRule rule;
  const Engines &engines;
  int64_t lanes;
  int64_t fewestCycles = 0; ///< Of all contractions, if all lanes were always at work.
  llvm::MapVector<Operation *, Choice> choices;
  /// Types of the values inside the design; tensors from outside have none, as any
  /// order can be read from external memory.
  DenseMap<Value, ITensorType> types;
  DenseMap<Value, Span> spans;
  /// Converters counted in this walk: readers in one order share one.
  DenseSet<std::pair<Value, ITensorType>> counted;
  DenseMap<std::pair<ITensorType, ITensorType>, int64_t> elements;
  DenseMap<std::pair<Operation *, ITensorType>, ITensorType> views;
  int64_t fewest = 0, visits = 0;
};

} // namespace

void LoopOrderSearch::clear() {
  types.clear();
  spans.clear();
  counted.clear();
}

/// What a reshape or a slice makes of its operand; null if that is no order of its own tiles.
static FailureOr<ITensorType> computeViewType(Operation *op, ITensorType source) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return reassociateType(source, expand.getReassociationIndices(),
                           expand.getResultType().getShape());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return reassociateType(source, collapse.getReassociationIndices(),
                           collapse.getResultType().getShape());
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice || slice.getType().getRank() != slice.getSourceType().getRank())
    return failure();
  FailureOr<ITensorType> type = source;
  for (unsigned dim = 0; dim < source.getDataRank() && succeeded(type); ++dim)
    if (slice.getStaticSizes()[dim] != source.getDataShape()[dim])
      type = chunkType(*type, dim, slice.getStaticOffsets()[dim], slice.getStaticSizes()[dim]);
  return type;
}

ITensorType LoopOrderSearch::getViewType(Operation *op, ITensorType source) {
  auto [it, inserted] = views.try_emplace({op, source});
  if (inserted)
    if (FailureOr<ITensorType> type = computeViewType(op, source); succeeded(type))
      it->second = *type;
  return it->second;
}

void LoopOrderSearch::visitView(Operation *op) {
  if (op->getNumOperands() == 0 || op->getNumResults() != 1)
    return;
  ITensorType source = types.lookup(op->getOperand(0));
  if (!source)
    return;
  spans[op->getResult(0)] = spans.lookup(op->getOperand(0));
  if (ITensorType type = getViewType(op, source))
    types[op->getResult(0)] = type;
}

/// A hand-written kernel takes and gives its data in the orders that it declares; returns the
/// elements of the converters in front of it.
int64_t LoopOrderSearch::visitHandWritten(dataflow::ExternTaskOp task) {
  auto kernel =
      SymbolTable::lookupNearestSymbolFrom<dataflow::ExternOp>(task, task.getCalleeAttr());
  for (auto [result, port] : llvm::zip_equal(task.getResults(), kernel.getOutputPorts()))
    types[result] = port.getOrder();
  int64_t sum = 0;
  for (auto [input, port] : llvm::zip_equal(task.getInputs(), kernel.getInputPorts()))
    if (ITensorType source = types.lookup(input);
        source && counted.insert({input, port.getOrder()}).second)
      sum += getElements(source, port.getOrder());
  return sum;
}

/// All orders of `loops`' parallel dimensions in lexicographic order, the given one first.
static SmallVector<SmallVector<unsigned>> permute(SmallVector<unsigned> loops) {
  SmallVector<SmallVector<unsigned>> result;
  SmallVector<unsigned> positions(llvm::to_vector(llvm::seq<unsigned>(0, loops.size())));
  do {
    result.push_back(llvm::map_to_vector(positions, [&](unsigned p) { return loops[p]; }));
  } while (loops.size() <= maxPermutedLoops &&
           std::next_permutation(positions.begin(), positions.end()));
  return result;
}

SmallVector<int64_t> streamtensor::getResultTile(linalg::LinalgOp op, ArrayRef<int64_t> tiles) {
  return llvm::map_to_vector(op.getIndexingMapMatchingResult(op->getResult(0)).getResults(),
                             [&](AffineExpr expr) { return getExtent(expr, tiles); });
}

/// Does it take each element of an input that is computed here once, as a sum over groups does?
static bool takesEachOnce(linalg::GenericOp op) {
  int64_t points = llvm::product_of(op.getStaticLoopRanges());
  return llvm::any_of(op.getInputs(), [&](Value input) {
    return stripReshapes(input).getDefiningOp<linalg::LinalgOp>() &&
           cast<ShapedType>(input.getType()).getNumElements() == points;
  });
}

/// May reductions go outside parallel loops, whose accumulators are then held all at once? As many
/// rows of a tile must pass between two additions to one element as adding takes cycles: with
/// fewer, partial sums would multiply the accumulators. They may where nothing else would repeat
/// an input, or lets a tensor be read once.
static bool mayCarryTiles(linalg::GenericOp op, int64_t rows, int64_t cycles) {
  return (rows >= cycles || takesEachOnce(op) || findSharedRead(op)) &&
         llvm::none_of(op.getIndexingMapsArray(), [](AffineMap map) { return isWindow(map); });
}

static FailureOr<Choice> getChoice(linalg::GenericOp op, const DimensionClasses &classes,
                                   const DeviceModel &device, const Engines &engines) {
  Choice choice{op, classes.getLoopTiles(op), isContraction(op)};
  // In a pass an engine takes the activations as they come.
  if (std::optional<PassLoops> pass = getPassLoops(op, engines)) {
    choice.orders = {{pass->inputs, pass->outputs}};
    if (pass->tokens)
      choice.orders[0].insert(choice.orders[0].begin(), *pass->tokens);
    choice.orders[0].insert(choice.orders[0].begin(), pass->heads.begin(), pass->heads.end());
    return choice;
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> parallel, reductions, others;
  auto add = [&](unsigned dim, SmallVector<unsigned> &loops) {
    (ranges[dim] > choice.tiles[dim] ? loops : others).push_back(dim);
  };
  AffineMap resultMap = op.getIndexingMapMatchingResult(op->getResult(0));
  for (AffineExpr expr : resultMap.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      add(dim.getPosition(), parallel);
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
    if (!resultMap.isFunctionOfDim(dim))
      add(dim, reductions);
  unsigned numInside = 0;
  if (!reductions.empty() && choice.isContraction) {
    FailureOr<int64_t> cycles = getAccumulateCycles(findCombiners(op), device);
    if (failed(cycles))
      return failure();
    SmallVector<int64_t> tile = getResultTile(op, choice.tiles);
    int64_t row = tile.empty() ? 1 : tile.pop_back_val(), rows = llvm::product_of(tile);
    numInside = mayCarryTiles(op, rows, *cycles) ? parallel.size() : 0;
    // The points of a word of memory are expected to be computed at once.
    Type element = getElementTypeOrSelf(op->getResult(0).getType());
    int64_t lanes = device.port().getElements(dataflow::getPackedBits(element));
    choice.pointsInTurn = rows * llvm::divideCeil(row, lanes);
    choice.accumulateCycles = *cycles;
  }
  SmallVector<SmallVector<unsigned>> orders = permute(parallel);
  for (unsigned inside = 0; inside <= numInside; ++inside)
    for (SmallVector<unsigned> order : orders) {
      order.insert(order.end() - inside, reductions.begin(), reductions.end());
      llvm::append_range(order, others);
      choice.orders.push_back(std::move(order));
    }
  return choice;
}

/// Does `source` come along the outermost loop of who wants it in the order of `wanted`? Else the
/// first part wanted is complete with the last tile only.
static bool comesAlong(ITensorType source, ITensorType wanted) {
  return !source || source.getIterRank() == 0 || wanted.getIterRank() == 0 ||
         source.getDataDimOf(0) == wanted.getDataDimOf(0);
}

const Order &Choice::getOrder(unsigned number) const {
  known.resize(orders.size());
  std::optional<Order> &found = known[number];
  if (found)
    return *found;
  found.emplace();
  auto linalg = cast<linalg::LinalgOp>(linalg::GenericOp(op).getOperation());
  found->loops = getTileLoops(linalg, tiles, orders[number]);
  for (OpOperand *operand : linalg.getDpsInputOperands())
    found->inputs.push_back(getAccessType(linalg.getMatchingIndexingMap(operand),
                                          cast<RankedTensorType>(operand->get().getType()), tiles,
                                          found->loops));
  for (OpResult result : linalg->getResults())
    found->results.push_back(getResultType(linalg.getIndexingMapMatchingResult(result),
                                           cast<RankedTensorType>(result.getType()), tiles,
                                           found->loops));
  return *found;
}

/// When the op begins, and when it has all of its operands: a tile of the result needs all of one
/// that the outermost loop does not index.
Span LoopOrderSearch::getInputSpan(const Choice &choice, const Order &order) const {
  linalg::GenericOp op = choice.op;
  Span span;
  for (auto [operand, wanted] : llvm::zip_equal(op.getDpsInputOperands(), order.inputs)) {
    Span given = spans.lookup(operand->get());
    AffineMap map = op.getMatchingIndexingMap(operand);
    bool isIndexed = order.loops.empty() || map.isFunctionOfDim(order.loops.front().dim);
    bool comesInParts = isIndexed && comesAlong(types.lookup(operand->get()), wanted);
    span.first = std::max(span.first, comesInParts ? given.first : given.last);
    span.last = std::max(span.last, given.last);
  }
  return span;
}

/// Its results need all of every operand if the outermost loop is a reduction.
Span LoopOrderSearch::getSpan(const Choice &choice, const Order &order) const {
  Span span = getInputSpan(choice, order);
  bool endsAtOnce = !order.loops.empty() && order.loops.front().isReduction;
  if (endsAtOnce || (choice.isContraction && !order.loops.empty()))
    span.last = std::max(span.last, span.first + 1);
  if (endsAtOnce)
    span.first = span.last;
  return span;
}

/// Accumulators beyond those of one tile: reductions outside parallel loops hold all tiles inside,
/// in as many partial sums as additions to one element would overlap.
static int64_t countAccumulators(const Choice &choice, ArrayRef<TileLoop> loops) {
  int64_t tiles = 1;
  for (const TileLoop &loop : llvm::make_range(
           llvm::find_if(loops, [](TileLoop l) { return l.isReduction; }), loops.end()))
    tiles *= loop.isReduction ? 1 : loop.trips;
  if (tiles == 1)
    return 0;
  int64_t sums = llvm::divideCeil(choice.accumulateCycles, tiles * choice.pointsInTurn);
  return (tiles * sums - 1) * llvm::product_of(getResultTile(choice.op, choice.tiles));
}

int64_t LoopOrderSearch::getElements(ITensorType source, ITensorType wanted) {
  auto [it, inserted] = elements.try_emplace({source, wanted}, 0);
  if (!inserted || haveSameTokenOrder(source, wanted))
    return it->second;
  FailureOr<itensor::ConverterPlan> plan = itensor::planConverter(source, wanted, rule);
  return it->second =
             succeeded(plan) ? plan->getNumElements() : 2 * source.getDataType().getNumElements();
}

/// Cycles in which the rows of `wanted` come, of a tensor that is computed here, beyond those that
/// the contractions take anyway.
int64_t LoopOrderSearch::countCyclesOfRows(ITensorType wanted) const {
  constexpr double manyMore = 1.25;
  ArrayRef<int64_t> token = wanted.getElementShape();
  int64_t rows = token.empty() ? 1 : llvm::product_of(token.drop_back());
  int64_t cycles = wanted.getNumTokens() * rows;
  return cycles > manyMore * fewestCycles ? cycles - fewestCycles : 0;
}

/// Elements that the op's loops cause to be held: in the converters for its operands, in FIFOs of
/// what comes at once and a contraction takes at its own pace, and in accumulators.
int64_t LoopOrderSearch::countElements(const Choice &choice, const Order &order, bool countsTwice) {
  int64_t sum = countAccumulators(choice, order.loops);
  linalg::GenericOp op = choice.op;
  for (auto [operand, wanted] : llvm::zip_equal(op.getDpsInputOperands(), order.inputs)) {
    ITensorType source = types.lookup(operand->get());
    if (!source)
      continue;
    bool isNew = countsTwice || counted.insert({operand->get(), wanted}).second;
    int64_t held = isNew ? getElements(source, wanted) : 0;
    if (choice.isContraction && spans.lookup(operand->get()).isAtOnce())
      held = std::max(held, source.getDataType().getNumElements());
    sum += held;
    // An operand that comes again and again, and too slowly for the lanes, is worse than any
    // memory.
    constexpr int64_t elementsOfCycle = 1 << 16;
    if (choice.isContraction)
      sum += elementsOfCycle * countCyclesOfRows(wanted);
  }
  return sum;
}

/// Types of the results in the chosen order; returns the elements of the op's own converters.
int64_t LoopOrderSearch::visitChoice(const Choice &choice) {
  const Order &order = choice.getOrder();
  linalg::GenericOp op = choice.op;
  for (auto [result, type] : llvm::zip_equal(op->getResults(), order.results)) {
    spans[result] = getSpan(choice, order);
    types[result] = type;
  }
  return countElements(choice, order, /*countsTwice=*/false);
}

/// Returns the elements of the converters in front of it.
int64_t LoopOrderSearch::visit(Operation &op) {
  ++visits;
  if (auto *it = choices.find(&op); it != choices.end())
    return visitChoice(it->second);
  if (auto task = dyn_cast<dataflow::ExternTaskOp>(op))
    return visitHandWritten(task);
  if (!isa<linalg::LinalgOp>(op)) // A fill is its consumer's initial value.
    visitView(&op);
  return 0;
}

int64_t LoopOrderSearch::countAllElements() {
  clear();
  int64_t sum = 0;
  for (Operation &op : function.getBody().front())
    sum += visit(op);
  return sum;
}

/// Takes the order with the smallest converters towards the producers; ties keep the order of the
/// result's dimensions.
void LoopOrderSearch::chooseGreedily(Choice &choice) {
  int64_t best = std::numeric_limits<int64_t>::max();
  for (unsigned index = 0; index < choice.orders.size(); ++index) {
    int64_t sum = countElements(choice, choice.getOrder(index), /*countsTwice=*/true);
    if (sum < best) {
      choice.chosen = index;
      best = sum;
    }
    if (best == 0)
      break;
  }
}

/// Producers first.
LogicalResult LoopOrderSearch::chooseGreedily() {
  for (Operation &op : function.getBody().front()) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      FailureOr<Choice> found = getChoice(generic, classes, device, engines);
      if (failed(found))
        return failure();
      chooseGreedily(choices.insert({&op, std::move(*found)}).first->second);
    }
    visit(op);
  }
  return success();
}

/// Lets those whose operands come in another order than `before`, when `changed` was given one,
/// choose again: a product and the sum over its groups can then change together. False if there are
/// none.
bool LoopOrderSearch::letReadersFollow(const Choice &changed,
                                       const DenseMap<Value, ITensorType> &before) {
  bool anyFollows = false;
  clear();
  for (Operation &op : function.getBody().front()) {
    auto *it = choices.find(&op);
    bool follows = it != choices.end() && &it->second != &changed &&
                   llvm::any_of(op.getOperands(), [&](Value operand) {
                     return types.lookup(operand) != before.lookup(operand);
                   });
    if (follows)
      chooseGreedily(it->second);
    anyFollows |= follows;
    visit(op);
  }
  return anyFollows;
}

SmallVector<unsigned> LoopOrderSearch::getChosen() const {
  return llvm::map_to_vector(choices, [](const auto &entry) { return entry.second.chosen; });
}

void LoopOrderSearch::setChosen(ArrayRef<unsigned> chosen) {
  for (auto [entry, index] : llvm::zip_equal(choices, chosen))
    entry.second.chosen = index;
}

/// Takes the order with which the sum over all converters is least and no more phases are needed,
/// alone or with those that read what it gives.
void LoopOrderSearch::improve(Choice &choice) {
  SmallVector<unsigned> before = getChosen(), best = before;
  countAllElements();
  int64_t phases = countPhases();
  auto keepIfLess = [&] {
    int64_t sum = countAllElements();
    if (sum < fewest && countPhases() <= phases) {
      fewest = sum;
      best = getChosen();
    }
  };
  unsigned now = choice.chosen;
  DenseMap<Value, ITensorType> typesBefore = types;
  for (unsigned index = 0; index < choice.orders.size() && visits < maxVisits; ++index) {
    if (index == now)
      continue; // Its sum is `fewest`.
    choice.chosen = index;
    keepIfLess();
    if (letReadersFollow(choice, typesBefore))
      keepIfLess();
    setChosen(before);
  }
  setChosen(best);
}

/// The same order but with the loops of `family` outermost, reductions only if `alsoReductions`.
static SmallVector<unsigned> putOutermost(const Choice &choice, ArrayRef<LoopFamilies::Loop> family,
                                          bool alsoReductions) {
  SmallVector<unsigned> order = choice.orders[choice.chosen];
  SmallVector<int64_t> ranges = linalg::GenericOp(choice.op).getStaticLoopRanges();
  SmallVector<utils::IteratorType> kinds = linalg::GenericOp(choice.op).getIteratorTypesArray();
  std::stable_partition(order.begin(), order.end(), [&](unsigned dim) {
    if (ranges[dim] <= choice.tiles[dim])
      return false;
    bool isMember = llvm::any_of(
        family, [&](LoopFamilies::Loop loop) { return loop.op == choice.op && loop.dim == dim; });
    return isMember && (alsoReductions || linalg::isParallelIterator(kinds[dim]));
  });
  return order;
}

/// Gives every op the order with the loops of `family` outermost, if it can take it. False if
/// nothing changes.
bool LoopOrderSearch::putOutermost(ArrayRef<LoopFamilies::Loop> family, bool alsoReductions) {
  bool anyMoves = false;
  for (auto &[op, choice] : choices) {
    auto *it = llvm::find(choice.orders, ::putOutermost(choice, family, alsoReductions));
    if (it == choice.orders.end() || it == choice.orders.begin() + choice.chosen)
      continue;
    choice.chosen = it - choice.orders.begin();
    anyMoves = true;
  }
  return anyMoves;
}

/// The phases of the function, in the orders of the last walk.
int64_t LoopOrderSearch::countPhases() const {
  int64_t phases = 0;
  for (const auto &[value, span] : spans)
    phases = std::max(phases, span.last);
  return phases;
}

/// Puts families of loops outermost, each in all ops at once, where that takes fewer phases and no
/// more elements: attention by heads begins with the first of them, while the others are projected.
void LoopOrderSearch::moveFamilies() {
  countAllElements();
  int64_t fewestPhases = countPhases();
  LoopFamilies families(function);
  for (ArrayRef<LoopFamilies::Loop> family : families.getFamilies())
    for (bool alsoReductions : {true, false}) {
      SmallVector<unsigned> before = getChosen();
      if (!putOutermost(family, alsoReductions))
        continue;
      int64_t sum = countAllElements();
      if (sum <= fewest && countPhases() < fewestPhases) {
        fewest = sum;
        fewestPhases = countPhases();
      } else {
        setChosen(before);
      }
    }
}

/// The order in which an op takes one of its operands.
ITensorType LoopOrderSearch::getReadType(OpOperand &read) const {
  return getReader(read).getOrder().inputs[read.getOperandNumber()];
}

/// Makes the op take its operand in `order`, if it can.
bool LoopOrderSearch::follow(OpOperand &read, ITensorType order) {
  Choice &reader = choices.find(read.getOwner())->second;
  auto fits = [&] { return getReadType(read) == order; };
  if (fits())
    return true;
  for (reader.chosen = 0; reader.chosen < reader.orders.size(); ++reader.chosen)
    if (fits())
      return true;
  reader.chosen = 0;
  return false;
}

/// Does it wait for nothing that comes at the end of what makes it?
bool LoopOrderSearch::beginsAtOnce(const Choice &choice) const {
  return getInputSpan(choice, choice.getOrder()).first == 0;
}

/// Words beyond one in an iteration that memory gives the product with this `read` of its matrix,
/// as tiles of a vector that are more than a word come again and again.
int64_t LoopOrderSearch::countWordsBeside(const OpOperand &read) const {
  linalg::GenericOp op = getReader(read).op;
  int64_t words = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (input == &read || !isExternal(input->get()) ||
        !isa<RankedTensorType>(input->get().getType()))
      continue;
    ITensorType type = getReadType(*input);
    int64_t bits = type.getTokenElements() * dataflow::getPackedBits(type.getElementType());
    if (!isExactCover(type))
      words += type.getNumTokens() * (llvm::divideCeil(bits, device.port().bits) - 1);
  }
  return words;
}

/// Gives products that take each element of a tensor in memory once the order of one of them, if
/// all begin at once then, in no more phases, and hold less for it than is read less. Of several
/// such orders, that with which no other tensor comes slower, then that with which least is held.
void LoopOrderSearch::shareReads() {
  llvm::SetVector<Value> tensors;
  for (auto &[op, choice] : choices)
    if (OpOperand *shared = findSharedRead(choice.op))
      tensors.insert(shared->get());
  for (Value tensor : tensors) {
    SmallVector<OpOperand *> reads = getReadsOnce(tensor);
    SmallVector<unsigned> before = getChosen(), best = before;
    int64_t now = countAllElements(), phases = countPhases();
    int64_t saved = (reads.size() - 1) * cast<ShapedType>(tensor.getType()).getNumElements();
    std::pair<int64_t, int64_t> fewest = {std::numeric_limits<int64_t>::max(), 0};
    for (OpOperand *first : reads) {
      ITensorType order = getReadType(*first);
      bool allFollow = llvm::all_of(reads, [&](OpOperand *read) { return follow(*read, order); });
      int64_t sum = countAllElements(), words = 0;
      for (OpOperand *read : reads)
        words += countWordsBeside(*read);
      if (allFollow && sum < now + saved && std::pair(words, sum) < fewest &&
          countPhases() <= phases &&
          llvm::all_of(reads, [&](OpOperand *read) { return beginsAtOnce(getReader(*read)); })) {
        fewest = {words, sum};
        best = getChosen();
      }
      setChosen(before);
    }
    setChosen(best);
  }
}

void LoopOrderSearch::improve() {
  fewest = countAllElements();
  for (bool isBetter = true; isBetter && visits < maxVisits;) {
    int64_t before = fewest;
    moveFamilies();
    for (auto &[op, choice] : choices)
      if (choice.orders.size() > 1)
        improve(choice);
    isBetter = fewest < before;
  }
}

FailureOr<LoopOrders> LoopOrderSearch::run() {
  for (auto op : function.getOps<linalg::GenericOp>())
    if (isContraction(op))
      fewestCycles += llvm::product_of(classes.getExpectedRanges(op)) / lanes;
  if (failed(chooseGreedily()))
    return failure();
  improve();
  shareReads();
  LoopOrders orders;
  for (auto &[op, choice] : choices)
    orders[op] = choice.orders[choice.chosen];
  return std::move(orders);
}

FailureOr<LoopOrders> streamtensor::chooseLoopOrders(func::FuncOp function,
                                                     const DimensionClasses &classes,
                                                     const DeviceModel &device,
                                                     itensor::ConverterRule rule,
                                                     const Engines &engines, int64_t lanes) {
  return LoopOrderSearch(function, classes, device, rule, engines, lanes).run();
}

double streamtensor::getPartAtEnd(linalg::LinalgOp op, const DimensionClasses &classes,
                                  ArrayRef<unsigned> order) {
  SmallVector<int64_t> tiles = classes.getLoopTiles(op), extents = op.getStaticLoopRanges();
  auto iterators = op.getIteratorTypesArray();
  double part = 1;
  for (unsigned loop : order) {
    if (tiles[loop] == extents[loop])
      continue;
    if (iterators[loop] == utils::IteratorType::reduction)
      break;
    part *= double(tiles[loop]) / extents[loop];
  }
  return part;
}
