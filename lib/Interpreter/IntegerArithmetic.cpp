//===- IntegerArithmetic.cpp - Operations on integers ---------------------===//
//
// Results wrap to their width. What has no value (division by zero) is a fault.
//
//===----------------------------------------------------------------------===//

#include "FloatTypes.h"
#include "Step.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace streamtensor::interpreter;

namespace {

/// Operands are sign-extended to 64 bits; the caller wraps the result.
using Binary = int64_t (*)(int64_t, int64_t);
using Division = int64_t (*)(int64_t, int64_t, unsigned);

int64_t wrapped(uint64_t value) { return static_cast<int64_t>(value); }

Binary getBinary(StringRef name) {
  return llvm::StringSwitch<Binary>(name)
      .Case("arith.addi", [](int64_t a, int64_t b) { return wrapped(uint64_t(a) + uint64_t(b)); })
      .Case("arith.subi", [](int64_t a, int64_t b) { return wrapped(uint64_t(a) - uint64_t(b)); })
      .Case("arith.muli", [](int64_t a, int64_t b) { return wrapped(uint64_t(a) * uint64_t(b)); })
      .Case("arith.andi", [](int64_t a, int64_t b) { return a & b; })
      .Case("arith.ori", [](int64_t a, int64_t b) { return a | b; })
      .Case("arith.xori", [](int64_t a, int64_t b) { return a ^ b; })
      .Case("arith.maxsi", [](int64_t a, int64_t b) { return a > b ? a : b; })
      .Case("arith.minsi", [](int64_t a, int64_t b) { return a < b ? a : b; })
      // Sign extension keeps the order of unsigned numbers.
      .Case("arith.maxui", [](int64_t a, int64_t b) { return uint64_t(a) > uint64_t(b) ? a : b; })
      .Case("arith.minui", [](int64_t a, int64_t b) { return uint64_t(a) < uint64_t(b) ? a : b; })
      .Case("math.ipowi",
            [](int64_t a, int64_t b) {
              return b < 0 ? (a == 1 ? 1 : a == -1 ? (b & 1 ? -1 : 1) : 0) : st::powi(a, b);
            })
      .Default(nullptr);
}

uint64_t unsign(int64_t value, unsigned width) {
  return Word{static_cast<uint64_t>(value)}.asUnsigned(width);
}

/// Quotients and remainders; the divisor is not 0, and not -1 under the smallest number.
Division getDivision(StringRef name) {
  return llvm::StringSwitch<Division>(name)
      .Case("arith.divsi", [](int64_t a, int64_t b, unsigned) { return a / b; })
      .Case("arith.remsi", [](int64_t a, int64_t b, unsigned) { return a % b; })
      .Case("arith.floordivsi", [](int64_t a, int64_t b, unsigned) { return st::floor_div(a, b); })
      .Case("arith.ceildivsi", [](int64_t a, int64_t b, unsigned) { return st::ceil_div(a, b); })
      .Case("arith.divui",
            [](int64_t a, int64_t b, unsigned width) {
              return wrapped(unsign(a, width) / unsign(b, width));
            })
      .Case("arith.remui",
            [](int64_t a, int64_t b, unsigned width) {
              return wrapped(unsign(a, width) % unsign(b, width));
            })
      .Case("arith.ceildivui",
            [](int64_t a, int64_t b, unsigned width) {
              uint64_t dividend = unsign(a, width), divisor = unsign(b, width);
              return wrapped(dividend / divisor + (dividend % divisor != 0));
            })
      .Default(nullptr);
}

/// Shifts; a distance of the width or more leaves the sign or 0.
Division getShift(StringRef name) {
  return llvm::StringSwitch<Division>(name)
      .Case("arith.shli",
            [](int64_t a, int64_t b, unsigned width) {
              return unsign(b, width) < width ? wrapped(uint64_t(a) << b) : 0;
            })
      .Case("arith.shrsi",
            [](int64_t a, int64_t b, unsigned width) {
              return unsign(b, width) < width ? a >> b : a >> 63;
            })
      .Case("arith.shrui",
            [](int64_t a, int64_t b, unsigned width) {
              return unsign(b, width) < width ? wrapped(unsign(a, width) >> b) : 0;
            })
      .Default(nullptr);
}

bool compares(arith::CmpIPredicate predicate, Word a, Word b) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return a.bits == b.bits;
  case P::ne:
    return a.bits != b.bits;
  case P::slt:
    return a.asInteger() < b.asInteger();
  case P::sle:
    return a.asInteger() <= b.asInteger();
  case P::sgt:
    return a.asInteger() > b.asInteger();
  case P::sge:
    return a.asInteger() >= b.asInteger();
  case P::ult:
    return a.bits < b.bits;
  case P::ule:
    return a.bits <= b.bits;
  case P::ugt:
    return a.bits > b.bits;
  case P::uge:
    return a.bits >= b.bits;
  }
  llvm_unreachable("all predicates are handled");
}

StepPtr makeDivision(Operation *op, Division function, Registers result,
                     ArrayRef<Registers> operands, unsigned width, Fault &fault) {
  return makeLaneStep<2>(result, operands, [=, &fault](Word a, Word b) {
    if (b.bits == 0) {
      fault.report(op, "divides by zero");
      return Word();
    }
    // The smallest number has no positive counterpart: it wraps.
    if (b.asInteger() == -1 && a.asInteger() == std::numeric_limits<int64_t>::min())
      return isa<arith::DivSIOp>(op) ? a : Word();
    return Word::ofInteger(function(a.asInteger(), b.asInteger(), width), width);
  });
}

} // namespace

StepPtr streamtensor::interpreter::makeIntegerArithmetic(Operation *op, Registers result,
                                                         ArrayRef<Registers> operands,
                                                         Fault &fault) {
  StringRef name = op->getName().getStringRef();
  unsigned width = getWordWidth(getElementTypeOrSelf(op->getOperand(0).getType()));
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return makeLaneStep<2>(result, operands, [p = compare.getPredicate()](Word a, Word b) {
      return Word::ofBool(compares(p, a, b));
    });
  if (isa<math::AbsIOp>(op))
    return makeLaneStep<1>(result, operands, [width](Word x) {
      return x.asInteger() < 0 ? Word::ofInteger(wrapped(-x.bits), width) : x;
    });
  if (Binary function = getBinary(name))
    return makeLaneStep<2>(result, operands, [function, width](Word a, Word b) {
      return Word::ofInteger(function(a.asInteger(), b.asInteger()), width);
    });
  if (Division function = getShift(name))
    return makeLaneStep<2>(result, operands, [function, width](Word a, Word b) {
      return Word::ofInteger(function(a.asInteger(), b.asInteger(), width), width);
    });
  if (Division function = getDivision(name))
    return makeDivision(op, function, result, operands, width, fault);
  return nullptr;
}
