//===- Comparison.cpp - Do two runs give the same result? -----------------===//

#include "streamtensor/Interpreter/Comparison.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

/// About a thousand roundings: the length of a long sum, or a deep chain of operations.
double interpreter::getTolerance(Type type) {
  if (type.isF64())
    return 1e-12;
  if (type.isF32())
    return 1e-4;
  return type.isF16() ? 2e-2 : type.isBF16() ? 1e-1 : 0;
}

static std::string describeElement(size_t result, const Array &array, size_t place) {
  SmallVector<int64_t> strides = getStrides(array.shape);
  std::string text = "element [";
  for (auto [dim, stride] : llvm::enumerate(strides)) {
    text += (dim ? ", " : "") + std::to_string(static_cast<int64_t>(place) / stride);
    place %= stride;
  }
  return text + "] of result " + std::to_string(result);
}

std::string interpreter::describeWord(Word word, Type type) {
  if (!isa<FloatType>(type))
    return std::to_string(type.isInteger(1) ? word.isTrue() : word.asInteger());
  // As many digits as tell any two values apart.
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(type.isF64() ? "%.17g" : "%.9g",
                                                 getDouble(word, type));
  return isNaN(word, type) ? "nan" : text;
}

/// Each result's largest finite value scales its tolerance.
static double getLargest(const Array &array) {
  double largest = 0;
  for (Word word : array.words)
    if (double value = std::abs(getDouble(word, array.elementType)); std::isfinite(value))
      largest = std::max(largest, value);
  return largest;
}

static bool isNear(double expected, double actual, double allowed) {
  if (std::isnan(expected) || std::isnan(actual))
    return std::isnan(expected) && std::isnan(actual);
  return expected == actual || std::abs(expected - actual) <= allowed;
}

static std::optional<std::string> findDifference(size_t result, const Array &expected,
                                                 const Array &actual, Agreement agreement) {
  Type type = expected.elementType;
  if (expected.getType() != actual.getType()) {
    std::string text;
    llvm::raw_string_ostream(text) << "result " << result << " has type " << actual.getType()
                                   << " instead of " << expected.getType();
    return text;
  }
  bool isExact = agreement == Agreement::Bits || !isa<FloatType>(type);
  double allowed = isExact ? 0 : getTolerance(type) * getLargest(expected);
  for (size_t place = 0; place < expected.words.size(); ++place) {
    Word want = expected.words[place], have = actual.words[place];
    if (want == have || (isNaN(want, type) && isNaN(have, type)))
      continue;
    if (!isExact && isNear(getDouble(want, type), getDouble(have, type), allowed))
      continue;
    return describeElement(result, expected, place) + " is " + describeWord(have, type) +
           " instead of " + describeWord(want, type);
  }
  return std::nullopt;
}

std::optional<std::string>
interpreter::findDifference(ArrayRef<Array> expected, ArrayRef<Array> actual, Agreement agreement) {
  if (expected.size() != actual.size())
    return llvm::formatv("there are {0} results instead of {1}", actual.size(), expected.size());
  for (size_t result = 0; result < expected.size(); ++result)
    if (auto difference = ::findDifference(result, expected[result], actual[result], agreement))
      return difference;
  return std::nullopt;
}

uint64_t interpreter::getDigest(ArrayRef<Array> arrays) {
  uint64_t digest = 0xcbf29ce484222325ull;
  for (const Array &array : arrays)
    for (Word word : array.words) {
      if (isNaN(word, array.elementType))
        word = getPoison(array.elementType);
      for (unsigned byte = 0; byte < 8; ++byte)
        digest = (digest ^ (word.bits >> (8 * byte) & 0xff)) * 0x100000001b3ull;
    }
  return digest;
}
