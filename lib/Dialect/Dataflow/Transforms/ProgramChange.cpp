//===- ProgramChange.cpp - Changes of a program with its design -----------===//

#include "ProgramChange.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace streamtensor::dataflow;

PortOp streamtensor::dataflow::getPort(LaunchOp launch, unsigned number, bool isInput) {
  auto design = SymbolTable::lookupNearestSymbolFrom<DesignOp>(launch, launch.getDesignAttr());
  for (auto port : design.getBody().getOps<PortOp>())
    if ((isInput ? port.isRead() : port.isWritten()) && number-- == 0)
      return port;
  return {};
}

bool streamtensor::dataflow::isRun(ArrayRef<int64_t> box) {
  return box.empty() || llvm::product_of(box.drop_back()) == 1;
}

Type streamtensor::dataflow::getToken(Type moved) {
  auto vector = dyn_cast<VectorType>(moved);
  return vector ? VectorType::get({vector.getNumElements()}, vector.getElementType()) : moved;
}

Value streamtensor::dataflow::reshape(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type ? value : vector::ShapeCastOp::create(builder, loc, type, value);
}

void streamtensor::dataflow::eraseUnusedPrivates(LeafOp leaf) {
  Block &block = leaf.getBlock();
  for (unsigned number = block.getNumArguments(); number-- > leaf.getNumLoops();)
    if (block.getArgument(number).use_empty())
      block.eraseArgument(number);
}

LogicalResult streamtensor::dataflow::applyOrRestore(ModuleOp module, function_ref<void()> change,
                                                     std::string &reason) {
  OwningOpRef<ModuleOp> before = module.clone();
  ScopedDiagnosticHandler collect(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && reason.empty())
      reason = diagnostic.str();
    return success();
  });
  change();
  if (succeeded(mlir::verify(module)))
    return success();
  module.getBodyRegion().takeBody(before->getBodyRegion());
  return failure();
}
