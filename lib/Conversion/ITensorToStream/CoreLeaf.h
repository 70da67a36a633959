//===- CoreLeaf.h - The leaf that computes ----------------------*- C++ -*-===//
//
// Tile loops and point loops around the body of a compute task, on vectors of points.
//
// A reduction keeps its accumulators in private memory. If the same accumulator came
// around again before the combiner has finished, the reduction is split over
// enough accumulators ("banks"), chosen by the innermost reduction loops.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_CORELEAF_H
#define STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_CORELEAF_H

#include "ComputeTask.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/Lookup.h"

namespace streamtensor {

/// Builds the core leaf of one task.
class CoreLeaf {
public:
  CoreLeaf(DesignBuilder &design, const ComputeTask &task);

  mlir::LogicalResult create();

private:
  using Address = llvm::SmallVector<mlir::AffineExpr>;
  using Shape = llvm::SmallVector<int64_t>;

  // CoreLeaf.cpp: loops, indices, inputs, element-wise bodies.
  LeafSpec getSpec() const;
  mlir::Value getTileOffset(unsigned loop);
  mlir::Value getIndexVector(unsigned dim);
  mlir::Value getFirstPoint(unsigned dim);
  mlir::Value readInput(unsigned input);
  mlir::Value readSingle(unsigned input);
  mlir::Value readVector(unsigned input);
  mlir::Value loadBlock(unsigned input);
  mlir::LogicalResult cloneBody(const llvm::DenseSet<mlir::Operation *> &skip = {});
  mlir::LogicalResult computeElementwise();
  mlir::FailureOr<mlir::Value> getVector(mlir::Value operand);
  /// Calls `use` with the number and the vector of each value that the body yields.
  mlir::LogicalResult forEachYielded(llvm::function_ref<void(unsigned, mlir::Value)> use);
  void writeResult(unsigned result, mlir::Value value);

  // CoreLookup.cpp: rows of a table in external memory.
  mlir::LogicalResult cloneBodyWithLookup(const Lookup &lookup);
  mlir::FailureOr<mlir::Value> lookUp(const Lookup &lookup);
  mlir::AffineExpr getColumn(mlir::Value index) const;
  mlir::AffineExpr getRow(const Lookup &lookup) const;
  mlir::FailureOr<mlir::Value> computeRow(mlir::Value row);

  // CoreReduction.cpp: accumulators.
  mlir::LogicalResult computeReduction();
  mlir::LogicalResult computeGeneralReduction();
  mlir::FailureOr<mlir::Value> combinePoints(unsigned result);
  mlir::Value getStart(unsigned result);
  mlir::Value loadAccumulator(unsigned result, mlir::Value start);
  void finishReduction(unsigned result, mlir::Value value);
  mlir::AffineExpr getIndex(const ReductionLoop &loop) const;
  Guard getFirst() const;
  Guard getLast() const;
  Address getBank() const;
  Address getAccumulator(unsigned result) const;
  Shape getBankBox(unsigned result) const;

  // Addresses.
  Address getTokenAddress(mlir::AffineMap map) const;
  Address getBlockAddress(mlir::AffineMap map, itensor::ITensorType type, unsigned level,
                          llvm::ArrayRef<mlir::AffineExpr> tileLoops) const;
  /// The address of a result's point among those of its tokens inside `level` parallel loops.
  Address getResultAddress(unsigned result, unsigned level) const;
  Shape getBox(mlir::AffineMap map) const { return getLaneShape(map, points.unroll); }
  /// `box`, read with `map`, in every point of the space.
  mlir::Value spread(mlir::Value box, mlir::AffineMap map);

  DesignBuilder &design;
  const ComputeTask &task;
  const TaskNest &nest;
  const CorePlan &core;
  const PointPlan &points;
  const VectorSpace &space;
  mlir::linalg::GenericOp generic;
  mlir::Location loc;
  VectorBuilder vectors;
  Shape extents; ///< Tile extent per loop of the generic.
  Nest loops;
  Address tileIndex;  ///< Per tile loop.
  Address pointLoop;  ///< Per loop of the generic: its point loop.
  Address pointIndex; ///< Per loop of the generic, in elements.
  dataflow::LeafOp leaf;
  mlir::IRMapping mapping; ///< From values of the body to vectors.
};

} // namespace streamtensor

#endif
