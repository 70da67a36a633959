//===- GenericProgram.h - A Linalg operation, ready to run ------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_GENERICPROGRAM_H
#define STREAMTENSOR_LIB_INTERPRETER_GENERICPROGRAM_H

#include "Body.h"
#include "OperandAccess.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor::interpreter {

/// Any structured operation of Linalg: its body runs at each point of its iteration space, in
/// lexicographic order.
class GenericProgram {
public:
  static mlir::FailureOr<std::unique_ptr<GenericProgram>> compile(mlir::linalg::LinalgOp op);

  Body &getBody() { return body; }
  /// Runs on the operands' elements; those of the inits are overwritten.
  void run(llvm::ArrayRef<Word *> operands);

private:
  struct Access {
    OperandAccess where;
    Registers argument;
    const Word *yielded = nullptr; ///< For inits: what is stored.
  };
  void runPoint(llvm::ArrayRef<Word *> operands, llvm::ArrayRef<int64_t> places);

  Body body;
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<Access> accesses;
  llvm::SmallVector<std::pair<unsigned, Registers>> indices; ///< linalg.index
};

} // namespace streamtensor::interpreter

#endif
