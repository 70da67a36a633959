//===- SimplifyBodies.cpp - Constants and dead results of bodies ----------===//

#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/GreedyRewrite.h"
#include "streamtensor/Transforms/Linalg/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace streamtensor {
#define GEN_PASS_DEF_SIMPLIFYBODIES
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

/// truncf of a constant -> the rounded constant. MLIR's own folder refuses
/// constants that lose precision, which PyTorch's f64 scalars do.
struct FoldTruncatedConstant : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    FloatAttr wide;
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type || !matchPattern(op.getIn(), m_Constant(&wide)))
      return failure();
    APFloat value = wide.getValue();
    bool losesInfo = false;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getFloatAttr(type, value));
    return success();
  }
};

/// cmpf (extf x), c -> cmpf x, c' if the type of x represents c exactly:
/// extension is exact and keeps order, infinities and NaN.
struct CompareBeforeExtension : OpRewritePattern<arith::CmpFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpFOp op, PatternRewriter &rewriter) const override {
    auto extension = op.getLhs().getDefiningOp<arith::ExtFOp>();
    FloatAttr wide;
    if (!extension || !matchPattern(op.getRhs(), m_Constant(&wide)))
      return failure();
    auto type = dyn_cast<FloatType>(extension.getIn().getType());
    if (!type)
      return failure();
    APFloat value = wide.getValue();
    bool losesInfo = false;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    if (losesInfo)
      return failure();
    Value constant =
        arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getFloatAttr(type, value));
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, op.getPredicate(), extension.getIn(), constant);
    return success();
  }
};

/// x * x * ... with `exponent` >= 1 factors, by repeated squaring.
Value multiplyOut(OpBuilder &builder, Location loc, Value x, int64_t exponent) {
  if (exponent == 1)
    return x;
  Value half = multiplyOut(builder, loc, x, exponent / 2);
  Value power = arith::MulFOp::create(builder, loc, half, half);
  return exponent % 2 ? arith::MulFOp::create(builder, loc, power, x).getResult() : power;
}

/// The integer value of a constant exponent, integer or float.
std::optional<int64_t> getIntegerExponent(Value exponent) {
  APInt integer;
  if (matchPattern(exponent, m_ConstantInt(&integer)))
    return integer.getSExtValue();
  FloatAttr real;
  if (!matchPattern(exponent, m_Constant(&real)))
    return std::nullopt;
  APSInt value(64, /*isUnsigned=*/false);
  bool isExact = false;
  if (real.getValue().convertToInteger(value, APFloat::rmTowardZero, &isExact) != APFloat::opOK ||
      !isExact)
    return std::nullopt;
  return value.getExtValue();
}

/// Powers with a constant integer exponent: up to 4 by multiplication, -1 by
/// division; what is left of fpowi becomes powf.
template <typename PowOp> struct ExpandPower : OpRewritePattern<PowOp> {
  using OpRewritePattern<PowOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(PowOp op, PatternRewriter &rewriter) const override {
    std::optional<int64_t> exponent = getIntegerExponent(op.getRhs());
    auto type = dyn_cast<FloatType>(op.getType());
    if (!exponent || !type)
      return failure();
    Location loc = op.getLoc();
    if (*exponent >= 1 && *exponent <= 4) {
      rewriter.replaceOp(op, multiplyOut(rewriter, loc, op.getLhs(), *exponent));
      return success();
    }
    if (*exponent == 0 || *exponent == -1) {
      Value one = arith::ConstantOp::create(rewriter, loc, rewriter.getFloatAttr(type, 1.0));
      if (*exponent == 0)
        rewriter.replaceOp(op, one);
      else
        rewriter.replaceOpWithNewOp<arith::DivFOp>(op, one, op.getLhs());
      return success();
    }
    if (isa<math::PowFOp>(op.getOperation()))
      return failure();
    Value real = arith::ConstantOp::create(
        rewriter, loc, rewriter.getFloatAttr(type, static_cast<double>(*exponent)));
    rewriter.replaceOpWithNewOp<math::PowFOp>(op, op.getLhs(), real);
    return success();
  }
};

/// x / 2^n -> x * 2^-n, and x - c -> x + -c: the same number is rounded. Vitis' front end (LLVM's
/// InstCombine) writes both so, whatever the C++ says: an operation that was priced and bound as
/// another would be neither.
template <typename Op, typename Replacement> struct FoldConstantOperand : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  static bool invert(const APFloat &value, APFloat &inverse) {
    if constexpr (std::is_same_v<Op, arith::DivFOp>)
      return value.getExactInverse(&inverse);
    inverse = neg(value);
    return true;
  }

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    FloatAttr constant;
    if (!matchPattern(op.getRhs(), m_Constant(&constant)))
      return failure();
    APFloat inverse = constant.getValue();
    if (!invert(constant.getValue(), inverse))
      return failure();
    Value other = arith::ConstantOp::create(rewriter, op.getLoc(),
                                            rewriter.getFloatAttr(op.getType(), inverse));
    rewriter.replaceOpWithNewOp<Replacement>(op, op.getLhs(), other);
    return success();
  }
};

/// The maps of all operands without that of the input `dropped`, unless some
/// loop's extent would then be unknown.
std::optional<SmallVector<AffineMap>> mapsWithout(linalg::GenericOp op, OpOperand *dropped) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.erase(maps.begin() + dropped->getOperandNumber());
  if (!inversePermutation(concatAffineMaps(maps, op.getContext())))
    return std::nullopt;
  return maps;
}

/// An input that holds one value everywhere -> a constant of the body.
struct InlineSplatInput : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    for (OpOperand *input : op.getDpsInputOperands()) {
      TypedAttr scalar = streamtensor::getFillConstant(input->get());
      if (!scalar)
        continue;
      if (auto maps = mapsWithout(op, input)) {
        inlineInput(rewriter, op, input, scalar, *maps);
        return success();
      }
    }
    return failure();
  }

  static void inlineInput(PatternRewriter &rewriter, linalg::GenericOp op, OpOperand *input,
                          TypedAttr scalar, ArrayRef<AffineMap> maps) {
    unsigned position = input->getOperandNumber();
    SmallVector<Value> inputs = op.getInputs();
    inputs.erase(inputs.begin() + position);
    auto result = streamtensor::cloneGeneric(rewriter, op, inputs, op.getOutputs(), maps,
                                             op.getIteratorTypesArray());
    Block *body = result.getBody();
    rewriter.setInsertionPointToStart(body);
    Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), scalar);
    rewriter.replaceAllUsesWith(body->getArgument(position), constant);
    body->eraseArgument(position);
    rewriter.replaceOp(op, result);
  }
};

struct SimplifyBodiesPass : streamtensor::impl::SimplifyBodiesBase<SimplifyBodiesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldTruncatedConstant, CompareBeforeExtension, ExpandPower<math::FPowIOp>,
                 ExpandPower<math::PowFOp>, InlineSplatInput,
                 FoldConstantOperand<arith::DivFOp, arith::MulFOp>,
                 FoldConstantOperand<arith::SubFOp, arith::AddFOp>>(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    if (failed(streamtensor::rewriteToFixpoint(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
