//===- MaterialiseConverters.cpp - Give each converter its buffer ---------===//
//
// The types around a converter become the common refinement of its nests (by casts,
// which cost nothing), and the buffer is written down:
//   itensor.converter %s through <ping_pong shared 1 box [8, 2] blocks 2 minimum 24> : s' to r'
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h"

namespace streamtensor {
#define GEN_PASS_DEF_MATERIALISECONVERTERS
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

static itensor::BufferAttr describeBuffer(const itensor::ConverterPlan &plan) {
  std::optional<int64_t> minimum;
  int64_t ahead = 0;
  if (std::optional<itensor::EvenPace> pace = itensor::analyseEvenPace(plan)) {
    minimum = pace->peakLive;
    ahead = pace->ahead;
  }
  return itensor::BufferAttr::get(plan.source.getContext(), plan.kind, plan.shared, plan.box,
                                  plan.blocks, minimum, ahead);
}

static void materialise(itensor::ConverterOp op, itensor::ConverterRule rule) {
  auto result = cast<ITensorType>(op.getType());
  FailureOr<itensor::ConverterPlan> plan =
      itensor::planConverter(cast<ITensorType>(op.getSource().getType()), result, rule);
  assert(succeeded(plan) && "the verifier of the op sees to what a plan needs");
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value stream = itensor::CastOp::create(builder, loc, plan->source, op.getSource());
  if (!haveSameTokenOrder(plan->source, plan->result)) {
    stream =
        itensor::ConverterOp::create(builder, loc, plan->result, stream, describeBuffer(*plan));
  }
  auto back = itensor::CastOp::create(builder, loc, result, stream);
  op.replaceAllUsesWith(back.getResult());
  op.erase();
}

namespace {
struct MaterialiseConvertersPass
    : streamtensor::impl::MaterialiseConvertersBase<MaterialiseConvertersPass> {
  using MaterialiseConvertersBase::MaterialiseConvertersBase;

  void runOnOperation() override {
    SmallVector<itensor::ConverterOp> converters;
    getOperation().walk([&](itensor::ConverterOp op) { converters.push_back(op); });
    for (itensor::ConverterOp op : converters)
      materialise(op, converterRule);
  }
};
} // namespace
