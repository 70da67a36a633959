//===- ScalarOperations.cpp - The operations of bodies --------------------===//

#include "streamtensor/Device/ScalarOperations.h"

#include "streamtensor/Support/BitWidth.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace streamtensor {

using Entry = std::pair<llvm::StringLiteral, llvm::StringLiteral>;

static constexpr Entry table[] = {
    {"arith.addf", "add"},
    {"arith.subf", "add"},
    {"arith.addi", "add"},
    {"arith.subi", "add"},
    {"arith.mulf", "mul"},
    {"arith.muli", "mul"},
    {"math.fma", "fma"},
    {"arith.divf", "div"},
    {"arith.remf", "div"},
    {"arith.divsi", "div"},
    {"arith.divui", "div"},
    {"arith.remsi", "div"},
    {"arith.remui", "div"},
    {"arith.ceildivsi", "div"},
    {"arith.floordivsi", "div"},
    {"arith.cmpf", "cmp"},
    {"arith.cmpi", "cmp"},
    {"arith.maximumf", "max"},
    {"arith.minimumf", "max"},
    {"arith.maxnumf", "max"},
    {"arith.minnumf", "max"},
    {"arith.maxsi", "max"},
    {"arith.maxui", "max"},
    {"arith.minsi", "max"},
    {"arith.minui", "max"},
    {"math.absi", "max"},
    {"arith.andi", "logic"},
    {"arith.ori", "logic"},
    {"arith.xori", "logic"},
    {"arith.shli", "shift"},
    {"arith.shrsi", "shift"},
    {"arith.shrui", "shift"},
    {"arith.select", "select"},
    {"arith.sitofp", "from_int"},
    {"arith.uitofp", "from_int"},
    {"arith.fptosi", "to_int"},
    {"arith.fptoui", "to_int"},
    {"arith.extf", "resize"},
    {"arith.truncf", "resize"},
    {"math.exp", "exp"},
    {"math.exp2", "exp"},
    {"math.expm1", "exp"},
    {"math.log", "log"},
    {"math.log2", "log"},
    {"math.log10", "log"},
    {"math.log1p", "log"},
    {"math.powf", "pow"},
    {"math.fpowi", "pow"},
    {"math.ipowi", "pow"},
    {"math.sin", "sin"},
    {"math.cos", "sin"},
    {"math.atan", "atan"},
    {"math.atan2", "atan"},
    {"math.floor", "round"},
    {"math.ceil", "round"},
    {"math.round", "round"},
    {"math.roundeven", "round"},
    {"math.trunc", "round"},
    {"math.sqrt", "sqrt"},
    {"math.rsqrt", "rsqrt"},
    {"math.tanh", "tanh"},
    {"math.erf", "erf"},
    // Routing.
    {"arith.constant", "wire"},
    {"arith.extsi", "wire"},
    {"arith.extui", "wire"},
    {"arith.trunci", "wire"},
    {"arith.bitcast", "wire"},
    {"arith.index_cast", "wire"},
    {"arith.index_castui", "wire"},
    {"arith.negf", "wire"},
    {"math.absf", "wire"},
    {"math.copysign", "wire"},
    {"vector.broadcast", "wire"},
    {"vector.shape_cast", "wire"},
    {"vector.transpose", "wire"},
    {"vector.extract", "wire"}, // With a dynamic position a multiplexer.
    {"vector.extract_strided_slice", "wire"},
    {"vector.insert_strided_slice", "wire"},
    {"vector.from_elements", "wire"},
    {"vector.step", "wire"},
    {"dataflow.tuple", "wire"},
    {"dataflow.member", "wire"},
    // What has latency and logic elsewhere.
    {"dataflow.test", "guard"},
    {"dataflow.stream_read", "access"},
    {"dataflow.stream_write", "access"},
    {"dataflow.load", "access"},
    {"dataflow.store", "access"},
    {"dataflow.extern_step", "extern"},
};

ArrayRef<Entry> getScalarOperations() { return table; }

StringRef getOperatorKind(StringRef operation) {
  static const llvm::StringMap<StringRef> kinds = [] {
    llvm::StringMap<StringRef> kinds;
    for (const Entry &entry : table)
      kinds[entry.first] = entry.second;
    return kinds;
  }();
  return kinds.lookup(operation);
}

StringRef getOperatorKind(Operation *op) {
  if (auto extract = dyn_cast<vector::ExtractOp>(op); extract && extract.hasDynamicPosition())
    return "mux";
  return getOperatorKind(op->getName().getStringRef());
}

bool isUntypedKind(StringRef kind) {
  return llvm::is_contained({"select", "mux", "wire", "guard", "access", "extern"}, kind);
}

bool isOperatorName(StringRef name) {
  return isUntypedKind(name) || llvm::any_of(table, [&](const Entry &entry) {
           return !isUntypedKind(entry.second) && name.starts_with((entry.second + "_").str()) &&
                  name.size() > entry.second.size() + 1;
         });
}

Type getOperatorType(Operation *op, StringRef kind) {
  if (kind == "cmp" || kind == "to_int")
    return op->getOperand(0).getType();
  Type result = op->getResult(0).getType();
  if (kind != "resize")
    return result;
  Type operand = op->getOperand(0).getType(); // The wider of both ends.
  return getLaneBits(operand) > getLaneBits(result) ? operand : result;
}

static bool movesLanes(Operation *op) {
  return isa<vector::BroadcastOp, vector::ShapeCastOp, vector::TransposeOp, vector::ExtractOp,
             vector::ExtractStridedSliceOp>(op);
}

using KnownBits = llvm::SmallDenseMap<Value, int64_t>;

static int64_t getSignificantBits(Value value, KnownBits &known) {
  if (auto entry = known.find(value); entry != known.end())
    return entry->second;
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned number) { return getSignificantBits(op->getOperand(number), known); };
  int64_t bits = getLaneBits(value.getType());
  if (op && matchPattern(op, m_Zero()))
    bits = 1;
  else if (op && (isa<arith::ExtSIOp>(op) || movesLanes(op)))
    bits = std::min(bits, operand(0));
  else if (op && isa<vector::InsertStridedSliceOp>(op))
    bits = std::max(operand(0), operand(1));
  else if (op && isa<arith::ExtUIOp>(op))
    bits = std::min(bits, getLaneBits(op->getOperand(0).getType()) + 1); // as one with a sign
  else if (op && isa<arith::MulIOp>(op))
    bits = std::min(bits, operand(0) + operand(1));
  else if (op && isa<arith::AddIOp>(op) && matchPattern(op->getOperand(0), m_Zero()))
    bits = std::min(bits, operand(1)); // the first of a sum
  else if (op && isa<arith::AddIOp, arith::SubIOp>(op))
    bits = std::min(bits, std::max(operand(0), operand(1)) + 1);
  return known[value] = bits;
}

int64_t getSignificantBits(Value value) {
  KnownBits known;
  return getSignificantBits(value, known);
}

/// The first dimension along which `value` repeats its lanes an even number of times.
static std::optional<unsigned> getRepeatedDim(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
      ArrayRef<int64_t> shape = broadcast.getResultVectorType().getShape(), source;
      if (auto vector = dyn_cast<VectorType>(broadcast.getSourceType()))
        source = vector.getShape();
      unsigned outer = shape.size() - source.size();
      for (auto [dim, extent] : llvm::enumerate(shape))
        if (extent % 2 == 0 && (dim < outer || source[dim - outer] == 1))
          return dim;
      return std::nullopt;
    }
    if (!isa<arith::ExtSIOp, arith::ExtUIOp>(op))
      return std::nullopt;
    value = op->getOperand(0);
  }
  return std::nullopt;
}

std::optional<SharedOperand> findSharedOperand(Operation *product) {
  if (!isa<arith::MulIOp>(product))
    return std::nullopt;
  for (unsigned number = 0; number < 2; ++number)
    if (std::optional<unsigned> dim = getRepeatedDim(product->getOperand(number)))
      return SharedOperand{number, *dim};
  return std::nullopt;
}

std::optional<CrossedOperands> findCrossedOperands(Operation *product) {
  if (!isa<arith::MulIOp>(product))
    return std::nullopt;
  Value first = product->getOperand(0), second = product->getOperand(1);
  std::optional<unsigned> ofFirst = getRepeatedDim(first), ofSecond = getRepeatedDim(second);
  if (!ofFirst || !ofSecond || *ofFirst == *ofSecond)
    return std::nullopt;
  bool isFirstWide = getSignificantBits(first) <= getSignificantBits(second);
  return CrossedOperands{{*ofFirst, *ofSecond}, isFirstWide ? 0u : 1u};
}

} // namespace streamtensor
