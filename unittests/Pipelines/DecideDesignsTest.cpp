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
constexpr StringLiteral cached = R"(
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

/// 4096 products.
constexpr StringLiteral product = R"(
func.func @main(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<16x16xf32>
  return %p : tensor<16x16xf32>
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

/// Counts the programs that pass.
struct CountRuns : PassWrapper<CountRuns, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountRuns)
  explicit CountRuns(int &runs) : runs(runs) {}
  void runOnOperation() override { ++runs; }
  int &runs;
};

BuildPasses decide(int64_t tileSize, int64_t lanes, bool inPlace = true) {
  DecideTilingOptions options;
  options.tileSize = tileSize;
  options.unroll = lanes;
  return [options, inPlace](OpPassManager &passes) {
    passes.addNestedPass<func::FuncOp>(createDecideTiling(options));
    if (!inPlace)
      passes.addNestedPass<func::FuncOp>(std::make_unique<ReturnRows>());
  };
}

class DecideDesigns : public ::testing::Test {
protected:
  DecideDesigns() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// The program as the way that is taken decides.
  OwningOpRef<ModuleOp> decideOn(StringRef program, const std::vector<BuildPasses> &of,
                                 int64_t unroll = 16) {
    std::vector<DecisionWay> ways;
    for (const BuildPasses &way : of)
      ways.push_back(
          {[way](OpPassManager &passes, ArrayRef<int64_t>) { way(passes); }, /*suitsCaches=*/true});
    auto lower = [this](OpPassManager &passes) {
      passes.addPass(std::make_unique<CountRuns>(lowered));
      PipelineOptions options;
      options.startAfter = "decide";
      options.stopAfter = "stream";
      llvm::cantFail(buildPipeline(passes, options));
      buildSchedulePasses(passes);
    };
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
    EXPECT_TRUE(succeeded(dataflow::attachDevice(*module, DEVICES "/u55c.json")));
    PassManager passes(&context);
    passes.addPass(createDecideDesigns(std::move(ways), lower,
                                       DecisionBudget{unroll, /*laneShare=*/100, /*padding=*/0}));
    EXPECT_TRUE(succeeded(passes.run(*module)));
    return module;
  }

  bool writesInPlace(const std::vector<BuildPasses> &of, int64_t unroll = 16) {
    OwningOpRef<ModuleOp> module = decideOn(cached, of, unroll);
    auto function = *module->getOps<func::FuncOp>().begin();
    return !function.getResultAttrs(1).empty();
  }

  int lowered = 0;
  MLIRContext context;
};

TEST_F(DecideDesigns, WhatTheFirstWayDoesIsNotLeftToTheHost) {
  EXPECT_TRUE(writesInPlace({decide(4, 16), decide(16, 16, /*inPlace=*/false)}));
}

TEST_F(DecideDesigns, WhereTheFirstLeavesItTheCheapestIsTaken) {
  EXPECT_FALSE(writesInPlace({decide(16, 16, /*inPlace=*/false), decide(4, 16)}));
  EXPECT_TRUE(writesInPlace({decide(4, 16, /*inPlace=*/false), decide(16, 16)}));
}

TEST_F(DecideDesigns, WhatMustBeSlowerIsNotLowered) {
  decideOn(product, {decide(16, 16), decide(16, 1), decide(16, 2)});
  EXPECT_EQ(lowered, 1);
}

TEST_F(DecideDesigns, WhatCanBeFastestIsLoweredBehindTheFirst) {
  decideOn(product, {decide(16, 1), decide(16, 2), decide(16, 16)});
  EXPECT_EQ(lowered, 2);
}

TEST_F(DecideDesigns, WhereTheDeviceDecidesLongProgramsAreTried) {
  decideOn(product, {decide(16, 1), decide(16, 2), decide(16, 16)}, /*unroll=*/0);
  EXPECT_EQ(lowered, 2);
}

TEST_F(DecideDesigns, WhereTheDeviceDecidesShortProgramsThatFitAreNot) {
  decideOn(product, {decide(16, 16), decide(16, 1)}, /*unroll=*/0);
  EXPECT_EQ(lowered, 1);
}

TEST_F(DecideDesigns, WhereTheDeviceDecidesShortProgramsThatAreTooLargeAreTried) {
  decideOn(product, {decide(16, 4096), decide(16, 1)}, /*unroll=*/0);
  EXPECT_EQ(lowered, 3); // The first twice: to see whether it fits, and as what others must beat.
}

TEST_F(DecideDesigns, WhereTheDeviceDecidesLanguageModelsAreNot) {
  std::string changing(product);
  StringRef type = "%a: tensor<16x16xf32>";
  changing.insert(changing.find(type) + type.size(), R"( {streamtensor.extents = ["length", ""]})");
  decideOn(changing, {decide(16, 1), decide(16, 16)}, /*unroll=*/0);
  EXPECT_EQ(lowered, 0);
}

} // namespace
