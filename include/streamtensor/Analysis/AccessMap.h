//===- AccessMap.h - How loops move an access -------------------*- C++ -*-===//
//
// A generic reads each tensor by a map from its loops to the tensor's dimensions. Each
// index is a sum of loops with positive coefficients: one loop alone, or a window, such as
// `oh * stride + kh * dilation` of a convolution or a pooling.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_ANALYSIS_ACCESSMAP_H
#define STREAMTENSOR_ANALYSIS_ACCESSMAP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

namespace streamtensor {

using itensor::getExtent;
using itensor::getIndexTerms;
using itensor::IndexTerm;
using itensor::isAccessMap;

/// Has `map` an index that is more than one loop alone?
bool isWindow(mlir::AffineMap map);

/// The elements by which `loop` moves the access, 0 if it does not; at most one index has it.
int64_t getCoefficient(mlir::AffineMap map, unsigned loop);

/// `map` with each window replaced by its loop that is unrolled, or by 0: the dimensions of the
/// tensor that the lanes of a vector lie along. A window has at most one such loop (`canUnroll`).
mlir::AffineMap getLaneMap(mlir::AffineMap map, llvm::ArrayRef<int64_t> unroll);

/// The box of the tensor that the lanes make up.
llvm::SmallVector<int64_t> getLaneShape(mlir::AffineMap map, llvm::ArrayRef<int64_t> unroll);

/// May lanes run along `loop`? The lanes of a vector are neighbours in memory, so of each
/// window at most one loop qualifies, one that moves by one element; a parallel one if possible.
bool canUnroll(mlir::linalg::LinalgOp op, unsigned loop);

/// Does input `operand` only say how far the loops of a window run (a tensor.empty that the body
/// does not read)?
bool isWindowShape(mlir::linalg::LinalgOp op, mlir::OpOperand &operand);

/// The inputs that carry data.
llvm::SmallVector<mlir::OpOperand *> getDataInputs(mlir::linalg::LinalgOp op);

/// Is `op` a reduction that takes elements several times, as of products of tensors? It has lanes
/// along all loops.
bool isContraction(mlir::linalg::LinalgOp op);

/// The product of two inputs, as they come or as other numbers, of which `op` adds up one for each
/// of its points and nothing else; null if `op` computes something else.
mlir::Operation *getSummedProduct(mlir::linalg::LinalgOp op);

} // namespace streamtensor

#endif
