//===- RunTimeCounts.cpp - Trip counts from declared extents --------------===//
//
//   func.func @main(%x: tensor<64xf32> {streamtensor.extents = ["context"]}) {
//     … dataflow.launch @d(%x) …
//   dataflow.design @d { … dataflow.leaf "load" load [4, 16] { … }
//
// becomes
//
//   func.func @main(%x: …, %context: index {streamtensor.name = "context"}) {
//     … dataflow.launch @d(%x) scalars(%context) …
//   dataflow.design @d { %context = dataflow.scalar "context" from 1 to 64 …
//     dataflow.leaf "load" load [4, 16] counts affine_map<()[s0] -> (s0 ceildiv 16, 16)> (%context)
//
// Assumes that the program masks what lies at or behind the scalar: where it combines elements
// along the extent, those count as neutral. All loops of a class end at the same element, the end
// of a granule, so that both ends of each FIFO and buffer move equally much.
//
//===----------------------------------------------------------------------===//

#include "CountClass.h"
#include "LaunchScalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"

namespace streamtensor {
#define GEN_PASS_DEF_RUNTIMECOUNTS
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor::dataflow;

namespace {

/// Gives the loops of `classes` counts; all of them in one rewriting, since a leaf names all its
/// scalars.
class Rewriter {
public:
  Rewriter(DesignOp design, MutableArrayRef<CountClass> classes)
      : design(design), classes(classes), context(design.getContext()) {}

  LogicalResult run();
  std::string reason;

private:
  LogicalResult rewrite(LeafOp leaf);
  LogicalResult rewriteGuard(AccessOpInterface access);
  LogicalResult rewriteTest(TestOp test);
  void maskBanks(const BankLoad &bank, const CountClass &of, TypedAttr neutral);
  const CountClass *find(NestOpInterface nest, unsigned number) const;
  AffineExpr getCount(const CountClass &of, int64_t trips) const;
  AffineExpr getCount(NestOpInterface nest, unsigned number) const;
  AffineMap getCounts(NestOpInterface nest, unsigned begin, unsigned end) const;
  LogicalResult fail(const Twine &why) {
    reason = why.str();
    return failure();
  }

  DesignOp design;
  MutableArrayRef<CountClass> classes;
  MLIRContext *context;
  SmallVector<Value> scalars; ///< Of each class.
  SmallVector<const CountClass *>
      own; ///< Classes of the leaf at hand, in the order of its symbols.
};

} // namespace

const CountClass *Rewriter::find(NestOpInterface nest, unsigned number) const {
  for (const CountClass &each : classes)
    if (each.contains(nest, number))
      return &each;
  return nullptr;
}

/// How many of `trips` happen, or how many of as many places are reached.
AffineExpr Rewriter::getCount(const CountClass &of, int64_t trips) const {
  unsigned symbol = llvm::find(own, &of) - own.begin();
  int64_t granule = of.getGranule();
  AffineExpr granules = getAffineSymbolExpr(symbol, context);
  if (int64_t step = of.extent / trips; step > granule)
    return granules.ceilDiv(step); // A loop that goes on behind the end.
  if (granule > 1)
    granules = granules.ceilDiv(granule);
  return granules * (trips * granule / of.extent);
}

AffineExpr Rewriter::getCount(NestOpInterface nest, unsigned number) const {
  int64_t trips = nest.getLoopTrips()[number];
  const CountClass *of = find(nest, number);
  return of ? getCount(*of, trips) : getAffineConstantExpr(trips, context);
}

AffineMap Rewriter::getCounts(NestOpInterface nest, unsigned begin, unsigned end) const {
  SmallVector<AffineExpr> counts;
  for (unsigned number = begin; number < end; ++number)
    counts.push_back(getCount(nest, number));
  return AffineMap::get(0, own.size(), counts, context);
}

/// A constraint on one loop: `sign` x index + constant, equal to or at least 0.
static std::optional<std::tuple<unsigned, int64_t, int64_t>> readConstraint(AffineExpr constraint,
                                                                            unsigned numLoops) {
  LinearForm form = LinearForm::of(constraint, numLoops);
  std::optional<unsigned> loop;
  for (auto [number, factor] : llvm::enumerate(form.factors)) {
    if (factor == 0)
      continue;
    if (loop || form.isNested[number] || (factor != 1 && factor != -1))
      return std::nullopt;
    loop = number;
  }
  if (!loop)
    return std::nullopt;
  SmallVector<AffineExpr> zeros(numLoops, getAffineConstantExpr(0, constraint.getContext()));
  auto constant = dyn_cast<AffineConstantExpr>(constraint.replaceDims(zeros));
  if (!constant)
    return std::nullopt;
  return std::tuple(*loop, form.factors[*loop], constant.getValue());
}

/// Does a store in a later trip of the loop, `period` trips on, replace what this one stores?
static bool isOverwritten(AccessOpInterface access, unsigned loop, int64_t period) {
  auto store = dyn_cast<StoreOp>(*access);
  if (!store || !access.isOnChip())
    return false;
  AffineExpr index = getAffineDimExpr(loop, access->getContext());
  return llvm::all_of(store.getMap().getResults(), [&](AffineExpr place) {
    return !place.isFunctionOfDim(loop) || place == index % period;
  });
}

LogicalResult Rewriter::rewriteGuard(AccessOpInterface access) {
  IntegerSet guard = access.getGuardSet();
  if (!guard)
    return success();
  NestOpInterface nest = getNest(access);
  SmallVector<int64_t> trips = nest.getLoopTrips();
  SmallVector<AffineExpr> kept;
  SmallVector<bool> equalities;
  for (auto [constraint, isEquality] : llvm::zip(guard.getConstraints(), guard.getEqFlags())) {
    auto read = readConstraint(constraint, trips.size());
    AffineExpr changed = constraint;
    if (read && find(nest, std::get<0>(*read))) {
      auto [loop, sign, constant] = *read;
      int64_t bound = -sign * constant, last = trips[loop] - 1;
      AffineExpr index = getAffineDimExpr(loop, context);
      bool isFirst = bound == 0 && (isEquality || sign < 0);
      bool isWhole = !isEquality && (sign > 0 ? bound <= 0 : bound >= last);
      if (isWhole)
        continue;
      if (!isEquality && sign > 0 && isOverwritten(access, loop, trips[loop] - bound))
        continue; // The last trips would do: what the others store is replaced.
      if (isEquality && bound == last)
        changed = index - getCount(nest, loop) + 1;
      else if (!isFirst)
        return fail("leaf '" + nest.getLeaf().getName() +
                    "' has a guard that names trips between the first and the last");
    }
    kept.push_back(changed);
    equalities.push_back(isEquality);
  }
  access.setGuardSet(kept.empty() ? IntegerSet()
                                  : IntegerSet::get(trips.size(), own.size(), kept, equalities));
  return success();
}

/// A test of the first trips stays; one of the last follows the count.
LogicalResult Rewriter::rewriteTest(TestOp test) {
  NestOpInterface nest = getNest(test);
  SmallVector<int64_t> trips = nest.getLoopTrips();
  IntegerSet set = test.getSet();
  SmallVector<AffineExpr> kept;
  for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
    auto read = readConstraint(constraint, trips.size());
    bool isOwn = false;
    for (unsigned loop = 0; loop < trips.size(); ++loop)
      isOwn |= constraint.isFunctionOfDim(loop) && find(nest, loop);
    if (!isOwn) {
      kept.push_back(constraint);
      continue;
    }
    auto [loop, sign, constant] = read.value_or(std::tuple(0u, int64_t(0), int64_t(0)));
    int64_t bound = -sign * constant;
    bool isFirst = read && (bound == 0 ? isEquality || sign < 0 : !isEquality && sign < 0);
    bool isLater = read && !isEquality && sign > 0 && bound == 1;
    if (read && isEquality && bound > 0 && bound == trips[loop] - 1)
      kept.push_back(getAffineDimExpr(loop, context) - getCount(nest, loop) + 1);
    else if (isFirst || isLater)
      kept.push_back(constraint);
    else
      return fail("leaf '" + nest.getLeaf().getName() +
                  "' tests for trips between the first and the last");
  }
  test.setSetAttr(
      IntegerSetAttr::get(IntegerSet::get(trips.size(), own.size(), kept, set.getEqFlags())));
  return success();
}

/// Banks that no trip has written read as what changes nothing.
void Rewriter::maskBanks(const BankLoad &bank, const CountClass &of, TypedAttr neutral) {
  LoadOp load = bank.load;
  OpBuilder builder(load->getContext());
  builder.setInsertionPointAfter(load);
  Location loc = load.getLoc();
  auto type = cast<VectorType>(load.getType());
  unsigned numLoops = getNest(load).getNumNestLoops();
  SmallVector<Value> isWritten;
  for (int64_t number = 0; number < type.getShape()[bank.dim]; ++number) {
    AffineExpr more = getCount(of, bank.places) - 1 - number;
    IntegerSet set = IntegerSet::get(numLoops, own.size(), {more}, {false});
    isWritten.push_back(TestOp::create(builder, loc, builder.getI1Type(), set));
  }
  SmallVector<int64_t> shape(type.getRank(), 1);
  shape[bank.dim] = isWritten.size();
  Type bit = builder.getI1Type();
  Value mask = vector::FromElementsOp::create(
      builder, loc, VectorType::get({int64_t(isWritten.size())}, bit), isWritten);
  if (type.getRank() > 1)
    mask = vector::ShapeCastOp::create(builder, loc, VectorType::get(shape, bit), mask);
  if (ArrayRef<int64_t>(shape) != type.getShape())
    mask = vector::BroadcastOp::create(builder, loc, type.clone(bit), mask);
  Value zero = arith::ConstantOp::create(builder, loc, type,
                                         DenseElementsAttr::get(type, Attribute(neutral)));
  auto select = arith::SelectOp::create(builder, loc, mask, load.getResult(), zero);
  load.getResult().replaceAllUsesExcept(select, select);
}

LogicalResult Rewriter::rewrite(LeafOp leaf) {
  own.clear();
  SmallVector<Value> symbols;
  for (auto [number, each] : llvm::enumerate(classes)) {
    bool isUsed = llvm::any_of(each.loops, [&](auto &loop) {
      Operation *op = loop.first.first;
      return op == leaf || op->getParentOp() == leaf;
    });
    isUsed |= llvm::any_of(each.bankLoads,
                           [&](const BankLoad &bank) { return getLeaf(bank.load) == leaf; });
    if (!isUsed)
      continue;
    own.push_back(&each);
    symbols.push_back(scalars[number]);
  }
  if (own.empty())
    return success();
  for (NestOpInterface nest : leaf.getNests()) {
    for (AccessOpInterface access : getAccesses(nest))
      if (failed(rewriteGuard(access)))
        return failure();
    for (TestOp test : nest.getOperations().getOps<TestOp>())
      if (failed(rewriteTest(test)))
        return failure();
  }
  // Behind the first mask of a load its combiner is out of sight.
  DenseMap<Operation *, TypedAttr> neutral;
  for (const CountClass *each : own)
    for (const BankLoad &bank : each->bankLoads)
      if (getLeaf(bank.load) == leaf)
        neutral.try_emplace(bank.load, getNeutralOfBanks(bank.load));
  for (const CountClass *each : own)
    for (const BankLoad &bank : each->bankLoads)
      if (getLeaf(bank.load) == leaf)
        maskBanks(bank, *each, neutral.lookup(bank.load));
  unsigned shared = leaf.getNumLoops();
  NestOpInterface first = leaf.getNests().front();
  leaf.getScalarsMutable().assign(symbols);
  leaf.setCountsAttr(AffineMapAttr::get(getCounts(first, 0, shared)));
  if (!leaf.hasNests())
    return success();
  for (NestOpInterface nest : leaf.getNests()) {
    auto op = cast<NestOp>(*nest);
    AffineMap counts = getCounts(nest, shared, nest.getNumNestLoops());
    if (llvm::any_of(counts.getResults(),
                     [](AffineExpr count) { return !isa<AffineConstantExpr>(count); }))
      op.setCountsAttr(AffineMapAttr::get(counts));
  }
  return success();
}

/// Nests with lag share loops of constant counts and have few choices of their own: others run one
/// after the other.
static void separateNests(LeafOp leaf) {
  auto isConstant = [](std::optional<AffineMap> counts) {
    return !counts || llvm::all_of(counts->getResults(), llvm::IsaPred<AffineConstantExpr>);
  };
  if (!leaf.getTogether() || (isConstant(leaf.getCounts()) && getCountChoices(leaf)))
    return;
  leaf.setTogether(false);
  for (NestOp nest : leaf.getBlock().getOps<NestOp>())
    nest.setLag(0);
}

LogicalResult Rewriter::run() {
  for (const CountClass &each : classes)
    scalars.push_back(addScalar(design, each.name, 1, each.extent));
  for (LeafOp leaf : llvm::to_vector(design.getBody().getOps<LeafOp>())) {
    if (failed(rewrite(leaf)))
      return failure();
    separateNests(leaf);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The classes of `design` that `names` admits, closed; those that cannot be are told.
static FailureOr<std::vector<CountClass>> getClasses(ModuleOp module, DesignOp design,
                                                     const llvm::StringSet<> &excluded) {
  FailureOr<std::vector<CountClass>> found = findDeclaredExtents(module, design);
  if (failed(found))
    return failure();
  llvm::erase_if(*found, [&](CountClass &each) { return excluded.contains(each.name); });
  return found;
}

/// A launch that does not write all of a result may not hand it to another one, which would take
/// zeros for what the program masks.
static LogicalResult checkResults(ModuleOp module, DesignOp design, CountClass &each) {
  SmallVector<PortOp> given;
  for (auto port : design.getBody().getOps<PortOp>())
    if (port.getDirection() != Direction::In)
      given.push_back(port);
  std::function<bool(Value)> isOnlyReturned = [&](Value value) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      if (isa<LaunchOp>(user))
        return false;
      return llvm::all_of(user->getResults(), isOnlyReturned);
    });
  };
  WalkResult walk = module.walk([&](LaunchOp launch) {
    if (launch.getDesign() != design.getSymName())
      return WalkResult::advance();
    for (auto [port, result] : llvm::zip_equal(given, launch.getResults()))
      if (each.written.contains(port.getResult()) && !isOnlyReturned(result)) {
        each.reason = ("another launch reads '" + port.getName() + "', which it cuts").str();
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct RunTimeCountsPass : streamtensor::impl::RunTimeCountsBase<RunTimeCountsPass> {
  void runOnOperation() override {
    for (DesignOp design : llvm::to_vector(getOperation().getOps<DesignOp>()))
      if (failed(visit(design)))
        return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      addScalarArguments(function);
  }

  LogicalResult visit(DesignOp design);
  void fallBack(DesignOp design, StringRef name, StringRef reason);

  llvm::StringSet<> excluded;
};
} // namespace

/// Says that a design is made for the largest extent only.
void RunTimeCountsPass::fallBack(DesignOp design, StringRef name, StringRef reason) {
  emitWarning(getOperation().getLoc())
      << "[counts.fallback] each launch of '" << design.getSymName() << "' takes as long as for "
      << "the largest '" << name << "': " << reason;
  excluded.insert(name);
}

/// Rewrites and verifies; `reason` says why that failed.
static LogicalResult tryRewriting(DesignOp design, MutableArrayRef<CountClass> classes,
                                  std::string &reason) {
  ScopedDiagnosticHandler collect(design.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && reason.empty())
      reason = diagnostic.str();
    return success();
  });
  Rewriter rewriter(design, classes);
  if (succeeded(rewriter.run()))
    return mlir::verify(design);
  reason = rewriter.reason;
  return failure();
}

/// Extents one by one: one that cannot be a count leaves the others.
LogicalResult RunTimeCountsPass::visit(DesignOp design) {
  excluded.clear();
  while (true) {
    FailureOr<std::vector<CountClass>> classes = getClasses(getOperation(), design, excluded);
    if (failed(classes))
      return failure();
    for (CountClass &each : *classes)
      if (!each.reason.empty() || failed(each.close()) ||
          failed(checkResults(getOperation(), design, each)))
        fallBack(design, each.name, each.reason);
    llvm::erase_if(*classes, [&](CountClass &each) { return excluded.contains(each.name); });
    if (classes->empty())
      return success();
    // The analysis is of the clone: what it names is rewritten.
    OpBuilder builder(design);
    auto original = cast<DesignOp>(builder.clone(*design));
    std::string reason;
    if (succeeded(tryRewriting(design, *classes, reason))) {
      original.erase();
      return success();
    }
    std::string name = classes->back().name;
    design.erase();
    design = original;
    fallBack(design, name, reason);
  }
}
