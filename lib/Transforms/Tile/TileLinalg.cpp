//===- TileLinalg.cpp - Tile each linalg op -------------------------------===//
//
//   %r = linalg.generic ins(%a, %b) outs(%c)
// becomes
//   %r = scf.for %i = 0 to N step 16 iter_args(%o = %c) {
//     scf.for %k = 0 to K step 16 ... {
//       tensor.extract_slice ..., linalg.generic {dataflow.unroll = ...}, tensor.insert_slice
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Conversion/Passes.h"
#include "streamtensor/Transforms/Tile/DimensionClasses.h"
#include "streamtensor/Transforms/Tile/LoopOrder.h"
#include "streamtensor/Transforms/Tile/UnrollBudget.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace streamtensor {
#define GEN_PASS_DEF_TILELINALG
#include "streamtensor/Conversion/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;

static LogicalResult tileOp(RewriterBase &rewriter, linalg::GenericOp op, ArrayRef<int64_t> tiles,
                            ArrayRef<unsigned> order) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<OpFoldResult> sizes;
  bool hasLoops = false;
  for (auto [range, tile] : llvm::zip_equal(ranges, tiles)) {
    bool isTiled = tile < range;
    sizes.push_back(rewriter.getIndexAttr(isTiled ? tile : 0));
    hasLoops |= isTiled;
  }
  if (!hasLoops)
    return success();
  scf::SCFTilingOptions options;
  options.setTileSizes(sizes);
  options.setInterchange(SmallVector<int64_t>(order.begin(), order.end()));
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled))
    return op.emitError("cannot be tiled; please report this op with its shapes");
  rewriter.replaceOp(op, tiled->replacements);
  return success();
}

namespace {
struct TileLinalgPass : streamtensor::impl::TileLinalgBase<TileLinalgPass> {
  using TileLinalgBase::TileLinalgBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (tileSize < 1 || unroll < 1) {
      function.emitError("tile-size and unroll must be at least 1");
      return signalPassFailure();
    }
    DimensionClasses classes(function, tileSize);
    LoopOrders orders = chooseLoopOrders(function, classes, converterRule);
    UnrollFactors unrolls = shareUnrollBudget(function, classes, unroll);
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops(function.getOps<linalg::GenericOp>());
    // Tiling replaces values that the classes know: ask for all tiles before.
    SmallVector<SmallVector<int64_t>> tiles;
    for (linalg::GenericOp op : ops)
      tiles.push_back(classes.getLoopTiles(op));
    for (auto [op, opTiles] : llvm::zip_equal(ops, tiles)) {
      SmallVector<unsigned> order = orders[op];
      op->setAttr("dataflow.unroll", rewriter.getDenseI64ArrayAttr(unrolls[op]));
      if (failed(tileOp(rewriter, op, opTiles, order)))
        return signalPassFailure();
    }
  }
};
} // namespace
