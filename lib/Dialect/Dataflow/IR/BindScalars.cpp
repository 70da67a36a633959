//===- BindScalars.cpp - Designs with the values of a launch put in -------===//

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"

#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"
#include "streamtensor/Dialect/Dataflow/IR/ReuseDistance.h"
#include "streamtensor/Dialect/Program/IR/Program.h"
#include "streamtensor/Support/Naming.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

#include <numeric>
#include <set>

using namespace mlir;

namespace streamtensor::dataflow {

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

namespace {
/// One leaf, whose symbols become `values`.
class LeafBinder {
public:
  LeafBinder(LeafOp leaf, const DenseMap<Value, int64_t> &scalars) : leaf(leaf) {
    for (Value scalar : leaf.getScalars())
      values.push_back(getAffineConstantExpr(scalars.lookup(scalar), leaf.getContext()));
  }

  void run() {
    if (values.empty())
      return;
    for (NestOpInterface nest : leaf.getNests()) {
      for (Operation &op : nest.getOperations())
        rewriteSpace(
            &op, [&](IntegerSet set) { return bind(set); },
            [&](AffineMap map) { return bind(map); });
      bindValues(nest);
      if (auto own = dyn_cast<NestOp>(*nest))
        bindCounts(own);
    }
    bindCounts(leaf);
    leaf.getScalarsMutable().clear();
    if (leaf.isScheduled())
      for (Pipeline &pipeline : leaf.getPipelines())
        for (LoadOp load : pipeline.getOps<LoadOp>())
          setDistance(load);
  }

private:
  AffineExpr bind(AffineExpr expr, unsigned dims) const {
    return simplifyAffineExpr(expr.replaceSymbols(values), dims, 0);
  }
  AffineMap bind(AffineMap map) const {
    return map.replaceDimsAndSymbols({}, values, map.getNumDims(), 0);
  }
  IntegerSet bind(IntegerSet set) const {
    SmallVector<AffineExpr> constraints;
    for (AffineExpr constraint : set.getConstraints())
      constraints.push_back(bind(constraint, set.getNumDims()));
    return IntegerSet::get(set.getNumDims(), 0, constraints, set.getEqFlags());
  }

  template <typename Nest> void bindCounts(Nest op) const {
    if (!op.getCounts())
      return;
    SmallVector<int64_t> trips;
    for (AffineExpr count : op.getCounts()->getResults())
      trips.push_back(cast<AffineConstantExpr>(bind(count, 0)).getValue());
    op.setTrips(trips);
    op.removeCountsAttr();
  }

  /// Scalars that the body computes with become constants in it.
  void bindValues(NestOpInterface nest) {
    OpBuilder builder = OpBuilder::atBlockBegin(&nest.getOperations());
    for (auto [scalar, value] : llvm::zip_equal(leaf.getScalars(), values)) {
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : scalar.getUses())
        if (use.getOwner()->getBlock() == &nest.getOperations())
          uses.push_back(&use);
      if (uses.empty())
        continue;
      auto constant = arith::ConstantIndexOp::create(builder, leaf.getLoc(),
                                                     cast<AffineConstantExpr>(value).getValue());
      if (leaf.isScheduled())
        setTiming(constant,
                  TimingAttr::get(leaf.getContext(), 0, 0, builder.getStringAttr("wire"), {}));
      for (OpOperand *use : uses)
        use->set(constant);
    }
  }

  /// With these counts an element may be met again later than with any.
  void setDistance(LoadOp load) {
    if (std::optional<int64_t> distance = getReuseDistance(load))
      load.setDistance(*distance);
    else
      load.removeDistanceAttr();
  }

  LeafOp leaf;
  SmallVector<AffineExpr> values;
};
} // namespace

static SmallVector<ScalarOp> getScalarOps(DesignOp design) {
  return SmallVector<ScalarOp>(design.getBody().getOps<ScalarOp>());
}

void bindScalars(DesignOp design, ArrayRef<int64_t> values) {
  DenseMap<Value, int64_t> scalars;
  SmallVector<ScalarOp> ops = getScalarOps(design);
  for (auto [scalar, value] : llvm::zip_equal(ops, values))
    scalars[scalar.getResult()] = value;
  for (auto leaf : design.getBody().getOps<LeafOp>())
    LeafBinder(leaf, scalars).run();
  for (ScalarOp scalar : ops)
    scalar.erase();
}

LogicalResult checkScalars(DesignOp design, ArrayRef<int64_t> values, Operation *op) {
  SmallVector<ScalarOp> scalars = getScalarOps(design);
  if (scalars.size() != values.size())
    return op->emitError() << "[launch.scalars] design '" << design.getSymName() << "' has "
                           << scalars.size() << " scalars, " << values.size()
                           << " values are given";
  for (auto [scalar, value] : llvm::zip_equal(scalars, values))
    if (value < static_cast<int64_t>(scalar.getLow()) ||
        value > static_cast<int64_t>(scalar.getHigh()))
      return op->emitError() << "[launch.scalars] scalar '" << scalar.getName() << "' of design '"
                             << design.getSymName() << "' is " << value << "; it must lie between "
                             << scalar.getLow() << " and " << scalar.getHigh();
  return success();
}

FailureOr<BoundDesign> BoundDesign::bind(DesignOp design, ArrayRef<int64_t> values, Operation *op) {
  if (failed(checkScalars(design, values, op)))
    return failure();
  if (values.empty())
    return BoundDesign(design, false);
  OpBuilder builder(design);
  builder.setInsertionPointAfter(design);
  auto clone = cast<DesignOp>(builder.clone(*design));
  bindScalars(clone, values);
  return BoundDesign(clone, true);
}

BoundDesign::~BoundDesign() {
  if (design && isClone)
    design.erase();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

SmallVector<int64_t> getLargestScalars(DesignOp design) { return getScalars(design, {}); }

/// The scalar that is the count of the outermost loop of `leaf`; null if it is none.
static Value getRoundScalar(LeafOp leaf) {
  std::optional<AffineMap> counts = leaf.getCounts();
  if (!counts || counts->getNumResults() == 0)
    return {};
  auto symbol = dyn_cast<AffineSymbolExpr>(counts->getResult(0));
  return symbol ? leaf.getScalars()[symbol.getPosition()] : Value();
}

DenseSet<Value> getRoundScalars(DesignOp design) {
  DenseSet<Value> rounds;
  for (auto stream : design.getOps<StreamOp>())
    if (stream.getBack())
      for (AccessOpInterface access : getAccesses(stream))
        if (Value scalar = getRoundScalar(getLeaf(access)))
          rounds.insert(scalar);
  return rounds;
}

SmallVector<int64_t> getLargestScalars(DesignOp design, int64_t rounds) {
  DenseSet<Value> rounding = getRoundScalars(design);
  return llvm::map_to_vector(getScalarOps(design), [&](ScalarOp scalar) {
    int64_t high = scalar.getHigh(), low = scalar.getLow();
    return rounding.contains(scalar.getResult()) ? std::clamp(rounds, low, high) : high;
  });
}

SmallVector<int64_t> getScalars(DesignOp design, const ScalarValues &given) {
  return llvm::map_to_vector(getScalarOps(design), [&](ScalarOp scalar) {
    auto it = given.find(scalar.getName());
    return it == given.end() ? static_cast<int64_t>(scalar.getHigh()) : it->second;
  });
}

llvm::Expected<ScalarValues> parseScalarValues(ArrayRef<std::string> settings) {
  ScalarValues values;
  for (StringRef setting : settings) {
    auto [name, number] = setting.split('=');
    int64_t value = 0;
    if (name.empty() || number.getAsInteger(10, value))
      return llvm::createStringError("'" + setting + "' is no value of a scalar: NAME=NUMBER");
    values[name] = value;
  }
  return values;
}

static DesignOp getDesign(LaunchOp launch) {
  return SymbolTable::lookupNearestSymbolFrom<DesignOp>(launch, launch.getDesignAttr());
}

/// The divisor of every `ceildiv` of the symbol in `expr`, as far as they have one in common with
/// `step`; 1 where it occurs otherwise.
static int64_t getStep(AffineExpr expr, unsigned symbol, int64_t step) {
  if (!expr.isFunctionOfSymbol(symbol))
    return step;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 1;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  bool isRounded = expr.getKind() == AffineExprKind::CeilDiv && divisor &&
                   isa<AffineSymbolExpr>(binary.getLHS());
  if (isRounded)
    return std::gcd(step, divisor.getValue());
  return getStep(binary.getLHS(), symbol, getStep(binary.getRHS(), symbol, step));
}

static int64_t getStep(ScalarOp scalar) {
  int64_t step = 0;
  for (Operation *user : scalar->getUsers()) {
    auto leaf = dyn_cast<LeafOp>(user);
    if (!leaf)
      continue;
    unsigned symbol = llvm::find(leaf.getScalars(), scalar.getResult()) - leaf.getScalars().begin();
    SmallVector<AffineMap> maps = {*leaf.getCounts()};
    for (NestOp nest : leaf.getBlock().getOps<NestOp>())
      if (nest.getCounts())
        maps.push_back(*nest.getCounts());
    for (AffineMap map : maps)
      for (AffineExpr count : map.getResults())
        step = getStep(count, symbol, step);
  }
  return std::max<int64_t>(step, 1);
}

/// A number of the program that is no sum.
static std::optional<ProgramNumber> getTerm(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return ProgramNumber{{}, {}, constant.getSExtValue()};
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return std::nullopt;
  Operation *owner = argument.getOwner()->getParentOp();
  if (isa<FunctionOpInterface>(owner))
    return ProgramNumber{argument, {}, 0};
  auto loop = dyn_cast<scf::ForOp>(owner);
  if (loop && loop.getInductionVar() == argument)
    return ProgramNumber{{}, argument, 0};
  return std::nullopt;
}

std::optional<ProgramNumber> getProgramNumber(Value value) {
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return getTerm(value);
  std::optional<ProgramNumber> first = getTerm(sum.getLhs()), second = getTerm(sum.getRhs());
  if (first && first->turn)
    std::swap(first, second);
  if (!first || !second || !first->argument || !second->turn)
    return std::nullopt;
  return ProgramNumber{first->argument, second->turn, 0};
}

std::optional<std::pair<int64_t, int64_t>> getTurns(scf::ForOp loop) {
  if (getConstantIntValue(loop.getLowerBound()) != 0 || getConstantIntValue(loop.getStep()) != 1)
    return std::nullopt;
  std::optional<ProgramNumber> count = getProgramNumber(loop.getUpperBound());
  if (!count || count->turn)
    return std::nullopt;
  if (!count->argument)
    return std::pair(count->value, count->value);
  auto entry = cast<FunctionOpInterface>(count->argument.getOwner()->getParentOp());
  auto range = entry.getArgAttrOfType<DenseI64ArrayAttr>(count->argument.getArgNumber(),
                                                         program::turnsAttrName);
  if (!range)
    return std::nullopt;
  return std::pair(range[0], range[1]);
}

static scf::ForOp getLoop(BlockArgument turn) {
  return cast<scf::ForOp>(turn.getOwner()->getParentOp());
}

/// The least and the largest value that a number without an argument has.
static std::optional<std::pair<int64_t, int64_t>> getRange(const ProgramNumber &number) {
  if (!number.turn)
    return std::pair(number.value, number.value);
  std::optional<std::pair<int64_t, int64_t>> turns = getTurns(getLoop(number.turn));
  return turns ? std::optional(std::pair<int64_t, int64_t>(0, turns->second - 1)) : std::nullopt;
}

LogicalResult checkScalars(LaunchOp launch) {
  DesignOp design = getDesign(launch);
  for (auto [scalar, value] : llvm::zip_equal(getScalarOps(design), launch.getScalars())) {
    std::optional<ProgramNumber> number = getProgramNumber(value);
    if (!number)
      return launch.emitOpError("[launch.scalars] scalar '")
             << scalar.getName() << "' of design '" << design.getSymName()
             << "' is another number than a constant, an argument of the program, the turn of a "
                "loop, or an argument plus a turn, so its value is not known before it runs; give "
                "the program an argument for it";
    if (number->argument)
      continue; // its range is that of each use: `getScalarArguments`
    auto range = getRange(*number);
    if (!range)
      return emitTurns(getLoop(number->turn));
    auto [least, most] = *range;
    if (least > most) // a loop that never turns
      continue;
    if (least < int64_t(scalar.getLow()) || most > int64_t(scalar.getHigh()))
      return launch.emitOpError("[launch.scalars] scalar '")
             << scalar.getName() << "' of design '" << design.getSymName() << "' is "
             << (number->turn ? "a turn from 0 to " : "") << most << "; it must lie between "
             << scalar.getLow() << " and " << scalar.getHigh();
  }
  return success();
}

namespace {
/// Gathers what is known of a number of the program from each of its uses.
class ScalarUses {
public:
  explicit ScalarUses(BlockArgument argument) : argument(argument.getArgNumber()) {
    for (OpOperand &use : argument.getUses())
      visit(use);
  }
  std::optional<ScalarArgument> found;

private:
  void visit(OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto launch = dyn_cast<LaunchOp>(user))
      return addLaunch(launch, use.getOperandNumber(), 0);
    if (auto loop = dyn_cast<scf::ForOp>(user)) {
      if (auto turns = getTurns(loop); turns && use.get() == loop.getUpperBound())
        add("", turns->first, turns->second, 1);
      return;
    }
    if (!isa<arith::AddIOp>(user))
      return;
    std::optional<ProgramNumber> sum = getProgramNumber(user->getResult(0));
    if (!sum)
      return;
    // The last turn has a value of the range, too.
    auto turns = getTurns(getLoop(sum->turn));
    for (OpOperand &inner : user->getUses())
      if (auto launch = dyn_cast<LaunchOp>(inner.getOwner()))
        addLaunch(launch, inner.getOperandNumber(), turns ? turns->second - 1 : 0);
  }

  void addLaunch(LaunchOp launch, unsigned operand, int64_t added) {
    ScalarOp scalar = getScalarOps(getDesign(launch))[operand - launch.getInputs().size()];
    add(scalar.getName(), scalar.getLow(), int64_t(scalar.getHigh()) - std::max<int64_t>(added, 0),
        getStep(scalar));
  }

  void add(StringRef name, int64_t low, int64_t high, int64_t step) {
    if (!found) {
      found = {argument, name.str(), low, high, step};
      return;
    }
    if (found->name.empty())
      found->name = name.str();
    found->low = std::max(found->low, low);
    found->high = std::min(found->high, high);
    found->step = std::gcd(found->step, step);
  }

  unsigned argument;
};
} // namespace

SmallVector<ScalarArgument> getScalarArguments(FunctionOpInterface entry) {
  SmallVector<ScalarArgument> arguments;
  for (BlockArgument argument : entry.getArguments())
    if (argument.getType().isIndex())
      if (ScalarUses uses(argument); uses.found)
        arguments.push_back(std::move(*uses.found));
  auto getOwnName = [&](const ScalarArgument &scalar) {
    return entry.getArgAttrOfType<StringAttr>(scalar.argument, program::nameAttrName);
  };
  UniqueNames names;
  for (ScalarArgument &scalar : arguments)
    if (StringAttr own = getOwnName(scalar))
      names.get(scalar.name = own.str());
  for (ScalarArgument &scalar : arguments)
    if (!getOwnName(scalar))
      scalar.name = names.get(scalar.name.empty() ? "turns" : scalar.name);
  return arguments;
}

LogicalResult checkScalarArguments(Operation *module) {
  WalkResult result = module->walk([](FunctionOpInterface entry) {
    std::set<std::string> names;
    for (const ScalarArgument &scalar : getScalarArguments(entry)) {
      if (scalar.low > scalar.high)
        return WalkResult(entry->emitError()
                          << "[launch.scalars] scalar '" << scalar.name
                          << "' of the program can have no value: its launches take it from "
                          << scalar.low << " to " << scalar.high
                          << ", when the turns of loops around them are taken off; widen the "
                             "scalars of their designs, or let '"
                          << program::turnsAttrName << "' end earlier");
      if (!names.insert(scalar.name).second)
        return WalkResult(entry->emitError()
                          << "[launch.scalars] two scalars of the program are called '"
                          << scalar.name << "'; give each its own '" << program::nameAttrName
                          << "'");
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

SmallVector<Update> getUpdates(FunctionOpInterface entry) {
  SmallVector<Update> updates;
  for (unsigned result = 0; result < entry.getNumResults(); ++result) {
    auto into = entry.getResultAttrOfType<StringAttr>(result, program::intoAttrName);
    auto at = entry.getResultAttrOfType<StringAttr>(result, program::atAttrName);
    auto dim = entry.getResultAttrOfType<IntegerAttr>(result, program::alongAttrName);
    if (!into || !at || !dim)
      continue;
    for (const ScalarArgument &scalar : getScalarArguments(entry))
      for (unsigned argument = 0; argument < entry.getNumArguments(); ++argument)
        if (scalar.name == at.getValue() &&
            entry.getArgAttr(argument, program::nameAttrName) == into) {
          auto type = cast<RankedTensorType>(entry.getArgumentTypes()[argument]);
          updates.push_back({result, argument, unsigned(dim.getInt()), scalar.name,
                             type.getDimSize(dim.getInt()) - scalar.high});
        }
  }
  return updates;
}

namespace {
/// Goes through a program as a host would.
class ProgramWalk {
public:
  explicit ProgramWalk(const ScalarValues &given) : given(given) {}

  LogicalResult run(Block &block) {
    for (Operation &op : block) {
      if (auto launch = dyn_cast<LaunchOp>(op)) {
        FailureOr<SmallVector<int64_t>> values = getScalars(launch);
        if (failed(values))
          return failure();
        runs.push_back({launch, std::move(*values)});
      } else if (auto loop = dyn_cast<scf::ForOp>(op); loop && failed(run(loop))) {
        return failure();
      }
    }
    return success();
  }

  FailureOr<SmallVector<int64_t>> getScalars(LaunchOp launch) {
    if (failed(checkScalars(launch)))
      return failure();
    return llvm::map_to_vector(launch.getScalars(), [&](Value scalar) {
      ProgramNumber number = *getProgramNumber(scalar);
      return getValue(number) + (number.turn ? turns.lookup(number.turn) : 0);
    });
  }

  SmallVector<ProgramRun> runs;

private:
  LogicalResult run(scf::ForOp loop) {
    if (!getTurns(loop))
      return emitTurns(loop);
    int64_t end = getValue(*getProgramNumber(loop.getUpperBound()));
    for (int64_t turn = 0; turn < end; ++turn) {
      turns[loop.getInductionVar()] = turn;
      if (failed(run(*loop.getBody())))
        return failure();
    }
    turns.erase(loop.getInductionVar());
    return success();
  }

  /// Without its turn. An argument has the value given, else the largest.
  int64_t getValue(const ProgramNumber &number) {
    if (!number.argument)
      return number.value;
    auto it = arguments.find(number.argument);
    if (it != arguments.end())
      return it->second;
    auto entry = cast<FunctionOpInterface>(number.argument.getOwner()->getParentOp());
    for (const ScalarArgument &known : getScalarArguments(entry)) {
      auto own = given.find(known.name);
      arguments[entry.getArgument(known.argument)] = own == given.end() ? known.high : own->second;
    }
    return arguments.at(number.argument);
  }

  const ScalarValues &given;
  DenseMap<Value, int64_t> arguments; // of the program
  DenseMap<Value, int64_t> turns;     // by the loops that are under way
};
} // namespace

LogicalResult emitTurns(scf::ForOp loop) {
  return loop.emitOpError("[launch.loop] a loop over launches goes from 0 in steps of 1 to a "
                          "constant or an argument of the program with '")
         << program::turnsAttrName << " = array<i64: LEAST, MOST>'";
}

FailureOr<SmallVector<int64_t>> getScalars(LaunchOp launch, const ScalarValues &given) {
  return ProgramWalk(given).getScalars(launch);
}

FailureOr<SmallVector<ProgramRun>> getRuns(Operation *module, const ScalarValues &given) {
  ProgramWalk walk(given);
  WalkResult result = module->walk([&](FunctionOpInterface entry) {
    for (Block &block : entry.getFunctionBody())
      if (failed(walk.run(block)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return std::move(walk.runs);
}

LogicalResult checkGivenScalars(Operation *module, const ScalarValues &given) {
  if (failed(checkScalarArguments(module)))
    return failure();
  std::set<std::string> names;
  module->walk([&](ScalarOp scalar) { names.insert(scalar.getName().str()); });
  WalkResult result = module->walk([&](FunctionOpInterface entry) {
    for (const ScalarArgument &argument : getScalarArguments(entry)) {
      names.insert(argument.name);
      auto it = given.find(argument.name);
      if (it != given.end() && (it->second < argument.low || it->second > argument.high))
        return WalkResult(entry->emitError()
                          << "[launch.scalars] scalar '" << argument.name << "' of the program is "
                          << it->second << "; it must lie between " << argument.low << " and "
                          << argument.high);
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (const auto &setting : given)
    if (!names.count(setting.getKey().str()))
      return module->emitError() << "[launch.scalars] no design has a scalar '" << setting.getKey()
                                 << "'; there are: "
                                 << (names.empty() ? "none" : llvm::join(names, ", "));
  return success();
}

} // namespace streamtensor::dataflow
