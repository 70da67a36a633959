//===- LoopLayers.cpp - One launch for all layers -------------------------===//
//
//   func.func @main(%h: tensor<4xf32> {streamtensor.next = 0}, %w: tensor<4xf32>
//       {streamtensor.stacked}) -> tensor<4xf32> attributes {streamtensor.layers = 30} {
//     … dataflow.launch @d(%h, %w) …
//   dataflow.design @d { … dataflow.leaf "mul" compute [4] { … } … }
//
// becomes
//
//   func.func @main(%h: tensor<4xf32>, %w: tensor<30x4xf32>, %layers: index) -> tensor<30x4xf32> {
//     … dataflow.launch @d(%h, %w) scalars(%layers) …
//   dataflow.design @d { … dataflow.leaf "mul" compute [30, 4] counts … (%layers) { … } … }
//
// Every leaf goes through the layers in its outermost loop. Tensors of a layer, and all results,
// get the layer as their first index. What the first layer reads of the result of the layer before
// it comes from memory, what the others read through a FIFO that goes back:
//
//   load -> enter -> hold, one for each leaf that read the argument -> … -> store
//             ^------------------------- back -------------------------------'
//
// A hold keeps the whole tensor of a layer, so that its reader takes it in any order, any number
// of times, and the FIFO that goes back is emptied while the layer before still writes.
//
//===----------------------------------------------------------------------===//

#include "LaunchScalars.h"
#include "LayerWays.h"
#include "ProgramChange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

namespace streamtensor {
#define GEN_PASS_DEF_LOOPLAYERS
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

/// The scalar that says through how many layers a launch goes.
static constexpr StringLiteral layersScalar = "layers";

namespace {

/// The program and its only design.
class LayerLoop {
public:
  LayerLoop(func::FuncOp function, int64_t layers)
      : function(function), layers(layers), context(function.getContext()) {}

  /// Can it be done? `reason` says why not.
  LogicalResult plan();
  void apply();
  std::string reason;

private:
  LogicalResult fail(const Twine &why) {
    reason = why.str();
    return failure();
  }
  LogicalResult planReaders();
  LogicalResult planWriter();
  LogicalResult planLeaves();
  void stackAccess(AccessOpInterface access);
  void stackPorts();
  LoopNest getWrittenNest();
  StreamOp createStream(const Twine &name, Type token, bool isBack = false);
  LeafOp createLeaf(const Twine &name, ArrayRef<int64_t> trips, ArrayRef<AffineExpr> counts,
                    ArrayRef<Value> scalars, Role role, TypeRange privates = {});
  PortOp createLoad(StreamOp first);
  void createEnter(StreamOp first, StreamOp back, ArrayRef<StreamOp> kept);
  void createHold(LoadOp load, StreamOp kept, unsigned number);
  void sendBack(StreamOp back);

  func::FuncOp function;
  int64_t layers;
  MLIRContext *context;
  LaunchOp launch;
  DesignOp design;
  Value scalar; ///< The number of layers.
  unsigned carried = 0, result = 0;
  std::vector<Way> read; ///< From the argument that the layer before gives.
  Way written;
  std::vector<LoadOp> loads; ///< One for each of `read`.
  StoreOp store;
};

} // namespace

//===----------------------------------------------------------------------===//
// Whether it can be done
//===----------------------------------------------------------------------===//

/// Does an access move neighbours of the program's tensor?
static bool movesNeighbours(AccessOpInterface access, const Way &way) {
  return access.getNumElements() == 1 || (isRun(access.getBox()) && way.strides.back() == 1);
}

LogicalResult LayerLoop::planReaders() {
  if (failed(findWays(function.getArgument(carried), read, reason)))
    return failure();
  for (const Way &way : read) {
    PortOp port = way.port;
    if (port.getDirection() != Direction::In)
      return fail("what the layer before gives is updated in place");
    for (Operation *user : port.getResult().getUsers()) {
      auto load = dyn_cast<LoadOp>(user);
      if (!load || load.getRow() || load.getGuard() ||
          !movesNeighbours(cast<AccessOpInterface>(user), way))
        return fail("leaf '" + getLeaf(user).getName() +
                    "' does not read the result of the layer before one run after another");
      if (!port.getResult().hasOneUse())
        return fail("leaf '" + getLeaf(user).getName() +
                    "' reads the result of the layer before by several accesses");
      loads.push_back(load);
    }
  }
  if (loads.empty())
    return fail("no leaf reads the result of the layer before");
  return success();
}

LogicalResult LayerLoop::planWriter() {
  if (failed(findResultWay(function, result, written, reason)))
    return failure();
  PortOp port = written.port;
  store = port.getResult().hasOneUse() ? dyn_cast<StoreOp>(*port.getResult().getUsers().begin())
                                       : StoreOp();
  if (port.getDirection() != Direction::Out || !store || store.getGuard() ||
      !movesNeighbours(cast<AccessOpInterface>(store.getOperation()), written))
    return fail("the result of a layer is not written by one leaf, one run after another");
  auto of = [&](unsigned number, bool isArgument) {
    Type type =
        isArgument ? function.getArgumentTypes()[number] : function.getResultTypes()[number];
    auto tensor = cast<RankedTensorType>(type);
    return std::pair(tensor.getNumElements(), tensor.getElementType());
  };
  if (of(carried, true) != of(result, false))
    return fail("the result of a layer is no argument of the next: their types differ");
  return success();
}

LogicalResult LayerLoop::planLeaves() {
  for (auto leaf : design.getBody().getOps<LeafOp>()) {
    if (leaf.isScheduled())
      return fail("the design is scheduled already");
    if (!leaf.getBlock().getOps<ExternStepOp>().empty())
      return fail("leaf '" + leaf.getName() + "' is written by hand, for one layer");
    for (AccessOpInterface access : getAccesses(leaf))
      if (auto load = dyn_cast<LoadOp>(*access); load && load.getRow())
        return fail("leaf '" + leaf.getName() + "' reads rows that the data decide");
  }
  for (auto stream : design.getBody().getOps<StreamOp>())
    if (stream.getBack())
      return fail("FIFO '" + stream.getName() + "' goes back within a layer");
  return success();
}

LogicalResult LayerLoop::plan() {
  SmallVector<LaunchOp> launches(function.getBody().getOps<LaunchOp>());
  if (launches.size() != 1)
    return fail("a layer is " + Twine(launches.size()) + " launches");
  launch = launches.front();
  design = SymbolTable::lookupNearestSymbolFrom<DesignOp>(launch, launch.getDesignAttr());
  std::optional<unsigned> found;
  for (unsigned argument = 0; argument < function.getNumArguments(); ++argument)
    if (auto next = function.getArgAttrOfType<IntegerAttr>(argument, program::nextAttrName)) {
      if (found)
        return fail("several results are arguments of the next layer");
      found = argument;
      result = next.getInt();
    }
  if (!found || result >= function.getNumResults())
    return fail("no result is an argument of the next layer");
  carried = *found;
  if (failed(planReaders()) || failed(planWriter()))
    return failure();
  return planLeaves();
}

//===----------------------------------------------------------------------===//
// Tensors of all layers
//===----------------------------------------------------------------------===//

/// The access moves a part of the layer that its leaf is at.
void LayerLoop::stackAccess(AccessOpInterface access) {
  AffineMap map = access.getPlace();
  access.setPlace(map.insertResult(getAffineDimExpr(0, context), 0));
  auto type = dyn_cast<VectorType>(access.getMovedType());
  if (!type)
    return;
  SmallVector<int64_t> shape = {1};
  llvm::append_range(shape, type.getShape());
  auto wide = VectorType::get(shape, type.getElementType());
  OpBuilder builder(access);
  if (auto store = dyn_cast<StoreOp>(*access)) {
    store.getValueMutable().assign(
        vector::ShapeCastOp::create(builder, store.getLoc(), wide, store.getValue()));
    return;
  }
  auto load = cast<LoadOp>(*access);
  builder.setInsertionPointAfter(load);
  load.getResult().setType(wide);
  auto cast = vector::ShapeCastOp::create(builder, load.getLoc(), type, load.getResult());
  load.getResult().replaceAllUsesExcept(cast, cast);
}

/// Ports of tensors that the program has for each layer.
void LayerLoop::stackPorts() {
  for (PortOp port : stackProgram(function, launch, layers)) {
    SmallVector<int64_t> shape = {layers};
    llvm::append_range(shape, port.getType().getShape());
    port.getResult().setType(PortType::get(context, shape, port.getType().getElementType()));
    SmallVector<Operation *> users(port.getResult().getUsers());
    for (Operation *user : users)
      if (auto access = dyn_cast<AccessOpInterface>(user))
        stackAccess(access);
  }
}

//===----------------------------------------------------------------------===//
// What one layer gives the next
//===----------------------------------------------------------------------===//

StreamOp LayerLoop::createStream(const Twine &name, Type token, bool isBack) {
  OpBuilder builder(context);
  builder.setInsertionPointAfterValue(scalar);
  auto stream =
      StreamOp::create(builder, launch.getLoc(), StreamType::get(context, token, 0), name.str());
  stream.setBack(isBack);
  return stream;
}

LeafOp LayerLoop::createLeaf(const Twine &name, ArrayRef<int64_t> trips,
                             ArrayRef<AffineExpr> counts, ArrayRef<Value> scalars, Role role,
                             TypeRange privates) {
  OpBuilder builder = OpBuilder::atBlockEnd(&design.getBody().front());
  auto leaf = LeafOp::create(builder, launch.getLoc(), name.str(), trips, ValueRange(), {},
                             ValueRange(), {}, role, privates);
  if (scalars.empty())
    return leaf;
  leaf.getScalarsMutable().assign(scalars);
  leaf.setCountsAttr(AffineMapAttr::get(AffineMap::get(0, scalars.size(), counts, context)));
  return leaf;
}

/// Reads the argument in the order in which a layer's result is written, once. Gives the port.
PortOp LayerLoop::createLoad(StreamOp first) {
  OpBuilder builder(read.front().port);
  auto port = PortOp::create(builder, launch.getLoc(), written.port.getType(),
                             read.front().port.getName(), Direction::In);
  LoopNest nest = getLoopNest(getNest(store));
  LeafOp leaf =
      createLeaf(port.getName() + "_first", nest.trips, nest.counts, nest.scalars, Role::Load);
  builder.setInsertionPointToEnd(&leaf.getBlock());
  auto load = LoadOp::create(builder, leaf.getLoc(), store.getValue().getType(), port.getResult(),
                             Value(), store.getMap(), nullptr, nullptr, nullptr);
  Value token = reshape(builder, leaf.getLoc(), load.getResult(), first.getType().getElementType());
  StreamWriteOp::create(builder, leaf.getLoc(), token, first.getResult(), nullptr);
  return port;
}

/// Hands on what the first layer reads from memory and the others from the layer before.
void LayerLoop::createEnter(StreamOp first, StreamOp back, ArrayRef<StreamOp> kept) {
  LoopNest nest = getLoopNest(getNest(store));
  nest.addLayers(layers, scalar);
  LeafOp leaf =
      createLeaf(back.getName() + "_enter", nest.trips, nest.counts, nest.scalars, Role::Fork);
  OpBuilder builder = OpBuilder::atBlockEnd(&leaf.getBlock());
  Location loc = leaf.getLoc();
  AffineExpr layer = getAffineDimExpr(0, context);
  auto guard = [&](AffineExpr constraint, bool isEqual) {
    return IntegerSetAttr::get(IntegerSet::get(nest.trips.size(), 0, constraint, isEqual));
  };
  Type token = first.getType().getElementType();
  Value from = StreamReadOp::create(builder, loc, token, first.getResult(), guard(layer, true));
  Value before =
      StreamReadOp::create(builder, loc, token, back.getResult(), guard(layer - 1, false));
  Value isFirst = TestOp::create(builder, loc, builder.getI1Type(), guard(layer, true));
  Value value = arith::SelectOp::create(builder, loc, isFirst, from, before);
  for (StreamOp each : kept)
    StreamWriteOp::create(builder, loc, value, each.getResult(), nullptr);
}

/// Keeps the tensor of a layer for one reader: what `load` read from memory comes from a FIFO.
void LayerLoop::createHold(LoadOp load, StreamOp kept, unsigned number) {
  Way way = read[number];
  auto tensor = cast<RankedTensorType>(function.getArgumentTypes()[carried]);
  LoopNest given = getLoopNest(getNest(load));
  LoopNest taken = getLoopNest(getNest(store));
  // Scalars of both nests.
  SmallVector<Value> scalars(taken.scalars);
  for (Value each : given.scalars)
    if (!llvm::is_contained(scalars, each))
      scalars.push_back(each);
  taken.renumber(scalars);
  given.renumber(scalars);
  SmallVector<Value> all(scalars);
  all.push_back(scalar);
  LeafOp leaf =
      createLeaf(way.port.getName() + "_hold", {layers},
                 {getAffineSymbolExpr(scalars.size(), context)}, all, Role::ConvertOut,
                 {PrivateType::get(context, {tensor.getNumElements()}, tensor.getElementType())});
  Value memory = leaf.getPrivates()[0];
  Location loc = leaf.getLoc();
  OpBuilder builder(context);
  auto addNest = [&](StringRef name, const LoopNest &nest) {
    builder.setInsertionPointToEnd(&leaf.getBlock());
    AffineMapAttr counts;
    if (!scalars.empty())
      counts = AffineMapAttr::get(AffineMap::get(0, all.size(), nest.counts, context));
    auto made = NestOp::create(builder, loc, name, nest.trips, counts, /*lag=*/0, /*ii=*/0,
                               /*depth=*/0, /*limit=*/nullptr);
    Block &body = made.getRegion().emplaceBlock();
    for (size_t loop = 0; loop < nest.trips.size(); ++loop)
      body.addArgument(builder.getIndexType(), loc);
    builder.setInsertionPointToEnd(&made.getBlock());
  };
  auto getMap = [&](const LoopNest &nest, AffineMap map, const Way &way) {
    AffineExpr place = getAffineConstantExpr(way.offset, context);
    for (auto [index, stride] : llvm::zip_equal(map.getResults(), way.strides))
      place = place + nest.renumber(index) * stride;
    place = place.shiftDims(nest.trips.size(), 1);
    return AffineMap::get(nest.trips.size() + 1, all.size(),
                          simplifyAffineExpr(place, nest.trips.size() + 1, all.size()));
  };
  addNest("take", taken);
  Value token = StreamReadOp::create(builder, loc, kept.getType().getElementType(),
                                     kept.getResult(), nullptr);
  StoreOp::create(builder, loc, token, memory, getMap(taken, store.getMap(), written), nullptr,
                  nullptr);
  Type type = getToken(load.getType());
  StreamOp sent = createStream(way.port.getName() + "_held", type);
  addNest("give", given);
  Value value = LoadOp::create(builder, loc, type, memory, Value(),
                               getMap(given, load.getMap(), way), nullptr, nullptr, nullptr);
  StreamWriteOp::create(builder, loc, value, sent.getResult(), nullptr);
  builder.setInsertionPoint(load);
  Value read = StreamReadOp::create(builder, load.getLoc(), type, sent.getResult(), nullptr);
  load.getResult().replaceAllUsesWith(reshape(builder, load.getLoc(), read, load.getType()));
  load.erase();
}

/// The leaf that writes the result sends it back too, but for the last layer. It has its layers.
void LayerLoop::sendBack(StreamOp back) {
  LeafOp leaf = getLeaf(store);
  OpBuilder builder(context);
  builder.setInsertionPointAfter(store);
  Value token = reshape(builder, store.getLoc(), store.getValue(), back.getType().getElementType());
  unsigned loops = store.getMap().getNumDims(), symbols = leaf.getScalars().size();
  AffineExpr others = getAffineSymbolExpr(symbols - 1, context) - getAffineDimExpr(0, context) - 2;
  StreamWriteOp::create(builder, store.getLoc(), token, back.getResult(),
                        IntegerSetAttr::get(IntegerSet::get(loops, symbols, others, false)));
}

void LayerLoop::apply() {
  scalar = addScalar(design, layersScalar, 1, layers);
  SmallVector<LeafOp> leaves(design.getBody().getOps<LeafOp>());
  std::string name = read.front().port.getName().str();
  Type token = getToken(store.getValue().getType());
  StreamOp first = createStream(name + "_memory", token);
  StreamOp back = createStream(name + "_back", token, /*isBack=*/true);
  SmallVector<StreamOp> kept;
  for (Way &way : read)
    kept.push_back(createStream(way.port.getName() + "_kept", token));
  PortOp port = createLoad(first);
  createEnter(first, back, kept);
  for (auto [number, load] : llvm::enumerate(loads))
    createHold(load, kept[number], number);
  launch = replaceCarried(function, launch, carried, written, read, port);
  for (Way &way : read)
    way.port.erase();
  for (LeafOp leaf : leaves)
    addOutermostLoop(leaf, layers, scalar);
  sendBack(back);
  stackPorts();
  addScalarArguments(function);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct LoopLayersPass : streamtensor::impl::LoopLayersBase<LoopLayersPass> {
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    std::optional<int64_t> layers = main ? program::getLayers(main) : std::nullopt;
    if (!layers || *layers == 1 || program::getLoopedLayers(main))
      return;
    LayerLoop change(main, *layers);
    if (failed(change.plan()) ||
        failed(applyOrRestore(getOperation(), [&] { change.apply(); }, change.reason)))
      emitWarning(getOperation().getLoc())
          << "[layers.fallback] the host launches each layer by itself: " << change.reason;
    else
      getOperation().lookupSymbol<func::FuncOp>("main")->setAttr(program::loopedAttrName,
                                                                 UnitAttr::get(&getContext()));
  }
};
} // namespace
