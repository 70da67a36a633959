//===- DimensionClasses.h - Tile extents shared by connected ops *- C++ -*-===//
//
// Dimensions of tensors that are connected through indexing maps, reshapes,
// slices, concats and pads form a class and share one tile extent, so that
// producers and consumers agree on tokens without a converter.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_DIMENSIONCLASSES_H
#define STREAMTENSOR_TRANSFORMS_TILE_DIMENSIONCLASSES_H

#include "streamtensor/Transforms/Tile/Engines.h"
#include "streamtensor/Transforms/Tile/MatrixRows.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"

namespace streamtensor {

class DimensionClasses {
public:
  /// Chooses the tile extent of every dimension of every tensor in `function`:
  /// the largest divisor, at most `tileSize`, of all extents and cut positions in
  /// the dimension's class, or the next divisor above it if that is far smaller. Outer parts of
  /// reshaped dimensions and batch dimensions of contractions get extent 1. Outer dimensions are
  /// cut to 1 until a tile has at most `tileSize` squared elements. Where a window moves, a tile is
  /// a part of one row of one image with all its channels, and the window's kernel is one tile if
  /// it can be held, and a row of weights narrower than 32 bits has as many bits as one of 32;
  /// these dimensions may be wider than `tileSize` and do not count as elements. Where a reshape
  /// cuts rows that operations of `engines` take or give into heads, half as wide at least,
  /// either side has tiles of its own, and the rows are as wide as those of weights. Tiles of
  /// `matrices` have as many rows as they may.
  DimensionClasses(mlir::func::FuncOp function, int64_t tileSize,
                   const Engines &engines = Engines(), llvm::ArrayRef<MatrixRows> matrices = {});

  /// Tile extent of dimension `dim` of tensor `value`.
  int64_t getTile(mlir::Value value, unsigned dim) const;

  /// Tile extents of the loops of `op`, in elements; equal to the extent where
  /// one tile covers the loop.
  llvm::SmallVector<int64_t> getLoopTiles(mlir::linalg::LinalgOp op) const;

  /// The fewest elements of each loop's tile that a launch may have: 1 where an extent declared
  /// with `streamtensor.extents` lies whole in the tile, else all of `tiles`.
  llvm::SmallVector<int64_t> getLeast(mlir::linalg::LinalgOp op,
                                      llvm::ArrayRef<int64_t> tiles) const;

  /// Does `loop` of `op` go through tokens that an engine takes in passes, of which a tile has one?
  bool goesThroughPasses(mlir::linalg::LinalgOp op, unsigned loop) const;

  /// Trips of the loops of `op` that a launch makes on average: half of those along an extent that
  /// is declared with `streamtensor.extents`, as a launch has any number of its elements. All where
  /// one tile has the whole extent: the tokens of a prompt fill their passes.
  llvm::SmallVector<int64_t> getExpectedRanges(mlir::linalg::LinalgOp op) const;

  /// Classes of the loops of contractions whose tiles could be others (`TileLanes.h`): nothing but
  /// the tile size has chosen them.
  llvm::SmallVector<unsigned> getFreeClasses(mlir::func::FuncOp function) const;
  /// What the tile of a free class divides, and what it is.
  int64_t getDivisible(unsigned ofClass) const { return common[ofClass]; }
  int64_t getTile(unsigned ofClass) const { return tile[ofClass]; }
  void setTile(unsigned ofClass, int64_t elements) { tile[ofClass] = elements; }
  /// Do elements lie one behind the other along the class in some tensor?
  bool isRow(unsigned ofClass) const;

private:
  struct Reshape {
    mlir::Value high, low;
    llvm::SmallVector<llvm::SmallVector<int64_t, 2>> reassociation;
  };
  unsigned find(unsigned node) const;
  bool isDeclared(unsigned node, int64_t extent) const;
  void unite(unsigned lhs, unsigned rhs);
  unsigned nodeOf(mlir::Value value, unsigned dim);
  void constrain(unsigned node, int64_t divisible);
  void cutToOne(unsigned node);
  void visit(mlir::Operation *op);
  void tieReshapesBesideEngines();
  void visitDeclaredExtents(mlir::func::FuncOp function);
  void forEachLoopNode(mlir::linalg::LinalgOp op,
                       llvm::function_ref<void(unsigned loop, unsigned node)> visit) const;
  void visitGeneric(mlir::linalg::LinalgOp op);
  void visitReshape(mlir::Value high, mlir::Value low,
                    llvm::ArrayRef<llvm::SmallVector<int64_t, 2>> reassociation);
  void tie(const Reshape &reshape, llvm::function_ref<bool(int64_t, unsigned)> isTied);
  void visitPad(mlir::tensor::PadOp pad, unsigned dim, int64_t low, int64_t high);
  void visitWindow(mlir::linalg::LinalgOp op, llvm::ArrayRef<std::optional<unsigned>> loopNode);
  void holdKernel(mlir::linalg::LinalgOp op, mlir::AffineMap kernel,
                  llvm::ArrayRef<std::optional<unsigned>> loopNode);
  void widenNarrowRows(mlir::linalg::LinalgOp op, llvm::ArrayRef<std::optional<unsigned>> loopNode);
  void takeAtOnce(unsigned root, int64_t words, const MatrixRows &rows);
  void limitElements();

  int64_t tileSize;
  Engines engines;
  llvm::SmallVector<Reshape> reshapes; ///< Beside engines.

  llvm::DenseMap<mlir::Value, unsigned> firstNode;
  llvm::SmallVector<mlir::Value> values;
  mutable llvm::SmallVector<unsigned> parent;
  llvm::SmallVector<int64_t> common; ///< Greatest common divisor of what the tile must divide.
  llvm::SmallVector<int64_t> tile;
  /// Nodes of tokens that an engine takes in passes.
  llvm::SmallVector<unsigned> passed;
  /// Nodes whose class may have a wider tile, and how wide.
  llvm::SmallVector<std::pair<unsigned, int64_t>> wider;
  /// Rows of what engines take of weights and give, and how wide those of weights may be.
  llvm::SmallVector<std::pair<unsigned, int64_t>> ofEngines;
  /// Nodes with an extent that a launch gives, and the most that it may be.
  llvm::SmallVector<std::pair<unsigned, int64_t>> declared;
};

/// Writes `dataflow.least` on each op of which a launch may have a part of a tile only, by the
/// tiles that its `dataflow.tiling` states.
void stateLeast(mlir::func::FuncOp function, const DimensionClasses &classes);

} // namespace streamtensor

#endif
