//===- SelectGathers.cpp - Reads at computed positions as masked sums -----===//
//
// A stream visits its tensor in a fixed order, so that an element at a computed
// position is found by looking at all of them:
//
//   out[i] = table[f(i)]  ->  seen[i, k] = (k == f(i)) ? table[k] : 0
//                             out[i]     = sum over k of seen[i, k]
//
// The sum is exact: all of its terms but one are zero.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Analysis/Lookup.h"
#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/Linalg/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace streamtensor {
#define GEN_PASS_DEF_SELECTGATHERS
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

/// An extract with the loops that visit its table: those of the generic, then
/// one for each dimension in which the position is searched for.
struct Gather {
  linalg::GenericOp generic;
  tensor::ExtractOp extract;
  SmallVector<int64_t> extents;       ///< Of all loops.
  SmallVector<AffineExpr> table;      ///< The loop of each dimension of the table.
  SmallVector<unsigned> searched;     ///< Dimensions of the table.
  llvm::SetVector<Operation *> slice; ///< What computes the positions in the body.

  unsigned numLoops() { return generic.getNumLoops(); }
  MLIRContext *context() { return generic.getContext(); }
  AffineMap widen(AffineMap map) {
    return AffineMap::get(extents.size(), 0, map.getResults(), context());
  }
};

/// The loop that is the position itself and runs over the whole dimension.
std::optional<unsigned> getLoop(Gather &gather, Value position, int64_t extent) {
  auto index = position.getDefiningOp<linalg::IndexOp>();
  if (!index || gather.extents[index.getDim()] != extent)
    return std::nullopt;
  AffineExpr loop = getAffineDimExpr(index.getDim(), gather.context());
  return llvm::is_contained(gather.table, loop) ? std::nullopt
                                                : std::optional<unsigned>(index.getDim());
}

bool isPlainSlice(Gather &gather) {
  return llvm::none_of(gather.slice, [&](Operation *op) {
    return isa<tensor::ExtractOp>(op) || op->getNumRegions() > 0 ||
           llvm::any_of(op->getOperands(), [&](Value operand) {
             return llvm::is_contained(gather.generic.getRegionOutputArgs(), operand);
           });
  });
}

FailureOr<Gather> analyse(linalg::GenericOp generic, tensor::ExtractOp extract) {
  auto type = cast<RankedTensorType>(extract.getTensor().getType());
  Gather gather{generic, extract, generic.getStaticLoopRanges(), {}, {}, {}};
  if (!type.hasStaticShape() || llvm::any_of(gather.extents, ShapedType::isDynamic) ||
      !type.getElementType().isIntOrFloat() ||
      extract.getTensor().getParentBlock() == generic.getBody())
    return failure();
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return op->getBlock() == generic.getBody(); };
  for (auto [dim, position] : llvm::enumerate(extract.getIndices())) {
    unsigned loop = gather.extents.size();
    if (std::optional<unsigned> own = getLoop(gather, position, type.getDimSize(dim))) {
      gather.table.push_back(getAffineDimExpr(*own, gather.context()));
      continue;
    }
    gather.extents.push_back(type.getDimSize(dim));
    gather.table.push_back(getAffineDimExpr(loop, gather.context()));
    gather.searched.push_back(dim);
    if (failed(getBackwardSlice(position, &gather.slice, options)))
      return failure();
  }
  if (!isPlainSlice(gather))
    return failure();
  return gather;
}

/// The inputs of the generic that the positions are computed from.
SmallVector<unsigned> getNeededInputs(Gather &gather) {
  SmallVector<unsigned> needed;
  for (auto [number, argument] : llvm::enumerate(gather.generic.getRegionInputArgs()))
    if (llvm::any_of(argument.getUsers(),
                     [&](Operation *user) { return gather.slice.contains(user); }) ||
        llvm::is_contained(gather.extract.getIndices(), argument))
      needed.push_back(number);
  return needed;
}

/// A position outside of the table is the nearest one inside, as in a lookup.
Value clamp(OpBuilder &builder, Location loc, Value position, int64_t extent) {
  Value last = arith::ConstantIndexOp::create(builder, loc, extent - 1);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value below = arith::MinSIOp::create(builder, loc, position, last);
  return arith::MaxSIOp::create(builder, loc, below, zero);
}

/// Whether the search stands at the position in every dimension.
Value createMatch(OpBuilder &builder, Gather &gather, const IRMapping &mapping) {
  Location loc = gather.extract.getLoc();
  auto type = cast<RankedTensorType>(gather.extract.getTensor().getType());
  Value all;
  for (auto [number, dim] : llvm::enumerate(gather.searched)) {
    if (type.getDimSize(dim) == 1)
      continue;
    Value wanted = mapping.lookupOrDefault(gather.extract.getIndices()[dim]);
    wanted = clamp(builder, loc, wanted, type.getDimSize(dim));
    Value here = linalg::IndexOp::create(builder, loc, gather.numLoops() + number);
    Value equal = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, wanted, here);
    all = all ? Value(arith::AndIOp::create(builder, loc, all, equal)) : equal;
  }
  return all;
}

Value createEmpty(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, Type element) {
  return tensor::EmptyOp::create(builder, loc, shape, element);
}

Value createSeen(OpBuilder &builder, Gather &gather) {
  Location loc = gather.generic.getLoc();
  Value table = gather.extract.getTensor();
  Type element = gather.extract.getType();
  SmallVector<unsigned> needed = getNeededInputs(gather);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (unsigned number : needed) {
    OpOperand *input = gather.generic.getDpsInputOperand(number);
    inputs.push_back(input->get());
    maps.push_back(gather.widen(gather.generic.getMatchingIndexingMap(input)));
  }
  inputs.push_back(table);
  maps.push_back(AffineMap::get(gather.extents.size(), 0, gather.table, gather.context()));
  maps.push_back(builder.getMultiDimIdentityMap(gather.extents.size()));
  SmallVector<utils::IteratorType> loops(gather.extents.size(), utils::IteratorType::parallel);
  auto seen = linalg::GenericOp::create(
      builder, loc, RankedTensorType::get(gather.extents, element), inputs,
      createEmpty(builder, loc, gather.extents, element), maps, loops,
      [&](OpBuilder &nested, Location, ValueRange arguments) {
        IRMapping mapping;
        for (auto [number, argument] : llvm::zip(needed, arguments))
          mapping.map(gather.generic.getRegionInputArgs()[number], argument);
        for (Operation &op : gather.generic.getBody()->without_terminator())
          if (gather.slice.contains(&op))
            nested.clone(op, mapping);
        Value here = arguments[needed.size()];
        if (Value match = createMatch(nested, gather, mapping)) {
          Value zero = arith::ConstantOp::create(nested, loc, nested.getZeroAttr(element));
          here = arith::SelectOp::create(nested, loc, match, here, zero);
        }
        linalg::YieldOp::create(nested, loc, here);
      });
  return seen.getResult(0);
}

Value createTerm(OpBuilder &builder, Location loc, Value sum, Value term) {
  if (isa<FloatType>(sum.getType()))
    return arith::AddFOp::create(builder, loc, sum, term);
  if (sum.getType().isInteger(1))
    return arith::OrIOp::create(builder, loc, sum, term);
  return arith::AddIOp::create(builder, loc, sum, term);
}

/// The sum over the loops of the search.
Value createSum(OpBuilder &builder, Gather &gather, Value seen) {
  Location loc = gather.generic.getLoc();
  Type element = gather.extract.getType();
  unsigned numLoops = gather.numLoops(), all = gather.extents.size();
  ArrayRef<int64_t> shape = ArrayRef(gather.extents).take_front(numLoops);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  Value init = linalg::FillOp::create(builder, loc, zero, createEmpty(builder, loc, shape, element))
                   .getResult(0);
  SmallVector<utils::IteratorType> loops(numLoops, utils::IteratorType::parallel);
  loops.resize(all, utils::IteratorType::reduction);
  AffineMap identity = builder.getMultiDimIdentityMap(all);
  // Of a single element found this has no results (where getMajorSubMap gives no map at all).
  AffineMap found =
      AffineMap::get(all, 0, identity.getResults().take_front(numLoops), builder.getContext());
  auto sum = linalg::GenericOp::create(
      builder, loc, init.getType(), seen, init, ArrayRef<AffineMap>{identity, found}, loops,
      [&](OpBuilder &nested, Location, ValueRange arguments) {
        linalg::YieldOp::create(nested, loc, createTerm(nested, loc, arguments[1], arguments[0]));
      });
  return sum.getResult(0);
}

/// `generic` with one input more, which takes the place of the extract.
void replaceExtract(RewriterBase &rewriter, Gather &gather, Value found) {
  linalg::GenericOp generic = gather.generic;
  unsigned numInputs = generic.getNumDpsInputs();
  SmallVector<Value> inputs = generic.getDpsInputs();
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  inputs.push_back(found);
  maps.insert(maps.begin() + numInputs, rewriter.getMultiDimIdentityMap(gather.numLoops()));
  auto result =
      linalg::GenericOp::create(rewriter, generic.getLoc(), generic.getResultTypes(), inputs,
                                generic.getDpsInits(), maps, generic.getIteratorTypesArray());
  rewriter.inlineRegionBefore(generic.getRegion(), result.getRegion(), result.getRegion().end());
  Value argument = result.getBody()->insertArgument(numInputs, gather.extract.getType(),
                                                    gather.extract.getLoc());
  rewriter.replaceOp(gather.extract, argument);
  rewriter.replaceOp(generic, result.getResults());
}

/// The first extract that is no lookup of a row of an argument.
tensor::ExtractOp findGather(linalg::GenericOp generic) {
  auto extracts = generic.getBody()->getOps<tensor::ExtractOp>();
  if (extracts.empty())
    return nullptr;
  tensor::ExtractOp first = *extracts.begin();
  bool isLookup = streamtensor::findLookup(generic) && streamtensor::isElementwise(generic) &&
                  streamtensor::isExternal(first.getTensor());
  return isLookup ? nullptr : first;
}

struct SelectGathersPass : streamtensor::impl::SelectGathersBase<SelectGathersPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<tensor::ExtractOp> extracts;
    getOperation().walk([&](tensor::ExtractOp op) { extracts.push_back(op); });
    for (tensor::ExtractOp extract : extracts) {
      auto generic = dyn_cast<linalg::GenericOp>(extract->getParentOp());
      if (!generic || findGather(generic) != extract)
        continue;
      FailureOr<Gather> gather = analyse(generic, extract);
      if (failed(gather))
        continue;
      rewriter.setInsertionPoint(generic);
      replaceExtract(rewriter, *gather,
                     createSum(rewriter, *gather, createSeen(rewriter, *gather)));
    }
  }
};

} // namespace
