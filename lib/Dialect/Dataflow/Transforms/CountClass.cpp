//===- CountClass.cpp - Loops that walk along one declared extent ---------===//

#include "CountClass.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// Loops and sums of them
//===----------------------------------------------------------------------===//

Loop streamtensor::dataflow::getLoop(NestOpInterface nest, unsigned number) {
  LeafOp leaf = nest.getLeaf();
  return {number < leaf.getNumLoops() ? leaf.getOperation() : nest.getOperation(), number};
}

static void addTerms(AffineExpr expr, int64_t factor, bool isNested, LinearForm &form) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    form.factors[dim.getPosition()] += factor;
    form.isNested[dim.getPosition()] = isNested;
    return;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return;
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mul && constant)
    return addTerms(binary.getLHS(), factor * constant.getValue(), isNested, form);
  bool isSum = expr.getKind() == AffineExprKind::Add;
  addTerms(binary.getLHS(), factor, isNested || !isSum, form);
  addTerms(binary.getRHS(), factor, isNested || !isSum, form);
}

LinearForm LinearForm::of(AffineExpr expr, unsigned numLoops) {
  LinearForm form{SmallVector<int64_t>(numLoops, 0), SmallVector<bool>(numLoops, false)};
  addTerms(expr, 1, false, form);
  return form;
}

static std::string getWhere(Operation *op) {
  auto leaf = dyn_cast<LeafOp>(op);
  return ("leaf '" + (leaf ? leaf : getLeaf(op)).getName() + "'").str();
}

static IterationBox getBox(AccessOpInterface access, ArrayRef<int64_t> trips) {
  IntegerSet guard = access.getGuardSet();
  return *getGuardBox(guard ? std::optional(guard) : std::nullopt, trips);
}

LogicalResult CountClass::fail(const Twine &why) {
  if (reason.empty())
    reason = why.str();
  return failure();
}

void CountClass::add(const Edge &edge) {
  bool isKnown = llvm::any_of(edges, [&](const Edge &other) {
    return other.channel == edge.channel && other.dim == edge.dim && other.top == edge.top;
  });
  if (!isKnown)
    edges.push_back(edge);
}

LogicalResult CountClass::addLoop(NestOpInterface nest, unsigned number) {
  Loop loop = getLoop(nest, number);
  if (loops.insert({loop, nest.getLoopTrips()[number]}).second)
    pending.push_back(loop);
  return success();
}

LogicalResult CountClass::close() {
  size_t next = 0;
  while (next < edges.size() || !pending.empty()) {
    if (!pending.empty()) {
      Loop loop = pending.back();
      pending.pop_back();
      if (failed(visit(loop)))
        return failure();
      continue;
    }
    Edge edge = edges[next++];
    if (failed(visit(edge)))
      return failure();
  }
  if (loops.empty())
    return fail("no loop walks along it: it fits into one tile");
  findGranule();
  if (granule == extent)
    return fail("its loops have no trips in common (a tile that does not divide it)");
  return success();
}

/// May the last trip go on behind the end of the extent? It may where each trip has elements of its
/// own in memories on the chip, all that it writes, of which others take those in front of the end.
static bool mayGoOn(Loop loop) {
  auto nest = dyn_cast<NestOp>(loop.first);
  if (!nest)
    return false;
  SmallVector<int64_t> trips = cast<NestOpInterface>(*nest).getLoopTrips();
  return llvm::all_of(getAccesses(nest), [&](AccessOpInterface access) {
    if (!access.isWrite() && getBox(access, trips).loops[loop.second].getSize() == 1)
      return true; // The first trip, which there always is.
    return access.isOnChip() && llvm::any_of(access.getPlace().getResults(), [&](AffineExpr place) {
             LinearForm form = LinearForm::of(place, trips.size());
             return form.factors[loop.second] > 0 && !form.isNested[loop.second];
           });
  });
}

/// A loop that goes on behind the end has whole granules in a trip.
void CountClass::findGranule() {
  int64_t units = extent;
  for (auto [loop, trips] : loops)
    if (!mayGoOn(loop))
      units = std::gcd(units, trips);
  auto isCut = [&](auto &each) { return each.second % units != 0 && units % each.second != 0; };
  for (auto it = llvm::find_if(loops, isCut); it != loops.end(); it = llvm::find_if(loops, isCut))
    units = std::gcd(units, it->second);
  granule = extent / units;
}

//===----------------------------------------------------------------------===//
// From channels to loops
//===----------------------------------------------------------------------===//

LogicalResult CountClass::visit(const Edge &edge) {
  if (isa<StreamType>(edge.channel.getType()))
    return visitTokens(edge);
  return edge.dim < 0 ? visitBlocks(edge) : visitPlaces(edge);
}

/// The iterations in which one end of a FIFO moves tokens: those of one access, or of several in
/// one nest that share a box among them. Nothing if they are no box.
static std::optional<IterationBox> getEndBox(AccessOpInterface access) {
  NestOpInterface nest = getNest(access);
  SmallVector<int64_t> trips = nest.getLoopTrips();
  IterationBox hull = getBox(access, trips);
  int64_t iterations = 0;
  for (AccessOpInterface other : getAccesses(cast<StreamOp>(access.getChannel().getDefiningOp()))) {
    if (other.isWrite() != access.isWrite())
      continue;
    if (getNest(other) != nest)
      return std::nullopt;
    IterationBox box = getBox(other, trips);
    iterations += box.getNumIterations(); // No two accesses of an end meet in an iteration.
    for (auto [all, own] : llvm::zip_equal(hull.loops, box.loops))
      all = {std::min(all.low, own.low), std::max(all.high, own.high)};
  }
  return hull.getNumIterations() == iterations ? std::optional(hull) : std::nullopt;
}

LogicalResult CountClass::visitTokens(const Edge &edge) {
  for (AccessOpInterface access : getAccesses(cast<StreamOp>(edge.channel.getDefiningOp())))
    if (failed(visitToken(access, edge.top)))
      return failure();
  return success();
}

/// The loop whose last trip ends at token `top`.
LogicalResult CountClass::visitToken(AccessOpInterface access, int64_t top) {
  NestOpInterface nest = getNest(access);
  SmallVector<int64_t> trips = nest.getLoopTrips();
  std::optional<IterationBox> box = getEndBox(access);
  if (!box)
    return fail(getWhere(access) + " moves tokens of one FIFO in several places");
  int64_t weight = 1;
  for (unsigned number = trips.size(); number-- > 0;) {
    int64_t size = box->loops[number].getSize();
    if (size > 1 && weight < top && weight * size >= top) {
      if (weight * size > top || size != trips[number])
        return fail(getWhere(access) + " walks along other extents in the same loop");
      return addLoop(nest, number);
    }
    weight *= size;
  }
  return fail(getWhere(access) + " moves its tokens in other loops");
}

LogicalResult CountClass::visitBlocks(const Edge &edge) {
  for (Operation *user : edge.channel.getUsers()) {
    auto leaf = dyn_cast<LeafOp>(user);
    if (!leaf)
      continue;
    for (const Acquire &acquire : getAcquires(leaf)) {
      if (acquire.buffer != edge.channel)
        continue;
      int64_t weight = 1;
      bool isFound = false;
      for (unsigned number = acquire.level; number-- > 0 && !isFound;) {
        weight *= leaf.getTrips()[number];
        isFound = weight == edge.top && leaf.getTrips()[number] > 1;
        if (isFound && failed(addLoop(leaf.getNests().front(), number)))
          return failure();
      }
      if (!isFound)
        return fail(getWhere(leaf) + " takes its blocks in other loops");
    }
  }
  return success();
}

LogicalResult CountClass::visitPlaces(const Edge &edge) {
  for (Operation *user : edge.channel.getUsers())
    if (auto access = dyn_cast<AccessOpInterface>(user))
      if (failed(visitPlace(access, edge)))
        return failure();
  return success();
}

/// The loop whose last trip ends at the place, if there is one.
LogicalResult CountClass::visitPlace(AccessOpInterface access, const Edge &edge) {
  if (access.isExternal() && access.isWrite())
    written.insert(edge.channel);
  NestOpInterface nest = getNest(access);
  SmallVector<int64_t> trips = nest.getLoopTrips();
  IterationBox box = getBox(access, trips);
  LinearForm form = LinearForm::of(access.getPlace().getResult(edge.dim), trips.size());
  int64_t lanes = access.getBox()[edge.dim];
  bool moves = false;
  for (auto [number, factor] : llvm::enumerate(form.factors)) {
    int64_t size = box.loops[number].getSize();
    if (factor == 0 || size == 1)
      continue;
    if (form.isNested[number] || factor < 0)
      return fail(getWhere(access) + " turns or cuts the order along the extent");
    moves = true;
    if (factor >= edge.top || factor * size < edge.top)
      continue;
    if (factor * size > edge.top || size != trips[number])
      return fail(getWhere(access) + " walks along other extents in the same loop");
    return addLoop(nest, number);
  }
  if (access.isWrite() || (!moves && lanes == 1))
    return success();
  if (moves || lanes != edge.top)
    return fail(getWhere(access) + " reads a part of the extent that does not end with a trip");
  return addBankLoad(access, edge.dim, edge.top);
}

//===----------------------------------------------------------------------===//
// From loops to channels
//===----------------------------------------------------------------------===//

LogicalResult CountClass::visit(Loop loop) {
  auto [op, number] = loop;
  auto leaf = dyn_cast<LeafOp>(op);
  SmallVector<NestOpInterface> nests =
      leaf ? leaf.getNests() : SmallVector<NestOpInterface>{cast<NestOpInterface>(op)};
  for (NestOpInterface nest : nests)
    for (AccessOpInterface access : getAccesses(nest))
      if (failed(visitAccess(access, nest, number)))
        return failure();
  if (!leaf)
    return success();
  for (const Acquire &acquire : getAcquires(leaf))
    if (number < acquire.level)
      add({acquire.buffer, -1,
           llvm::product_of(leaf.getTrips().take_front(acquire.level).drop_front(number))});
  return success();
}

LogicalResult CountClass::visitAccess(AccessOpInterface access, NestOpInterface nest,
                                      unsigned number) {
  SmallVector<int64_t> trips = nest.getLoopTrips();
  IterationBox box = getBox(access, trips);
  if (box.loops[number].getSize() == 1)
    return success(); // The first trip or the last; the guard is checked where it is rewritten.
  if (access.isToken()) {
    std::optional<IterationBox> end = getEndBox(access);
    if (!end)
      return fail(getWhere(access) + " moves tokens of one FIFO in several places");
    int64_t top = 1;
    for (unsigned loop = number; loop < trips.size(); ++loop)
      top *= end->loops[loop].getSize();
    add({access.getChannel().getDefiningOp<StreamOp>().getResult(), -1, top});
    return success();
  }
  for (auto [dim, expr] : llvm::enumerate(access.getPlace().getResults())) {
    LinearForm form = LinearForm::of(expr, trips.size());
    int64_t factor = form.factors[number];
    if (factor == 0)
      continue;
    if (factor < 0)
      return fail(getWhere(access) + " goes backwards along the extent");
    if (!form.isNested[number])
      add({access.getChannel(), int(dim), factor * trips[number]});
    else if (failed(visitBanks(access, dim, trips[number])))
      return failure();
  }
  return success();
}

/// Trips share banks in turn: who has another address reads all banks, or is not understood.
LogicalResult CountClass::visitBanks(AccessOpInterface access, unsigned dim, int64_t trips) {
  AffineExpr place = access.getPlace().getResult(dim);
  for (Operation *user : access.getChannel().getUsers()) {
    auto other = dyn_cast<AccessOpInterface>(user);
    if (!other || other.getPlace().getResult(dim) == place)
      continue;
    if (failed(addBankLoad(other, dim, trips)))
      return failure();
  }
  return success();
}

/// Are all lanes along `dim` read, and only to be combined?
static bool readsAllBanks(AccessOpInterface access, unsigned dim) {
  auto shape = [](Value memory) {
    if (auto buffer = dyn_cast<BufferType>(memory.getType()))
      return buffer.getShape();
    return cast<PrivateType>(memory.getType()).getShape();
  };
  return isa<LoadOp>(access) && access.isOnChip() &&
         access.getBox()[dim] == shape(access.getChannel())[dim] &&
         getNeutralOfBanks(cast<LoadOp>(access));
}

LogicalResult CountClass::addBankLoad(AccessOpInterface access, unsigned dim, int64_t places) {
  if (!readsAllBanks(access, dim))
    return fail(getWhere(access) + " reads in one iteration what several trips have written, and "
                                   "combines it by no operation with a neutral element");
  auto load = cast<LoadOp>(access);
  bool isKnown = llvm::any_of(
      bankLoads, [&](const BankLoad &bank) { return bank.load == load && bank.dim == dim; });
  if (!isKnown)
    bankLoads.push_back({load, dim, places});
  return success();
}

/// The first operation on what a load gives, past those that only move lanes; null if they differ.
static Operation *findCombiner(Value value, bool isCut) {
  Operation *found = nullptr;
  for (Operation *user : value.getUsers()) {
    bool cuts = isa<vector::ExtractStridedSliceOp, vector::ExtractOp>(user);
    Operation *combiner = nullptr;
    if (cuts || isa<vector::ShapeCastOp>(user))
      combiner = findCombiner(user->getResult(0), isCut || cuts);
    else if (isCut)
      combiner = user;
    if (!combiner || (found && found->getName() != combiner->getName()))
      return nullptr;
    found = combiner;
  }
  return found;
}

static std::optional<arith::AtomicRMWKind> getKind(Operation *op) {
  using Kind = arith::AtomicRMWKind;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case([](arith::AddFOp) { return Kind::addf; })
      .Case([](arith::MulFOp) { return Kind::mulf; })
      .Case([](arith::MaximumFOp) { return Kind::maximumf; })
      .Case([](arith::MinimumFOp) { return Kind::minimumf; })
      .Case([](arith::MaxNumFOp) { return Kind::maxnumf; })
      .Case([](arith::MinNumFOp) { return Kind::minnumf; })
      .Case([](arith::AddIOp) { return Kind::addi; })
      .Case([](arith::MulIOp) { return Kind::muli; })
      .Case([](arith::MaxSIOp) { return Kind::maxs; })
      .Case([](arith::MinSIOp) { return Kind::mins; })
      .Case([](arith::MaxUIOp) { return Kind::maxu; })
      .Case([](arith::MinUIOp) { return Kind::minu; })
      .Case([](arith::OrIOp) { return Kind::ori; })
      .Case([](arith::AndIOp) { return Kind::andi; })
      .Default([](Operation *) { return std::nullopt; });
}

TypedAttr streamtensor::dataflow::getNeutralOfBanks(LoadOp load) {
  Operation *combiner = findCombiner(load.getResult(), false);
  std::optional<arith::AtomicRMWKind> kind = combiner ? getKind(combiner) : std::nullopt;
  if (!kind)
    return {};
  OpBuilder builder(load.getContext());
  return arith::getIdentityValueAttr(*kind, getElementTypeOrSelf(load.getType()), builder,
                                     load.getLoc());
}
