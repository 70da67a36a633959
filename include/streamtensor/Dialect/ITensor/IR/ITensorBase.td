//===- ITensorBase.td - The itensor dialect and its type -----*- tablegen -*-===//
//
// Values that say in which order the tiles of a tensor flow.
// Rationale: docs/rationale/itensor.md.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_ITENSOR_IR_ITENSORBASE_TD
#define STREAMTENSOR_DIALECT_ITENSOR_IR_ITENSORBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def ITensor_Dialect : Dialect {
  let name = "itensor";
  let cppNamespace = "::streamtensor::itensor";
  let summary = "Tensors with a stated order of tiles";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["mlir::tensor::TensorDialect"];
}

def ITensor_ITensorType : TypeDef<ITensor_Dialect, "ITensor"> {
  let mnemonic = "itensor";
  let summary = "a tensor and the order in which its tiles flow";
  let description = [{
    ```mlir
    !b = !itensor.itensor<4x2xf32, iter_space: [4, 2] * [2, 4], iter_map: (d0, d1) -> (d1, d0)>
    ```

    - element shape and type: the tile that one token carries;
    - iteration space: trip counts times steps, visited lexicographically,
      last dimension fastest;
    - iteration map: from an iteration point (already multiplied by the steps)
      to the offset of the tile in the data tensor. Each result is a sum of
      distinct dimensions or the constant 0;
    - optionally the data shape (`, of: [8]`) of a reader that skips elements.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$elementShape,
    "::mlir::Type":$elementType,
    ArrayRefParameter<"int64_t">:$trips,
    ArrayRefParameter<"int64_t">:$steps,
    "::mlir::AffineMap":$map,
    OptionalArrayRefParameter<"int64_t">:$statedShape);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins
      "::llvm::ArrayRef<int64_t>":$elementShape, "::mlir::Type":$elementType,
      "::llvm::ArrayRef<int64_t>":$trips, "::llvm::ArrayRef<int64_t>":$steps,
      "::mlir::AffineMap":$map), [{
      return $_get(elementType.getContext(), elementShape, elementType, trips,
                   steps, map, ::llvm::ArrayRef<int64_t>());
    }]>];
  let extraClassDeclaration = [{
    /// Number of iteration dimensions (loops).
    unsigned getIterRank() const { return getTrips().size(); }
    /// Rank of the data tensor, which is also the rank of the element.
    unsigned getDataRank() const { return getElementShape().size(); }
    /// Number of tokens: the product of the trip counts.
    int64_t getNumTokens() const;
    /// Number of elements in one token.
    int64_t getTokenElements() const;
    /// Bits of one element, all its lanes or members together; an index has 32, as in hardware.
    int64_t getElementBitWidth() const;
    /// Shape of the data tensor (stated, or inferred from the type).
    ::llvm::SmallVector<int64_t> getDataShape() const;
    /// The data tensor's type.
    ::mlir::RankedTensorType getDataType() const;
    /// The tensor type of one token.
    ::mlir::RankedTensorType getTokenType() const;
    /// Iteration dimensions that map to data dimension `dim`, in loop order.
    ::llvm::SmallVector<unsigned> getLoopsOf(unsigned dim) const;
    /// The data dimension that iteration dimension `loop` feeds, or nullopt for
    /// a revisit.
    std::optional<unsigned> getDataDimOf(unsigned loop) const;
  }];
}

#endif
