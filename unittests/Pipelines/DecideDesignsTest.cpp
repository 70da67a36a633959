//===- DecideDesignsTest.cpp - Which of several ways is taken -------------===//

#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Program/IR/Program.h"
#include "streamtensor/Pipelines/Phases.h"
#include "streamtensor/Pipelines/Pipeline.h"
#include "streamtensor/Pipelines/Registration.h"
#include "streamtensor/Transforms/Tile/Passes.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace streamtensor;

namespace {

/// One launch writes two rows of what the next one reads.
constexpr StringLiteral program = R"(
#rows = affine_map<(r, c) -> (r, c)>
func.func @main(%cache: tensor<16x16xf32> {streamtensor.name = "cache"},
                %x: tensor<2x16xf32> {streamtensor.name = "x"}) ->
    (tensor<16x16xf32>, tensor<2x16xf32> {streamtensor.into = "cache", streamtensor.at = "position"}) {
  %e = tensor.empty() : tensor<16x16xf32>
  %doubled = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%cache : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<16x16xf32>
  %f = tensor.empty() : tensor<2x16xf32>
  %new = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x16xf32>) outs(%f : tensor<2x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x16xf32>
  return %doubled, %new : tensor<16x16xf32>, tensor<2x16xf32>
}
)";

/// Leaves the new rows to the host.
struct ReturnRows : PassWrapper<ReturnRows, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReturnRows)
  void runOnOperation() override {
    Builder builder(&getContext());
    getOperation().setResultAttrs(1, DictionaryAttr::get(&getContext()));
  }
};

BuildPasses decide(int64_t tileSize, bool inPlace) {
  DecideTilingOptions options;
  options.tileSize = tileSize;
  options.unroll = 16;
  return [options, inPlace](OpPassManager &passes) {
    passes.addNestedPass<func::FuncOp>(createDecideTiling(options));
    if (!inPlace)
      passes.addNestedPass<func::FuncOp>(std::make_unique<ReturnRows>());
  };
}

void lower(OpPassManager &passes) {
  PipelineOptions options;
  options.startAfter = "decide";
  options.stopAfter = "stream";
  llvm::cantFail(buildPipeline(passes, options));
  buildSchedulePasses(passes);
}

class DecideDesigns : public ::testing::Test {
protected:
  DecideDesigns() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// Is a way taken that writes the rows in place?
  bool writesInPlace(std::vector<BuildPasses> of) {
    std::vector<DecisionWay> ways;
    for (BuildPasses &way : of)
      ways.push_back({std::move(way), /*suitsCaches=*/true});
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
    EXPECT_TRUE(succeeded(dataflow::attachDevice(*module, DEVICES "/u55c.json")));
    PassManager passes(&context);
    passes.addPass(createDecideDesigns(std::move(ways), lower, /*lanes=*/16));
    EXPECT_TRUE(succeeded(passes.run(*module)));
    auto function = *module->getOps<func::FuncOp>().begin();
    return !function.getResultAttrs(1).empty();
  }

  MLIRContext context;
};

TEST_F(DecideDesigns, WhatTheFirstWayDoesIsNotLeftToTheHost) {
  EXPECT_TRUE(writesInPlace({decide(4, true), decide(16, false)}));
}

TEST_F(DecideDesigns, WhereTheFirstLeavesItTheCheapestIsTaken) {
  EXPECT_FALSE(writesInPlace({decide(16, false), decide(4, true)}));
  EXPECT_TRUE(writesInPlace({decide(4, false), decide(16, true)}));
}

} // namespace
