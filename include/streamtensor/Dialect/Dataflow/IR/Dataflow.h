//===- Dataflow.h - The dataflow dialect ------------------------*- C++ -*-===//
//
// Kernels and tasks over itensors; designs of leaf tasks, FIFOs, block buffers
// and ports (design "Operations" and "Leaf-task normal form").
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_DATAFLOW_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_DATAFLOW_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

#include "streamtensor/Dialect/Dataflow/IR/DataflowEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "streamtensor/Dialect/Dataflow/IR/DataflowTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "streamtensor/Dialect/Dataflow/IR/DataflowAttributes.h.inc"

namespace streamtensor::dataflow {
class LeafOp;
struct Pipeline;
} // namespace streamtensor::dataflow

#include "streamtensor/Dialect/Dataflow/IR/DataflowInterfaces.h.inc"

// Names attributes that are declared above.
#include "streamtensor/Dialect/Dataflow/IR/DataflowDialect.h.inc"

#define GET_OP_CLASSES
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h.inc"

namespace streamtensor::dataflow {

/// FIFO and memory accesses of a leaf, of a nest or of a pipeline, in program order.
llvm::SmallVector<AccessOpInterface> getAccesses(LeafOp leaf);
llvm::SmallVector<AccessOpInterface> getAccesses(NestOpInterface nest);
/// Those of a FIFO, by itself or through a view.
llvm::SmallVector<AccessOpInterface> getAccesses(StreamOp stream);

/// Gives a FIFO, and its views, so many slots.
void setDepth(StreamOp stream, int64_t depth);

/// A block buffer that a leaf takes or gives, at the start of each iteration of `level` loops.
struct Acquire {
  mlir::Value buffer;
  int64_t level;
  bool isWrite;
};

/// What the leaf reads, then what it writes.
llvm::SmallVector<Acquire> getAcquires(LeafOp leaf);

/// The nest around an operation of a body, and its leaf.
NestOpInterface getNest(mlir::Operation *op);
LeafOp getLeaf(mlir::Operation *op);

/// The private memory or block that `op` loads or stores, or the port; null for other operations.
mlir::Value getMemory(mlir::Operation *op);

/// Rewrites what `op` says over the indices of its loops and the scalars of its leaf: the guard and
/// the place of an access, the set of a test.
void rewriteSpace(mlir::Operation *op,
                  llvm::function_ref<mlir::IntegerSet(mlir::IntegerSet)> rewriteSet,
                  llvm::function_ref<mlir::AffineMap(mlir::AffineMap)> rewriteMap);

/// When an operation of a leaf's body begins and ends; null before leaves are scheduled.
TimingAttr getTiming(mlir::Operation *op);
void setTiming(mlir::Operation *op, TimingAttr timing);

/// `[design.storage]`: a partition has a factor, between 1 and the extent, for each dimension.
mlir::LogicalResult verifyPartition(mlir::Operation *op, StorageAttr storage,
                                    llvm::ArrayRef<int64_t> shape);

/// The rest of `[design.storage]` and `[design.fifo]`: ports and latencies are those of the kind on
/// the device of the module, if it has one.
mlir::LogicalResult verifyStorage(mlir::Operation *op, StorageAttr storage);
mlir::LogicalResult verifyFifo(StreamOp stream);

/// `[design.scalars]`: scalars stand behind the ports, under names of their own.
mlir::LogicalResult verifyScalars(DesignOp design);

/// `[leaf.counts]`: trips are the largest counts, and every count is at least 1.
mlir::LogicalResult verifyCounts(LeafOp leaf);
mlir::LogicalResult verifyCounts(NestOp nest);

/// `[leaf.scalars]`: what the body uses of the design's scalars, the leaf names.
mlir::LogicalResult verifyScalarUses(NestOpInterface nest);

/// Laws of external memory: what is declared first and under which names, who shares an interface,
/// who reads and writes a port, and what a FIFO that orders a port joins.
mlir::LogicalResult verifyPortsFirst(DesignOp design);
mlir::LogicalResult verifyInterface(InterfaceOp interface);
mlir::LogicalResult verifyMasters(DesignOp design);
mlir::LogicalResult verifyPort(PortOp port);
mlir::LogicalResult verifyOrdering(StreamOp stream);

/// `[leaf.schedule]`: what a scheduled leaf says of stages, latencies, memories and words.
mlir::LogicalResult verifyLeafSchedule(LeafOp leaf);

/// Bits of an element in external memory: whole bytes, a power of two of them.
int64_t getStorageBits(mlir::Type elementType);

/// The fewest bits of an element in external memory: integers of 2 and 4 bits can share bytes,
/// where every access moves whole bytes of them.
int64_t getPackedBits(mlir::Type elementType);

/// Bits of an element of this port in external memory: those of `getPackedBits`, if the words of
/// all accesses fill bytes.
int64_t getStorageBits(PortOp port);

/// The order of tokens that an access to a FIFO states; null if it states none.
itensor::ITensorType getOrder(AccessOpInterface access);
/// Null: it states none.
void setOrder(AccessOpInterface access, itensor::ITensorType order);

/// The FIFO that `stream`, a view or a FIFO, reaches.
mlir::Value getFifo(mlir::Value stream);

/// Does a token of this type hold `order`'s elements as they are, one or a vector of them?
bool isLaneType(mlir::Type token, itensor::ITensorType order);

/// Elements of `order` in one token: its lanes, or what an integer of as many bits holds. Fails if
/// a token would hold parts of elements, or cut the rows of a tile unevenly.
mlir::FailureOr<int64_t> getTokenLanes(mlir::Type token, itensor::ITensorType order);

} // namespace streamtensor::dataflow

#endif
