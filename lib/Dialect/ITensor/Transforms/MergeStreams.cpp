//===- MergeStreams.cpp - What flows twice is made once -------------------===//
//
// Before, two readers of one value each have a converter, and two slices a chunk:
//   %f:2 = itensor.fork %x            %p, %q = itensor.chunk %x dim 1   // %q is not read
//   %a = itensor.converter %f#0       %r, %s = itensor.chunk %x dim 1   // %r is not read
//   %b = itensor.converter %f#1
// After, the converter stands before the fork, and one chunk has both parts:
//   %a = itensor.converter %x         %p, %s = itensor.chunk %x dim 1
// A fork is no more than a value with several readers until `ensure-single-use`, so forks go first:
// then whatever stands behind two branches and is equal merges, however long the equal chains are.
// Only movement merges. Two reads of external memory stay two, as a card repeats them for nothing,
// but for those that keep products waiting (ShareLoads.cpp), and so do tasks, which may have been
// doubled on purpose.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace streamtensor {
#define GEN_PASS_DEF_MERGESTREAMS
#include "streamtensor/Dialect/ITensor/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

static void dissolveForks(Block &body) {
  for (auto fork : llvm::make_early_inc_range(body.getOps<itensor::ForkOp>())) {
    for (Value result : fork.getResults())
      result.replaceAllUsesWith(fork.getSource());
    fork.erase();
  }
}

//===----------------------------------------------------------------------===//
// Equal movement
//===----------------------------------------------------------------------===//

static bool isMovement(Operation &op) {
  return isa<itensor::CastOp, itensor::ReassociateOp, itensor::ConverterOp, itensor::ChunkOp,
             itensor::ConcatOp, itensor::PadOp, itensor::JoinOp, itensor::UnjoinOp>(op);
}

/// A cast in front of a converter only spells the order in another way.
static void readThroughCast(Operation &op) {
  auto converter = dyn_cast<itensor::ConverterOp>(op);
  if (!converter || converter.getBuffer())
    return;
  while (auto cast = converter.getSource().getDefiningOp<itensor::CastOp>())
    converter.getSourceMutable().assign(cast.getSource());
}

/// Do both operations give the same tokens? Their results may be spelled in other ways.
static bool areEqual(Operation &first, Operation &second) {
  if (first.getName() != second.getName() || first.getOperands() != second.getOperands() ||
      first.getAttrDictionary() != second.getAttrDictionary() ||
      first.getNumResults() != second.getNumResults())
    return false;
  return llvm::all_of(llvm::zip(first.getResultTypes(), second.getResultTypes()), [](auto types) {
    auto [a, b] = types;
    return haveSameTokenOrder(cast<ITensorType>(a), cast<ITensorType>(b));
  });
}

/// `value` under the type of `like`.
static Value castLike(OpBuilder &builder, Value value, Value like) {
  if (value.getType() == like.getType())
    return value;
  return itensor::CastOp::create(builder, like.getLoc(), like.getType(), value);
}

static void mergeEqual(Block &body) {
  DenseMap<Value, SmallVector<Operation *>> known; // by first operand
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (!isMovement(op) || op.getNumOperands() == 0)
      continue;
    readThroughCast(op);
    SmallVector<Operation *> &others = known[op.getOperand(0)];
    auto *same = llvm::find_if(others, [&](Operation *other) { return areEqual(*other, op); });
    if (same == others.end()) {
      others.push_back(&op);
      continue;
    }
    OpBuilder builder(&op);
    for (auto [result, earlier] : llvm::zip_equal(op.getResults(), (*same)->getResults()))
      result.replaceAllUsesWith(castLike(builder, earlier, result));
    op.erase();
  }
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

namespace {
/// The range of the whole that a result of a chunk carries.
struct PartRange {
  int64_t begin, end;
  Value part;
};
} // namespace

static void collectParts(itensor::ChunkOp chunk, SmallVectorImpl<PartRange> &parts) {
  int64_t begin = 0;
  for (Value part : chunk.getResults()) {
    int64_t end = begin + cast<ITensorType>(part.getType()).getDataShape()[chunk.getDim()];
    if (!part.use_empty())
      parts.push_back({begin, end, part});
    begin = end;
  }
}

/// The parts in order with what lies between them, each range once; fails if two of them overlap.
static FailureOr<SmallVector<PartRange>> partitionWhole(ArrayRef<PartRange> parts, int64_t extent) {
  SmallVector<PartRange> sorted(parts), ranges;
  llvm::stable_sort(sorted, [](auto &a, auto &b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  int64_t reached = 0;
  for (const PartRange &part : sorted) {
    if (!ranges.empty() && ranges.back().begin == part.begin && ranges.back().end == part.end)
      continue;
    if (part.begin < reached)
      return failure();
    if (part.begin > reached)
      ranges.push_back({reached, part.begin, Value()});
    ranges.push_back(part);
    reached = part.end;
  }
  if (reached < extent)
    ranges.push_back({reached, extent, Value()});
  return ranges;
}

/// One chunk with all parts that `chunks` of one value have; leaves them alone if parts overlap.
static void mergeChunks(ArrayRef<itensor::ChunkOp> chunks) {
  itensor::ChunkOp first = chunks.front();
  ITensorType whole = first.getSource().getType();
  unsigned dim = first.getDim();
  SmallVector<PartRange> parts;
  for (itensor::ChunkOp chunk : chunks)
    collectParts(chunk, parts);
  FailureOr<SmallVector<PartRange>> ranges = partitionWhole(parts, whole.getDataShape()[dim]);
  if (failed(ranges))
    return;
  SmallVector<Type> types;
  for (const PartRange &range : *ranges) {
    FailureOr<ITensorType> type = chunkType(whole, dim, range.begin, range.end - range.begin);
    if (failed(type))
      return;
    types.push_back(range.part ? range.part.getType() : *type);
  }
  OpBuilder builder(first);
  auto merged = itensor::ChunkOp::create(builder, first.getLoc(), types, first.getSource(), dim);
  for (PartRange &part : parts) {
    auto *range = llvm::find_if(*ranges, [&](auto &other) { return other.begin == part.begin; });
    builder.setInsertionPointAfter(part.part.getDefiningOp());
    part.part.replaceAllUsesWith(
        castLike(builder, merged.getResult(range - ranges->begin()), part.part));
  }
  for (itensor::ChunkOp chunk : chunks)
    chunk.erase();
}

static void mergeChunks(Block &body) {
  llvm::MapVector<std::pair<Value, int64_t>, SmallVector<itensor::ChunkOp>> bySource;
  for (auto chunk : body.getOps<itensor::ChunkOp>())
    bySource[{chunk.getSource(), chunk.getDim()}].push_back(chunk);
  for (auto &[source, chunks] : bySource)
    if (chunks.size() > 1)
      mergeChunks(chunks);
}

namespace {
struct MergeStreamsPass : streamtensor::impl::MergeStreamsBase<MergeStreamsPass> {
  void runOnOperation() override {
    getOperation().walk([](dataflow::KernelOp kernel) {
      Block &body = kernel.getBody().front();
      dissolveForks(body);
      mergeEqual(body);
      mergeChunks(body);
      mergeEqual(body); // What stands behind parts that have become one.
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
        if (isOpTriviallyDead(&op))
          op.erase();
    });
  }
};
} // namespace
