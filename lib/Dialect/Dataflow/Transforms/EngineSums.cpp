//===- EngineSums.cpp - One memory for the sums of all turns --------------===//
//
//   "query" adds to  <16x768xf32>, boxes of <1x16>      one memory
//   "up"    adds to  <4x3072xf32>, boxes of <1x16>  ->  <768x16xf32>, a box in each row
//   "down"  adds to  <4x768xf32>,  boxes of <1x16>
//
// Turns come one after the other, and a turn begins its sums anew, whatever lies in the memory. So
// what one has added up may lie where the next adds up its own: the engine needs the memory of the
// turn that needs most, not that of all. Sums of a turn are moved in boxes of one shape, each at a
// multiple of its extents: a row of the memory has one of them.
//
//===----------------------------------------------------------------------===//

#include "EngineSums.h"

#include "ProgramChange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace streamtensor::dataflow {

/// Does `constraint` say that `loop` is at the first of the trips in which `place` comes to others:
/// at the first trip if the place does not move along it, in the first n if its banks are n?
static bool isFirstOfLoop(AffineExpr constraint, bool isEq, AffineMap place, unsigned loop) {
  AffineExpr dim = getAffineDimExpr(loop, place.getContext());
  bool moves = place.isFunctionOfDim(loop);
  if (isEq)
    return constraint == dim && !moves;
  unsigned numDims = place.getNumDims(), numSymbols = place.getNumSymbols();
  auto last =
      dyn_cast<AffineConstantExpr>(simplifyAffineExpr(constraint + dim, numDims, numSymbols));
  if (!last || last.getValue() < 0)
    return false;
  if (!moves)
    return last.getValue() == 0;
  AffineExpr bank = dim % (last.getValue() + 1), none = getAffineConstantExpr(0, dim.getContext());
  return !place.replace(bank, none, numDims, numSymbols).isFunctionOfDim(loop);
}

/// Does `set` hold whenever a nest comes to `place` for the first time? So it does if it is such
/// trips of loops behind the `numShared` that all turns have.
static bool isFirstAt(IntegerSet set, AffineMap place, unsigned numShared) {
  return llvm::all_of(llvm::seq(set.getNumConstraints()), [&](unsigned number) {
    return llvm::any_of(llvm::seq(numShared, set.getNumDims()), [&](unsigned loop) {
      return isFirstOfLoop(set.getConstraint(number), set.isEq(number), place, loop);
    });
  });
}

/// Does a turn begin its sums anew: is `earlier`, which it loads from `place`, replaced at first?
static bool isReplacedAtFirst(Value earlier, AffineMap place, unsigned numShared) {
  return llvm::all_of(earlier.getUsers(), [&](Operation *user) {
    if (auto cast = dyn_cast<vector::ShapeCastOp>(user))
      return isReplacedAtFirst(cast.getResult(), place, numShared);
    auto select = dyn_cast<arith::SelectOp>(user);
    auto test = select ? select.getCondition().getDefiningOp<TestOp>() : TestOp();
    return test && isFirstAt(test.getSet(), place, numShared) && select.getFalseValue() == earlier;
  });
}

/// The extents of what all accesses of `memory` move, if each lies at multiples of them; nothing if
/// something else than the sums of one turn lies there.
static std::optional<SmallVector<int64_t>> getBoxOfSums(BlockArgument memory, unsigned numShared) {
  auto type = cast<PrivateType>(memory.getType());
  std::optional<SmallVector<int64_t>> all;
  for (Operation *user : memory.getUsers()) {
    auto access = cast<AccessOpInterface>(user);
    AffineMap place = access.getPlace();
    auto load = dyn_cast<LoadOp>(user);
    bool isOfSums = load ? !load.getRow() && isReplacedAtFirst(load.getResult(), place, numShared)
                         : isa<StoreOp>(user);
    SmallVector<int64_t> box = access.getBox();
    if (!isOfSums || user->getBlock() != (*memory.user_begin())->getBlock() || (all && *all != box))
      return std::nullopt;
    for (auto [extent, size, expr] : llvm::zip_equal(box, type.getShape(), place.getResults()))
      if (size % extent != 0 || !expr.isMultipleOf(extent))
        return std::nullopt;
    all = std::move(box);
  }
  return all;
}

/// The memory, with as many rows as `memory` has boxes, takes its place.
static void replaceBy(BlockArgument memory, Value rows, ArrayRef<int64_t> box) {
  auto type = cast<PrivateType>(memory.getType());
  auto row = VectorType::get({1, llvm::product_of(box)}, type.getElementType());
  for (Operation *user : llvm::make_early_inc_range(memory.getUsers())) {
    auto access = cast<AccessOpInterface>(user);
    AffineMap place = access.getPlace();
    AffineExpr zero = getAffineConstantExpr(0, place.getContext()), number = zero;
    for (auto [extent, size, expr] : llvm::zip_equal(box, type.getShape(), place.getResults()))
      number = number * (size / extent) + expr.floorDiv(extent);
    number = simplifyAffineExpr(number, place.getNumDims(), place.getNumSymbols());
    access.setPlace(AffineMap::get(place.getNumDims(), place.getNumSymbols(), {number, zero},
                                   place.getContext()));
    user->replaceUsesOfWith(memory, rows);
    Type before = access.getMovedType(), moved = isa<VectorType>(before) ? row : before;
    OpBuilder builder(user);
    if (auto store = dyn_cast<StoreOp>(user)) {
      store.getValueMutable().assign(reshape(builder, store.getLoc(), store.getValue(), moved));
      continue;
    }
    auto load = cast<LoadOp>(user);
    load.getResult().setType(moved);
    builder.setInsertionPointAfter(load);
    Value reshaped = reshape(builder, load.getLoc(), load.getResult(), before);
    if (reshaped != load.getResult())
      load.getResult().replaceAllUsesExcept(reshaped, reshaped.getDefiningOp());
  }
}

void shareSums(LeafOp engine) {
  struct Sums {
    BlockArgument memory;
    SmallVector<int64_t> box;
    int64_t rows;
  };
  SmallPtrSet<Block *, 8> turns; // Of which one memory is among those.
  llvm::MapVector<std::pair<Type, int64_t>, SmallVector<Sums>> alike;
  for (BlockArgument memory : engine.getPrivates())
    if (std::optional<SmallVector<int64_t>> box = getBoxOfSums(memory, engine.getNumLoops());
        box && turns.insert((*memory.user_begin())->getBlock()).second) {
      auto type = cast<PrivateType>(memory.getType());
      int64_t lanes = llvm::product_of(*box), rows = llvm::product_of(type.getShape()) / lanes;
      alike[{type.getElementType(), lanes}].push_back({memory, std::move(*box), rows});
    }
  Block &block = engine.getBlock();
  for (auto &[key, all] : alike) {
    if (all.size() < 2)
      continue;
    int64_t rows = 0;
    for (const Sums &sums : all)
      rows = std::max(rows, sums.rows);
    Value shared = block.addArgument(
        PrivateType::get(engine.getContext(), {rows, key.second}, key.first), engine.getLoc());
    for (const Sums &sums : all)
      replaceBy(sums.memory, shared, sums.box);
  }
  eraseUnusedPrivates(engine);
}

} // namespace streamtensor::dataflow
