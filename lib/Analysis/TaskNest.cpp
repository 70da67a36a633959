//===- TaskNest.cpp - The structure of a compute task ---------------------===//

#include "streamtensor/Analysis/TaskNest.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

static FailureOr<TaskNest::Loop> readLoop(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (lower != 0 || !upper || !step || *upper % *step != 0)
    return loop.emitError("a task's loop starts at 0 and has constant bounds: [task.loop]");
  return TaskNest::Loop{*upper / *step, *step, loop.getInductionVar(), /*isReduction=*/true};
}

SmallVector<unsigned> TaskNest::getParallelLoops() const {
  SmallVector<unsigned> parallel;
  for (auto [number, loop] : llvm::enumerate(loops))
    if (!loop.isReduction)
      parallel.push_back(number);
  return parallel;
}

unsigned TaskNest::getNumOuterLoops() const {
  return llvm::find_if(loops, [](const Loop &loop) { return loop.isReduction; }) - loops.begin();
}

/// The value that enters the nest for the accumulator `value`, a tile of it if there are several.
static Value getNestInit(Value value) {
  if (auto tile = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = tile.getSource();
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      break;
    value = loop.getTiedLoopInit(argument)->get();
  }
  return value;
}

FailureOr<TaskNest> TaskNest::read(dataflow::TaskOp task) {
  TaskNest nest;
  task.walk([&](linalg::GenericOp generic) { nest.generic = generic; });
  if (!nest.generic)
    return task.emitError("a compute task holds one linalg.generic: [task.body]");
  SmallVector<scf::ForOp> fors;
  for (Operation *op = nest.generic->getParentOp(); op != task; op = op->getParentOp())
    fors.push_back(cast<scf::ForOp>(op));
  for (scf::ForOp loop : llvm::reverse(fors)) {
    FailureOr<Loop> read = readLoop(loop);
    if (failed(read))
      return failure();
    nest.loops.push_back(*read);
  }
  // What a result's tokens are named by is parallel.
  task.walk([&](itensor::WriteOp write) {
    for (TaskNest::Loop &loop : nest.loops)
      loop.isReduction &= !llvm::is_contained(write.getIndices(), loop.induction);
  });
  for (OpOperand *operand : getDataInputs(nest.generic)) {
    auto readOp = operand->get().getDefiningOp<itensor::ReadOp>();
    if (!readOp)
      return nest.generic.emitError("an input is not a token of an itensor: [task.body]");
    nest.inputs.push_back({readOp.getSource(), cast<ITensorType>(readOp.getSource().getType()),
                           unsigned(readOp.getIndices().size()),
                           nest.generic.getMatchingIndexingMap(operand)});
  }
  for (OpOperand &init : nest.generic.getDpsInitsMutable()) {
    Value start = getNestInit(init.get());
    DenseElementsAttr dense;
    TypedAttr value;
    if (matchPattern(start, m_Constant(&dense)) && dense.isSplat())
      value = cast<TypedAttr>(dense.getSplatValue<Attribute>());
    nest.inits.push_back(value);
  }
  for (Value result : task.getResults())
    nest.results.push_back(cast<ITensorType>(result.getType()));
  return nest;
}

FailureOr<UnrolledNest> UnrolledNest::read(dataflow::TaskOp task) {
  FailureOr<TaskNest> nest = TaskNest::read(task);
  if (failed(nest))
    return failure();
  FailureOr<dataflow::TilingAttr> tiling = dataflow::requireTiling(nest->generic);
  if (failed(tiling))
    return failure();
  return UnrolledNest{*nest, SmallVector<int64_t>(tiling->getUnroll().asArrayRef())};
}

//===----------------------------------------------------------------------===//
// Point loops
//===----------------------------------------------------------------------===//

/// The generic's dimensions with more than one point that an access uses, in the
/// order in which its token flows.
static SmallVector<unsigned> getUsedDims(AffineMap map, ArrayRef<int64_t> extents) {
  SmallVector<unsigned> dims;
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && extents[dim.getPosition()] > 1)
      dims.push_back(dim.getPosition());
  return dims;
}

int64_t streamtensor::countPointIterations(ArrayRef<int64_t> extents, ArrayRef<int64_t> unroll) {
  int64_t count = 1;
  for (auto [extent, factor] : llvm::zip_equal(extents, unroll))
    count *= llvm::divideCeil(extent, factor);
  return count;
}

int64_t streamtensor::countIterationsInside(const TaskNest &nest, unsigned depth,
                                            ArrayRef<int64_t> extents, ArrayRef<int64_t> unroll) {
  int64_t count = countPointIterations(extents, unroll);
  for (const TaskNest::Loop &loop : llvm::drop_begin(nest.loops, depth))
    count *= loop.trips;
  return count;
}

bool streamtensor::comesFromMemory(Value stream) {
  while (Operation *op = stream.getDefiningOp()) {
    if (isa<itensor::FromTensorOp>(op))
      return true;
    if (!isa<itensor::ForkOp, itensor::CastOp, itensor::ReassociateOp>(op))
      return false;
    stream = op->getOperand(0);
  }
  return true;
}

/// Does a load that only this task reads give the input? It may be as wide as the task wants.
static bool hasLoadOfItsOwn(const TaskNest::Input &input) {
  auto from = input.stream.getDefiningOp<itensor::FromTensorOp>();
  return from && from.getResult().hasOneUse() && !from.getLanes() && !from.getOffsets();
}

/// The same for a load that feeds several tasks through a fork: all take as wide tokens.
static bool hasLoad(TaskNest::Input input) {
  if (auto fork = input.stream.getDefiningOp<itensor::ForkOp>())
    input.stream = fork.getSource();
  return hasLoadOfItsOwn(input);
}

/// Does a vector of the unrolled points lie along the last dimension alone?
static bool isRow(ArrayRef<unsigned> used, ArrayRef<int64_t> unroll) {
  return llvm::all_of(used.drop_back(), [&](unsigned dim) { return unroll[dim] == 1; });
}

/// Can the token be read vector by vector in FIFO order, if its dimensions are the outermost point
/// loops? A vector lies along the last dimension; one of several whole rows only a load can give.
static bool canStream(const TaskNest &nest, const TaskNest::Input &input, ArrayRef<unsigned> used,
                      ArrayRef<int64_t> extents, ArrayRef<int64_t> unroll) {
  if (input.depth != nest.loops.size() || used.empty() || isWindow(input.map))
    return false;
  bool isWhole = true;
  for (unsigned dim : llvm::reverse(used)) {
    if (!isWhole && unroll[dim] != 1)
      return false;
    isWhole &= unroll[dim] == extents[dim];
  }
  return hasLoad(input) || isRow(used, unroll);
}

/// The input of a reduction whose order the point loops follow: one that would be dear
/// to hold, so rather an intermediate result than something read from memory.
static std::optional<unsigned> chooseStreamedInput(const TaskNest &nest, ArrayRef<int64_t> extents,
                                                   ArrayRef<int64_t> unroll) {
  std::optional<unsigned> choice;
  for (auto [index, input] : llvm::enumerate(nest.inputs)) {
    SmallVector<unsigned> used = getUsedDims(input.map, extents);
    if (!canStream(nest, input, used, extents, unroll) || !isRow(used, unroll))
      continue;
    if (!choice || (comesFromMemory(nest.inputs[*choice].stream) && !comesFromMemory(input.stream)))
      choice = index;
  }
  return choice;
}

static SmallVector<unsigned> choosePointOrder(const TaskNest &nest, ArrayRef<int64_t> extents,
                                              ArrayRef<int64_t> unroll) {
  linalg::GenericOp generic = nest.generic;
  AffineMap result = generic.getIndexingMapMatchingResult(generic->getResult(0));
  SmallVector<unsigned> order;
  auto append = [&](unsigned dim) {
    if (!llvm::is_contained(order, dim))
      order.push_back(dim);
  };
  // An engine takes weights as they come, as wide as all of its lanes, and holds them for all
  // tokens. Scales are few, and the sums that they meet come in the order of tokens.
  dataflow::TilingAttr tiling = dataflow::getTiling(generic);
  bool takesWeights = getElementTypeOrSelf(generic.getResult(0).getType()).isInteger() ||
                      llvm::none_of(nest.inputs, [&](const TaskNest::Input &input) {
                        return input.map.getNumResults() >= generic.getNumLoops();
                      });
  if (tiling && tiling.getEngine() && takesWeights)
    for (const TaskNest::Input &input : nest.inputs)
      if (SmallVector<unsigned> used = getUsedDims(input.map, extents);
          hasLoadOfItsOwn(input) && canStream(nest, input, used, extents, unroll))
        llvm::for_each(used, append);
  // Between trips of a reduction that carries tiles, all points of a tile pass: the reduction goes
  // outside, as far from the accumulators' next use as can be.
  if (nest.reduces() && !nest.carriesTiles())
    if (std::optional<unsigned> streamed = chooseStreamedInput(nest, extents, unroll))
      for (unsigned dim : getUsedDims(nest.inputs[*streamed].map, extents))
        append(dim);
  for (unsigned dim = 0; dim < generic.getNumLoops(); ++dim)
    if (!result.isFunctionOfDim(dim))
      append(dim);
  for (AffineExpr expr : result.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      append(dim.getPosition());
  return order;
}

PointPlan streamtensor::planPoints(const TaskNest &nest, ArrayRef<int64_t> unroll) {
  linalg::GenericOp generic = nest.generic;
  SmallVector<int64_t> extents = generic.getStaticLoopRanges();
  PointPlan plan;
  plan.unroll.assign(unroll.begin(), unroll.end());
  plan.order = choosePointOrder(nest, extents, unroll);
  // The elements of a window do not come in the order in which its points need them.
  bool readsWindow =
      llvm::any_of(nest.inputs, [](const TaskNest::Input &input) { return isWindow(input.map); });
  bool isOfRows = nest.inputs.size() == 1 && !isContraction(generic);
  plan.isFlexible = !readsWindow && (!nest.reduces() || isOfRows);
  SmallVector<unsigned> pointLoops;
  for (unsigned dim : plan.order)
    if (extents[dim] > 1)
      pointLoops.push_back(dim);
  if (plan.isFlexible && !pointLoops.empty()) {
    SmallVector<unsigned> row =
        nest.reduces() ? getUsedDims(nest.inputs.front().map, extents) : pointLoops;
    if (!row.empty())
      plan.laneDim = row.back();
    plan.isFlexible = plan.laneDim && canUnroll(generic, *plan.laneDim);
  }
  auto isLoop = [&](unsigned dim) { return unroll[dim] < extents[dim]; };
  auto loops = llvm::to_vector(llvm::make_filter_range(plan.order, isLoop));
  for (const TaskNest::Input &input : nest.inputs) {
    SmallVector<unsigned> used = getUsedDims(input.map, extents);
    auto usedLoops = llvm::to_vector(llvm::make_filter_range(used, isLoop));
    bool isPrefix = usedLoops.size() <= loops.size() &&
                    std::equal(usedLoops.begin(), usedLoops.end(), loops.begin());
    plan.lanes.push_back(1);
    if (input.type.getTokenElements() == 1) {
      plan.modes.push_back(InputMode::Single);
    } else if (isPrefix && canStream(nest, input, used, extents, unroll)) {
      plan.modes.push_back(InputMode::Stream);
      for (unsigned dim : used)
        plan.lanes.back() *= unroll[dim];
    } else {
      plan.modes.push_back(InputMode::Block);
    }
  }
  return plan;
}
