//===- LayerWays.cpp - Tensors of a program and the ports they reach ------===//

#include "LayerWays.h"
#include "ProgramChange.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

static LogicalResult fail(std::string &reason, const Twine &why) {
  reason = why.str();
  return failure();
}

//===----------------------------------------------------------------------===//
// Ways
//===----------------------------------------------------------------------===//

/// From `value`, which a pack made with the layout of `start`, if it has strides.
static LogicalResult follow(Value value, const Way &start, std::vector<Way> &ways,
                            std::string &reason) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    Way way = start;
    if (auto launch = dyn_cast<LaunchOp>(user)) {
      if (way.strides.empty())
        way.strides = computeStrides(cast<RankedTensorType>(value.getType()).getShape());
      way.number = use.getOperandNumber();
      way.port = getPort(launch, way.number, /*isInput=*/true);
      ways.push_back(way);
      continue;
    }
    auto pack = dyn_cast<itensor::PackOp>(user);
    if (pack && pack.getLanes())
      return fail(reason, "the result of the layer before lies in padded words");
    if (!start.strides.empty() || (!isReshape(user) && !pack))
      return fail(reason, "the result of the layer before is read outside of the design");
    if (pack) {
      way.strides = llvm::to_vector(pack.getStrides());
      way.offset = pack.getOffset();
    }
    if (failed(follow(user->getResult(0), way, ways, reason)))
      return failure();
  }
  return success();
}

LogicalResult streamtensor::dataflow::findWays(Value argument, std::vector<Way> &ways,
                                               std::string &reason) {
  if (failed(follow(argument, Way(), ways, reason)))
    return failure();
  llvm::sort(ways, [](const Way &a, const Way &b) { return a.number < b.number; });
  return success();
}

LogicalResult streamtensor::dataflow::findResultWay(func::FuncOp function, unsigned result,
                                                    Way &way, std::string &reason) {
  Value value = function.getBody().front().getTerminator()->getOperand(result);
  while (true) {
    Operation *source = value.getDefiningOp();
    auto unpack = dyn_cast_or_null<itensor::UnpackOp>(source);
    if (auto launch = dyn_cast_or_null<LaunchOp>(source)) {
      if (way.strides.empty())
        way.strides = computeStrides(cast<RankedTensorType>(value.getType()).getShape());
      way.number = cast<OpResult>(value).getResultNumber();
      way.port = getPort(launch, way.number, /*isInput=*/false);
      return success();
    }
    if (!source || !value.hasOneUse() || !way.strides.empty() || (!isReshape(source) && !unpack))
      return fail(reason, "the result of a layer is not what the design gives");
    if (unpack && unpack.getLanes())
      return fail(reason, "the result of a layer lies in padded words");
    if (unpack)
      way.strides = llvm::to_vector(unpack.getStrides());
    value = source->getOperand(0);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LoopNest streamtensor::dataflow::getLoopNest(NestOpInterface nest) {
  LeafOp leaf = nest.getLeaf();
  LoopNest found{nest.getLoopTrips(), getCounts(nest), llvm::to_vector(leaf.getScalars()), {}};
  for (unsigned symbol = 0; symbol < found.scalars.size(); ++symbol)
    found.symbols.push_back(getAffineSymbolExpr(symbol, leaf.getContext()));
  return found;
}

void LoopNest::addLayers(int64_t layers, Value scalar) {
  trips.insert(trips.begin(), layers);
  counts.insert(counts.begin(), getAffineSymbolExpr(scalars.size(), scalar.getContext()));
  scalars.push_back(scalar);
}

AffineExpr LoopNest::renumber(AffineExpr expr) const { return expr.replaceSymbols(symbols); }

void LoopNest::renumber(ArrayRef<Value> all) {
  for (auto [symbol, scalar] : llvm::zip_equal(symbols, scalars))
    symbol = getAffineSymbolExpr(llvm::find(all, scalar) - all.begin(), scalar.getContext());
  for (AffineExpr &count : counts)
    count = renumber(count);
  scalars = llvm::to_vector(all);
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static LaunchOp createLaunch(LaunchOp launch, ArrayRef<Value> inputs, TypeRange types) {
  OpBuilder builder(launch);
  auto made = LaunchOp::create(builder, launch.getLoc(), types, launch.getDesignAttr(), inputs,
                               launch.getScalars());
  for (auto [before, after] : llvm::zip_equal(launch.getResults(), made.getResults()))
    before.replaceAllUsesWith(after);
  launch.erase();
  return made;
}

LaunchOp streamtensor::dataflow::replaceCarried(func::FuncOp function, LaunchOp launch,
                                                unsigned carried, const Way &written,
                                                ArrayRef<Way> read, PortOp port) {
  OpBuilder builder(launch);
  Value argument = function.getArgument(carried);
  auto type = RankedTensorType::get(port.getType().getShape(),
                                    cast<RankedTensorType>(argument.getType()).getElementType());
  Value packed = itensor::PackOp::create(builder, launch.getLoc(), type, argument,
                                         builder.getDenseI64ArrayAttr(written.strides),
                                         builder.getI64IntegerAttr(0), nullptr);
  SmallVector<Value> inputs;
  SmallVector<Operation *> unread;
  for (auto [number, input] : llvm::enumerate(launch.getInputs())) {
    bool isCarried = llvm::any_of(read, [&](const Way &way) { return way.number == number; });
    if (isCarried && input.getDefiningOp())
      unread.push_back(input.getDefiningOp());
    if (number == read.front().number)
      inputs.push_back(packed);
    else if (!isCarried)
      inputs.push_back(input);
  }
  LaunchOp made = createLaunch(launch, inputs, launch.getResultTypes());
  for (size_t next = 0; next < unread.size(); ++next) {
    if (llvm::is_contained(ArrayRef(unread).take_front(next), unread[next]) ||
        !unread[next]->use_empty())
      continue;
    Operation *source = unread[next]->getOperand(0).getDefiningOp();
    Operation *op = unread[next];
    if (source)
      unread.push_back(source);
    op->erase();
  }
  function.removeArgAttr(carried, program::nextAttrName);
  return made;
}

static RankedTensorType stack(Type type, int64_t layers) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape = {layers};
  llvm::append_range(shape, tensor.getShape());
  return RankedTensorType::get(shape, tensor.getElementType());
}

/// The groups of a reshape of one layer with the layers in front, which stay as they are.
static SmallVector<ReassociationIndices> stackGroups(ArrayRef<ReassociationIndices> groups,
                                                     int64_t rank) {
  if (groups.empty()) { // the tensor of a layer is a scalar
    ReassociationIndices all;
    for (int64_t dim = 0; dim <= rank; ++dim)
      all.push_back(dim);
    return {all};
  }
  SmallVector<ReassociationIndices> stacked = {{0}};
  for (const ReassociationIndices &group : groups)
    stacked.emplace_back(llvm::map_range(group, [](int64_t dim) { return dim + 1; }));
  return stacked;
}

static SmallVector<int64_t> stackStrides(ArrayRef<int64_t> strides, Type rowMajor) {
  SmallVector<int64_t> stacked = {cast<RankedTensorType>(rowMajor).getNumElements()};
  llvm::append_range(stacked, strides);
  return stacked;
}

/// The same step on tensors of all layers, `source` being one; the step of one layer goes.
static Value stackStep(Operation *op, Value source, int64_t layers) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type before = op->getOperand(0).getType(), after = op->getResult(0).getType();
  RankedTensorType type = stack(after, layers);
  if (auto pack = dyn_cast<itensor::PackOp>(op))
    return itensor::PackOp::create(
        builder, loc, type, source,
        builder.getDenseI64ArrayAttr(stackStrides(pack.getStrides(), before)), pack.getOffsetAttr(),
        pack.getLanesAttr());
  if (auto unpack = dyn_cast<itensor::UnpackOp>(op))
    return itensor::UnpackOp::create(
        builder, loc, type, source,
        builder.getDenseI64ArrayAttr(stackStrides(unpack.getStrides(), after)),
        unpack.getLanesAttr());
  int64_t rank =
      std::max(cast<RankedTensorType>(before).getRank(), cast<RankedTensorType>(after).getRank());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return tensor::CollapseShapeOp::create(builder, loc, type, source,
                                           stackGroups(collapse.getReassociationIndices(), rank));
  auto expand = cast<tensor::ExpandShapeOp>(op);
  return tensor::ExpandShapeOp::create(builder, loc, type, source,
                                       stackGroups(expand.getReassociationIndices(), rank));
}

namespace {
/// What a program has for each layer.
class Stacking {
public:
  Stacking(func::FuncOp function, int64_t layers) : function(function), layers(layers) {}

  SmallVector<PortOp> run(LaunchOp &launch) {
    Block &block = function.getBody().front();
    for (BlockArgument argument : block.getArguments())
      if (function.getArgAttr(argument.getArgNumber(), program::stackedAttrName))
        stackArgument(argument);
    SmallVector<PortOp> ports = stackSteps(launch);
    function.setFunctionType(FunctionType::get(function.getContext(), block.getArgumentTypes(),
                                               block.getTerminator()->getOperandTypes()));
    for (unsigned result = 0; result < function.getNumResults(); ++result)
      if (auto along = function.getResultAttrOfType<IntegerAttr>(result, program::alongAttrName))
        function.setResultAttr(result, program::alongAttrName,
                               IntegerAttr::get(along.getType(), along.getInt() + 1));
    return ports;
  }

private:
  void stackArgument(BlockArgument argument) {
    argument.setType(stack(argument.getType(), layers));
    stacked.insert(argument);
    unsigned number = argument.getArgNumber();
    auto extents = function.getArgAttrOfType<ArrayAttr>(number, program::extentsAttrName);
    if (!extents)
      return;
    SmallVector<Attribute> names = {StringAttr::get(function.getContext(), "")};
    llvm::append_range(names, extents);
    function.setArgAttr(number, program::extentsAttrName,
                        ArrayAttr::get(function.getContext(), names));
  }

  SmallVector<PortOp> stackSteps(LaunchOp &launch) {
    SmallVector<PortOp> ports;
    for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
      if (auto found = dyn_cast<LaunchOp>(op)) {
        for (auto [number, input] : llvm::enumerate(found.getInputs()))
          if (stacked.contains(input))
            ports.push_back(getPort(found, number, /*isInput=*/true));
        SmallVector<Type> types;
        for (auto [number, type] : llvm::enumerate(found.getResultTypes())) {
          types.push_back(stack(type, layers));
          if (PortOp port = getPort(found, number, /*isInput=*/false);
              port.getDirection() == Direction::Out)
            ports.push_back(port);
        }
        launch = createLaunch(found, SmallVector<Value>(found.getInputs()), types);
        stacked.insert_range(launch.getResults());
      } else if (op.getNumResults() == 1 && op.getNumOperands() == 1 &&
                 stacked.contains(op.getOperand(0))) {
        stackInPlace(&op);
      }
    }
    return ports;
  }

  void stackInPlace(Operation *op) {
    // Types of one layer, from which the stacked ones are made.
    Value source = op->getOperand(0);
    auto whole = cast<RankedTensorType>(source.getType());
    source.setType(RankedTensorType::get(whole.getShape().drop_front(), whole.getElementType()));
    Value made = stackStep(op, source, layers);
    source.setType(whole);
    stacked.insert(made);
    op->getResult(0).replaceAllUsesWith(made);
    op->erase();
  }

  func::FuncOp function;
  int64_t layers;
  llvm::SmallDenseSet<Value> stacked;
};
} // namespace

SmallVector<PortOp> streamtensor::dataflow::stackProgram(func::FuncOp function, LaunchOp &launch,
                                                         int64_t layers) {
  return Stacking(function, layers).run(launch);
}

//===----------------------------------------------------------------------===//
// The layer as outermost loop
//===----------------------------------------------------------------------===//

static IntegerSet shift(IntegerSet set) {
  SmallVector<AffineExpr> constraints;
  for (AffineExpr each : set.getConstraints())
    constraints.push_back(each.shiftDims(set.getNumDims(), 1));
  return IntegerSet::get(set.getNumDims() + 1, set.getNumSymbols(), constraints, set.getEqFlags());
}

void streamtensor::dataflow::addOutermostLoop(LeafOp leaf, int64_t trips, Value scalar) {
  MLIRContext *context = leaf.getContext();
  // Nests with lag drain between trips: what one fills with may hang on the trip before.
  if (leaf.getTogether())
    leaf.setSerial(leaf.getSerial() + 1);
  SmallVector<AffineExpr> counts = getCounts(cast<NestOpInterface>(leaf.getOperation()));
  SmallVector<Value> scalars(leaf.getScalars());
  if (scalar)
    scalars.push_back(scalar);
  unsigned symbols = scalars.size();
  // Maps and sets over the loops of a nest get the new one in front of these.
  for (NestOpInterface nest : leaf.getNests())
    for (Operation &op : nest.getOperations())
      rewriteSpace(&op, shift, [](AffineMap map) { return map.shiftDims(1); });
  for (auto nest : leaf.getBlock().getOps<NestOp>())
    if (std::optional<AffineMap> own = nest.getCounts())
      nest.setCountsAttr(
          AffineMapAttr::get(AffineMap::get(0, symbols, own->getResults(), context)));
  counts.insert(counts.begin(), scalar ? getAffineSymbolExpr(symbols - 1, context)
                                       : getAffineConstantExpr(trips, context));
  SmallVector<int64_t> all = {trips};
  llvm::append_range(all, leaf.getTrips());
  auto deepen = [](ArrayRef<int64_t> levels) {
    return llvm::map_to_vector(levels, [](int64_t level) { return level + 1; });
  };
  leaf.setTrips(all);
  leaf.setReadLevels(deepen(leaf.getReadLevels()));
  leaf.setWriteLevels(deepen(leaf.getWriteLevels()));
  leaf.getScalarsMutable().assign(scalars);
  if (symbols > 0)
    leaf.setCountsAttr(AffineMapAttr::get(AffineMap::get(0, symbols, counts, context)));
  leaf.getBlock().insertArgument(0u, IndexType::get(context), leaf.getLoc());
}
