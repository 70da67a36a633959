//===- Tokens.h - Tokens of FIFOs and of itensors ---------------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_TOKENS_H
#define STREAMTENSOR_LIB_INTERPRETER_TOKENS_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Interpreter/Array.h"

namespace streamtensor::interpreter {

/// Words of one token of a FIFO: one per lane; an integer of more than 64 bits lies in pieces of
/// 64, the lowest first.
int64_t getTokenWords(mlir::Type token);

/// The bits of a token as another type of as many bits; lane 0 lies lowest.
void castToken(const Word *from, mlir::Type fromType, Word *to, mlir::Type toType);

/// `tokens`, one after the other, each cast.
std::vector<Word> castTokens(llvm::ArrayRef<Word> tokens, mlir::Type fromType, mlir::Type toType);

/// An array for the data behind an itensor.
ArrayPtr makeData(itensor::ITensorType type);

/// Puts the tokens of `stream` into `data`, which starts at `offsets` of a larger tensor.
void scatter(llvm::ArrayRef<Word> stream, itensor::ITensorType type, Array &data,
             llvm::ArrayRef<int64_t> offsets = {});

/// Takes the tokens of `type` out of `data`.
ArrayPtr gather(const Array &data, itensor::ITensorType type, llvm::ArrayRef<int64_t> offsets = {});

//===--- Hand-written kernels: what their reference computes ---------------===//

/// On whole tensors.
mlir::FailureOr<llvm::SmallVector<ArrayPtr>> runReference(dataflow::ExternOp declaration,
                                                          llvm::ArrayRef<ArrayPtr> inputs);

/// On all tokens of one activation, as the ports' FIFOs carry them.
mlir::FailureOr<llvm::SmallVector<std::vector<Word>>>
runOnTokens(dataflow::ExternOp declaration, llvm::ArrayRef<std::vector<Word>> inputs);

} // namespace streamtensor::interpreter

#endif
