//===- ITensorAlgebra.h - Algebra of itensor types --------------*- C++ -*-===//
//
// Pure functions over itensor types; no pass, no IR. Laws: docs/rationale/itensor.md.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_ITENSOR_IR_ITENSORALGEBRA_H
#define STREAMTENSOR_DIALECT_ITENSOR_IR_ITENSORALGEBRA_H

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

namespace streamtensor::itensor {

/// The normal form of a type: unit trips dropped, adjacent loops of one data
/// dimension merged when the outer step is the inner trip times the inner step,
/// adjacent revisits merged. With `asReader`, trailing revisits are dropped too
/// (a reader holds the token).
ITensorType getNormalForm(ITensorType type, bool asReader = false);

/// Do both types send the same tokens in the same order?
bool haveSameTokenOrder(ITensorType lhs, ITensorType rhs);

/// The same loops and tiles over elements of another type.
ITensorType withElementType(ITensorType type, mlir::Type elementType);

/// The order of elements that a reader of `type` receives, as tiles of one element of the
/// row-major flattened data, in normal form: the same for types that regroup data
/// dimensions or cut the same elements into other tokens.
ITensorType getElementOrder(ITensorType type);

/// Every element of the data tensor lies in exactly one tile and no tile is sent twice.
bool isExactCover(ITensorType type);

/// Every element of the data tensor lies in at least one tile.
bool isCover(ITensorType type);

/// The type that streams a whole tensor as row-major tiles: loops in data-dimension
/// order, one per dimension that has more than one tile. `tile` divides `shape`.
ITensorType getRowMajorType(llvm::ArrayRef<int64_t> shape, mlir::Type elementType,
                            llvm::ArrayRef<int64_t> tile);

/// Shape of a tensor that holds the tokens of `type` one after the other, each once: the
/// trips of the loops that are no revisits, then the token's shape.
llvm::SmallVector<int64_t> getPackedShape(ITensorType type);

/// Element strides, in a row-major tensor of shape `shape`, of the dimensions of
/// `getPackedShape(type)`.
llvm::SmallVector<int64_t> getPackedStrides(ITensorType type, llvm::ArrayRef<int64_t> shape);

/// The type after grouping or splitting data dimensions as `reassociation` says
/// (indices of the higher-rank side per dimension of the lower-rank side) so that
/// the data shape becomes `shape`; fails if a token or a loop would be cut.
/// Loops keep their order; a loop that spans several new dimensions is split.
mlir::FailureOr<ITensorType>
reassociateType(ITensorType type, llvm::ArrayRef<llvm::SmallVector<int64_t, 2>> reassociation,
                llvm::ArrayRef<int64_t> shape);

/// The type of the part [offset, offset + size) of data dimension `dim`, in the order
/// of `type`; fails if a token would be cut or several loops feed the dimension
/// in a way that is not a sub-nest.
mlir::FailureOr<ITensorType> chunkType(ITensorType type, unsigned dim, int64_t offset,
                                       int64_t size);

} // namespace streamtensor::itensor

#endif
