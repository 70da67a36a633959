//===- Miscompile.cpp - Passes that are wrong on purpose ------------------===//

#include "Miscompile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace {

/// Exchanges the operands of subtractions.
struct TurnSubtractions : PassWrapper<TurnSubtractions, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TurnSubtractions)
  StringRef getArgument() const override { return "test-turn-subtractions"; }
  StringRef getDescription() const override { return "wrong: a - b becomes b - a"; }
  void runOnOperation() override {
    getOperation()->walk([](arith::SubFOp op) {
      Value lhs = op.getLhs();
      op->setOperand(0, op.getRhs());
      op->setOperand(1, lhs);
    });
  }
};

/// Replaces products by an operation that the interpreter does not know.
struct LoseProducts : PassWrapper<LoseProducts, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LoseProducts)
  StringRef getArgument() const override { return "test-lose-products"; }
  StringRef getDescription() const override { return "wrong: products become foreign casts"; }
  void runOnOperation() override {
    getOperation().walk([](arith::MulFOp op) {
      OpBuilder builder(op);
      auto cast =
          UnrealizedConversionCastOp::create(builder, op.getLoc(), op.getType(), op.getLhs());
      op.replaceAllUsesWith(cast.getResult(0));
      op.erase();
    });
  }
};

} // namespace

void streamtensor::test::registerMiscompilations() {
  PassRegistration<TurnSubtractions>();
  PassRegistration<LoseProducts>();
}
