//===- TensorOps.cpp - Running operations on tensors ----------------------===//

#include "Evaluator.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

SmallVector<int64_t> Evaluator::getIntegers(ArrayRef<OpFoldResult> folded) {
  return llvm::map_to_vector(folded, [&](OpFoldResult value) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    return constant ? *constant : getInteger(cast<Value>(value));
  });
}

namespace {
/// A box inside an array.
struct Box {
  SmallVector<int64_t> offsets, sizes, strides;
};

/// Calls `visit` with the place of each element of the box, row-major; false if it lies outside.
bool forEachPlace(const Box &box, ArrayRef<int64_t> shape, function_ref<void(int64_t)> visit) {
  for (auto [offset, size, stride, extent] :
       llvm::zip_equal(box.offsets, box.sizes, box.strides, shape))
    if (offset < 0 || size < 0 || (size > 0 && offset + (size - 1) * stride >= extent))
      return false;
  SmallVector<int64_t> distances = getStrides(shape);
  forEachIndex(box.sizes, [&](ArrayRef<int64_t> index) {
    int64_t place = 0;
    for (size_t dim = 0; dim < index.size(); ++dim)
      place += (box.offsets[dim] + index[dim] * box.strides[dim]) * distances[dim];
    visit(place);
  });
  return true;
}
} // namespace

LogicalResult Evaluator::runSlice(tensor::ExtractSliceOp op) {
  Box box{getIntegers(op.getMixedOffsets()), getIntegers(op.getMixedSizes()),
          getIntegers(op.getMixedStrides())};
  const Array &source = getArray(op.getSource());
  if (!op.getType().hasStaticShape())
    return op.emitOpError("has a shape that is known only at run time");
  ArrayPtr result = makeResult(op.getResult());
  auto next = result->words.begin();
  if (!forEachPlace(box, source.shape, [&](int64_t place) { *next++ = source.words[place]; }))
    return op.emitOpError("reads outside its tensor");
  for (size_t bank = 0; bank < source.partialSums.size(); bank += source.words.size())
    forEachPlace(box, source.shape, [&](int64_t place) {
      result->partialSums.push_back(source.partialSums[bank + place]);
    });
  set(op.getResult(), result);
  return success();
}

LogicalResult Evaluator::runInsertSlice(tensor::InsertSliceOp op) {
  Box box{getIntegers(op.getMixedOffsets()), getIntegers(op.getMixedSizes()),
          getIntegers(op.getMixedStrides())};
  ArrayPtr part = get(op.getSource()).array;
  ArrayPtr dest = takeArray(op, op.getDest());
  auto next = part->words.begin();
  if (!forEachPlace(box, dest->shape, [&](int64_t place) { dest->words[place] = *next++; }))
    return op.emitOpError("writes outside its tensor");
  if (!part->partialSums.empty()) {
    next = part->partialSums.begin();
    dest->partialSums.resize(part->partialSums.size() / part->words.size() * dest->words.size());
    for (size_t bank = 0; bank < dest->partialSums.size(); bank += dest->words.size())
      forEachPlace(box, dest->shape,
                   [&](int64_t place) { dest->partialSums[bank + place] = *next++; });
  }
  set(op.getResult(), dest);
  return success();
}

LogicalResult Evaluator::runConcat(tensor::ConcatOp op) {
  ArrayPtr result = makeResult(op.getResult());
  SmallVector<int64_t> ones(result->shape.size(), 1), offsets(result->shape.size(), 0);
  for (Value input : op.getInputs()) {
    const Array &part = getArray(input);
    auto next = part.words.begin();
    Box box{offsets, part.shape, ones};
    forEachPlace(box, result->shape, [&](int64_t place) { result->words[place] = *next++; });
    offsets[op.getDim()] += part.shape[op.getDim()];
  }
  set(op.getResult(), result);
  return success();
}

LogicalResult Evaluator::runPad(tensor::PadOp op) {
  Value padding = op.getConstantPaddingValue();
  if (!padding || !op.getType().hasStaticShape())
    return op.emitOpError("pads with a value that is not constant");
  ArrayPtr result = makeResult(op.getResult());
  Attribute value;
  if (!matchPattern(padding, m_Constant(&value)))
    return op.emitOpError("pads with a value that is not constant");
  llvm::fill(result->words, getWord(value));
  // A negative amount cuts off: what is read starts behind it.
  const Array &source = getArray(op.getSource());
  SmallVector<int64_t> low = getIntegers(op.getMixedLowPad());
  SmallVector<int64_t> high = getIntegers(op.getMixedHighPad());
  SmallVector<int64_t> ones(source.shape.size(), 1);
  Box from{low, source.shape, ones}, to = from;
  for (auto [dim, extent] : llvm::enumerate(source.shape)) {
    from.offsets[dim] = std::max<int64_t>(-low[dim], 0);
    to.offsets[dim] = std::max<int64_t>(low[dim], 0);
    from.sizes[dim] = to.sizes[dim] = extent - from.offsets[dim] - std::max<int64_t>(-high[dim], 0);
  }
  SmallVector<Word> kept;
  bool isInside =
      forEachPlace(from, source.shape, [&](int64_t place) { kept.push_back(source.words[place]); });
  auto next = kept.begin();
  if (!isInside ||
      !forEachPlace(to, result->shape, [&](int64_t place) { result->words[place] = *next++; }))
    return op.emitOpError("cuts off more than there is");
  set(op.getResult(), result);
  return success();
}

/// The place of one element, or -1 if it lies outside.
static int64_t getPlace(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t place = 0;
  for (auto [position, extent] : llvm::zip_equal(index, shape)) {
    if (position < 0 || position >= extent)
      return -1;
    place = place * extent + position;
  }
  return place;
}

LogicalResult Evaluator::runExtract(tensor::ExtractOp op) {
  const Array &source = getArray(op.getTensor());
  int64_t place = getPlace(getIntegers(getAsOpFoldResult(op.getIndices())), source.shape);
  if (place < 0)
    return op.emitOpError("reads outside its tensor");
  set(op.getResult(), source.words[place]);
  return success();
}

LogicalResult Evaluator::runInsert(tensor::InsertOp op) {
  Word scalar = get(op.getScalar()).word;
  SmallVector<int64_t> index = getIntegers(getAsOpFoldResult(op.getIndices()));
  ArrayPtr dest = takeArray(op, op.getDest());
  int64_t place = getPlace(index, dest->shape);
  if (place < 0)
    return op.emitOpError("writes outside its tensor");
  dest->words[place] = scalar;
  set(op.getResult(), dest);
  return success();
}

LogicalResult Evaluator::runGenerate(tensor::GenerateOp op) {
  if (!op.getType().hasStaticShape())
    return op.emitOpError("has a shape that is known only at run time");
  ArrayPtr result = makeResult(op.getResult());
  auto next = result->words.begin();
  Block &block = op.getBody().front();
  LogicalResult status = success();
  forEachIndex(result->shape, [&](ArrayRef<int64_t> index) {
    for (auto [argument, position] : llvm::zip_equal(block.getArguments(), index))
      set(argument, Word::of(position));
    if (failed(status) || failed(runBlock(block)))
      status = failure();
    else
      *next++ = get(block.getTerminator()->getOperand(0)).word;
  });
  set(op.getResult(), result);
  return status;
}

/// The same elements under another shape.
static ArrayPtr reshaped(ArrayPtr array, Type type) {
  if (array.use_count() > 1)
    array = std::make_shared<Array>(*array);
  array->shape.assign(getArrayType(type).getShape());
  return array;
}

std::optional<LogicalResult> Evaluator::runTensorOp(Operation *op) {
  return TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](tensor::ExtractSliceOp slice) { return runSlice(slice); })
      .Case([&](tensor::InsertSliceOp slice) { return runInsertSlice(slice); })
      .Case([&](tensor::ConcatOp concat) { return runConcat(concat); })
      .Case([&](tensor::PadOp pad) { return runPad(pad); })
      .Case([&](tensor::ExtractOp extract) { return runExtract(extract); })
      .Case([&](tensor::InsertOp insert) { return runInsert(insert); })
      .Case([&](tensor::GenerateOp generate) { return runGenerate(generate); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp, tensor::ReshapeOp>(
          [&](Operation *reshape) -> LogicalResult {
            Type type = reshape->getResult(0).getType();
            if (!cast<RankedTensorType>(type).hasStaticShape())
              return reshape->emitOpError("has a shape that is known only at run time");
            set(reshape->getResult(0), reshaped(take(reshape, reshape->getOperand(0)).array, type));
            return success();
          })
      .Case([&](tensor::DimOp dim) -> LogicalResult {
        set(dim.getResult(), Word::of(getArray(dim.getSource()).shape[getInteger(dim.getIndex())]));
        return success();
      })
      .Case([&](tensor::EmptyOp empty) -> LogicalResult {
        if (!empty.getType().hasStaticShape())
          return empty.emitOpError("has a shape that is known only at run time");
        set(empty.getResult(), makeResult(empty.getResult()));
        return success();
      })
      .Case([&](tensor::SplatOp splat) -> LogicalResult {
        ArrayPtr result = makeResult(splat.getResult());
        llvm::fill(result->words, get(splat.getInput()).word);
        set(splat.getResult(), result);
        return success();
      })
      .Case([&](tensor::FromElementsOp elements) -> LogicalResult {
        ArrayPtr result = makeResult(elements.getResult());
        for (auto [word, element] : llvm::zip_equal(result->words, elements.getElements()))
          word = get(element).word;
        set(elements.getResult(), result);
        return success();
      })
      .Default([](Operation *) { return std::nullopt; });
}
