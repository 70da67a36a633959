//===- SelectGathers.cpp - Reads at computed positions as masked sums -----===//
//
// A stream visits its tensor in a fixed order, so that an element at a computed
// position is found by looking at all of them:
//
//   out[i] = table[f(i)]  ->  position[i] = f(i)
//                             seen[i, k]  = (k == position[i]) ? bits of table[k] : 0
//                             out[i]      = or over k of seen[i, k], as a number
//
// All of its terms but one are zero. What is seen has no memory: it becomes one operation with the
// reduction, with lanes along all of its loops (FuseElementwise.cpp).
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Analysis/Lookup.h"
#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/Linalg/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace streamtensor {
#define GEN_PASS_DEF_SELECTGATHERS
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

/// A dimension of the table in which the position is searched for.
struct Search {
  unsigned dim, loop;                 ///< Of the table; of what is seen.
  llvm::SetVector<Operation *> slice; ///< What computes the position in the body.
};

/// An extract with the loops that visit its table: those of the generic, then
/// one for each search.
struct Gather {
  linalg::GenericOp generic;
  tensor::ExtractOp extract;
  SmallVector<int64_t> extents;  ///< Of all loops.
  SmallVector<AffineExpr> table; ///< The loop of each dimension of the table.
  SmallVector<Search> searches;

  unsigned numLoops() { return generic.getNumLoops(); }
  MLIRContext *context() { return generic.getContext(); }
  Value getPosition(const Search &search) { return extract.getIndices()[search.dim]; }
  int64_t getExtent(const Search &search) { return extents[search.loop]; }
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

bool isPlainSlice(Gather &gather, const Search &search) {
  return llvm::none_of(search.slice, [&](Operation *op) {
    return isa<tensor::ExtractOp>(op) || op->getNumRegions() > 0 ||
           llvm::any_of(op->getOperands(), [&](Value operand) {
             return llvm::is_contained(gather.generic.getRegionOutputArgs(), operand);
           });
  });
}

FailureOr<Gather> analyse(linalg::GenericOp generic, tensor::ExtractOp extract) {
  auto type = cast<RankedTensorType>(extract.getTensor().getType());
  Gather gather{generic, extract, generic.getStaticLoopRanges(), {}, {}};
  if (!type.hasStaticShape() || llvm::any_of(gather.extents, ShapedType::isDynamic) ||
      !type.getElementType().isIntOrFloat() ||
      extract.getTensor().getParentBlock() == generic.getBody())
    return failure();
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return op->getBlock() == generic.getBody(); };
  for (auto [dim, position] : llvm::enumerate(extract.getIndices())) {
    if (std::optional<unsigned> own = getLoop(gather, position, type.getDimSize(dim))) {
      gather.table.push_back(getAffineDimExpr(*own, gather.context()));
      continue;
    }
    Search search{unsigned(dim), unsigned(gather.extents.size()), {}};
    gather.extents.push_back(type.getDimSize(dim));
    gather.table.push_back(getAffineDimExpr(search.loop, gather.context()));
    if (failed(getBackwardSlice(position, &search.slice, options)) || !isPlainSlice(gather, search))
      return failure();
    gather.searches.push_back(std::move(search));
  }
  return gather;
}

Value createEmpty(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, Type element) {
  return tensor::EmptyOp::create(builder, loc, shape, element);
}

/// The position in the body of an operation where `mapping` has what it is computed from. One
/// outside of the table is the nearest one inside, as in a lookup.
Value clonePosition(OpBuilder &builder, Gather &gather, const Search &search, IRMapping &mapping) {
  Location loc = gather.extract.getLoc();
  for (Operation &op : gather.generic.getBody()->without_terminator())
    if (search.slice.contains(&op))
      builder.clone(op, mapping);
  Value position = mapping.lookupOrDefault(gather.getPosition(search));
  Value last = arith::ConstantIndexOp::create(builder, loc, gather.getExtent(search) - 1);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value below = arith::MinSIOp::create(builder, loc, position, last);
  return arith::MaxSIOp::create(builder, loc, below, zero);
}

/// A tensor of positions, and the loops of the gather that it has.
struct Positions {
  Value tensor;
  SmallVector<unsigned> loops;
};

/// The positions that inputs give, once for all that is seen; none if the loops alone say where.
std::optional<Positions> createPositions(OpBuilder &builder, Gather &gather, const Search &search) {
  linalg::GenericOp generic = gather.generic;
  SmallVector<OpOperand *> inputs;
  llvm::SmallBitVector isUsed(gather.numLoops());
  for (OpOperand *input : generic.getDpsInputOperands()) {
    Value argument = generic.getMatchingBlockArgument(input);
    bool isNeeded = argument == gather.getPosition(search) ||
                    llvm::any_of(argument.getUsers(),
                                 [&](Operation *user) { return search.slice.contains(user); });
    if (!isNeeded)
      continue;
    inputs.push_back(input);
    for (unsigned loop = 0; loop < isUsed.size(); ++loop)
      if (generic.getMatchingIndexingMap(input).isFunctionOfDim(loop))
        isUsed.set(loop);
  }
  if (inputs.empty())
    return std::nullopt;
  for (Operation *op : search.slice)
    if (auto index = dyn_cast<linalg::IndexOp>(op))
      isUsed.set(index.getDim());
  Positions positions{{}, llvm::to_vector(isUsed.set_bits())};

  unsigned rank = positions.loops.size();
  SmallVector<AffineExpr> renamed(gather.numLoops(), getAffineConstantExpr(0, gather.context()));
  SmallVector<int64_t> shape;
  for (auto [number, loop] : llvm::enumerate(positions.loops)) {
    renamed[loop] = getAffineDimExpr(number, gather.context());
    shape.push_back(gather.extents[loop]);
  }
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : inputs) {
    values.push_back(input->get());
    maps.push_back(
        generic.getMatchingIndexingMap(input).replaceDimsAndSymbols(renamed, {}, rank, 0));
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Location loc = generic.getLoc();
  Type type = gather.getExtent(search) > INT32_MAX ? builder.getI64Type() : builder.getI32Type();
  auto found = linalg::GenericOp::create(
      builder, loc, RankedTensorType::get(shape, type), values,
      createEmpty(builder, loc, shape, type), maps, loops,
      [&](OpBuilder &nested, Location, ValueRange arguments) {
        IRMapping mapping;
        for (auto [input, argument] : llvm::zip(inputs, arguments))
          mapping.map(generic.getMatchingBlockArgument(input), argument);
        Value position = clonePosition(nested, gather, search, mapping);
        linalg::YieldOp::create(nested, loc,
                                Value(arith::IndexCastOp::create(nested, loc, type, position)));
      });
  for (linalg::IndexOp index : found.getBody()->getOps<linalg::IndexOp>())
    index.setDim(llvm::find(positions.loops, index.getDim()) - positions.loops.begin());
  positions.tensor = found.getResult(0);
  return positions;
}

/// The element as a number of as many bits: joined with zeros by or, it stays what it is.
Type getBitsType(Gather &gather) {
  Type element = gather.extract.getType();
  return IntegerType::get(gather.context(), element.getIntOrFloatBitWidth());
}

/// All bits of the element at the position, none of any other.
Value createSeen(OpBuilder &builder, Gather &gather) {
  Location loc = gather.generic.getLoc();
  unsigned numLoops = gather.extents.size();
  Type bits = getBitsType(gather);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<std::optional<unsigned>> inputOf; // With the position of each search.
  for (const Search &search : gather.searches) {
    std::optional<Positions> positions;
    if (gather.getExtent(search) > 1)
      positions = createPositions(builder, gather, search);
    inputOf.push_back(positions ? std::optional<unsigned>(inputs.size()) : std::nullopt);
    if (!positions)
      continue;
    inputs.push_back(positions->tensor);
    SmallVector<AffineExpr> loops = llvm::map_to_vector(
        positions->loops, [&](unsigned loop) { return getAffineDimExpr(loop, gather.context()); });
    maps.push_back(AffineMap::get(numLoops, 0, loops, gather.context()));
  }
  inputs.push_back(gather.extract.getTensor());
  maps.push_back(AffineMap::get(numLoops, 0, gather.table, gather.context()));
  maps.push_back(builder.getMultiDimIdentityMap(numLoops));
  SmallVector<utils::IteratorType> loops(numLoops, utils::IteratorType::parallel);
  auto seen = linalg::GenericOp::create(
      builder, loc, RankedTensorType::get(gather.extents, bits), inputs,
      createEmpty(builder, loc, gather.extents, bits), maps, loops,
      [&](OpBuilder &nested, Location, ValueRange arguments) {
        Value here = arguments[inputs.size() - 1];
        if (here.getType() != bits)
          here = arith::BitcastOp::create(nested, loc, bits, here);
        Value all;
        for (auto [search, input] : llvm::zip_equal(gather.searches, inputOf)) {
          if (gather.getExtent(search) == 1)
            continue;
          Value loop = linalg::IndexOp::create(nested, loc, search.loop), wanted;
          if (input) {
            wanted = arguments[*input];
            loop = arith::IndexCastOp::create(nested, loc, wanted.getType(), loop);
          } else {
            IRMapping mapping;
            wanted = clonePosition(nested, gather, search, mapping);
          }
          Value match = arith::CmpIOp::create(nested, loc, arith::CmpIPredicate::eq, wanted, loop);
          all = all ? Value(arith::AndIOp::create(nested, loc, all, match)) : match;
        }
        if (all) {
          Value zero = arith::ConstantOp::create(nested, loc, nested.getZeroAttr(bits));
          here = arith::SelectOp::create(nested, loc, all, here, zero);
        }
        linalg::YieldOp::create(nested, loc, here);
      });
  return seen.getResult(0);
}

/// What was seen, over the loops of the search.
Value createFound(OpBuilder &builder, Gather &gather, Value seen) {
  Location loc = gather.generic.getLoc();
  Type bits = getBitsType(gather);
  unsigned numLoops = gather.numLoops(), all = gather.extents.size();
  ArrayRef<int64_t> shape = ArrayRef(gather.extents).take_front(numLoops);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(bits));
  Value init = linalg::FillOp::create(builder, loc, zero, createEmpty(builder, loc, shape, bits))
                   .getResult(0);
  SmallVector<utils::IteratorType> loops(numLoops, utils::IteratorType::parallel);
  loops.resize(all, utils::IteratorType::reduction);
  AffineMap identity = builder.getMultiDimIdentityMap(all);
  // Of a single element found this has no results (where getMajorSubMap gives no map at all).
  AffineMap found =
      AffineMap::get(all, 0, identity.getResults().take_front(numLoops), builder.getContext());
  auto joined = linalg::GenericOp::create(
      builder, loc, init.getType(), seen, init, ArrayRef<AffineMap>{identity, found}, loops,
      [&](OpBuilder &nested, Location, ValueRange arguments) {
        Value both = arith::OrIOp::create(nested, loc, arguments[1], arguments[0]);
        linalg::YieldOp::create(nested, loc, both);
      });
  return joined.getResult(0);
}

/// `generic` with one input more, which takes the place of the extract.
void replaceExtract(RewriterBase &rewriter, Gather &gather, Value bitsFound) {
  linalg::GenericOp generic = gather.generic;
  unsigned numInputs = generic.getNumDpsInputs();
  SmallVector<Value> inputs = generic.getDpsInputs();
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  inputs.push_back(bitsFound);
  maps.insert(maps.begin() + numInputs, rewriter.getMultiDimIdentityMap(gather.numLoops()));
  auto result =
      linalg::GenericOp::create(rewriter, generic.getLoc(), generic.getResultTypes(), inputs,
                                generic.getDpsInits(), maps, generic.getIteratorTypesArray());
  rewriter.inlineRegionBefore(generic.getRegion(), result.getRegion(), result.getRegion().end());
  Type element = gather.extract.getType(), bits = getBitsType(gather);
  Value found = result.getBody()->insertArgument(numInputs, bits, gather.extract.getLoc());
  if (element != bits) {
    rewriter.setInsertionPoint(gather.extract);
    found = arith::BitcastOp::create(rewriter, gather.extract.getLoc(), element, found);
  }
  rewriter.replaceOp(gather.extract, found);
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
                     createFound(rewriter, *gather, createSeen(rewriter, *gather)));
    }
  }
};

} // namespace
