//===- ExternalTensors.cpp - Tensors that no kernel makes -----------------===//

#include "streamtensor/Analysis/ExternalTensors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

bool streamtensor::isExternal(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (op->hasTrait<OpTrait::ConstantLike>())
      return true;
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return true;
}

bool streamtensor::returnsOnlyExternal(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  return main && !main.isDeclaration() &&
         llvm::all_of(main.getBody().front().getTerminator()->getOperands(), isExternal);
}
