//===- MaterialiseConverters.cpp - Give each converter its buffer ---------===//
//
// The types around a converter become the common refinement of its nests (by casts,
// which cost nothing), and the buffer is written down:
//   itensor.converter %s {buffer = {kind = "ping_pong", shared = 1, box = [8, 2],
//                                   blocks = 2, minimum = 24}} : s' to r'
// `minimum` is the fewest elements that any converter between the two types holds, `ahead` what
// waits in the FIFO in front of a line or repeat buffer, both at an even pace of both sides.
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

static DictionaryAttr describeBuffer(Builder &builder, const itensor::ConverterPlan &plan) {
  SmallVector<NamedAttribute> entries = {
      builder.getNamedAttr("kind",
                           builder.getStringAttr(itensor::stringifyConverterKind(plan.kind))),
      builder.getNamedAttr("shared", builder.getI64IntegerAttr(plan.shared)),
      builder.getNamedAttr("box", builder.getDenseI64ArrayAttr(plan.box)),
      builder.getNamedAttr("blocks", builder.getI64IntegerAttr(plan.blocks))};
  auto add = [&](StringRef name, int64_t elements) {
    entries.push_back(builder.getNamedAttr(name, builder.getI64IntegerAttr(elements)));
  };
  if (std::optional<itensor::EvenPace> pace = itensor::analyseEvenPace(plan)) {
    add("minimum", pace->peakLive);
    if (pace->ahead > 0)
      add("ahead", pace->ahead);
  }
  return builder.getDictionaryAttr(entries);
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
    auto converter = itensor::ConverterOp::create(builder, loc, plan->result, stream);
    converter->setAttr("buffer", describeBuffer(builder, *plan));
    stream = converter;
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
