//===- Operators.cpp - What computes an operation -------------------------===//
//
// `arith.addf %a, %b : vector<8xf32>` is eight of the library's operator `add_f32`.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Device/ScalarOperations.h"
#include "streamtensor/Device/VitisCores.h"
#include "streamtensor/Support/BitWidth.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace streamtensor {

static std::string getTypeName(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isIntOrIndex())
    return "int";
  std::string name;
  llvm::raw_string_ostream(name) << element;
  return name;
}

/// As the operators of a device are called.
static std::string getOperatorName(Operation *op, StringRef kind) {
  return isUntypedKind(kind) ? kind.str()
                             : (kind + "_" + getTypeName(getOperatorType(op, kind))).str();
}

static int64_t countLanes(Operation *op) {
  for (ValueRange values : {ValueRange(op->getResults()), ValueRange(op->getOperands())})
    for (Value value : values)
      if (auto vector = dyn_cast<VectorType>(value.getType()))
        return vector.getNumElements();
  return 1;
}

static double evaluate(ArrayRef<double> coefficients, double width) {
  double value = 0;
  for (double coefficient : llvm::reverse(coefficients))
    value = value * width + coefficient;
  return value;
}

//===----------------------------------------------------------------------===//
// One lane
//===----------------------------------------------------------------------===//

std::optional<Operator> DeviceModel::price(const Twine &name, int64_t bits) const {
  auto row = rows.find(name.str());
  if (row == rows.end())
    return std::nullopt;
  const Row &figures = row->second;
  return Operator{
      row->first().str(),          static_cast<int64_t>(std::ceil(evaluate(figures.cycles, bits))),
      evaluate(figures.dsp, bits), evaluate(figures.ff, bits),
      evaluate(figures.lut, bits), figures.implementation};
}

/// Does Vitis build all that an operator computes in this way?
static bool existsFor(StringRef operatorName, StringRef implementation) {
  return llvm::all_of(getVitisOperations(operatorName), [&](const std::string &operation) {
    return getMostCycles(operation, implementation).has_value();
  });
}

std::optional<Operator> DeviceModel::priceTyped(StringRef name, int64_t bits) const {
  if (std::optional<Operator> own = price(name, bits))
    return own;
  auto [kind, typeName] = name.rsplit('_');
  auto derived = derivedTypes.find(typeName);
  if (derived == derivedTypes.end())
    return std::nullopt;
  std::optional<Operator> found = price(kind + "_" + derived->second.of, bits);
  if (!found)
    return std::nullopt;
  double resources = derived->second.resources;
  return Operator{name.str(),
                  static_cast<int64_t>(std::ceil(found->latency * derived->second.cycles)),
                  found->dsp * resources,
                  found->ff * resources,
                  found->lut * resources,
                  existsFor(name, found->implementation) ? found->implementation : ""};
}

/// A DSP multiplies two narrow numbers by a third at once: one of the two lies above the other, so
/// far that a product fits between them.
bool DeviceModel::isPair(Operation *op, SharedLanes shared) const {
  std::optional<SharedOperand> seen = findSharedOperand(op);
  if (!seen && shared == SharedLanes::OfNone)
    return false;
  int64_t bits[] = {getSignificantBits(op->getOperand(0)), getSignificantBits(op->getOperand(1))};
  auto fits = [&](unsigned common) {
    int64_t product = bits[0] + bits[1];
    return product + bits[1 - common] + 1 <= dspModel.multiplierBits.second &&
           bits[common] <= dspModel.multiplierBits.first;
  };
  return seen ? fits(seen->number) : fits(0) || fits(1);
}

/// A DSP multiplies two narrow numbers by two others at once, if both pairs fit its operands.
bool DeviceModel::isCrossed(Operation *op, SharedLanes shared) const {
  if (shared != SharedLanes::OfBoth && !findCrossedOperands(op))
    return false;
  auto [wide, narrow] =
      std::minmax({getSignificantBits(op->getOperand(0)), getSignificantBits(op->getOperand(1))});
  int64_t near = wide + narrow - crossedOverlap, far = near + wide + narrow;
  return near > 0 && narrow + near + 1 <= dspModel.multiplierBits.first &&
         wide + far + 1 <= dspModel.multiplierBits.second;
}

/// Narrow products that share operands share a DSP.
std::string DeviceModel::chooseOperator(Operation *op, StringRef kind, SharedLanes shared) const {
  std::string name = getOperatorName(op, kind);
  if (name != "mul_int")
    return name;
  if (rows.contains(crossedProduct) && isCrossed(op, shared))
    return crossedProduct.str();
  return rows.contains(pairedProduct) && isPair(op, shared) ? pairedProduct.str() : name;
}

/// Where the pieces of an operand begin: the topmost has its sign, and all bits of a port.
static SmallVector<int64_t> cutOperand(int64_t bits, int64_t portBits, int64_t pieceBits) {
  SmallVector<int64_t> begins = {0};
  while (bits - begins.back() > portBits)
    begins.push_back(begins.back() + pieceBits);
  return begins;
}

/// Products of pieces of both operands, one at either port, that reach into the `kept` lowest bits
/// of their product: what lies above is cut off, and never computed.
static int64_t countPieces(int64_t one, int64_t other, int64_t kept, const DspModel &dsp) {
  int64_t pieces = 0;
  for (int64_t low : cutOperand(one, dsp.multiplierBits.first, dsp.pieceBits.first))
    for (int64_t high : cutOperand(other, dsp.multiplierBits.second, dsp.pieceBits.second))
      pieces += low + high < kept;
  return pieces;
}

/// Products too wide for one DSP take a DSP per piece.
std::optional<Operator> DeviceModel::priceProduct(Operation *op, StringRef name) const {
  auto [narrow, wide] =
      std::minmax({getSignificantBits(op->getOperand(0)), getSignificantBits(op->getOperand(1))});
  if (name != "mul_int")
    return price(name, narrow + wide);
  std::optional<Operator> product = price(name, wide);
  if (!product ||
      (narrow <= dspModel.multiplierBits.first && wide <= dspModel.multiplierBits.second))
    return product;
  int64_t kept = getLaneBits(op->getResult(0).getType());
  int64_t pieces = std::min(countPieces(narrow, wide, kept, dspModel),
                            countPieces(wide, narrow, kept, dspModel));
  product->dsp *= pieces;
  product->latency += (pieces - 1) * dspModel.pieceCycles;
  product->implementation.clear(); // of several DSPs
  return product;
}

std::optional<Operator> DeviceModel::priceLane(Operation *op, StringRef name) const {
  StringRef kind = getOperatorKind(op);
  if (kind == "mux") // A lane that an index chooses: it is selected from all.
    return price(name, getBitWidth(op->getOperand(0).getType()));
  if (kind == "select")
    return price(name, getLaneBits(op->getResult(0).getType()));
  if (isUntypedKind(kind))
    return price(name, 0);
  Type type = getOperatorType(op, kind);
  bool isInteger = getElementTypeOrSelf(type).isIntOrIndex();
  if (isInteger && kind == "mul")
    return priceProduct(op, name);
  // Synthesis cuts a sum to the bits that it can take.
  int64_t bits =
      isInteger && kind == "add" ? getSignificantBits(op->getResult(0)) : getLaneBits(type);
  return priceTyped(name, bits);
}

//===----------------------------------------------------------------------===//
// All lanes
//===----------------------------------------------------------------------===//

std::optional<Operator> DeviceModel::operatorOf(Operation *op, StringRef name) const {
  std::optional<Operator> found = priceLane(op, name);
  if (!found || getOperatorKind(op) == "mux")
    return found;
  if (getVitisOperation(op).empty())
    found->implementation.clear();
  double lanes = countLanes(op);
  found->dsp *= lanes;
  found->ff *= lanes;
  found->lut *= lanes;
  return found;
}

std::optional<Operator> DeviceModel::operatorOf(Operation *op, SharedLanes shared) const {
  StringRef kind = getOperatorKind(op);
  return kind.empty() ? std::nullopt : operatorOf(op, chooseOperator(op, kind, shared));
}

FailureOr<Operator> DeviceModel::getOperator(Operation *op) const {
  if (std::optional<Operator> found = operatorOf(op))
    return *found;
  StringRef kind = getOperatorKind(op);
  if (kind.empty())
    return op->emitOpError("[device.operator] has no counterpart in hardware: rewrite it with "
                           "other operations of arith and math, or compute it on the host");
  return op->emitOpError("[device.operator] needs '")
         << getOperatorName(op, kind) << "', which the library of device '" << name
         << "' lacks: add it to 'operators' of the device file, or rewrite the operation with ones "
            "that are there";
}

LogicalResult DeviceModel::verifyOperators(Block &block) const {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>() && failed(getOperator(&op)))
      return failure();
  return success();
}

double DeviceModel::getSelectLut(int64_t bits) const { return price("mux", bits)->lut; }

bool DeviceModel::hasOperator(StringRef name) const {
  if (rows.contains(name))
    return true;
  auto [kind, type] = name.rsplit('_');
  auto derived = derivedTypes.find(type);
  return derived != derivedTypes.end() && rows.contains((kind + "_" + derived->second.of).str());
}

double DeviceModel::getDspsPerFloatMac() const {
  return price("mul_f32", 32)->dsp + price("add_f32", 32)->dsp;
}

} // namespace streamtensor
