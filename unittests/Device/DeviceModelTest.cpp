//===- DeviceModelTest.cpp - The cost table's laws ------------------------===//

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Device/ScalarOperations.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
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
  std::optional<Operator> costOfLast(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    return device.operatorOf(&module->getBody()->back());
  }

  DeviceModel device;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(DeviceModelTest, VectorsMultiplyResourcesNotLatency) {
  auto cost = costOfLast("%a = arith.constant dense<1.0> : vector<2x8xf32>\n"
                         "%b = arith.addf %a, %a : vector<2x8xf32>");
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->latency, 6);
  EXPECT_DOUBLE_EQ(cost->dsp, 16 * 2);
}

TEST_F(DeviceModelTest, AMultiplyAddOfFloatTakesFiveDsps) {
  auto cost = costOfLast("%a = arith.constant 1.0 : f32\n%b = math.fma %a, %a, %a : f32");
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->latency, 9);
  EXPECT_DOUBLE_EQ(cost->dsp, 5);
}

TEST_F(DeviceModelTest, ExtendedOperandsMultiplyAtTheirOwnWidth) {
  auto narrow = costOfLast("%a = arith.constant 1 : i4\n%b = arith.constant 1 : i8\n"
                           "%c = arith.extsi %a : i4 to i32\n%d = arith.extsi %b : i8 to i32\n"
                           "%e = arith.muli %c, %d : i32");
  ASSERT_TRUE(narrow);
  EXPECT_DOUBLE_EQ(narrow->dsp, 1);
  auto wide = costOfLast("%a = arith.constant 1 : i32\n%b = arith.muli %a, %a : i32");
  ASSERT_TRUE(wide);
  EXPECT_DOUBLE_EQ(wide->dsp, 3);
}

TEST_F(DeviceModelTest, NarrowFloatsFallBackToFloat) {
  auto half = costOfLast("%a = arith.constant 1.0 : f16\n%b = math.exp %a : f16");
  auto single = costOfLast("%a = arith.constant 1.0 : f32\n%b = math.exp %a : f32");
  ASSERT_TRUE(half && single);
  EXPECT_EQ(half->latency, single->latency);
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

TEST_F(DeviceModelTest, OperatorsHaveNames) {
  auto name = [&](StringRef text) {
    std::optional<Operator> found = costOfLast(text);
    return found ? found->name : "none";
  };
  std::string f32 = "%a = arith.constant 1.0 : f32\n", i8 = "%a = arith.constant 1 : i8\n";
  std::string v = "%a = arith.constant dense<1> : vector<4xi8>\n%i = arith.constant 1 : index\n";
  EXPECT_EQ(name(f32 + "%b = arith.subf %a, %a : f32"), "add_f32");
  EXPECT_EQ(name(i8 + "%b = arith.addi %a, %a : i8"), "add_int");
  EXPECT_EQ(name(i8 + "%b = arith.muli %a, %a : i8"), "mul_int");
  EXPECT_EQ(name("%a = arith.constant 1.0 : f16\n%b = math.exp %a : f16"), "exp_f16");
  EXPECT_EQ(name(f32 + "%b = arith.negf %a : f32"), "wire");
  EXPECT_EQ(name(v + "%b = vector.extract %a[1] : i8 from vector<4xi8>"), "wire");
  EXPECT_EQ(name(v + "%b = vector.extract %a[%i] : i8 from vector<4xi8>"), "mux");
  EXPECT_EQ(name(i8 + "%b = math.ctlz %a : i8"), "none");
  for (StringRef known : {"add_f32", "mul_pair_int", "mul_cross_int", "exp_f16", "mux", "wire"})
    EXPECT_TRUE(device.hasOperator(known)) << known.str();
  for (StringRef unknown : {"add_f80", "ad_f32", "exp", ""})
    EXPECT_FALSE(device.hasOperator(unknown)) << unknown.str();
}

/// What the C++ says in one operation of Vitis is bound; what it computes in several, or Vitis
/// cannot bind, is not.
TEST_F(DeviceModelTest, OperatorsOfVitisSayWhatTheyAreBuiltOf) {
  llvm::json::Object content = llvm::cantFail(readDeviceFile(DEVICES "/u55c.json"));
  llvm::json::Object &library = *content.getObject("operators");
  (*library.getObject("rsqrt_f32"))["impl"] = "fabric";
  device = llvm::cantFail(DeviceModel::read(content, "card.json"));
  auto built = [&](StringRef op, StringRef type, StringRef operands = "%a, %a") {
    bool isFloat = isa<FloatType>(parseType(type, &context));
    return costOfLast(llvm::formatv("%a = arith.constant {0} : {1}\n%b = {2} {3} : {1}",
                                    isFloat ? "1.0" : "1", type, op, operands)
                          .str())
        ->implementation;
  };
  EXPECT_EQ(built("arith.addf", "f32"), "fulldsp");
  EXPECT_EQ(built("arith.subf", "f64"), "fulldsp");
  EXPECT_EQ(built("arith.mulf", "f16"), "maxdsp");
  EXPECT_EQ(built("arith.divf", "f16"), "fabric");
  EXPECT_EQ(built("arith.divf", "f64"), "fabric");
  EXPECT_EQ(built("math.exp", "f32", "%a"), "fulldsp");
  EXPECT_EQ(built("math.exp", "f64", "%a"), "fulldsp");
  EXPECT_EQ(built("math.sqrt", "f32", "%a"), "fabric");
  EXPECT_EQ(built("math.rsqrt", "f32", "%a"), "fabric");
  EXPECT_EQ(built("arith.muli", "i8"), "dsp");
  EXPECT_EQ(built("arith.addf", "bf16"), "");
  EXPECT_EQ(built("math.sqrt", "f16", "%a"), "") << "st_math.h computes it in float";
  EXPECT_EQ(built("math.rsqrt", "f64", "%a"), "") << "there is none of fabric";
  EXPECT_EQ(built("math.sqrt", "f64", "%a"), "") << "its cycles are an estimate";
  EXPECT_EQ(built("math.log", "f32", "%a"), "") << "so are its";
  EXPECT_EQ(built("arith.remf", "f32"), "") << "a function of several operations";
  EXPECT_EQ(built("math.exp2", "f32", "%a"), "");
  EXPECT_EQ(built("arith.muli", "i32"), "") << "of several DSPs";
  EXPECT_EQ(built("arith.addi", "i8"), "");
}

/// Beyond one DSP's widths, 27 x 18, a product takes one for each pair of pieces. The topmost piece
/// of an operand is as wide as its port, those below have 26 and 17 bits; either operand takes
/// either port.
TEST_F(DeviceModelTest, ProductsTakeTheDspsOfTheirWidths) {
  auto product = [&](StringRef type) {
    std::string text =
        ("%a = arith.constant 1 : " + type + "\n%b = arith.muli %a, %a : " + type).str();
    return *costOfLast(text);
  };
  EXPECT_DOUBLE_EQ(product("i8").dsp, 1);
  EXPECT_DOUBLE_EQ(product("i18").dsp, 1); // 18 x 18 fits 18 x 27
  EXPECT_DOUBLE_EQ(product("i19").dsp, 2); // 1 x 2 pieces
  EXPECT_EQ(product("i18").latency + 1, product("i19").latency);
  EXPECT_DOUBLE_EQ(product("i32").dsp, 3); // 2 x 2 pieces, of which the highest begins at bit 43
  auto whole = costOfLast("%a = arith.constant 1 : i32\n%b = arith.extsi %a : i32 to i64\n"
                          "%c = arith.muli %b, %b : i64");
  EXPECT_DOUBLE_EQ(whole->dsp, 4);
  EXPECT_EQ(whole->latency, product("i32").latency + 1);
  auto mixed = [&](StringRef one, StringRef other, StringRef result) {
    auto extend = [&](StringRef name, StringRef from, StringRef to) {
      return ("%" + name + " = arith.constant 1 : " + from + "\n%" + name +
              "_wide = arith.extsi %" + name + " : " + from + " to " + to + "\n")
          .str();
    };
    return costOfLast(extend("a", one, result) + extend("b", other, result) +
                      ("%c = arith.muli %a_wide, %b_wide : " + result).str())
        ->dsp;
  };
  EXPECT_DOUBLE_EQ(mixed("i18", "i32", "i50"), 2); // 18 bits are one piece, 32 are 26 + 6
  EXPECT_DOUBLE_EQ(mixed("i26", "i32", "i58"), 2); // 26 bits are one of 27, 32 are 17 + 15
  EXPECT_DOUBLE_EQ(mixed("i32", "i53", "i54"), 4); // 32 are 17 + 15, 53 are 26 + 27
}

/// A product of `lanes` numbers of `own` bits by some of `common` bits that they share along the
/// first dimension.
std::string sharedProduct(StringRef own, StringRef common, int64_t lanes) {
  std::string shape = std::to_string(lanes) + "x3x";
  auto extend = [&](StringRef name, StringRef type) {
    return ("%" + name + "_wide = arith.extsi %" + name + " : vector<" + shape + type +
            "> to vector<" + shape + "i32>\n")
        .str();
  };
  return ("%own = arith.constant dense<1> : vector<" + shape + own +
          ">\n%row = arith.constant dense<1> : vector<3x" + common +
          ">\n%common = vector.broadcast %row : vector<3x" + common + "> to vector<" + shape +
          common + ">\n" + extend("own", own) + extend("common", common) +
          "%p = arith.muli %own_wide, %common_wide : vector<" + shape + "i32>")
      .str();
}

/// Two numbers and a product's bits between them are at most the 27 bits of a DSP's wide operand,
/// with a bit for the sign of the lower: own + (own + common) + 1.
TEST_F(DeviceModelTest, NeighboursThatShareAnOperandShareADsp) {
  auto product = [&](StringRef own, StringRef common, int64_t lanes) {
    return *costOfLast(sharedProduct(own, common, lanes));
  };
  Operator pair = product("i4", "i9", 8);
  EXPECT_EQ(pair.name, "mul_pair_int");
  EXPECT_EQ(pair.latency, 4);
  EXPECT_DOUBLE_EQ(pair.dsp, 24 * 0.5);
  EXPECT_DOUBLE_EQ(pair.lut, 24 * 0.5 * 13); // half of a carry chain over 4 + 9 bits each
  EXPECT_EQ(product("i8", "i10", 8).name, "mul_pair_int"); // 8 + 18 + 1 = 27
  EXPECT_EQ(product("i8", "i11", 8).name, "mul_int");
  EXPECT_EQ(product("i4", "i18", 8).name, "mul_pair_int"); // 4 + 22 + 1 = 27
  EXPECT_EQ(product("i3", "i19", 8).name, "mul_int"); // 26, but a DSP's other operand has 18 bits
  EXPECT_EQ(product("i4", "i9", 1).name, "mul_int");  // no neighbour
  EXPECT_EQ(product("i4", "i9", 3).name, "mul_int");  // one would be left over
}

/// A product of rows of `wide` bits and tokens of `narrow` bits, each with each.
std::string crossedProduct(StringRef wide, StringRef narrow, int64_t tokens) {
  std::string shape = std::to_string(tokens) + "x6x";
  auto operand = [&](StringRef name, StringRef type, StringRef source) {
    return ("%" + name + "_row = arith.constant dense<1> : vector<" + source + type + ">\n%" +
            name + " = vector.broadcast %" + name + "_row : vector<" + source + type +
            "> to vector<" + shape + type + ">\n%" + name + "_wide = arith.extsi %" + name +
            " : vector<" + shape + type + "> to vector<" + shape + "i32>\n")
        .str();
  };
  return operand("w", wide, "6x") + operand("t", narrow, std::to_string(tokens) + "x1x") +
         "%p = arith.muli %w_wide, %t_wide : vector<" + shape + "i32>";
}

/// Products overlap in 3 bits. Of 4 by 8 bits: 8 + (12 - 3) + 1 = 18 bits of a DSP's one operand,
/// 4 + (12 - 3 + 12) + 1 = 26 of the 27 of the other.
TEST_F(DeviceModelTest, PairsThatMeetPairsShareADsp) {
  auto product = [&](StringRef wide, StringRef narrow, int64_t tokens) {
    return *costOfLast(crossedProduct(wide, narrow, tokens));
  };
  Operator crossed = product("i4", "i8", 2);
  EXPECT_EQ(crossed.name, "mul_cross_int");
  EXPECT_EQ(crossed.latency, 5);
  EXPECT_DOUBLE_EQ(crossed.dsp, 12 * 0.25);
  EXPECT_DOUBLE_EQ(crossed.lut, 12 * 1.1 * 12);
  EXPECT_EQ(product("i8", "i4", 2).name, "mul_cross_int"); // whichever has fewer bits lies wide
  EXPECT_EQ(product("i4", "i9", 2).name, "mul_pair_int");  // 9 + 10 + 1 = 20
  EXPECT_EQ(product("i5", "i8", 2).name, "mul_pair_int");  // 8 + 10 + 1 = 19
  EXPECT_EQ(product("i4", "i8", 1).name, "mul_pair_int");  // one token
  EXPECT_EQ(product("i4", "i8", 3).name, "mul_pair_int");  // one would be left over
}

TEST_F(DeviceModelTest, TheHeaderCrossesProductsAsThePriceSays) {
  auto header = llvm::MemoryBuffer::getFile(RUNTIME "/st_math.h");
  ASSERT_TRUE(header);
  std::string line = llvm::formatv("constexpr int crossed_overlap = {0};", crossedOverlap);
  EXPECT_TRUE((*header)->getBuffer().contains(line));
}

/// Lanes of a linalg body are seen one by one; who unrolls them says that they share.
TEST_F(DeviceModelTest, LanesToComeMayShare) {
  module = parseSourceString<ModuleOp>("%a = arith.constant 1 : i8\n"
                                       "%b = arith.muli %a, %a : i8",
                                       &context);
  Operation *op = &module->getBody()->back();
  EXPECT_DOUBLE_EQ(device.operatorOf(op)->dsp, 1);
  EXPECT_DOUBLE_EQ(device.operatorOf(op, SharedLanes::OfOne)->dsp, 0.5);
  EXPECT_DOUBLE_EQ(device.operatorOf(op, SharedLanes::OfBoth)->dsp, 0.5); // 8 by 8 do not cross
}

/// -1 of four bits is 255 of eight without a sign: zeros go in front of the sign's copies.
TEST_F(DeviceModelTest, ZeroExtendedNumbersHaveAllBitsOfTheirType) {
  auto bits = [&](StringRef first) {
    auto cost = costOfLast(("%a = arith.constant -1 : i4\n" + first +
                            "%z = arith.extui %b : i8 to i32\n%s = arith.addi %z, %z : i32")
                               .str());
    return cost ? cost->lut : 0;
  };
  EXPECT_EQ(bits("%b = arith.extsi %a : i4 to i8\n"), 10); // 255 + 255 and a sign
  EXPECT_EQ(bits("%b = arith.constant 1 : i8\n"), 10);
}

/// 4 x 9 bits give 13, two of them 14, and an unsigned number needs one bit more than it has.
TEST_F(DeviceModelTest, SumsCostTheBitsThatTheyCanTake) {
  std::string product = "%a = arith.constant 1 : i4\n%b = arith.constant 1 : i9\n"
                        "%c = arith.extsi %a : i4 to i32\n%d = arith.extsi %b : i9 to i32\n"
                        "%e = arith.muli %c, %d : i32\n";
  EXPECT_DOUBLE_EQ(costOfLast(product + "%f = arith.addi %e, %e : i32")->lut, 14);
  EXPECT_DOUBLE_EQ(
      costOfLast(product + "%f = arith.addi %e, %e : i32\n%g = arith.subi %f, %c : i32")->lut, 15);
  EXPECT_DOUBLE_EQ(costOfLast("%a = arith.constant 1 : i4\n%b = arith.extui %a : i4 to i32\n"
                              "%c = arith.addi %b, %b : i32")
                       ->lut,
                   6);
  EXPECT_DOUBLE_EQ(costOfLast("%a = arith.constant 1 : i8\n%b = arith.addi %a, %a : i8")->lut, 8);
}

//===----------------------------------------------------------------------===//
// Strictness
//===----------------------------------------------------------------------===//

/// The object or the value at a path like `memories.bram`.
llvm::json::Value *at(llvm::json::Object &root, StringRef path) {
  auto [key, rest] = path.split('.');
  llvm::json::Value *value = root.get(key);
  return rest.empty() || !value ? value : at(*value->getAsObject(), rest);
}

class DeviceFileTest : public ::testing::Test {
protected:
  DeviceFileTest() : content(llvm::cantFail(readDeviceFile(DEVICES "/u55c.json"))) {}

  llvm::json::Object &object(StringRef path) {
    return path.empty() ? content : *at(content, path)->getAsObject();
  }
  /// The error of the changed content.
  std::string read() {
    llvm::Expected<DeviceModel> device = DeviceModel::read(content, "card.json");
    return device ? "none" : llvm::toString(device.takeError());
  }

  llvm::json::Object content;
};

/// Every key of every object, wherever it lies.
void forEachKey(llvm::json::Object &root,
                llvm::function_ref<void(llvm::json::Object &, std::string)> visit) {
  std::vector<std::string> keys;
  for (auto &[key, value] : root)
    keys.push_back(key.str());
  for (const std::string &key : keys) {
    visit(root, key);
    if (llvm::json::Object *inner = root.get(key)->getAsObject())
      forEachKey(*inner, visit);
    if (llvm::json::Array *list = root.get(key)->getAsArray())
      for (llvm::json::Value &member : *list)
        if (llvm::json::Object *inner = member.getAsObject())
          forEachKey(*inner, visit);
  }
}

/// Keys whose absence is no fault: members of what names its members itself, what an operator is
/// built of, and what nobody may know of a card.
bool mayBeAbsent(const llvm::json::Object &library, const llvm::json::Object &types,
                 const llvm::json::Object &owner, StringRef key) {
  bool isRow = &owner == &library || &owner == &types;
  bool isAsked =
      llvm::is_contained({"wire", "guard", "access", "extern", "add_f32", "mul_f32"}, key);
  return key == "impl" || key == "energy" || (isRow && !isAsked);
}

TEST_F(DeviceFileTest, EveryKeyIsRequired) {
  llvm::json::Object &library = object("operators"), &types = object("derived_types");
  int numKeys = 0;
  forEachKey(content, [&](llvm::json::Object &owner, std::string key) {
    if (mayBeAbsent(library, types, owner, key))
      return;
    llvm::json::Value kept = *owner.get(key);
    owner.erase(key);
    std::string message = read();
    EXPECT_TRUE(StringRef(message).contains(key + "' is missing")) << key << ": " << message;
    owner[key] = kept;
    ++numKeys;
  });
  EXPECT_GT(numKeys, 250);
}

TEST_F(DeviceFileTest, VersionsOfVitisAreNamed) {
  object("platform")["value"] = "base_#_1";
  for (auto [version, platform] :
       {std::pair("2023.2", "base_202320_1"), std::pair("2024.1", "base_202410_1")}) {
    object("vitis")["value"] = version;
    DeviceModel device = llvm::cantFail(DeviceModel::read(content, "card.json"));
    EXPECT_EQ(device.getVitisVersion(), version);
    EXPECT_EQ(device.getPlatform(), platform);
  }
  for (StringRef wrong : {"2023.1", "1999.2", "2024.3", "2024", "24.1", "2024.1.1"}) {
    object("vitis")["value"] = wrong;
    EXPECT_EQ(read(), ("card.json: 'vitis.value' is '" + wrong +
                       "'; a version from 2023.2 on, such as 2024.1, is expected: those before "
                       "take no array_partition of a stream of blocks")
                          .str());
  }
}

TEST_F(DeviceFileTest, EveryKeyIsTyped) {
  for (llvm::json::Value wrong :
       {llvm::json::Value(nullptr), llvm::json::Value(true), llvm::json::Value(-1),
        llvm::json::Value(""), llvm::json::Value(llvm::json::Array())})
    forEachKey(content, [&](llvm::json::Object &owner, std::string key) {
      llvm::json::Value kept = *owner.get(key);
      owner[key] = wrong;
      std::string message = read();
      EXPECT_TRUE(StringRef(message).contains(key + "' is ")) << key << ": " << message;
      EXPECT_TRUE(StringRef(message).contains("expected")) << key << ": " << message;
      owner[key] = kept;
    });
}

TEST_F(DeviceFileTest, UnknownKeysAreNamedWithTheKnownOnes) {
  object("memory_port")["burst_gaps"] = 5;
  EXPECT_EQ(read(), "card.json: 'memory_port.burst_gaps' is unknown; the keys of 'memory_port' are "
                    "bits, read_latency, write_latency, burst_bytes, burst_words, burst_gap, lut, "
                    "ff, word_memory, control_bits, address_bits, source");
}

TEST_F(DeviceFileTest, AnErrorSaysWhatIsExpected) {
  object("memories.bram")["read"] = "two";
  EXPECT_EQ(read(), "card.json: 'memories.bram.read' is \"two\"; a whole number of cycles from "
                    "address to data, at least 0, is expected");
}

TEST_F(DeviceFileTest, PortsThatWriteAreAmongThePorts) {
  object("memories.lutram")["write_ports"] = 5;
  EXPECT_EQ(read(),
            "card.json: 'memories.lutram.write_ports' is 5; at most 4 is expected, the ports "
            "of a memory");
}

TEST_F(DeviceFileTest, RatesAreThoseOfACard) {
  for (StringRef key : {"peak_bytes_per_s", "sustained_bytes_per_s"})
    object("external_memory")[key] = 999999;
  EXPECT_TRUE(StringRef(read()).contains("'external_memory.peak_bytes_per_s' is 999999")) << read();
}

TEST_F(DeviceFileTest, WordsOfMemoryArePowersOfTwo) {
  object("memory_port")["bits"] = 24;
  EXPECT_EQ(read(), "card.json: 'memory_port.bits' is 24; a power of two is expected");
}

TEST_F(DeviceFileTest, DiesHaveNoMoreThanTheCard) {
  object("totals")["dsp"] = 100;
  EXPECT_EQ(read(), "card.json: 'totals' are less than all dies have together; of each resource at "
                    "least the sum of 'dies' is expected");
}

TEST_F(DeviceFileTest, OperatorsMustComputeSomething) {
  object("operators")["ad_f32"] = *at(content, "operators.add_f32");
  EXPECT_TRUE(StringRef(read()).contains("'operators.ad_f32' computes nothing")) << read();
}

TEST_F(DeviceFileTest, EveryLibraryHasMultiplexers) {
  object("operators").erase("mux");
  EXPECT_EQ(read(),
            "card.json: 'operators.mux' is missing; the operator of multiplexers is expected");
}

TEST_F(DeviceFileTest, VitisCanBuildEveryBoundOperator) {
  llvm::json::Object &add = object("operators.add_f32");
  object("derived_types.f64")["cycles"] = 1;
  add["cycles"] = 12;
  EXPECT_EQ(read(), "none");
  add["cycles"] = 13;
  EXPECT_EQ(read(),
            "card.json: 'operators.add_f32.cycles' is 13; at most 12 is expected, what Vitis "
            "HLS can give fadd built of fulldsp (UG1399, pragma bind_op); name another "
            "'impl', or none to let it choose");
  add["impl"] = "maxdsp";
  EXPECT_EQ(read(), "card.json: 'operators.add_f32.impl' is 'maxdsp'; one of fabric, fulldsp is "
                    "expected, of which Vitis HLS builds fadd (UG1399)");
  add.erase("impl");
  EXPECT_EQ(read(), "none");
  object("operators.max_f32")["impl"] = "fabric";
  EXPECT_TRUE(StringRef(read()).contains("'operators.max_f32.impl' is stated for what pragma"))
      << read();
  object("operators.max_f32").erase("impl");
  object("operators.mul_cross_int")["cycles"] = 6;
  EXPECT_EQ(read(), "none");
  object("operators.mul_cross_int")["cycles"] = 7;
  EXPECT_TRUE(StringRef(read()).contains("'operators.mul_cross_int.cycles' leaves the DSP no"))
      << read();
  object("operators.mul_cross_int")["cycles"] = 5;
  object("operators.mul_int")["cycles"] = llvm::json::Array{1, 1};
  EXPECT_TRUE(StringRef(read()).contains("'operators.mul_int.cycles' depends on the width"))
      << read();
}

TEST_F(DeviceFileTest, VitisCanBuildTheOperatorsOfDerivedTypes) {
  object("derived_types.f64")["cycles"] = 2.5; // 15 cycles of 15
  EXPECT_EQ(read(), "none");
  object("derived_types.f64")["cycles"] = 2.6;
  std::string message = read();
  EXPECT_TRUE(StringRef(message).contains("'derived_types.f64.cycles' makes d")) << message;
  EXPECT_TRUE(StringRef(message).contains("take 16; at most 15 is expected")) << message;
  EXPECT_TRUE(StringRef(message).contains("or write a row 'add_f64'")) << message;
}

TEST_F(DeviceFileTest, TheMemorysDieIsOneOfTheDies) {
  object("external_memory")["die"] = "SLR7";
  EXPECT_TRUE(
      StringRef(read()).contains("'external_memory.die' is 'SLR7'; the name of one of 'dies'"))
      << read();
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

} // namespace
