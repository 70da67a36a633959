//===- GreedyRewrite.cpp - Rewrite until nothing changes ------------------===//

#include "streamtensor/Transforms/GreedyRewrite.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

constexpr int64_t maxRounds = 10000, maxRewrites = 10'000'000;

LogicalResult streamtensor::rewriteToFixpoint(Operation *op, RewritePatternSet patterns) {
  GreedyRewriteConfig config;
  config.setMaxIterations(maxRounds).setMaxNumRewrites(maxRewrites);
  if (succeeded(applyPatternsGreedily(op, std::move(patterns), config)))
    return success();
  return op->emitError("rewriting did not come to an end: two patterns of this pass undo each "
                       "other; please report the program");
}
