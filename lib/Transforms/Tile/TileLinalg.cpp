//===- TileLinalg.cpp - Tile each linalg op as it says --------------------===//
//
//   %r = linalg.generic {dataflow.tiling = …} ins(%a, %b) outs(%c)
// becomes
//   %r = scf.for %i = 0 to N step 16 iter_args(%o = %c) {
//     scf.for %k = 0 to K step 16 ... {
//       tensor.extract_slice ..., linalg.generic {dataflow.tiling = …}, tensor.insert_slice
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/Passes.h"
#include "streamtensor/Transforms/Tile/TilingLaws.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace streamtensor {
#define GEN_PASS_DEF_TILELINALG
#include "streamtensor/Transforms/Tile/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;

static LogicalResult tileOp(RewriterBase &rewriter, linalg::GenericOp op,
                            dataflow::TilingAttr tiling) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<OpFoldResult> sizes;
  bool hasLoops = false;
  for (auto [range, tile] : llvm::zip_equal(ranges, tiling.getTile().asArrayRef())) {
    bool isTiled = tile < range;
    sizes.push_back(rewriter.getIndexAttr(isTiled ? tile : 0));
    hasLoops |= isTiled;
  }
  if (!hasLoops)
    return success();
  scf::SCFTilingOptions options;
  options.setTileSizes(sizes);
  options.setInterchange(tiling.getOrder().asArrayRef());
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
    IRRewriter rewriter(&getContext());
    for (auto op : llvm::to_vector(getOperation().getOps<linalg::GenericOp>())) {
      FailureOr<dataflow::TilingAttr> tiling = dataflow::requireTiling(op);
      if (failed(tiling) || failed(check(op, *tiling)) || failed(tileOp(rewriter, op, *tiling)))
        return signalPassFailure();
    }
  }

  static LogicalResult check(linalg::GenericOp op, dataflow::TilingAttr tiling) {
    std::optional<dataflow::TilingFault> fault = findTilingFault(getNumbers(tiling), op);
    return fault ? op.emitError(toString(*fault)) : success();
  }
};
} // namespace
