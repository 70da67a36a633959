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
                    "::mlir::IntegerSet", "getGuardSet">,
    InterfaceMethod<"From the loop indices to the first element; null for a FIFO.",
                    "::mlir::AffineMap", "getPlace">
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

#endif
