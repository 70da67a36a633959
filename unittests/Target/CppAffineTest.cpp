//===- CppAffineTest.cpp - Printed expressions have their values ----------===//
//
// Affine expressions and sets at random are printed, and the text is computed as C++ computes it.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Target/HLSCpp/CppText.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include "gtest/gtest.h"
#include <rapidcheck.h>

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::target;

namespace {

int64_t pick(int64_t least, int64_t most) {
  return *rc::gen::noShrink(rc::gen::inRange<int64_t>(least, most + 1));
}

using Values = llvm::StringMap<int64_t>;

/// Computes text of numbers, names, `st::` divisions and operators; a division of C++ rounds
/// towards zero.
class Calculator {
public:
  Calculator(StringRef text, const Values &values) : rest(text), values(values) {}

  int64_t compute() {
    int64_t value = sum();
    EXPECT_TRUE(rest.empty()) << rest.str();
    return value;
  }

  /// Comparisons joined by `&&`.
  bool holds() {
    bool all = true;
    do {
      int64_t left = sum();
      bool isEqual = take(" == "), isAtLeast = !isEqual && take(" >= ");
      EXPECT_TRUE(isEqual || isAtLeast || take(" <= ")) << rest.str();
      int64_t right = sum();
      all &= isEqual ? left == right : isAtLeast ? left >= right : left <= right;
    } while (take(" && "));
    EXPECT_TRUE(rest.empty()) << rest.str();
    return all;
  }

private:
  bool take(StringRef token) { return rest.consume_front(token); }

  int64_t sum() {
    int64_t value = product();
    while (true) {
      if (take(" + "))
        value += product();
      else if (take(" - "))
        value -= product();
      else
        return value;
    }
  }

  int64_t product() {
    int64_t value = operand();
    while (true) {
      if (take(" * "))
        value *= operand();
      else if (take(" / "))
        value /= operand();
      else if (take(" % "))
        value %= operand();
      else
        return value;
    }
  }

  int64_t operand() {
    if (take("-"))
      return -operand();
    if (take("(")) {
      int64_t value = sum();
      EXPECT_TRUE(take(")")) << rest.str();
      return value;
    }
    if (take("st::wrap(")) {
      int64_t a = sum();
      EXPECT_TRUE(take(", ")) << rest.str();
      int64_t b = sum();
      EXPECT_TRUE(take(")")) << rest.str();
      return a >= b ? a - b : a;
    }
    for (StringRef name : {"st::floor_div(", "st::floor_mod(", "st::ceil_div("})
      if (take(name)) {
        int64_t a = sum();
        EXPECT_TRUE(take(", ")) << rest.str();
        int64_t b = sum();
        EXPECT_TRUE(take(")")) << rest.str();
        int64_t down = llvm::divideFloorSigned(a, b);
        return name.contains("mod")    ? a - down * b
               : name.contains("ceil") ? llvm::divideCeilSigned(a, b)
                                       : down;
      }
    StringRef word = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    rest = rest.drop_front(word.size());
    int64_t number = 0;
    if (!word.getAsInteger(10, number))
      return number;
    auto found = values.find(word);
    EXPECT_TRUE(found != values.end()) << word.str();
    return found == values.end() ? 0 : found->second;
  }

  StringRef rest;
  const Values &values;
};

/// Two loops, a lane, a scalar of known range that is a count, and one of which nothing is known.
struct Random {
  MLIRContext context;
  AffineNames names{{{}, {}}, {"i0", "i1", "u0"}, {"n", "position"}, {}};

  Random() {
    for (int dim = 0; dim < 3; ++dim)
      names.trips.push_back(pick(1, 6));
    int64_t low = pick(1, 4);
    names.symbolRanges.push_back({low, low + pick(0, 4)});
  }

  AffineExpr constant(int64_t value) { return getAffineConstantExpr(value, &context); }

  AffineExpr leaf() {
    switch (pick(0, 4)) {
    case 0:
      return constant(pick(-6, 6));
    case 1:
      return getAffineSymbolExpr(pick(0, 1), &context);
    default:
      return getAffineDimExpr(pick(0, 2), &context);
    }
  }

  AffineExpr expression(int depth) {
    if (depth == 0)
      return leaf();
    AffineExpr left = expression(depth - 1);
    AffineExpr divisor = pick(0, 4) ? constant(pick(1, 6)) : getAffineSymbolExpr(0, &context);
    switch (pick(0, 6)) {
    case 0:
      return left % divisor;
    case 1:
      return left.floorDiv(divisor);
    case 2:
      return left.ceilDiv(divisor);
    case 3:
      return left * pick(-4, 4);
    case 4:
      return left - expression(depth - 1);
    default:
      return left + expression(depth - 1);
    }
  }

  /// A digit of an index, or a remainder of a sum of indices and digits, by no power of two.
  AffineExpr digits() {
    int64_t inner = pick(1, 3) * 2 + 1, outer = inner * (pick(1, 3) * 2 + 1);
    AffineExpr i = getAffineDimExpr(0, &context), j = getAffineDimExpr(1, &context);
    switch (pick(0, 4)) {
    case 0:
      return i.floorDiv(inner);
    case 1:
      return (i % outer).floorDiv(inner) + j % inner;
    case 2:
      return i.floorDiv(inner) % 3 * inner + (j * pick(1, 20)) % inner;
    case 3:
      return (i * pick(1, 20) + j * pick(1, 20) + pick(0, 40)) % outer;
    default:
      return (i * pick(1, 4) + j % inner + (j % outer).floorDiv(inner)) % outer;
    }
  }

  /// A sum in which each loop and scalar appears at most once.
  AffineExpr linear() {
    AffineExpr sum = constant(pick(-8, 8));
    for (int dim = 0; dim < 3; ++dim)
      sum = sum + getAffineDimExpr(dim, &context) * pick(-2, 2);
    return sum + getAffineSymbolExpr(0, &context) * pick(-1, 1);
  }

  IntegerSet set(llvm::function_ref<AffineExpr()> make, bool equalities) {
    SmallVector<AffineExpr> constraints;
    SmallVector<bool> isEqual;
    for (int64_t count = pick(1, 3); count > 0; --count) {
      constraints.push_back(make());
      isEqual.push_back(equalities && pick(0, 1));
    }
    return IntegerSet::get(3, 2, constraints, isEqual);
  }

  /// Every point within the extents and ranges, with some values of what has none.
  template <typename Visit> void forEachPoint(Visit visit) {
    for (int64_t i = 0; i < names.trips[0]; ++i)
      for (int64_t j = 0; j < names.trips[1]; ++j)
        for (int64_t lane = 0; lane < names.trips[2]; ++lane)
          for (int64_t n = names.symbolRanges[0].first; n <= names.symbolRanges[0].second; ++n)
            for (int64_t position : {-7, -1, 0, 3, 1000})
              visit({i, j, lane}, {n, position});
  }

  Values valuesAt(ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
    Values values;
    for (auto [name, value] : llvm::zip_equal(names.dims, dims))
      values[name] = value;
    for (auto [name, value] : llvm::zip_equal(names.symbols, symbols))
      values[name] = value;
    for (auto &[counter, name] : names.counters)
      values[name] = dims[counter.loop] * counter.factor / counter.divisor % counter.modulus;
    return values;
  }

  int64_t valueAt(AffineExpr expr, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
    auto toExprs = [&](ArrayRef<int64_t> numbers) {
      return llvm::map_to_vector(numbers, [&](int64_t number) { return constant(number); });
    };
    AffineExpr value = expr.replaceDimsAndSymbols(toExprs(dims), toExprs(symbols));
    return cast<AffineConstantExpr>(value).getValue();
  }

  /// Names the counters that the expression needs.
  void count(AffineExpr expr) {
    SmallVector<IndexCounter> counters;
    collectCounters(simplifyIn(expr, names), names, counters);
    for (auto [number, counter] : llvm::enumerate(counters))
      names.counters.push_back({counter, "counter_" + std::to_string(number)});
  }

  bool holdsAt(AffineExpr constraint, bool isEqual, ArrayRef<int64_t> dims,
               ArrayRef<int64_t> symbols) {
    int64_t value = valueAt(constraint, dims, symbols);
    return isEqual ? value == 0 : value >= 0;
  }
};

TEST(CppAffine, TheTextHasTheValueOfTheExpression) {
  EXPECT_TRUE(rc::check([] {
    Random random;
    AffineExpr expr = random.expression(pick(1, 3));
    std::string text = cppAffine(expr, random.names);
    RC_LOG() << debugString(expr) << " is printed as " << text;
    random.forEachPoint([&](ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
      Values values = random.valuesAt(dims, symbols);
      RC_ASSERT(Calculator(text, values).compute() == random.valueAt(expr, dims, symbols));
    });
  }));
}

TEST(CppAffine, CountersHaveTheValuesOfDigits) {
  int drawn = 0, divided = 0, counted = 0;
  EXPECT_TRUE(rc::check([&] {
    Random random;
    random.names.trips = {pick(1, 24), pick(1, 24), 1};
    random.names.symbolRanges = {{1, 1}};
    AffineExpr expr = random.digits();
    random.count(expr);
    std::string text = cppAffine(expr, random.names);
    ++drawn;
    counted += !random.names.counters.empty();
    // None of these divides by a power of two.
    divided += StringRef(text).contains(" % ") || StringRef(text).contains(" / ");
    random.forEachPoint([&](ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
      Values values = random.valuesAt(dims, symbols);
      RC_ASSERT(Calculator(text, values).compute() == random.valueAt(expr, dims, symbols));
    });
  }));
  EXPECT_EQ(divided, 0);
  EXPECT_GT(counted, drawn / 2);
}

TEST(CppAffine, TheConditionHoldsWhereTheSetDoes) {
  EXPECT_TRUE(rc::check([] {
    Random random;
    IntegerSet set = random.set([&] { return random.expression(pick(1, 2)); }, true);
    std::string text = cppCondition(set, random.names).text;
    random.forEachPoint([&](ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
      Values values = random.valuesAt(dims, symbols);
      bool expected = true;
      for (auto [constraint, isEqual] : llvm::zip_equal(set.getConstraints(), set.getEqFlags()))
        expected &= random.holdsAt(constraint, isEqual, dims, symbols);
      bool actual = text == "true" || (text != "false" && Calculator(text, values).holds());
      RC_ASSERT(actual == expected);
    });
  }));
}

/// What holds at every point is not asked, and what holds at none is `false`.
TEST(CppAffine, AConditionAsksOnlyWhatTheExtentsLeaveOpen) {
  int open = 0, decided = 0;
  EXPECT_TRUE(rc::check([&] {
    Random random;
    IntegerSet set = random.set([&] { return random.linear(); }, false);
    size_t asked = 0;
    bool never = false;
    for (AffineExpr constraint : set.getConstraints()) {
      bool always = true, somewhere = false;
      random.forEachPoint([&](ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
        bool holds = random.holdsAt(constraint, false, dims, symbols);
        always &= holds;
        somewhere |= holds;
      });
      asked += !always;
      never |= !somewhere;
    }
    std::string text = cppCondition(set, random.names).text;
    if (never || asked == 0)
      RC_ASSERT(text == (never ? "false" : "true"));
    else
      RC_ASSERT((StringRef(text).count("&&") + 1 == asked));
    (never || asked == 0 ? decided : open) += 1;
  }));
  EXPECT_GT(open, 0);
  EXPECT_GT(decided, 0);
}

/// The text as a person would write it.
TEST(CppAffine, DivisionsThatTheExtentsDecideAreLeftOut) {
  MLIRContext context;
  AffineNames names{{{4, 5}, {}}, {"i0", "i1"}, {}, {}};
  AffineExpr i = getAffineDimExpr(0, &context), j = getAffineDimExpr(1, &context);
  EXPECT_EQ(cppAffine(i % 4, names), "i0");
  EXPECT_EQ(cppAffine(i.floorDiv(4), names), "0");
  EXPECT_EQ(cppAffine(j % 4, names), "i1 % 4");
  EXPECT_EQ(cppAffine(j.floorDiv(4), names), "i1 / 4");
  EXPECT_EQ(cppAffine((i - 1) % 4, names), "st::floor_mod(i0 - 1, 4)");
  EXPECT_EQ(cppAffine((i * 5 + j) % 20, names), "i0 * 5 + i1");
  EXPECT_EQ(cppAffine((i * 5 + j).floorDiv(5), names), "i0");
  EXPECT_EQ(cppAffine(-i * 5 - j + 3, names), "-i0 * 5 - i1 + 3");
}

/// A loop of three trips never reaches a count that is four at least.
TEST(CppAffine, ARemainderOfWhatIsSmallerThanEveryDivisorIsItself) {
  MLIRContext context;
  AffineNames names{{{3}, {{4, 9}}}, {"i0"}, {"n"}, {}};
  AffineExpr rest = getAffineDimExpr(0, &context) % getAffineSymbolExpr(0, &context);
  auto text = [&](AffineExpr expr) {
    return cppCondition(IntegerSet::get(1, 1, {expr}, {false}), names).text;
  };
  EXPECT_EQ(text(2 - rest), "true");
  EXPECT_EQ(text(rest - 3), "false");
  EXPECT_EQ(text(rest - 2), "i0 % n >= 2");
}

TEST(CppAffine, ASumBehindAMinusStandsInParentheses) {
  MLIRContext context;
  AffineNames names{{{3}, {}}, {"i0"}, {}, {}};
  AffineExpr i = getAffineDimExpr(0, &context);
  EXPECT_EQ(cppAffine((i - 4) % 6, names), "i0 + 2");
  EXPECT_EQ(cppAffine(-((i - 4) % 6), names), "-(i0 + 2)");
  EXPECT_EQ(cppAffine(i - (i - 4) % 6, names), "i0 - (i0 + 2)");
}

TEST(CppAffine, AConditionHasNoNegativeTerms) {
  MLIRContext context;
  AffineNames names{{{4, 5}, {}}, {"i0", "i1"}, {}, {}};
  AffineExpr i = getAffineDimExpr(0, &context), j = getAffineDimExpr(1, &context);
  auto text = [&](AffineExpr expr, bool isEqual) {
    return cppCondition(IntegerSet::get(2, 0, {expr}, {isEqual}), names).text;
  };
  EXPECT_EQ(text(i - 3, true), "i0 == 3");
  EXPECT_EQ(text(i - j * 2 - 1, false), "i0 >= i1 * 2 + 1");
  EXPECT_EQ(text(i - j + 1, false), "i0 >= i1 - 1");
  EXPECT_EQ(text(-i - j + 6, false), "i0 + i1 <= 6");
}

} // namespace
