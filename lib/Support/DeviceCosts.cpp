//===- DeviceCosts.cpp - What an operation costs --------------------------===//
//
// Classifies arith, math and vector operations into the rows of the cost table.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Support/DeviceModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;

namespace streamtensor {

//===----------------------------------------------------------------------===//
// Classification
//===----------------------------------------------------------------------===//

static int64_t bitsOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? 32 : element.getIntOrFloatBitWidth();
}

static std::string typeName(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isIntOrIndex())
    return "int";
  std::string name;
  llvm::raw_string_ostream(name) << element;
  return name;
}

static int64_t lanesOf(Operation *op) {
  for (ValueRange values : {ValueRange(op->getResults()), ValueRange(op->getOperands())})
    for (Value value : values)
      if (auto vector = dyn_cast<VectorType>(value.getType()))
        return vector.getNumElements();
  return 1;
}

/// Operations that become wires.
static bool isFree(Operation *op) {
  if (auto extract = dyn_cast<vector::ExtractOp>(op))
    return !extract.hasDynamicPosition();
  if (auto insert = dyn_cast<vector::InsertOp>(op))
    return !insert.hasDynamicPosition();
  return isa<arith::ConstantOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::BitcastOp,
             arith::IndexCastOp, arith::IndexCastUIOp, arith::NegFOp, math::AbsFOp,
             math::CopySignOp, vector::BroadcastOp, vector::ShapeCastOp, vector::TransposeOp,
             vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp, vector::FromElementsOp,
             vector::StepOp>(op) ||
         !(isa<arith::ArithDialect, math::MathDialect, vector::VectorDialect>(op->getDialect()));
}

/// The table's name of an operation of arith or math; empty if it has none.
static StringRef rowName(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Cases({"arith.addf", "arith.subf", "arith.addi", "arith.subi"}, "add")
      .Cases({"arith.mulf", "arith.muli"}, "mul")
      .Cases({"arith.divf", "arith.remf", "arith.divsi", "arith.divui"}, "div")
      .Cases({"arith.remsi", "arith.remui", "arith.ceildivsi", "arith.ceildivui"}, "div")
      .Cases({"arith.floordivsi"}, "div")
      .Cases({"arith.cmpf", "arith.cmpi", "math.isnan", "math.isinf", "math.isfinite"}, "cmp")
      .Cases({"arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"}, "max")
      .Cases({"arith.maxsi", "arith.maxui", "arith.minsi", "arith.minui", "math.absi"}, "max")
      .Cases({"arith.andi", "arith.ori", "arith.xori"}, "logic")
      .Cases({"arith.shli", "arith.shrsi", "arith.shrui"}, "shift")
      .Case("arith.select", "select")
      .Cases({"arith.sitofp", "arith.uitofp"}, "from_int")
      .Cases({"arith.fptosi", "arith.fptoui"}, "to_int")
      .Cases({"arith.extf", "arith.truncf"}, "resize")
      .Cases({"math.exp", "math.exp2", "math.expm1"}, "exp")
      .Cases({"math.log", "math.log2", "math.log10", "math.log1p"}, "log")
      .Cases({"math.powf", "math.fpowi", "math.ipowi"}, "pow")
      .Cases({"math.sin", "math.cos"}, "sin")
      .Cases({"math.atan", "math.atan2"}, "atan")
      .Cases({"math.floor", "math.ceil", "math.round", "math.roundeven", "math.trunc"}, "round")
      .Case("math.sqrt", "sqrt")
      .Case("math.rsqrt", "rsqrt")
      .Case("math.tanh", "tanh")
      .Cases({"math.erf", "math.erfc"}, "erf")
      .Default("");
}

/// The type that sets an operation's cost: for casts and comparisons not the result's.
static Type costType(Operation *op, StringRef row) {
  if (row == "cmp" || row == "to_int")
    return op->getOperand(0).getType();
  if (row == "resize") // the wider of both ends
    return bitsOf(op->getOperand(0).getType()) > bitsOf(op->getResult(0).getType())
               ? op->getOperand(0).getType()
               : op->getResult(0).getType();
  return op->getResult(0).getType();
}

/// Bits of an integer value before its extension.
static int64_t significantBits(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtSIOp, arith::ExtUIOp, vector::BroadcastOp, vector::ShapeCastOp,
             vector::TransposeOp, vector::ExtractStridedSliceOp>(op))
      break;
    value = op->getOperand(0);
  }
  return bitsOf(value.getType());
}

//===----------------------------------------------------------------------===//
// Pricing
//===----------------------------------------------------------------------===//

const CostRow *DeviceModel::findRow(StringRef op, StringRef type) const {
  auto it = rows.find({op.str(), type.str()});
  return it == rows.end() ? nullptr : &it->second;
}

std::optional<OpCost> DeviceModel::price(StringRef op, StringRef type, int64_t bits) const {
  if (const CostRow *row = findRow(op, type)) {
    OpCost cost = row->fixed;
    double width = bits;
    cost.cycles += static_cast<int64_t>(std::ceil(row->cyclesPerBit * width));
    cost.lut += row->lutPerBit * width + row->lutPerBit2 * width * width;
    cost.ff += row->ffPerBit * width + row->ffPerBit2 * width * width;
    return cost;
  }
  auto fallback = fallbacks.find(type);
  if (fallback == fallbacks.end())
    return std::nullopt;
  std::optional<OpCost> cost = price(op, fallback->second.of, bits);
  if (!cost)
    return std::nullopt;
  cost->cycles = static_cast<int64_t>(std::ceil(cost->cycles * fallback->second.cycles));
  cost->dsp *= fallback->second.resources;
  cost->ff *= fallback->second.resources;
  cost->lut *= fallback->second.resources;
  return cost;
}

/// Narrow products share a DSP; wide ones take one per 26 x 17 bits, and one
/// cycle more for each piece added.
std::optional<OpCost> DeviceModel::priceIntegerProduct(Operation *op) const {
  int64_t narrow = significantBits(op->getOperand(0)), wide = significantBits(op->getOperand(1));
  if (narrow > wide)
    std::swap(narrow, wide);
  if (narrow <= 4 && wide <= 8)
    return price("mul", "int4xint8", wide);
  if (wide <= 8)
    return price("mul", "int8xint8", wide);
  std::optional<OpCost> cost = price("mul", "int", wide);
  if (!cost || (wide <= 27 && narrow <= 18))
    return cost;
  int64_t pieces = ((wide + 25) / 26) * ((narrow + 16) / 17);
  cost->dsp *= pieces;
  cost->cycles += pieces - 1;
  return cost;
}

static OpCost sumInSeries(OpCost a, const OpCost &b) {
  a.cycles += b.cycles;
  a.dsp += b.dsp;
  a.ff += b.ff;
  a.lut += b.lut;
  return a;
}

/// Cost of one lane.
std::optional<OpCost> DeviceModel::priceScalar(Operation *op) const {
  if (isa<arith::MulIOp>(op))
    return priceIntegerProduct(op);
  if (isa<math::FmaOp>(op)) {
    std::string type = typeName(op->getResult(0).getType());
    int64_t bits = bitsOf(op->getResult(0).getType());
    std::optional<OpCost> product = price("mul", type, bits), sum = price("add", type, bits);
    if (!product || !sum)
      return std::nullopt;
    return sumInSeries(*product, *sum);
  }
  StringRef row = rowName(op);
  if (row.empty())
    return std::nullopt;
  Type type = costType(op, row);
  return price(row, row == "select" ? "int" : typeName(type), bitsOf(type));
}

std::optional<OpCost> DeviceModel::lookUp(Operation *op) const {
  if (isFree(op))
    return OpCost();
  if (isa<vector::ExtractOp, vector::InsertOp>(op)) { // a dynamic position: one multiplexer
    Type type =
        isa<vector::ExtractOp>(op) ? op->getOperand(0).getType() : op->getResult(0).getType();
    return price("mux", "int", bitsOf(type) * cast<VectorType>(type).getNumElements());
  }
  std::optional<OpCost> cost = priceScalar(op);
  if (!cost)
    return std::nullopt;
  double lanes = lanesOf(op);
  cost->dsp *= lanes;
  cost->ff *= lanes;
  cost->lut *= lanes;
  return cost;
}

} // namespace streamtensor
