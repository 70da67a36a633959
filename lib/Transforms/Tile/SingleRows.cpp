//===- SingleRows.cpp - Rows that pass one after the other ----------------===//
//
//   tile [4, 128] of 4 x 1024:  mean of rows 0 to 3 | variance of rows 0 to 3 | rows 0 to 3 scaled
//   tile [1, 128]:              mean of row 0 | mean of row 1      | mean of row 2 | …
//                                             | variance of row 0  | variance of row 1 | …
//
// A norm gives nothing of a row before it has seen it whole. If its tiles have a part of several
// rows, each of its passes waits until the one before has seen all of them; if they have a part of
// one, the second row's first pass runs beside the first row's second. The contraction behind takes
// tiles of all rows, from a converter's buffer of narrow elements.
//
// A contraction that gives its results piece by piece, as it ends them, feeds what takes them while
// it computes: there all rows pass together, piece by piece.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/SingleRows.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Transforms/Tile/DimensionClasses.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace streamtensor;

/// The outermost loop of the result, if a launch may have fewer trips of it than a tile, or, if
/// `ofPasses`, a tile is a pass of an engine. A loop through the tokens of several heads has a tile
/// for each of them: single rows would be one loop, of which no launch can have a part of each.
static std::optional<unsigned> getRowsLoop(linalg::LinalgOp op, const DimensionClasses &classes,
                                           bool ofPasses) {
  AffineMap result = op.getIndexingMapMatchingResult(op->getResult(0));
  if (isContraction(op) || result.getNumResults() == 0)
    return std::nullopt;
  auto outermost = dyn_cast<AffineDimExpr>(result.getResult(0));
  if (!outermost)
    return std::nullopt;
  SmallVector<int64_t> tiles = classes.getLoopTiles(op), least = classes.getLeast(op, tiles);
  unsigned loop = outermost.getPosition();
  bool isCounted = least[loop] < tiles[loop] && op.getStaticLoopRanges()[loop] == tiles[loop];
  bool isSingle = isCounted || (ofPasses && classes.goesThroughPasses(op, loop));
  return isSingle ? std::optional(loop) : std::nullopt;
}

llvm::DenseMap<Operation *, unsigned> streamtensor::findSingleRows(func::FuncOp function,
                                                                   const DimensionClasses &classes,
                                                                   const LoopOrders &orders,
                                                                   bool ofPasses) {
  DenseMap<Operation *, unsigned> rows; // Of what may have one in a tile: the loop over them.
  DenseSet<Operation *> fed;            // Piece by piece.
  SmallVector<Operation *> norms;
  llvm::EquivalenceClasses<Operation *> joined;
  function.walk([&](linalg::GenericOp generic) {
    linalg::LinalgOp op = generic;
    std::optional<unsigned> loop = getRowsLoop(op, classes, ofPasses);
    SmallVector<Operation *> writers;
    for (OpOperand *input : getDataInputs(op))
      if (Operation *writer = stripReshapes(input->get()).getDefiningOp())
        writers.push_back(writer);
    bool isFed = llvm::any_of(writers, [&](Operation *writer) { return fed.contains(writer); });
    if (isContraction(op) ? !givesAtEnd(op, classes, orders.at(op)) : isFed)
      fed.insert(op);
    if (!loop || isFed)
      return;
    rows[op] = *loop;
    joined.insert(op);
    for (Operation *writer : writers)
      if (rows.contains(writer))
        joined.unionSets(op, writer);
    bool isNorm = op.getNumReductionLoops() > 0 &&
                  op.getIndexingMapMatchingResult(op->getResult(0)).getNumResults() == 1;
    if (isNorm)
      norms.push_back(op);
  });
  DenseMap<Operation *, unsigned> single;
  for (auto [op, loop] : rows)
    if (llvm::any_of(norms, [&](Operation *norm) { return joined.isEquivalent(norm, op); }))
      single[op] = loop;
  return single;
}
