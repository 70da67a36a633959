//===- LeafPatternTest.cpp - Runs of iterations against enumeration -------===//

#include "streamtensor/Sim/LeafPattern.h"

#include "RandomMachine.h"
#include "ReferenceAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace streamtensor::dataflow;
using namespace streamtensor::sim;
using namespace streamtensor::reference;

namespace {

/// A leaf of three loops with a store under each of the guards.
struct Guarded {
  Guarded(ArrayRef<int64_t> trips, ArrayRef<std::string> guards) : trips(trips) {
    context.loadDialect<DataflowDialect, arith::ArithDialect>();
    std::string memory = "!dataflow.private<1xf32>";
    std::string text = "dataflow.design @d {\ndataflow.leaf \"l\" compute [";
    text += llvm::join(llvm::map_range(trips, [](int64_t n) { return std::to_string(n); }), ", ");
    text += "] {\n^bb0(%a: index, %b: index, %c: index, %m: " + memory +
            "):\n%v = arith.constant 0.0 : f32\n";
    for (const std::string &guard : guards)
      text += "dataflow.store %v, %m affine_map<(d0, d1, d2) -> (0)> when "
              "affine_set<(d0, d1, d2) : (" +
              guard + ")> : f32, " + memory + "\n";
    module = parseSourceString<ModuleOp>(text + "}\n}\n", ParserConfig(&context, false));
    module->walk([&](LeafOp found) { leaf = found; });
  }

  LeafPattern compute(unsigned serial) {
    FailureOr<LeafPattern> pattern = computePattern(cast<NestOpInterface>(*leaf), serial);
    EXPECT_TRUE(succeeded(pattern));
    return *pattern;
  }

  /// The guards that hold in each iteration, by visiting all of them.
  std::vector<GuardMask> enumerate(ArrayRef<IntegerSet> guards) const {
    std::vector<GuardMask> masks;
    for (int64_t a = 0; a < trips[0]; ++a)
      for (int64_t b = 0; b < trips[1]; ++b)
        for (int64_t c = 0; c < trips[2]; ++c) {
          masks.push_back(0);
          for (auto [index, guard] : llvm::enumerate(guards))
            masks.back() |= GuardMask(isInside(guard, {a, b, c})) << index;
        }
    return masks;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  LeafOp leaf;
  SmallVector<int64_t> trips;
};

int64_t countIterations(const std::vector<Run> &table) {
  int64_t count = 0;
  for (const Run &run : table)
    count += run.length;
  return count;
}

TEST(LeafPattern, RunsAreTheGuardsOfEveryIterationInOrder) {
  EXPECT_TRUE(rc::check([] {
    SmallVector<int64_t> trips;
    for (int loop = 0; loop < 3; ++loop)
      trips.push_back(pick(1, 5));
    std::vector<std::string> guards;
    for (int64_t guard = pick(1, 3); guard > 0; --guard) {
      std::string text = std::to_string(pick(-4, 2));
      for (int64_t loop = pick(0, 2), last = pick(loop, 2); loop <= last; ++loop)
        text += " + d" + std::to_string(loop) + " * " + std::to_string(pick(-1, 1));
      guards.push_back(text + (pick(0, 1) ? " >= 0" : " == 0"));
    }
    unsigned serial = pick(0, 3);
    Guarded nest(trips, guards);
    LeafPattern pattern = nest.compute(serial);
    std::vector<GuardMask> masks;
    for (int32_t table : pattern.sequence)
      for (const auto &run : pattern.tables[table])
        masks.insert(masks.end(), run.length, pattern.masks[run.accessClass]);
    RC_ASSERT(masks == nest.enumerate(pattern.guards));
    // Every trip is as many tables, and as many iterations.
    int64_t perTrip = 1;
    for (unsigned loop = serial; loop < 3; ++loop)
      perTrip *= trips[loop];
    RC_ASSERT(pattern.iterationsPerTrip == perTrip);
    RC_ASSERT(pattern.sequence.size() % pattern.tablesPerTrip == 0);
    for (size_t trip = 0; trip * pattern.tablesPerTrip < pattern.sequence.size(); ++trip) {
      int64_t iterations = 0;
      for (int64_t table = 0; table < pattern.tablesPerTrip; ++table)
        iterations +=
            countIterations(pattern.tables[pattern.sequence[trip * pattern.tablesPerTrip + table]]);
      RC_ASSERT(iterations == perTrip);
    }
  }));
}

/// A table is a list of runs: of the loops that guards mention it holds as many, from the innermost
/// one on, as make 4096 iterations at most, and one in any case.
TEST(LeafPattern, TablesAreNoLongerThanTheirLimit) {
  struct Case {
    SmallVector<int64_t> trips;
    int64_t iterations;
  };
  for (const Case &one :
       {Case{{2, 2048, 4}, 4}, Case{{2, 1024, 4}, 4096}, Case{{2, 64, 64}, 4096},
        Case{{2, 3, 5000}, 5000}, Case{{8, 16, 32}, 4096}, Case{{9, 16, 32}, 512}}) {
    LeafPattern pattern = Guarded(one.trips, {"d0 + d1 + d2 - 3 >= 0"}).compute(0);
    for (const auto &table : pattern.tables)
      EXPECT_EQ(countIterations(table), one.iterations);
    EXPECT_EQ(static_cast<int64_t>(pattern.sequence.size()) * one.iterations,
              llvm::product_of(one.trips));
  }
}

} // namespace
