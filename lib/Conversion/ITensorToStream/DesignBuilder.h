//===- DesignBuilder.h - FIFOs, buffers and leaf tasks of a design *- C++ -*-===//

#ifndef STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_DESIGNBUILDER_H
#define STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_DESIGNBUILDER_H

#include "Nest.h"
#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Support/Naming.h"

namespace streamtensor {

/// A block buffer that a leaf task acquires, and the level at which it does.
struct Acquire {
  mlir::Value buffer;
  unsigned level;
};

/// What a leaf task needs besides its body.
struct LeafSpec {
  std::string name;
  mlir::Location loc;
  dataflow::Role role;
  llvm::SmallVector<Acquire> reads = {}, writes = {};
  llvm::SmallVector<mlir::Type> privates = {};
};

struct KernelTimes;

/// Builds one design; one instance per kernel.
class DesignBuilder {
public:
  struct Edge {
    mlir::Value stream; ///< Null if nobody reads the value.
    int64_t lanes = 1;
    /// The member of the FIFO's tuples that the value is, if it is not the whole token.
    std::optional<unsigned> member = std::nullopt;
  };

  DesignBuilder(mlir::OpBuilder &builder, const DeviceModel *device)
      : builder(builder), device(device) {}

  //===--- Edges: itensor values as FIFOs ---------------------------------===//

  /// The FIFO of `itensor`, to be read in the order of its type.
  Edge getEdge(mlir::Value itensor) {
    Edge edge = edges.lookup(itensor);
    if (edge.stream && !edge.member)
      readOrders[edge.stream] = itensor.getType();
    return edge;
  }
  void setEdge(mlir::Value itensor, Edge edge) { edges[itensor] = edge; }
  /// The port of a tensor that a task reads by itself.
  mlir::Value getPort(mlir::Value tensor) const { return ports.lookup(tensor); }
  void setPort(mlir::Value tensor, mlir::Value port) { ports[tensor] = port; }
  /// The FIFO that a FIFO of the kernel has become, or a view of it.
  mlir::Value getStream(mlir::Value stream) const { return streams.lookup(stream); }
  void setStream(mlir::Value stream, mlir::Value lowered) { streams[stream] = lowered; }
  /// Lanes that the vectorise pass has chosen for an itensor.
  int64_t getWantedLanes(mlir::OpResult result) const;
  /// The FIFO that a lowered op writes for its result; the lanes come from the
  /// vectorise pass.
  Edge createEdge(mlir::OpResult result, llvm::StringRef name);
  /// A FIFO; `order`, if given, is that of its tokens at both ends. A token wider than a FIFO can
  /// be travels through several side by side, in parts of whole rows of `row` lanes: the result
  /// stands for all of them.
  mlir::Value createStream(llvm::StringRef name, mlir::Type elementType, int64_t lanes,
                           mlir::Location loc, mlir::Type order = {}, int64_t row = 1);
  mlir::Value createBuffer(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                           mlir::Type elementType, int64_t blocks, mlir::Location loc);

  //===--- Leaf tasks -----------------------------------------------------===//

  /// Creates the leaf and moves the insertion point into it, until `endLeaf`.
  dataflow::LeafOp beginLeaf(const Nest &nest, const LeafSpec &spec);
  void endLeaf();

  mlir::Value read(mlir::Value stream, const Guard &guard = {});
  /// The value of an edge. All members of a tuple that the leaf reads have one guard.
  mlir::Value read(const Edge &edge, const Guard &guard = {});
  void write(mlir::Value value, mlir::Value stream, const Guard &guard = {});
  /// A scalar if the box has one element, else a vector of the box's shape. With a row, that is
  /// the first index.
  mlir::Value load(mlir::Value memory, llvm::ArrayRef<mlir::AffineExpr> address,
                   llvm::ArrayRef<int64_t> box, const Guard &guard = {}, mlir::Value row = {});
  void store(mlir::Value value, mlir::Value memory, llvm::ArrayRef<mlir::AffineExpr> address,
             const Guard &guard = {});
  mlir::Value test(const Guard &guard);
  /// `value` with another shape of as many elements; one element is a scalar.
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);

  std::string getName(llvm::StringRef base) { return names.get(base); }

  mlir::OpBuilder &builder;
  const DeviceModel *device;

private:
  llvm::DenseMap<mlir::Value, Edge> edges;
  llvm::DenseMap<mlir::Value, mlir::Value> ports, streams;
  /// The itensor types at both ends of a FIFO, for the law [design.order].
  llvm::DenseMap<mlir::Value, mlir::Type> writeOrders, readOrders;
  /// A FIFO that carries some lanes of a token, or of one member of it.
  struct Part {
    mlir::Value stream;
    unsigned member;
    int64_t firstLane;
  };
  /// A token that travels in parts.
  struct WideToken {
    mlir::Type type;
    llvm::SmallVector<Part> parts;
  };
  mlir::Value createFifo(llvm::StringRef name, mlir::Type type, mlir::Location loc);
  WideToken createParts(llvm::StringRef name, mlir::Type type, int64_t row, mlir::Location loc);
  mlir::Value readFifo(mlir::Value fifo, mlir::Type order, const Guard &guard);
  void writeFifo(mlir::Value value, mlir::Value fifo, mlir::Type order, const Guard &guard);
  mlir::Value readWide(const WideToken &token, mlir::Type order, const Guard &guard);
  void writeWide(mlir::Value value, const WideToken &token, mlir::Type order, const Guard &guard);

  /// By their first FIFO.
  llvm::DenseMap<mlir::Value, WideToken> wideTokens;
  /// The tuples that the leaf has read, by their FIFO.
  llvm::DenseMap<mlir::Value, mlir::Value> tuples;
  UniqueNames names;
  const Nest *nest = nullptr;
  mlir::Location currentLoc() const { return leaf->getLoc(); }
  dataflow::LeafOp leaf;
  mlir::OpBuilder::InsertPoint outside;
};

/// A scalar type for one lane, else a vector; a tuple of such types for tuples.
mlir::Type getLaneType(mlir::Type elementType, int64_t lanes);

/// Name of what produces or is `value`, for FIFOs and tasks.
std::string getValueName(mlir::Value value);

//===--- Lowerings, one per kind of op ------------------------------------===//

mlir::LogicalResult lowerLoad(DesignBuilder &design, itensor::FromTensorOp op, mlir::Value port);
mlir::LogicalResult lowerStore(DesignBuilder &design, itensor::ToTensorOp op, mlir::Value port);
mlir::LogicalResult lowerFork(DesignBuilder &design, itensor::ForkOp op);
mlir::LogicalResult lowerJoin(DesignBuilder &design, itensor::JoinOp op);
mlir::LogicalResult lowerUnjoin(DesignBuilder &design, itensor::UnjoinOp op);
mlir::LogicalResult lowerChunk(DesignBuilder &design, itensor::ChunkOp op);
mlir::LogicalResult lowerConcat(DesignBuilder &design, itensor::ConcatOp op);
mlir::LogicalResult lowerPad(DesignBuilder &design, itensor::PadOp op);
mlir::LogicalResult lowerConverter(DesignBuilder &design, itensor::ConverterOp op);
mlir::LogicalResult lowerTask(DesignBuilder &design, dataflow::TaskOp op, const KernelTimes &times);
mlir::LogicalResult lowerITensorToStream(DesignBuilder &design, dataflow::ITensorToStreamOp op);
mlir::LogicalResult lowerStreamToITensor(DesignBuilder &design, dataflow::StreamToITensorOp op);
mlir::LogicalResult lowerStreamCast(DesignBuilder &design, dataflow::StreamCastOp op);
mlir::LogicalResult lowerExternTask(DesignBuilder &design, dataflow::ExternTaskOp op);

} // namespace streamtensor

#endif
