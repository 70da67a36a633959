//===- BindScalars.cpp - Designs for fixed scalars ------------------------===//
//
//   func.func @main(%x: tensor<8xf32>, %n: index) { … dataflow.launch @d(%x) scalars(%n) … }
//   dataflow.design @d { %n = dataflow.scalar "n" from 1 to 8 : index … compute [8] counts …
// becomes, with n = 5,
//   func.func @main(%x: tensor<8xf32>) { … dataflow.launch @d(%x) … }
//   dataflow.design @d { … compute [5] …
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/Dataflow/IR/IterationBox.h"
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"

namespace streamtensor {
#define GEN_PASS_DEF_BINDSCALARS
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor::dataflow;

/// The values that every launch of `design` gives its scalars: one design is made of it.
static FailureOr<SmallVector<int64_t>> getValues(ModuleOp module, DesignOp design,
                                                 const ScalarValues &given) {
  std::optional<SmallVector<int64_t>> values;
  WalkResult walk = module.walk([&](LaunchOp launch) {
    if (launch.getDesign() != design.getSymName())
      return WalkResult::advance();
    FailureOr<SmallVector<int64_t>> own = getScalars(launch, given);
    if (failed(own))
      return WalkResult::interrupt();
    if (values && *values != *own) {
      launch.emitOpError(
          "[launch.scalars] gives other scalars than an earlier launch of this design");
      return WalkResult::interrupt();
    }
    values = *own;
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return values ? *values : getScalars(design, given);
}

//===----------------------------------------------------------------------===//
// What no iteration reaches
//===----------------------------------------------------------------------===//

/// Stands for what a read gives that never happens, which nobody uses.
static Value makeZero(OpBuilder &builder, Location location, Type type, bool isScheduled) {
  Operation *zero;
  if (auto tuple = dyn_cast<TupleType>(type)) {
    SmallVector<Value> members;
    for (Type member : tuple.getTypes())
      members.push_back(makeZero(builder, location, member, isScheduled));
    zero = TupleOp::create(builder, location, members);
  } else {
    zero = arith::ConstantOp::create(builder, location, builder.getZeroAttr(type));
  }
  if (isScheduled)
    setTiming(zero, TimingAttr::get(builder.getContext(), 0, 0, builder.getStringAttr("wire"), {}));
  return zero->getResult(0);
}

static void dropAccess(AccessOpInterface access, bool isScheduled) {
  OpBuilder builder(access);
  if (!access.isWrite())
    access->getResult(0).replaceAllUsesWith(
        makeZero(builder, access->getLoc(), access.getMovedType(), isScheduled));
  access->erase();
}

/// Accesses whose guards hold in no iteration any more, then FIFOs that nothing moves through.
static void dropUnreached(DesignOp design) {
  for (auto leaf : design.getBody().getOps<LeafOp>())
    for (AccessOpInterface access : getAccesses(leaf))
      if (IntegerSet guard = access.getGuardSet();
          guard && getGuardBox(guard, getNest(access).getLoopTrips())->isEmpty())
        dropAccess(access, leaf.isScheduled());
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(design.getBody().front())))
    if (isa<StreamOp, StreamCastOp>(op) && op.use_empty())
      op.erase();
}

static void dropScalars(ModuleOp module) {
  module.walk([](LaunchOp launch) { launch.getScalarsMutable().clear(); });
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned index = function.getNumArguments(); index-- > 0;)
      if (BlockArgument argument = function.getArgument(index);
          argument.getType().isIndex() && argument.use_empty())
        (void)function.eraseArgument(index);
}

namespace {
struct BindScalarsPass : streamtensor::impl::BindScalarsBase<BindScalarsPass> {
  using BindScalarsBase::BindScalarsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::Expected<ScalarValues> given = parseScalarValues(values);
    if (!given) {
      module.emitError() << llvm::toString(given.takeError());
      return signalPassFailure();
    }
    if (failed(checkGivenScalars(module, *given)))
      return signalPassFailure();
    for (auto design : module.getOps<DesignOp>()) {
      FailureOr<SmallVector<int64_t>> scalars = getValues(module, design, *given);
      if (failed(scalars) || failed(checkScalars(design, *scalars, design)))
        return signalPassFailure();
      bindScalars(design, *scalars);
      dropUnreached(design);
    }
    dropScalars(module);
  }
};
} // namespace
