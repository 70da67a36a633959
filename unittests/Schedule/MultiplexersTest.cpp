//===- MultiplexersTest.cpp - Operators that a leaf states ----------------===//

#include "streamtensor/Schedule/Multiplexers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;
using namespace streamtensor::schedule;

namespace {

/// Squares two numbers of eight bits at once, on what `timing` says.
Resources countSquares(StringRef timing) {
  constexpr const char *text = R"(
dataflow.design @squares {{
  %s = dataflow.stream "s" : !dataflow.stream<vector<2xi8>, 2>
  dataflow.leaf "square" compute [8] {{
  ^bb0(%i: index):
    %v = dataflow.stream_read %s : !dataflow.stream<vector<2xi8>, 2> -> vector<2xi8>
    %w = arith.muli %v, %v {{{0}} : vector<2xi8>
  }
})";
  static DeviceModel device = llvm::cantFail(DeviceModel::load(DEVICES "/u55c.json"));
  MLIRContext context;
  context.loadDialect<DataflowDialect, arith::ArithDialect>();
  auto module = parseSourceString<ModuleOp>(llvm::formatv(text, timing).str(),
                                            ParserConfig(&context, /*verifyAfterParse=*/false));
  auto design = *module->getOps<DesignOp>().begin();
  return countOperators(*design.getOps<LeafOp>().begin(), device);
}

Resources countOn(StringRef name) {
  return countSquares(
      llvm::formatv("dataflow.timing = #dataflow.timing<at 1 for 3 on \"{0}\">", name).str());
}

/// Lanes that share no operand would have a DSP each; the leaf says what they are on.
TEST(Multiplexers, OperatorsAreThoseThatTheLeafStates) {
  EXPECT_EQ(countOn("mul_int").dsp, 2);
  EXPECT_EQ(countOn("mul_pair_int").dsp, 1);
  EXPECT_EQ(countOn("mul_pair_int").ff, 2 * 16 * 1.5);
  EXPECT_EQ(countOn("mul_cross_int").dsp, 1); // 0.5 of a DSP, of which there are whole ones
}

TEST(Multiplexers, OperatorsThatNobodyStatesCostNothing) { EXPECT_EQ(countSquares("").dsp, 0); }

} // namespace
