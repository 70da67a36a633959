//===- CppText.cpp - Identifiers, types and literals ----------------------===//

#include "streamtensor/Target/HLSCpp/CppText.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Support/BitWidth.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;

//===----------------------------------------------------------------------===//
// Identifiers
//===----------------------------------------------------------------------===//

/// Words of C++, and what generated code and the headers of C call by these names alone.
static bool isReserved(StringRef name) {
  static const llvm::StringSet<> reserved = {
      "alignas",  "alignof",      "and",           "and_eq",      "ap_int",
      "ap_uint",  "asm",          "assert",        "auto",        "bitand",
      "bitor",    "bool",         "break",         "case",        "catch",
      "char",     "char8_t",      "char16_t",      "char32_t",    "class",
      "co_await", "co_return",    "co_yield",      "compl",       "concept",
      "const",    "const_cast",   "consteval",     "constexpr",   "constinit",
      "continue", "decltype",     "default",       "delete",      "do",
      "double",   "dynamic_cast", "else",          "enum",        "errno",
      "explicit", "export",       "extern",        "false",       "float",
      "for",      "friend",       "goto",          "half",        "hls",
      "if",       "inline",       "int",           "long",        "main",
      "mutable",  "namespace",    "new",           "noexcept",    "not",
      "not_eq",   "nullptr",      "operator",      "or",          "or_eq",
      "private",  "protected",    "public",        "register",    "reinterpret_cast",
      "requires", "return",       "short",         "signed",      "sizeof",
      "st",       "static",       "static_assert", "static_cast", "std",
      "stderr",   "stdin",        "stdout",        "struct",      "switch",
      "template", "this",         "thread_local",  "throw",       "true",
      "try",      "typedef",      "typeid",        "typename",    "union",
      "unsigned", "using",        "virtual",       "void",        "volatile",
      "wchar_t",  "while",        "xor",           "xor_eq"};
  return reserved.contains(name);
}

/// A name in capitals may be a macro of some header: NAN, NULL, EOF.
static bool mayBeMacro(StringRef name) {
  return name.size() > 2 && llvm::any_of(name, [](char c) { return llvm::isUpper(c); }) &&
         llvm::none_of(name, [](char c) { return llvm::isLower(c); });
}

std::string NameScope::unique(StringRef wish) {
  std::string name;
  for (char c : wish) {
    char next = llvm::isAlnum(c) ? c : '_';
    // Two underscores in a row are reserved.
    if (next != '_' || name.empty() || name.back() != '_')
      name.push_back(next);
  }
  while (!name.empty() && name.back() == '_')
    name.pop_back();
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(0, "n");
  if (name.front() == '_')
    name.insert(0, "n");
  if (mayBeMacro(name))
    name.insert(0, "n_");
  std::string candidate = name;
  for (int suffix = 1; isReserved(candidate) || !used.insert(candidate).second; ++suffix)
    candidate = name + "_" + std::to_string(suffix);
  return candidate;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type streamtensor::target::laneType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

ArrayRef<int64_t> streamtensor::target::laneShape(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getShape() : ArrayRef<int64_t>();
}

int64_t streamtensor::target::laneCount(Type type) { return llvm::product_of(laneShape(type)); }

int64_t streamtensor::target::hostBytes(Type type) {
  return llvm::PowerOf2Ceil(llvm::divideCeil(getBitWidth(type), 8));
}

static bool isNativeWidth(unsigned width) { return llvm::is_contained({8u, 16u, 32u, 64u}, width); }

bool streamtensor::target::usesArbitraryPrecision(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::any_of(tuple.getTypes(), usesArbitraryPrecision);
  auto integer = dyn_cast<IntegerType>(laneType(type));
  return integer && integer.getWidth() != 1 && !isNativeWidth(integer.getWidth());
}

std::string streamtensor::target::cppScalarType(Type type) {
  if (type.isIndex())
    return "int";
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (type.isF16())
    return "st::half";
  if (type.isBF16())
    return "st::bfloat16";
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() > 1024)
    return "";
  if (integer.getWidth() == 1)
    return "bool";
  // An integer wider than any number is a packed token, which has no sign.
  bool isUnsigned = integer.isUnsigned() || (integer.isSignless() && integer.getWidth() > 64);
  StringRef sign = isUnsigned ? "u" : "";
  if (isNativeWidth(integer.getWidth()))
    return llvm::formatv("std::{0}int{1}_t", sign, integer.getWidth());
  return llvm::formatv("ap_{0}int<{1}>", sign, integer.getWidth());
}

/// `tuple_f32x8_i1x8`: equal tuples have equal names.
static std::string tupleName(TupleType tuple) {
  std::string name = "tuple";
  for (Type member : tuple.getTypes()) {
    llvm::raw_string_ostream(name) << '_' << laneType(member);
    if (isa<VectorType>(member))
      name += "x" + std::to_string(laneCount(member));
  }
  return name;
}

std::string streamtensor::target::cppTokenType(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type)) {
    bool hasAll =
        llvm::none_of(tuple.getTypes(), [](Type member) { return cppTokenType(member).empty(); });
    return hasAll ? tupleName(tuple) : "";
  }
  std::string scalar = cppScalarType(laneType(type));
  if (!isa<VectorType>(type) || scalar.empty())
    return scalar;
  return llvm::formatv("hls::vector<{0}, {1}>", scalar, laneCount(type));
}

std::string streamtensor::target::dtypeName(Type type) {
  if (type.isBF16())
    return "bfloat16";
  if (auto floating = dyn_cast<FloatType>(type))
    return llvm::formatv("float{0}", floating.getWidth());
  if (type.isIndex())
    return "int64";
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return "";
  if (integer.getWidth() == 1)
    return "bool";
  return llvm::formatv("{0}int{1}", integer.isUnsigned() ? "u" : "", integer.getWidth());
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

static std::string floatLiteral(FloatAttr attribute) {
  const APFloat &value = attribute.getValue();
  Type type = attribute.getType();
  std::string text;
  if (value.isNaN())
    text = "NAN";
  else if (value.isInfinity())
    text = value.isNegative() ? "-INFINITY" : "INFINITY";
  else {
    // 9 digits identify a float, 17 a double.
    char digits[40];
    std::snprintf(digits, sizeof(digits), type.isF64() ? "%.17g" : "%.9g",
                  attribute.getValueAsDouble());
    text = digits;
    if (text.find_first_of(".e") == std::string::npos)
      text += ".0";
    if (!type.isF64())
      text += "f";
  }
  // The macros of <cmath> are floats.
  bool isMacro = type.isF64() && !value.isFinite();
  if (type.isF16() || type.isBF16() || isMacro)
    return cppScalarType(type) + "(" + text + ")";
  return text;
}

static std::string integerLiteral(IntegerAttr attribute) {
  Type type = attribute.getType();
  if (type.isInteger(1))
    return attribute.getValue().isZero() ? "false" : "true";
  llvm::SmallString<32> digits;
  attribute.getValue().toString(digits, 10, /*Signed=*/!type.isUnsignedInteger());
  if (type.isInteger(64) && attribute.getValue().isMinSignedValue())
    return "INT64_MIN";
  if (type.isInteger(32) && attribute.getValue().isMinSignedValue())
    return "INT32_MIN";
  if (type.isInteger(64))
    digits += "LL";
  if (usesArbitraryPrecision(type))
    return cppScalarType(type) + "(" + digits.str().str() + ")";
  return digits.str().str();
}

std::string streamtensor::target::cppLiteral(Attribute value) {
  if (auto floating = dyn_cast<FloatAttr>(value))
    return floatLiteral(floating);
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integerLiteral(integer);
  return cast<BoolAttr>(value).getValue() ? "true" : "false";
}
