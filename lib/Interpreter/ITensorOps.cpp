//===- ITensorOps.cpp - Running operations on itensors --------------------===//
//
// An itensor is the sequence of its tokens. An operation that keeps the order of tokens keeps
// the sequence; any other is defined by the tensor in between: the tokens of the source, each
// at its place, then taken in the order of the result.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "Tokens.h"

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;
using itensor::ITensorType;

/// Calls `visit` with the index in the data tensor of each element of each token, in order.
static void forEachElement(ITensorType type, function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> origin(type.getDataRank()), element(type.getDataRank());
  forEachIndex(type.getTrips(), [&](ArrayRef<int64_t> trip) {
    origin.assign(type.getDataRank(), 0);
    for (unsigned loop = 0; loop < trip.size(); ++loop)
      if (std::optional<unsigned> dim = type.getDataDimOf(loop))
        origin[*dim] += trip[loop] * type.getSteps()[loop];
    forEachIndex(type.getElementShape(), [&](ArrayRef<int64_t> index) {
      for (size_t dim = 0; dim < index.size(); ++dim)
        element[dim] = origin[dim] + index[dim];
      visit(element);
    });
  });
}

/// Row-major place of `index`, moved by `offsets`.
static int64_t getPlace(ArrayRef<int64_t> index, ArrayRef<int64_t> strides,
                        ArrayRef<int64_t> offsets) {
  int64_t place = 0;
  for (size_t dim = 0; dim < index.size(); ++dim)
    place += (index[dim] + (offsets.empty() ? 0 : offsets[dim])) * strides[dim];
  return place;
}

void interpreter::scatter(ArrayRef<Word> stream, ITensorType type, Array &data,
                          ArrayRef<int64_t> offsets) {
  SmallVector<int64_t> strides = getStrides(data.shape);
  const auto *next = stream.begin();
  forEachElement(type, [&](ArrayRef<int64_t> index) {
    data.words[getPlace(index, strides, offsets)] = *next++;
  });
}

ArrayPtr interpreter::gather(const Array &data, ITensorType type, ArrayRef<int64_t> offsets) {
  RankedTensorType arrayType = getArrayType(type);
  ArrayPtr stream = makeArray(arrayType.getShape(), arrayType.getElementType());
  SmallVector<int64_t> strides = getStrides(data.shape);
  auto next = stream->words.begin();
  forEachElement(type, [&](ArrayRef<int64_t> index) {
    *next++ = data.words[getPlace(index, strides, offsets)];
  });
  return stream;
}

ArrayPtr interpreter::makeData(ITensorType type) {
  return makeArray(type.getDataShape(), type.getElementType());
}

int64_t Evaluator::getTokenIndex(ITensorType type, ValueRange indices) {
  int64_t token = 0;
  for (auto [index, trips] : llvm::zip_equal(indices, type.getTrips())) {
    auto loop = cast<scf::ForOp>(cast<BlockArgument>(index).getOwner()->getParentOp());
    int64_t trip =
        (getInteger(index) - getInteger(loop.getLowerBound())) / getInteger(loop.getStep());
    token = token * trips + trip;
  }
  return token;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void Evaluator::runRead(itensor::ReadOp op) {
  auto type = cast<ITensorType>(op.getSource().getType());
  ArrayPtr token = makeResult(op.getToken());
  auto begin = getArray(op.getSource()).words.begin() +
               getTokenIndex(type, op.getIndices()) * type.getTokenElements();
  std::copy_n(begin, type.getTokenElements(), token->words.begin());
  set(op.getToken(), token);
}

void Evaluator::runWrite(itensor::WriteOp op) {
  auto type = cast<ITensorType>(op.getDest().getType());
  int64_t token = getTokenIndex(type, op.getIndices());
  ArrayPtr dest = takeArray(op, op.getDest());
  llvm::copy(getArray(op.getToken()).words, dest->words.begin() + token * type.getTokenElements());
  set(op.getResult(), dest);
}

/// The elements keep their order; only their grouping into tokens has another name.
void Evaluator::runRegrouping(Operation *op) {
  ArrayPtr array = takeArray(op, op->getOperand(0));
  array->shape.assign(getArrayType(op->getResult(0).getType()).getShape());
  set(op->getResult(0), array);
}

void Evaluator::runJoin(itensor::JoinOp op) {
  ArrayPtr tuples = makeResult(op.getResult());
  size_t count = op.getSources().size();
  for (auto [member, source] : llvm::enumerate(op.getSources()))
    for (auto [element, word] : llvm::enumerate(getArray(source).words))
      tuples->words[element * count + member] = word;
  set(op.getResult(), tuples);
}

void Evaluator::runUnjoin(itensor::UnjoinOp op) {
  const Array &tuples = getArray(op.getSource());
  size_t count = op.getNumResults();
  for (auto [member, result] : llvm::enumerate(op.getResults())) {
    ArrayPtr stream = makeResult(result);
    for (auto [element, word] : llvm::enumerate(stream->words))
      word = tuples.words[element * count + member];
    set(result, stream);
  }
}

//===----------------------------------------------------------------------===//
// Through the tensor in between
//===----------------------------------------------------------------------===//

void Evaluator::runConverter(itensor::ConverterOp op) {
  ArrayPtr data = makeData(op.getSource().getType());
  scatter(getArray(op.getSource()).words, op.getSource().getType(), *data);
  set(op.getResult(), gather(*data, op.getResult().getType()));
}

void Evaluator::runChunk(itensor::ChunkOp op) {
  ArrayPtr data = makeData(op.getSource().getType());
  scatter(getArray(op.getSource()).words, op.getSource().getType(), *data);
  SmallVector<int64_t> offsets(data->shape.size(), 0);
  for (Value result : op.getResults()) {
    auto type = cast<ITensorType>(result.getType());
    set(result, gather(*data, type, offsets));
    offsets[op.getDim()] += type.getDataShape()[op.getDim()];
  }
}

void Evaluator::runStreamConcat(itensor::ConcatOp op) {
  ArrayPtr data = makeData(op.getResult().getType());
  SmallVector<int64_t> offsets(data->shape.size(), 0);
  for (Value source : op.getSources()) {
    auto type = cast<ITensorType>(source.getType());
    scatter(getArray(source).words, type, *data, offsets);
    offsets[op.getDim()] += type.getDataShape()[op.getDim()];
  }
  set(op.getResult(), gather(*data, op.getResult().getType()));
}

void Evaluator::runStreamPad(itensor::PadOp op) {
  ArrayPtr data = makeData(op.getResult().getType());
  llvm::fill(data->words, getWord(op.getValue()));
  scatter(getArray(op.getSource()).words, op.getSource().getType(), *data, op.getLow());
  set(op.getResult(), gather(*data, op.getResult().getType()));
}

/// Calls `visit` with the place of each element of a packed tensor and of the same element of
/// the row-major one; elements of a word behind its lanes have none.
static void forEachPacked(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides, int64_t offset,
                          std::optional<int64_t> lanes,
                          function_ref<void(int64_t, int64_t)> visit) {
  int64_t place = 0;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    if (!lanes || index.back() < *lanes)
      visit(place, offset + getPlace(index, strides, {}));
    ++place;
  });
}

void Evaluator::runPack(itensor::PackOp op) {
  const Array &source = getArray(op.getSource());
  ArrayPtr result = makeResult(op.getResult());
  if (op.getLanes())
    llvm::fill(result->words, Word());
  forEachPacked(result->shape, op.getStrides(), op.getOffset(), op.getLanes(),
                [&](int64_t place, int64_t from) { result->words[place] = source.words[from]; });
  set(op.getResult(), result);
}

void Evaluator::runUnpack(itensor::UnpackOp op) {
  const Array &source = getArray(op.getSource());
  ArrayPtr result = makeResult(op.getResult());
  forEachPacked(source.shape, op.getStrides(), 0, op.getLanes(),
                [&](int64_t place, int64_t to) { result->words[to] = source.words[place]; });
  set(op.getResult(), result);
}

/// The type of the data as it lies in the tensor of a transfer.
template <typename TransferOp> static ITensorType getTypeInMemory(TransferOp op, ITensorType type) {
  if (!op.getPacked())
    return type;
  return getPackedType(
      type, {op.getOrder().value_or(ArrayRef<int64_t>()), int64_t(op.getLanes().value_or(0))});
}

void Evaluator::runFromTensor(itensor::FromTensorOp op) {
  const Array &source = getArray(op.getSource());
  ITensorType type = op.getResult().getType();
  ArrayRef<int64_t> offsets = op.getOffsets().value_or(ArrayRef<int64_t>());
  ArrayPtr stream = gather(source, getTypeInMemory(op, type), offsets);
  stream->shape.assign(getArrayType(type).getShape());
  set(op.getResult(), stream);
}

void Evaluator::runToTensor(itensor::ToTensorOp op) {
  ArrayPtr data = makeResult(op.getResult());
  scatter(getArray(op.getSource()).words, getTypeInMemory(op, op.getSource().getType()), *data);
  set(op.getResult(), data);
}

/// Has an element one word, or one for each member of a tuple?
static bool hasWords(Type type) {
  auto tuple = dyn_cast<TupleType>(type);
  return tuple ? llvm::all_of(tuple.getTypes(), getWordWidth) : bool(getWordWidth(type));
}

std::optional<LogicalResult> Evaluator::runITensorOp(Operation *op) {
  if (!isa<itensor::ITensorDialect>(op->getDialect()))
    return std::nullopt;
  for (Type type : op->getResultTypes())
    if (auto stream = dyn_cast<ITensorType>(type); stream && !hasWords(stream.getElementType()))
      return op->emitError("the interpreter does not know tokens of ") << stream.getElementType();
  LogicalResult status = success();
  TypeSwitch<Operation *>(op)
      .Case<itensor::EmptyOp, itensor::InstanceOp>(
          [&](auto fresh) { set(fresh.getResult(), makeResult(fresh.getResult())); })
      .Case([&](itensor::ForkOp fork) {
        for (Value result : fork.getResults())
          set(result, get(fork.getSource()).array);
      })
      .Case<itensor::CastOp, itensor::ReassociateOp>([&](auto view) { runRegrouping(view); })
      .Case([&](itensor::JoinOp join) { runJoin(join); })
      .Case([&](itensor::UnjoinOp unjoin) { runUnjoin(unjoin); })
      .Case([&](itensor::ReadOp read) { runRead(read); })
      .Case([&](itensor::WriteOp write) { runWrite(write); })
      .Case([&](itensor::ConverterOp converter) { runConverter(converter); })
      .Case([&](itensor::ChunkOp chunk) { runChunk(chunk); })
      .Case([&](itensor::ConcatOp concat) { runStreamConcat(concat); })
      .Case([&](itensor::PadOp pad) { runStreamPad(pad); })
      .Case([&](itensor::PackOp pack) { runPack(pack); })
      .Case([&](itensor::UnpackOp unpack) { runUnpack(unpack); })
      .Case([&](itensor::FromTensorOp from) { runFromTensor(from); })
      .Case([&](itensor::ToTensorOp to) { runToTensor(to); })
      .Default([&](Operation *unknown) { status = rejectUnknown(unknown); });
  return status;
}
