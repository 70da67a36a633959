//===- DeviceModelTest.cpp - The cost table's laws ------------------------===//

#include "streamtensor/Support/DeviceModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace streamtensor;

namespace {

class DeviceModelTest : public ::testing::Test {
protected:
  DeviceModelTest() : device(llvm::cantFail(DeviceModel::load(DEVICES "/u55c.json"))) {
    context.loadDialect<arith::ArithDialect, math::MathDialect, vector::VectorDialect>();
  }

  /// Cost of the last operation of `text`.
  std::optional<OpCost> costOfLast(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    return device.lookUp(&module->getBody()->back());
  }

  DeviceModel device;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(DeviceModelTest, VectorsMultiplyResourcesNotLatency) {
  auto cost = costOfLast("%a = arith.constant dense<1.0> : vector<2x8xf32>\n"
                         "%b = arith.addf %a, %a : vector<2x8xf32>");
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->cycles, 6);
  EXPECT_DOUBLE_EQ(cost->dsp, 16 * 2);
}

TEST_F(DeviceModelTest, AMultiplyAddOfFloatTakesFiveDsps) {
  auto cost = costOfLast("%a = arith.constant 1.0 : f32\n%b = math.fma %a, %a, %a : f32");
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->cycles, 9);
  EXPECT_DOUBLE_EQ(cost->dsp, 5);
}

TEST_F(DeviceModelTest, ExtendedOperandsMultiplyAtTheirOwnWidth) {
  auto narrow = costOfLast("%a = arith.constant 1 : i4\n%b = arith.constant 1 : i8\n"
                           "%c = arith.extsi %a : i4 to i32\n%d = arith.extsi %b : i8 to i32\n"
                           "%e = arith.muli %c, %d : i32");
  ASSERT_TRUE(narrow);
  EXPECT_DOUBLE_EQ(narrow->dsp, 0.5);
  auto wide = costOfLast("%a = arith.constant 1 : i32\n%b = arith.muli %a, %a : i32");
  ASSERT_TRUE(wide);
  EXPECT_DOUBLE_EQ(wide->dsp, 4);
}

TEST_F(DeviceModelTest, NarrowFloatsFallBackToFloat) {
  auto half = costOfLast("%a = arith.constant 1.0 : f16\n%b = math.exp %a : f16");
  auto single = costOfLast("%a = arith.constant 1.0 : f32\n%b = math.exp %a : f32");
  ASSERT_TRUE(half && single);
  EXPECT_EQ(half->cycles, single->cycles);
}

TEST_F(DeviceModelTest, EveryOperationOfALeafBodyHasACost) {
  for (StringRef op :
       {"math.tanh", "math.erf", "math.sin", "math.cos", "math.log", "math.sqrt", "math.rsqrt",
        "math.floor", "math.roundeven", "math.absf", "arith.negf", "math.atan", "math.log10"})
    for (StringRef type : {"f16", "bf16", "f32", "f64"}) {
      std::string text =
          ("%a = arith.constant 1.0 : " + type + "\n%b = " + op + " %a : " + type).str();
      EXPECT_TRUE(costOfLast(text)) << text;
    }
  EXPECT_TRUE(costOfLast("%a = arith.constant 1 : i8\n%b = math.ipowi %a, %a : i8"));
  EXPECT_TRUE(costOfLast("%a = arith.constant 1.0 : f32\n%b = math.atan2 %a, %a : f32"));
}

TEST(DeviceModel, TheErrorOfAnUnknownDeviceListsTheKnownOnes) {
  auto device = DeviceModel::load(DEVICES "/nosuch.json");
  ASSERT_FALSE(static_cast<bool>(device));
  setenv("STREAMTENSOR_DEVICES", DEVICES, 1);
  llvm::consumeError(device.takeError());
  auto again = DeviceModel::load("nosuch");
  ASSERT_FALSE(static_cast<bool>(again));
  std::string message = llvm::toString(again.takeError());
  EXPECT_NE(message.find("unknown device 'nosuch'"), std::string::npos) << message;
  EXPECT_NE(message.find("u55c"), std::string::npos) << message;
}

TEST(DeviceModel, OnChipIOLeavesExternalMemoryOut) {
  auto device = llvm::cantFail(DeviceModel::load(DEVICES "/u55c.json"));
  EXPECT_EQ(device.port().readLatency, 77);
  device.setOnChipIO();
  EXPECT_EQ(device.port().readLatency, device.memory("bram").readLatency);
  EXPECT_EQ(device.port().burstGap, 0);
}

} // namespace
