//===- Tiling.h - Laws of the tiling space ----------------------*- C++ -*-===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_TILING_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_TILING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::dataflow {

/// "1, 2, 4, 8": what may divide `number`, for diagnostics; the middle of a long list is left out.
std::string listDivisors(int64_t number);

/// What is wrong with a choice: the law `[tiling.FIELD]`, why, and what the field could be.
struct TilingFault {
  llvm::StringRef law;
  std::string reason;
};
/// "[tiling.tile] 'tile' is 5 for loop 1, …"
std::string toString(const TilingFault &fault);

/// The numbers of one operation's choices; `vector` is empty where none is stated.
struct TilingNumbers {
  llvm::ArrayRef<int64_t> tile, order, unroll, vector;
};
TilingNumbers getNumbers(TilingAttr tiling);

/// The first law that the numbers break by themselves: one per loop, each at least 1, `order` a
/// permutation, `unroll` a divisor of `tile`.
std::optional<TilingFault> findFault(const TilingNumbers &numbers);

/// The first law that the numbers break on `op`, whose loops are whole or tiled by them already:
/// a number per loop, `tile` a divisor of the extent, `vector` of the row of each result's tile.
std::optional<TilingFault> findFault(const TilingNumbers &numbers, mlir::linalg::LinalgOp op);

/// The choices for `op`, null if there are none.
TilingAttr getTiling(mlir::Operation *op);
void setTiling(mlir::Operation *op, TilingAttr tiling);
/// The choices for `op`; an error if there are none.
mlir::FailureOr<TilingAttr> requireTiling(mlir::Operation *op);
/// Is `op` what one tile of its choices is?
bool isTiled(mlir::linalg::LinalgOp op);

/// The fewest elements of each loop's tile that a launch may have; null where all have them all.
/// What lies along such a loop comes one by one, so that a launch can end it early.
mlir::DenseI64ArrayAttr getLeast(mlir::Operation *op);
void setLeast(mlir::Operation *op, llvm::ArrayRef<int64_t> least);

/// Odd factors that extents of a function were padded to have, so that lanes divide them; 1 for
/// none.
struct OddFactors {
  int64_t beside = 1; ///< Of extents along no row of a matrix in memory.
  int64_t rows = 1;   ///< Of those along rows, which fill no words then.

  bool any() const { return beside > 1 || rows > 1; }
};

OddFactors getOdd(mlir::Operation *function);
void setOdd(mlir::Operation *function, OddFactors odd);

/// Extents of a function as they were padded for lanes that are known, of those that may be padded
/// in the order in which operations have them; null where rules or odd factors decide.
mlir::DenseI64ArrayAttr getPadded(mlir::Operation *function);
void setPadded(mlir::Operation *function, llvm::ArrayRef<int64_t> extents);

/// The inputs that an engine of a single token takes at once, which those of its products were
/// padded for; 0 if there is no such engine.
int64_t getTokenInputs(mlir::Operation *function);
void setTokenInputs(mlir::Operation *function, int64_t inputs);

/// May a launch have a part of the tile of `loop` only?
bool isFilledInPart(mlir::linalg::LinalgOp op, unsigned loop);

/// The order in which `op` adds, null if it is not written down.
SumsAttr getSums(mlir::Operation *op);
void setSums(mlir::Operation *op, SumsAttr sums);

/// Lanes of the FIFO of each itensor that `op` gives; null before they are chosen.
mlir::DenseI64ArrayAttr getLanes(mlir::Operation *op);
void setLanes(mlir::Operation *op, llvm::ArrayRef<int64_t> lanes);
/// Lanes of the FIFO of `stream`, 0 before they are chosen.
int64_t getLanes(mlir::OpResult stream);

/// Laws of the attributes above on the op that carries them.
mlir::LogicalResult verifyTiling(mlir::Operation *op, mlir::Attribute value);
mlir::LogicalResult verifySums(mlir::Operation *op, mlir::Attribute value);
mlir::LogicalResult verifyLeast(mlir::Operation *op, mlir::Attribute value);
mlir::LogicalResult verifyLanes(mlir::Operation *op, mlir::Attribute value);

} // namespace streamtensor::dataflow

#endif
