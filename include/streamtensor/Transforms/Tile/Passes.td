//===- Passes.td - Passes of the phases decide and tile ----*- tablegen -*-===//
//
// Choosing is apart from rewriting: what is between them is one attribute per operation, which
// can be printed, edited, and kept in a file.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_PASSES_TD
#define STREAMTENSOR_TRANSFORMS_TILE_PASSES_TD

include "mlir/Pass/PassBase.td"
include "streamtensor/Dialect/ITensor/IR/ConverterRuleOption.td"

def PadExtents : Pass<"streamtensor-pad-extents", "mlir::func::FuncOp"> {
  let summary = "pad extents of contractions that have few lanes";
  let description = [{
    An extent without divisors near the number of elements in a word of memory is made longer: the host puts
    zeros behind its arguments and drops what lies behind the results. What contractions sum over is zero there;
    where it is computed, a mask makes it so, and other reductions leave it out. The rows of matrices that products
    take once are padded to groups that memory brings at once. Nothing is padded where launches say how many elements there are.
  }];
  let options = [
    Option<"percent", "percent", "int64_t", "12", "elements more that an extent may have; 0: none">,
    Option<"odd", "odd", "int64_t", "1", "factor of lanes that extents along no row of a matrix shall have">,
    Option<"oddRows", "odd-rows", "int64_t", "1", "the same for extents along rows of matrices in memory">,
    ListOption<"extents", "extents", "int64_t",
               "what extents become that may be padded, in the order in which operations have them">,
    Option<"schedule", "schedule", "std::string", "\"\"", "file that says `odd` and `odd_rows`, or `padded`">];
  let dependentDialects = ["::streamtensor::itensor::ITensorDialect", "mlir::tensor::TensorDialect",
                           "mlir::linalg::LinalgDialect"];
}

def LayTokenWeights : Pass<"streamtensor-lay-token-weights", "mlir::func::FuncOp"> {
  let summary = "lay the operands of an engine of a single token as it takes them";
  let description = [{
    Where the linears of a program of one layer and one token are done sooner one after the other, with all that
    memory brings, than with an array each, the host packs their weights into rows along the inputs, with zeros up
    to a multiple of the inputs that the engine takes at once (`dataflow.token_inputs`), and activations get as many.
  }];
  let options = [
    Option<"unroll", "unroll", "int64_t", "0",
           "multiply-add lanes of the whole design; 0: the device decides">,
    Option<"laneShare", "lane-share", "int64_t", "100",
           "percent of the lanes that the device would decide on">,
    Option<"schedule", "schedule", "std::string", "\"\"", "file that says `token_inputs`">];
  let dependentDialects = ["::streamtensor::itensor::ITensorDialect", "mlir::tensor::TensorDialect"];
}

def DecideTiling : Pass<"streamtensor-decide-tiling", "mlir::func::FuncOp"> {
  let summary = "choose tile, loop order and unroll of each linalg op";
  let description = [{
    Tile extents come from dimension classes (`tile-size` at most), the loop order
    from the converters it needs, the unroll factors from the budget of multiply-add
    lanes. Rows of several tokens that a norm must see whole pass one after the other.
    Writes `dataflow.tiling` on each `linalg.generic` and changes nothing else.
  }];
  let options = [
    Option<"tileSize", "tile-size", "int64_t", "16", "largest tile extent of a dimension">,
    Option<"unroll", "unroll", "int64_t", "0",
           "multiply-add lanes of the whole design; 0: the device decides">,
    Option<"laneShare", "lane-share", "int64_t", "100",
           "percent of the lanes that the device would decide on">,
    ConverterRuleOption,
    Option<"shareEngines", "engines", "bool", "true",
           "contractions of a layer whose products are alike take turns with one set of multipliers">,
    Option<"exactShares", "exact-shares", "bool", "false",
           "of a number of lanes, shares with which the slowest contraction takes the fewest cycles">,
    Option<"suitTiles", "suit-tiles", "bool", "false",
           "of a number of lanes, tiles that more of them divide">,
    Option<"allProducts", "all-products", "bool", "false",
           "one engine for all products, those of two computed tensors as well">,
    Option<"singleRows", "single-rows", "bool", "false",
           "norms take the tokens of an engine's pass one after the other">];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect",
                           "::streamtensor::itensor::ITensorDialect"];
}

def TileLinalg : Pass<"streamtensor-tile", "mlir::func::FuncOp"> {
  let summary = "tile each linalg op into a nest of scf.for as its dataflow.tiling says";
  let description = [{
    Applies `dataflow.tiling`, which the op on one tile keeps. Chooses nothing: an op without
    the attribute is an error, and so are choices that its kind does not allow.
  }];
  let dependentDialects = ["mlir::scf::SCFDialect", "mlir::tensor::TensorDialect",
                           "mlir::affine::AffineDialect"];
}

class ScheduleFilePass<string argument> : Pass<argument, "mlir::func::FuncOp"> {
  let options = [
    Option<"file", "file", "std::string", "", "the schedule, as JSON">];
  let dependentDialects = ["::streamtensor::dataflow::DataflowDialect"];
}

def WriteSchedule : ScheduleFilePass<"streamtensor-write-schedule"> {
  let summary = "write each op's dataflow.tiling to a file";
  let description = [{
    The file has an entry per operation, named by the PyTorch module that it comes from: what it is, and what
    was chosen. `streamtensor-read-schedule` takes it, edited or not.
  }];
}

def ReadSchedule : ScheduleFilePass<"streamtensor-read-schedule"> {
  let summary = "take each op's dataflow.tiling from a file";
  let description = [{
    Stands in for `streamtensor-decide-tiling`. The file is for this program and this device, and has an entry
    for each operation; what cannot be applied is an error that names the entry, the field, why,
    and what would be possible.
  }];
}

#endif
