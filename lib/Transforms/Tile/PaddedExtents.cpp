//===- PaddedExtents.cpp - Which extents are padded, and how far ----------===//

#include "streamtensor/Transforms/Tile/PaddedExtents.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/Accumulation.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor;

//===----------------------------------------------------------------------===//
// How far
//===----------------------------------------------------------------------===//

int64_t streamtensor::getPaddedExtent(int64_t extent, int64_t word, int64_t percent) {
  int64_t lanes = extent & -extent; // The largest power of two that divides it.
  for (int64_t wanted = llvm::bit_floor(uint64_t(word)); wanted > lanes; wanted /= 2) {
    int64_t padded = llvm::alignTo(extent, wanted);
    if ((padded - extent) * 100 <= extent * percent)
      return padded;
  }
  return extent;
}

int64_t streamtensor::getOddExtent(int64_t extent, int64_t odd, int64_t percent) {
  for (int64_t wanted = 4 * odd; wanted >= odd; wanted /= 2) {
    int64_t padded = llvm::alignTo(extent, wanted);
    if ((padded - extent) * 100 <= extent * percent)
      return padded;
  }
  return extent;
}

int64_t streamtensor::getGroupedExtent(int64_t extent, int64_t padded, const MatrixRows &rows,
                                       int64_t percent) {
  constexpr double manyMore = 1.25;
  int64_t groups = llvm::divideCeil(extent, rows.most);
  if (padded == extent || padded / getLargestDivisor(padded, rows.most) <= manyMore * groups)
    return padded;
  int64_t grouped = groups * llvm::divideCeil(extent, groups);
  return (grouped - extent) * 100 <= extent * percent ? grouped : padded;
}

//===----------------------------------------------------------------------===//
// What an operation allows
//===----------------------------------------------------------------------===//

/// Does what lies behind an extent reach nobody who would stop or read elsewhere for it?
static bool computesAnything(linalg::GenericOp op) {
  return llvm::none_of(*op.getBody(), [](Operation &nested) {
    return isa<tensor::ExtractOp, arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
               arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp, arith::RemUIOp>(nested);
  });
}

bool streamtensor::addsNothingForZeros(linalg::GenericOp op, unsigned loop) {
  return getSummedProduct(op) && llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           return op.getMatchingIndexingMap(input).isFunctionOfDim(loop);
         });
}

/// May `loop` be longer? A reduction may that adds nothing for zeros, or whose terms can be left
/// out.
static bool mayBeLonger(linalg::GenericOp op, unsigned loop) {
  bool isReduction = op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  if (isReduction && addsNothingForZeros(op, loop))
    return true;
  return computesAnything(op) && (!isReduction || !findCombiners(op).empty());
}

/// Does every input have it, and the result? Then no lanes run along it.
static bool isBatch(linalg::GenericOp op, unsigned loop) {
  return llvm::all_of(op.getIndexingMapsArray(),
                      [&](AffineMap map) { return map.isFunctionOfDim(loop); });
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

bool streamtensor::changesBetweenLaunches(func::FuncOp function) {
  if (!dataflow::getScalarArguments(function).empty() || !dataflow::getUpdates(function).empty() ||
      program::getLoopedLayers(function))
    return true;
  return llvm::any_of(llvm::seq(function.getNumArguments()), [&](unsigned argument) {
    return function.getArgAttr(argument, program::extentsAttrName) != nullptr;
  });
}

PaddedExtents::PaddedExtents(func::FuncOp function, const DeviceModel &device, int64_t percent,
                             dataflow::OddFactors odd)
    : function(function) {
  // As many numbers as a word of memory has: more lanes along one dimension need no padding.
  constexpr int64_t wholeWidth = 32;
  visitAll();
  choose(device.port().getElements(wholeWidth), percent, odd, findMatrixRows(function, device));
}

PaddedExtents::PaddedExtents(func::FuncOp function, ArrayRef<int64_t> padded) : function(function) {
  visitAll();
  if (padded.empty())
    return;
  for (auto [leader, extent] : llvm::zip_equal(getPaddableClasses(), padded))
    if (extent != size[leader])
      extents[leader] = extent;
}

void PaddedExtents::visitAll() {
  if (changesBetweenLaunches(function))
    return;
  for (Operation &op : function.getBody().front())
    visit(&op);
}

unsigned PaddedExtents::nodeOf(Value value, unsigned dim) {
  auto [it, inserted] = firstNode.try_emplace(value, size.size());
  if (inserted) {
    llvm::append_range(size, cast<RankedTensorType>(value.getType()).getShape());
    classes.grow(size.size());
    // What results start from is made anew with them; as an input it stays.
    if (isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(value.getDefiningOp()))
      keep(value);
  }
  return it->second + dim;
}

void PaddedExtents::keep(Value value) {
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      kept.push_back(nodeOf(value, dim));
}

void PaddedExtents::relate(Value lhs, unsigned lhsDim, Value rhs, unsigned rhsDim, bool stays) {
  unsigned left = nodeOf(lhs, lhsDim), right = nodeOf(rhs, rhsDim);
  if (stays)
    classes.join(left, right);
  else
    kept.append({left, right});
}

void PaddedExtents::visitReshape(Value high, Value low, ArrayRef<SmallVector<int64_t, 2>> groups) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(high.getType()).getShape();
  for (auto [lowDim, group] : llvm::enumerate(groups)) {
    bool isOne = llvm::count_if(group, [&](int64_t dim) { return shape[dim] != 1; }) == 1;
    for (int64_t dim : group)
      if (shape[dim] != 1)
        relate(high, dim, low, lowDim, isOne);
  }
}

/// Does it come from external memory, or go there?
static bool isInMemory(Value value) {
  return isExternal(value) || llvm::any_of(value.getUsers(), [](Operation *user) {
           return isa<func::ReturnOp>(user) || (isReshape(user) && isInMemory(user->getResult(0)));
         });
}

void PaddedExtents::visitGeneric(linalg::GenericOp op) {
  SmallVector<std::optional<unsigned>> loopNode(op.getNumLoops());
  SmallVector<unsigned> inWindows;
  SmallVector<bool> isRow(op.getNumLoops(), false); // Neighbours in memory for some operand.
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    // Results start from a tensor of their own: that two share an empty one relates them in
    // nothing.
    Value value = op.isDpsInit(&operand) ? op.getTiedOpResult(&operand) : operand.get();
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, index] : llvm::enumerate(map.getResults())) {
      unsigned node = nodeOf(value, dim);
      if (auto loop = dyn_cast<AffineDimExpr>(index)) {
        std::optional<unsigned> &known = loopNode[loop.getPosition()];
        if (known)
          classes.join(*known, node);
        known = node;
        bool isLast = dim + 1 == map.getNumResults();
        isRow[loop.getPosition()] |= isLast;
        if (isLast && dim > 0 && isInMemory(value))
          inWords.push_back(node);
        continue;
      }
      kept.push_back(node);
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        if (index.isFunctionOfDim(loop))
          inWindows.push_back(loop);
    }
  }
  for (auto [loop, node] : llvm::enumerate(loopNode)) {
    if (!node)
      continue;
    if (llvm::is_contained(inWindows, loop) || !mayBeLonger(op, loop))
      kept.push_back(*node);
    else if (getSummedProduct(op) && !isBatch(op, loop))
      (isRow[loop] ? rows : others).push_back(*node);
  }
}

void PaddedExtents::visit(Operation *op) {
  if (isa<tensor::EmptyOp, linalg::FillOp, func::ReturnOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return visitGeneric(generic);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return visitReshape(expand.getResult(), expand.getSrc(), expand.getReassociationIndices());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return visitReshape(collapse.getSrc(), collapse.getResult(),
                        collapse.getReassociationIndices());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
      slice && slice.getSourceType().getRank() == slice.getType().getRank()) {
    for (auto [dim, whole, part] :
         llvm::enumerate(slice.getSourceType().getShape(), slice.getType().getShape()))
      relate(slice.getSource(), dim, slice.getResult(), dim, whole == part);
    return;
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    for (Value input : concat.getInputs())
      for (int64_t dim = 0; dim < concat.getResultType().getRank(); ++dim)
        relate(input, dim, concat.getResult(), dim, uint64_t(dim) != concat.getDim());
    return;
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    for (auto [dim, low, high] : llvm::enumerate(pad.getStaticLow(), pad.getStaticHigh()))
      relate(pad.getSource(), dim, pad.getResult(), dim, low == 0 && high == 0);
    return;
  }
  for (Value value : op->getOperands())
    keep(value);
  for (Value value : op->getResults())
    keep(value);
}

SmallVector<unsigned> PaddedExtents::getPaddableClasses() const {
  llvm::DenseSet<unsigned> stays, found;
  for (unsigned node : kept)
    stays.insert(classes.findLeader(node));
  for (ArrayRef<unsigned> nodes : {ArrayRef(rows), ArrayRef(others)})
    for (unsigned node : nodes)
      if (unsigned leader = classes.findLeader(node); !stays.contains(leader))
        found.insert(leader);
  SmallVector<unsigned> paddable(found.begin(), found.end());
  llvm::sort(paddable);
  return paddable;
}

SmallVector<int64_t> PaddedExtents::getPaddable() const {
  return llvm::map_to_vector(getPaddableClasses(), [&](unsigned leader) { return size[leader]; });
}

SmallVector<int64_t> PaddedExtents::getPadded() const {
  return llvm::map_to_vector(getPaddableClasses(), [&](unsigned leader) {
    auto padded = extents.find(leader);
    return padded == extents.end() ? size[leader] : padded->second;
  });
}

/// The least multiple of `lanes` from `extent` on, below `most`, that has tiles of about `tile`
/// elements which `lanes` divide; else `most`.
static int64_t getFittedExtent(int64_t extent, int64_t most, int64_t lanes, int64_t tile) {
  for (int64_t fitted = llvm::alignTo(extent, lanes); fitted < most; fitted += lanes)
    for (int64_t size = lanes; size <= 2 * tile; size += lanes)
      if (fitted % size == 0 && (2 * size >= tile || size == fitted))
        return fitted;
  return most;
}

SmallVector<int64_t> PaddedExtents::fitToLanes(func::FuncOp decided) {
  struct Found {
    int64_t most = 1, lanes = 1, tile = 1;
  };
  llvm::DenseMap<unsigned, Found> ofClass;
  auto getContractions = [](func::FuncOp function) {
    return llvm::to_vector(llvm::make_filter_range(function.getOps<linalg::GenericOp>(),
                                                   [](auto op) { return isContraction(op); }));
  };
  // Padding adds masks, and no contraction.
  for (auto [op, tiled] : llvm::zip_equal(getContractions(function), getContractions(decided))) {
    dataflow::TilingNumbers numbers = dataflow::getNumbers(dataflow::getTiling(tiled));
    for (OpOperand *input : op.getDpsInputOperands()) {
      for (auto [dim, index] : llvm::enumerate(op.getMatchingIndexingMap(input).getResults())) {
        auto loop = dyn_cast<AffineDimExpr>(index);
        if (!loop)
          continue;
        Found &found = ofClass[classes.findLeader(nodeOf(input->get(), dim))];
        found.most = tiled.getStaticLoopRanges()[loop.getPosition()];
        found.lanes = std::lcm(found.lanes, numbers.unroll[loop.getPosition()]);
        found.tile = numbers.tile[loop.getPosition()];
      }
    }
  }
  bool isOther = false;
  SmallVector<int64_t> fitted;
  for (unsigned leader : getPaddableClasses()) {
    const Found &found = ofClass[leader];
    fitted.push_back(getFittedExtent(size[leader], found.most, found.lanes, found.tile));
    isOther |= fitted.back() != found.most;
  }
  return isOther ? fitted : SmallVector<int64_t>();
}

void PaddedExtents::choose(int64_t word, int64_t percent, dataflow::OddFactors odd,
                           ArrayRef<MatrixRows> matrices) {
  // Beside the lanes along rows, a few are enough.
  constexpr int64_t lanesBeside = 4;
  llvm::DenseSet<unsigned> stays;
  for (unsigned node : kept)
    stays.insert(classes.findLeader(node));
  auto pad = [&](unsigned node, int64_t padded) {
    unsigned leader = classes.findLeader(node);
    if (padded != size[node] && !stays.contains(leader))
      extents.try_emplace(leader, padded);
  };
  llvm::DenseSet<unsigned> ofRows, ofWords;
  for (unsigned node : inWords)
    ofWords.insert(classes.findLeader(node));
  auto getExtent = [&](unsigned node, int64_t lanes, int64_t factor) {
    int64_t padded = factor > 1 ? getOddExtent(size[node], factor, percent) : size[node];
    return padded == size[node] ? getPaddedExtent(size[node], lanes, percent) : padded;
  };
  for (unsigned node : rows) {
    unsigned leader = classes.findLeader(node);
    ofRows.insert(leader);
    pad(node, getExtent(node, word, ofWords.contains(leader) ? odd.rows : odd.beside));
  }
  for (unsigned node : others)
    if (!ofRows.contains(classes.findLeader(node)))
      pad(node, getExtent(node, std::min(word, lanesBeside), odd.beside));
  stays.insert(ofWords.begin(), ofWords.end());
  for (const MatrixRows &matrix : matrices) {
    unsigned node = nodeOf(matrix.matrix, 0), leader = classes.findLeader(node);
    auto known = extents.find(leader);
    int64_t padded = known == extents.end() ? size[node] : known->second;
    int64_t grouped = getGroupedExtent(size[node], padded, matrix, percent);
    bool hasWords = getShape(matrix.matrix)[1] % matrix.word == 0;
    if (grouped != padded && hasWords && !stays.contains(leader))
      extents[leader] = grouped;
  }
}

SmallVector<int64_t> PaddedExtents::getShape(Value value) const {
  SmallVector<int64_t> shape(cast<RankedTensorType>(value.getType()).getShape());
  auto first = firstNode.find(value);
  if (first == firstNode.end())
    return shape;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (auto known = extents.find(classes.findLeader(first->second + dim)); known != extents.end())
      extent = known->second;
  return shape;
}

bool PaddedExtents::isPadded(Value value, unsigned dim) const {
  return getShape(value)[dim] != cast<RankedTensorType>(value.getType()).getDimSize(dim);
}
