//===- ITensorAlgebra.h - Algebra of itensor types --------------*- C++ -*-===//
//
// Pure functions over itensor types; no pass, no IR. Each says which tokens its result sends,
// in which order, and when it fails; unittests/Dialect/ITensor compares each with an enumeration
// of tokens and elements. Laws: docs/rationale/itensor.md.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_ITENSOR_IR_ITENSORALGEBRA_H
#define STREAMTENSOR_DIALECT_ITENSOR_IR_ITENSORALGEBRA_H

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

namespace streamtensor::itensor {

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

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

/// The type that streams a whole tensor as row-major tiles: loops in data-dimension
/// order, one per dimension that has more than one tile. `tile` divides `shape`.
ITensorType getRowMajorType(llvm::ArrayRef<int64_t> shape, mlir::Type elementType,
                            llvm::ArrayRef<int64_t> tile);

//===----------------------------------------------------------------------===//
// Cover
//===----------------------------------------------------------------------===//

/// Every element of the data tensor lies in exactly one tile and no tile is sent twice.
bool isExactCover(ITensorType type);

/// Every element of the data tensor lies in at least one tile.
bool isCover(ITensorType type);

/// The extents from the first to the last element that one trip of the outer `level` loops
/// reaches: the tile for all loops, the reach of the whole type for none.
llvm::SmallVector<int64_t> getBlockShape(ITensorType type, unsigned level);

//===----------------------------------------------------------------------===//
// Common refinement
//===----------------------------------------------------------------------===//

/// Two types in the orders of `first` and `second` whose first `shared` loops are equal in trips,
/// step and data dimension.
struct CommonRefinement {
  ITensorType first, second;
  unsigned shared;
};
/// Splits loops of both normal forms so that the shared loops have the most trips. A loop of T
/// trips and step S splits into T/n trips of step S*n around n trips of step S; so parts of two
/// loops are equal only if their spans (trips times step) are, and then share gcd(T, T') trips.
/// Revisits have no span.
CommonRefinement getCommonRefinement(ITensorType first, ITensorType second);

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

/// One summand of an index.
struct IndexTerm {
  unsigned loop;
  int64_t coefficient;
};
/// The summands of `index`, none for the constant 0; nothing if it is no sum of dimensions with
/// positive coefficients.
std::optional<llvm::SmallVector<IndexTerm>> getIndexTerms(mlir::AffineExpr index);

/// Is each index of `map` such a sum, and does no dimension occur twice?
bool isAccessMap(mlir::AffineMap map);

/// The elements from the first to the last that `index` reaches over dimensions of these extents.
int64_t getExtent(mlir::AffineExpr index, llvm::ArrayRef<int64_t> extents);

/// What flows if each token of `type` is seen through `map`, from its data to data of `shape`:
/// as many tokens in the same order; a token at offset o comes from map(o), and its tile is the
/// smallest box that holds the images of the tile's elements. A loop over a dimension that the map
/// does not use becomes a revisit. Transposes, windows over the loops of an operation, added
/// and dropped dimensions and row-major places are such maps.
/// Fails if `map` is no access map of the data or an image lies outside of `shape`.
mlir::FailureOr<ITensorType> composeType(ITensorType type, mlir::AffineMap map,
                                         llvm::ArrayRef<int64_t> shape);
/// As above; the data is the smallest box that holds the image of the data of `type`.
mlir::FailureOr<ITensorType> composeType(ITensorType type, mlir::AffineMap map);

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// Each token as tokens of shape `tile`, one after the other, row-major. Fails unless `tile`
/// divides the token. Every element is sent as often as before.
mlir::FailureOr<ITensorType> cutTokens(ITensorType type, llvm::ArrayRef<int64_t> tile);

/// The dimension of a token along which lanes run: its last one with more than one
/// element; nothing for tokens of one element.
std::optional<unsigned> getLaneDim(ITensorType type);

/// Elements of a token along its lane dimension, 1 if it has none.
int64_t getLaneExtent(ITensorType type);

/// Do vectors of `lanes` elements cut tokens into boxes? They are parts of a row, or whole rows
/// that lie one after the other, or whole planes of these, and so on.
bool areLanes(ITensorType type, int64_t lanes);

/// Shape of the box that a vector of `lanes` of a token covers, which `areLanes` admits.
llvm::SmallVector<int64_t> getLaneBox(ITensorType type, int64_t lanes);

/// The vectors of `lanes` elements in which the tokens of `type` pass a FIFO, each as a token. The
/// order of elements stays the same. Fails unless `areLanes`.
mlir::FailureOr<ITensorType> cutIntoLanes(ITensorType type, int64_t lanes);

/// The same tokens over data whose elements are vectors of `lanes` neighbours along the lane
/// dimension: tile, steps and data of that dimension count vectors. The sequence of scalars stays
/// the same. Fails where the tile, a step or the data is no multiple of `lanes` there.
mlir::FailureOr<ITensorType> vectoriseType(ITensorType type, int64_t lanes);

/// The inverse: vectors become scalars along data dimension `dim`. Fails if the elements are no
/// one-dimensional vectors, or if a token has more than one of them along a later dimension.
mlir::FailureOr<ITensorType> unvectoriseType(ITensorType type, unsigned dim);

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// Loops of `type` that are no revisits, outermost first.
llvm::SmallVector<int64_t> getMovingLoops(ITensorType type);

/// How the tokens of a type lie in external memory, each once.
struct PackedOrder {
  /// The loops that move as they lie, outermost first; empty: as the type has them.
  llvm::ArrayRef<int64_t> loops = {};
  /// Elements of a vector that has a word of its own, the next power of two; 0: no words.
  int64_t lanes = 0;
};

/// Shape of a tensor that holds the tokens of `type` one after the other: the trips of the loops
/// that move, then the token's shape. With lanes the token's last extent above 1 counts
/// vectors, and the word follows.
llvm::SmallVector<int64_t> getPackedShape(ITensorType type, PackedOrder order = {});

/// Element strides, in a row-major tensor of shape `shape`, of the dimensions of
/// `getPackedShape(type, order)`.
llvm::SmallVector<int64_t> getPackedStrides(ITensorType type, llvm::ArrayRef<int64_t> shape,
                                            PackedOrder order = {});

/// The type that sends the tokens of `type` from the packed tensor: its loops, each that moves
/// along a dimension of its own. The sequence of elements stays the same; with lanes, what
/// pads a word is left out.
ITensorType getPackedType(ITensorType type, PackedOrder order = {});

/// The type that sends the tokens of `reader` from the tensor that `packing`, an exact cover of
/// the same data, has packed. The sequence of elements stays the same. Fails where a tile or a
/// loop of `reader` would cut a tile of `packing` or cross from one of its loops into another, and
/// where a tile would not be row-major in the packed tensor.
mlir::FailureOr<ITensorType> readPacked(ITensorType reader, ITensorType packing);

/// The inverse of the order of an exact cover: sends the tokens of the packed tensor so that
/// their tiles come in row-major order of the data. Fails if `type` is no exact cover.
mlir::FailureOr<ITensorType> getInverseOrder(ITensorType type);

//===----------------------------------------------------------------------===//
// Parts and groups of the data
//===----------------------------------------------------------------------===//

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

/// The type of data that is longer along `dim` and of which `part`, at any whole tile, is a chunk:
/// the loop over `dim` makes more trips, or is added innermost. Fails if several loops feed the
/// dimension, or one that skips, or if tiles do not fill `extent`.
mlir::FailureOr<ITensorType> extendType(ITensorType part, unsigned dim, int64_t extent);

} // namespace streamtensor::itensor

#endif
