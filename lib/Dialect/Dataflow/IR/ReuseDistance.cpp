//===- ReuseDistance.cpp - Iterations between equal places ----------------===//
//
// The unknowns are the distance, the indices of the serial loops, those of the flat loops in both
// iterations, and the scalars; `mod` and `floordiv` add unknowns of their own. Constraints say that
// both iterations are in their domains, that the boxes overlap, and that the distance counts the
// iterations between. The least distance is the first unknown of the lexicographic minimum. A
// distance counts the trips of inner loops: where these depend on scalars, each choice of counts is
// a program of its own, in which the scalars are any that make these counts.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/ReuseDistance.h"

#include "KnownDistances.h"
#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "streamtensor/Support/Affine.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

#include <map>
#include <mutex>

using namespace mlir;
using namespace streamtensor::dataflow;
using llvm::DynamicAPInt;
using presburger::BoundType;
using presburger::IntegerPolyhedron;
using presburger::PresburgerSpace;

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

namespace {

/// `expression >= 0`, or `== 0`, over the loop indices.
struct Constraint {
  AffineExpr expression;
  bool isEquality;
};
using Conjunction = SmallVector<Constraint>;
/// Iterations in which one of several conjunctions holds; an empty conjunction holds always.
using Domain = SmallVector<Conjunction>;

} // namespace

static Domain getDomain(IntegerSet set) {
  Conjunction all;
  if (set)
    for (auto [index, constraint] : llvm::enumerate(set.getConstraints()))
      all.push_back({constraint, set.isEq(index)});
  return {all};
}

static Domain getComplement(IntegerSet set) {
  Domain outside;
  for (auto [index, constraint] : llvm::enumerate(set.getConstraints())) {
    outside.push_back({{-constraint - 1, false}});
    if (set.isEq(index))
      outside.push_back({{constraint - 1, false}});
  }
  return outside;
}

static Domain intersect(const Domain &lhs, const Domain &rhs) {
  Domain both;
  for (const Conjunction &left : lhs)
    for (const Conjunction &right : rhs) {
      both.push_back(left);
      llvm::append_range(both.back(), right);
    }
  return both;
}

static bool isEverywhere(const Domain &domain) {
  return llvm::any_of(domain, [](const Conjunction &all) { return all.empty(); });
}

/// Iterations in which the value of `op`'s result is used.
static Domain getUses(Operation *op, llvm::DenseMap<Operation *, Domain> &known) {
  if (auto it = known.find(op); it != known.end())
    return it->second;
  Domain uses;
  for (OpOperand &use : op->getUses()) {
    Operation *user = use.getOwner();
    if (auto access = dyn_cast<AccessOpInterface>(user); access && access.isWrite()) {
      llvm::append_range(uses, getDomain(access.getGuardSet()));
    } else if (user->getNumResults() == 0 || isa<LoadOp, ExternStepOp>(user)) {
      uses.push_back({});
    } else {
      Domain later = getUses(user, known);
      auto test = user->getOperand(0).getDefiningOp<TestOp>();
      if (isa<arith::SelectOp>(user) && test)
        later = intersect(later, use.getOperandNumber() == 1 ? getDomain(test.getSet())
                                                             : getComplement(test.getSet()));
      llvm::append_range(uses, later);
    }
    if (isEverywhere(uses)) {
      uses = {Conjunction()};
      break;
    }
  }
  return known[op] = uses;
}

/// Iterations in which the access matters. A guarded load holds its value, which may be used later.
static Domain getDomain(AccessOpInterface access) {
  if (access.isWrite() || access.getGuardSet())
    return getDomain(access.getGuardSet());
  llvm::DenseMap<Operation *, Domain> known;
  return getUses(access, known);
}

//===----------------------------------------------------------------------===//
// The integer program
//===----------------------------------------------------------------------===//

/// The least value from `least` to `limit` - 1 of the first unknown.
static std::optional<int64_t> findLeastSolution(const IntegerPolyhedron &program, int64_t least,
                                                int64_t limit) {
  if (program.isIntegerEmpty())
    return std::nullopt;
  // A lexicographic minimum cuts its way through loops of odd counts, which may take minutes;
  // whether a distance that is given has a solution is found at once.
  constexpr int64_t few = 8;
  if (limit - least <= few) {
    for (int64_t distance = least; distance < limit; ++distance) {
      IntegerPolyhedron given = program;
      given.addBound(BoundType::EQ, 0, distance);
      if (!given.isIntegerEmpty())
        return distance;
    }
    return std::nullopt;
  }
  auto minimum = program.findIntegerLexMin();
  if (!minimum.isBounded())
    return std::nullopt;
  return llvm::int64fromDynamicAPInt((*minimum)[0]);
}

namespace {

/// What programs gave. Verifiers ask again behind each pass, and few leaves have changed.
class KnownDistances : public DialectInterface::Base<KnownDistances> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KnownDistances)

  explicit KnownDistances(Dialect *dialect) : Base(dialect) {}

  static const KnownDistances &of(Operation *op) {
    return *op->getContext()
                ->getLoadedDialect<DataflowDialect>()
                ->getRegisteredInterface<KnownDistances>();
  }

  /// The least value from `least` to `limit` - 1 of the first unknown.
  std::optional<int64_t> find(const IntegerPolyhedron &program, int64_t least,
                              int64_t limit) const {
    std::vector<DynamicAPInt> key = {DynamicAPInt(least), DynamicAPInt(limit),
                                     DynamicAPInt(program.getNumVars()),
                                     DynamicAPInt(program.getNumEqualities())};
    for (unsigned row = 0; row < program.getNumEqualities(); ++row)
      llvm::append_range(key, program.getEquality(row));
    for (unsigned row = 0; row < program.getNumInequalities(); ++row)
      llvm::append_range(key, program.getInequality(row));
    {
      std::scoped_lock lock(mutex);
      if (auto it = distances.find(key); it != distances.end())
        return it->second;
    }
    std::optional<int64_t> distance = findLeastSolution(program, least, limit);
    std::scoped_lock lock(mutex);
    distances.emplace(std::move(key), distance);
    return distance;
  }

private:
  mutable std::mutex mutex; ///< Leaves are verified side by side.
  mutable std::map<std::vector<DynamicAPInt>, std::optional<int64_t>> distances;
};

/// What one program takes as given: the trips of the loops around both accesses, and the counts
/// that scalars decide and a distance depends on, those of loops from `begin` on. Nests that run
/// together also have values of the scalars, some that make these counts.
struct Numbers {
  SmallVector<int64_t> trips[2];
  unsigned begin;
  SmallVector<std::pair<AffineExpr, int64_t>> counts;
  SmallVector<int64_t> scalars;
};

/// Where the second of two accesses of nests with lag is: in the step of the first, or in a later
/// one; or their distance is that of their blocks. Accesses of a nest by itself know no steps.
enum class Steps { None, Same, Later, Blocks };

class Program {
public:
  /// For distances from `least` to `limit` - 1.
  Program(AccessOpInterface first, AccessOpInterface second, Steps steps, const Numbers &numbers,
          int64_t least, int64_t limit);

  void addAccess(unsigned iteration, const Conjunction &domain);
  void addOverlap(AccessOpInterface first, AccessOpInterface second);
  void addCounts();
  std::optional<int64_t> solve(const KnownDistances &known) const;

private:
  /// Coefficients of the unknowns, then the constant.
  using Row = SmallVector<int64_t>;

  unsigned getUnknown(unsigned iteration, unsigned loop) const {
    return 1 + loop + (iteration == 1 && loop >= serial ? numbers.trips[0].size() - serial : 0);
  }
  Row getConstant(int64_t value) const {
    Row row(polyhedron.getNumCols(), 0);
    row.back() = value;
    return row;
  }
  /// The row with places for the unknowns that were added since it was made.
  Row extend(Row row) const {
    row.insert(row.end() - 1, polyhedron.getNumCols() - row.size(), 0);
    return row;
  }
  Row combine(const Row &lhs, int64_t factor, const Row &rhs) const {
    Row sum = extend(lhs);
    for (auto [place, value] : llvm::enumerate(extend(rhs)))
      sum[place] += factor * value;
    return sum;
  }
  void addScalars(AccessOpInterface first, AccessOpInterface second);
  Row flatten(AffineExpr expr, unsigned iteration);
  Row floorDivide(const Row &row, int64_t divisor);
  Row countBetween(unsigned begin, ArrayRef<unsigned> ends) const;

  const Numbers &numbers;
  int64_t least, limit;
  unsigned serial, firstScalar;
  llvm::SmallDenseSet<unsigned> named; ///< Scalars that constraints name.
  IntegerPolyhedron polyhedron;
};

} // namespace

/// Loops that are unknowns of their own in each of the two iterations.
static unsigned countFlatLoops(AccessOpInterface access) {
  NestOpInterface nest = getNest(access);
  return nest.getNumNestLoops() - nest.getNumSerialLoops();
}

/// Iterations of the loops [begin, end) from the first access to the second; `ends` for each.
Program::Row Program::countBetween(unsigned begin, ArrayRef<unsigned> ends) const {
  Row between = getConstant(0);
  for (unsigned iteration : {0, 1}) {
    int64_t stride = iteration == 0 ? -1 : 1;
    for (unsigned loop = ends[iteration]; loop-- > begin; stride *= numbers.trips[iteration][loop])
      between[getUnknown(iteration, loop)] = stride;
  }
  return between;
}

Program::Program(AccessOpInterface first, AccessOpInterface second, Steps steps,
                 const Numbers &numbers, int64_t least, int64_t limit)
    : numbers(numbers), least(least), limit(limit), serial(getNest(first).getNumSerialLoops()),
      firstScalar(1 + serial + countFlatLoops(first) + countFlatLoops(second)),
      polyhedron(PresburgerSpace::getSetSpace(firstScalar + getLeaf(first).getScalars().size())) {
  polyhedron.addBound(BoundType::LB, 0, least);
  polyhedron.addBound(BoundType::UB, 0, limit - 1);
  for (unsigned iteration : {0, 1})
    for (auto [loop, count] : llvm::enumerate(numbers.trips[iteration])) {
      if (count == 1) {
        polyhedron.addBound(BoundType::EQ, getUnknown(iteration, loop), 0);
        continue;
      }
      polyhedron.addBound(BoundType::LB, getUnknown(iteration, loop), 0);
      polyhedron.addBound(BoundType::UB, getUnknown(iteration, loop), count - 1);
    }
  addScalars(first, second);
  unsigned shared = steps == Steps::None ? serial : getLeaf(first).getNumLoops();
  Row distance = countBetween(shared, {static_cast<unsigned>(numbers.trips[0].size()),
                                       static_cast<unsigned>(numbers.trips[1].size())});
  if (steps == Steps::Blocks) {
    distance = countBetween(serial, {shared, shared});
  } else if (steps != Steps::None) {
    Pipeline pipeline = getPipeline(first);
    pipeline.scalars = numbers.scalars;
    int64_t from = pipeline.getLag(getNest(first)), to = pipeline.getLag(getNest(second));
    Row between = combine(countBetween(serial, {shared, shared}), 1, getConstant(to - from));
    if (steps == Steps::Same) {
      polyhedron.addEquality(between);
    } else {
      polyhedron.addInequality(combine(between, -1, getConstant(1)));
      // The step of the first access, and any until the last one before that of the second.
      int64_t blocks = pipeline.getNumBlocks(), last = blocks - 2 + to;
      int64_t shortest = pipeline.getLeastStepLength(from, last);
      int64_t ofFirst = pipeline.getLeastStepLength(from, std::min(last, blocks - 1 + from));
      distance = combine(combine(distance, shortest, between), 1, getConstant(ofFirst - shortest));
    }
  }
  Row self = getConstant(0);
  self[0] = 1;
  polyhedron.addEquality(combine(self, -1, distance));
}

/// The ranges of the scalars, and of the indices of loops whose counts are not given.
void Program::addScalars(AccessOpInterface first, AccessOpInterface second) {
  for (auto [symbol, range] : llvm::enumerate(getScalarRanges(getLeaf(first)))) {
    polyhedron.addBound(BoundType::LB, firstScalar + symbol, range.low);
    polyhedron.addBound(BoundType::UB, firstScalar + symbol, range.high);
  }
  for (unsigned iteration : {0, 1}) {
    SmallVector<AffineExpr> counts = getCounts(getNest(iteration == 0 ? first : second));
    counts.truncate(std::min<size_t>(counts.size(), numbers.begin));
    for (auto [loop, count] : llvm::enumerate(counts)) {
      if (isa<AffineConstantExpr>(count))
        continue;
      Row next = getConstant(1); // index <= count - 1
      next[getUnknown(iteration, loop)] = 1;
      polyhedron.addInequality(combine(flatten(count, iteration), -1, next));
    }
  }
}

/// The scalars make the counts. Where some are known to, that matters only to what else names them.
void Program::addCounts() {
  auto isNamed = [&](AffineExpr expr) {
    return llvm::any_of(named, [&](unsigned scalar) { return expr.isFunctionOfSymbol(scalar); });
  };
  bool isPossible = !numbers.scalars.empty();
  if (isPossible && llvm::none_of(llvm::make_first_range(numbers.counts), isNamed))
    return;
  for (auto [count, value] : numbers.counts)
    polyhedron.addEquality(combine(flatten(count, 0), -1, getConstant(value)));
}

Program::Row Program::floorDivide(const Row &row, int64_t divisor) {
  unsigned quotient = polyhedron.addLocalFloorDiv(row, divisor);
  Row result = getConstant(0);
  result[quotient] = 1;
  return result;
}

Program::Row Program::flatten(AffineExpr expr, unsigned iteration) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return getConstant(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    Row row = getConstant(0);
    row[getUnknown(iteration, dim.getPosition())] = 1;
    return row;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    named.insert(symbol.getPosition());
    Row row = getConstant(0);
    row[firstScalar + symbol.getPosition()] = 1;
    return row;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Row left = flatten(binary.getLHS(), iteration);
  if (expr.getKind() == AffineExprKind::Add)
    return combine(left, 1, flatten(binary.getRHS(), iteration));
  int64_t right = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    return combine(getConstant(0), right, left);
  case AffineExprKind::FloorDiv:
    return floorDivide(left, right);
  case AffineExprKind::CeilDiv: // ceil(a / b) = -floor(-a / b)
    return combine(getConstant(0), -1, floorDivide(combine(getConstant(0), -1, left), right));
  case AffineExprKind::Mod:
    return combine(left, -right, floorDivide(left, right));
  default:
    llvm_unreachable("maps and sets of a leaf are affine");
  }
}

void Program::addAccess(unsigned iteration, const Conjunction &domain) {
  for (const Constraint &constraint : domain) {
    Row row = flatten(constraint.expression, iteration);
    constraint.isEquality ? polyhedron.addEquality(row) : polyhedron.addInequality(row);
  }
}

/// In each dimension neither box ends before the other begins.
void Program::addOverlap(AccessOpInterface first, AccessOpInterface second) {
  SmallVector<int64_t> firstBox = first.getBox(), secondBox = second.getBox();
  for (unsigned dim = 0; dim < firstBox.size(); ++dim) {
    Row distance = flatten(second.getPlace().getResult(dim), 1);
    distance = combine(distance, -1, flatten(first.getPlace().getResult(dim), 0));
    if (firstBox[dim] == 1 && secondBox[dim] == 1) {
      polyhedron.addEquality(distance);
      continue;
    }
    polyhedron.addInequality(combine(distance, 1, getConstant(secondBox[dim] - 1)));
    polyhedron.addInequality(combine(getConstant(firstBox[dim] - 1), -1, distance));
  }
}

/// The unknown behind the first that an equality gives as a sum of whole multiples of the others; 0
/// if there is none.
static unsigned findUnit(IntegerPolyhedron &polyhedron, unsigned equality) {
  for (unsigned unknown = 1; unknown < polyhedron.getNumVars(); ++unknown)
    if (abs(polyhedron.atEq(equality, unknown)) == 1)
      return unknown;
  return 0;
}

/// Puts what equalities give in the place of unknowns: most of both iterations' indices are known
/// or equal, and the simplex takes far longer with each that is left. The first unknown stays.
static void substituteUnits(IntegerPolyhedron &polyhedron) {
  for (unsigned equality = 0; equality < polyhedron.getNumEqualities();) {
    unsigned unknown = findUnit(polyhedron, equality);
    if (unknown == 0) {
      ++equality;
      continue;
    }
    SmallVector<DynamicAPInt> given(polyhedron.getEquality(equality));
    polyhedron.removeEquality(equality);
    auto substitute = [&](function_ref<DynamicAPInt &(unsigned)> row) {
      DynamicAPInt factor = row(unknown) * given[unknown];
      for (auto [column, value] : llvm::enumerate(given))
        row(column) -= factor * value;
    };
    for (unsigned row = 0; row < polyhedron.getNumEqualities(); ++row)
      substitute([&](unsigned column) -> DynamicAPInt & { return polyhedron.atEq(row, column); });
    for (unsigned row = 0; row < polyhedron.getNumInequalities(); ++row)
      substitute([&](unsigned column) -> DynamicAPInt & { return polyhedron.atIneq(row, column); });
    polyhedron.removeVar(unknown);
    equality = 0; // Others may be sums of whole multiples now.
  }
  polyhedron.removeTrivialRedundancy();
}

std::optional<int64_t> Program::solve(const KnownDistances &known) const {
  IntegerPolyhedron reduced = polyhedron;
  substituteUnits(reduced);
  return known.find(reduced, least, limit);
}

/// Of a nest by itself: every choice of those counts that a distance depends on and scalars decide;
/// nothing if there are too many.
static std::optional<std::vector<Numbers>> getNumbers(NestOpInterface nest) {
  constexpr size_t limit = 1024;
  Numbers most;
  most.trips[0] = most.trips[1] = nest.getLoopTrips();
  most.begin = nest.getNumSerialLoops() + 1;
  std::vector<Numbers> all = {most};
  LeafBoxes boxes(nest);
  for (auto [loop, count] : llvm::enumerate(getCounts(nest))) {
    if (isa<AffineConstantExpr>(count) || loop < most.begin)
      continue;
    IndexRange range = boxes.getRange(count, boxes.getWhole());
    if (all.size() * range.getSize() > limit)
      return std::nullopt;
    std::vector<Numbers> more;
    for (const Numbers &numbers : all)
      for (int64_t value = range.low; value <= range.high; ++value) {
        more.push_back(numbers);
        more.back().trips[0][loop] = more.back().trips[1][loop] = value;
        more.back().counts.emplace_back(count, value);
      }
    all = std::move(more);
  }
  return all;
}

/// Of nests that run together: every choice of the counts of all of them.
static std::optional<std::vector<Numbers>> getNumbers(NestOpInterface first,
                                                      NestOpInterface second) {
  LeafOp leaf = first.getLeaf();
  if (!leaf.getTogether())
    return getNumbers(first);
  auto choices = getCountChoices(leaf);
  if (!choices)
    return std::nullopt;
  SmallVector<AffineExpr> counts = getChosenCounts(leaf);
  std::vector<Numbers> all;
  for (SmallVector<int64_t> &scalars : *choices) {
    Numbers &numbers = all.emplace_back();
    numbers.trips[0] = getTripsAt(first, scalars);
    numbers.trips[1] = getTripsAt(second, scalars);
    numbers.begin = leaf.getSerialLevel();
    for (auto &trips : numbers.trips) // Other scalars may admit more serial trips.
      llvm::copy(leaf.getTrips().take_front(numbers.begin), trips.begin());
    for (AffineExpr count : counts)
      numbers.counts.emplace_back(count, streamtensor::evaluate(count, {}, scalars));
    numbers.scalars = std::move(scalars);
  }
  return all;
}

/// The least distance from `least` to `limit` - 1; at once `least` where that cannot be found out.
static std::optional<int64_t> findLeast(AccessOpInterface first, AccessOpInterface second,
                                        Steps steps, int64_t least, int64_t limit) {
  std::optional<int64_t> nearest;
  std::optional<std::vector<Numbers>> allNumbers = getNumbers(getNest(first), getNest(second));
  if (!allNumbers)
    return limit > least ? std::optional<int64_t>(least) : std::nullopt;
  for (const Numbers &numbers : *allNumbers)
    for (const Conjunction &from : getDomain(first))
      for (const Conjunction &to : getDomain(second)) {
        if (limit <= least)
          return nearest;
        Program program(first, second, steps, numbers, least, limit);
        program.addAccess(0, from);
        program.addAccess(1, to);
        program.addOverlap(first, second);
        program.addCounts();
        if (std::optional<int64_t> distance = program.solve(KnownDistances::of(first))) {
          nearest = *distance;
          limit = *distance;
        }
      }
  return nearest;
}

bool streamtensor::dataflow::meetInOneIteration(AccessOpInterface first, AccessOpInterface second) {
  return findLeast(first, second, Steps::Same, 0, 1).has_value();
}

bool streamtensor::dataflow::meetOutOfOrder(AccessOpInterface first, AccessOpInterface second) {
  Pipeline pipeline = getPipeline(first);
  int64_t ahead = pipeline.getLag(getNest(second)) - pipeline.getLag(getNest(first));
  return findLeast(second, first, Steps::Blocks, 1, ahead + 1).has_value();
}

std::optional<int64_t> streamtensor::dataflow::getReuseDistance(AccessOpInterface first,
                                                                AccessOpInterface second,
                                                                int64_t limit) {
  Pipeline pipeline = getPipeline(first);
  if (pipeline.nests.size() == 1 && pipeline.getNumBlocks() == 1)
    return findLeast(first, second, Steps::None, 1, limit);
  std::optional<int64_t> nearest = findLeast(first, second, Steps::Same, 1, limit);
  int64_t from = pipeline.getLag(getNest(first)), to = pipeline.getLag(getNest(second));
  if (pipeline.getNumBlocks() - 2 + to < from) // no step of the second comes later
    return nearest;
  std::optional<int64_t> later = findLeast(first, second, Steps::Later, 1, nearest.value_or(limit));
  return later ? later : nearest;
}

std::optional<int64_t> streamtensor::dataflow::getReuseDistance(LoadOp load) {
  std::optional<int64_t> nearest;
  if (!isa<PrivateType>(load.getMemory().getType()))
    return nearest;
  Pipeline pipeline = getPipeline(load);
  for (StoreOp store : pipeline.getOps<StoreOp>())
    if (store.getMemory() == load.getMemory())
      if (std::optional<int64_t> distance =
              getReuseDistance(store, load, nearest.value_or(pipeline.getDepth())))
        nearest = distance;
  return nearest;
}

void streamtensor::dataflow::addKnownDistances(DataflowDialect &dialect) {
  dialect.addInterface(std::make_unique<KnownDistances>(&dialect));
}
