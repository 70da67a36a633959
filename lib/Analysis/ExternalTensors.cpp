//===- ExternalTensors.cpp - Tensors that no kernel makes -----------------===//

#include "streamtensor/Analysis/ExternalTensors.h"

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

bool streamtensor::isReshape(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

Value streamtensor::stripReshapes(Value value) {
  while (value.getDefiningOp() && isReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

Value streamtensor::stripSlices(Value value) {
  value = stripReshapes(value);
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = stripReshapes(slice.getSource());
  return value;
}

Value streamtensor::stripHostSteps(Value value) {
  value = stripReshapes(value);
  while (auto pack = value.getDefiningOp<itensor::PackOp>())
    value = stripReshapes(pack.getSource());
  return value;
}

bool streamtensor::isExternal(Value value) {
  Operation *op = stripHostSteps(value).getDefiningOp();
  return !op || op->hasTrait<OpTrait::ConstantLike>();
}

bool streamtensor::returnsOnlyExternal(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  return main && !main.isDeclaration() &&
         llvm::all_of(main.getBody().front().getTerminator()->getOperands(), isExternal);
}

bool streamtensor::mustStayRowMajor(Value value) {
  auto argument = dyn_cast<BlockArgument>(stripReshapes(value));
  if (!argument)
    return false;
  auto program = dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return program && program.getArgAttr(argument.getArgNumber(), program::rowMajorAttrName);
}
