//===- EngineBuilder.h - The leaves of an engine ----------------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_ENGINEBUILDER_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_ENGINEBUILDER_H

#include "EngineSlices.h"
#include "LayerWays.h"
#include "ParallelFifos.h"

#include "streamtensor/Support/Naming.h"

namespace streamtensor::dataflow {

/// Builds the engine of some leaves of a design, which share their outermost loop.
class EngineBuilder {
public:
  EngineBuilder(DesignOp design, llvm::StringRef name, llvm::MutableArrayRef<EnginePart> parts,
                int64_t slices, int64_t tokenBits)
      : design(design), name(name), parts(parts), slices(slices), tokenBits(tokenBits),
        builder(design.getContext()) {
    for (auto fifo : design.getOps<StreamOp>())
      names.get(fifo.getName());
    for (auto buffer : design.getOps<BufferOp>())
      names.get(buffer.getName());
    for (auto leaf : design.getOps<LeafOp>())
      names.get(leaf.getName());
  }
  void run();

private:
  std::string getName(const llvm::Twine &wanted) { return names.get(wanted.str()); }
  LeafOp createLeaf(int64_t slice);
  void addNest(EnginePart &part, int64_t slice);
  void joinSums();
  StreamOp createFifo(LeafOp before, const llvm::Twine &wanted, mlir::Type token);
  ParallelFifos &createWay(EnginePart &part, mlir::Value value, const llvm::Twine &wanted);
  StreamReadOp takePassed(StreamReadOp before,
                          llvm::function_ref<mlir::Value(mlir::OpBuilder &)> getSent = nullptr);
  StreamOp createSumFifo(EnginePart &part, mlir::Value sum, const llvm::Twine &wanted,
                         mlir::Type token);
  void giveSums(EnginePart &part, mlir::Value sum);
  void handOver(EnginePart &part, llvm::function_ref<mlir::Value(mlir::Value)> getOperand);
  void splitOperands(EnginePart &part);
  void takeSums(EnginePart &part);
  void finishLeaf(EnginePart &part);
  void renumber(mlir::Operation *op, const LoopNest &loops);

  DesignOp design;
  llvm::StringRef name;
  llvm::MutableArrayRef<EnginePart> parts;
  int64_t slices;
  int64_t tokenBits; ///< At most, of a FIFO.
  mlir::OpBuilder builder;
  LeafOp engine;                          ///< Of the slice that is built.
  llvm::SmallVector<LeafOp> built;        ///< Of all slices.
  llvm::SmallVector<mlir::Value> scalars; ///< Of all parts.
  UniqueNames names;
  /// Of operands, and of the sums that a leaf takes back from an engine without slices.
  llvm::DenseMap<mlir::Value, ParallelFifos> ways;
  /// For each slice the FIFO of its lanes of a sum, or of what a FIFO of sums was.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<StreamOp>> handed;
  /// Where the first slice takes what every slice needs.
  llvm::DenseMap<mlir::Value, StreamReadOp> taken;
  /// FIFOs to the slice that is built, by giver and token, and those that the nest has used.
  using Passing = std::pair<mlir::Operation *, mlir::Type>;
  llvm::DenseMap<Passing, llvm::SmallVector<StreamOp>> passed;
  llvm::DenseMap<Passing, unsigned> passedInNest;
};

} // namespace streamtensor::dataflow

#endif
