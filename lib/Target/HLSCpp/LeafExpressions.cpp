//===- LeafExpressions.cpp - Values of a leaf task as C++ expressions -----===//

#include "Arithmetic.h"
#include "LeafBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "streamtensor/Device/VitisCores.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// What is named and what is written in place
//===----------------------------------------------------------------------===//

static bool isReshaping(Operation *op) { return isa<vector::ShapeCastOp, vector::TransposeOp>(op); }

static bool isElementwise(Operation *op) {
  return op->getDialect() &&
         llvm::is_contained({"arith", "math"}, op->getDialect()->getNamespace());
}

/// Operations that only change indices, or are constants.
bool LeafBody::isView(Operation *op) {
  return isReshaping(op) || isa<arith::ConstantOp, vector::BroadcastOp, vector::ExtractOp,
                                vector::ExtractStridedSliceOp, vector::StepOp>(op);
}

/// The one statement in which the result of `op` is used once per lane, or null. Results that
/// several statements or several lanes need are named instead, so that no hardware is written
/// twice.
Operation *LeafBody::statementOf(Operation *op) {
  Value value = op->getResult(0);
  int64_t lanes = laneCount(value.getType());
  while (value.hasOneUse()) {
    Operation *user = *value.user_begin();
    if (isReshaping(user)) {
      value = user->getResult(0);
      continue;
    }
    if (isa<vector::ExtractOp>(user) && !isa<VectorType>(value.getType()))
      return user;
    if (auto write = dyn_cast<StreamWriteOp>(user))
      return lanes == 1 && !isa<VectorType>(write.getValue().getType()) ? user : nullptr;
    if (auto store = dyn_cast<StoreOp>(user)) {
      PortArgument *port = model.argument(store);
      return port && port->isWide() && laneShape(value.getType()).size() == 1 ? nullptr : user;
    }
    if (!isElementwise(user) || laneCount(user->getResult(0).getType()) != lanes)
      return nullptr;
    if (!isInlined(user))
      return user;
    value = user->getResult(0);
  }
  return nullptr;
}

/// Does a load give the same value when it is read at the statement that uses it?
bool LeafBody::staysValid(LoadOp load, Operation *statement) {
  Operation *last = statement;
  for (Operation *op = load->getNextNode(); op && op != last; op = op->getNextNode())
    if (auto store = dyn_cast<StoreOp>(op); store && store.getMemory() == load.getMemory())
      return false;
  auto store = dyn_cast<StoreOp>(statement);
  if (!store || store.getMemory() != load.getMemory())
    return true;
  // Read and write of one place, lane by lane.
  Value value = load.getResult();
  while (!value.use_empty() && *value.user_begin() != statement) {
    Operation *user = *value.user_begin();
    if (isReshaping(user))
      return false;
    value = user->getResult(0);
  }
  return store.getMap() == load.getMap();
}

bool LeafBody::isInlined(Operation *op) {
  if (auto known = inlined.find(op); known != inlined.end())
    return known->second;
  bool result = false;
  if (auto load = dyn_cast<LoadOp>(op)) {
    Operation *statement = statementOf(op);
    result = !load.getGuard() && !isa<PortType>(load.getMemory().getType()) && statement &&
             staysValid(load, statement);
  } else if (isa<TestOp>(op)) {
    result = op->hasOneUse();
  } else if (isElementwise(op) && !isPairedProduct(op) && !isCrossedProduct(op)) {
    result = statementOf(op) != nullptr;
  }
  return inlined[op] = result;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

AffineExpr LeafBody::inLoops(AffineExpr expr) { return expr.replaceDimsAndSymbols(loopExprs, {}); }

std::string LeafBody::element(AccessOpInterface access, Lanes lanes) {
  AffineMap map = access.getPlace();
  SmallVector<AffineExpr> indices;
  for (auto [dim, start] : llvm::enumerate(map.getResults()))
    indices.push_back(lanes.empty() ? inLoops(start) : inLoops(start) + lanes[dim]);
  if (PortArgument *port = model.argument(access))
    return port->name + "[" +
           cppAffine(linearise(indices, port->port.getType().getShape(), context), affine) + "]";
  std::string text = memoryNames[access.getChannel()];
  for (AffineExpr index : indices)
    text += "[" + cppAffine(index, affine) + "]";
  // A memory of rank 0 is one register.
  return text;
}

Expression LeafBody::variable(Value value, Lanes lanes) {
  const Variable &named = variables[value];
  accesses.values.push_back({value, isLaneByLane(lanes)});
  if (!isa<VectorType>(value.getType()))
    return {named.name};
  if (named.flat)
    return {named.name + "[" +
            cppAffine(linearise(lanes, laneShape(value.getType()), context), affine) + "]"};
  std::string text = named.name;
  for (AffineExpr lane : lanes)
    text += "[" + cppAffine(lane, affine) + "]";
  return {text};
}

/// The index of a shared loop of the leaf, or of one of the nest's own.
AffineExpr LeafBody::loopExpression(BlockArgument index) {
  bool isShared = index.getOwner() == &leaf.getBlock();
  return loopExprs[index.getArgNumber() + (isShared ? 0 : leaf.getNumLoops())];
}

/// An index value as an affine expression of the loops; what is not affine becomes a symbol.
FailureOr<AffineExpr> LeafBody::indexExpression(Value index) {
  if (auto argument = dyn_cast<BlockArgument>(index))
    return loopExpression(argument);
  if (variables.contains(index)) {
    affine.symbols.push_back(variable(index, {}).text);
    return getAffineSymbolExpr(affine.symbols.size() - 1, context);
  }
  Operation *op = index.getDefiningOp();
  auto binary = [&](auto combine) -> FailureOr<AffineExpr> {
    auto lhs = indexExpression(op->getOperand(0));
    auto rhs = indexExpression(op->getOperand(1));
    if (failed(lhs) || failed(rhs))
      return failure();
    return combine(*lhs, *rhs);
  };
  if (auto constant = dyn_cast<arith::ConstantIndexOp>(op))
    return getAffineConstantExpr(constant.value(), context);
  if (isa<arith::AddIOp>(op))
    return binary([](AffineExpr a, AffineExpr b) { return a + b; });
  if (isa<arith::SubIOp>(op))
    return binary([](AffineExpr a, AffineExpr b) { return a - b; });
  auto text = expression(index, {});
  if (failed(text))
    return failure();
  affine.symbols.push_back(text->operand());
  return getAffineSymbolExpr(affine.symbols.size() - 1, context);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

FailureOr<Expression> LeafBody::expression(Value value, Lanes lanes) {
  if (variables.contains(value))
    return variable(value, lanes);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return Expression{cppAffine(loopExpression(argument), affine)};
  return definition(value.getDefiningOp(), lanes);
}

FailureOr<Expression> LeafBody::definition(Operation *op, Lanes lanes) {
  if (isView(op))
    return view(op, lanes);
  if (auto load = dyn_cast<LoadOp>(op))
    return loadElement(load, lanes);
  if (auto test = dyn_cast<TestOp>(op))
    return condition(test.getSet());
  if (!isElementwise(op))
    return op->emitOpError("has no HLS C++ form; a leaf task computes with arith, math and the "
                           "vector operations that move lanes");
  if (op->getNumResults() != 1 || cppScalarType(laneType(op->getResult(0).getType())).empty())
    return op->emitOpError("has a result type without C++ counterpart");
  SmallVector<Expression> operands;
  for (Value operand : op->getOperands()) {
    bool scalar = !isa<VectorType>(operand.getType());
    auto text = expression(operand, scalar ? Lanes() : lanes);
    if (failed(text))
      return failure();
    operands.push_back(*text);
  }
  if (auto text = printArithmetic(op, operands))
    return pin(op, *text);
  return op->emitOpError(
      "has no HLS C++ form yet; rewrite it with other arith and math operations");
}

/// The pragma binds what is assigned to a variable (UG1399, pragma HLS bind_op), so a bound
/// operation has one for itself, in front of the statement that needs it.
Expression LeafBody::pin(Operation *op, const Expression &value) {
  TimingAttr timing = getTiming(op);
  if (!timing || !timing.getCore())
    return value;
  Type type = op->getResult(0).getType();
  std::string name = names.unique((isa<VectorType>(type) ? "lane_" : "") + resultWord(op).str());
  pins.push_back(
      llvm::formatv("const {0} {1} = {2};", cppScalarType(laneType(type)), name, value.text));
  pins.push_back(llvm::formatv("#pragma HLS bind_op variable={0} op={1} impl={2} latency={3}", name,
                               getVitisOperation(op), timing.getCore().getValue(),
                               timing.getLatency()));
  return {name};
}

FailureOr<Expression> LeafBody::loadElement(LoadOp load, Lanes lanes) {
  size_t rank = load.getMap().getNumResults();
  if (isa<VectorType>(load.getType()) && laneShape(load.getType()).size() != rank)
    return load.emitOpError("reads a box of another rank than its memory");
  accesses.loads.push_back({load.getMemory(), load.getMap(), isLaneByLane(lanes)});
  FailureOr<std::string> row = rowOffset(load);
  if (failed(row))
    return failure();
  std::string text = element(load, lanes);
  if (load.getRow()) // Only ports have rows: they are indexed by one number.
    text.insert(text.find('[') + 1, *row);
  return Expression{text};
}

FailureOr<Expression> LeafBody::constant(arith::ConstantOp op, Lanes lanes) {
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense)
    return Expression{cppLiteral(op.getValue())};
  if (dense.isSplat())
    return Expression{cppLiteral(dense.getSplatValue<Attribute>())};
  std::string &table = tables[op.getResult()];
  if (table.empty()) {
    table = names.unique("table");
    std::string text =
        llvm::formatv("static const {0} {1}[{2}] = {{", cppScalarType(laneType(op.getType())),
                      table, dense.getNumElements());
    for (auto [position, value] : llvm::enumerate(dense.getValues<Attribute>()))
      text += (position ? ", " : "") + cppLiteral(value);
    topLines.push_back(text + "};");
  }
  AffineExpr position = linearise(lanes, laneShape(op.getType()), context);
  return Expression{table + "[" + cppAffine(position, affine) + "]"};
}

/// Lanes of a source of smaller rank, stretched to the lanes of the result.
static SmallVector<AffineExpr> broadcastLanes(ArrayRef<AffineExpr> lanes, ArrayRef<int64_t> source,
                                              MLIRContext *context) {
  SmallVector<AffineExpr> result(lanes.take_back(source.size()));
  for (auto [lane, extent] : llvm::zip_equal(result, source))
    if (extent == 1)
      lane = getAffineConstantExpr(0, context);
  return result;
}

/// Lanes of `from` at the row-major place that `lanes` have in `to`.
static SmallVector<AffineExpr> reshapeLanes(ArrayRef<AffineExpr> lanes, ArrayRef<int64_t> to,
                                            ArrayRef<int64_t> from, MLIRContext *context) {
  // Matching extents from the front need no arithmetic; nor do units.
  AffineExpr position = linearise(lanes, to, context);
  SmallVector<AffineExpr> result(from.size());
  int64_t inner = 1;
  for (int64_t dim = from.size() - 1; dim >= 0; --dim) {
    result[dim] = from[dim] == 1 ? getAffineConstantExpr(0, context) : position.floorDiv(inner);
    inner *= from[dim];
    bool outermost = inner == llvm::product_of(from);
    if (from[dim] != 1 && !outermost)
      result[dim] = result[dim] % from[dim];
  }
  return result;
}

FailureOr<Expression> LeafBody::view(Operation *op, Lanes lanes) {
  return llvm::TypeSwitch<Operation *, FailureOr<Expression>>(op)
      .Case([&](arith::ConstantOp constantOp) { return constant(constantOp, lanes); })
      .Case([&](vector::StepOp) { return Expression{cppAffine(lanes[0], affine)}; })
      .Case([&](vector::BroadcastOp broadcast) {
        return expression(broadcast.getSource(),
                          broadcastLanes(lanes, laneShape(broadcast.getSourceType()), context));
      })
      .Case([&](vector::ShapeCastOp cast) {
        return expression(cast.getSource(),
                          reshapeLanes(lanes, laneShape(cast.getType()),
                                       laneShape(cast.getSource().getType()), context));
      })
      .Case([&](vector::TransposeOp transpose) {
        SmallVector<AffineExpr> source(lanes.size());
        for (auto [result, operand] : llvm::enumerate(transpose.getPermutation()))
          source[operand] = lanes[result];
        return expression(transpose.getVector(), source);
      })
      .Case([&](vector::ExtractOp extract) -> FailureOr<Expression> {
        SmallVector<AffineExpr> source;
        for (OpFoldResult position : extract.getMixedPosition()) {
          if (auto constant = dyn_cast<Attribute>(position)) {
            source.push_back(getAffineConstantExpr(cast<IntegerAttr>(constant).getInt(), context));
            continue;
          }
          auto index = indexExpression(cast<Value>(position));
          if (failed(index))
            return failure();
          source.push_back(*index);
        }
        source.append(lanes.begin(), lanes.end());
        return expression(extract.getSource(), source);
      })
      .Case([&](vector::ExtractStridedSliceOp slice) {
        SmallVector<AffineExpr> source(lanes);
        for (auto [lane, offset, stride] :
             llvm::zip(source, slice.getOffsets().getAsRange<IntegerAttr>(),
                       slice.getStrides().getAsRange<IntegerAttr>()))
          lane = lane * stride.getInt() + offset.getInt();
        return expression(slice.getSource(), source);
      })
      .Default([&](Operation *) -> FailureOr<Expression> { return failure(); });
}
