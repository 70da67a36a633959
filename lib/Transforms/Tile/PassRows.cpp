//===- PassRows.cpp - Rows between the passes of two products -------------===//
//
//   linear1:  rows 0 to 31 | rows 32 to 63 | …
//   gelu:      rows 0 to 31 | rows 32 to 63 | …
//   linear2:                                     rows 0 to 31 | rows 32 to 63 | …
//
// An engine for all products takes some of them in passes of a few tokens, each with all weights.
// What lies between two such products goes through the rows as they do. With tiles of all tokens it
// would need all of them in another order, and so would the product behind: a buffer for the whole
// matrix on either side.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/PassRows.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"

using namespace mlir;
using namespace streamtensor;

static std::optional<unsigned> getLoop(AffineMap map, unsigned dim) {
  auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
  return loop ? std::optional(loop.getPosition()) : std::nullopt;
}

namespace {
class PassRowsSearch {
public:
  PassRowsSearch(func::FuncOp function, const Engines &engines) : engines(engines) {
    for (auto op : function.getOps<linalg::GenericOp>())
      operations.push_back(op);
    for (linalg::LinalgOp op : operations)
      if (std::optional<PassRows> rows = getRowsOfTurn(op))
        ofProducts[op] = *rows;
  }

  DenseMap<Operation *, PassRows> find() {
    for (linalg::LinalgOp op : operations)
      if (std::optional<PassRows> rows = getRowsOfInputs(op))
        between[op] = *rows;
    // What one gives in another order, those behind it take in that order.
    auto isLeftOut = [&](auto &each) {
      auto op = cast<linalg::LinalgOp>(each.first);
      return getRowsOfInputs(op) != each.second || !isTakenAlike(op);
    };
    for (auto it = between.begin(); it != between.end();) {
      bool isOut = isLeftOut(*it);
      if (isOut)
        between.erase(it);
      it = isOut ? between.begin() : std::next(it);
    }
    return std::move(between);
  }

private:
  std::optional<PassRows> getRowsOfTurn(linalg::LinalgOp op) const {
    auto turn = engines.turns.find(op);
    std::optional<PassLoops> loops = getProductLoops(op);
    if (turn == engines.turns.end() || !loops || !loops->heads.empty() || !loops->tokens)
      return std::nullopt;
    PassRows rows = {*loops->tokens, turn->second.tile[*loops->tokens]};
    return rows.rows < op.getStaticLoopRanges()[rows.loop] ? std::optional(rows) : std::nullopt;
  }

  /// Of a product or of what lies between two.
  std::optional<PassRows> lookUp(Operation *op) const {
    if (auto rows = ofProducts.find(op); rows != ofProducts.end())
      return rows->second;
    auto rows = between.find(op);
    return rows == between.end() ? std::nullopt : std::optional<PassRows>(rows->second);
  }

  /// The loop of `use` that goes through the rows which `writer` gives.
  static std::optional<unsigned> follow(OpResult given, const PassRows &rows, OpOperand &use) {
    auto writer = cast<linalg::LinalgOp>(given.getOwner());
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!reader || cast<linalg::LinalgOp>(*reader).isDpsInit(&use))
      return std::nullopt;
    AffineMap map = writer.getIndexingMapMatchingResult(given);
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
      if (getLoop(map, dim) == rows.loop)
        return getLoop(reader.getMatchingIndexingMap(&use), dim);
    return std::nullopt;
  }

  std::optional<PassRows> getRowsOfInputs(linalg::LinalgOp op) const {
    if (isContraction(op))
      return std::nullopt;
    std::optional<PassRows> found;
    for (OpOperand *input : getDataInputs(op)) {
      if (isExternal(stripSlices(input->get())))
        continue;
      auto given = dyn_cast<OpResult>(input->get());
      std::optional<PassRows> rows = given ? lookUp(given.getOwner()) : std::nullopt;
      std::optional<unsigned> loop = rows ? follow(given, *rows, *input) : std::nullopt;
      if (!loop || (found && *found != PassRows{*loop, rows->rows}))
        return std::nullopt;
      found = {*loop, rows->rows};
    }
    bool isParallel = found && linalg::isParallelIterator(op.getIteratorTypesArray()[found->loop]);
    return isParallel ? found : std::nullopt;
  }

  /// Does all that takes the results of `op` go through its rows as it does?
  bool isTakenAlike(linalg::LinalgOp op) const {
    const PassRows &rows = between.at(op);
    return llvm::all_of(op->getResults(), [&](OpResult given) {
      return llvm::all_of(given.getUses(), [&](OpOperand &use) {
        std::optional<PassRows> then = lookUp(use.getOwner());
        return then && then->rows == rows.rows && follow(given, rows, use) == then->loop;
      });
    });
  }

  SmallVector<linalg::LinalgOp> operations;
  const Engines &engines;
  DenseMap<Operation *, PassRows> ofProducts, between;
};
} // namespace

DenseMap<Operation *, PassRows> streamtensor::findPassRows(func::FuncOp function,
                                                           const Engines &engines) {
  if (engines.turns.empty())
    return DenseMap<Operation *, PassRows>();
  return PassRowsSearch(function, engines).find();
}
