//===- MatrixRowsTest.cpp - Rows of matrices that come at once ------------===//

#include "streamtensor/Transforms/Tile/MatrixRows.h"

#include "gtest/gtest.h"

using namespace streamtensor;

namespace {

TEST(MatrixRowsTest, DivisorsAreTheLargestWithinTheLimit) {
  EXPECT_EQ(getLargestDivisor(390, 32), 30);
  EXPECT_EQ(getLargestDivisor(390, 390), 390);
  EXPECT_EQ(getLargestDivisor(390, 1000), 390);
  EXPECT_EQ(getLargestDivisor(389, 32), 1); // a prime
  EXPECT_EQ(getLargestDivisor(390, 1), 1);
}

/// 19 masters for a matrix, each with a word in each cycle, of which its channel brings 83 %: over
/// two masters for a word, 9 rows come in each cycle.
MatrixRows makeRows() {
  MatrixRows rows;
  rows.most = 19;
  rows.mostInHalves = 9;
  rows.sustained = 0.83;
  rows.word = 16;
  return rows;
}

TEST(MatrixRowsTest, AsManyRowsAsDivideThem) {
  // 15 are 12.5 in a cycle; in halves 6 would be.
  EXPECT_EQ(getRowsAtOnce(390, 1, makeRows()), 15);
  // 13 are 10.8 in a cycle; in halves one would be.
  EXPECT_EQ(getRowsAtOnce(403, 1, makeRows()), 13);
  EXPECT_EQ(getRowsAtOnce(190, 1, makeRows()), 19);
}

TEST(MatrixRowsTest, FewerRowsInHalvesWhereTheseComeSooner) {
  // 18 are 14.9 in a cycle, more than 9 in halves; but 10 are 8.3.
  EXPECT_EQ(getRowsAtOnce(90, 1, makeRows()), 18);
  MatrixRows rows = makeRows();
  rows.most = 10;
  EXPECT_EQ(getRowsAtOnce(90, 1, rows), 9);
  rows.sustained = 0.9; // as many in a cycle: more at once
  EXPECT_EQ(getRowsAtOnce(90, 1, rows), 10);
}

TEST(MatrixRowsTest, WordsOfARowTakeMastersEach) {
  // Rows of two words: 9 masters' worth of rows, and 4 in halves.
  EXPECT_EQ(getRowsAtOnce(390, 2, makeRows()), 6);
  EXPECT_EQ(getRowsAtOnce(27, 2, makeRows()), 9);
}

} // namespace
