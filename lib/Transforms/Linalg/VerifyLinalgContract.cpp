//===- VerifyLinalgContract.cpp - The normal form handed to tiling --------===//

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Analysis/Lookup.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Support/Naming.h"
#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/Linalg/Passes.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace streamtensor;

namespace streamtensor {
#define GEN_PASS_DEF_VERIFYLINALGCONTRACT
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

/// Fails with one error: the operation, the module it came from, the law that
/// it breaks and the way out.
LogicalResult reject(Operation *op, const Twine &law, const Twine &remedy) {
  InFlightDiagnostic error = op->emitError() << "'" << op->getName() << "'";
  if (StringRef path = getModulePath(op->getLoc()); !path.empty())
    error << " of PyTorch module '" << path << "'";
  error << " " << law << "; " << remedy;
  return error;
}

AffineExpr zero(Operation *op) { return getAffineConstantExpr(0, op->getContext()); }

/// Extents of windows come last, so that the inputs with data are counted from 0.
LogicalResult verifyWindowShapes(linalg::GenericOp op) {
  bool seen = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    bool isShape = isWindowShape(op, *input);
    if (seen && !isShape)
      return reject(op, "reads data after the operand that gives the extent of its window",
                    "make that operand the last input");
    seen |= isShape;
  }
  return success();
}

LogicalResult verifyMaps(linalg::GenericOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isLegal = op.isDpsInit(&operand)
                       ? map.isProjectedPermutation()
                       : isAccessMap(map) && !llvm::is_contained(map.getResults(), zero(op));
    if (isLegal)
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << map;
    return reject(op,
                  (op.isDpsInit(&operand) ? "writes" : "reads") + Twine(" a tensor by ") + text +
                      ", which is not a selection of its loops in some order",
                  "what is read may also be a window: sums of loops with positive factors, each "
                  "loop once");
  }
  return verifyWindowShapes(op);
}

/// A body may look up rows of a table in external memory, one table, one row per point.
LogicalResult verifyLookup(tensor::ExtractOp op) {
  auto generic = cast<linalg::GenericOp>(op->getParentOp());
  if (!findLookup(generic) || !streamtensor::isElementwise(generic))
    return reject(op, "reads single elements at computed positions (a gather, a flip)",
                  "only whole rows, table[i], can be looked up: a stream visits its tensor in a "
                  "fixed order; do the rest on the host and pass its result as an argument");
  if (!isExternal(op.getTensor()))
    return reject(op, "looks rows up in a tensor that the design computes",
                  "a table lies in external memory: pass it as an argument");
  return success();
}

LogicalResult verifyBodyOp(Operation &op) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return verifyLookup(extract);
  bool isScalar = isa<linalg::YieldOp, linalg::IndexOp>(op) ||
                  isa<arith::ArithDialect, math::MathDialect>(op.getDialect());
  if (!isScalar)
    return reject(&op, "stands in the body of an elementwise operation or a reduction",
                  "bodies hold operations of arith and math only");
  for (Value operand : op.getOperands())
    if (operand.getParentBlock() != op.getBlock())
      return reject(&op, "uses a scalar computed outside its body",
                    "pass the scalar as a tensor of rank 0");
  for (Type type : op.getResultTypes())
    if (!type.isIntOrIndexOrFloat())
      return reject(&op, "computes a value that is not a scalar number",
                    "use float, integer or boolean scalars");
  return success();
}

LogicalResult verifyResults(linalg::GenericOp op) {
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&init) != written)
      return reject(op, "writes results in different orders",
                    "write them from separate operations");
  return success();
}

LogicalResult verifyInits(linalg::GenericOp op) {
  bool isElementwise = streamtensor::isElementwise(op);
  if (isElementwise && streamtensor::readsInit(op))
    return reject(op, "reads its initial value although it has no reduction loop",
                  "pass that tensor as an input");
  for (Value init : op.getDpsInits()) {
    if (isElementwise && !init.getDefiningOp<tensor::EmptyOp>())
      return reject(op, "overwrites a tensor that has a value", "write into a tensor.empty");
    if (!isElementwise && (!init.getDefiningOp<linalg::FillOp>() || !init.hasOneUse()))
      return reject(op, "starts its reduction from a tensor it shares or that is not constant",
                    "start from a linalg.fill of its own and combine afterwards");
  }
  return success();
}

LogicalResult verifyGeneric(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics())
    return reject(op, "works on memory", "convert the program to tensors");
  if (failed(verifyMaps(op)) || failed(verifyResults(op)))
    return failure();
  for (Operation &nested : *op.getBody())
    if (failed(verifyBodyOp(nested)))
      return failure();
  return verifyInits(op);
}

LogicalResult verifySlice(tensor::ExtractSliceOp op) {
  bool isStatic = !llvm::any_of(op.getStaticOffsets(), ShapedType::isDynamic) &&
                  !llvm::any_of(op.getStaticSizes(), ShapedType::isDynamic);
  if (!isStatic)
    return reject(op, "has bounds that are known only at run time",
                  "slice with constants, or slice on the host");
  if (!op.hasUnitStride())
    return reject(op, "takes every n-th element",
                  "a stream passes every element: reshape so that the step becomes a dimension, "
                  "or slice on the host");
  if (op.getType().getRank() != op.getSourceType().getRank())
    return reject(op, "drops dimensions", "run streamtensor-generalize before");
  return success();
}

LogicalResult verifyPad(tensor::PadOp op) {
  bool isStatic = op.getLow().empty() && op.getHigh().empty();
  if (isStatic && op.getConstantPaddingValue())
    return success();
  return reject(op, "pads by a run-time amount or with a value that is not constant",
                "pad with a constant, by constant amounts");
}

LogicalResult verifyFill(linalg::FillOp op) {
  Attribute value;
  if (!matchPattern(op.value(), m_Constant(&value)))
    return reject(op, "fills with a value that is not constant",
                  "pass the value as a tensor of rank 0 and broadcast it");
  for (OpOperand &use : op->getUses()) {
    auto generic = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!generic || !generic.isDpsInit(&use))
      return reject(op, "is read as data", "use a splat constant");
  }
  return success();
}

LogicalResult rejectUnknown(Operation *op) {
  if (isa<tensor::ExtractOp>(op))
    return reject(op, "takes a scalar out of a tensor",
                  "give it to the operation that needs it as an input of rank 0, with the map "
                  "(d0, …) -> (): in PyTorch, leave .item() out, and choose by x[i.reshape(1)]");
  if (isa<tensor::InsertSliceOp>(op))
    return reject(op, "puts a tensor into another one",
                  "cut the other one into slices and join all parts (torch.cat, tensor.concat)");
  return reject(op, "has no streaming form",
                "supported are elementwise operations, contractions, convolutions, reductions, "
                "reshapes, slices, concatenations and constant padding; run this one on the host");
}

LogicalResult verifyOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](linalg::GenericOp generic) { return verifyGeneric(generic); })
      .Case([](linalg::FillOp fill) { return verifyFill(fill); })
      .Case([](tensor::ExtractSliceOp slice) { return verifySlice(slice); })
      .Case([](tensor::PadOp pad) { return verifyPad(pad); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ConcatOp, tensor::EmptyOp,
            arith::ConstantOp, dataflow::ExternTaskOp, func::ReturnOp>(
          [](Operation *) { return success(); })
      .Default([](Operation *unknown) { return rejectUnknown(unknown); });
}

LogicalResult verifyTypes(Operation *op) {
  for (Type type : op->getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && !tensor.hasStaticShape())
      return reject(op, "computes a tensor of unknown shape",
                    "export with fixed shapes and without data-dependent sizes");
  return success();
}

struct VerifyLinalgContractPass
    : streamtensor::impl::VerifyLinalgContractBase<VerifyLinalgContractPass> {
  void runOnOperation() override {
    if (getOperation().isDeclaration())
      return;
    for (Operation &op : getOperation().getBody().front())
      if (failed(verifyTypes(&op)) || failed(verifyOp(&op)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
