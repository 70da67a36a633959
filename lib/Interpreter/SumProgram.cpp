//===- SumProgram.cpp - A reduction added as hardware adds it -------------===//

#include "SumProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

static FailureOr<SmallVector<int64_t>> readNumbers(DictionaryAttr sums, StringRef name) {
  auto numbers = sums ? sums.getAs<DenseI64ArrayAttr>(name) : DenseI64ArrayAttr();
  if (!numbers)
    return failure();
  return SmallVector<int64_t>(numbers.asArrayRef());
}

LogicalResult SumProgram::readOrder(linalg::GenericOp op) {
  extents = op.getStaticLoopRanges();
  auto sums = op->getAttrOfType<DictionaryAttr>("dataflow.sums");
  for (auto [name, numbers] : {std::pair("points", &points), std::pair("lanes", &lanes),
                               std::pair("trees", &trees), std::pair("banks", &banks)}) {
    FailureOr<SmallVector<int64_t>> read = readNumbers(sums, name);
    if (failed(read))
      return op.emitOpError("'dataflow.sums' lacks the numbers '") << name << "'";
    *numbers = std::move(*read);
  }
  auto iterators = op.getIteratorTypesArray();
  parallelLanes = lanes;
  for (int64_t dim : points)
    if (iterators[dim] == utils::IteratorType::reduction) {
      reductionPoints.push_back(dim);
      parallelLanes[dim] = 1;
    }
  if (points.size() != extents.size() || lanes.size() != extents.size() ||
      banks.size() < reductionPoints.size())
    return op.emitOpError("'dataflow.sums' does not fit the loops");
  numTileLoops = banks.size() - reductionPoints.size();
  for (int64_t dim : trees)
    treeLanes.push_back(lanes[dim]);
  return success();
}

/// The operation that adds to `accumulator` and whose result is yielded, if it is one.
static Operation *findCombiner(Value yielded, BlockArgument accumulator) {
  Operation *op = yielded.getDefiningOp();
  bool isCombiner = op && op->getNumOperands() == 2 && accumulator.hasOneUse() &&
                    llvm::is_contained(op->getOperands(), accumulator) &&
                    arith::getNeutralElement(op).has_value();
  return isCombiner ? op : nullptr;
}

void SumProgram::addCombiner(Result &result, Operation *combiner, Value accumulator) {
  bool isFirst = combiner->getOperand(0) == accumulator;
  result.contribution = body.use(combiner->getOperand(isFirst ? 1 : 0));
  for (Registers *registers : {&result.left, &result.right, &result.sum})
    *registers = body.allocate(accumulator.getType());
  result.combine =
      makeArithmetic(combiner, result.sum, {result.left, result.right}, body.getFault());
  TypedAttr neutral = *arith::getNeutralElement(combiner);
  result.otherStart = getWord(neutral);
}

LogicalResult SumProgram::addBody(linalg::GenericOp op) {
  Block *block = op.getBody();
  Operation *yield = block->getTerminator();
  DenseSet<Operation *> combiners;
  for (auto [value, init] : llvm::zip_equal(yield->getOperands(), op.getDpsInitsMutable()))
    if (Operation *combiner = findCombiner(value, op.getMatchingBlockArgument(&init)))
      combiners.insert(combiner);
  bool isGeneral = combiners.size() != op.getNumResults();
  if (isGeneral && (!trees.empty() || llvm::any_of(banks, [](int64_t bank) { return bank > 1; })))
    return op.emitOpError("'dataflow.sums' splits a reduction that is no binary operation");
  for (OpOperand *input : op.getDpsInputOperands())
    inputs.push_back(
        {OperandAccess::create(*input, op), body.bind(op.getMatchingBlockArgument(input))});
  for (OpOperand &init : op.getDpsInitsMutable())
    body.bind(op.getMatchingBlockArgument(&init));
  for (Operation &inner : block->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      indices.push_back({index.getDim(), body.bind(index.getResult())});
    else if ((isGeneral || !combiners.contains(&inner)) && failed(body.add(&inner)))
      return failure();
  }
  for (auto [value, init] : llvm::zip_equal(yield->getOperands(), op.getDpsInitsMutable())) {
    Result result;
    result.where = OperandAccess::create(init, op);
    BlockArgument accumulator = op.getMatchingBlockArgument(&init);
    result.accumulator = body.bind(accumulator);
    if (isGeneral)
      result.contribution = body.use(value);
    else
      addCombiner(result, value.getDefiningOp(), accumulator);
    results.push_back(std::move(result));
  }
  return success();
}

FailureOr<std::unique_ptr<SumProgram>> SumProgram::compile(linalg::GenericOp op) {
  auto program = std::make_unique<SumProgram>();
  if (failed(program->readOrder(op)) || failed(program->addBody(op)))
    return failure();
  return program;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

Word SumProgram::combine(const Result &result, Word left, Word right) {
  *result.left.words = left;
  *result.right.words = right;
  result.combine->run();
  return *result.sum.words;
}

/// Adds `count` rows of `width` words by a balanced tree; the first row holds the sum.
void SumProgram::addTree(const Result &result, Word *words, int64_t count, int64_t width) {
  if (count == 1)
    return;
  if (count % 2 == 1) {
    addTree(result, words, count - 1, width);
    for (int64_t i = 0; i < width; ++i)
      words[i] = combine(result, words[i], words[(count - 1) * width + i]);
    return;
  }
  for (int64_t i = 0; i < count / 2 * width; ++i)
    words[i] = combine(result, words[i], words[count / 2 * width + i]);
  addTree(result, words, count / 2, width);
}

/// The partial sums before the first point: the init, and in the others what changes nothing.
void SumProgram::start(Array &array, const Result &result) {
  if (!array.partialSums.empty())
    return;
  int64_t numBanks = llvm::product_of(banks);
  for (int64_t bank = 0; bank < numBanks; ++bank)
    for (Word init : array.words) {
      // A sum that starts from either zero starts all its parts from it.
      bool isNeutral =
          !result.otherStart || init == *result.otherStart ||
          (isa<FloatType>(array.elementType) && getDouble(init, array.elementType) == 0 &&
           getDouble(*result.otherStart, array.elementType) == 0);
      array.partialSums.push_back(bank == 0 || isNeutral ? init : *result.otherStart);
    }
}

/// Adds the partial sums, the outermost banks first.
void SumProgram::finish(Array &array, const Result &result) {
  if (!result.combine) {
    array.words = array.partialSums;
    return;
  }
  std::vector<Word> sums = array.partialSums;
  int64_t width = sums.size();
  for (int64_t count : banks) {
    width /= count;
    addTree(result, sums.data(), count, width);
  }
  std::copy_n(sums.begin(), array.words.size(), array.words.begin());
}

/// Runs the body at one point.
void SumProgram::computePoint(ArrayRef<ArrayPtr> operands, ArrayRef<int64_t> index) {
  for (auto [dim, place] : indices)
    *place.words = Word::of(index[dim]);
  for (auto [input, operand] : llvm::zip(inputs, operands))
    *input.argument.words = operand->words[input.where.getPlace(index)];
  body.run();
}

/// Adds the points that are taken at once, from `first` on, to the partial sums of `bank`.
void SumProgram::addPoints(ArrayRef<ArrayPtr> operands, ArrayRef<int64_t> first, int64_t bank) {
  int64_t width = llvm::product_of(treeLanes);
  SmallVector<Word> contributions(width * results.size());
  SmallVector<int64_t> index(first.size());
  forEachIndex(parallelLanes, [&](ArrayRef<int64_t> parallel) {
    int64_t lane = 0;
    for (auto [dim, begin] : llvm::enumerate(first))
      index[dim] = begin + parallel[dim];
    SmallVector<int64_t> origin(index);
    SmallVector<Word *> sums;
    for (auto [number, result] : llvm::enumerate(results)) {
      Array &array = *operands[inputs.size() + number];
      sums.push_back(array.partialSums.data() + bank * array.words.size() +
                     result.where.getPlace(index));
    }
    forEachIndex(treeLanes, [&](ArrayRef<int64_t> tree) {
      for (auto [dim, position] : llvm::zip_equal(trees, tree))
        index[dim] = origin[dim] + position;
      for (auto [result, sum] : llvm::zip_equal(results, sums))
        *result.accumulator.words = *sum;
      computePoint(operands, index);
      for (auto [number, result] : llvm::enumerate(results))
        contributions[number * width + lane] = *result.contribution.words;
      ++lane;
    });
    for (auto [number, result] : llvm::enumerate(results)) {
      Word *words = contributions.data() + number * width;
      if (!result.combine) {
        *sums[number] = *words;
        continue;
      }
      // The last loop's lanes are neighbours: they are added first.
      int64_t rows = width;
      for (int64_t count : llvm::reverse(treeLanes)) {
        rows /= count;
        for (int64_t row = 0; row < rows; ++row) {
          addTree(result, words + row * count, count, 1);
          words[row] = words[row * count];
        }
      }
      *sums[number] = combine(result, *sums[number], *words);
    }
  });
}

void SumProgram::run(ArrayRef<ArrayPtr> operands, ArrayRef<int64_t> tileTrips) {
  ArrayRef<ArrayPtr> arrays = operands.drop_front(inputs.size());
  for (auto [array, result] : llvm::zip_equal(arrays, results))
    start(*array, result);
  SmallVector<int64_t> trips =
      llvm::map_to_vector(points, [&](int64_t dim) { return extents[dim] / lanes[dim]; });
  SmallVector<int64_t> first(extents.size()), loopTrips(tileTrips);
  loopTrips.resize(banks.size());
  forEachIndex(trips, [&](ArrayRef<int64_t> trip) {
    unsigned next = numTileLoops;
    for (auto [dim, position] : llvm::zip_equal(points, trip)) {
      first[dim] = position * lanes[dim];
      if (llvm::is_contained(reductionPoints, dim))
        loopTrips[next++] = position;
    }
    int64_t bank = 0;
    for (auto [count, position] : llvm::zip_equal(banks, loopTrips))
      bank = bank * count + position % count;
    addPoints(operands, first, bank);
  });
  for (auto [array, result] : llvm::zip_equal(arrays, results))
    finish(*array, result);
}
