//===- Arithmetic.cpp - Scalar operations as C++ expressions --------------===//
//
// Every operation rounds to its own result type: results of types that C++
// computes more widely (small integers, half) are converted back at once, so
// that inlined expressions and named values agree bit for bit.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"

#include "streamtensor/Support/BitWidth.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;

namespace {

/// C++ evaluates this type wider than its own width.
bool promotes(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() != 1 && integer.getWidth() != 32 && integer.getWidth() != 64;
  return type.isF16() || type.isBF16();
}

Expression convert(Type type, const Expression &value) {
  return {cppScalarType(type) + "(" + value.text + ")"};
}

Expression binary(StringRef symbol, ArrayRef<Expression> operands) {
  return {operands[0].operand() + " " + symbol.str() + " " + operands[1].operand(), false};
}

Expression call(StringRef function, ArrayRef<Expression> operands) {
  std::string text = function.str() + "(";
  for (auto [index, operand] : llvm::enumerate(operands))
    text += (index ? ", " : "") + operand.text;
  return {text + ")"};
}

std::string unsignedType(Type type) {
  int64_t width = getBitWidth(type);
  if (width == 1)
    return "bool";
  return cppScalarType(IntegerType::get(type.getContext(), width, IntegerType::Unsigned));
}

SmallVector<Expression> asUnsigned(Type type, ArrayRef<Expression> operands) {
  SmallVector<Expression> converted;
  for (const Expression &operand : operands)
    converted.push_back({unsignedType(type) + "(" + operand.text + ")"});
  return converted;
}

/// Binary operators whose C++ spelling is an infix symbol.
StringRef infixSymbol(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"arith.addf", "arith.addi"}, "+")
      .Cases({"arith.subf", "arith.subi"}, "-")
      .Cases({"arith.mulf", "arith.muli"}, "*")
      .Cases({"arith.divf", "arith.divsi"}, "/")
      .Case("arith.remsi", "%")
      .Case("arith.andi", "&")
      .Case("arith.ori", "|")
      .Case("arith.xori", "^")
      .Case("arith.shli", "<<")
      .Case("arith.shrsi", ">>")
      .Default("");
}

/// Operators on the operands taken as unsigned.
StringRef unsignedSymbol(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("arith.divui", "/")
      .Case("arith.remui", "%")
      .Case("arith.shrui", ">>")
      .Default("");
}

/// Arithmetic of one bit, which is -1 as a signed number and 1 as C++'s bool.
std::optional<Expression> printOfBits(Operation *op, ArrayRef<Expression> operands) {
  if (op->getNumOperands() != 2 || !laneType(op->getOperand(0).getType()).isInteger(1))
    return std::nullopt;
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return binary("!=", operands);
  if (isa<arith::MulIOp, arith::MaxSIOp, arith::MinUIOp>(op))
    return binary("&", operands);
  if (isa<arith::MinSIOp, arith::MaxUIOp>(op))
    return binary("|", operands);
  return std::nullopt;
}

/// A division of integers that C++ would compute in 32 bits: by a function that knows their width.
/// Sums and products need none, as tools cut them to the bits that are used.
std::optional<Expression> printNarrowDivision(Operation *op, ArrayRef<Expression> operands) {
  if (!isa<arith::DivSIOp, arith::RemSIOp, arith::DivUIOp, arith::RemUIOp>(op))
    return std::nullopt;
  Type type = laneType(op->getResult(0).getType());
  bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp>(op);
  std::string cppType = isUnsigned ? unsignedType(type) : cppScalarType(type);
  if (!promotes(type) || !StringRef(cppType).starts_with("std::"))
    return std::nullopt;
  StringRef name = isa<arith::DivSIOp, arith::DivUIOp>(op) ? "divide" : "remainder";
  std::string function = llvm::formatv("st::{0}<{1}>", name, cppType);
  Expression result =
      call(function, isUnsigned ? asUnsigned(type, operands) : SmallVector<Expression>(operands));
  return isUnsigned ? convert(type, result) : result;
}

/// Functions of runtime/include/st_math.h.
StringRef functionName(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("arith.maximumf", "st::maximum")
      .Case("arith.minimumf", "st::minimum")
      .Case("arith.maxnumf", "st::maxnum")
      .Case("arith.minnumf", "st::minnum")
      .Case("arith.remf", "st::fmod")
      .Case("arith.floordivsi", "st::floor_div")
      .Case("arith.ceildivsi", "st::ceil_div")
      .Case("math.absf", "st::abs")
      .Case("math.absi", "st::abs")
      .Case("math.atan", "st::atan")
      .Case("math.atan2", "st::atan2")
      .Case("math.ceil", "st::ceil")
      .Case("math.copysign", "st::copysign")
      .Case("math.cos", "st::cos")
      .Case("math.erf", "st::erf")
      .Case("math.exp", "st::exp")
      .Case("math.exp2", "st::exp2")
      .Case("math.expm1", "st::expm1")
      .Case("math.floor", "st::floor")
      .Case("math.fma", "st::fma")
      .Case("math.fpowi", "st::powi")
      .Case("math.ipowi", "st::powi")
      .Case("math.log", "st::log")
      .Case("math.log10", "st::log10")
      .Case("math.log1p", "st::log1p")
      .Case("math.log2", "st::log2")
      .Case("math.powf", "st::pow")
      .Case("math.round", "st::round")
      .Case("math.roundeven", "st::roundeven")
      .Case("math.rsqrt", "st::rsqrt")
      .Case("math.sin", "st::sin")
      .Case("math.sqrt", "st::sqrt")
      .Case("math.tanh", "st::tanh")
      .Case("math.trunc", "st::trunc")
      .Default("");
}

Expression printCmpI(arith::CmpIOp op, ArrayRef<Expression> operands) {
  using P = arith::CmpIPredicate;
  SmallVector<Expression> values(operands);
  if (op.getPredicate() >= P::ult)
    values = asUnsigned(laneType(op.getLhs().getType()), operands);
  else if (laneType(op.getLhs().getType()).isInteger(1))
    std::swap(values[0], values[1]); // -1 is the smaller one.
  switch (op.getPredicate()) {
  case P::eq:
    return binary("==", values);
  case P::ne:
    return binary("!=", values);
  case P::slt:
  case P::ult:
    return binary("<", values);
  case P::sle:
  case P::ule:
    return binary("<=", values);
  case P::sgt:
  case P::ugt:
    return binary(">", values);
  case P::sge:
  case P::uge:
    return binary(">=", values);
  }
  llvm_unreachable("all predicates are handled");
}

/// Ordered comparisons are C++'s own (false on NaN); unordered ones are the negation of the
/// opposite.
Expression printCmpF(arith::CmpFOp op, ArrayRef<Expression> operands) {
  using P = arith::CmpFPredicate;
  auto negated = [&](StringRef symbol) {
    return Expression{"!(" + binary(symbol, operands).text + ")"};
  };
  switch (op.getPredicate()) {
  case P::AlwaysFalse:
    return {"false"};
  case P::AlwaysTrue:
    return {"true"};
  case P::OEQ:
    return binary("==", operands);
  case P::OGT:
    return binary(">", operands);
  case P::OGE:
    return binary(">=", operands);
  case P::OLT:
    return binary("<", operands);
  case P::OLE:
    return binary("<=", operands);
  case P::UNE:
    return binary("!=", operands);
  case P::UGT:
    return negated("<=");
  case P::UGE:
    return negated("<");
  case P::ULT:
    return negated(">=");
  case P::ULE:
    return negated(">");
  case P::ORD:
    return call("st::ordered", operands);
  case P::UNO:
    return {"!" + call("st::ordered", operands).text};
  case P::ONE:
    return call("st::less_or_greater", operands);
  case P::UEQ:
    return {"!" + call("st::less_or_greater", operands).text};
  }
  llvm_unreachable("all predicates are handled");
}

/// A float without its fraction, for a type of `width` bits: C++ types drop it, ap_int rounds.
Expression truncate(unsigned width, bool isSigned, const Expression &value) {
  if (width > 64)
    return value;
  StringRef sign = isSigned ? "" : "u";
  return {llvm::formatv("std::{0}int{1}_t({2})", sign, width > 32 ? 64 : 32, value.text)};
}

std::optional<Expression> printConversion(Operation *op, ArrayRef<Expression> operands) {
  Type from = laneType(op->getOperand(0).getType());
  Type to = laneType(op->getResult(0).getType());
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    bool isSigned = isa<arith::FPToSIOp>(op);
    // One half is 0 as a number of one bit too, but true as a bool.
    if (isSigned && !promotes(to) && !to.isInteger(1))
      return convert(to, operands[0]);
    return convert(to, truncate(to.getIntOrFloatBitWidth(), isSigned, operands[0]));
  }
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::ExtSIOp, arith::TruncIOp,
          arith::IndexCastOp>(op)) {
    // As a signed number, i1 is 0 or -1.
    if (from.isInteger(1) && isa<arith::ExtSIOp, arith::SIToFPOp, arith::IndexCastOp>(op))
      return convert(to, {"-int(" + operands[0].text + ")", false});
    if (to.isInteger(1) && isa<arith::TruncIOp, arith::IndexCastOp>(op))
      return Expression{"(" + operands[0].operand() + " & 1) != 0", false};
    return convert(to, operands[0]);
  }
  if (isa<arith::ExtUIOp, arith::UIToFPOp, arith::IndexCastUIOp>(op))
    return convert(to, asUnsigned(from, operands)[0]);
  if (isa<arith::BitcastOp>(op))
    return Expression{"st::bit_cast<" + cppScalarType(to) + ">(" + operands[0].text + ")"};
  return std::nullopt;
}

std::optional<Expression> printIntegerExtreme(Operation *op, ArrayRef<Expression> operands) {
  Type type = laneType(op->getResult(0).getType());
  StringRef symbol = isa<arith::MaxSIOp, arith::MaxUIOp>(op) ? ">" : "<";
  if (!isa<arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(op))
    return std::nullopt;
  SmallVector<Expression> compared(operands);
  if (isa<arith::MaxUIOp, arith::MinUIOp>(op))
    compared = asUnsigned(type, operands);
  return Expression{binary(symbol, compared).text + " ? " + operands[0].operand() + " : " +
                        operands[1].operand(),
                    false};
}

} // namespace

std::optional<Expression> streamtensor::target::printArithmetic(Operation *op,
                                                                ArrayRef<Expression> operands) {
  StringRef name = op->getName().getStringRef();
  if (op->getNumResults() != 1)
    return std::nullopt;
  Type type = laneType(op->getResult(0).getType());
  auto rounded = [&](const Expression &value) {
    return promotes(type) ? convert(type, value) : value;
  };
  if (auto bits = printOfBits(op, operands))
    return bits;
  if (auto division = printNarrowDivision(op, operands))
    return division;
  if (StringRef symbol = infixSymbol(name); !symbol.empty())
    return rounded(binary(symbol, operands));
  if (StringRef symbol = unsignedSymbol(name); !symbol.empty())
    return convert(type, binary(symbol, asUnsigned(type, operands)));
  if (StringRef function = functionName(name); !function.empty()) {
    // A literal may have another type of the same width: say which is meant.
    bool isAmbiguous = isa<arith::FloorDivSIOp, arith::CeilDivSIOp>(op);
    std::string argument = isAmbiguous ? "<" + cppScalarType(type) + ">" : "";
    return call(function.str() + argument, operands);
  }
  if (isa<arith::NegFOp>(op))
    return rounded({"-" + operands[0].operand(), false});
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return printCmpI(compare, operands);
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return printCmpF(compare, operands);
  if (isa<arith::SelectOp>(op))
    return Expression{operands[0].operand() + " ? " + operands[1].operand() + " : " +
                          operands[2].operand(),
                      false};
  if (auto extreme = printIntegerExtreme(op, operands))
    return rounded(*extreme);
  return printConversion(op, operands);
}

StringRef streamtensor::target::resultWord(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().stripDialect())
      .Cases({"addf", "addi"}, "sum")
      .Cases({"subf", "subi"}, "difference")
      .Cases({"mulf", "muli"}, "product")
      .Cases({"divf", "divsi", "divui"}, "quotient")
      .Cases({"maximumf", "maxnumf", "maxsi", "maxui"}, "largest")
      .Cases({"minimumf", "minnumf", "minsi", "minui"}, "smallest")
      .Cases({"cmpf", "cmpi", "test"}, "holds")
      .Case("select", "chosen")
      .Cases({"exp", "exp2", "expm1"}, "exponential")
      .Case("sqrt", "root")
      .Case("rsqrt", "reciprocal_root")
      .Cases({"powf", "fpowi"}, "power")
      .Case("negf", "negated")
      .Cases({"sitofp", "uitofp", "extf", "truncf"}, "converted")
      .Cases({"extsi", "extui", "trunci", "index_cast"}, "converted")
      .Default(op->getName().stripDialect());
}
