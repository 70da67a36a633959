//===- Array.h - A tensor or an itensor of an executed program --*- C++ -*-===//

#ifndef STREAMTENSOR_INTERPRETER_ARRAY_H
#define STREAMTENSOR_INTERPRETER_ARRAY_H

#include "mlir/IR/BuiltinAttributes.h"
#include "streamtensor/Interpreter/Word.h"

#include <memory>
#include <vector>

namespace streamtensor::interpreter {

/// The elements of a tensor, row-major. The elements of an itensor are its tokens, one after the
/// other, each row-major; its shape is the number of tokens, then the token's shape.
struct Array {
  llvm::SmallVector<int64_t> shape;
  mlir::Type elementType;
  std::vector<Word> words;
  /// Of a reduction that goes on: what `words` is the sum of, bank by bank.
  std::vector<Word> partialSums;

  int64_t getNumElements() const { return llvm::product_of(shape); }
  mlir::RankedTensorType getType() const { return mlir::RankedTensorType::get(shape, elementType); }
};

/// Arrays are shared until one is written.
using ArrayPtr = std::shared_ptr<Array>;

/// Row-major distances between neighbours.
llvm::SmallVector<int64_t> getStrides(llvm::ArrayRef<int64_t> shape);

/// Calls `visit` with each index inside `shape`, the last dimension fastest.
void forEachIndex(llvm::ArrayRef<int64_t> shape,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

/// An array whose elements nobody wrote yet.
ArrayPtr makeArray(llvm::ArrayRef<int64_t> shape, mlir::Type elementType);

/// The elements of a dense constant or resource; null if they are of a type without words or
/// their bytes are not here.
ArrayPtr makeArray(mlir::ElementsAttr attribute);

} // namespace streamtensor::interpreter

#endif
