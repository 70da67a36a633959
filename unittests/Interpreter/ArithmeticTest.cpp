//===- ArithmeticTest.cpp - Scalar operations against LLVM's own numbers --===//
//
// Random bit patterns, NaN, infinities and subnormal numbers among them, through the
// interpreter; expected values by APFloat and APInt.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "streamtensor/Interpreter/Interpreter.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

using namespace mlir;
using namespace streamtensor::interpreter;

namespace {

/// Runs one operation of type `type` on two numbers.
class Machine {
public:
  Machine() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, tensor::TensorDialect>();
  }

  Word run(const std::string &operation, Type type, Word lhs, Word rhs) {
    std::string name;
    llvm::raw_string_ostream(name) << type;
    std::string text = llvm::formatv("func.func @main(%a: {0}, %b: {0}) -> {0} {{\n"
                                     "  %r = {1} %a, %b : {0}\n  return %r : {0}\n}",
                                     name, operation);
    auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    SmallVector<Array> arguments = {Array{{}, type, {lhs}, {}}, Array{{}, type, {rhs}, {}}};
    auto results = interpret(*module, arguments);
    return results->front().words.front();
  }

  MLIRContext context;
};

/// Bit patterns with enough extremes.
uint64_t drawBits() {
  return *rc::gen::oneOf(rc::gen::arbitrary<uint64_t>(),
                         rc::gen::element<uint64_t>(0, 1, 2, 0x7c00, 0xfc00, 0x7f80, 0x8000, 0x3c00,
                                                    0x3f80, 0x7f800000, 0x80000000, 0x3f800000,
                                                    0x7fc00000, 0x7fffffff, ~0ull));
}

FloatType drawFloatType(MLIRContext &context) {
  Builder builder(&context);
  return *rc::gen::element<FloatType>(builder.getF16Type(), builder.getBF16Type(),
                                      builder.getF32Type(), builder.getF64Type());
}

APFloat drawFloat(FloatType type) {
  return APFloat(type.getFloatSemantics(), APInt(64, drawBits()).trunc(type.getWidth()));
}

} // namespace

RC_GTEST_PROP(Arithmetic, FloatsRoundOnceToTheirType, ()) {
  Machine machine;
  FloatType type = drawFloatType(machine.context);
  APFloat lhs = drawFloat(type), rhs = drawFloat(type), expected = lhs;
  auto operation = *rc::gen::element<std::string>("addf", "subf", "mulf", "divf");
  auto mode = APFloat::rmNearestTiesToEven;
  operation == "addf"   ? expected.add(rhs, mode)
  : operation == "subf" ? expected.subtract(rhs, mode)
  : operation == "mulf" ? expected.multiply(rhs, mode)
                        : expected.divide(rhs, mode);
  Word result = machine.run("arith." + operation, type, getWord(lhs.bitcastToAPInt(), type),
                            getWord(rhs.bitcastToAPInt(), type));
  if (expected.isNaN())
    RC_ASSERT(isNaN(result, type));
  else
    RC_ASSERT(result == getWord(expected.bitcastToAPInt(), type));
}

RC_GTEST_PROP(Arithmetic, MaximumKnowsSignsAndNaN, ()) {
  Machine machine;
  FloatType type = drawFloatType(machine.context);
  APFloat lhs = drawFloat(type), rhs = drawFloat(type);
  bool isLargest = *rc::gen::arbitrary<bool>(), keepsNumber = *rc::gen::arbitrary<bool>();
  APFloat expected = isLargest
                         ? (keepsNumber ? llvm::maximumnum(lhs, rhs) : llvm::maximum(lhs, rhs))
                         : (keepsNumber ? llvm::minimumnum(lhs, rhs) : llvm::minimum(lhs, rhs));
  std::string operation =
      std::string("arith.") + (isLargest ? "max" : "min") + (keepsNumber ? "numf" : "imumf");
  Word result = machine.run(operation, type, getWord(lhs.bitcastToAPInt(), type),
                            getWord(rhs.bitcastToAPInt(), type));
  if (expected.isNaN())
    RC_ASSERT(isNaN(result, type));
  else
    RC_ASSERT(result == getWord(expected.bitcastToAPInt(), type));
}

RC_GTEST_PROP(Arithmetic, IntegersWrapToTheirWidth, ()) {
  Machine machine;
  unsigned width = *rc::gen::element<unsigned>(1, 4, 7, 8, 16, 32, 33, 64);
  auto type = IntegerType::get(&machine.context, width);
  APInt lhs = APInt(64, drawBits()).trunc(width), rhs = APInt(64, drawBits()).trunc(width);
  using Function = APInt (*)(const APInt &, const APInt &);
  auto [operation, function] = *rc::gen::elementOf(std::vector<std::pair<std::string, Function>>{
      {"addi", [](const APInt &a, const APInt &b) { return a + b; }},
      {"subi", [](const APInt &a, const APInt &b) { return a - b; }},
      {"muli", [](const APInt &a, const APInt &b) { return a * b; }},
      {"xori", [](const APInt &a, const APInt &b) { return a ^ b; }},
      {"maxsi", [](const APInt &a, const APInt &b) { return llvm::APIntOps::smax(a, b); }},
      {"maxui", [](const APInt &a, const APInt &b) { return llvm::APIntOps::umax(a, b); }},
      {"minui", [](const APInt &a, const APInt &b) { return llvm::APIntOps::umin(a, b); }},
      {"divui", [](const APInt &a, const APInt &b) { return a.udiv(b); }},
      {"remui", [](const APInt &a, const APInt &b) { return a.urem(b); }},
      {"divsi", [](const APInt &a, const APInt &b) { return a.sdiv(b); }},
      {"remsi", [](const APInt &a, const APInt &b) { return a.srem(b); }},
  });
  RC_PRE(!rhs.isZero() || (operation.find("div") == std::string::npos &&
                           operation.find("rem") == std::string::npos));
  Word result = machine.run("arith." + operation, type, getWord(lhs, type), getWord(rhs, type));
  RC_ASSERT(getBits(result, type) == function(lhs, rhs));
}
