//===- Comparison.h - Do two runs give the same result? ---------*- C++ -*-===//
//
// All tolerances of the project's C++ side are in Comparison.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_INTERPRETER_COMPARISON_H
#define STREAMTENSOR_INTERPRETER_COMPARISON_H

#include "streamtensor/Interpreter/Array.h"

namespace streamtensor::interpreter {

/// How exactly two runs must agree.
enum class Agreement {
  Bits,     ///< Every bit (one NaN is as good as another).
  Rounding, ///< Floats within the tolerance of their type; integers exactly.
};

/// The largest difference of two float results, divided by the largest expected value, that other
/// orders of summation and other math libraries may cause.
double getTolerance(mlir::Type elementType);

/// What differs between two lists of results, in words; nothing if they agree.
std::optional<std::string> findDifference(llvm::ArrayRef<Array> expected,
                                          llvm::ArrayRef<Array> actual, Agreement agreement);

/// The value, for people, with all its digits.
std::string describeWord(Word word, mlir::Type type);

/// A number that two lists of results share if their bits agree (64-bit FNV-1a).
uint64_t getDigest(llvm::ArrayRef<Array> arrays);

} // namespace streamtensor::interpreter

#endif
