//===- ITensorOps.cpp - Running operations on itensors --------------------===//
//
// An itensor is the sequence of its tokens. An operation that keeps the order of tokens keeps
// the sequence; any other is defined by the tensor in between: the tokens of the source, each
// at its place, then taken in the order of the result.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

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

/// Puts the tokens of `stream` into `data`, which starts at `offsets` of a larger tensor.
static void scatter(const Array &stream, ITensorType type, Array &data,
                    ArrayRef<int64_t> offsets = {}) {
  SmallVector<int64_t> strides = getStrides(data.shape);
  auto next = stream.words.begin();
  forEachElement(type, [&](ArrayRef<int64_t> index) {
    data.words[getPlace(index, strides, offsets)] = *next++;
  });
}

/// Takes the tokens of `type` out of `data`.
static ArrayPtr gather(const Array &data, ITensorType type, ArrayRef<int64_t> offsets = {}) {
  RankedTensorType arrayType = getArrayType(type);
  ArrayPtr stream = makeArray(arrayType.getShape(), arrayType.getElementType());
  SmallVector<int64_t> strides = getStrides(data.shape);
  auto next = stream->words.begin();
  forEachElement(type, [&](ArrayRef<int64_t> index) {
    *next++ = data.words[getPlace(index, strides, offsets)];
  });
  return stream;
}

static ArrayPtr makeData(ITensorType type) {
  return makeArray(type.getDataShape(), type.getElementType());
}

/// A packed tensor holds the tokens of the loops that move; a revisit sends them again.
static ArrayPtr gatherPacked(const Array &packed, ITensorType type) {
  RankedTensorType arrayType = getArrayType(type);
  ArrayPtr stream = makeArray(arrayType.getShape(), arrayType.getElementType());
  int64_t size = type.getTokenElements();
  auto next = stream->words.begin();
  forEachIndex(type.getTrips(), [&](ArrayRef<int64_t> trip) {
    int64_t token = 0;
    for (unsigned loop = 0; loop < trip.size(); ++loop)
      if (type.getDataDimOf(loop))
        token = token * type.getTrips()[loop] + trip[loop];
    next = std::copy_n(packed.words.begin() + token * size, size, next);
  });
  return stream;
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

static bool isITensorOp(Operation *op) { return isa<itensor::ITensorDialect>(op->getDialect()); }

std::optional<LogicalResult> Evaluator::runITensorOp(Operation *op) {
  if (!isITensorOp(op))
    return std::nullopt;
  for (Type type : op->getResultTypes())
    if (auto stream = dyn_cast<ITensorType>(type); stream && !getWordWidth(stream.getElementType()))
      return op->emitError("the interpreter does not know tokens of ") << stream.getElementType();
  TypeSwitch<Operation *>(op)
      .Case<itensor::EmptyOp, itensor::InstanceOp>(
          [&](Operation *fresh) { set(fresh->getResult(0), makeResult(fresh->getResult(0))); })
      .Case([&](itensor::ReadOp read) {
        auto type = cast<ITensorType>(read.getSource().getType());
        ArrayPtr token = makeResult(read.getToken());
        auto begin = getArray(read.getSource()).words.begin() +
                     getTokenIndex(type, read.getIndices()) * type.getTokenElements();
        std::copy_n(begin, type.getTokenElements(), token->words.begin());
        set(read.getToken(), token);
      })
      .Case([&](itensor::WriteOp write) {
        auto type = cast<ITensorType>(write.getDest().getType());
        int64_t token = getTokenIndex(type, write.getIndices());
        ArrayPtr dest = takeArray(write, write.getDest());
        llvm::copy(getArray(write.getToken()).words,
                   dest->words.begin() + token * type.getTokenElements());
        set(write.getResult(), dest);
      })
      .Case<itensor::CastOp, itensor::ReassociateOp>([&](Operation *same) {
        // The elements keep their order; only their grouping into tokens has another name.
        ArrayPtr array = std::make_shared<Array>(getArray(same->getOperand(0)));
        array->shape.assign(getArrayType(same->getResult(0).getType()).getShape());
        set(same->getResult(0), array);
      })
      .Case([&](itensor::ConverterOp converter) {
        ArrayPtr data = makeData(converter.getSource().getType());
        scatter(getArray(converter.getSource()), converter.getSource().getType(), *data);
        set(converter.getResult(), gather(*data, converter.getResult().getType()));
      })
      .Case([&](itensor::ForkOp fork) {
        for (Value result : fork.getResults())
          set(result, get(fork.getSource()).array);
      })
      .Case([&](itensor::ChunkOp chunk) {
        ArrayPtr data = makeData(chunk.getSource().getType());
        scatter(getArray(chunk.getSource()), chunk.getSource().getType(), *data);
        SmallVector<int64_t> offsets(data->shape.size(), 0);
        for (Value result : chunk.getResults()) {
          auto type = cast<ITensorType>(result.getType());
          set(result, gather(*data, type, offsets));
          offsets[chunk.getDim()] += type.getDataShape()[chunk.getDim()];
        }
      })
      .Case([&](itensor::ConcatOp concat) {
        ArrayPtr data = makeData(concat.getResult().getType());
        SmallVector<int64_t> offsets(data->shape.size(), 0);
        for (Value source : concat.getSources()) {
          auto type = cast<ITensorType>(source.getType());
          scatter(getArray(source), type, *data, offsets);
          offsets[concat.getDim()] += type.getDataShape()[concat.getDim()];
        }
        set(concat.getResult(), gather(*data, concat.getResult().getType()));
      })
      .Case([&](itensor::PadOp pad) {
        ArrayPtr data = makeData(pad.getResult().getType());
        llvm::fill(data->words, getWord(pad.getValue()));
        scatter(getArray(pad.getSource()), pad.getSource().getType(), *data, pad.getLow());
        set(pad.getResult(), gather(*data, pad.getResult().getType()));
      })
      .Case([&](itensor::PackOp pack) {
        const Array &source = getArray(pack.getSource());
        ArrayPtr result = makeResult(pack.getResult());
        auto next = result->words.begin();
        forEachIndex(result->shape, [&](ArrayRef<int64_t> index) {
          *next++ = source.words[pack.getOffset() + getPlace(index, pack.getStrides(), {})];
        });
        set(pack.getResult(), result);
      })
      .Case([&](itensor::FromTensorOp from) {
        const Array &source = getArray(from.getSource());
        ITensorType type = from.getResult().getType();
        set(from.getResult(),
            from.getPacked()
                ? gatherPacked(source, type)
                : gather(source, type, from.getOffsets().value_or(ArrayRef<int64_t>())));
      })
      .Case([&](itensor::ToTensorOp to) {
        ArrayPtr data = makeResult(to.getResult());
        scatter(getArray(to.getSource()), to.getSource().getType(), *data);
        set(to.getResult(), data);
      })
      .Default([&](Operation *) { op = nullptr; });
  return op ? std::optional<LogicalResult>(success()) : std::nullopt;
}
