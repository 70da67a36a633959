//===- VectorBody.h - A linalg body on vectors of points --------*- C++ -*-===//
//
// The unrolled points of one iteration of a leaf task form a vector with one dimension
// per unrolled loop of the generic (its "space"). The body's scalar operations
// become the same operations on such vectors.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_VECTORBODY_H
#define STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_VECTORBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace streamtensor {

/// The unrolled loops of a generic: loop numbers and factors, outermost first.
struct VectorSpace {
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<int64_t> sizes;

  /// The space without the loops for which `drop` holds.
  VectorSpace without(llvm::function_ref<bool(unsigned)> drop) const;
  /// The scalar or vector type of this space.
  mlir::Type getType(mlir::Type elementType) const;
};

/// Builds values in vector spaces.
class VectorBuilder {
public:
  VectorBuilder(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// `value` has the shape of an access with `map` (a box: one extent per result, the
  /// loop's factor if it is unrolled, else 1), or is a scalar. Returns it in the part of
  /// `space` that the map uses.
  mlir::Value fromBox(mlir::Value value, mlir::AffineMap map, const VectorSpace &space);

  /// The inverse of `fromBox`: `value` in `space` as a box of `shape`; `map` gives the
  /// dimensions of the trailing extents.
  mlir::Value toBox(mlir::Value value, mlir::AffineMap map, const VectorSpace &space,
                    llvm::ArrayRef<int64_t> shape);

  /// Repeats `value`, in the part of `space` that consists of `dims`, over the rest.
  mlir::Value broadcast(mlir::Value value, llvm::ArrayRef<unsigned> dims, const VectorSpace &space);

  /// The part of `space` that `map` uses, in the order of `space`.
  static VectorSpace restrict(const VectorSpace &space, mlir::AffineMap map);

  /// Combines the lanes of position `position` of `value`'s shape by a balanced tree of
  /// `combiner`'s operation; the dimension disappears.
  mlir::Value reduceTree(mlir::Value value, unsigned position, mlir::Operation *combiner);

  /// `combiner` (a binary operation) on `lhs` and `rhs`.
  mlir::Value combine(mlir::Operation *combiner, mlir::Value lhs, mlir::Value rhs);

  /// `attribute` in every lane of `space`.
  mlir::Value constant(mlir::TypedAttr attribute, const VectorSpace &space);

  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Clones the body of `generic` onto vectors. `mapping` holds the vectors of the block
/// arguments and of captured loop offsets; `getIndex` gives the vector of the index of a
/// loop, `lookUp` that of the elements of a table at a row that `mapping` has. Operations in `skip`
/// are left out. Fails on operations without a lane-wise meaning.
mlir::LogicalResult
cloneBodyOnVectors(mlir::OpBuilder &builder, mlir::linalg::GenericOp generic,
                   const VectorSpace &space, mlir::IRMapping &mapping,
                   llvm::function_ref<mlir::Value(unsigned)> getIndex,
                   const llvm::DenseSet<mlir::Operation *> &skip,
                   llvm::function_ref<mlir::FailureOr<mlir::Value>()> lookUp = {});

} // namespace streamtensor

#endif
