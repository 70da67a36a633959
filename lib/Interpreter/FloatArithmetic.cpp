//===- FloatArithmetic.cpp - Operations on floats -------------------------===//
//
// Each operation rounds once to its own type, as the emitted C++ does; functions are those of
// runtime/include/st_math.h.
//
//===----------------------------------------------------------------------===//

#include "FloatTypes.h"
#include "Step.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

#pragma STDC FP_CONTRACT OFF

using namespace mlir;
using namespace streamtensor::interpreter;

namespace {

template <typename T> using Unary = T (*)(T);
template <typename T> using Binary = T (*)(T, T);

template <typename T> Unary<T> getUnary(StringRef name) {
  return llvm::StringSwitch<Unary<T>>(name)
      .Case("arith.negf", [](T x) { return T(-x); })
      .Case("math.absf", [](T x) { return st::abs(x); })
      .Case("math.atan", [](T x) { return st::atan(x); })
      .Case("math.ceil", [](T x) { return st::ceil(x); })
      .Case("math.cos", [](T x) { return st::cos(x); })
      .Case("math.erf", [](T x) { return st::erf(x); })
      .Case("math.exp", [](T x) { return st::exp(x); })
      .Case("math.exp2", [](T x) { return st::exp2(x); })
      .Case("math.expm1", [](T x) { return st::expm1(x); })
      .Case("math.floor", [](T x) { return st::floor(x); })
      .Case("math.log", [](T x) { return st::log(x); })
      .Case("math.log10", [](T x) { return st::log10(x); })
      .Case("math.log1p", [](T x) { return st::log1p(x); })
      .Case("math.log2", [](T x) { return st::log2(x); })
      .Case("math.round", [](T x) { return st::round(x); })
      .Case("math.roundeven", [](T x) { return st::roundeven(x); })
      .Case("math.rsqrt", [](T x) { return st::rsqrt(x); })
      .Case("math.sin", [](T x) { return st::sin(x); })
      .Case("math.sqrt", [](T x) { return st::sqrt(x); })
      .Case("math.tanh", [](T x) { return st::tanh(x); })
      .Case("math.trunc", [](T x) { return st::trunc(x); })
      .Default(nullptr);
}

template <typename T> Binary<T> getBinary(StringRef name) {
  return llvm::StringSwitch<Binary<T>>(name)
      .Case("arith.divf", [](T a, T b) { return T(a / b); })
      .Case("arith.remf", [](T a, T b) { return st::fmod(a, b); })
      .Case("arith.maximumf", [](T a, T b) { return st::maximum(a, b); })
      .Case("arith.minimumf", [](T a, T b) { return st::minimum(a, b); })
      .Case("arith.maxnumf", [](T a, T b) { return st::maxnum(a, b); })
      .Case("arith.minnumf", [](T a, T b) { return st::minnum(a, b); })
      .Case("math.atan2", [](T a, T b) { return st::atan2(a, b); })
      .Case("math.copysign", [](T a, T b) { return st::copysign(a, b); })
      .Case("math.powf", [](T a, T b) { return st::pow(a, b); })
      .Default(nullptr);
}

/// Sums and products are most of the work: their functions are inlined into the step.
template <typename T>
StepPtr makeFrequent(Operation *op, Registers result, ArrayRef<Registers> operands) {
  if (isa<arith::AddFOp>(op))
    return makeLaneStep<2>(result, operands,
                           [](Word a, Word b) { return Word::of(T(a.as<T>() + b.as<T>())); });
  if (isa<arith::SubFOp>(op))
    return makeLaneStep<2>(result, operands,
                           [](Word a, Word b) { return Word::of(T(a.as<T>() - b.as<T>())); });
  if (isa<arith::MulFOp>(op))
    return makeLaneStep<2>(result, operands,
                           [](Word a, Word b) { return Word::of(T(a.as<T>() * b.as<T>())); });
  if (isa<math::FmaOp>(op))
    return makeLaneStep<3>(result, operands, [](Word a, Word b, Word c) {
      return Word::of(st::fma(a.as<T>(), b.as<T>(), c.as<T>()));
    });
  if (isa<math::FPowIOp>(op))
    return makeLaneStep<2>(result, operands, [](Word a, Word b) {
      return Word::of(st::powi(a.as<T>(), b.asInteger()));
    });
  return nullptr;
}

template <typename T> bool compares(arith::CmpFPredicate predicate, T a, T b) {
  using P = arith::CmpFPredicate;
  bool isUnordered = a != a || b != b;
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return a < b || a > b;
  case P::ORD:
    return !isUnordered;
  case P::UEQ:
    return isUnordered || a == b;
  case P::UGT:
    return isUnordered || a > b;
  case P::UGE:
    return isUnordered || a >= b;
  case P::ULT:
    return isUnordered || a < b;
  case P::ULE:
    return isUnordered || a <= b;
  case P::UNE:
    return isUnordered || a != b;
  case P::UNO:
    return isUnordered;
  }
  llvm_unreachable("all predicates are handled");
}

template <typename T> StepPtr make(Operation *op, Registers result, ArrayRef<Registers> operands) {
  StringRef name = op->getName().getStringRef();
  if (StepPtr step = makeFrequent<T>(op, result, operands))
    return step;
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return makeLaneStep<2>(result, operands, [p = compare.getPredicate()](Word a, Word b) {
      return Word::ofBool(compares(p, a.as<T>(), b.as<T>()));
    });
  if (Unary<T> function = getUnary<T>(name))
    return makeLaneStep<1>(result, operands,
                           [function](Word x) { return Word::of(function(x.as<T>())); });
  if (Binary<T> function = getBinary<T>(name))
    return makeLaneStep<2>(result, operands, [function](Word a, Word b) {
      return Word::of(function(a.as<T>(), b.as<T>()));
    });
  return nullptr;
}

} // namespace

StepPtr streamtensor::interpreter::makeFloatArithmetic(Operation *op, Registers result,
                                                       ArrayRef<Registers> operands) {
  return withFloatType(getElementTypeOrSelf(op->getOperand(0).getType()),
                       [&](auto zero) { return make<decltype(zero)>(op, result, operands); });
}
