//===- LoopOrder.cpp - Order of the tile loops ----------------------------===//
//
// The order of the tile loops decides how much of a tensor a converter must hold:
// two nests share buffers only under the loops that they have in common, outermost
// first. Orders are first chosen greedily in topological order, by the elements of the
// converters towards the producers whose orders are already fixed. The greedy choice
// does not see the readers (a small converter saved can force a large one behind it),
// so single orders are then changed as long as the sum over all converters falls.
//
// Reductions stand innermost, so that results are written once; or outside parallel loops, with
// all their accumulators in private memory, where that is less than repeating the input: a
// projection down from a long row then takes each tile of it once, as it comes.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/LoopOrder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/Accumulation.h"
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

/// A linalg op and the orders that its loops can take.
struct Choice {
  linalg::GenericOp op;
  SmallVector<int64_t> tiles;
  SmallVector<SmallVector<unsigned>> orders;
  unsigned chosen = 0;
};

class LoopOrderSearch {
public:
  LoopOrderSearch(func::FuncOp function, const DimensionClasses &classes, const DeviceModel &device,
                  itensor::ConverterRule rule)
      : function(function), classes(classes), device(device), rule(rule) {}

  FailureOr<LoopOrders> run();

private:
  LogicalResult chooseGreedily();
  void improve();
  void improve(Choice &choice);
  int64_t countAllElements();
  void visitView(Operation *op);
  int64_t visitHandWritten(dataflow::ExternTaskOp task);
  int64_t visitChoice(const Choice &choice);
  int64_t countElements(const Choice &choice, ArrayRef<TileLoop> loops, bool countsTwice);
  int64_t getElements(ITensorType source, ITensorType wanted);
  void setType(Value value, FailureOr<ITensorType> type) {
    if (succeeded(type))
      types[value] = *type;
  }

  func::FuncOp function;
  const DimensionClasses &classes;
  const DeviceModel &device;
  itensor::ConverterRule rule;
  llvm::MapVector<Operation *, Choice> choices;
  /// Types of the values inside the design; tensors from outside have none, as any
  /// order can be read from external memory.
  DenseMap<Value, ITensorType> types;
  /// Converters counted in this walk: readers in one order share one.
  DenseSet<std::pair<Value, ITensorType>> counted;
  DenseMap<std::pair<ITensorType, ITensorType>, int64_t> elements;
  int64_t fewest = 0, visits = 0;
};

} // namespace

void LoopOrderSearch::visitView(Operation *op) {
  if (op->getNumOperands() == 0)
    return;
  ITensorType source = types.lookup(op->getOperand(0));
  if (!source)
    return;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return setType(expand.getResult(), reassociateType(source, expand.getReassociationIndices(),
                                                       expand.getResultType().getShape()));
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return setType(collapse.getResult(), reassociateType(source, collapse.getReassociationIndices(),
                                                         collapse.getResultType().getShape()));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    FailureOr<ITensorType> type = source;
    for (unsigned dim = 0; dim < source.getDataRank() && succeeded(type); ++dim)
      if (slice.getStaticSizes()[dim] != source.getDataShape()[dim])
        type = chunkType(*type, dim, slice.getStaticOffsets()[dim], slice.getStaticSizes()[dim]);
    if (slice.getType().getRank() == slice.getSourceType().getRank())
      setType(slice.getResult(), type);
  }
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

/// May reductions go outside parallel loops, whose accumulators are then held all at once? As many
/// points of a tile, not counting its lanes, must pass between two additions to one element as
/// adding takes cycles: with fewer, partial sums would multiply the accumulators.
static FailureOr<bool> mayCarryTiles(linalg::GenericOp op, ArrayRef<int64_t> tiles,
                                     const DeviceModel &device) {
  if (!isContraction(op) ||
      llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) { return isWindow(map); }))
    return false;
  int64_t points = 1;
  AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
  if (result.getNumResults() > 0)
    for (AffineExpr expr : result.getResults().drop_back())
      points *= getExtent(expr, tiles);
  FailureOr<int64_t> cycles = getAccumulateCycles(findCombiners(op), device);
  if (failed(cycles))
    return failure();
  return points >= *cycles;
}

static FailureOr<Choice> getChoice(linalg::GenericOp op, const DimensionClasses &classes,
                                   const DeviceModel &device) {
  Choice choice{op, classes.getLoopTiles(op), {}};
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
  FailureOr<bool> carriesTiles =
      reductions.empty() ? false : mayCarryTiles(op, choice.tiles, device);
  if (failed(carriesTiles))
    return failure();
  unsigned numInside = *carriesTiles ? parallel.size() : 0;
  SmallVector<SmallVector<unsigned>> orders = permute(parallel);
  for (unsigned inside = 0; inside <= numInside; ++inside)
    for (SmallVector<unsigned> order : orders) {
      order.insert(order.end() - inside, reductions.begin(), reductions.end());
      llvm::append_range(order, others);
      choice.orders.push_back(std::move(order));
    }
  return choice;
}

/// Accumulators beyond those of one tile: reductions outside parallel loops hold all tiles inside.
static int64_t countAccumulators(const Choice &choice, ArrayRef<TileLoop> loops) {
  int64_t tiles = 1, elements = 1;
  for (const TileLoop &loop : llvm::make_range(
           llvm::find_if(loops, [](TileLoop l) { return l.isReduction; }), loops.end()))
    tiles *= loop.isReduction ? 1 : loop.trips;
  auto op = linalg::GenericOp(choice.op);
  for (AffineExpr expr : op.getIndexingMapMatchingResult(op->getResult(0)).getResults())
    elements *= getExtent(expr, choice.tiles);
  return (tiles - 1) * elements;
}

int64_t LoopOrderSearch::getElements(ITensorType source, ITensorType wanted) {
  auto [it, inserted] = elements.try_emplace({source, wanted}, 0);
  if (!inserted || haveSameTokenOrder(source, wanted))
    return it->second;
  FailureOr<itensor::ConverterPlan> plan = itensor::planConverter(source, wanted, rule);
  return it->second =
             succeeded(plan) ? plan->getNumElements() : 2 * source.getDataType().getNumElements();
}

/// Elements that the op's loops cause to be held: in the converters for its operands, and in
/// accumulators.
int64_t LoopOrderSearch::countElements(const Choice &choice, ArrayRef<TileLoop> loops,
                                       bool countsTwice) {
  int64_t sum = countAccumulators(choice, loops);
  auto op = cast<linalg::LinalgOp>(linalg::GenericOp(choice.op).getOperation());
  for (OpOperand *operand : op.getDpsInputOperands()) {
    ITensorType source = types.lookup(operand->get());
    if (!source)
      continue;
    ITensorType wanted =
        getAccessType(op.getMatchingIndexingMap(operand),
                      cast<RankedTensorType>(operand->get().getType()), choice.tiles, loops);
    if (countsTwice || counted.insert({operand->get(), wanted}).second)
      sum += getElements(source, wanted);
  }
  return sum;
}

/// Types of the results in the chosen order; returns the elements of the op's own converters.
int64_t LoopOrderSearch::visitChoice(const Choice &choice) {
  linalg::GenericOp op = choice.op;
  SmallVector<TileLoop> loops = getTileLoops(op, choice.tiles, choice.orders[choice.chosen]);
  for (OpResult result : op->getResults())
    types[result] = getResultType(op.getIndexingMapMatchingResult(result),
                                  cast<RankedTensorType>(result.getType()), choice.tiles, loops);
  return countElements(choice, loops, /*countsTwice=*/false);
}

int64_t LoopOrderSearch::countAllElements() {
  types.clear();
  counted.clear();
  int64_t sum = 0;
  for (Operation &op : function.getBody().front()) {
    ++visits;
    if (auto *it = choices.find(&op); it != choices.end())
      sum += visitChoice(it->second);
    else if (auto task = dyn_cast<dataflow::ExternTaskOp>(op))
      sum += visitHandWritten(task);
    else if (!isa<linalg::LinalgOp>(op)) // A fill is its consumer's initial value.
      visitView(&op);
  }
  return sum;
}

/// Producers first, each op takes the order with the smallest converters towards them; ties keep
/// the order of the result's dimensions.
LogicalResult LoopOrderSearch::chooseGreedily() {
  for (Operation &op : function.getBody().front()) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic) {
      if (auto task = dyn_cast<dataflow::ExternTaskOp>(op))
        visitHandWritten(task);
      else if (!isa<linalg::LinalgOp>(op))
        visitView(&op);
      continue;
    }
    FailureOr<Choice> found = getChoice(generic, classes, device);
    if (failed(found))
      return failure();
    Choice &choice = choices.insert({&op, std::move(*found)}).first->second;
    int64_t best = std::numeric_limits<int64_t>::max();
    for (auto [index, order] : llvm::enumerate(choice.orders)) {
      int64_t sum =
          countElements(choice, getTileLoops(generic, choice.tiles, order), /*countsTwice=*/true);
      if (sum < best) {
        choice.chosen = index;
        best = sum;
      }
      if (best == 0)
        break;
    }
    visitChoice(choice);
  }
  return success();
}

/// Takes the order with which the sum over all converters is least.
void LoopOrderSearch::improve(Choice &choice) {
  unsigned before = choice.chosen, best = before;
  for (unsigned index = 0; index < choice.orders.size() && visits < maxVisits; ++index) {
    if (index == before)
      continue; // Its sum is `fewest`.
    choice.chosen = index;
    if (int64_t sum = countAllElements(); sum < fewest) {
      fewest = sum;
      best = index;
    }
  }
  choice.chosen = best;
}

void LoopOrderSearch::improve() {
  fewest = countAllElements();
  for (bool isBetter = true; isBetter && visits < maxVisits;) {
    int64_t before = fewest;
    for (auto &[op, choice] : choices)
      if (choice.orders.size() > 1)
        improve(choice);
    isBetter = fewest < before;
  }
}

FailureOr<LoopOrders> LoopOrderSearch::run() {
  if (failed(chooseGreedily()))
    return failure();
  improve();
  LoopOrders orders;
  for (auto &[op, choice] : choices)
    orders[op] = choice.orders[choice.chosen];
  return std::move(orders);
}

FailureOr<LoopOrders> streamtensor::chooseLoopOrders(func::FuncOp function,
                                                     const DimensionClasses &classes,
                                                     const DeviceModel &device,
                                                     itensor::ConverterRule rule) {
  return LoopOrderSearch(function, classes, device, rule).run();
}
