//===- DimensionClasses.cpp - Tile extents shared by connected ops --------===//

#include "streamtensor/Transforms/Tile/DimensionClasses.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Analysis/SharedReads.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Dialect/Program/IR/Program.h"
#include "streamtensor/Support/BitWidth.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor;

/// Elements of a kernel that is held on chip, and channels of one token of images.
constexpr int64_t maxKernel = 1 << 18, maxChannels = 512;

/// The tile of a dimension: its largest divisor up to `limit`. If that is a small part of the limit
/// (the extent is prime, say), the next one above it: one large tile beats many tiny ones.
static int64_t chooseTile(int64_t extent, int64_t limit) {
  constexpr int64_t smallPart = 4, largestFactor = 32;
  int64_t tile = getLargestDivisor(extent, limit);
  if (tile == extent || tile * smallPart >= limit)
    return tile;
  for (int64_t next = limit + 1; next <= std::min(extent, limit * largestFactor); ++next)
    if (extent % next == 0)
      return next;
  return tile;
}

DimensionClasses::DimensionClasses(func::FuncOp function, int64_t tileSize, const Engines &engines,
                                   ArrayRef<MatrixRows> matrices)
    : tileSize(tileSize), engines(engines) {
  visitDeclaredExtents(function);
  function.walk([&](Operation *op) { visit(op); });
  tieReshapesBesideEngines();
  tile.resize(parent.size());
  llvm::DenseMap<unsigned, int64_t> limits;
  for (auto [node, limit] : wider) {
    int64_t &classLimit = limits.try_emplace(find(node), limit).first->second;
    classLimit = std::min(classLimit, limit);
  }
  for (unsigned node = 0; node < parent.size(); ++node)
    tile[node] = limits.contains(find(node))
                     ? getLargestDivisor(common[find(node)], std::max(tileSize, limits[find(node)]))
                     : chooseTile(common[find(node)], tileSize);
  for (const MatrixRows &rows : matrices) {
    unsigned root = find(nodeOf(rows.matrix, 0));
    int64_t row = tile[find(nodeOf(rows.matrix, 1))];
    if (row % rows.word != 0)
      continue; // Rows of a tile are no words.
    // Where another product takes such a dimension along its rows, a row of a tile is a word.
    if (llvm::none_of(matrices, [&](const MatrixRows &other) {
          return find(nodeOf(other.matrix, 1)) == root;
        }))
      takeAtOnce(root, row / rows.word, rows);
  }
  limitElements();
}

/// Gives the rows of a matrix, with so many words of each, tiles of as many as may come at once, if
/// their number has such a divisor near that.
void DimensionClasses::takeAtOnce(unsigned root, int64_t words, const MatrixRows &rows) {
  int64_t most = rows.most / words, found = getRowsAtOnce(common[root], words, rows);
  if (most < 1 || 2 * found < most)
    return;
  wider.push_back({root, found});
  for (unsigned other = 0; other < parent.size(); ++other)
    if (find(other) == root)
      tile[other] = found;
}

unsigned DimensionClasses::find(unsigned node) const {
  while (parent[node] != node)
    node = parent[node] = parent[parent[node]];
  return node;
}

void DimensionClasses::unite(unsigned lhs, unsigned rhs) {
  lhs = find(lhs);
  rhs = find(rhs);
  if (lhs == rhs)
    return;
  common[lhs] = std::gcd(common[lhs], common[rhs]);
  parent[rhs] = lhs;
}

unsigned DimensionClasses::nodeOf(Value value, unsigned dim) {
  auto [it, inserted] = firstNode.try_emplace(value, parent.size());
  if (inserted) {
    values.push_back(value);
    for (int64_t extent : cast<RankedTensorType>(value.getType()).getShape()) {
      parent.push_back(parent.size());
      common.push_back(extent);
    }
  }
  return it->second + dim;
}

void DimensionClasses::constrain(unsigned node, int64_t divisible) {
  unsigned root = find(node);
  common[root] = std::gcd(common[root], divisible);
}

void DimensionClasses::cutToOne(unsigned node) { constrain(node, 1); }

void DimensionClasses::visitDeclaredExtents(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    auto names =
        function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), program::extentsAttrName);
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!names || !type)
      continue;
    for (auto [dim, name, extent] : llvm::enumerate(names, type.getShape()))
      if (auto text = dyn_cast<StringAttr>(name); text && !text.empty())
        declared.push_back({nodeOf(argument, dim), extent});
  }
}

/// Does the host give elements another shape between a pack and the design, or behind it?
static bool isBesidePack(Operation *op) {
  return isReshape(op) && (stripReshapes(op->getResult(0)).getDefiningOp<itensor::PackOp>() ||
                           llvm::any_of(op->getUsers(), [](Operation *user) {
                             return isa<itensor::UnpackOp>(user) || isBesidePack(user);
                           }));
}

void DimensionClasses::visit(Operation *op) {
  if (isBesidePack(op))
    return;
  if (auto generic = dyn_cast<linalg::LinalgOp>(op))
    return visitGeneric(generic);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return visitReshape(expand.getResult(), expand.getSrc(), expand.getReassociationIndices());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return visitReshape(collapse.getSrc(), collapse.getResult(),
                        collapse.getReassociationIndices());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    unsigned resultDim = 0;
    for (unsigned dim = 0; dim < dropped.size(); ++dim) {
      unsigned node = nodeOf(slice.getSource(), dim);
      constrain(node, slice.getStaticOffsets()[dim]);
      constrain(node, slice.getStaticSizes()[dim]);
      if (!dropped.test(dim))
        unite(node, nodeOf(slice.getResult(), resultDim++));
    }
    return;
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    unsigned rank = concat.getResultType().getRank();
    for (Value input : concat.getInputs())
      for (unsigned dim = 0; dim < rank; ++dim)
        unite(nodeOf(concat.getResult(), dim), nodeOf(input, dim));
    return;
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    for (auto [dim, low, high] : llvm::enumerate(pad.getStaticLow(), pad.getStaticHigh()))
      visitPad(pad, dim, low, high);
}

/// Do only windows read `value`, perhaps reshaped?
static bool feedsWindows(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
      return feedsWindows(user->getResult(0));
    auto op = dyn_cast<linalg::GenericOp>(user);
    return op && llvm::any_of(op.getIndexingMapsArray(), isWindow);
  });
}

void DimensionClasses::visitPad(tensor::PadOp pad, unsigned dim, int64_t low, int64_t high) {
  unsigned node = nodeOf(pad.getResult(), dim), source = nodeOf(pad.getSource(), dim);
  // Windows read the padded dimension in tiles of their own; the padding shall not cut those
  // that the source is written in.
  if ((low > 0 || high > 0) && feedsWindows(pad.getResult()))
    return cutToOne(node);
  // An engine takes groups of its own.
  bool isOfEngine = llvm::all_of(pad->getUsers(), [&](Operation *user) {
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return op && getPassLoops(op, engines);
  });
  if (isOfEngine)
    return;
  constrain(node, low);
  constrain(node, high);
  unite(node, source);
}

/// What a window sums over is whole in its kernel, whatever tiles it arrives in.
static bool hasTileOfItsOwn(linalg::LinalgOp op, OpOperand &operand, unsigned loop) {
  return isWindow(op.getMatchingIndexingMap(&operand)) &&
         op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
}

/// Is what all inputs of a contraction share a batch? If one of them has no parallel loop beside
/// (scales of the outputs by group), it is rows of the result.
static bool hasBatch(linalg::LinalgOp op) {
  auto iterators = op.getIteratorTypesArray();
  llvm::SmallBitVector shared(op.getNumLoops(), true);
  SmallVector<llvm::SmallBitVector> used;
  for (OpOperand *input : op.getDpsInputOperands()) {
    llvm::SmallBitVector &loops = used.emplace_back(op.getNumLoops());
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      loops[loop] = iterators[loop] == utils::IteratorType::parallel &&
                    op.getMatchingIndexingMap(input).isFunctionOfDim(loop);
    shared &= loops;
  }
  return llvm::all_of(used, [&](const llvm::SmallBitVector &loops) { return loops.test(shared); });
}

void DimensionClasses::visitGeneric(linalg::LinalgOp op) {
  unsigned inputsWithDim[32] = {};
  auto iterators = op.getIteratorTypesArray();
  SmallVector<std::optional<unsigned>> loopNode(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    // The destination's shape is the result's; use the result so that values that
    // only initialise several ops do not tie them together.
    Value value = op.isDpsInit(&operand) ? op.getTiedOpResult(&operand) : operand.get();
    for (auto [dim, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      if (hasTileOfItsOwn(op, operand, loop.getPosition()))
        continue;
      unsigned node = nodeOf(value, dim);
      if (loopNode[loop.getPosition()])
        unite(*loopNode[loop.getPosition()], node);
      loopNode[loop.getPosition()] = node;
      if (op.isDpsInput(&operand) && loop.getPosition() < 32)
        ++inputsWithDim[loop.getPosition()];
    }
  }
  if (llvm::any_of(op.getIndexingMapsArray(), isWindow))
    return visitWindow(op, loopNode);
  if (!isContraction(op))
    return;
  // The engine takes weights once for all tokens of a pass.
  if (std::optional<PassLoops> pass = getPassLoops(op, engines); pass && pass->tokens) {
    auto turn = engines.turns.find(op);
    if (turn == engines.turns.end())
      wider.push_back({*loopNode[*pass->tokens], engines.tokensOfPass});
    else if (!pass->heads.empty())
      for (unsigned loop : {*pass->tokens, pass->outputs, pass->inputs})
        wider.push_back({*loopNode[loop], turn->second.tile[loop]});
    passed.push_back(*loopNode[*pass->tokens]);
  }
  widenNarrowRows(op, loopNode);
  if (!hasBatch(op))
    return;
  for (unsigned loop = 0; loop < op.getNumLoops() && loop < 32; ++loop)
    if (iterators[loop] == utils::IteratorType::parallel && loopNode[loop] &&
        inputsWithDim[loop] == op.getNumDpsInputs())
      cutToOne(*loopNode[loop]);
}

/// Does external memory hold `value` as an argument, perhaps reshaped or packed?
static bool isArgument(Value value) { return isa<BlockArgument>(stripHostSteps(value)); }

/// A row of a tile is what memory sends in one word. Of weights narrower than 32 bits it has as
/// many elements more, so that a word is as wide whatever they are.
void DimensionClasses::widenNarrowRows(linalg::LinalgOp op,
                                       ArrayRef<std::optional<unsigned>> loopNode) {
  constexpr int64_t wholeWidth = 32;
  for (OpOperand *input : getDataInputs(op)) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type || type.getRank() == 0 || !isArgument(input->get()))
      continue;
    auto row = dyn_cast<AffineDimExpr>(op.getMatchingIndexingMap(input).getResults().back());
    int64_t bits = getBitWidth(type.getElementType());
    if (!row || bits <= 1 || bits >= wholeWidth)
      continue;
    int64_t limit = tileSize * wholeWidth / bits;
    wider.push_back({*loopNode[row.getPosition()], limit});
    if (!engines.contains(op))
      continue;
    ofEngines.push_back(wider.back());
    AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
    if (result.getNumResults() == 0)
      continue;
    if (auto given = dyn_cast<AffineDimExpr>(result.getResults().back()))
      ofEngines.push_back({*loopNode[given.getPosition()], limit});
  }
}

/// Is one of the inputs beside the window data, so that the window is a convolution?
static bool hasKernel(linalg::LinalgOp op) {
  return llvm::any_of(getDataInputs(op), [&](OpOperand *input) {
    return !isWindow(op.getMatchingIndexingMap(input));
  });
}

/// The part of a window's loops that index its kernel: all of them, except that the result's
/// channels are cut if the kernel is too large to be held.
void DimensionClasses::holdKernel(linalg::LinalgOp op, AffineMap kernel,
                                  ArrayRef<std::optional<unsigned>> loopNode) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto iterators = op.getIteratorTypesArray();
  int64_t elements = 1;
  for (AffineExpr index : kernel.getResults())
    elements *= ranges[cast<AffineDimExpr>(index).getPosition()];
  for (AffineExpr index : kernel.getResults()) {
    unsigned loop = cast<AffineDimExpr>(index).getPosition();
    int64_t limit = ranges[loop];
    if (iterators[loop] == utils::IteratorType::parallel)
      limit = std::min(maxChannels, std::max<int64_t>(1, maxKernel / (elements / limit)));
    wider.push_back({*loopNode[loop], limit});
  }
}

void DimensionClasses::visitWindow(linalg::LinalgOp op,
                                   ArrayRef<std::optional<unsigned>> loopNode) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto iterators = op.getIteratorTypesArray();
  auto isInWindow = [&](unsigned loop) {
    return llvm::any_of(maps, [&](AffineMap map) {
      return llvm::any_of(map.getResults(), [&](AffineExpr index) {
        return !isa<AffineDimExpr>(index) && index.isFunctionOfDim(loop);
      });
    });
  };
  AffineMap kernel;
  for (OpOperand *input : op.getDpsInputOperands())
    if (AffineMap map = op.getMatchingIndexingMap(input); !isWindow(map))
      kernel = map;
  if (kernel)
    holdKernel(op, kernel, loopNode);
  bool foundColumn = false, foundChannel = false;
  for (unsigned loop = op.getNumLoops(); loop-- > 0;) {
    if (!loopNode[loop] || iterators[loop] == utils::IteratorType::reduction ||
        (kernel && kernel.isFunctionOfDim(loop)))
      continue;
    if (isInWindow(loop)) {
      if (std::exchange(foundColumn, true))
        cutToOne(*loopNode[loop]);
    } else if (hasKernel(op) || std::exchange(foundChannel, true)) {
      cutToOne(*loopNode[loop]); // Images of a batch follow each other.
    } else {
      wider.push_back({*loopNode[loop], maxChannels});
    }
  }
}

void DimensionClasses::visitReshape(Value high, Value low,
                                    ArrayRef<SmallVector<int64_t, 2>> reassociation) {
  Reshape reshape{high, low, llvm::to_vector(reassociation)};
  if (engines.empty())
    tie(reshape, [](int64_t, unsigned) { return true; });
  else
    reshapes.push_back(std::move(reshape));
}

/// Inner dimensions are tied where `isTied` says so, of the extent and the node of the low one.
void DimensionClasses::tie(const Reshape &reshape, function_ref<bool(int64_t, unsigned)> isTied) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(reshape.high.getType()).getShape();
  for (auto [lowDim, group] : llvm::enumerate(reshape.reassociation)) {
    bool foundInner = false;
    for (int64_t dim : llvm::reverse(group)) {
      if (shape[dim] == 1)
        continue;
      unsigned node = nodeOf(reshape.high, dim);
      if (foundInner)
        cutToOne(node);
      else if (unsigned inner = nodeOf(reshape.low, lowDim); isTied(shape[dim], inner))
        unite(node, inner);
      foundInner = true;
    }
  }
}

/// A reshape that cuts rows of an engine into parts of half its width or more does not tie them.
void DimensionClasses::tieReshapesBesideEngines() {
  int64_t widest = 0;
  for (auto [node, limit] : ofEngines)
    widest = std::max(widest, limit);
  for (const Reshape &reshape : reshapes)
    tie(reshape, [&](int64_t extent, unsigned) { return extent >= widest; });
  SmallVector<std::pair<unsigned, int64_t>> apart;
  for (const Reshape &reshape : reshapes)
    tie(reshape, [&](int64_t extent, unsigned low) {
      for (auto [node, limit] : ofEngines)
        if (find(node) == find(low) && extent < limit && limit <= 2 * extent &&
            common[find(low)] % limit == 0) {
          apart.push_back({low, limit});
          return false;
        }
      return true;
    });
  wider.append(apart);
}

void DimensionClasses::limitElements() {
  llvm::DenseSet<unsigned> uncounted;
  for (auto [node, limit] : wider)
    uncounted.insert(find(node));
  for (Value value : values) {
    unsigned rank = cast<RankedTensorType>(value.getType()).getRank();
    int64_t elements = 1;
    auto isCounted = [&](unsigned dim) {
      return !uncounted.contains(find(firstNode.lookup(value) + dim));
    };
    // A tile above the tile size was chosen for want of a smaller one: it counts like that.
    auto count = [&](unsigned dim) {
      return isCounted(dim) ? std::min(getTile(value, dim), tileSize) : 1;
    };
    for (unsigned dim = 0; dim < rank; ++dim)
      elements *= count(dim);
    for (unsigned dim = 0; dim < rank && elements > tileSize * tileSize; ++dim) {
      if (!isCounted(dim))
        continue;
      elements /= count(dim);
      tile[find(firstNode.lookup(value) + dim)] = 1;
    }
  }
}

int64_t DimensionClasses::getTile(Value value, unsigned dim) const {
  auto it = firstNode.find(value);
  assert(it != firstNode.end() && "tensor was not visited");
  return tile[find(it->second + dim)];
}

void DimensionClasses::forEachLoopNode(
    linalg::LinalgOp op, llvm::function_ref<void(unsigned loop, unsigned node)> visit) const {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    Value value = op.isDpsInit(&operand) ? op.getTiedOpResult(&operand) : operand.get();
    for (auto [dim, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr);
          loop && !hasTileOfItsOwn(op, operand, loop.getPosition()))
        visit(loop.getPosition(), find(firstNode.lookup(value) + dim));
  }
}

SmallVector<int64_t> DimensionClasses::getLoopTiles(linalg::LinalgOp op) const {
  SmallVector<int64_t> tiles(op.getStaticLoopRanges());
  forEachLoopNode(op, [&](unsigned loop, unsigned node) { tiles[loop] = tile[node]; });
  return tiles;
}

SmallVector<unsigned> DimensionClasses::getFreeClasses(func::FuncOp function) const {
  llvm::DenseSet<unsigned> bound;
  for (auto [node, limit] : llvm::concat<const std::pair<unsigned, int64_t>>(wider, declared))
    bound.insert(find(node));
  llvm::SetVector<unsigned> free;
  for (auto op : function.getOps<linalg::GenericOp>())
    if (isContraction(op))
      forEachLoopNode(op, [&](unsigned, unsigned node) {
        // Who shares a read has lanes along it.
        if (findSharedRead(op))
          bound.insert(node);
        else if (tile[node] == chooseTile(common[node], tileSize))
          free.insert(node);
      });
  free.remove_if([&](unsigned node) { return bound.contains(node); });
  return free.takeVector();
}

bool DimensionClasses::isRow(unsigned ofClass) const {
  return llvm::any_of(values, [&](Value value) {
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    return rank > 0 && find(firstNode.lookup(value) + rank - 1) == ofClass;
  });
}

bool DimensionClasses::goesThroughPasses(linalg::LinalgOp op, unsigned loop) const {
  bool found = false;
  forEachLoopNode(op, [&](unsigned each, unsigned node) {
    found |=
        each == loop && llvm::any_of(passed, [&](unsigned tokens) { return find(tokens) == node; });
  });
  return found;
}

/// Is an extent of `node`, a root, one that a launch gives, up to `extent`?
bool DimensionClasses::isDeclared(unsigned node, int64_t extent) const {
  return llvm::any_of(
      declared, [&](auto known) { return find(known.first) == node && known.second == extent; });
}

SmallVector<int64_t> DimensionClasses::getLeast(linalg::LinalgOp op,
                                                ArrayRef<int64_t> tiles) const {
  SmallVector<int64_t> least(tiles);
  forEachLoopNode(op, [&](unsigned loop, unsigned node) {
    if (isDeclared(node, tiles[loop]))
      least[loop] = 1;
  });
  return least;
}

SmallVector<int64_t> DimensionClasses::getExpectedRanges(linalg::LinalgOp op) const {
  SmallVector<int64_t> ranges(op.getStaticLoopRanges()), expected(ranges), tiles = getLoopTiles(op);
  forEachLoopNode(op, [&](unsigned loop, unsigned node) {
    if (isDeclared(node, ranges[loop]) && tiles[loop] < ranges[loop])
      expected[loop] = llvm::divideCeil(ranges[loop], 2);
  });
  return expected;
}

void streamtensor::stateLeast(func::FuncOp function, const DimensionClasses &classes) {
  for (auto op : function.getOps<linalg::GenericOp>()) {
    ArrayRef<int64_t> tiles = dataflow::getTiling(op).getTile();
    if (SmallVector<int64_t> least = classes.getLeast(op, tiles); tiles != ArrayRef(least))
      dataflow::setLeast(op, least);
  }
}
