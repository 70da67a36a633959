//===- ReuseDistance.cpp - Iterations between equal places ----------------===//
//
// The unknowns are the distance, the indices of the serial loops, and those of the flat loops in
// both iterations; `mod` and `floordiv` add unknowns of their own. Constraints say that both
// iterations are in their domains, that the boxes overlap, and that the distance counts the
// iterations between. The least distance is the first unknown of the lexicographic minimum.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/ReuseDistance.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

using namespace mlir;
using namespace streamtensor::dataflow;
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

namespace {

class Program {
public:
  Program(LeafOp leaf, int64_t limit);

  void addAccess(unsigned iteration, const Conjunction &domain);
  void addOverlap(AccessOpInterface first, AccessOpInterface second);
  std::optional<int64_t> solve() const;

private:
  /// Coefficients of the unknowns, then the constant.
  using Row = SmallVector<int64_t>;

  unsigned getUnknown(unsigned iteration, unsigned loop) const {
    unsigned flat = trips.size() - serial;
    return 1 + loop + (loop >= serial ? iteration * flat : 0);
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
  Row flatten(AffineExpr expr, unsigned iteration);
  Row floorDivide(const Row &row, int64_t divisor);

  ArrayRef<int64_t> trips;
  unsigned serial;
  IntegerPolyhedron polyhedron;
};

} // namespace

Program::Program(LeafOp leaf, int64_t limit)
    : trips(leaf.getTrips()), serial(leaf.getSerialLevel()),
      polyhedron(PresburgerSpace::getSetSpace(1 + serial + 2 * (trips.size() - serial))) {
  polyhedron.addBound(BoundType::LB, 0, 1);
  polyhedron.addBound(BoundType::UB, 0, limit - 1);
  Row between = getConstant(0);
  between[0] = 1;
  int64_t stride = 1;
  for (unsigned loop = trips.size(); loop-- > 0;) {
    for (unsigned iteration : {0, 1}) {
      unsigned unknown = getUnknown(iteration, loop);
      polyhedron.addBound(BoundType::LB, unknown, 0);
      polyhedron.addBound(BoundType::UB, unknown, trips[loop] - 1);
      if (loop >= serial)
        between[unknown] = iteration == 0 ? stride : -stride;
    }
    stride *= trips[loop];
  }
  polyhedron.addEquality(between);
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

std::optional<int64_t> Program::solve() const {
  auto minimum = polyhedron.findIntegerLexMin();
  if (!minimum.isBounded())
    return std::nullopt;
  return llvm::int64fromDynamicAPInt((*minimum)[0]);
}

std::optional<int64_t> streamtensor::dataflow::getReuseDistance(LeafOp leaf,
                                                                AccessOpInterface first,
                                                                AccessOpInterface second,
                                                                int64_t limit) {
  std::optional<int64_t> nearest;
  for (const Conjunction &from : getDomain(first))
    for (const Conjunction &to : getDomain(second)) {
      if (limit <= 1)
        return nearest;
      Program program(leaf, limit);
      program.addAccess(0, from);
      program.addAccess(1, to);
      program.addOverlap(first, second);
      if (std::optional<int64_t> distance = program.solve()) {
        nearest = *distance;
        limit = *distance;
      }
    }
  return nearest;
}

std::optional<int64_t> streamtensor::dataflow::getReuseDistance(LeafOp leaf, LoadOp load) {
  std::optional<int64_t> nearest;
  if (!isa<PrivateType>(load.getMemory().getType()))
    return nearest;
  for (auto store : leaf.getBlock().getOps<StoreOp>())
    if (store.getMemory() == load.getMemory())
      if (std::optional<int64_t> distance = getReuseDistance(
              leaf, store, load, nearest.value_or(static_cast<int64_t>(leaf.getDepth()))))
        nearest = distance;
  return nearest;
}
