//===- Pipeline.cpp - Nests that are one flat pipeline --------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"

#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"
#include "streamtensor/Support/Affine.h"

#include "llvm/ADT/SetVector.h"

#include <set>

using namespace mlir;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

Operation *LeafOp::getLeafOperation() { return getOperation(); }
SmallVector<int64_t> LeafOp::getLoopTrips() { return SmallVector<int64_t>(getTrips()); }
Block &LeafOp::getOperations() { return getBlock(); }

LeafOp NestOp::getLeaf() { return cast<LeafOp>((*this)->getParentOp()); }
Operation *NestOp::getLeafOperation() { return (*this)->getParentOp(); }
SmallVector<int64_t> NestOp::getLoopTrips() {
  SmallVector<int64_t> trips(getLeaf().getTrips());
  llvm::append_range(trips, getTrips());
  return trips;
}
Block &NestOp::getOperations() { return getBlock(); }

NestOpInterface streamtensor::dataflow::getNest(Operation *op) {
  return cast<NestOpInterface>(op->getParentOp());
}

LeafOp streamtensor::dataflow::getLeaf(Operation *op) { return getNest(op).getLeaf(); }

LeafOp NestOpInterface::getLeaf() { return cast<LeafOp>(getLeafOperation()); }

static bool isOwnNest(NestOpInterface nest) { return isa<LeafOp>(nest); }

int64_t NestOpInterface::getNumOwnIterations() {
  unsigned shared = isOwnNest(*this) ? getLeaf().getSerialLevel() : getLeaf().getNumLoops();
  return llvm::product_of(ArrayRef<int64_t>(getLoopTrips()).drop_front(shared));
}

unsigned NestOpInterface::getNumSerialLoops() {
  LeafOp leaf = getLeaf();
  return isOwnNest(*this) || leaf.getTogether() ? leaf.getSerialLevel() : leaf.getNumLoops();
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

bool LeafOp::hasNests() {
  return !getBody().empty() && !getBlock().empty() && isa<NestOp>(getBlock().front());
}

SmallVector<NestOpInterface> LeafOp::getNests() {
  if (!hasNests())
    return {cast<NestOpInterface>(getOperation())};
  return llvm::map_to_vector(getBlock().getOps<NestOp>(), [](NestOp nest) {
    return cast<NestOpInterface>(nest.getOperation());
  });
}

std::vector<Pipeline> LeafOp::getPipelines() {
  if (getTogether())
    return {Pipeline{getNests()}};
  std::vector<Pipeline> pipelines;
  for (NestOpInterface nest : getNests())
    pipelines.push_back({{nest}});
  return pipelines;
}

bool LeafOp::isScheduled() {
  return llvm::all_of(getPipelines(), [](Pipeline pipeline) { return pipeline.getInterval() > 0; });
}

int64_t LeafOp::getNumIterations() {
  int64_t trips = 0;
  for (Pipeline pipeline : getPipelines())
    trips += pipeline.getNumIterations();
  unsigned serial = getNests().front().getNumSerialLoops();
  return trips * llvm::product_of(getTrips().take_front(serial));
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

Pipeline streamtensor::dataflow::getPipeline(Operation *op) {
  NestOpInterface nest = getNest(op);
  if (nest.getLeaf().getTogether())
    return {nest.getLeaf().getNests()};
  return {{nest}};
}

/// The operation that states interval, depth and limit.
template <typename Result, typename Function>
static Result visitSchedule(Pipeline &pipeline, Function visit) {
  if (auto nest = dyn_cast<NestOp>(*pipeline.nests.front()); nest && !nest.getLeaf().getTogether())
    return visit(nest);
  return visit(pipeline.getLeaf());
}

int64_t Pipeline::getInterval() {
  return visitSchedule<int64_t>(*this, [](auto op) { return op.getIi(); });
}

int64_t Pipeline::getDepth() {
  return visitSchedule<int64_t>(*this, [](auto op) { return op.getDepth(); });
}

StringRef Pipeline::getLimit() {
  return visitSchedule<StringRef>(*this, [](auto op) { return op.getLimit().value_or(""); });
}

void Pipeline::setSchedule(int64_t interval, int64_t depth, StringRef limit) {
  visitSchedule<void>(*this, [&](auto op) {
    op.setIi(interval);
    op.setDepth(depth);
    if (limit.empty())
      op.removeLimitAttr();
    else
      op.setLimit(limit);
  });
}

SmallVector<AccessOpInterface> Pipeline::getAccesses() { return getOps<AccessOpInterface>(); }

SmallVector<Operation *> Pipeline::getOperations() {
  SmallVector<Operation *> operations;
  for (NestOpInterface nest : nests)
    for (Operation &op : nest.getOperations())
      operations.push_back(&op);
  return operations;
}

int64_t Pipeline::getNumBlocks() {
  LeafOp leaf = getLeaf();
  if (!leaf.getTogether())
    return 1;
  return llvm::product_of(leaf.getTrips().drop_front(leaf.getSerialLevel()));
}

int64_t Pipeline::getLag(unsigned number) {
  auto nest = dyn_cast<NestOp>(*nests[number]);
  return nest ? nest.getLag() : 0;
}

SmallVector<int64_t> streamtensor::dataflow::getTripsAt(NestOpInterface nest,
                                                        ArrayRef<int64_t> scalars) {
  if (scalars.empty())
    return nest.getLoopTrips();
  MLIRContext *context = nest->getContext();
  SmallVector<AffineExpr> values = llvm::map_to_vector(
      scalars, [&](int64_t value) { return getAffineConstantExpr(value, context); });
  return llvm::map_to_vector(getCounts(nest), [&](AffineExpr count) {
    return cast<AffineConstantExpr>(count.replaceSymbols(values)).getValue();
  });
}

SmallVector<AffineExpr> streamtensor::dataflow::getChosenCounts(LeafOp leaf) {
  llvm::SmallSetVector<AffineExpr, 4> chosen;
  for (NestOpInterface nest : leaf.getNests()) {
    SmallVector<AffineExpr> counts = getCounts(nest);
    for (AffineExpr count : llvm::drop_begin(counts, leaf.getSerialLevel()))
      if (!isa<AffineConstantExpr>(count))
        chosen.insert(count);
  }
  return chosen.takeVector();
}

/// Scalars that decide none of `counts` have their largest value.
std::optional<SmallVector<SmallVector<int64_t>>>
streamtensor::dataflow::getCountChoices(LeafOp leaf) {
  constexpr size_t mostChoices = 64;
  constexpr int64_t mostValues = 65536;
  SmallVector<AffineExpr> counts = getChosenCounts(leaf);
  SmallVector<IndexRange> ranges = getScalarRanges(leaf);
  int64_t numValues = 1;
  for (auto [symbol, range] : llvm::enumerate(ranges)) {
    if (llvm::none_of(counts, [&](AffineExpr count) { return count.isFunctionOfSymbol(symbol); }))
      range.low = range.high;
    if (range.getSize() > mostValues / numValues)
      return std::nullopt;
    numValues *= range.getSize();
  }
  std::set<SmallVector<int64_t>> seen;
  SmallVector<SmallVector<int64_t>> choices;
  for (int64_t number = 0; number < numValues; ++number) {
    SmallVector<int64_t> scalars;
    int64_t rest = number;
    for (IndexRange range : ranges) {
      scalars.push_back(range.low + rest % range.getSize());
      rest /= range.getSize();
    }
    if (!seen.insert(llvm::map_to_vector(
                         counts, [&](AffineExpr count) { return evaluate(count, {}, scalars); }))
             .second)
      continue;
    if (seen.size() > mostChoices)
      return std::nullopt;
    choices.push_back(scalars);
  }
  return choices;
}

int64_t Pipeline::getOwnIterations(unsigned number) {
  NestOpInterface nest = nests[number];
  if (scalars.empty())
    return nest.getNumOwnIterations();
  SmallVector<int64_t> trips = getTripsAt(nest, scalars);
  return llvm::product_of(ArrayRef(trips).drop_front(getLeaf().getNumLoops()));
}

int64_t Pipeline::getStepLength(int64_t step) {
  int64_t longest = 0;
  for (unsigned number = 0; number < nests.size(); ++number)
    if (isActive(number, step))
      longest = std::max(longest, getOwnIterations(number));
  return longest;
}

/// Away from both ends all nests have work, so all steps are alike.
int64_t Pipeline::getLeastStepLength(int64_t first, int64_t last) {
  int64_t ends = getLag(nests.size() - 1) + 1, least = getStepLength(first);
  for (int64_t step = first; step <= last; ++step) {
    if (step == first + ends && last - ends > step)
      step = last - ends;
    least = std::min(least, getStepLength(step));
  }
  return least;
}

int64_t Pipeline::getNumIterations() {
  int64_t steps = getNumSteps();
  int64_t ends = std::min<int64_t>(steps, 2 * (getLag(nests.size() - 1) + 1));
  int64_t iterations = 0;
  for (int64_t step = 0; step < ends; ++step)
    iterations += getStepLength(step < ends / 2 ? step : steps - ends + step);
  return iterations + (steps - ends) * getStepLength(steps / 2);
}
