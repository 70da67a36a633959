//===- Widen.cpp - A program without the roundings of f32 -----------------===//

#include "streamtensor/Interpreter/Widen.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "streamtensor/Interpreter/Interpreter.h"

using namespace mlir;
using namespace streamtensor;
using Replaced = AttrTypeReplacer::ReplaceFnResult<Attribute>;

static llvm::APFloat widen(llvm::APFloat value) {
  bool isInexact;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return value;
}

static Replaced widenScalar(FloatAttr attr) {
  if (!attr.getType().isF32())
    return std::nullopt;
  Type type = Float64Type::get(attr.getContext());
  return {{FloatAttr::get(type, widen(attr.getValue())), WalkResult::skip()}};
}

static Attribute widenAll(DenseElementsAttr attr) {
  Type type = Float64Type::get(attr.getContext());
  return attr.mapValues(type,
                        [](const llvm::APFloat &value) { return widen(value).bitcastToAPInt(); });
}

static Replaced widenElements(DenseElementsAttr attr) {
  if (!attr.getElementType().isF32())
    return std::nullopt;
  return {{widenAll(attr), WalkResult::skip()}};
}

static Replaced widenResource(DenseResourceElementsAttr attr) {
  AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  if (!attr.getType().getElementType().isF32() || !blob)
    return std::nullopt;
  return {{widenAll(DenseElementsAttr::getFromRawBuffer(attr.getType(), blob->getData())),
           WalkResult::skip()}};
}

/// Casts from f64 to f64, which are none.
static void eraseCasts(ModuleOp module) {
  module.walk([](Operation *op) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op) ||
        op->getOperand(0).getType() != op->getResult(0).getType())
      return;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  });
}

LogicalResult interpreter::widenFloats(ModuleOp module) {
  if (getLevel(module) != Level::Linalg)
    return module.emitError("is no program of Linalg, which alone can be widened");
  AttrTypeReplacer replacer;
  replacer.addReplacement([](Float32Type type) { return Float64Type::get(type.getContext()); });
  replacer.addReplacement(widenScalar);
  replacer.addReplacement(widenElements);
  replacer.addReplacement(widenResource);
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  eraseCasts(module);
  return verify(module);
}
