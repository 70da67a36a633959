//===- Word.h - One number of an executed program ---------------*- C++ -*-===//
//
// Every scalar of every type lies in 64 bits: an integer sign-extended from its width, a
// float as its own bits. Two values are the same if their words are.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_INTERPRETER_WORD_H
#define STREAMTENSOR_INTERPRETER_WORD_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

namespace streamtensor::interpreter {

struct Word {
  uint64_t bits = 0;

  template <typename T> T as() const {
    static_assert(sizeof(T) <= sizeof(uint64_t));
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
  }
  template <typename T> static Word of(T value) {
    static_assert(sizeof(T) <= sizeof(uint64_t));
    Word word;
    std::memcpy(&word.bits, &value, sizeof(T));
    return word;
  }
  int64_t asInteger() const { return static_cast<int64_t>(bits); }
  /// The integer `value` in `width` bits; higher bits are dropped.
  static Word ofInteger(int64_t value, unsigned width) {
    return {static_cast<uint64_t>(width == 64 ? value : llvm::SignExtend64(value, width))};
  }
  static Word ofBool(bool value) { return ofInteger(value, 1); }
  bool isTrue() const { return bits & 1; }
  /// The integer read without sign.
  uint64_t asUnsigned(unsigned width) const {
    return width == 64 ? bits : bits & llvm::maskTrailingOnes<uint64_t>(width);
  }
  bool operator==(const Word &other) const = default;
};

/// Bits of a scalar: an integer of up to 64, index (64), or a float of 16, 32 or 64. Zero for
/// types that have no word.
unsigned getWordWidth(mlir::Type type);

/// The number of an IntegerAttr, FloatAttr or BoolAttr.
Word getWord(mlir::Attribute attribute);

/// The bits of a word of `type`, from the lowest.
llvm::APInt getBits(Word word, mlir::Type type);
Word getWord(const llvm::APInt &bits, mlir::Type type);

/// The value as a double (exact for every float; rounded for large integers).
double getDouble(Word word, mlir::Type type);
bool isNaN(Word word, mlir::Type type);

/// A value that no program should use: NaN, or alternating bits.
Word getPoison(mlir::Type type);

} // namespace streamtensor::interpreter

#endif
