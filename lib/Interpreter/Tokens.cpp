//===- Tokens.cpp - Tokens of FIFOs as bits -------------------------------===//

#include "Tokens.h"

#include "streamtensor/Support/BitWidth.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

/// Of one word of a token: its type and its bits.
namespace {
struct TokenWords {
  Type type;
  int64_t count;
  int64_t wordBits;
  int64_t bits;

  explicit TokenWords(Type token) : bits(getBitWidth(token)) {
    auto vector = dyn_cast<VectorType>(token);
    type = vector ? vector.getElementType() : token;
    wordBits = std::min<int64_t>(vector ? bits / vector.getNumElements() : bits, 64);
    count = llvm::divideCeil(bits, wordBits);
  }
  int64_t getBits(int64_t word) const { return std::min(wordBits, bits - word * wordBits); }
  Word makeWord(uint64_t value, int64_t width) const {
    if (isa<FloatType>(type) || count * wordBits != bits || width == 64)
      return {value};
    return Word::ofInteger(static_cast<int64_t>(value), width);
  }
};
} // namespace

int64_t interpreter::getTokenWords(Type token) { return TokenWords(token).count; }

void interpreter::castToken(const Word *from, Type fromType, Word *to, Type toType) {
  TokenWords source(fromType), target(toType);
  llvm::APInt all(source.bits, 0);
  for (int64_t word = 0; word < source.count; ++word) {
    unsigned width = source.getBits(word);
    all.insertBits(from[word].asUnsigned(width), word * source.wordBits, width);
  }
  for (int64_t word = 0; word < target.count; ++word) {
    unsigned width = target.getBits(word);
    to[word] = target.makeWord(all.extractBitsAsZExtValue(width, word * target.wordBits), width);
  }
}

std::vector<Word> interpreter::castTokens(ArrayRef<Word> tokens, Type fromType, Type toType) {
  int64_t from = getTokenWords(fromType), to = getTokenWords(toType);
  int64_t count = static_cast<int64_t>(tokens.size()) / from;
  std::vector<Word> result(count * to);
  for (int64_t token = 0; token < count; ++token)
    castToken(tokens.data() + token * from, fromType, result.data() + token * to, toType);
  return result;
}
