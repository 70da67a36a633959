//===- DesignModel.h - What the printers know about a design ----*- C++ -*-===//

#ifndef STREAMTENSOR_TARGET_HLSCPP_DESIGNMODEL_H
#define STREAMTENSOR_TARGET_HLSCPP_DESIGNMODEL_H

#include "streamtensor/Target/HLSCpp/CppText.h"

#include "streamtensor/Dialect/Dataflow/IR/DesignGraph.h"
#include "streamtensor/Dialect/Dataflow/IR/DesignKernels.h"
#include "llvm/ADT/MapVector.h"

namespace streamtensor::target {

/// One argument of the top function: a stripe of a port as one leaf task reads or writes it.
struct PortArgument {
  dataflow::PortOp port;
  dataflow::LeafOp leaf;
  bool writes;
  unsigned stripe;
  std::string name;
  std::string bundle;
  /// Elements per memory word, a power of two, words of a burst at most and bursts on the way, as
  /// the accesses state.
  int64_t lanes = 1, burst = 1, outstanding = 1;

  mlir::Type elementType() { return port.getType().getElementType(); }
  dataflow::InterfaceOp interface() {
    return port.getInterfaces()[stripe].getDefiningOp<dataflow::InterfaceOp>();
  }
  /// The channel that its interface is bound to.
  dataflow::ChannelOp channel() {
    return interface().getChannel().getDefiningOp<dataflow::ChannelOp>();
  }
  /// Are elements moved in words, here or on the other stripes?
  bool isWide() { return lanes > 1 || port.getNumStripes() > 1; }
  int64_t words() { return port.getStripeType().getNumElements() / lanes; }
  /// Bits of an element in memory; below 8, bytes hold several, the first in the lowest bits.
  int64_t storageBits() { return dataflow::getStorageBits(port); }
  /// `hls::vector<float, 16>`; elements that fill no bytes lie in integers that do.
  std::string wordType();
  /// `const hls::vector<float, 16> *`
  std::string cppType();
};

/// A kernel of a design that is several, with the name of its top function.
struct NamedKernel : dataflow::DesignKernel {
  std::string name;
};

/// A design with its C++ names.
struct DesignModel {
  dataflow::DesignOp design;
  std::string name;
  /// Leaf tasks, producers first, and the groups in which they are called.
  llvm::SmallVector<dataflow::LeafOp> leaves;
  llvm::SmallVector<dataflow::LeafGroup> groups;
  /// Leaf tasks on cycles: a call makes one trip of the outermost loop.
  llvm::DenseSet<mlir::Operation *> resumable;
  /// Of these, those of which a call makes one nest of a trip.
  llvm::DenseSet<mlir::Operation *> engines;
  llvm::DenseMap<mlir::Operation *, std::string> leafNames;
  /// Names of FIFOs and buffers.
  llvm::DenseMap<mlir::Value, std::string> channelNames;
  /// Scalars of the launch, behind the ports among the arguments of the top function.
  llvm::SmallVector<dataflow::ScalarOp> scalars;
  llvm::DenseMap<mlir::Value, std::string> scalarNames;
  llvm::SmallVector<PortArgument> arguments;
  /// Names of interfaces.
  llvm::DenseMap<mlir::Value, std::string> bundleNames;
  /// What a token of each FIFO is in C++: what its hand-written end takes, if it has one.
  llvm::DenseMap<mlir::Value, mlir::Type> tokenTypes;
  /// Of a design that is a kernel for each die; else empty.
  llvm::SmallVector<NamedKernel> kernels;
  /// FIFOs between these; in C the struct of them, a variable of it, and the function that runs all
  /// kernels together.
  llvm::DenseSet<mlir::Value> links;
  std::string linksType, linksName, togetherName;
  /// Every identifier at file scope.
  NameScope names;

  /// The argument of an access to a port, of its first stripe; null for other accesses.
  PortArgument *argument(dataflow::AccessOpInterface access);
  /// All arguments of a leaf for a port: what it reads, what it writes, each stripe by stripe.
  llvm::SmallVector<PortArgument *> argumentsOf(mlir::Value port, dataflow::LeafOp leaf);
  /// `float`, of a link `st::Link<float>`: what a FIFO holds.
  std::string wordType(mlir::Value stream);
  /// `hls::stream<float>`: the C++ type of a FIFO.
  std::string fifoType(mlir::Value stream);
  /// `w_block`: the C++ array type of a buffer's blocks.
  std::string blockType(mlir::Value buffer) { return channelNames[buffer] + "_block_t"; }
};

/// Names everything, sorts the leaf tasks and decides how wide each port is. Fails with a
/// diagnostic on what cannot be emitted.
llvm::FailureOr<DesignModel> buildModel(dataflow::DesignOp design);

/// The hand-written kernel that a leaf task is, if it is one.
dataflow::ExternOp getExtern(dataflow::LeafOp leaf);

/// Hand-written kernels of a design, each once.
llvm::SmallVector<dataflow::ExternOp> getExterns(dataflow::DesignOp design);

/// The memories and FIFOs that a leaf task reads or writes, in order of first use, reads first.
llvm::SmallVector<mlir::Value> channelsOf(dataflow::LeafOp leaf);

/// The module path (or file and line) that a location carries; empty if unknown.
std::string sourcePath(mlir::Location location);

/// Row-major position of `indices` in an array of `shape`.
mlir::AffineExpr linearise(llvm::ArrayRef<mlir::AffineExpr> indices, llvm::ArrayRef<int64_t> shape,
                           mlir::MLIRContext *context);

} // namespace streamtensor::target

#endif
