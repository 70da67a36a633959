//===- SizingComparisonTest.cpp - What a front of sizings is --------------===//

#include "streamtensor/Sizing/SizingComparison.h"

#include "gtest/gtest.h"
#include <rapidcheck.h>

using namespace streamtensor::sizing;

namespace {

ComparedSizing sized(double share, int64_t bits, int64_t cycles, bool isAccepted = true) {
  ComparedSizing sizing;
  sizing.share = share;
  sizing.bits = bits;
  sizing.cycles = cycles;
  sizing.isAccepted = isAccepted;
  return sizing;
}

/// Larger and slower, equally large and slower, equally fast and larger: each of these is beaten.
/// What may deadlock with another timing neither beats nor is listed.
TEST(SizingFront, ListsWhatNoOtherBeats) {
  std::vector<ComparedSizing> sizings = {
      sized(0.5, 100, 10),      sized(0.1, 20, 40), sized(0.1, 20, 50), sized(0.2, 30, 40),
      sized(0.01, 1, 1, false), sized(0.2, 40, 20), sized(0.3, 35, 30), ComparedSizing(),
  };
  EXPECT_EQ(findFront(sizings), (std::vector<size_t>{1, 5, 0}));
  EXPECT_TRUE(findFront({}).empty());
}

/// Slots in blocks that are taken anyway cost less than a further block.
TEST(SizingFront, BitsDecideWhereBlocksAreEqual) {
  EXPECT_EQ(findFront({sized(0.1, 30, 10), sized(0.1, 20, 10), sized(0.1, 25, 9)}),
            (std::vector<size_t>{1, 2}));
}

TEST(SizingFront, EachOtherIsBeatenByOneOfTheFront) {
  EXPECT_TRUE(rc::check([] {
    std::vector<ComparedSizing> sizings;
    for (int count = *rc::gen::inRange(0, 12); count > 0; --count)
      sizings.push_back(sized(*rc::gen::inRange(0, 5) / 4.0, *rc::gen::inRange(0, 5),
                              *rc::gen::inRange(0, 5), *rc::gen::inRange(0, 4) > 0));
    std::vector<size_t> front = findFront(sizings);
    auto memory = [&](size_t index) {
      return std::pair(sizings[index].share, sizings[index].bits);
    };
    for (size_t place = 1; place < front.size(); ++place) {
      RC_ASSERT(memory(front[place - 1]) < memory(front[place]));
      RC_ASSERT(*sizings[front[place - 1]].cycles > *sizings[front[place]].cycles);
    }
    for (size_t index = 0; index < sizings.size(); ++index) {
      bool isBeaten = llvm::any_of(front, [&](size_t other) {
        return memory(other) <= memory(index) && sizings[other].cycles <= sizings[index].cycles;
      });
      RC_ASSERT(isBeaten == sizings[index].isAccepted ||
                (isBeaten && !llvm::is_contained(front, index)));
    }
  }));
}

} // namespace
