//===- MemoriesTest.cpp - Blocks of memories by hand ----------------------===//

#include "streamtensor/Schedule/Memories.h"

#include "gtest/gtest.h"

using namespace streamtensor;
using namespace streamtensor::schedule;

namespace {

const DeviceModel &device() {
  static DeviceModel model = llvm::cantFail(DeviceModel::load(DEVICES "/u55c.json"));
  return model;
}

/// A flip-flop holds a bit; who reads one of several words has half a LUT a bit to select it.
TEST(Memories, RegistersSelectOneOfSeveral) {
  for (int64_t depth : {1, 2, 3}) {
    Resources used = countBanks({3, depth, 8}, MemoryKind::Registers, device());
    EXPECT_EQ(used.ff, 24 * depth);
    EXPECT_EQ(used.lut, depth == 1 ? 0 : 12 * depth);
  }
}

/// UG574: an SRLC32E shifts 32 bits in a LUT.
TEST(Memories, LutsShiftBits) {
  auto luts = [](int64_t depth) {
    return countBanks({2, depth, 5}, MemoryKind::ShiftRegister, device()).lut;
  };
  EXPECT_EQ(luts(32), 10);
  EXPECT_EQ(luts(33), 20);
}

/// UG574: eight LUTs, one of them for the write, hold 64 words of 7 bits or 32 of 14; what is left
/// of a width takes 2, 4 or 8. More than 64 words are read through multiplexers.
TEST(Memories, LutsHoldBits) {
  auto luts = [](int64_t width, int64_t depth, int64_t reads = 1) {
    return countBanks({2, depth, width, reads}, MemoryKind::LUTRAM, device()).lut / 2;
  };
  EXPECT_EQ(luts(7, 64), 8);
  EXPECT_EQ(luts(14, 32), 8);
  EXPECT_EQ(luts(14, 33), 16);
  EXPECT_EQ(luts(8, 64), 10);  // RAM64M8 and RAM64X1D
  EXPECT_EQ(luts(10, 64), 12); // and RAM64M
  EXPECT_EQ(luts(11, 64), 16);
  EXPECT_EQ(luts(8, 32), 8);
  EXPECT_EQ(luts(6, 32), 4);
  EXPECT_EQ(luts(16, 32), 10);
  EXPECT_EQ(luts(32, 64), 4 * 8 + 8);
  EXPECT_EQ(luts(32, 65), 40 + 20 + 32 / 2.0);
  EXPECT_EQ(luts(32, 97), 2 * 40 + 32 / 2.0);
  EXPECT_EQ(luts(32, 256), 4 * 40 + 32);
  EXPECT_EQ(luts(32, 64, 3), 3 * 40); // each read has the words for itself
  // KohakuTPU, synthesised by Vivado: 592, 1,444, 2,887.
  EXPECT_EQ(luts(515, 64), 592);
  EXPECT_EQ(luts(515, 128), 1441.5);
  EXPECT_EQ(luts(515, 256), 2883);
}

/// UG573: a RAMB36 is 72 bits wide and 512 words deep, 36 and 1,024, ..., 1 and 32,768; up to 36
/// bits wide it is two halves of half the depth. An URAM is 72 bits wide and 4,096 words deep.
TEST(Memories, BlocksHaveShapes) {
  auto blocks = [](int64_t width, int64_t depth) {
    return countBanks({3, depth, width}, MemoryKind::BRAM, device()).bram36 / 3;
  };
  EXPECT_EQ(blocks(72, 512), 1);
  EXPECT_EQ(blocks(73, 512), 1.5);
  EXPECT_EQ(blocks(72, 513), 2);
  EXPECT_EQ(blocks(36, 512), 0.5);
  EXPECT_EQ(blocks(37, 512), 1);
  EXPECT_EQ(blocks(36, 513), 1);
  EXPECT_EQ(blocks(18, 1024), 0.5);
  EXPECT_EQ(blocks(1, 16384), 0.5);
  EXPECT_EQ(blocks(1, 16385), 1);
  EXPECT_EQ(blocks(1, 32769), 1.5);
  auto ultra = [](int64_t width, int64_t depth) {
    return countBanks({3, depth, width}, MemoryKind::URAM, device()).uram / 3;
  };
  EXPECT_EQ(ultra(1, 1), 1);
  EXPECT_EQ(ultra(72, 4096), 1);
  EXPECT_EQ(ultra(73, 4096), 2);
  EXPECT_EQ(ultra(72, 4097), 2);
}

/// Where both ports read, or both write, a block RAM has 36 bits, and half of one 18; UltraRAM has
/// its 72.
TEST(Memories, PortsAlikeAreNarrower) {
  auto blocks = [](int64_t width, int64_t depth) {
    return countBanks({3, depth, width, /*reads=*/2}, MemoryKind::BRAM, device()).bram36 / 3;
  };
  EXPECT_EQ(blocks(18, 1024), 0.5);
  EXPECT_EQ(blocks(32, 512), 1);     // two halves of 18 bits
  EXPECT_EQ(blocks(72, 512), 2);     // not one of 72
  EXPECT_EQ(blocks(512, 192), 14.5); // 29 halves
  EXPECT_EQ(countBanks({1, 4096, 72, 1, 2}, MemoryKind::URAM, device()).uram, 1);
}

/// The least share of the card: what has one word is registers, what is short LUTs, which count
/// twice.
TEST(Memories, TheSmallestShareIsChosen) {
  EXPECT_EQ(chooseKind({1, 1, 32}, device()), MemoryKind::Registers);
  EXPECT_EQ(chooseKind({1, 2, 32}, device()), MemoryKind::LUTRAM);
  // Half a RAMB36 of 2,016: between twice 159 and twice 171 of 1,304,000 LUTs.
  EXPECT_EQ(chooseKind({1, 5 * 64 + 32, 18}, device()), MemoryKind::LUTRAM);
  EXPECT_EQ(chooseKind({1, 5 * 64 + 33, 18}, device()), MemoryKind::BRAM);
  // An URAM of 960, or 2 RAMB36 and 3.
  EXPECT_EQ(chooseKind({1, 4096, 18}, device()), MemoryKind::BRAM);
  EXPECT_EQ(chooseKind({1, 4096, 22}, device()), MemoryKind::URAM);
}

/// FIFOs in blocks take URAM one by one, the one first that it spares most, as long as the scarcer
/// kind gains.
TEST(Memories, FifosSpareTheScarcerBlocks) {
  // 8 RAMB36 or an URAM, and 2 RAMB36 or an URAM: with the second one in URAM too, 2 of 720 are a
  // larger share than 1 of 720 and 2 of 1,512.
  Banks large = {1, 4096, 72}, small = {1, 4096, 18};
  using Kinds = llvm::SmallVector<MemoryKind>;
  EXPECT_EQ(chooseFifoKinds({large, small}, {}, device()),
            Kinds({MemoryKind::URAM, MemoryKind::BRAM}));
  EXPECT_EQ(chooseFifoKinds({small, large}, {}, device()),
            Kinds({MemoryKind::BRAM, MemoryKind::URAM}));
  Resources others;
  others.uram = 600; // they are the scarcer, and stay so
  EXPECT_EQ(chooseFifoKinds({large, small}, others, device()),
            Kinds({MemoryKind::BRAM, MemoryKind::BRAM}));
}

/// 10 RAMB36 or two URAM, and 8 or one, whose URAM spares more: with 4 URAM in use both would be 7
/// of 720, more than the 5 and 10 of 1,512 that the second one leaves.
TEST(Memories, UramGoesWhereItSparesMost) {
  Banks wide = {1, 4096, 90}, deep = {1, 4096, 72};
  using Kinds = llvm::SmallVector<MemoryKind>;
  Resources others;
  others.uram = 4;
  EXPECT_EQ(chooseFifoKinds({wide, deep}, others, device()),
            Kinds({MemoryKind::BRAM, MemoryKind::URAM}));
}

/// 8 RAMB36 or one URAM. With room for 16 RAMB36 alone the second one goes there too; with room for
/// 7 either kind is one too many, and it stays what it is.
TEST(Memories, SingleFifosChangeKindsWhereThatLeavesLess) {
  Banks fifo = {1, 4096, 72};
  using Kinds = llvm::SmallVector<MemoryKind>;
  Resources room;
  Kinds kinds = {MemoryKind::BRAM, MemoryKind::URAM};
  room.bram36 = 16;
  dealBlocksSingly({fifo, fifo}, {}, room, device(), kinds);
  EXPECT_EQ(kinds, Kinds({MemoryKind::BRAM, MemoryKind::BRAM}));
  for (MemoryKind kind : {MemoryKind::BRAM, MemoryKind::URAM}) {
    kinds = {kind};
    room.bram36 = 7;
    dealBlocksSingly({fifo}, {}, room, device(), kinds);
    EXPECT_EQ(kinds, Kinds({kind}));
  }
}

/// 192 slots of 4,096 bits are 17,118 LUTs or 57 RAMB36, 64 slots of 1,024 bits 1,172 LUTs or 15:
/// four times as many LUTs for a block in the first. They go to blocks where more than three
/// quarters of the LUTs are taken, and a larger part of them than of the blocks, each to the kind
/// that is less scarce then: 57 RAMB36 are 4 % of them and 57 URAM 8 %; beside those 57, 15 URAM
/// are less.
TEST(Memories, WideFifosSpareLogicThatIsScarce) {
  Banks wide = {1, 192, 4096}, small = {1, 64, 1024};
  using Kinds = llvm::SmallVector<MemoryKind>;
  Resources placeable = device().getPlaceable();
  auto kindsWith = [&](double lut, double bram36, double uram = 0) {
    Resources others;
    others.lut = lut;
    others.bram36 = bram36;
    others.uram = uram;
    Kinds kinds = chooseFifoKinds({small, wide}, others, device());
    EXPECT_EQ(kinds, Kinds({MemoryKind::LUTRAM, MemoryKind::LUTRAM}));
    spareLogic({small, wide}, others, device(), kinds);
    return kinds;
  };
  double crowded = 0.75 * placeable.lut, fifos = 17118 + 1172 + 2 * device().fifo().controlLut;
  Kinds none = {MemoryKind::LUTRAM, MemoryKind::LUTRAM};
  Kinds both = {MemoryKind::URAM, MemoryKind::BRAM};
  Kinds first = {MemoryKind::LUTRAM, MemoryKind::BRAM};
  EXPECT_EQ(kindsWith(crowded - fifos, 0), none);
  EXPECT_EQ(kindsWith(crowded - fifos + 1, 0), first);
  EXPECT_EQ(kindsWith(crowded - fifos + 17118, 0), first);
  EXPECT_EQ(kindsWith(crowded - fifos + 17119, 0), both);
  // With 57 blocks more their share would be that of the LUTs, or with the 15 more.
  double even = (crowded + 20000) / placeable.lut * placeable.bram36;
  double evenUram = (crowded + 20000) / placeable.lut * placeable.uram;
  EXPECT_EQ(kindsWith(crowded + 20000 - fifos, even - 56, evenUram - 1),
            Kinds({MemoryKind::BRAM, MemoryKind::LUTRAM}));
  EXPECT_EQ(kindsWith(crowded + 20000 - fifos, even - 14, evenUram - 1), none);
  EXPECT_EQ(kindsWith(crowded + 20000 - fifos, even - 58, evenUram - 1), first);
  EXPECT_EQ(kindsWith(crowded + 20000 - fifos, even - 14, evenUram - 58),
            Kinds({MemoryKind::LUTRAM, MemoryKind::URAM}));
}

/// A FIFO lies in one die: it takes no more than half of its blocks where the other kind offers it.
TEST(Memories, AFifoLeavesHalfOfADie) {
  Resources most = device().getPlaceableInAnyDie(), others;
  others.uram = device().getPlaceable().uram; // so that nothing is gained
  auto kindOf = [&](int64_t blocks, int64_t width) {
    return chooseFifoKinds({{1, 512 * blocks, width}}, others, device()).front();
  };
  int64_t half = most.bram36 / 2;
  EXPECT_EQ(kindOf(half, 72), MemoryKind::BRAM);
  EXPECT_EQ(kindOf(half + 1, 72), MemoryKind::URAM);
  // 8 blocks of 512 words are as deep as one of 4,096.
  int64_t ultra = most.uram / 2;
  EXPECT_EQ(kindOf(8 * ultra, 72), MemoryKind::URAM);
  EXPECT_EQ(kindOf(8 * ultra + 1, 72), MemoryKind::BRAM);
}

/// Of what a design does not use, none need be there.
TEST(Memories, AShareIsThatOfTheScarcest) {
  Resources used, all;
  used.lut = 10;
  all.lut = 100;
  EXPECT_EQ(getShare(used, all), 0.1);
  all.dsp = 4;
  used.dsp = 2;
  EXPECT_EQ(getShare(used, all), 0.5);
  used.uram = 1;
  EXPECT_EQ(getShare(used, all), std::numeric_limits<double>::infinity());
}

} // namespace
