//===- ITensorTypeTest.cpp - What an itensor type says of itself ----------===//

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace mlir;
using streamtensor::itensor::ITensorType;

namespace {

struct ITensorTypeTest : testing::Test {
  ITensorTypeTest() { context.loadDialect<streamtensor::itensor::ITensorDialect>(); }

  ITensorType get(ArrayRef<int64_t> element, ArrayRef<int64_t> trips, ArrayRef<int64_t> steps,
                  ArrayRef<unsigned> permutation) {
    return ITensorType::get(element, Float32Type::get(&context), trips, steps,
                            AffineMap::getPermutationMap(permutation, &context));
  }

  MLIRContext context;
};

TEST_F(ITensorTypeTest, TransposedReadOfEightByEight) {
  ITensorType type = get({4, 2}, {4, 2}, {2, 4}, {1, 0});
  EXPECT_EQ(type.getNumTokens(), 8);
  EXPECT_EQ(type.getDataShape(), (SmallVector<int64_t>{8, 8}));
  EXPECT_EQ(type.getDataDimOf(0), 1u);
}

RC_GTEST_FIXTURE_PROP(ITensorTypeTest, ExactCoverHasAsManyElementsAsItsTokens, ()) {
  int64_t rows = *rc::gen::inRange(1, 9), columns = *rc::gen::inRange(1, 9);
  int64_t rowTrips = *rc::gen::inRange(1, 9), columnTrips = *rc::gen::inRange(1, 9);
  ITensorType type = get({rows, columns}, {rowTrips, columnTrips}, {rows, columns}, {0, 1});
  RC_ASSERT(type.getNumTokens() * type.getTokenElements() ==
            type.getDataShape()[0] * type.getDataShape()[1]);
}

} // namespace
