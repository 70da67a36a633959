//===- LaneMoves.cpp - Vector operations that compute nothing -------------===//
//
// Broadcasts, reshapes, transposes, slices and tuples take each lane of the result from one lane of
// one operand: they are tables of places.
//
//===----------------------------------------------------------------------===//

#include "Step.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Interpreter/Array.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

namespace {

/// Lane i of the result is the word at `sources[i]`.
struct MoveStep : Step {
  MoveStep(Registers result, std::vector<const Word *> sources)
      : result(result), sources(std::move(sources)) {}
  void run() override {
    for (int64_t lane = 0; lane < result.lanes; ++lane)
      result.words[lane] = *sources[lane];
  }
  Registers result;
  std::vector<const Word *> sources;
};

using Index = ArrayRef<int64_t>;

SmallVector<int64_t> getShape(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? SmallVector<int64_t>(vector.getShape()) : SmallVector<int64_t>();
}

/// A step whose lanes are where `locate` takes the result's index in the first operand.
StepPtr moveFrom(Operation *op, Registers result, Registers source,
                 llvm::function_ref<SmallVector<int64_t>(Index)> locate) {
  SmallVector<int64_t> strides = getStrides(getShape(op->getOperand(0).getType()));
  std::vector<const Word *> sources;
  forEachIndex(getShape(op->getResult(0).getType()), [&](Index index) {
    int64_t place = 0;
    for (auto [position, stride] : llvm::zip_equal(locate(index), strides))
      place += position * stride;
    sources.push_back(source.words + place);
  });
  return std::make_unique<MoveStep>(result, std::move(sources));
}

StepPtr makeBroadcast(vector::BroadcastOp op, Registers result, Registers source) {
  SmallVector<int64_t> shape = getShape(op.getSourceType());
  return moveFrom(op, result, source, [&](Index index) {
    SmallVector<int64_t> place(index.take_back(shape.size()));
    for (auto [position, extent] : llvm::zip_equal(place, shape))
      position = extent == 1 ? 0 : position;
    return place;
  });
}

StepPtr makeTranspose(vector::TransposeOp op, Registers result, Registers source) {
  return moveFrom(op, result, source, [&](Index index) {
    SmallVector<int64_t> place(index.size());
    for (auto [dim, from] : llvm::enumerate(op.getPermutation()))
      place[from] = index[dim];
    return place;
  });
}

StepPtr makeExtract(vector::ExtractOp op, Registers result, Registers source) {
  if (op.hasDynamicPosition())
    return nullptr;
  return moveFrom(op, result, source, [&](Index index) {
    SmallVector<int64_t> place(op.getStaticPosition());
    place.append(index.begin(), index.end());
    return place;
  });
}

SmallVector<int64_t> getIntegers(ArrayAttr attribute) {
  return llvm::map_to_vector(attribute.getAsRange<IntegerAttr>(),
                             [](IntegerAttr entry) { return entry.getInt(); });
}

StepPtr makeSlice(vector::ExtractStridedSliceOp op, Registers result, Registers source) {
  SmallVector<int64_t> offsets = getIntegers(op.getOffsets()),
                       strides = getIntegers(op.getStrides());
  return moveFrom(op, result, source, [&](Index index) {
    SmallVector<int64_t> place(index);
    for (size_t dim = 0; dim < offsets.size(); ++dim)
      place[dim] = offsets[dim] + index[dim] * strides[dim];
    return place;
  });
}

StepPtr makeInsertion(vector::InsertStridedSliceOp op, Registers result, Registers value,
                      Registers dest) {
  std::vector<const Word *> sources;
  for (int64_t lane = 0; lane < result.lanes; ++lane)
    sources.push_back(dest.words + lane);
  SmallVector<int64_t> shape = getShape(op.getValueToStore().getType());
  SmallVector<int64_t> places = getStrides(getShape(op.getType()));
  SmallVector<int64_t> offsets = getIntegers(op.getOffsets()),
                       strides = getIntegers(op.getStrides());
  size_t leading = places.size() - shape.size();
  int64_t lane = 0;
  forEachIndex(shape, [&](Index index) {
    int64_t place = 0;
    for (size_t dim = 0; dim < places.size(); ++dim)
      place += places[dim] *
               (offsets[dim] + (dim < leading ? 0 : index[dim - leading] * strides[dim - leading]));
    sources[place] = value.words + lane++;
  });
  return std::make_unique<MoveStep>(result, std::move(sources));
}

/// All lanes of all operands, one after the other.
StepPtr makeSequence(Registers result, ArrayRef<Registers> operands) {
  std::vector<const Word *> sources;
  for (Registers operand : operands)
    for (int64_t lane = 0; lane < operand.lanes; ++lane)
      sources.push_back(operand.words + lane);
  return std::make_unique<MoveStep>(result, std::move(sources));
}

/// The lanes of one member of a tuple.
StepPtr makeMember(dataflow::MemberOp op, Registers result, Registers source) {
  const Word *first = source.words;
  ArrayRef<Type> members = cast<TupleType>(op.getSource().getType()).getTypes();
  for (Type before : members.take_front(op.getIndex()))
    first += llvm::product_of(getShape(before));
  std::vector<const Word *> sources;
  for (int64_t lane = 0; lane < result.lanes; ++lane)
    sources.push_back(first + lane);
  return std::make_unique<MoveStep>(result, std::move(sources));
}

/// 0, 1, 2, …
struct StepLanes : Step {
  explicit StepLanes(Registers result) : result(result) {}
  void run() override {
    for (int64_t lane = 0; lane < result.lanes; ++lane)
      result.words[lane] = Word::of(lane);
  }
  Registers result;
};

} // namespace

StepPtr streamtensor::interpreter::makeLaneMove(Operation *op, Registers result,
                                                ArrayRef<Registers> operands) {
  return llvm::TypeSwitch<Operation *, StepPtr>(op)
      .Case([&](vector::BroadcastOp move) { return makeBroadcast(move, result, operands[0]); })
      .Case([&](vector::TransposeOp move) { return makeTranspose(move, result, operands[0]); })
      .Case([&](vector::ExtractOp move) { return makeExtract(move, result, operands[0]); })
      .Case(
          [&](vector::ExtractStridedSliceOp move) { return makeSlice(move, result, operands[0]); })
      .Case([&](vector::InsertStridedSliceOp move) {
        return makeInsertion(move, result, operands[0], operands[1]);
      })
      .Case([&](dataflow::MemberOp member) { return makeMember(member, result, operands[0]); })
      .Case<vector::ShapeCastOp, vector::FromElementsOp, dataflow::TupleOp>(
          [&](Operation *) { return makeSequence(result, operands); })
      .Case([&](vector::StepOp) { return std::make_unique<StepLanes>(result); })
      .Default([](Operation *) { return nullptr; });
}
