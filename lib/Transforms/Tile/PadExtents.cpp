//===- PadExtents.cpp - Extents that lanes divide -------------------------===//
//
// An extent of 199 has the lanes 1 and 199, and its rows begin anywhere in a word of memory. A
// contraction over 208 takes a twentieth more multiplications and has 2, 4, 8 or 16 lanes:
//
//   %p = itensor.pack %a strides [199, 1] lanes 199 : tensor<64x199xf32> -> tensor<64x208xf32>
//   %c = linalg.generic … ins(%p, …) …            // over 208
//   %r = itensor.unpack %c … lanes 199            // without what lies behind
//
// The host puts zeros behind what it provides and drops what lies behind the results. In between
// anything may lie there, as nobody sees it, except where it is summed over: a contraction finds
// zeros on all sides, from the host or by a mask, and any other reduction leaves those terms out.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Analysis/Accumulation.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Dataflow/IR/Device.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Dialect/ITensor/IR/Packing.h"
#include "streamtensor/Transforms/Tile/PaddedExtents.h"
#include "streamtensor/Transforms/Tile/Passes.h"
#include "streamtensor/Transforms/Tile/Schedule.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace streamtensor {
#define GEN_PASS_DEF_PADEXTENTS
#include "streamtensor/Transforms/Tile/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;

//===----------------------------------------------------------------------===//
// The host's side
//===----------------------------------------------------------------------===//

/// The row-major dimensions before `dim`, and those from it on, as one each.
static std::pair<int64_t, int64_t> splitAt(ArrayRef<int64_t> shape, unsigned dim) {
  return {llvm::product_of(shape.take_front(dim)), llvm::product_of(shape.drop_front(dim))};
}

/// `value` with zeros behind each dimension, up to `shape`. A pack sees the elements of its source
/// and not their shape.
static Value padByHost(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> extents(type.getShape());
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    if (extents[dim] == shape[dim])
      continue;
    auto [outer, inner] = splitAt(extents, dim);
    extents[dim] = shape[dim];
    auto rows = RankedTensorType::get({outer, splitAt(extents, dim).second}, type.getElementType());
    value = itensor::PackOp::create(builder, loc, rows, value, ArrayRef<int64_t>{inner, 1},
                                    /*offset=*/0, builder.getI64IntegerAttr(inner));
  }
  return itensor::createReshape(builder, loc, value, type.clone(shape));
}

/// The first elements of each dimension of `value`, as many as `shape` says.
static Value cropByHost(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> extents(type.getShape());
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    if (extents[dim] == shape[dim])
      continue;
    auto [outer, padded] = splitAt(extents, dim);
    extents[dim] = shape[dim];
    int64_t inner = splitAt(extents, dim).second;
    auto rows = RankedTensorType::get({outer, padded}, type.getElementType());
    value = itensor::createReshape(builder, loc, value, rows);
    value =
        itensor::UnpackOp::create(builder, loc, type.clone(extents), value,
                                  ArrayRef<int64_t>{inner, 1}, builder.getI64IntegerAttr(inner));
  }
  return value;
}

//===----------------------------------------------------------------------===//
// The design's side
//===----------------------------------------------------------------------===//

namespace {
/// Builds every operation of a function anew that works on a padded extent.
class Padder {
public:
  Padder(func::FuncOp function, const PaddedExtents &extents)
      : function(function), extents(extents), builder(function.getContext()) {}

  void run();

private:
  void rebuild(Operation *op);
  void rebuildGeneric(linalg::GenericOp op);
  void leaveOutTerms(linalg::GenericOp op, linalg::GenericOp built);
  Value getOperand(linalg::GenericOp op, OpOperand &operand);
  Value getInit(Value init, RankedTensorType type);
  Value getPadded(Value value);
  Value mask(Value value, ArrayRef<unsigned> dims);
  void replace(Value old, Value built);
  bool isTouched(Operation *op) const;
  RankedTensorType getType(Value value) const {
    return cast<RankedTensorType>(value.getType()).clone(extents.getShape(value));
  }

  func::FuncOp function;
  const PaddedExtents &extents;
  OpBuilder builder;
  llvm::DenseMap<Value, Value> padded;
  llvm::DenseMap<std::pair<Value, SmallVector<unsigned>>, Value> masked;
};
} // namespace

bool Padder::isTouched(Operation *op) const {
  auto isPadded = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getShape() != ArrayRef<int64_t>(extents.getShape(value));
  };
  return llvm::any_of(op->getOperands(), isPadded) || llvm::any_of(op->getResults(), isPadded);
}

/// What stands for `value`: what was built anew, or what the host has padded.
Value Padder::getPadded(Value value) {
  if (Value built = padded.lookup(value))
    return built;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getShape() == ArrayRef<int64_t>(extents.getShape(value)))
    return value;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  return padded[value] = padByHost(builder, value.getLoc(), value, extents.getShape(value));
}

/// Who sees no padding takes `built` at once.
void Padder::replace(Value old, Value built) {
  if (old.getType() == built.getType())
    old.replaceAllUsesWith(built);
  else
    padded[old] = built;
}

/// Is `loop`'s index less than `extent`, and `also`, if given?
static Value createIsBelow(OpBuilder &builder, Location loc, unsigned loop, int64_t extent,
                           Value also) {
  Value index = linalg::IndexOp::create(builder, loc, loop);
  Value end = arith::ConstantIndexOp::create(builder, loc, extent);
  Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index, end);
  return also ? arith::AndIOp::create(builder, loc, also, below) : below;
}

/// Does `pad` put zeros around dimensions other than `dims`?
static bool isBesideOf(tensor::PadOp pad, ArrayRef<unsigned> dims) {
  Value with = pad.getConstantPaddingValue();
  return with && (matchPattern(with, m_AnyZeroFloat()) || matchPattern(with, m_Zero())) &&
         llvm::all_of(dims, [&](unsigned dim) {
           return pad.getStaticLow()[dim] == 0 && pad.getStaticHigh()[dim] == 0;
         });
}

/// The padded `value` with zeros behind `dims`. Those of a border come behind: rows without it are
/// as long as those of what gives them, and have their tiles.
Value Padder::mask(Value value, ArrayRef<unsigned> dims) {
  if (dims.empty() || isExternal(value))
    return getPadded(value);
  std::pair<Value, SmallVector<unsigned>> key = {value, SmallVector<unsigned>(dims)};
  if (Value known = masked.lookup(key))
    return known;
  if (auto pad = value.getDefiningOp<tensor::PadOp>(); pad && isBesideOf(pad, dims)) {
    Value inside = mask(pad.getSource(), dims);
    auto border = cast<tensor::PadOp>(builder.clone(*pad));
    border.getSourceMutable().assign(inside);
    border.getResult().setType(getType(value));
    return masked[key] = border.getResult();
  }
  Value source = getPadded(value);
  auto type = cast<RankedTensorType>(source.getType());
  Location loc = value.getLoc();
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> parallel(type.getRank(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &nested, Location loc, ValueRange arguments) {
    Value inside;
    for (unsigned dim : dims)
      inside = createIsBelow(nested, loc, dim,
                             cast<RankedTensorType>(value.getType()).getDimSize(dim), inside);
    Value zero = arith::ConstantOp::create(nested, loc, nested.getZeroAttr(type.getElementType()));
    Value kept = arith::SelectOp::create(nested, loc, inside, arguments[0], zero);
    linalg::YieldOp::create(nested, loc, kept);
  };
  return masked[key] =
             linalg::GenericOp::create(builder, loc, type, source, empty,
                                       ArrayRef<AffineMap>{identity, identity}, parallel, body)
                 .getResult(0);
}

/// An input; behind the extents that are summed over it is zero.
Value Padder::getOperand(linalg::GenericOp op, OpOperand &operand) {
  SmallVector<unsigned> summed;
  for (auto [dim, index] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (loop && op.getIteratorTypesArray()[loop.getPosition()] == utils::IteratorType::reduction &&
        addsNothingForZeros(op, loop.getPosition()) && extents.isPadded(operand.get(), dim))
      summed.push_back(dim);
  }
  return mask(operand.get(), summed);
}

/// The contract of the phase before: what a result starts from is empty, or filled for it alone.
Value Padder::getInit(Value init, RankedTensorType type) {
  Value empty =
      tensor::EmptyOp::create(builder, init.getLoc(), type.getShape(), type.getElementType());
  auto fill = init.getDefiningOp<linalg::FillOp>();
  return fill ? linalg::FillOp::create(builder, init.getLoc(), fill.getInputs(), empty).getResult(0)
              : empty;
}

void Padder::rebuildGeneric(linalg::GenericOp op) {
  SmallVector<Value> operands;
  for (OpOperand *input : op.getDpsInputOperands())
    operands.push_back(getOperand(op, *input));
  for (auto [init, result] : llvm::zip_equal(op.getDpsInits(), op.getResults()))
    operands.push_back(getInit(init, getType(result)));
  auto built = cast<linalg::GenericOp>(builder.clone(*op));
  built->setOperands(operands);
  for (auto [old, result] : llvm::zip_equal(op.getResults(), built.getResults())) {
    result.setType(getType(old));
    replace(old, result);
  }
  leaveOutTerms(op, built);
}

/// Reductions of other kinds than sums of products see the neutral element of their combiner behind
/// the extents of `op`.
void Padder::leaveOutTerms(linalg::GenericOp op, linalg::GenericOp built) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(built.getBody());
  Location loc = op.getLoc();
  Value inside;
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  SmallVector<int64_t> extent = op.getStaticLoopRanges(), padded = built.getStaticLoopRanges();
  for (unsigned loop : reductions)
    if (extent[loop] != padded[loop] && !addsNothingForZeros(op, loop))
      inside = createIsBelow(builder, loc, loop, extent[loop], inside);
  if (!inside)
    return;
  for (auto [combiner, accumulator] :
       llvm::zip_equal(findCombiners(built), built.getRegionOutputArgs())) {
    OpOperand &term = combiner->getOpOperand(combiner->getOperand(0) == accumulator ? 1 : 0);
    builder.setInsertionPoint(combiner);
    Value neutral = arith::ConstantOp::create(builder, loc, *arith::getNeutralElement(combiner));
    term.set(arith::SelectOp::create(builder, loc, inside, term.get(), neutral));
  }
}

void Padder::rebuild(Operation *op) {
  builder.setInsertionPoint(op);
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return rebuildGeneric(generic);
  if (isa<func::ReturnOp>(op)) {
    for (OpOperand &operand : op->getOpOperands()) {
      Value whole = getPadded(operand.get());
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (whole != operand.get() && !isExternal(operand.get()))
        operand.set(cropByHost(builder, op->getLoc(), whole, type.getShape()));
    }
    return;
  }
  if (isExternal(op->getResult(0)))
    return; // The host pads what it gives its shape to.
  // A movement: the dimensions that it changes are not padded.
  Value old = op->getResult(0), built;
  Value source = op->getNumOperands() ? getPadded(op->getOperand(0)) : Value();
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    built = tensor::ExpandShapeOp::create(builder, op->getLoc(), getType(old), source,
                                          expand.getReassociationIndices());
  } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    built = tensor::CollapseShapeOp::create(builder, op->getLoc(), getType(old), source,
                                            collapse.getReassociationIndices());
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
    for (unsigned dim = 0; dim < sizes.size(); ++dim)
      if (extents.isPadded(slice.getSource(), dim))
        sizes[dim] = builder.getIndexAttr(extents.getShape(slice.getSource())[dim]);
    built = tensor::ExtractSliceOp::create(builder, op->getLoc(), getType(old), source,
                                           slice.getMixedOffsets(), sizes, slice.getMixedStrides());
  } else {
    Operation *clone = builder.clone(*op);
    for (OpOperand &operand : clone->getOpOperands())
      operand.set(getPadded(operand.get()));
    clone->getResult(0).setType(getType(old));
    built = clone->getResult(0);
  }
  replace(old, built);
}

void Padder::run() {
  SmallVector<Operation *> ops;
  for (Operation &op : function.getBody().front())
    if (!isa<tensor::EmptyOp, linalg::FillOp>(op) && !op.hasTrait<OpTrait::ConstantLike>() &&
        isTouched(&op))
      ops.push_back(&op);
  for (Operation *op : ops)
    rebuild(op);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

namespace {
struct PadExtentsPass : streamtensor::impl::PadExtentsBase<PadExtentsPass> {
  using PadExtentsBase::PadExtentsBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (percent < 0 || percent > 100) {
      function.emitError("padding is a percentage, from 0 to 100");
      return signalPassFailure();
    }
    FailureOr<const DeviceModel *> device = dataflow::getDevice(function);
    if (failed(device))
      return signalPassFailure();
    std::vector<int64_t> wanted(extents.begin(), extents.end());
    if (!schedule.empty()) {
      FailureOr<Schedule> known = readSchedule(&getContext(), schedule);
      if (failed(known))
        return signalPassFailure();
      odd = known->odd.beside;
      oddRows = known->odd.rows;
      wanted = known->padded;
    }
    if (!wanted.empty())
      return padTo(wanted);
    dataflow::OddFactors factors = {odd, oddRows};
    PaddedExtents padded(function, **device, percent, factors);
    if (padded.empty())
      return;
    Padder(function, padded).run();
    if (factors.any())
      dataflow::setOdd(function, factors);
  }

private:
  /// Pads to extents that are known.
  void padTo(ArrayRef<int64_t> wanted) {
    func::FuncOp function = getOperation();
    SmallVector<int64_t> known = PaddedExtents(function).getPaddable();
    bool fits =
        wanted.size() == known.size() && llvm::all_of(llvm::zip(wanted, known), [&](auto pair) {
          auto [padded, extent] = pair;
          return padded >= extent && (padded - extent) * 100 <= extent * percent;
        });
    if (!fits) {
      InFlightDiagnostic error = function.emitError("[padded.extents] extents of ");
      llvm::interleaveComma(known, error);
      error << " cannot be padded to ";
      llvm::interleaveComma(wanted, error);
      error << " with at most " << int64_t(percent) << " % more each";
      return signalPassFailure();
    }
    PaddedExtents padded(function, wanted);
    if (!padded.empty())
      Padder(function, padded).run();
    dataflow::setPadded(function, wanted);
  }
};
} // namespace
