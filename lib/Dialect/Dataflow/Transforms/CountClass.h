//===- CountClass.h - Loops that walk along one declared extent -*- C++ -*-===//
//
// An extent of a tensor may be a scalar of the launch. Here is found which loops of a design walk
// along such an extent: from the ports through addresses, FIFOs and blocks to whoever shares them.
//
// Tokens of a FIFO, blocks of a buffer and places of a memory are numbered by loops, each of which
// counts in steps of its weight up to its top (weight x trips). Loops with the same top at both
// ends of a channel make the same elements absent when they end early.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_COUNTCLASS_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_COUNTCLASS_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/Dataflow/IR/IterationBox.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <string>

namespace streamtensor::dataflow {

/// A loop: the leaf and its number for a shared one, else the nest and its number among all loops
/// around the body.
using Loop = std::pair<mlir::Operation *, unsigned>;

/// Where a loop along the extent ends in a channel: after `top` tokens or blocks (`dim` is -1), or
/// at place `top` of dimension `dim` of a memory.
struct Edge {
  mlir::Value channel;
  int dim;
  int64_t top;
};

/// A load of all banks of a memory, of which those of trips that do not happen hold nothing. Where
/// no trip is missing, the loops reach `places` of them along dimension `dim`.
struct BankLoad {
  LoadOp load;
  unsigned dim;
  int64_t places;
};

/// An affine form over loop indices, as far as it is a sum.
struct LinearForm {
  llvm::SmallVector<int64_t> factors; ///< Of each loop; 0 where it does not occur.
  llvm::SmallVector<bool> isNested;   ///< Is the loop under a `mod` or a division?
  static LinearForm of(mlir::AffineExpr expr, unsigned numLoops);
};

/// What changes nothing where the banks of a load are combined; null if they are not, by one
/// operation that has such an element.
mlir::TypedAttr getNeutralOfBanks(LoadOp load);

/// The loop of `nest` by its number among all loops around the body.
Loop getLoop(NestOpInterface nest, unsigned number);

class CountClass {
public:
  /// `extent`: how many elements there are at most.
  CountClass(llvm::StringRef name, int64_t extent) : name(name.str()), extent(extent) {}

  void add(const Edge &edge);
  /// Finds all loops; failure if some cannot end early, `reason` then says why.
  mlir::LogicalResult close();

  std::string name, reason;
  int64_t extent;
  llvm::MapVector<Loop, int64_t> loops; ///< With their trips.
  llvm::SmallVector<BankLoad> bankLoads;
  llvm::SetVector<mlir::Value> written; ///< Ports that launches do not write whole.

  bool contains(NestOpInterface nest, unsigned number) const {
    return loops.contains(getLoop(nest, number));
  }
  /// Elements after which all loops of the class are at the start of a trip, but for those that may
  /// go on behind the end.
  int64_t getGranule() const { return granule; }

private:
  mlir::LogicalResult fail(const llvm::Twine &why);
  mlir::LogicalResult addLoop(NestOpInterface nest, unsigned number);
  mlir::LogicalResult visit(const Edge &edge);
  mlir::LogicalResult visitTokens(const Edge &edge);
  mlir::LogicalResult visitToken(AccessOpInterface access, int64_t top);
  mlir::LogicalResult visitBlocks(const Edge &edge);
  mlir::LogicalResult visitPlaces(const Edge &edge);
  mlir::LogicalResult visitPlace(AccessOpInterface access, const Edge &edge);
  mlir::LogicalResult visit(Loop loop);
  mlir::LogicalResult visitAccess(AccessOpInterface access, NestOpInterface nest, unsigned number);
  mlir::LogicalResult visitBanks(AccessOpInterface access, unsigned dim, int64_t trips);
  mlir::LogicalResult addBankLoad(AccessOpInterface access, unsigned dim, int64_t places);
  void findGranule();

  int64_t granule = 1;
  std::vector<Edge> edges;
  std::vector<Loop> pending;
};

/// Ports whose tensors have declared extents, by the names of the extents: found at the launches.
/// An error where an attribute is malformed.
mlir::FailureOr<std::vector<CountClass>> findDeclaredExtents(mlir::ModuleOp module,
                                                             DesignOp design);

} // namespace streamtensor::dataflow

#endif
