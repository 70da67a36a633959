//===- Program.td - What a program says of itself -----------*- tablegen -*-===//
//
// Attributes of a program, of its arguments and of its results. The front end writes them.
// Rationale: docs/rationale/launches.md.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_PROGRAM_IR_PROGRAM_TD
#define STREAMTENSOR_DIALECT_PROGRAM_IR_PROGRAM_TD

include "mlir/IR/DialectBase.td"

def Program_Dialect : Dialect {
  let name = "streamtensor";
  let cppNamespace = "::streamtensor::program";
  let summary = "What a program says of its layers, its arguments and its results";
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let discardableAttrs = (ins
    // Of the program: how many layers the model has of which it is one; that a launch goes through
    // all of them.
    "::mlir::IntegerAttr":$layers, "::mlir::UnitAttr":$looped,
    // Of an argument: how it is called; "input" or "parameter"; the result that it is in the next
    // launch; that each layer has one of its own; the names of the extents that a launch chooses;
    // of a number that says how often a loop over launches goes round, the least and the largest.
    "::mlir::StringAttr":$name, "::mlir::StringAttr":$kind, "::mlir::IntegerAttr":$next,
    "::mlir::UnitAttr":$stacked, "::mlir::ArrayAttr":$extents, "::mlir::DenseI64ArrayAttr":$turns,
    // Of a function without a body: the file of the program that it stands for.
    "::mlir::StringAttr":$program,
    // Of an argument or a result: it lies row-major, since others read or write it too.
    "::mlir::UnitAttr":$row_major,
    // Of a result that is rows of an argument: the argument, the scalar that says where they
    // begin, and, once they are stored there, the dimension.
    "::mlir::StringAttr":$into, "::mlir::StringAttr":$at, "::mlir::IntegerAttr":$along);
}

#endif
