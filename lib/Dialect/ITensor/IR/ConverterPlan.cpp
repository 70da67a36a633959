//===- ConverterPlan.cpp - The buffer that reorders one type into another -===//
//
// The shared-prefix rule. The outermost loops that both nests have in common run
// around the buffer; inside them both nests touch the same set of elements, whose
// bounding box is one block. Loops are split where a part of them can be shared
// (`refineNests`).
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

using namespace mlir;

namespace streamtensor::itensor {

namespace {

/// A set of indices along one data dimension: sorted, disjoint, non-adjacent
/// half-open runs.
using IndexSet = SmallVector<std::pair<int64_t, int64_t>>;

} // namespace

/// The union of `set` shifted by 0, step, …, (trips - 1) * step.
static IndexSet repeat(const IndexSet &set, const Loop &loop) {
  IndexSet runs;
  for (int64_t trip = 0; trip < loop.trips; ++trip)
    for (auto [begin, end] : set)
      runs.push_back({begin + trip * loop.step, end + trip * loop.step});
  llvm::sort(runs);
  IndexSet merged;
  for (auto run : runs) {
    if (!merged.empty() && run.first <= merged.back().second)
      merged.back().second = std::max(merged.back().second, run.second);
    else
      merged.push_back(run);
  }
  return merged;
}

/// The indices along `dim` that a tile of `extent` reaches under `loops`. Small
/// steps come first: they close up to one run in almost every type.
static IndexSet getIndexSet(ArrayRef<Loop> loops, unsigned dim, int64_t extent) {
  LoopNest feeding;
  llvm::copy_if(loops, std::back_inserter(feeding),
                [&](const Loop &loop) { return loop.dim == dim; });
  llvm::stable_sort(feeding, [](const Loop &a, const Loop &b) { return a.step < b.step; });
  IndexSet set = {{0, extent}};
  for (const Loop &loop : feeding) {
    if (set.size() == 1 && loop.step <= set[0].second)
      set[0].second += (loop.trips - 1) * loop.step;
    else
      set = repeat(set, loop);
  }
  return set;
}

static bool contains(const IndexSet &outer, const IndexSet &inner) {
  const auto *whole = outer.begin();
  for (auto [begin, end] : inner) {
    while (whole != outer.end() && whole->second < end)
      ++whole;
    if (whole == outer.end() || begin < whole->first)
      return false;
  }
  return true;
}

/// Does every element that `result` needs inside the shared loops lie in what
/// `source` brings there? For a result that covers the data this says that both
/// sets are equal, because the source's sets are disjoint.
static bool bringsAll(ITensorType source, ArrayRef<Loop> sourceInner, ITensorType result,
                      ArrayRef<Loop> resultInner) {
  for (unsigned dim = 0; dim < source.getDataRank(); ++dim)
    if (!contains(getIndexSet(sourceInner, dim, source.getElementShape()[dim]),
                  getIndexSet(resultInner, dim, result.getElementShape()[dim])))
      return false;
  return true;
}

static SmallVector<int64_t> getDivisorsDescending(int64_t value) {
  SmallVector<int64_t> divisors;
  for (int64_t divisor = 1; divisor * divisor <= value; ++divisor) {
    if (value % divisor != 0)
      continue;
    divisors.push_back(divisor);
    if (divisor * divisor != value)
      divisors.push_back(value / divisor);
  }
  llvm::sort(divisors, std::greater<>());
  return divisors;
}

/// The deepest sharing at which every block brings all that is read from it. The
/// innermost shared loop may have to be split once more, at a divisor of its trips.
static RefinedNests chooseShared(const RefinedNests &matched, ITensorType source,
                                 ITensorType result) {
  for (unsigned shared = matched.shared; shared > 0; --shared) {
    for (int64_t trips : getDivisorsDescending(matched.first[shared - 1].trips)) {
      if (trips == 1)
        continue;
      RefinedNests split{matched.first, matched.second, shared};
      splitLoop(split.first, shared - 1, trips);
      splitLoop(split.second, shared - 1, trips);
      if (bringsAll(source, ArrayRef<Loop>(split.first).drop_front(shared), result,
                    ArrayRef<Loop>(split.second).drop_front(shared)))
        return split;
    }
  }
  return {matched.first, matched.second, 0};
}

/// Loops inside the shared ones that were split for nothing grow together again.
static LoopNest tidyInner(ArrayRef<Loop> loops, unsigned shared) {
  LoopNest tidy(loops.take_front(shared));
  llvm::append_range(tidy, normalizeLoops(loops.drop_front(shared)));
  return tidy;
}

//===----------------------------------------------------------------------===//
// Form
//===----------------------------------------------------------------------===//

/// Does the result send the source's tokens in the source's order, only some of them again?
static bool onlyRevisits(ITensorType source, ArrayRef<Loop> sourceInner, ITensorType result,
                         ArrayRef<Loop> resultInner) {
  LoopNest firstVisits;
  llvm::copy_if(resultInner, std::back_inserter(firstVisits),
                [](const Loop &loop) { return !loop.isRevisit(); });
  return source.getElementShape() == result.getElementShape() &&
         normalizeLoops(firstVisits) == normalizeLoops(sourceInner);
}

/// Do the same elements flow in the same order, if cut into other tokens?
static bool haveSameElementOrder(ITensorType source, ITensorType result) {
  LoopNest loops = getLoops(getNormalForm(result));
  // A reader of the type would hold the tokens of trailing revisits; here they are sent.
  bool repeatsTokens = !loops.empty() && loops.back().isRevisit();
  return !repeatsTokens && getElementOrder(source) == getElementOrder(result);
}

static ConverterKind chooseKind(const ConverterPlan &plan) {
  if (haveSameElementOrder(plan.source, plan.result))
    return ConverterKind::Fifo;
  LoopNest source = getLoops(plan.source), result = getLoops(plan.result);
  if (onlyRevisits(plan.source, ArrayRef<Loop>(source).drop_front(plan.shared), plan.result,
                   ArrayRef<Loop>(result).drop_front(plan.shared)))
    return ConverterKind::RepeatBuffer;
  if (plan.shared == 0 && planLineRing(plan.source, plan.result))
    return ConverterKind::LineBuffer;
  return plan.shared > 0 ? ConverterKind::PingPong : ConverterKind::SingleBuffer;
}

static int64_t getNumBlocks(ConverterKind kind) {
  switch (kind) {
  case ConverterKind::Fifo:
    return 0;
  case ConverterKind::LineBuffer:
  case ConverterKind::RepeatBuffer:
  case ConverterKind::SingleBuffer:
    return 1;
  case ConverterKind::PingPong:
    return 2;
  }
  llvm_unreachable("unknown converter kind");
}

int64_t ConverterPlan::getNumElements() const { return blocks * llvm::product_of(box); }

int64_t ConverterPlan::getSharedTrips() const {
  return llvm::product_of(source.getTrips().take_front(shared));
}

FailureOr<ConverterPlan> planConverter(ITensorType source, ITensorType result, ConverterRule rule) {
  if (source.getElementType() != result.getElementType() ||
      source.getDataShape() != result.getDataShape() || !isExactCover(source))
    return failure();
  RefinedNests matched =
      refineNests(normalizeLoops(getLoops(source)), normalizeLoops(getLoops(result)));
  RefinedNests split = chooseShared(matched, source, result);

  ConverterPlan plan;
  plan.shared = split.shared;
  LoopNest sourceLoops = tidyInner(split.first, split.shared);
  LoopNest resultLoops = tidyInner(split.second, split.shared);
  plan.source = getTypeOfLoops(sourceLoops, source.getElementShape(), source.getElementType(),
                               source.getDataShape());
  plan.result = getTypeOfLoops(resultLoops, result.getElementShape(), result.getElementType(),
                               result.getDataShape());
  plan.box = getBlockShape(plan.source, plan.shared);
  plan.kind = rule == ConverterRule::Paper ? ConverterKind::PingPong : chooseKind(plan);
  plan.blocks = getNumBlocks(plan.kind);
  if (plan.kind == ConverterKind::LineBuffer) {
    LineRing ring = *planLineRing(plan.source, plan.result);
    plan.box[ring.dim] = ring.getSize();
  }
  return plan;
}

} // namespace streamtensor::itensor
