//===- BindScalars.cpp - Designs with the values of a launch put in -------===//

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"

#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"
#include "streamtensor/Dialect/Dataflow/IR/ReuseDistance.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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
        setTiming(constant, TimingAttr::get(leaf.getContext(), 0, 0, {}, {}));
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

SmallVector<ScalarArgument> getScalarArguments(FunctionOpInterface entry) {
  SmallVector<ScalarArgument> arguments;
  for (BlockArgument argument : entry.getArguments()) {
    std::optional<ScalarArgument> found;
    for (OpOperand &use : argument.getUses()) {
      auto launch = dyn_cast<LaunchOp>(use.getOwner());
      if (!launch || !argument.getType().isIndex())
        continue;
      unsigned position = use.getOperandNumber() - launch.getInputs().size();
      ScalarOp scalar = getScalarOps(getDesign(launch))[position];
      int64_t low = scalar.getLow(), high = scalar.getHigh();
      if (found) {
        found->low = std::max(found->low, low);
        found->high = std::min(found->high, high);
        found->step = std::gcd(found->step, getStep(scalar));
        continue;
      }
      auto own = entry.getArgAttrOfType<StringAttr>(argument.getArgNumber(), program::nameAttrName);
      found = {argument.getArgNumber(), own ? own.str() : scalar.getName().str(), low, high,
               getStep(scalar)};
    }
    if (found)
      arguments.push_back(std::move(*found));
  }
  return arguments;
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

FailureOr<SmallVector<int64_t>> getScalars(LaunchOp launch, const ScalarValues &given) {
  SmallVector<int64_t> values;
  auto entry = launch->getParentOfType<FunctionOpInterface>();
  for (Value scalar : launch.getScalars()) {
    APInt constant;
    if (matchPattern(scalar, m_ConstantInt(&constant))) {
      values.push_back(constant.getSExtValue());
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(scalar);
    if (!argument || argument.getOwner()->getParentOp() != entry)
      return launch.emitOpError("[launch.scalars] a scalar is a constant or an argument of the "
                                "program, else its value is not known before it runs");
    for (const ScalarArgument &known : getScalarArguments(entry))
      if (known.argument == argument.getArgNumber()) {
        auto it = given.find(known.name);
        values.push_back(it == given.end() ? known.high : it->second);
      }
  }
  return values;
}

LogicalResult checkScalarNames(Operation *module, const ScalarValues &given) {
  std::set<std::string> names;
  module->walk([&](ScalarOp scalar) { names.insert(scalar.getName().str()); });
  module->walk([&](FunctionOpInterface entry) {
    for (const ScalarArgument &argument : getScalarArguments(entry))
      names.insert(argument.name);
  });
  for (const auto &setting : given)
    if (!names.count(setting.getKey().str()))
      return module->emitError() << "[launch.scalars] no design has a scalar '" << setting.getKey()
                                 << "'; there are: "
                                 << (names.empty() ? "none" : llvm::join(names, ", "));
  return success();
}

} // namespace streamtensor::dataflow
