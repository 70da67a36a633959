//===- TilingLaws.cpp - What a kind of operation allows -------------------===//

#include "streamtensor/Transforms/Tile/TilingLaws.h"

#include "streamtensor/Analysis/AccessMap.h"

using namespace mlir;
using namespace streamtensor;
using dataflow::TilingFault;
using dataflow::TilingNumbers;

/// The loop along the last dimension of an access, if it is one.
static std::optional<unsigned> getLastLoop(AffineMap map) {
  if (map.getNumResults() == 0)
    return std::nullopt;
  if (auto dim = dyn_cast<AffineDimExpr>(map.getResults().back()))
    return dim.getPosition();
  return std::nullopt;
}

std::optional<unsigned> streamtensor::getRowLoop(linalg::LinalgOp op) {
  bool reduces = op.getNumReductionLoops() > 0 && op.getNumDpsInputs() > 0;
  AffineMap map = reduces ? op.getMatchingIndexingMap(op.getDpsInputOperand(0))
                          : op.getIndexingMapMatchingResult(op->getResult(0));
  std::optional<unsigned> last = getLastLoop(map);
  return last && canUnroll(op, *last) ? last : std::nullopt;
}

/// Lanes along `loop` are impossible: why, and where they are possible.
static TilingFault makeLaneFault(int64_t factor, unsigned loop, StringRef why,
                                 ArrayRef<int64_t> possible) {
  std::string where =
      llvm::join(llvm::map_range(possible, [](int64_t dim) { return std::to_string(dim); }), ", ");
  return {"[tiling.unroll]",
          llvm::formatv("is {0} for loop {1}, {2}; it can be 1 there, and more for {3}", factor,
                        loop, why, where.empty() ? "no loop" : "loop " + where)};
}

std::vector<int64_t> streamtensor::getLaneLoops(linalg::GenericOp generic) {
  auto op = cast<linalg::LinalgOp>(generic.getOperation());
  std::vector<int64_t> loops;
  bool isFree = isContraction(op);
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (isFree ? canUnroll(op, loop) : getRowLoop(op) == loop)
      loops.push_back(loop);
  return loops;
}

static std::optional<TilingFault> findUnrollFault(const TilingNumbers &numbers,
                                                  linalg::GenericOp generic) {
  std::vector<int64_t> possible = getLaneLoops(generic);
  bool isFree = isContraction(generic);
  for (auto [loop, factor] : llvm::enumerate(numbers.unroll))
    if (factor > 1 && !llvm::is_contained(possible, int64_t(loop)))
      return makeLaneFault(factor, loop,
                           isFree ? "along which the elements of a vector are no neighbours"
                                  : "yet an operation that multiplies nothing up takes its rows "
                                    "as they come",
                           possible);
  return std::nullopt;
}

std::optional<TilingFault> streamtensor::findTilingFault(const TilingNumbers &numbers,
                                                         linalg::GenericOp op) {
  // The op's laws first: whether a tile divides the extent matters before what divides the tile.
  if (std::optional<TilingFault> fault = dataflow::findFault(numbers, op))
    return fault;
  if (std::optional<TilingFault> fault = dataflow::findFault(numbers))
    return fault;
  return findUnrollFault(numbers, op);
}
