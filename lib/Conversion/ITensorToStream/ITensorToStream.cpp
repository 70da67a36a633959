//===- ITensorToStream.cpp - Kernels become designs of leaf tasks ---------===//

#include "BlockPlan.h"
#include "streamtensor/Conversion/Passes.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace streamtensor {
#define GEN_PASS_DEF_ITENSORTOSTREAM
#include "streamtensor/Conversion/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;

namespace {

/// Turns one kernel into a design and a launch.
class KernelLowering {
public:
  KernelLowering(dataflow::KernelOp kernel, const DeviceModel *device)
      : kernel(kernel), builder(kernel.getContext()), design(builder, device) {}

  LogicalResult lower();

private:
  void createPorts();
  LogicalResult lowerOp(Operation &op);

  dataflow::KernelOp kernel;
  OpBuilder builder;
  DesignBuilder design;
  KernelTimes times;
};

struct ITensorToStreamPass : streamtensor::impl::ITensorToStreamBase<ITensorToStreamPass> {
  using ITensorToStreamBase::ITensorToStreamBase;

  void runOnOperation() override {
    FailureOr<const DeviceModel *> device = dataflow::getDevice(getOperation());
    if (failed(device))
      return signalPassFailure();
    SmallVector<dataflow::KernelOp> kernels;
    getOperation().walk([&](dataflow::KernelOp kernel) { kernels.push_back(kernel); });
    for (dataflow::KernelOp kernel : kernels)
      if (failed(KernelLowering(kernel, *device).lower()))
        return signalPassFailure();
  }
};

} // namespace

/// Name of the tensor `value` outside a kernel: the argument's name if it has one.
static std::string getTensorName(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (op->getNumOperands() == 0 || isa<dataflow::KernelOp, dataflow::LaunchOp>(op))
      return getValueName(value);
    value = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (auto name =
          function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), program::nameAttrName))
    return getIdentifier(name.getValue());
  return "arg" + std::to_string(argument.getArgNumber());
}

/// Name of a kernel's result: the first position in the function's results that it leads to.
static std::string getResultName(OpResult result) {
  std::optional<unsigned> first;
  SmallVector<Value> worklist = {result};
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses())
      if (isa<func::ReturnOp>(use.getOwner()))
        first = std::min(first.value_or(use.getOperandNumber()), use.getOperandNumber());
      else
        llvm::append_range(worklist, use.getOwner()->getResults());
  return first ? "result" + std::to_string(*first) : "result";
}

void KernelLowering::createPorts() {
  auto create = [&](Value inner, Type tensorType, std::string name, dataflow::Direction way) {
    auto tensor = cast<RankedTensorType>(tensorType);
    auto type =
        dataflow::PortType::get(kernel.getContext(), tensor.getShape(), tensor.getElementType());
    design.setPort(
        inner, dataflow::PortOp::create(builder, inner.getLoc(), type, design.getName(name), way));
  };
  Block &body = kernel.getBody().front();
  for (auto [argument, outer] : llvm::zip_equal(body.getArguments(), kernel.getInputs()))
    create(argument, argument.getType(), getTensorName(outer), dataflow::Direction::In);
  Operation *yield = body.getTerminator();
  for (auto [inner, outer] : llvm::zip_equal(yield->getOperands(), kernel.getResults()))
    create(inner, inner.getType(), getResultName(cast<OpResult>(outer)), dataflow::Direction::Out);
}

LogicalResult KernelLowering::lowerOp(Operation &op) {
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](itensor::FromTensorOp from) {
        return lowerLoad(design, from, design.getPort(from.getSource()));
      })
      .Case([&](itensor::ToTensorOp to) {
        return lowerStore(design, to, design.getPort(to.getResult()));
      })
      .Case([&](itensor::ForkOp fork) { return lowerFork(design, fork); })
      .Case([&](itensor::JoinOp join) { return lowerJoin(design, join); })
      .Case([&](itensor::UnjoinOp unjoin) { return lowerUnjoin(design, unjoin); })
      .Case([&](itensor::ChunkOp chunk) { return lowerChunk(design, chunk); })
      .Case([&](itensor::ConcatOp concat) { return lowerConcat(design, concat); })
      .Case([&](itensor::PadOp pad) { return lowerPad(design, pad); })
      .Case([&](itensor::ConverterOp converter) { return lowerConverter(design, converter); })
      .Case([&](dataflow::TaskOp task) { return lowerTask(design, task, times); })
      .Case(
          [&](dataflow::ITensorToStreamOp bridge) { return lowerITensorToStream(design, bridge); })
      .Case(
          [&](dataflow::StreamToITensorOp bridge) { return lowerStreamToITensor(design, bridge); })
      .Case([&](dataflow::StreamCastOp cast) { return lowerStreamCast(design, cast); })
      .Case([&](dataflow::ExternTaskOp task) { return lowerExternTask(design, task); })
      .Case<itensor::CastOp, itensor::ReassociateOp>([&](auto view) {
        // The same tokens in the same order, under another type.
        design.setEdge(view.getResult(), design.getEdge(view.getSource()));
        return success();
      })
      .Case<itensor::InstanceOp, itensor::EmptyOp, dataflow::YieldOp>(
          [](auto) { return success(); })
      .Default(
          [](Operation *other) { return other->emitError("cannot be lowered to leaf tasks"); });
}

/// The kernel's name, or one derived from it that is no symbol of `module` yet: a design
/// stands beside the functions.
static std::string getDesignName(ModuleOp module, dataflow::KernelOp kernel) {
  UniqueNames names;
  std::string name;
  do
    name = names.get(kernel.getName());
  while (module.lookupSymbol(name));
  return name;
}

LogicalResult KernelLowering::lower() {
  auto function = kernel->getParentOfType<func::FuncOp>();
  builder.setInsertionPoint(function);
  std::string name = getDesignName(function->getParentOfType<ModuleOp>(), kernel);
  auto designOp =
      dataflow::DesignOp::create(builder, kernel.getLoc(), name, dataflow::ControlAttr(),
                                 dataflow::DesignSizingAttr(), dataflow::PlacementAttr(),
                                 /*per_die=*/false);
  builder.setInsertionPointToEnd(&designOp.getBody().emplaceBlock());
  createPorts();
  FailureOr<KernelTimes> estimated = estimateTimes(kernel);
  if (failed(estimated))
    return failure();
  times = std::move(*estimated);
  for (Operation &op : kernel.getBody().front())
    if (failed(lowerOp(op)))
      return failure();
  builder.setInsertionPoint(kernel);
  auto launch = dataflow::LaunchOp::create(builder, kernel.getLoc(), kernel.getResultTypes(), name,
                                           kernel.getInputs(), /*scalars=*/ValueRange());
  kernel.replaceAllUsesWith(launch.getResults());
  kernel.erase();
  return success();
}
