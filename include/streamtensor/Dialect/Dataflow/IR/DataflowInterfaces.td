//===- DataflowInterfaces.td - Interfaces of the dialect ------*- tablegen -*-===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_DATAFLOWINTERFACES_TD
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_DATAFLOWINTERFACES_TD

include "mlir/IR/OpBase.td"

def Dataflow_AccessInterface : OpInterface<"AccessOpInterface"> {
  let cppNamespace = "::streamtensor::dataflow";
  let description = [{
    An access of a leaf task: it moves one token of a FIFO, or one box of elements of a memory, in
    the iterations of its guard.
  }];
  let methods = [
    InterfaceMethod<"The FIFO behind all casts, or the block, private memory or port.",
                    "::mlir::Value", "getChannel">,
    InterfaceMethod<"Is the channel written (else read)?", "bool", "isWrite">,
    InterfaceMethod<"Type of the value that moves.", "::mlir::Type", "getMovedType">,
    InterfaceMethod<"The iterations in which it happens; null: all.",
                    "::mlir::IntegerSet", "getGuardSet", (ins), "", [{
      return $_op.getGuard().value_or(::mlir::IntegerSet());
    }]>,
    InterfaceMethod<"It happens in these iterations; null: in all.",
                    "void", "setGuardSet", (ins "::mlir::IntegerSet":$set), "", [{
      $_op.setGuardAttr(set ? ::mlir::IntegerSetAttr::get(set) : nullptr);
    }]>,
    InterfaceMethod<"From the loop indices to the first element; null for a FIFO.",
                    "::mlir::AffineMap", "getPlace", (ins), "", "return {};">,
    InterfaceMethod<"The first element lies there; not for a FIFO.",
                    "void", "setPlace", (ins "::mlir::AffineMap":$map), "", [{
      llvm_unreachable("a token has no place");
    }]>,
    InterfaceMethod<"The words that move it over a port; null before ports are planned, and elsewhere.",
                    "::streamtensor::dataflow::WordsAttr", "getWordsAttr", (ins), "", "return {};">
  ];
  let extraClassDeclaration = [{
    /// Does it move a token of a FIFO?
    bool isToken();
    /// Does it reach external memory?
    bool isExternal();
    /// Does it reach a block or a private memory?
    bool isOnChip() { return !isToken() && !isExternal(); }
    /// Extents of what moves, one per dimension of the memory; empty for a FIFO.
    ::llvm::SmallVector<int64_t> getBox();
    /// Elements that move; lanes of a token.
    int64_t getNumElements();
  }];
}

def Dataflow_NestInterface : OpInterface<"NestOpInterface"> {
  let cppNamespace = "::streamtensor::dataflow";
  let description = [{
    A perfect nest of loops around a straight-line body: a leaf task without nests of its own, or a
    `dataflow.nest` inside the shared loops of its leaf. Guards, tests and maps of the body are over
    all loops, the shared ones first.
  }];
  let methods = [
    InterfaceMethod<"The leaf task.", "::mlir::Operation *", "getLeafOperation">,
    InterfaceMethod<"Trips of all loops around the body: the shared ones, then its own.",
                    "::llvm::SmallVector<int64_t>", "getLoopTrips">,
    InterfaceMethod<"The straight-line body.", "::mlir::Block &", "getOperations">
  ];
  let extraClassDeclaration = [{
    LeafOp getLeaf();
    unsigned getNumNestLoops() { return getLoopTrips().size(); }
    /// Iterations of its own loops, for one iteration of the shared ones.
    int64_t getNumOwnIterations();
    /// Loops that run one trip after the other: the pipeline drains in between.
    unsigned getNumSerialLoops();
  }];
}

#endif
