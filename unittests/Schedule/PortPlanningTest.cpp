//===- PortPlanningTest.cpp - Steps of planning external memory -----------===//

#include "../lib/Schedule/PortPlanning.h"
#include "ReferenceAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;
using namespace streamtensor::schedule;

namespace {

struct Parsed {
  Parsed(Parsed &&) = delete;
  explicit Parsed(const std::string &text) {
    context.loadDialect<DataflowDialect, arith::ArithDialect, vector::VectorDialect>();
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    if (module)
      design = *module->getOps<DesignOp>().begin();
  }

  LeafOp leaf(StringRef name) {
    for (auto leaf : design.getOps<LeafOp>())
      if (leaf.getName() == name)
        return leaf;
    return {};
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  DesignOp design;
};

//===----------------------------------------------------------------------===//
// Traffic
//===----------------------------------------------------------------------===//

/// Reads 4,096 words of 64 bytes in bursts of 64, two in an iteration, and writes 2,048 words of 32
/// bytes in bursts of `burst`, `rounds` times.
std::string copyText(int64_t rounds, int64_t burst = 128) {
  constexpr const char *text = R"(
dataflow.design @copy {{
  %in = dataflow.interface "in" <bits = 512, read = 77, write = 7, gap = 5>
  %out = dataflow.interface "out" <bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %in : !dataflow.port<2048x32xf32>
  %y = dataflow.port out "y" via %out : !dataflow.port<2048x8xf32>
  dataflow.leaf "copy" compute [{0}, 2048] {{
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j) -> (j, 0)> {{words = #dataflow.words<count = 2, lanes = 16, used = 16, burst = 64, outstanding = 3>} : !dataflow.port<2048x32xf32> -> vector<1x32xf32>
    %w = vector.extract_strided_slice %v {{offsets = [0, 0], sizes = [1, 8], strides = [1, 1]} : vector<1x32xf32> to vector<1x8xf32>
    dataflow.store %w, %y affine_map<(i, j) -> (j, 0)> {{words = #dataflow.words<count = 1, lanes = 8, used = 8, burst = {1}, outstanding = 2>} : vector<1x8xf32>, !dataflow.port<2048x8xf32>
  }
})";
  return llvm::formatv(text, rounds, burst).str();
}

/// Leaves of so many iterations that none visits them move what those of few do, as often.
TEST(PortPlanning, LongLeavesMoveWholeBursts) {
  for (int64_t rounds : {1, 1 << 16}) {
    Parsed parsed(copyText(rounds));
    ASSERT_TRUE(parsed.design);
    FailureOr<Traffic> traffic = measureTraffic(parsed.design);
    ASSERT_TRUE(succeeded(traffic));
    ASSERT_EQ(traffic->size(), 2u);
    for (auto interface : parsed.design.getOps<InterfaceOp>()) {
      bool isRead = interface.getName() == "in";
      const WayTraffic &way = traffic->at({interface, isRead ? 0 : 1});
      EXPECT_EQ(way.bytes, rounds * (isRead ? 4096 * 64 : 2048 * 32)) << rounds;
      EXPECT_EQ(way.bursts, rounds * (isRead ? 4096 / 64 : 2048 / 128)) << rounds;
      EXPECT_EQ(way.mostBytes, 4096) << rounds; // 64 x 64 and 128 x 32
    }
  }
}

/// The last burst may be a part of one.
TEST(PortPlanning, PartsOfBurstsAreBursts) {
  Parsed parsed(copyText(1 << 16, /*burst=*/96));
  ASSERT_TRUE(parsed.design);
  FailureOr<Traffic> traffic = measureTraffic(parsed.design);
  ASSERT_TRUE(succeeded(traffic));
  auto out = llvm::to_vector(parsed.design.getOps<InterfaceOp>()).back();
  EXPECT_EQ(traffic->at({out, 1}).bursts, 1398102); // of 134,217,728 words
}

/// Bursts of 64 words and a gap of 5 begin every 69 cycles: one more while memory takes up to 69 to
/// answer, two more up to 138.
TEST(PortPlanning, BurstsAreOnTheWayUntilTheFirstIsAnswered) {
  EXPECT_EQ(countOutstanding(64, 69, 5), 2);
  EXPECT_EQ(countOutstanding(64, 70, 5), 3);
  EXPECT_EQ(countOutstanding(64, 138, 5), 3);
  EXPECT_EQ(countOutstanding(64, 0, 5), 1);
  EXPECT_EQ(countOutstanding(0.5, 8, 0), 9); // not two in a cycle
  EXPECT_EQ(countOutstanding(0.5, 8, 1), 7); // of 1.5 cycles
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// A load of vectors of 4 floats, 16 in a row, from `map` of a tensor of 4 x 128.
Parsed loadRows(StringRef map, StringRef body = "", StringRef counts = "") {
  constexpr const char *text = R"(
dataflow.design @rows {{
  %x = dataflow.port in "x" : !dataflow.port<4x128xf32>
  %scalar = dataflow.scalar "scalar" from 1 to 4 : index
  %f = dataflow.stream "f" : !dataflow.stream<vector<4xf32>>
  dataflow.leaf "load" load [4, 16] {2} {{
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %x affine_map<(l, i) -> ({0})> : !dataflow.port<4x128xf32> -> vector<1x4xf32>
    %v = vector.shape_cast %e : vector<1x4xf32> to vector<4xf32>
    {1}
    dataflow.stream_write %v, %f : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "take" compute [4, 16] {2} {{
  ^bb0(%l: index, %i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
  }
})";
  return Parsed(llvm::formatv(text, map, body, counts).str());
}

/// Tokens that follow one another are a word, if words begin where a multiple of them does and
/// nothing else is done with them.
TEST(PortPlanning, TokensThatFollowOneAnotherAreAWord) {
  auto canWiden = [](int64_t times, StringRef map, StringRef body = "", StringRef counts = "") {
    Parsed parsed = loadRows(map, body, counts);
    return parsed.design && canWidenWords(parsed.leaf("load"), times);
  };
  EXPECT_TRUE(canWiden(2, "l, i * 4"));
  EXPECT_TRUE(canWiden(4, "l, i * 4"));
  EXPECT_FALSE(canWiden(3, "l, i * 4"));     // of 16
  EXPECT_TRUE(canWiden(2, "l, i * 4 + 64")); // half a row further
  EXPECT_FALSE(canWiden(2, "l, i * 4 + 4")); // across words
  EXPECT_TRUE(canWiden(2, "l, i * 4 + 8"));
  EXPECT_FALSE(canWiden(4, "l, i * 4 + 8"));
  EXPECT_FALSE(canWiden(2, "l, i * 8")); // every other vector
  EXPECT_FALSE(canWiden(2, "l, 60 - i * 4"));
  EXPECT_FALSE(canWiden(2, "l, 0"));
  EXPECT_FALSE(canWiden(2, "l, i * 4", "%s = arith.addf %v, %v : vector<4xf32>"));
  EXPECT_TRUE(canWiden(2, "l, i * 4", "", "counts affine_map<()[s0] -> (s0, 16)> (%scalar)"));
  EXPECT_FALSE(canWiden(2, "l, i * 4", "", "counts affine_map<()[s0] -> (4, s0 * 4)> (%scalar)"));
}

//===----------------------------------------------------------------------===//
// Loads of the first round
//===----------------------------------------------------------------------===//

/// What `guard` reads is kept where `test` holds; `value` goes on.
std::string roundsText(StringRef counts, StringRef guard, StringRef test, StringRef select,
                       StringRef value) {
  constexpr const char *text = R"(
dataflow.design @rounds {{
  %x = dataflow.port in "x" : !dataflow.port<64x8xf32>
  %y = dataflow.port out "y" : !dataflow.port<24x64x8xf32>
  %rounds = dataflow.scalar "rounds" from 2 to 24 : index
  %f = dataflow.stream "f" : !dataflow.stream<vector<8xf32>>
  dataflow.leaf "load" load [64] {{
  ^bb0(%i: index):
    %e = dataflow.load %x affine_map<(i) -> (i, 0)> : !dataflow.port<64x8xf32> -> vector<1x8xf32>
    %v = vector.shape_cast %e : vector<1x8xf32> to vector<8xf32>
    dataflow.stream_write %v, %f : vector<8xf32>, !dataflow.stream<vector<8xf32>>
  }
  dataflow.leaf "enter" fork [24, 64] {0} {{
  ^bb0(%l: index, %i: index):
    %other = arith.constant dense<1.0> : vector<8xf32>
    %read = dataflow.stream_read %f when affine_set<(l, i) : ({1})> : !dataflow.stream<vector<8xf32>> -> vector<8xf32>
    %first = dataflow.test affine_set<(l, i) : ({2})>
    %kept = arith.select %first, {3} : vector<8xf32>
    %v = vector.shape_cast {4} : vector<8xf32> to vector<1x1x8xf32>
    dataflow.store %v, %y affine_map<(l, i) -> (l, i, 0)> : vector<1x1x8xf32>, !dataflow.port<24x64x8xf32>
  }
})";
  return llvm::formatv(text, counts, guard, test, select, value).str();
}

/// Does the load of this design come in each round, its reader without a guard?
bool isRepeated(const std::string &text) {
  Parsed parsed(text);
  if (!parsed.design) {
    ADD_FAILURE() << text;
    return false;
  }
  repeatLoads(parsed.design);
  EXPECT_TRUE(succeeded(parsed.module->verify())) << text;
  LeafOp load = parsed.leaf("load"), enter = parsed.leaf("enter");
  auto read = *enter.getBlock().getOps<StreamReadOp>().begin();
  bool repeats = load.getTrips() == ArrayRef<int64_t>{24, 64};
  if (repeats)
    EXPECT_TRUE(load.getScalars() == enter.getScalars() && load.getCounts() == enter.getCounts());
  else
    EXPECT_EQ(load.getTrips(), ArrayRef<int64_t>{64});
  EXPECT_EQ(repeats, !read.getGuard());
  return repeats;
}

/// A load can come in each round if a launch says how many there are, the first reads it, and all
/// others drop it.
TEST(PortPlanning, LoadsOfTheFirstRoundAreRepeated) {
  std::string counted = "counts affine_map<()[s0] -> (s0, 64)> (%rounds)";
  std::string kept = "%read, %other";
  EXPECT_TRUE(isRepeated(roundsText(counted, "l == 0", "l == 0", kept, "%kept")));
  EXPECT_FALSE(isRepeated(roundsText("", "l == 0", "l == 0", kept, "%kept")));
  EXPECT_FALSE(isRepeated(roundsText(counted, "l - 1 == 0", "l - 1 == 0", kept, "%kept")));
  EXPECT_FALSE(isRepeated(roundsText(counted, "l == 0", "l - 1 == 0", kept, "%kept")));
  EXPECT_FALSE(isRepeated(roundsText(counted, "l == 0", "l == 0", "%other, %read", "%kept")));
  EXPECT_FALSE(isRepeated(roundsText(counted, "l == 0", "l == 0", kept, "%read")));
  EXPECT_FALSE(isRepeated(roundsText(counted, "-l >= 0", "-l >= 0", kept, "%kept")));
}

/// `text` with `to` in place of `from`, which it holds.
std::string replaced(std::string text, StringRef from, StringRef to) {
  size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos);
  return text.replace(place, from.size(), to);
}

/// Nor can a leaf that does more than load, or gives what it loads to others too.
TEST(PortPlanning, OnlyLoadsAreRepeated) {
  std::string text = roundsText("counts affine_map<()[s0] -> (s0, 64)> (%rounds)", "l == 0",
                                "l == 0", "%read, %other", "%kept");
  EXPECT_FALSE(isRepeated(replaced(text, "load [64]", "compute [64]")));
  constexpr const char *reader = R"(
  dataflow.leaf "take" compute [64] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<vector<8xf32>> -> vector<8xf32>
  }
  dataflow.leaf "enter")";
  constexpr const char *write =
      "stream_write %v, %g : vector<8xf32>, !dataflow.stream<vector<8xf32>>\n    dataflow.";
  text = replaced(text,
                  "%f =", "%g = dataflow.stream \"g\" : !dataflow.stream<vector<8xf32>>\n  %f =");
  text = replaced(text, "  dataflow.leaf \"enter\"", reader);
  EXPECT_FALSE(isRepeated(replaced(text, "stream_write", std::string(write) + "stream_write")));
}

//===----------------------------------------------------------------------===//
// Parts that go to their FIFOs in turn
//===----------------------------------------------------------------------===//

/// A load of `tokens` tokens of as many parts as there are FIFOs, one of them to each.
std::string partsText(int64_t tokens, int64_t fifos) {
  std::string text = llvm::formatv(
      "dataflow.design @parts {{\n%x = dataflow.port in \"x\" : !dataflow.port<{0}x{1}xf32>\n",
      tokens, 4 * fifos);
  for (int64_t fifo = 0; fifo < fifos; ++fifo)
    text +=
        llvm::formatv("%f{0} = dataflow.stream \"f{0}\" : !dataflow.stream<vector<4xf32>>\n", fifo);
  text += llvm::formatv(R"(dataflow.leaf "load" load [{0}] {{
^bb0(%i: index):
  %e = dataflow.load %x affine_map<(i) -> (i, 0)> : !dataflow.port<{0}x{1}xf32> -> vector<1x{1}xf32>
  %v = vector.shape_cast %e : vector<1x{1}xf32> to vector<{1}xf32>
)",
                        tokens, 4 * fifos);
  for (int64_t fifo = 0; fifo < fifos; ++fifo)
    text += llvm::formatv(
        R"(  %p{0} = vector.extract_strided_slice %v {{offsets = [{1}], sizes = [4], strides = [1]} : vector<{2}xf32> to vector<4xf32>
  dataflow.stream_write %p{0}, %f{0} : vector<4xf32>, !dataflow.stream<vector<4xf32>>
)",
        fifo, 4 * fifo, 4 * fifos);
  text += llvm::formatv("}\ndataflow.leaf \"take\" compute [{0}] {{\n^bb0(%i: index):\n", tokens);
  for (int64_t fifo = 0; fifo < fifos; ++fifo)
    text +=
        llvm::formatv("  %t{0} = dataflow.stream_read %f{0} : !dataflow.stream<vector<4xf32>> -> "
                      "vector<4xf32>\n",
                      fifo);
  return text + "}\n}\n";
}

/// The rows in which each FIFO is written, in order, and the writes that this takes.
std::pair<std::vector<std::vector<int64_t>>, size_t> findRows(LeafOp leaf, int64_t fifos) {
  std::vector<std::vector<int64_t>> rows(fifos);
  auto writes = leaf.getBlock().getOps<StreamWriteOp>();
  int64_t turns = leaf.getTrips()[1];
  for (int64_t row = 0; row < leaf.getTrips()[0] * turns; ++row)
    for (StreamWriteOp write : writes) {
      int64_t fifo = 0;
      write.getFifo().getDefiningOp<StreamOp>().getName().drop_front().getAsInteger(10, fifo);
      if (!write.getGuard() || reference::isInside(*write.getGuard(), {row / turns, row % turns}))
        rows[fifo].push_back(row);
    }
  return {rows, llvm::range_size(writes)};
}

/// Part p of all lies in row p floordiv `parts` and is for FIFO p mod `fifos`, whatever the last
/// row holds. Where turns come out even nothing else is to be told of the last one.
TEST(PortPlanning, EachFifoIsWrittenInTheRowsOfItsParts) {
  for (auto [fifos, parts] :
       {std::pair(4, 3), std::pair(4, 2), std::pair(3, 2), std::pair(8, 6), std::pair(3, 3)}) {
    size_t ofEvenTurns = 0;
    for (int64_t tokens = 1; tokens <= 30; ++tokens) {
      Parsed parsed(partsText(tokens, fifos));
      ASSERT_TRUE(parsed.design);
      dealInTurn(parsed.leaf("load"), parts);
      std::vector<std::vector<int64_t>> expected(fifos);
      for (int64_t part = 0; part < tokens * fifos; ++part)
        expected[part % fifos].push_back(part / parts);
      auto [rows, writes] = findRows(parsed.leaf("load"), fifos);
      EXPECT_EQ(rows, expected) << tokens << " tokens of " << fifos << " parts, " << parts
                                << " a row";
      if (tokens % parts != 0)
        continue;
      if (ofEvenTurns == 0)
        ofEvenTurns = writes;
      EXPECT_EQ(writes, ofEvenTurns) << tokens << " tokens of " << fifos << " parts";
    }
  }
}

//===----------------------------------------------------------------------===//
// Loads that take turns
//===----------------------------------------------------------------------===//

/// A weight of which each of 4 x 256 iterations moves so many words to a leaf, in two FIFOs; `more`
/// stands in that leaf.
std::string weightText(const std::string &name, int64_t words, const std::string &more) {
  constexpr const char *text = R"(
  %{0}_a = dataflow.stream "{0}_a" : !dataflow.stream<vector<16xf32>>
  %{0}_b = dataflow.stream "{0}_b" : !dataflow.stream<vector<{3}xf32>>
  dataflow.leaf "{0}_load" load [4, 256] counts affine_map<()[s0] -> (s0, 256)> (%layers) {{
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %{0} affine_map<(l, i) -> (l, i * {1}, 0)> : !dataflow.port<4x{2}x16xf32> -> vector<1x{1}x16xf32>
    %f = vector.shape_cast %e : vector<1x{1}x16xf32> to vector<{4}xf32>
    %a = vector.extract_strided_slice %f {{offsets = [0], sizes = [16], strides = [1]} : vector<{4}xf32> to vector<16xf32>
    %b = vector.extract_strided_slice %f {{offsets = [16], sizes = [{3}], strides = [1]} : vector<{4}xf32> to vector<{3}xf32>
    dataflow.stream_write %a, %{0}_a : vector<16xf32>, !dataflow.stream<vector<16xf32>>
    dataflow.stream_write %b, %{0}_b : vector<{3}xf32>, !dataflow.stream<vector<{3}xf32>>
  }
  dataflow.leaf "{0}_take" compute [4, 256] counts affine_map<()[s0] -> (s0, 256)> (%layers) {{
  ^bb0(%l: index, %i: index):
    %a = dataflow.stream_read %{0}_a : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %b = dataflow.stream_read %{0}_b : !dataflow.stream<vector<{3}xf32>> -> vector<{3}xf32>
    {5}
  })";
  return llvm::formatv(text, name, words, 256 * words, 16 * (words - 1), 16 * words, more).str();
}

/// Two weights of so many words; if one hands on, both are taken at the same time. `others` tensors
/// of one word beside them.
std::string weightsText(int64_t first, int64_t second, bool handsOn, int64_t others = 0) {
  std::string text = "dataflow.design @weights {\n";
  for (auto [name, words] : {std::pair("v", first), std::pair("w", second)})
    text += llvm::formatv("%{0} = dataflow.port in \"{0}\" : !dataflow.port<4x{1}x16xf32>\n", name,
                          256 * words);
  for (int64_t number = 0; number < others; ++number)
    text += llvm::formatv("%x{0} = dataflow.port in \"x{0}\" : !dataflow.port<64xf32>\n", number);
  text += "%layers = dataflow.scalar \"layers\" from 1 to 4 : index\n";
  std::string type = "!dataflow.stream<vector<16xf32>>", write, read;
  if (handsOn) {
    text += "%hand = dataflow.stream \"hand\" : " + type;
    write = "dataflow.stream_write %a, %hand : vector<16xf32>, " + type;
    read = "%h = dataflow.stream_read %hand : " + type + " -> vector<16xf32>";
  }
  for (int64_t number = 0; number < others; ++number)
    text += llvm::formatv(R"(
  %f{0} = dataflow.stream "f{0}" : !dataflow.stream<f32>
  dataflow.leaf "load{0}" load [64] {{
  ^bb0(%i: index):
    %e = dataflow.load %x{0} affine_map<(i) -> (i)> : !dataflow.port<64xf32> -> f32
    dataflow.stream_write %e, %f{0} : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "take{0}" compute [64] {{
  ^bb0(%i: index):
    %e = dataflow.stream_read %f{0} : !dataflow.stream<f32> -> f32
  })",
                          number);
  return text + weightText("v", first, write) + weightText("w", second, read) + "\n}\n";
}

DeviceModel loadDevice() {
  llvm::Expected<DeviceModel> device = DeviceModel::load(DEVICES "/u55c.json");
  return llvm::cantFail(std::move(device));
}

/// The least masters of the plan in turn, beyond one for each of two weights.
int64_t countMastersInTurn(int64_t first, int64_t second, bool handsOn) {
  Parsed parsed(weightsText(first, second, handsOn));
  if (!parsed.design) {
    ADD_FAILURE() << weightsText(first, second, handsOn);
    return -1;
  }
  return planStripes(parsed.design, loadDevice()).back().masters;
}

/// In turn, two weights have the masters of the wider one, 8 of which each has a word of a row.
/// Where the second would leave three quarters of them or more idle, or its task is at work
/// along with that of the first, each has masters of its own.
TEST(PortPlanning, WeightsTakeTurnsOnMastersThatAreBusy) {
  EXPECT_EQ(countMastersInTurn(8, 4, false), 8 - 2);
  EXPECT_EQ(countMastersInTurn(8, 2, false), 7 + 1);
  EXPECT_EQ(countMastersInTurn(8, 8, false), 8 - 2);
  EXPECT_EQ(countMastersInTurn(8, 8, true), 7 + 7);
  EXPECT_EQ(countMastersInTurn(16, 8, false), 16 - 2);
  EXPECT_EQ(countMastersInTurn(16, 4, false), 15 + 3);
  EXPECT_EQ(countMastersInTurn(16, 2, false), 15 + 1);
  // Of 9 and 10 words no more than one and two are in equal parts of a row.
  EXPECT_EQ(countMastersInTurn(10, 2, false), 1 + 1);
  EXPECT_EQ(countMastersInTurn(9, 2, false), 0 + 1);
}

/// The masters of each plan for loads side by side.
std::vector<int64_t> countMastersOfPlans(int64_t first, int64_t second) {
  Parsed parsed(weightsText(first, second, /*handsOn=*/false));
  std::vector<int64_t> masters;
  for (const StripePlan &plan : planStripes(parsed.design, loadDevice()))
    if (plan.isDealt())
      masters.push_back(plan.beside.countMasters());
  return masters;
}

/// No number of masters with which loads can be dealt is left out, down to those of the widest load
/// or half of the card's: of 6 and 2 words in an iteration, in two sequences, 2 + 2 and 2 + 1.
TEST(PortPlanning, PlansAreThereForEachNumberOfMasters) {
  using Counts = std::vector<int64_t>;
  EXPECT_EQ(countMastersOfPlans(6, 2), Counts({4, 3}));
  EXPECT_EQ(countMastersOfPlans(6, 20), Counts({6, 5}));
  EXPECT_EQ(countMastersOfPlans(20, 12), Counts({8, 6, 4}));
  EXPECT_EQ(countMastersOfPlans(32, 16), Counts({32, 24, 16}));
}

/// The masters of both weights beside eight that others have, of 32.
std::pair<size_t, size_t> dealMasters(int64_t first, int64_t second) {
  DeviceModel device = loadDevice();
  Parsed parsed(weightsText(first, second, /*handsOn=*/true, /*others=*/8));
  EXPECT_TRUE(parsed.design &&
              stripeLoads(parsed.design, device, planStripes(parsed.design, device).back()));
  auto count = [&](StringRef name) {
    for (auto port : parsed.design.getOps<PortOp>())
      if (port.getName() == name)
        return port.getInterfaces().size();
    return size_t(0);
  };
  return {count("v"), count("w")};
}

/// The one that takes longer has the more; of equals, the one that shares no masters: "v" takes
/// turns with whatever else a launch passes once.
TEST(PortPlanning, TheSlowestSequenceGetsTheNextMasters) {
  EXPECT_EQ(dealMasters(32, 32), std::pair(size_t(8), size_t(16)));
  EXPECT_EQ(dealMasters(16, 32), std::pair(size_t(8), size_t(16)));
  EXPECT_EQ(dealMasters(32, 16), std::pair(size_t(16), size_t(8)));
  EXPECT_EQ(dealMasters(16, 16), std::pair(size_t(8), size_t(16)));
  EXPECT_EQ(dealMasters(8, 8), std::pair(size_t(8), size_t(8)));
}

} // namespace
