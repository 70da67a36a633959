//===- MaterialiseConverters.cpp - Give each converter its buffer ---------===//
//
// The types around a converter become the common refinement of its nests (by casts,
// which cost nothing), and the buffer is written down:
//   itensor.converter %s {buffer = {shared = 1, box = [8, 2], blocks = 2}} : s' to r'
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Conversion/Passes.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

namespace streamtensor {
#define GEN_PASS_DEF_MATERIALISECONVERTERS
#include "streamtensor/Conversion/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

static LogicalResult materialise(itensor::ConverterOp op) {
  auto result = cast<ITensorType>(op.getType());
  FailureOr<itensor::ConverterPlan> plan =
      itensor::planConverter(cast<ITensorType>(op.getSource().getType()), result);
  if (failed(plan))
    return op.emitError("the two orders do not cover the same data: [itensor.converter]");
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto source = itensor::CastOp::create(builder, loc, plan->source, op.getSource());
  auto converter = itensor::ConverterOp::create(builder, loc, plan->result, source);
  converter->setAttr(
      "buffer", builder.getDictionaryAttr(
                    {builder.getNamedAttr("shared", builder.getI64IntegerAttr(plan->shared)),
                     builder.getNamedAttr("box", builder.getDenseI64ArrayAttr(plan->box)),
                     builder.getNamedAttr("blocks", builder.getI64IntegerAttr(plan->blocks))}));
  auto back = itensor::CastOp::create(builder, loc, result, converter);
  op.replaceAllUsesWith(back.getResult());
  op.erase();
  return success();
}

namespace {
struct MaterialiseConvertersPass
    : streamtensor::impl::MaterialiseConvertersBase<MaterialiseConvertersPass> {
  void runOnOperation() override {
    SmallVector<itensor::ConverterOp> converters;
    getOperation().walk([&](itensor::ConverterOp op) { converters.push_back(op); });
    for (itensor::ConverterOp op : converters)
      if (failed(materialise(op)))
        return signalPassFailure();
  }
};
} // namespace
