//===- LeafBody.cpp - Statements of a leaf task ---------------------------===//

#include "LeafBody.h"

#include "Arithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "streamtensor/Device/ScalarOperations.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;
using namespace streamtensor::dataflow;

/// Names of the lane loops: u for unrolled.
static std::string laneName(unsigned lane) { return "u" + std::to_string(lane); }

LeafBody::LeafBody(DesignModel &model, NestOpInterface nestOp, NameScope &names,
                   ArrayRef<std::string> loopNames,
                   ArrayRef<std::pair<IndexCounter, std::string>> counters)
    : model(model), nestOp(nestOp), leaf(nestOp.getLeaf()), names(names),
      context(leaf.getContext()), numLoops(nestOp.getNumNestLoops()) {
  affine.counters = counters.vec();
  for (auto [loop, trip] : llvm::enumerate(nestOp.getLoopTrips())) {
    affine.dims.push_back(loopNames[loop]);
    affine.trips.push_back(trip);
    loopExprs.push_back(trip == 1 ? getAffineConstantExpr(0, context)
                                  : getAffineDimExpr(loop, context));
  }
  for (auto [scalar, range] : llvm::zip_equal(leaf.getScalars(), getScalarRanges(leaf))) {
    affine.symbols.push_back(model.scalarNames[scalar]);
    affine.symbolRanges.push_back({range.low, range.high});
    variables[scalar] = {model.scalarNames[scalar], true};
  }
  size_t maximalRank = 0;
  nestOp.getOperations().walk([&](Operation *op) {
    for (Type type : llvm::concat<Type>(llvm::to_vector(op->getOperandTypes()),
                                        llvm::to_vector(op->getResultTypes())))
      maximalRank = std::max(maximalRank, laneShape(type).size());
  });
  for (unsigned lane = 0; lane < maximalRank; ++lane) {
    affine.dims.push_back(names.unique(laneName(lane)));
    affine.trips.push_back(1);
  }
}

std::string LeafBody::countText(unsigned loop) const {
  return cppAffine(getCounts(nestOp)[loop], affine);
}

LogicalResult LeafBody::emit(CppWriter &body) {
  out = &body;
  for (Operation &op : nestOp.getOperations())
    if (!isView(&op) && !isInlined(&op) && failed(emitOp(op)))
      return failure();
  flush();
  return success();
}

LogicalResult LeafBody::emitOp(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](StreamReadOp read) { return emitRead(read); })
      .Case([&](StreamWriteOp write) { return emitWrite(write); })
      .Case([&](LoadOp load) { return emitLoad(load); })
      .Case([&](StoreOp store) { return emitStore(store); })
      .Case([&](TupleOp tuple) { return emitTuple(tuple); })
      .Case([&](MemberOp member) {
        variables[member.getResult()] = {
            variables[member.getSource()].name + ".m" + std::to_string(member.getIndex()), true};
        return success();
      })
      .Case([&](vector::InsertStridedSliceOp insert) { return emitInsert(insert); })
      .Case([&](vector::FromElementsOp elements) { return emitFromElements(elements); })
      .Default([&](Operation *other) { return emitNamed(other); });
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

std::string LeafBody::wish(Operation *op) {
  if (auto read = dyn_cast<StreamReadOp>(op))
    return model.channelNames[read.getFifo()] + "_token";
  if (auto load = dyn_cast<LoadOp>(op)) {
    if (PortArgument *port = model.argument(load))
      return port->name + (isToken(load, *port) ? "_word" : "_value");
    return memoryNames[load.getMemory()] + "_value";
  }
  return resultWord(op).str();
}

void LeafBody::declareArray(std::vector<std::string> &lines, const std::string &name, Type type) {
  lines.push_back(cppScalarType(laneType(type)) + " " + name + dimensions(laneShape(type)) + ";");
  lines.push_back("#pragma HLS array_partition variable=" + name + " type=complete dim=0");
}

/// Names a variable for `value`; returns the lines that declare it.
std::vector<std::string> LeafBody::nameVariable(Value value, StringRef wish) {
  std::string name = names.unique(wish);
  Type type = value.getType();
  // At most one extent above 1: a token, indexed by its lane.
  bool flat = llvm::count_if(laneShape(type), [](int64_t extent) { return extent > 1; }) <= 1;
  variables[value] = {name, flat};
  std::vector<std::string> lines;
  if (flat)
    lines.push_back(cppTokenType(type) + " " + name + ";");
  else
    declareArray(lines, name, type);
  return lines;
}

/// Declares a variable for `value`: at the top of the function if its value is
/// held over iterations, else with the nest that defines it.
std::string LeafBody::declare(Value value, StringRef wish, bool held) {
  std::vector<std::string> lines = nameVariable(value, wish);
  std::string name = variables[value].name;
  if (!held)
    llvm::append_range(nest->declarations, lines);
  else
    for (const std::string &line : lines)
      topLines.push_back({line, line.front() == '#' ? "" : name});
  return name;
}

//===----------------------------------------------------------------------===//
// Lane nests
//===----------------------------------------------------------------------===//

SmallVector<AffineExpr> LeafBody::lanesOf(ArrayRef<int64_t> shape) {
  SmallVector<AffineExpr> lanes;
  currentShape.assign(shape.begin(), shape.end());
  for (auto [lane, extent] : llvm::enumerate(shape)) {
    affine.trips[numLoops + lane] = extent;
    lanes.push_back(extent == 1 ? getAffineConstantExpr(0, context)
                                : getAffineDimExpr(numLoops + lane, context));
  }
  return lanes;
}

bool LeafBody::isLaneByLane(Lanes lanes) {
  if (lanes.size() != currentShape.size())
    return false;
  for (auto [position, lane] : llvm::enumerate(lanes)) {
    AffineExpr own = currentShape[position] == 1 ? getAffineConstantExpr(0, context)
                                                 : getAffineDimExpr(numLoops + position, context);
    if (lane != own)
      return false;
  }
  return true;
}

/// May the statement whose accesses were just collected join the open nest? Lanes run one after the
/// other natively, so no lane may need what another lane of the nest makes.
bool LeafBody::fits(ArrayRef<int64_t> shape, const std::optional<MemoryUse> &store) {
  if (!nest || ArrayRef<int64_t>(nest->shape) != shape)
    return false;
  for (auto [value, sameLane] : accesses.values)
    if (!sameLane && llvm::is_contained(nest->defined, value))
      return false;
  for (const MemoryUse &load : accesses.loads)
    for (const MemoryUse &earlier : nest->stores)
      if (load.memory == earlier.memory)
        return false;
  if (!store)
    return true;
  for (const MemoryUse &earlier : llvm::concat<const MemoryUse>(nest->loads, accesses.loads))
    if (earlier.memory == store->memory && !(earlier == *store))
      return false;
  return llvm::none_of(nest->stores,
                       [&](const MemoryUse &earlier) { return earlier.memory == store->memory; });
}

LogicalResult LeafBody::statement(ArrayRef<int64_t> shape, Printer print, Value defines,
                                  std::optional<MemoryUse> store) {
  SmallVector<AffineExpr> lanes = lanesOf(shape);
  FailureOr<std::string> text = noteAccesses([&] { return print(lanes); });
  if (failed(text))
    return failure();
  if (!fits(shape, store)) {
    flush();
    nest.emplace();
    nest->shape.assign(shape.begin(), shape.end());
  }
  std::string assignment = *text;
  if (defines) {
    if (!variables.contains(defines))
      declare(defines, wish(defines.getDefiningOp()), /*held=*/false);
    assignment = variable(defines, lanes).text + " = " + assignment;
    nest->defined.push_back(defines);
  }
  llvm::append_range(nest->statements, pins);
  pins.clear();
  nest->statements.push_back(assignment + ";");
  llvm::append_range(nest->loads, accesses.loads);
  if (store)
    nest->stores.push_back(*store);
  return success();
}

/// Pragmas stand at the margin.
static void printLines(ArrayRef<std::string> lines, CppWriter &out) {
  for (const std::string &line : lines) {
    if (line.front() == '#')
      out.raw(line + "\n");
    else
      out.line(line);
  }
}

/// Those of the statement that follows, where it is no lane nest.
void LeafBody::printPins() {
  printLines(pins, *out);
  pins.clear();
}

void LeafBody::flush() {
  if (!nest)
    return;
  printLines(nest->declarations, *out);
  unsigned opened = 0;
  for (auto [lane, extent] : llvm::enumerate(nest->shape)) {
    if (extent == 1)
      continue;
    std::string name = affine.dims[numLoops + lane];
    out->open(llvm::formatv("for (int {0} = 0; {0} < {1}; ++{0})", name, extent).str());
    out->pragma("unroll");
    ++opened;
  }
  printLines(nest->statements, *out);
  while (opened-- > 0)
    out->close();
  nest.reset();
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

Expression LeafBody::condition(IntegerSet set) {
  SmallVector<AffineExpr> scalars;
  for (unsigned symbol = 0; symbol < set.getNumSymbols(); ++symbol)
    scalars.push_back(getAffineSymbolExpr(symbol, context));
  return cppCondition(set.replaceDimsAndSymbols(loopExprs, scalars, numLoops, scalars.size()),
                      affine);
}

void LeafBody::openGuard(const Expression &guard) {
  flush();
  if (guard.text != "true")
    out->open("if (" + guard.text + ")");
}

void LeafBody::closeGuard(const Expression &guard) {
  flush();
  if (guard.text != "true")
    out->close();
}

//===----------------------------------------------------------------------===//
// FIFOs
//===----------------------------------------------------------------------===//

/// A token on its way from or to a FIFO of another C++ type.
static std::string castToken(const std::string &token, Type from, Type to) {
  if (cppTokenType(from) == cppTokenType(to))
    return token;
  return "st::cast_token<" + cppTokenType(to) + ">(" + token + ")";
}

LogicalResult LeafBody::emitRead(StreamReadOp op) {
  std::string fifo = model.channelNames[op.getFifo()];
  Type sent = model.tokenTypes[op.getFifo()];
  std::string word = fifo + ".read()";
  if (model.links.contains(op.getFifo()))
    word = "st::from_link<" + cppTokenType(sent) + ">(" + word + ")";
  std::string token = castToken(word, sent, op.getType());
  Expression guard = op.getGuard() ? condition(*op.getGuard()) : Expression{"true"};
  if (guard.text == "true") {
    std::string name = names.unique(wish(op));
    variables[op.getResult()] = {name, true};
    out->line("const " + cppTokenType(op.getType()) + " " + name + " = " + token + ";");
    return success();
  }
  std::string name = declare(op.getResult(), wish(op), /*held=*/true);
  out->open("if (" + guard.text + ")");
  out->line(name + " = " + token + ";");
  out->close();
  return success();
}

LogicalResult LeafBody::emitWrite(StreamWriteOp op) {
  std::string fifo = model.channelNames[op.getFifo()];
  Expression guard = op.getGuard() ? condition(*op.getGuard()) : Expression{"true"};
  if (guard.text == "false")
    return success();
  openGuard(guard);
  FailureOr<std::string> text = failure();
  if (isa<VectorType>(op.getValue().getType())) {
    text = token(op.getValue(), fifo + "_token");
    flush();
  } else if (auto scalar = expression(op.getValue(), {}); succeeded(scalar)) {
    text = scalar->text;
  }
  if (failed(text))
    return failure();
  printPins();
  Type type = model.tokenTypes[op.getFifo()];
  std::string sent = castToken(*text, op.getValue().getType(), type);
  if (model.links.contains(op.getFifo()))
    sent = "st::to_link<" + cppTokenType(type) + ">(" + sent + ")";
  out->line(fifo + ".write(" + sent + ");");
  closeGuard(guard);
  return success();
}

FailureOr<std::string> LeafBody::token(Value value, StringRef wish) {
  if (auto entry = variables.find(value); entry != variables.end() && entry->second.flat)
    return entry->second.name;
  if (auto cast = value.getDefiningOp<vector::ShapeCastOp>();
      cast && variables.contains(cast.getSource()) && variables[cast.getSource()].flat)
    return variables[cast.getSource()].name;
  std::string name = names.unique(wish);
  std::string declaration = cppTokenType(value.getType()) + " " + name + ";";
  ArrayRef<int64_t> shape = laneShape(value.getType());
  LogicalResult built = statement(shape, [&](Lanes lanes) -> FailureOr<std::string> {
    auto source = expression(value, lanes);
    if (failed(source))
      return failure();
    return name + "[" + cppAffine(linearise(lanes, shape, context), affine) + "] = " + source->text;
  });
  if (failed(built))
    return failure();
  nest->declarations.push_back(declaration);
  return name;
}

LogicalResult LeafBody::emitTuple(TupleOp op) {
  std::vector<std::string> members;
  for (Value member : op.getMembers()) {
    FailureOr<std::string> text = failure();
    if (isa<VectorType>(member.getType()))
      text = token(member, "member");
    else if (auto scalar = expression(member, {}); succeeded(scalar))
      text = scalar->text;
    if (failed(text))
      return failure();
    members.push_back(*text);
  }
  flush();
  printPins();
  std::string name = names.unique("token");
  variables[op.getResult()] = {name, true};
  out->line("const " + cppTokenType(op.getType()) + " " + name + " = {" +
            llvm::join(members, ", ") + "};");
  return success();
}

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

LogicalResult LeafBody::emitLoad(LoadOp op) {
  if (PortArgument *port = model.argument(op); port && port->isWide())
    return emitWideLoad(op, *port);
  Expression guard = op.getGuard() ? condition(*op.getGuard()) : Expression{"true"};
  bool held = guard.text != "true";
  if (!held && !isa<VectorType>(op.getType())) {
    auto source = loadElement(op, {});
    if (failed(source))
      return failure();
    if (nest && llvm::any_of(nest->stores, [&](auto &s) { return s.memory == op.getMemory(); }))
      flush();
    std::string name = names.unique(wish(op));
    variables[op.getResult()] = {name, true};
    out->line("const " + cppTokenType(op.getType()) + " " + name + " = " + source->text + ";");
    return success();
  }
  if (held) {
    declare(op.getResult(), wish(op), /*held=*/true);
    openGuard(guard);
  }
  LogicalResult done = statement(
      laneShape(op.getType()),
      [&](Lanes lanes) -> FailureOr<std::string> {
        auto source = loadElement(op, lanes);
        if (failed(source))
          return failure();
        return source->text;
      },
      op.getResult());
  if (held)
    closeGuard(guard);
  return done;
}

LogicalResult LeafBody::emitStore(StoreOp op) {
  if (PortArgument *port = model.argument(op); port && port->isWide())
    return emitWideStore(op, *port);
  Expression guard = op.getGuard() ? condition(*op.getGuard()) : Expression{"true"};
  if (guard.text == "false")
    return success();
  bool guarded = guard.text != "true";
  if (guarded)
    openGuard(guard);
  LogicalResult done = statement(
      laneShape(op.getValue().getType()),
      [&](Lanes lanes) -> FailureOr<std::string> {
        auto value = expression(op.getValue(), lanes);
        if (failed(value))
          return failure();
        return element(op, lanes) + " = " + value->text;
      },
      {}, MemoryUse{op.getMemory(), op.getMap(), true});
  if (guarded)
    closeGuard(guard);
  return done;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool runsOn(Operation *op, StringRef name) {
  StringAttr on = getTiming(op) ? getTiming(op).getOn() : StringAttr();
  return on && on.getValue() == name;
}

bool target::isPairedProduct(Operation *op) {
  return runsOn(op, pairedProduct) && findSharedOperand(op);
}

bool target::isCrossedProduct(Operation *op) {
  return runsOn(op, crossedProduct) && findCrossedOperands(op);
}

/// Products of which a statement, for the lanes of `shape`, makes several.
LogicalResult LeafBody::emitTogether(arith::MulIOp product, ArrayRef<int64_t> shape,
                                     Printer print) {
  std::vector<std::string> declaration = nameVariable(product, wish(product));
  if (failed(statement(shape, print)))
    return failure();
  llvm::append_range(nest->declarations, declaration);
  nest->defined.push_back(product);
  return success();
}

/// Products of neighbours that share an operand, two in a statement: synthesis would not find by
/// itself that they fit one DSP.
LogicalResult LeafBody::emitPairs(arith::MulIOp product) {
  SharedOperand shared = *findSharedOperand(product);
  Value common = product->getOperand(shared.number), own = product->getOperand(1 - shared.number);
  std::string function =
      llvm::formatv("st::multiply_pair<{0}, {1}, {2}>", getSignificantBits(own),
                    getSignificantBits(common), getTiming(product).getLatency() - pairedSumCycles);
  SmallVector<int64_t> shape(laneShape(product.getType()));
  shape[shared.dim] /= 2;
  return emitTogether(product, shape, [&](Lanes lanes) -> FailureOr<std::string> {
    SmallVector<AffineExpr> low(lanes), high(lanes);
    low[shared.dim] = lanes[shared.dim] * 2;
    high[shared.dim] = lanes[shared.dim] * 2 + 1;
    FailureOr<Expression> lower = expression(own, low), upper = expression(own, high),
                          factor = expression(common, low);
    if (failed(lower) || failed(upper) || failed(factor))
      return failure();
    return llvm::formatv("{0}({1}, {2}, {3}, {4}, {5})", function, lower->text, upper->text,
                         factor->text, variable(product, low).text, variable(product, high).text)
        .str();
  });
}

/// Products of two neighbours by two others, four in a statement.
LogicalResult LeafBody::emitCrosses(arith::MulIOp product) {
  CrossedOperands crossed = *findCrossedOperands(product);
  Value wide = product->getOperand(crossed.wide), narrow = product->getOperand(1 - crossed.wide);
  // Neighbours of one operand lie along the dimension in which the other repeats.
  unsigned ofWide = crossed.dims[1 - crossed.wide], ofNarrow = crossed.dims[crossed.wide];
  std::string function =
      llvm::formatv("st::multiply_cross<{0}, {1}, {2}>", getSignificantBits(wide),
                    getSignificantBits(narrow), getTiming(product).getLatency() - crossedSumCycles);
  SmallVector<int64_t> shape(laneShape(product.getType()));
  shape[ofWide] /= 2;
  shape[ofNarrow] /= 2;
  return emitTogether(product, shape, [&](Lanes lanes) -> FailureOr<std::string> {
    auto place = [&](int64_t wideLane, int64_t narrowLane) {
      SmallVector<AffineExpr> all(lanes);
      all[ofWide] = lanes[ofWide] * 2 + wideLane;
      all[ofNarrow] = lanes[ofNarrow] * 2 + narrowLane;
      return all;
    };
    FailureOr<Expression> low = expression(wide, place(0, 0)), high = expression(wide, place(1, 0)),
                          first = expression(narrow, place(0, 0)),
                          second = expression(narrow, place(0, 1));
    if (failed(low) || failed(high) || failed(first) || failed(second))
      return failure();
    std::string results;
    for (int64_t narrowLane : {0, 1})
      for (int64_t wideLane : {0, 1})
        results += ", " + variable(product, place(wideLane, narrowLane)).text;
    return llvm::formatv("{0}({1}, {2}, {3}, {4}{5})", function, low->text, high->text, first->text,
                         second->text, results)
        .str();
  });
}

LogicalResult LeafBody::emitNamed(Operation *op) {
  if (isPairedProduct(op))
    return emitPairs(cast<arith::MulIOp>(op));
  if (isCrossedProduct(op))
    return emitCrosses(cast<arith::MulIOp>(op));
  Value result = op->getResult(0);
  if (isa<VectorType>(result.getType()))
    return statement(
        laneShape(result.getType()),
        [&](Lanes lanes) -> FailureOr<std::string> {
          auto value = definition(op, lanes);
          if (failed(value))
            return failure();
          return value->text;
        },
        result);
  currentShape.clear();
  auto value = noteAccesses([&] { return definition(op, {}); });
  if (failed(value))
    return failure();
  bool needsNest = nest && llvm::any_of(accesses.values, [&](auto use) {
                     return llvm::is_contained(nest->defined, use.first);
                   });
  needsNest |=
      nest && llvm::any_of(accesses.loads, [&](const MemoryUse &load) {
        return llvm::any_of(nest->stores, [&](auto &s) { return s.memory == load.memory; });
      });
  if (needsNest)
    flush();
  bool isPinned = !pins.empty() && getTiming(op).getCore();
  printPins();
  if (isPinned) { // the variable that the pragma names
    variables[result] = {value->text, true};
    return success();
  }
  std::string name = names.unique(wish(op));
  variables[result] = {name, true};
  out->line("const " + cppScalarType(result.getType()) + " " + name + " = " + value->text + ";");
  return success();
}

/// The destination, then the slice over it.
LogicalResult LeafBody::emitInsert(vector::InsertStridedSliceOp op) {
  auto copy = statement(
      laneShape(op.getType()),
      [&](Lanes lanes) -> FailureOr<std::string> {
        auto value = expression(op.getDest(), lanes);
        if (failed(value))
          return failure();
        return value->text;
      },
      op.getResult());
  if (failed(copy))
    return failure();
  flush();
  ArrayRef<int64_t> sliceShape = laneShape(op.getSourceVectorType());
  size_t outer = op.getDestVectorType().getRank() - sliceShape.size();
  LogicalResult written = statement(sliceShape, [&](Lanes lanes) -> FailureOr<std::string> {
    auto value = expression(op.getValueToStore(), lanes);
    if (failed(value))
      return failure();
    SmallVector<AffineExpr> target;
    for (auto [dim, offset] : llvm::enumerate(op.getOffsets().getAsRange<IntegerAttr>())) {
      AffineExpr base = getAffineConstantExpr(offset.getInt(), context);
      target.push_back(dim < outer ? base : base + lanes[dim - outer]);
    }
    return variable(op.getResult(), target).text + " = " + value->text;
  });
  flush();
  return written;
}

LogicalResult LeafBody::emitFromElements(vector::FromElementsOp op) {
  flush();
  nest.emplace();
  declare(op.getResult(), "elements", /*held=*/false);
  flush();
  ArrayRef<int64_t> shape = laneShape(op.getType());
  currentShape.clear();
  for (auto [position, value] : llvm::enumerate(op.getElements())) {
    auto source = expression(value, {});
    if (failed(source))
      return failure();
    printPins();
    SmallVector<AffineExpr> target(shape.size());
    int64_t rest = position;
    for (int64_t dim = shape.size() - 1; dim >= 0; rest /= shape[dim], --dim)
      target[dim] = getAffineConstantExpr(rest % shape[dim], context);
    out->line(variable(op.getResult(), target).text + " = " + source->text + ";");
  }
  return success();
}
