//===- Tiling.td - Choices and facts of the tiling space ---*- tablegen -*-===//
//
// What is chosen for a linalg op before it is tiled, and the order of a sum that follows
// from the choices of all ops together. Laws: lib/Dialect/Dataflow/IR/Tiling.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_TILING_TD
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_TILING_TD

def Dataflow_TilingAttr : AttrDef<Dataflow_Dialect, "Tiling"> {
  let mnemonic = "tiling";
  let summary = "the choices of the tiling space for one operation";
  let description = [{
    `dataflow.tiling` of a `linalg.generic`, one number per loop of it, in its order of loops:

    - `tile`: elements of the loop in one tile; divides the loop's extent,
    - `order`: the loops as the tiles are visited, outermost first; loops of one tile may stand anywhere,
    - `unroll`: points of the loop that are computed at once; divides the tile. Exact for contractions and
      windows. Any other operation passes rows on as they come: its one factor, along the row, is what it asks
      for, and the lanes of its FIFOs are what it gets,
    - `vector`: lanes of the FIFO of each result. Without it they follow from the unroll factors of the operations
      at both ends; with it all FIFOs that share their lanes with this one obey,
    - `engine`: contractions that name one engine have one set of multipliers, in turns. Without it each has its own.

    The pass `streamtensor-decide-tiling` or a schedule file writes it, `streamtensor-tile` applies it, and the op
    on one tile keeps it: there `tile` is the extent. Later choices of the same kind (level of a
    block, place of a converter) are further fields.

    ```mlir
    #tiling = #dataflow.tiling<tile = [2, 8, 24], order = [0, 1, 2], unroll = [1, 8, 4], vector = [4]>
    ```
  }];
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$tile, "::mlir::DenseI64ArrayAttr":$order,
    "::mlir::DenseI64ArrayAttr":$unroll, OptionalParameter<"::mlir::DenseI64ArrayAttr">:$vector,
    OptionalParameter<"::mlir::StringAttr">:$engine);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Dataflow_SumsAttr : AttrDef<Dataflow_Dialect, "Sums"> {
  let mnemonic = "sums";
  let summary = "the order in which a reduction adds";
  let description = [{
    `dataflow.sums` of the `linalg.generic` of a task:

    - `loops`: the tile loops over the reduction, counted from the outermost loop of the task,
    - `points`: the order of the point loops, outermost first,
    - `lanes`: points taken at once along each loop of the operation,
    - `trees`: the reduction loops whose lanes a balanced tree adds, the last one first,
    - `banks`: partial sums that each loop over the reduction takes in turn, tile loops before point loops.

    ```mlir
    #sums = #dataflow.sums<loops = [], points = [0, 2, 1], lanes = [1, 8, 4], trees = [2], banks = [2]>
    ```
  }];
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$loops, "::mlir::DenseI64ArrayAttr":$points,
    "::mlir::DenseI64ArrayAttr":$lanes, "::mlir::DenseI64ArrayAttr":$trees, "::mlir::DenseI64ArrayAttr":$banks);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif
