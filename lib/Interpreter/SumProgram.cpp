//===- SumProgram.cpp - A reduction added as hardware adds it -------------===//

#include "SumProgram.h"

#include "LaneLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// The attribute's verifier has compared it with the loops.
void SumProgram::readOrder(linalg::GenericOp op) {
  extents = op.getStaticLoopRanges();
  dataflow::SumsAttr sums = dataflow::getSums(op);
  for (auto [numbers, stated] :
       {std::pair(&loops, sums.getLoops()), std::pair(&points, sums.getPoints()),
        std::pair(&lanes, sums.getLanes()), std::pair(&trees, sums.getTrees()),
        std::pair(&banks, sums.getBanks())})
    numbers->assign(stated.asArrayRef().begin(), stated.asArrayRef().end());
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    isReduction.push_back(iterator == utils::IteratorType::reduction);
    advance.push_back(isReduction.back() ? lanes[dim] : dim == laneLoop ? width : 1);
  }
  for (int64_t dim : trees)
    treeLanes.push_back(lanes[dim]);
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
    *registers = body.allocate(VectorType::get({width}, accumulator.getType()));
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
  for (OpOperand *input : op.getDpsInputOperands()) {
    OperandAccess where = OperandAccess::create(*input, op);
    Value argument = op.getMatchingBlockArgument(input);
    int64_t laneStep = getLaneStep(where);
    Registers registers = laneStep == 0 ? body.bindShared(argument) : body.bind(argument);
    inputs.push_back({std::move(where), registers, laneStep});
  }
  for (OpOperand &init : op.getDpsInitsMutable())
    body.bind(op.getMatchingBlockArgument(&init));
  for (Operation &inner : block->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      indices.push_back({index.getDim(), index.getDim() == laneLoop
                                             ? body.bind(index.getResult())
                                             : body.bindShared(index.getResult())});
    else if ((isGeneral || !combiners.contains(&inner)) && failed(body.add(&inner)))
      return failure();
  }
  for (auto [value, init] : llvm::zip_equal(yield->getOperands(), op.getDpsInitsMutable())) {
    Result result;
    result.where = OperandAccess::create(init, op);
    result.laneStep = getLaneStep(result.where);
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
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  std::optional<unsigned> laneLoop = chooseLaneLoop(op, extents);
  std::unique_ptr<SumProgram> program(
      new SumProgram(laneLoop, laneLoop ? getLaneWidth(extents[*laneLoop]) : 1));
  program->readOrder(op);
  if (failed(program->addBody(op)))
    return failure();
  return program;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Adds `right` to `left`, `count` words, a multiple of the width.
void SumProgram::combine(const Result &result, Word *left, const Word *right, int64_t count) {
  for (int64_t i = 0; i < count; i += width) {
    std::copy_n(left + i, width, result.left.words);
    std::copy_n(right + i, width, result.right.words);
    result.combine->run();
    std::copy_n(result.sum.words, width, left + i);
  }
}

/// Adds `count` rows of words by a balanced tree; the first row holds the sum.
void SumProgram::addTree(const Result &result, Word *words, int64_t count, int64_t rowWords) {
  if (count == 1)
    return;
  if (count % 2 == 1) {
    addTree(result, words, count - 1, rowWords);
    return combine(result, words, words + (count - 1) * rowWords, rowWords);
  }
  combine(result, words, words + count / 2 * rowWords, count / 2 * rowWords);
  addTree(result, words, count / 2, rowWords);
}

/// The partial sums before the first point: the init, and in the others what changes nothing.
void SumProgram::start(Array &array, const Result &result, bool isFirst) {
  if (!isFirst)
    return;
  array.partialSums.clear();
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
  int64_t rowWords = sums.size();
  for (int64_t count : banks) {
    rowWords /= count;
    addTree(result, sums.data(), count, rowWords);
  }
  std::copy_n(sums.begin(), array.words.size(), array.words.begin());
}

/// Runs the body at the points that begin at `index` along the lane loop.
void SumProgram::computePoints(ArrayRef<ArrayPtr> operands, ArrayRef<int64_t> index) {
  for (auto [dim, place] : indices)
    for (int64_t lane = 0; lane < place.lanes; ++lane)
      place.words[lane] = Word::of(index[dim] + lane);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Input &input = inputs[i];
    const Word *from = operands[i]->words.data() + input.where.getPlace(index);
    for (int64_t lane = 0; lane < input.argument.lanes; ++lane)
      input.argument.words[lane] = from[lane * input.laneStep];
  }
  body.run();
}

/// Copies a row of words, or the one word that all lanes share.
static void copyRow(const Registers &from, Word *to, int64_t width) {
  for (int64_t lane = 0; lane < width; ++lane)
    to[lane] = from.words[from.lanes == 1 ? 0 : lane];
}

/// Adds the points of the trees that begin at `first` to the partial sums of `bank`.
void SumProgram::addPoints(ArrayRef<ArrayPtr> operands, ArrayRef<int64_t> first, int64_t bank) {
  int64_t leaves = llvm::product_of(treeLanes);
  std::vector<Word> contributions(leaves * width * results.size()), row(width);
  SmallVector<Word *> sums;
  for (auto [number, result] : llvm::enumerate(results)) {
    Array &array = *operands[inputs.size() + number];
    sums.push_back(array.partialSums.data() + bank * array.words.size() +
                   result.where.getPlace(first));
    for (int64_t lane = 0; lane < result.accumulator.lanes; ++lane)
      result.accumulator.words[lane] = sums.back()[lane * result.laneStep];
  }
  SmallVector<int64_t> index(first);
  int64_t leaf = 0;
  forEachIndex(treeLanes, [&](ArrayRef<int64_t> tree) {
    for (auto [dim, position] : llvm::zip_equal(trees, tree))
      index[dim] = first[dim] + position;
    computePoints(operands, index);
    for (auto [number, result] : llvm::enumerate(results))
      copyRow(result.contribution, contributions.data() + (number * leaves + leaf) * width, width);
    ++leaf;
  });
  for (auto [number, result] : llvm::enumerate(results)) {
    Word *words = contributions.data() + number * leaves * width;
    if (result.combine) {
      addLeaves(result, words);
      for (int64_t lane = 0; lane < width; ++lane)
        row[lane] = sums[number][lane * result.laneStep];
      combine(result, row.data(), words, width);
      words = row.data();
    }
    for (int64_t lane = 0; lane < width; ++lane)
      sums[number][lane * result.laneStep] = words[lane];
  }
}

/// Adds the lanes of all trees, those of the last one, which are neighbours, first.
void SumProgram::addLeaves(const Result &result, Word *words) {
  int64_t rows = llvm::product_of(treeLanes);
  for (int64_t count : llvm::reverse(treeLanes)) {
    rows /= count;
    for (int64_t row = 0; row < rows; ++row) {
      addTree(result, words + row * count * width, count, width);
      std::copy_n(words + row * count * width, width, words + row * width);
    }
  }
}

void SumProgram::run(ArrayRef<ArrayPtr> operands, ArrayRef<int64_t> tileTrips) {
  ArrayRef<ArrayPtr> arrays = operands.drop_front(inputs.size());
  for (auto [array, result] : llvm::zip_equal(arrays, results))
    start(*array, result, llvm::all_of(tileTrips, [](int64_t trip) { return trip == 0; }));
  SmallVector<int64_t> trips =
      llvm::map_to_vector(points, [&](int64_t dim) { return extents[dim] / advance[dim]; });
  SmallVector<int64_t> first(extents.size()), loopTrips(tileTrips);
  loopTrips.resize(banks.size());
  forEachIndex(trips, [&](ArrayRef<int64_t> trip) {
    unsigned next = loops.size();
    for (auto [dim, position] : llvm::zip_equal(points, trip)) {
      first[dim] = position * advance[dim];
      if (isReduction[dim])
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
