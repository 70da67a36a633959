//===- CountOperations.cpp - How often scalar functions are evaluated -----===//

#include "streamtensor/Transforms/Linalg/Passes.h"

#include <map>

using namespace mlir;

namespace streamtensor {
#define GEN_PASS_DEF_COUNTOPERATIONS
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

int64_t countIterations(linalg::GenericOp op) {
  int64_t iterations = 1;
  for (int64_t extent : op.getStaticLoopRanges())
    iterations *= extent;
  return iterations;
}

struct CountOperationsPass : streamtensor::impl::CountOperationsBase<CountOperationsPass> {
  using CountOperationsBase::CountOperationsBase;

  bool isCounted(Operation &op) const {
    StringRef name = op.getName().getStringRef();
    if (operations.empty())
      return name.starts_with("math.") || isa<arith::DivFOp>(op);
    return llvm::is_contained(operations, name);
  }

  void runOnOperation() override {
    std::map<std::string, int64_t> evaluations;
    for (const std::string &name : operations)
      evaluations[name] = 0;
    getOperation().walk([&](linalg::GenericOp generic) {
      for (Operation &op : *generic.getBody())
        if (isCounted(op))
          evaluations[op.getName().getStringRef().str()] += countIterations(generic);
    });
    for (const auto &[name, count] : evaluations)
      llvm::outs() << name << " " << count << "\n";
    markAllAnalysesPreserved();
  }
};

} // namespace
