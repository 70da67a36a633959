//===- ComparisonTest.cpp - What counts as the same result ----------------===//

#include "streamtensor/Interpreter/Comparison.h"
#include "mlir/IR/Builders.h"

#include <gtest/gtest.h>

#include <limits>

using namespace mlir;
using namespace streamtensor::interpreter;

namespace {
struct ComparisonTest : testing::Test {
  Array makeFloats(std::initializer_list<float> values) {
    Array array{{static_cast<int64_t>(values.size())}, Builder(&context).getF32Type(), {}, {}};
    for (float value : values)
      array.words.push_back(Word::of(value));
    return array;
  }
  MLIRContext context;
};
} // namespace

TEST_F(ComparisonTest, BitsTellZerosApart) {
  EXPECT_TRUE(findDifference(makeFloats({0.0f}), makeFloats({-0.0f}), Agreement::Bits));
  EXPECT_FALSE(findDifference(makeFloats({0.0f}), makeFloats({-0.0f}), Agreement::Rounding));
}

TEST_F(ComparisonTest, ToleranceFollowsTheLargestValue) {
  EXPECT_FALSE(
      findDifference(makeFloats({1000, 1}), makeFloats({1000, 1.05f}), Agreement::Rounding));
  EXPECT_EQ(*findDifference(makeFloats({10, 1}), makeFloats({10, 1.05f}), Agreement::Rounding),
            "element [1] of result 0 is 1.04999995 instead of 1");
}

TEST_F(ComparisonTest, OneNaNIsAsGoodAsAnotherAndInfinityIsNot) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  float infinity = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(findDifference(makeFloats({nan}), makeFloats({-nan}), Agreement::Bits));
  EXPECT_TRUE(findDifference(makeFloats({nan}), makeFloats({1}), Agreement::Rounding));
  EXPECT_TRUE(findDifference(makeFloats({infinity}), makeFloats({1e30f}), Agreement::Rounding));
  EXPECT_TRUE(findDifference(makeFloats({1e30f}), makeFloats({infinity}), Agreement::Rounding));
}

TEST_F(ComparisonTest, DigestsFollowBits) {
  EXPECT_EQ(getDigest(makeFloats({1, 2})), getDigest(makeFloats({1, 2})));
  EXPECT_NE(getDigest(makeFloats({1, 2})), getDigest(makeFloats({2, 1})));
  EXPECT_NE(getDigest(makeFloats({0.0f})), getDigest(makeFloats({-0.0f})));
}

TEST_F(ComparisonTest, ShapesAndNumbersOfResultsCount) {
  EXPECT_TRUE(findDifference(makeFloats({1}), makeFloats({1, 1}), Agreement::Rounding));
  EXPECT_TRUE(findDifference({makeFloats({1})}, ArrayRef<Array>(), Agreement::Rounding));
}
