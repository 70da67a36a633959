//===- WriteInPlace.cpp - Results that become rows of an argument ---------===//
//
//   func.func @main(%k: tensor<1x2x64x8xf32> {streamtensor.name = "keys"}) ->
//       (tensor<1x2x1x8xf32> {streamtensor.into = "keys", streamtensor.at = "position"}) {
//     … %rows = dataflow.launch @d(%k) …
//   dataflow.design @d { %keys = dataflow.port in …, %rows = dataflow.port out …
//
// becomes
//
//   func.func @main(%k: …, %position: index) -> (tensor<1x2x64x8xf32> {…, streamtensor.along = 2})
//   {
//     … %after = dataflow.launch @d(%k) scalars(%position) …
//   dataflow.design @d { %keys = dataflow.port inout …, %position = dataflow.scalar …
//     %read = dataflow.stream "keys_read" orders %keys …
//
// The leaf that stores the rows stores them into the argument, in the layout in which that is read,
// from the scalar's place on along the one dimension in which the two types differ; it begins when
// a token says that all of the argument has been read. It moves words as wide as those that are
// read. Where a word holds several rows, PartsOfWords.cpp has what is done.
//
//===----------------------------------------------------------------------===//

#include "CountClass.h"
#include "InPlace.h"
#include "LaunchScalars.h"

#include "ProgramChange.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Analysis/PortWords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

namespace streamtensor {
#define GEN_PASS_DEF_WRITEINPLACE
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

ArrayRef<int64_t> dataflow::getExtents(Value value) {
  if (auto port = dyn_cast<PortType>(value.getType()))
    return port.getShape();
  return cast<RankedTensorType>(value.getType()).getShape();
}

//===----------------------------------------------------------------------===//
// From the program to the ports
//===----------------------------------------------------------------------===//

LogicalResult InPlace::findWays() {
  Value value = function.getArgument(argument);
  while (!from.launch) {
    if (!value.hasOneUse())
      return fail("something else reads it too");
    Operation *user = *value.getUsers().begin();
    auto pack = dyn_cast<itensor::PackOp>(user);
    from.inside = value;
    if (from.strides.empty() && (isReshape(user) || pack)) {
      from.between.push_back(user);
      value = user->getResult(0);
      if (pack)
        from.strides = llvm::to_vector(pack.getStrides());
      if (pack && (pack.getLanes() || pack.getOffset() != 0))
        return fail("it lies in padded words");
    } else if (!(from.launch = dyn_cast<LaunchOp>(user))) {
      return fail("it is read outside of the design");
    }
  }
  if (from.strides.empty())
    from.strides = computeStrides(getExtents(value));
  unsigned operand = llvm::find(from.launch.getInputs(), value) - from.launch.getInputs().begin();
  from.port = getPort(from.launch, operand, /*isInput=*/true);

  Operation *last = function.getBody().front().getTerminator();
  value = last->getOperand(result);
  while (!to.launch) {
    if (!value.hasOneUse())
      return fail("something else reads the rows too");
    Operation *source = value.getDefiningOp();
    if (!source)
      return fail("the rows are an argument");
    auto unpack = dyn_cast<itensor::UnpackOp>(source);
    to.inside = value;
    if (to.strides.empty() && (isReshape(source) || unpack)) {
      to.between.push_back(source);
      value = source->getOperand(0);
      if (unpack)
        to.strides = llvm::to_vector(unpack.getStrides());
      if (unpack && unpack.getLanes())
        return fail("the rows lie in padded words");
    } else if (!(to.launch = dyn_cast<LaunchOp>(source))) {
      return fail("the rows are computed outside of the design");
    }
  }
  if (to.strides.empty())
    to.strides = computeStrides(getExtents(value));
  to.port = getPort(to.launch, cast<OpResult>(value).getResultNumber(), /*isInput=*/false);
  if (from.launch != to.launch)
    return fail("the launch that reads it is not the one that gives the rows");
  if (from.port.getDirection() != Direction::In || to.port.getDirection() != Direction::Out)
    return fail("its port is shared");
  return success();
}

//===----------------------------------------------------------------------===//
// The leaves and their addresses
//===----------------------------------------------------------------------===//

template <typename Access> static Access getOnlyAccess(PortOp port) {
  if (!port.getResult().hasOneUse())
    return {};
  return dyn_cast<Access>(*port.getResult().getUsers().begin());
}

/// A part of a row, or whole rows that lie one after the other.
static bool movesRows(AccessOpInterface access) {
  SmallVector<int64_t> box = access.getBox();
  auto port = cast<PortType>(access.getChannel().getType());
  return isRun(box) || (box.back() > 1 && isContiguousBox(box, port.getShape()));
}

LogicalResult InPlace::findLeaves() {
  load = getOnlyAccess<LoadOp>(from.port);
  store = getOnlyAccess<StoreOp>(to.port);
  if (!load || !store || load.getRow())
    return fail("several accesses reach it");
  reader = getLeaf(load);
  writer = getLeaf(store);
  auto loaded = cast<AccessOpInterface>(load.getOperation());
  auto stored = cast<AccessOpInterface>(store.getOperation());
  if (reader.hasNests() || writer.hasNests() || load.getGuard() || store.getGuard() ||
      !movesRows(loaded) || !isRun(stored.getBox()))
    return fail("leaf '" + writer.getName() + "' does not store the rows one run after another");
  Operation *value = store.getValue().getDefiningOp();
  if (auto cast = dyn_cast_or_null<vector::ShapeCastOp>(value))
    value = cast.getSource().getDefiningOp();
  rows = dyn_cast_or_null<StreamReadOp>(value);
  if (!rows || rows.getGuard() || getAccesses(writer).size() != 2)
    return fail("leaf '" + writer.getName() + "' does more than storing the rows");
  given = stored.getNumElements();
  lanes = loaded.getBox().empty() ? 1 : loaded.getBox().back();
  int64_t word = planWords(load, model.bits, model.burstBytes, model.burstWords).getLanes();
  if (lanes % word == 0 && (word % given == 0 || given % word == 0))
    lanes = word;
  return success();
}

/// From a row-major place over the loops of a leaf to a coordinate for each dimension of `shape`.
LogicalResult InPlace::splitPlace(AffineExpr place, ArrayRef<int64_t> shape, LeafOp leaf,
                                  ArrayRef<int64_t> trips,
                                  SmallVectorImpl<AffineExpr> &coordinates) {
  MLIRContext *context = place.getContext();
  SmallVector<int64_t> strides = computeStrides(shape);
  coordinates.assign(shape.size(), getAffineConstantExpr(0, context));
  SmallVector<AffineExpr> zeros(trips.size(), getAffineConstantExpr(0, context));
  if (simplifyAffineExpr(place.replaceDims(zeros), 0, 0) != getAffineConstantExpr(0, context))
    return fail("the rows do not begin where their port does");
  AffineExpr rest = place;
  for (unsigned loop = 0; loop < trips.size(); ++loop) {
    SmallVector<AffineExpr> one = zeros;
    one[loop] = getAffineConstantExpr(1, context);
    auto factor = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(place.replaceDims(one), 0, 0));
    if (!factor || factor.getValue() < 0)
      return fail("the rows are stored in an order that is no sum of loops");
    int64_t step = factor.getValue();
    rest = rest - getAffineDimExpr(loop, context) * step;
    if (step == 0 || trips[loop] == 1)
      continue;
    // A loop may go through several dimensions; none of the loops inside it carries into it.
    for (auto [dim, size, stride] : llvm::enumerate(shape, strides)) {
      if (size == 1 || step >= stride * size || step * trips[loop] <= stride)
        continue;
      if (std::max(step, stride) % std::min(step, stride) != 0)
        return fail("a loop of leaf '" + leaf.getName() + "' cuts a dimension unevenly");
      AffineExpr part = getAffineDimExpr(loop, context);
      part = step >= stride ? part * (step / stride) : part.floorDiv(stride / step);
      if (step * trips[loop] > stride * size)
        part = part % size;
      coordinates[dim] = coordinates[dim] + part;
    }
  }
  if (simplifyAffineExpr(rest, trips.size(), 0) != getAffineConstantExpr(0, context))
    return fail("the rows are stored in an order that is no sum of loops");
  return success();
}

/// The index of each dimension of the argument's port.
SmallVector<AffineExpr> InPlace::getTarget(ArrayRef<AffineExpr> coordinates) {
  MLIRContext *context = function.getContext();
  ArrayRef<int64_t> shape = getExtents(function.getArgument(argument));
  SmallVector<int64_t> strides = computeStrides(shape);
  SmallVector<AffineExpr> indices;
  for (auto [size, stride] : llvm::zip_equal(from.port.getType().getShape(), from.strides)) {
    AffineExpr index = getAffineConstantExpr(0, context);
    for (auto [dim, extent, step] : llvm::enumerate(shape, strides)) {
      if (size == 1 || extent == 1 || step >= stride * size || step * extent <= stride)
        continue;
      AffineExpr part = coordinates[dim];
      part = step >= stride ? part * (step / stride) : part.floorDiv(stride / step);
      if (step * extent > stride * size)
        part = part % size;
      index = index + part;
    }
    indices.push_back(simplifyAffineExpr(index, trips.size(), symbols));
  }
  return indices;
}

LogicalResult InPlace::checkTiles() {
  for (auto [size, stride] : llvm::zip_equal(from.port.getType().getShape(), from.strides))
    for (int64_t step : computeStrides(getExtents(function.getArgument(argument))))
      if (size > 1 && std::max(step, stride) % std::min(step, stride) != 0)
        return fail("its tiles cut it unevenly");
  return success();
}

AffineExpr InPlace::takeLoops() {
  trips = llvm::to_vector(writer.getTrips());
  counts = getCounts(cast<NestOpInterface>(writer.getOperation()));
  symbols = writer.getScalars().size() + 1;
  return linearize(function.getContext(), store.getMap().getResults(), to.strides);
}

LogicalResult InPlace::findPlaces() {
  MLIRContext *context = function.getContext();
  AffineExpr place = takeLoops();
  // The last loop moves through the tokens of one word, so that a word is written at once.
  int64_t tokens = std::max<int64_t>(1, lanes / given);
  bool fits = lanes % given == 0 || given % lanes == 0;
  int64_t last = trips.empty() ? 1 : trips.back();
  bool isFixed = counts.empty() || isa<AffineConstantExpr>(counts.back());
  if (!fits || last % tokens != 0 || (tokens > 1 && !isFixed))
    return fail("a word of " + Twine(lanes) + " elements is not filled by tokens of " +
                Twine(given) + " one after another");
  if (tokens > 1 && last > tokens) {
    trips.back() = last / tokens;
    trips.push_back(tokens);
    counts.back() = getAffineConstantExpr(last / tokens, context);
    counts.push_back(getAffineConstantExpr(tokens, context));
    unsigned inner = trips.size() - 1;
    AffineExpr split =
        getAffineDimExpr(inner - 1, context) * tokens + getAffineDimExpr(inner, context);
    SmallVector<AffineExpr> dims;
    for (unsigned loop = 0; loop + 1 < inner; ++loop)
      dims.push_back(getAffineDimExpr(loop, context));
    dims.push_back(split);
    place = place.replaceDims(dims);
  }
  SmallVector<AffineExpr> coordinates;
  if (failed(splitPlace(simplifyAffineExpr(place, trips.size(), 0), getExtents(getResult()), writer,
                        trips, coordinates)))
    return failure();
  if (tokens > 1) { // The word's first element.
    unsigned inner = trips.size() - 1;
    if (LinearForm::of(coordinates.back(), trips.size()).factors[inner] != given)
      return fail("a word is not filled by the last loop of leaf '" + writer.getName() + "'");
    for (AffineExpr &each : coordinates)
      each = each.replace(getAffineDimExpr(inner, context), getAffineConstantExpr(0, context));
  }
  coordinates[along] = coordinates[along] + getAffineSymbolExpr(symbols - 1, context);
  if (failed(checkTiles()))
    return failure();
  target = getTarget(coordinates);
  return success();
}

LogicalResult InPlace::plan() {
  ArrayRef<int64_t> whole = getExtents(function.getArgument(argument));
  ArrayRef<int64_t> part = getExtents(getResult());
  SmallVector<unsigned> different;
  for (unsigned dim = 0; dim < std::min(whole.size(), part.size()); ++dim)
    if (whole[dim] != part[dim])
      different.push_back(dim);
  if (whole.size() != part.size() || different.size() != 1 ||
      part[different[0]] > whole[different[0]] ||
      getElementTypeOrSelf(getResult()) != getElementTypeOrSelf(function.getArgument(argument)))
    return fail("the rows differ from it in more than their number");
  along = different[0];
  if (failed(findWays()) || failed(findLeaves()))
    return failure();
  return holdsSeveralRows() ? findParts() : findPlaces();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// One port that is read and written, behind those that are read.
PortOp InPlace::replacePorts() {
  OpBuilder builder(to.port);
  auto design = to.port->getParentOfType<DesignOp>();
  for (auto port : design.getBody().getOps<PortOp>())
    if (port.getDirection() == Direction::Out) {
      builder.setInsertionPoint(port);
      break;
    }
  return PortOp::create(builder, from.port.getLoc(), from.port.getType(), from.port.getName(),
                        Direction::InOut);
}

/// The reader's last iteration gives the token that the writer begins with.
void InPlace::orderAfterRead(PortOp port) {
  load.getMemoryMutable().assign(port.getResult());
  OpBuilder builder(reader);
  auto type = StreamType::get(builder.getContext(), builder.getI1Type(), 0);
  order = StreamOp::create(builder, reader.getLoc(), type, (port.getName() + "_read").str());
  order.getOrdersMutable().assign(port.getResult());
  builder.setInsertionPointToEnd(&reader.getBlock());
  SmallVector<AffineExpr> last;
  SmallVector<AffineExpr> counts = getCounts(cast<NestOpInterface>(reader.getOperation()));
  for (unsigned loop = 0; loop < reader.getNumLoops(); ++loop)
    if (reader.getTrips()[loop] > 1)
      last.push_back(getAffineDimExpr(loop, builder.getContext()) - counts[loop] + 1);
  Value done = arith::ConstantOp::create(builder, reader.getLoc(), builder.getBoolAttr(true));
  auto write = StreamWriteOp::create(builder, reader.getLoc(), done, order.getResult(), nullptr);
  if (!last.empty())
    write.setGuardAttr(
        IntegerSetAttr::get(IntegerSet::get(reader.getNumLoops(), reader.getScalars().size(), last,
                                            SmallVector<bool>(last.size(), true))));
}

/// The scalar of the launch that says where the rows go.
Value InPlace::addPosition(PortOp port) {
  int64_t extent = getExtents(function.getArgument(argument))[along];
  return addScalar(port->getParentOfType<DesignOp>(), scalar, 0,
                   extent - getExtents(getResult())[along]);
}

/// The leaf that stores the rows, with an empty body.
LeafOp InPlace::createWriter(PortOp port, TypeRange privates) {
  OpBuilder builder(writer);
  auto leaf = LeafOp::create(builder, writer.getLoc(), writer.getName(), trips, ValueRange(), {},
                             ValueRange(), {}, Role::Store, privates);
  leaf.setStyle(writer.getStyle());
  SmallVector<Value> scalars(writer.getScalars());
  scalars.push_back(addPosition(port));
  leaf.getScalarsMutable().assign(scalars);
  leaf.setCountsAttr(AffineMapAttr::get(AffineMap::get(0, symbols, counts, function.getContext())));
  return leaf;
}

/// Where all of `zeros`, over the loops of the new store, are zero; none holds everywhere.
IntegerSetAttr InPlace::getGuard(ArrayRef<AffineExpr> zeros) {
  if (zeros.empty())
    return {};
  return IntegerSetAttr::get(
      IntegerSet::get(trips.size(), symbols, zeros, SmallVector<bool>(zeros.size(), true)));
}

void InPlace::replaceStore(PortOp port) {
  MLIRContext *context = function.getContext();
  OpBuilder builder(writer);
  Location loc = writer.getLoc();
  Type element = from.port.getType().getElementType();
  int64_t tokens = std::max<int64_t>(1, lanes / given), run = std::min(lanes, given);
  SmallVector<Type> privates;
  if (tokens > 1)
    privates.push_back(PrivateType::get(context, {lanes}, element));
  LeafOp leaf = createWriter(port, privates);
  SmallVector<AffineExpr> first;
  for (unsigned loop = 0; loop < trips.size(); ++loop)
    if (trips[loop] > 1)
      first.push_back(getAffineDimExpr(loop, context));
  builder.setInsertionPointToStart(&leaf.getBlock());
  StreamReadOp::create(builder, loc, builder.getI1Type(), order.getResult(), getGuard(first));
  auto read = cast<StreamReadOp>(builder.clone(*rows));
  Value word = read.getResult();
  IntegerSetAttr isFull;
  if (tokens > 1) {
    unsigned inner = trips.size() - 1;
    AffineExpr token = getAffineDimExpr(inner, context);
    isFull = getGuard({token - (tokens - 1)});
    Value gathered = leaf.getPrivates()[0];
    StoreOp::create(builder, loc, word, gathered,
                    AffineMap::get(trips.size(), symbols, {token * run}, context), nullptr,
                    nullptr);
    AffineExpr zero = getAffineConstantExpr(0, context);
    word = LoadOp::create(builder, loc, VectorType::get({lanes}, element), gathered, Value(),
                          AffineMap::get(trips.size(), symbols, zero, context), isFull, nullptr,
                          nullptr);
  }
  SmallVector<int64_t> box(from.port.getType().getShape().size(), 1);
  for (int64_t piece = 0; piece < std::max(given, lanes); piece += lanes) {
    Value part = word;
    if (given > lanes)
      part = vector::ExtractStridedSliceOp::create(builder, loc, word, ArrayRef<int64_t>{piece},
                                                   ArrayRef<int64_t>{lanes}, ArrayRef<int64_t>{1});
    if (lanes > 1) {
      box.back() = lanes;
      part = vector::ShapeCastOp::create(builder, loc, VectorType::get(box, element), part);
    } else if (isa<VectorType>(part.getType())) {
      part = vector::ExtractOp::create(builder, loc, part, ArrayRef<int64_t>{0});
    }
    SmallVector<AffineExpr> place = target;
    if (piece > 0)
      place.back() = place.back() + piece;
    StoreOp::create(builder, loc, part, port.getResult(),
                    AffineMap::get(trips.size(), symbols, place, context), isFull, nullptr);
  }
  writer.erase();
}

/// The launch with its tensor that is read and written, and the results of the program.
void InPlace::replaceLaunch(PortOp port) {
  LaunchOp launch = from.launch;
  unsigned operand = llvm::find(launch.getInputs(), from.inside) - launch.getInputs().begin();
  unsigned old = cast<OpResult>(to.inside).getResultNumber();
  SmallVector<Value> inputs(launch.getInputs());
  inputs.erase(inputs.begin() + operand);
  unsigned number = 0; // of the result: tensors read and written come first
  for (auto other : port->getParentOfType<DesignOp>().getBody().getOps<PortOp>())
    number += other.getDirection() == Direction::InOut && other != port;
  inputs.push_back(from.inside);
  SmallVector<Type> types(launch.getResultTypes());
  types.erase(types.begin() + old);
  types.insert(types.begin() + number, from.inside.getType());
  OpBuilder builder(launch);
  auto made = LaunchOp::create(builder, launch.getLoc(), types, launch.getDesignAttr(), inputs,
                               launch.getScalars());
  SmallVector<Value> others;
  for (auto [index, value] : llvm::enumerate(made.getResults()))
    if (index != number)
      others.push_back(value);
  Operation *last = function.getBody().front().getTerminator();
  builder.setInsertionPoint(last);
  // Back the way that the argument came.
  Value back = made.getResult(number);
  for (Operation *step : llvm::reverse(from.between)) {
    Value before = step->getOperand(0);
    if (auto pack = dyn_cast<itensor::PackOp>(step))
      back = itensor::UnpackOp::create(builder, launch.getLoc(), before.getType(), back,
                                       pack.getStridesAttr(), nullptr);
    else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(step))
      back = tensor::ExpandShapeOp::create(builder, launch.getLoc(), before.getType(), back,
                                           collapse.getReassociationIndices());
    else
      back = tensor::CollapseShapeOp::create(
          builder, launch.getLoc(), before.getType(), back,
          cast<tensor::ExpandShapeOp>(step).getReassociationIndices());
  }
  last->setOperand(result, back);
  for (Operation *step : to.between)
    step->erase();
  unsigned next = 0;
  for (auto [index, value] : llvm::enumerate(launch.getResults()))
    if (index != old)
      value.replaceAllUsesWith(others[next++]);
  launch.erase();
  SmallVector<Type> results(last->getOperandTypes());
  function.setFunctionType(
      FunctionType::get(function.getContext(), function.getArgumentTypes(), results));
  function.setResultAttr(result, program::alongAttrName, builder.getI64IntegerAttr(along));
}

void InPlace::apply() {
  PortOp port = replacePorts();
  if (lane) {
    keepWord(port);
    fillWords(port);
  } else {
    orderAfterRead(port);
    replaceStore(port);
  }
  replaceLaunch(port);
  from.port.erase();
  to.port.erase();
  addScalarArguments(function); // The launch states all scalars.
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct WriteInPlacePass : streamtensor::impl::WriteInPlaceBase<WriteInPlacePass> {
  void runOnOperation() override {
    SmallVector<std::pair<StringAttr, unsigned>> results;
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (unsigned result = 0; result < function.getNumResults(); ++result)
        results.push_back({function.getSymNameAttr(), result});
    for (auto [name, result] : results)
      if (failed(visit(getOperation().lookupSymbol<func::FuncOp>(name), result)))
        return signalPassFailure();
  }

  LogicalResult visit(func::FuncOp function, unsigned result) {
    auto into = function.getResultAttrOfType<StringAttr>(result, program::intoAttrName);
    if (!into)
      return success();
    auto at = function.getResultAttrOfType<StringAttr>(result, program::atAttrName);
    FailureOr<const DeviceModel *> device = getDevice(getOperation());
    if (failed(device))
      return failure();
    InPlace change(function, result, *program::findArgument(function, into), at, (*device)->port());
    if (failed(change.plan()) ||
        failed(applyOrRestore(getOperation(), [&] { change.apply(); }, change.reason)))
      emitWarning(getOperation().getLoc())
          << "[inplace.fallback] '" << into.getValue()
          << "' is not updated in place, its new rows are a result: " << change.reason;
    return success();
  }
};
} // namespace
