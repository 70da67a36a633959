//===- LinalgToDataflow.cpp - Tiled ops become kernels over itensors ------===//
//
// Before: a nest of scf.for around extract_slice, linalg.generic and insert_slice.
// After:
//   %y = dataflow.kernel "gemm"(%a, %b) {
//     %as = itensor.from_tensor %a ...        // one per operand
//     %t = dataflow.task "gemm" outs(%d) {
//       scf.for (parallel) {
//         %init = ...                          // initial value of the reduction
//         %acc = scf.for (reduction) iter_args(%x = %init) {
//           itensor.read ..., linalg.generic ...
//         }
//         itensor.write %acc into %w[...]
//       }
//     }
//     %y = itensor.to_tensor %t
//   }
// With parallel loops inside a reduction, all their accumulators are one tensor that the loops
// carry; tokens are written under a guard, on the reduction's last trip.
// The types are read off the loops (iteration space) and the slices (map, element).
//
//===----------------------------------------------------------------------===//

#include "ExternKernels.h"
#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/Lookup.h"
#include "streamtensor/Conversion/Passes.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Support/Naming.h"
#include "streamtensor/Transforms/Tile/TiledTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace streamtensor {
#define GEN_PASS_DEF_LINALGTODATAFLOW
#include "streamtensor/Conversion/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

namespace {

/// A tiled op as it stands in the IR.
struct TiledNest {
  Operation *root = nullptr;     ///< Outermost loop, or the op itself.
  linalg::GenericOp generic;     ///< The op on one tile.
  SmallVector<TileLoop> loops;   ///< Outermost first.
  SmallVector<Value> inductions; ///< Induction variable per loop.
  SmallVector<int64_t> tiles;    ///< Tile extent per loop of the generic.
  SmallVector<Value> inputs;     ///< Whole tensors, one per input of the generic with data.
  SmallVector<Value> inits;      ///< Whole tensors that the results start from.
  SmallVector<ITensorType> inputTypes;
  SmallVector<ITensorType> resultTypes;
};

class NestReader {
public:
  FailureOr<TiledNest> read(Operation *root);

private:
  LogicalResult collectLoops(Operation *root, TiledNest &nest);
  LogicalResult mapLoopsToDims(TiledNest &nest);

  SmallVector<scf::ForOp> fors;
};

} // namespace

/// The whole tensor behind a tile.
static Value getWhole(Value tile) {
  if (auto slice = tile.getDefiningOp<tensor::ExtractSliceOp>();
      slice && slice->getParentOfType<scf::ForOp>())
    return slice.getSource();
  return tile;
}

/// The value that enters the outermost loop for `value`, an iteration argument of a nest.
static Value getInitialValue(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar())
      break;
    value = loop.getTiedLoopInit(argument)->get();
  }
  return value;
}

LogicalResult NestReader::collectLoops(Operation *root, TiledNest &nest) {
  Operation *op = root;
  while (auto loop = dyn_cast<scf::ForOp>(op)) {
    fors.push_back(loop);
    op = nullptr;
    for (Operation &inner : *loop.getBody())
      if (isa<scf::ForOp, linalg::GenericOp>(inner))
        op = &inner;
    if (!op)
      return loop.emitError("loop holds no linalg op");
  }
  nest.generic = cast<linalg::GenericOp>(op);
  return success();
}

LogicalResult NestReader::mapLoopsToDims(TiledNest &nest) {
  auto iterators = nest.generic.getIteratorTypesArray();
  nest.tiles = nest.generic.getStaticLoopRanges();
  for (scf::ForOp loop : fors) {
    std::optional<unsigned> dim;
    for (OpOperand &operand : nest.generic->getOpOperands()) {
      auto slice = operand.get().getDefiningOp<tensor::ExtractSliceOp>();
      if (!slice)
        continue;
      AffineMap map = nest.generic.getMatchingIndexingMap(&operand);
      for (auto [offset, expr] : llvm::zip_equal(slice.getMixedOffsets(), map.getResults()))
        if (auto value = dyn_cast<Value>(offset); value == loop.getInductionVar())
          if (auto loopDim = dyn_cast<AffineDimExpr>(expr))
            dim = loopDim.getPosition();
    }
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
    std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    if (!dim || lower != 0 || !upper || !step || *upper % *step != 0)
      return loop.emitError("not a loop over tiles: each loop must start at 0, have constant "
                            "bounds, and place one slice");
    nest.inductions.push_back(loop.getInductionVar());
    nest.loops.push_back(
        {*dim, *upper / *step, *step, iterators[*dim] == utils::IteratorType::reduction});
  }
  return success();
}

FailureOr<TiledNest> NestReader::read(Operation *root) {
  TiledNest nest;
  nest.root = root;
  if (failed(collectLoops(root, nest)) || failed(mapLoopsToDims(nest)))
    return failure();
  for (OpOperand &operand : nest.generic->getOpOperands()) {
    Value whole = getInitialValue(getWhole(operand.get()));
    AffineMap map = nest.generic.getMatchingIndexingMap(&operand);
    auto type = cast<RankedTensorType>(whole.getType());
    if (nest.generic.isDpsInit(&operand)) {
      nest.inits.push_back(whole);
      nest.resultTypes.push_back(getResultType(map, type, nest.tiles, nest.loops));
    } else if (!isWindowShape(nest.generic, operand)) {
      nest.inputs.push_back(whole);
      nest.inputTypes.push_back(getAccessType(map, type, nest.tiles, nest.loops));
    }
  }
  return nest;
}

namespace {

/// Builds the kernel and task of one tiled op.
class KernelBuilder {
public:
  KernelBuilder(OpBuilder &builder, TiledNest &nest, StringRef name)
      : builder(builder), nest(nest), name(name), loc(nest.generic.getLoc()) {}

  FailureOr<dataflow::KernelOp> build();

private:
  SmallVector<Value> buildTaskBody(ValueRange streams, ValueRange dests);
  SmallVector<Value> buildLoops(unsigned depth, ValueRange streams, SmallVector<Value> carried);
  scf::ForOp beginLoop(const TileLoop &loop, ValueRange carried);
  SmallVector<Value> buildReduction(ValueRange streams, ValueRange dests);
  SmallVector<Value> buildCarriedReduction(ValueRange streams, ValueRange dests);
  SmallVector<Value> computeInside(ValueRange accumulators);
  Value buildIsLastTrip();
  void readTokens(unsigned depth, ValueRange streams);
  SmallVector<Value> buildInits(unsigned depth);
  SmallVector<Value> writeTokens(ValueRange tokens, ValueRange dests);
  SmallVector<Value> buildCompute(ValueRange accumulators);
  unsigned getNumOuterLoops() const;
  SmallVector<Value> getParallelInductions() const;

  OpBuilder &builder;
  TiledNest &nest;
  StringRef name;
  Location loc;
  SmallVector<Value> inductions;
  SmallVector<Value> tokens;
  std::pair<Value, Value> table;     ///< Outside and inside of the kernel, if there is one.
  SmallVector<TypedAttr> initValues; ///< Constant behind each init; null: not read.
};

} // namespace

/// The constant that fills `init`, null for tensor.empty, failure for anything else.
static FailureOr<TypedAttr> getFillValue(Value init) {
  if (init.getDefiningOp<tensor::EmptyOp>())
    return TypedAttr();
  TypedAttr constant;
  if (auto fill = init.getDefiningOp<linalg::FillOp>();
      fill && matchPattern(fill.getInputs().front(), m_Constant(&constant)))
    return constant;
  DenseElementsAttr dense;
  if (matchPattern(init, m_Constant(&dense)) && dense.isSplat())
    return cast<TypedAttr>(dense.getSplatValue<Attribute>());
  return failure();
}

FailureOr<dataflow::KernelOp> KernelBuilder::build() {
  for (auto [init, operand] : llvm::zip_equal(nest.inits, nest.generic.getDpsInitsMutable())) {
    FailureOr<TypedAttr> value = getFillValue(init);
    bool isRead = !nest.generic.getMatchingBlockArgument(&operand).use_empty();
    if (isRead && (failed(value) || !*value))
      return nest.generic.emitError("a reduction must start from a constant fill");
    initValues.push_back(isRead ? *value : TypedAttr());
  }
  SmallVector<Value> operands;
  SmallVector<unsigned> operandOf;
  // The first operand: a table that the body looks rows up in.
  std::optional<Lookup> lookup = findLookup(nest.generic);
  if (lookup)
    operands.push_back(lookup->extract.getTensor());
  for (Value input : nest.inputs) {
    auto it = llvm::find(operands, input);
    operandOf.push_back(it - operands.begin());
    if (it == operands.end())
      operands.push_back(input);
  }
  auto kernel =
      dataflow::KernelOp::create(builder, loc, nest.root->getResultTypes(), name, operands);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&kernel.getBody(), {}, ValueRange(operands).getTypes(),
                                    SmallVector<Location>(operands.size(), loc));
  if (lookup)
    table = {lookup->extract.getTensor(), body->getArgument(0)};
  SmallVector<Value> streams, dests;
  for (auto [index, type] : llvm::zip_equal(operandOf, nest.inputTypes))
    streams.push_back(itensor::FromTensorOp::create(builder, loc, type, body->getArgument(index)));
  for (ITensorType type : nest.resultTypes)
    dests.push_back(itensor::InstanceOp::create(builder, loc, type));
  auto task = dataflow::TaskOp::create(builder, loc, ValueRange(dests).getTypes(), name, dests);
  {
    OpBuilder::InsertionGuard taskGuard(builder);
    Block *taskBody = builder.createBlock(&task.getBody(), {}, ValueRange(dests).getTypes(),
                                          SmallVector<Location>(dests.size(), loc));
    SmallVector<Value> results = buildTaskBody(streams, taskBody->getArguments());
    dataflow::YieldOp::create(builder, loc, results);
  }
  SmallVector<Value> tensors;
  for (auto [stream, type] : llvm::zip_equal(task.getResults(), nest.root->getResultTypes()))
    tensors.push_back(itensor::ToTensorOp::create(builder, loc, type, stream));
  dataflow::YieldOp::create(builder, loc, tensors);
  return kernel;
}

/// Loops outside the first reduction.
unsigned KernelBuilder::getNumOuterLoops() const {
  return llvm::find_if(nest.loops, [](const TileLoop &loop) { return loop.isReduction; }) -
         nest.loops.begin();
}

SmallVector<Value> KernelBuilder::getParallelInductions() const {
  SmallVector<Value> parallel;
  for (auto [loop, induction] : llvm::zip(nest.loops, inductions))
    if (!loop.isReduction)
      parallel.push_back(induction);
  return parallel;
}

SmallVector<Value> KernelBuilder::buildTaskBody(ValueRange streams, ValueRange dests) {
  tokens.assign(streams.size(), Value());
  return buildLoops(0, streams, llvm::to_vector(dests));
}

/// Opens a loop; what is built next goes into its body.
scf::ForOp KernelBuilder::beginLoop(const TileLoop &loop, ValueRange carried) {
  auto lower = arith::ConstantIndexOp::create(builder, loc, 0);
  auto upper = arith::ConstantIndexOp::create(builder, loc, loop.trips * loop.tile);
  auto step = arith::ConstantIndexOp::create(builder, loc, loop.tile);
  auto forOp = scf::ForOp::create(builder, loc, lower, upper, step, carried);
  builder.setInsertionPointToStart(forOp.getBody());
  inductions.push_back(forOp.getInductionVar());
  return forOp;
}

/// Emits loop `depth` and everything inside it; parallel loops carry the destinations.
SmallVector<Value> KernelBuilder::buildLoops(unsigned depth, ValueRange streams,
                                             SmallVector<Value> carried) {
  readTokens(depth, streams);
  if (depth == nest.loops.size())
    return writeTokens(buildCompute(buildInits(depth)), carried);
  if (depth == getNumOuterLoops())
    return depth == nest.resultTypes.front().getIterRank()
               ? buildReduction(streams, carried)
               : buildCarriedReduction(streams, carried);
  OpBuilder::InsertionGuard guard(builder);
  scf::ForOp loop = beginLoop(nest.loops[depth], carried);
  scf::YieldOp::create(
      builder, loc,
      buildLoops(depth + 1, streams, llvm::to_vector_of<Value>(loop.getRegionIterArgs())));
  inductions.truncate(depth);
  return llvm::to_vector_of<Value>(loop.getResults());
}

/// The reduction loops, innermost of all, carry the accumulators of one tile.
SmallVector<Value> KernelBuilder::buildReduction(ValueRange streams, ValueRange dests) {
  unsigned depth = inductions.size();
  SmallVector<Value> carried = buildInits(depth);
  SmallVector<scf::ForOp> loops;
  {
    OpBuilder::InsertionGuard guard(builder);
    for (const TileLoop &loop : ArrayRef(nest.loops).drop_front(depth)) {
      scf::ForOp inner = beginLoop(loop, carried);
      if (!loops.empty()) {
        OpBuilder::InsertionGuard yieldGuard(builder);
        builder.setInsertionPointAfter(inner);
        scf::YieldOp::create(builder, loc, inner.getResults());
      }
      loops.push_back(inner);
      carried = llvm::to_vector_of<Value>(inner.getRegionIterArgs());
      readTokens(inductions.size(), streams);
    }
    scf::YieldOp::create(builder, loc, buildCompute(carried));
  }
  inductions.truncate(depth);
  return writeTokens(loops.front().getResults(), dests);
}

/// Reduction loops and the parallel loops among them carry the accumulators of all tiles, then
/// the destinations.
SmallVector<Value> KernelBuilder::buildCarriedReduction(ValueRange streams, ValueRange dests) {
  unsigned depth = inductions.size();
  SmallVector<Value> carried = buildInits(depth);
  llvm::append_range(carried, dests);
  SmallVector<scf::ForOp> loops;
  OpBuilder::InsertionGuard guard(builder);
  for (const TileLoop &loop : ArrayRef(nest.loops).drop_front(depth)) {
    loops.push_back(beginLoop(loop, carried));
    carried = llvm::to_vector_of<Value>(loops.back().getRegionIterArgs());
    readTokens(inductions.size(), streams);
  }
  scf::YieldOp::create(builder, loc, computeInside(carried));
  for (scf::ForOp inner : ArrayRef(loops).drop_front()) {
    builder.setInsertionPointAfter(inner);
    scf::YieldOp::create(builder, loc, inner.getResults());
  }
  inductions.truncate(depth);
  return llvm::to_vector_of<Value>(loops.front().getResults().take_back(dests.size()));
}

/// Adds to this trip's tile of each accumulator and writes it if the reduction is complete;
/// gives the new values of `carried`, accumulators and destinations.
SmallVector<Value> KernelBuilder::computeInside(ValueRange carried) {
  size_t numResults = nest.resultTypes.size();
  SmallVector<SmallVector<OpFoldResult>> offsets, sizes;
  SmallVector<Value> accumulators, next;
  SmallVector<Value> parallel = getParallelInductions();
  for (auto [type, accumulator] : llvm::zip(nest.resultTypes, carried)) {
    offsets.emplace_back(type.getDataRank(), builder.getIndexAttr(0));
    for (unsigned loop = getNumOuterLoops(); loop < type.getIterRank(); ++loop)
      if (std::optional<unsigned> dim = type.getDataDimOf(loop))
        offsets.back()[*dim] = parallel[loop];
    sizes.push_back(getAsIndexOpFoldResult(builder.getContext(), type.getElementShape()));
    SmallVector<OpFoldResult> strides(type.getDataRank(), builder.getIndexAttr(1));
    accumulators.push_back(tensor::ExtractSliceOp::create(builder, loc, accumulator, offsets.back(),
                                                          sizes.back(), strides));
  }
  SmallVector<Value> sums = buildCompute(accumulators);
  for (auto [index, sum] : llvm::enumerate(sums)) {
    SmallVector<OpFoldResult> strides(sizes[index].size(), builder.getIndexAttr(1));
    next.push_back(tensor::InsertSliceOp::create(builder, loc, sum, carried[index], offsets[index],
                                                 sizes[index], strides));
  }
  ValueRange dests = carried.drop_front(numResults);
  auto guard = scf::IfOp::create(builder, loc, dests.getTypes(), buildIsLastTrip(),
                                 /*withElseRegion=*/true);
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToStart(guard.thenBlock());
  scf::YieldOp::create(builder, loc, writeTokens(sums, dests));
  builder.setInsertionPointToStart(guard.elseBlock());
  scf::YieldOp::create(builder, loc, dests);
  llvm::append_range(next, guard.getResults());
  return next;
}

/// Is this the last trip of all reduction loops?
Value KernelBuilder::buildIsLastTrip() {
  Value isLast;
  for (auto [loop, induction] : llvm::zip_equal(nest.loops, inductions)) {
    if (!loop.isReduction)
      continue;
    Value last = arith::ConstantIndexOp::create(builder, loc, (loop.trips - 1) * loop.tile);
    Value isHere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, induction, last);
    isLast = isLast ? arith::AndIOp::create(builder, loc, isLast, isHere).getResult() : isHere;
  }
  return isLast;
}

/// Reads the tokens whose loops are exactly the `depth` outermost ones.
void KernelBuilder::readTokens(unsigned depth, ValueRange streams) {
  for (auto [index, stream] : llvm::enumerate(streams)) {
    ITensorType type = nest.inputTypes[index];
    if (type.getIterRank() != depth)
      continue;
    tokens[index] = itensor::ReadOp::create(builder, loc, type.getTokenType(), stream,
                                            ArrayRef(inductions).take_front(depth));
  }
}

/// What the accumulators of all tokens inside `depth` parallel loops start from.
SmallVector<Value> KernelBuilder::buildInits(unsigned depth) {
  SmallVector<Value> inits;
  for (auto [type, value] : llvm::zip_equal(nest.resultTypes, initValues)) {
    auto tile = RankedTensorType::get(itensor::getBlockShape(type, depth), type.getElementType());
    if (value)
      inits.push_back(arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(tile, value)));
    else
      inits.push_back(
          tensor::EmptyOp::create(builder, loc, tile.getShape(), tile.getElementType()));
  }
  return inits;
}

SmallVector<Value> KernelBuilder::buildCompute(ValueRange accumulators) {
  IRMapping mapping;
  // The body may use the loops' induction variables (offsets of linalg.index).
  mapping.map(nest.inductions, inductions);
  // Inputs become tokens below: one tile may be all of a tensor that is the table too.
  if (table.first)
    mapping.map(table.first, table.second);
  // The extents of a window stay a tensor without data.
  SmallVector<Value> shapes;
  for (Value shape : llvm::drop_begin(nest.generic.getDpsInputs(), tokens.size())) {
    auto type = cast<RankedTensorType>(shape.getType());
    shapes.push_back(tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType()));
  }
  // Constants that canonicalisation moved out of the body come along.
  nest.generic->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *constant = operand.getDefiningOp();
          op != nest.generic && constant && constant->hasTrait<OpTrait::ConstantLike>() &&
          !nest.generic->isAncestor(constant) && !mapping.contains(operand))
        mapping.map(operand, builder.clone(*constant)->getResult(0));
  });
  auto clone = cast<linalg::GenericOp>(builder.clone(*nest.generic, mapping));
  for (auto [index, token] : llvm::enumerate(tokens))
    clone->setOperand(index, token);
  for (auto [index, value] :
       llvm::enumerate(llvm::concat<Value>(shapes, llvm::to_vector(accumulators))))
    clone->setOperand(tokens.size() + index, value);
  for (auto [result, accumulator] : llvm::zip_equal(clone->getResults(), accumulators))
    result.setType(accumulator.getType());
  return llvm::to_vector_of<Value>(clone->getResults());
}

SmallVector<Value> KernelBuilder::writeTokens(ValueRange results, ValueRange dests) {
  SmallVector<Value> written, indices = getParallelInductions();
  for (auto [result, dest] : llvm::zip_equal(results, dests))
    written.push_back(itensor::WriteOp::create(builder, loc, result, dest, indices));
  return written;
}

namespace {
struct LinalgToDataflowPass : streamtensor::impl::LinalgToDataflowBase<LinalgToDataflowPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    UniqueNames names;
    SmallVector<Operation *> roots;
    for (Operation &op : function.getBody().front())
      if (isa<scf::ForOp, linalg::GenericOp>(op))
        roots.push_back(&op);
    for (Operation *root : roots) {
      FailureOr<TiledNest> nest = NestReader().read(root);
      if (failed(nest))
        return signalPassFailure();
      std::string base = getIdentifier(getModulePath(nest->generic.getLoc()));
      OpBuilder builder(root);
      FailureOr<dataflow::KernelOp> kernel =
          KernelBuilder(builder, *nest, names.get(base.empty() ? "op" : base)).build();
      if (failed(kernel))
        return signalPassFailure();
      root->replaceAllUsesWith(kernel->getResults());
      root->erase();
    }
    for (auto task : llvm::to_vector(function.getOps<dataflow::ExternTaskOp>())) {
      dataflow::KernelOp kernel = buildExternKernel(task, names.get(task.getCallee()));
      task.replaceAllUsesWith(kernel.getResults());
      task.erase();
    }
    // Initial values are constants inside the tasks now.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};
} // namespace
