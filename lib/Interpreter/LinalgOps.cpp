//===- LinalgOps.cpp - Running Linalg operations --------------------------===//

#include "Evaluator.h"
#include "GenericProgram.h"
#include "LaneLoop.h"
#include "SumProgram.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

LogicalResult GenericProgram::addBody(linalg::LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    OperandAccess where = OperandAccess::create(operand, op);
    int64_t laneStep = laneLoop ? where.steps[*laneLoop] : 0;
    Value argument = op.getMatchingBlockArgument(&operand);
    Registers registers = laneStep == 0 ? body.bindShared(argument) : body.bind(argument);
    accesses.push_back({std::move(where), registers, laneStep});
  }
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      indices.push_back({index.getDim(), index.getDim() == laneLoop
                                             ? body.bind(index.getResult())
                                             : body.bindShared(index.getResult())});
    else if (failed(body.add(&inner)))
      return failure();
  }
  MutableArrayRef<Access> inits = MutableArrayRef(accesses).drop_front(op.getNumDpsInputs());
  for (auto [access, value] : llvm::zip_equal(inits, op.getBlock()->getTerminator()->getOperands()))
    access.yielded = body.use(value);
  return success();
}

FailureOr<std::unique_ptr<GenericProgram>> GenericProgram::compile(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (llvm::any_of(extents, ShapedType::isDynamic))
    return op.emitOpError("has shapes that are known only at run time");
  std::optional<unsigned> laneLoop = chooseLaneLoop(op, extents);
  int64_t width = laneLoop ? getLaneWidth(extents[*laneLoop]) : 1;
  std::unique_ptr<GenericProgram> program(new GenericProgram(laneLoop, width));
  program->extents = std::move(extents);
  if (failed(program->addBody(op)))
    return failure();
  return program;
}

void GenericProgram::setIndices(ArrayRef<int64_t> index) {
  for (auto [dim, place] : indices)
    for (int64_t lane = 0; lane < place.lanes; ++lane)
      place.words[lane] = Word::of(index[dim] + lane);
}

/// Runs the body at the points from `places` on. Plain loops: this is where the time goes.
void GenericProgram::runPoints(ArrayRef<Word *> operands, ArrayRef<int64_t> places) {
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access &access = accesses[i];
    const Word *from = operands[i] + places[i];
    for (int64_t lane = 0; lane < access.argument.lanes; ++lane)
      access.argument.words[lane] = from[lane * access.laneStep];
  }
  body.run();
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access &access = accesses[i];
    if (!access.yielded.words)
      continue;
    Word *to = operands[i] + places[i];
    int64_t step = access.yielded.lanes == 1 ? 0 : 1;
    for (int64_t lane = 0; lane < width; ++lane)
      to[lane * access.laneStep] = access.yielded.words[lane * step];
  }
}

void GenericProgram::run(ArrayRef<Word *> operands) {
  SmallVector<int64_t> index(extents.size(), 0);
  SmallVector<int64_t> places =
      llvm::map_to_vector(accesses, [](const Access &access) { return access.where.offset; });
  for (int64_t left = llvm::product_of(extents) / width; left > 0; --left) {
    setIndices(index);
    for (size_t i = 0; i < accesses.size(); ++i)
      if (accesses[i].where.place)
        places[i] = accesses[i].where.getPlace(index);
    runPoints(operands, places);
    for (size_t dim = extents.size(); dim-- > 0;) {
      int64_t advance = dim == laneLoop ? width : 1;
      index[dim] += advance;
      bool wraps = index[dim] == extents[dim];
      if (wraps) {
        advance -= extents[dim];
        index[dim] = 0;
      }
      for (size_t i = 0; i < accesses.size(); ++i)
        places[i] += advance * accesses[i].where.steps[dim];
      if (!wraps)
        break;
    }
  }
}

LogicalResult Evaluator::runLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return op.emitOpError("works on memory; the interpreter executes tensors");
  if (dataflow::getSums(op))
    return runSums(cast<linalg::GenericOp>(op.getOperation()));
  std::unique_ptr<GenericProgram> &program = generics[op];
  if (!program) {
    FailureOr<std::unique_ptr<GenericProgram>> compiled = GenericProgram::compile(op);
    if (failed(compiled))
      return failure();
    program = std::move(*compiled);
  }
  Body &body = program->getBody();
  setCaptures(body);
  SmallVector<ArrayPtr> results;
  SmallVector<Word> scalars(op->getNumOperands());
  SmallVector<Word *> operands;
  for (Value input : op.getDpsInputs()) {
    Word &scalar = scalars[operands.size()] = get(input).word;
    operands.push_back(get(input).array ? get(input).array->words.data() : &scalar);
  }
  for (Value init : op.getDpsInits()) {
    results.push_back(takeArray(op, init));
    operands.push_back(results.back()->words.data());
  }
  program->run(operands);
  if (Fault &fault = body.getFault())
    return fault.op->emitOpError(fault.message);
  for (auto [result, array] : llvm::zip_equal(op->getResults(), results))
    set(result, array);
  return success();
}

struct Evaluator::Parts {
  Block block;
  SmallVector<Value> results;
};

Evaluator::Evaluator(bool overlaps) : overlaps(overlaps) {}
Evaluator::~Evaluator() = default;

/// A softmax and the like: runs the reductions and elementwise operations that it stands for.
LogicalResult Evaluator::runAggregate(linalg::AggregatedOpInterface op) {
  std::unique_ptr<Parts> &made = parts[op];
  if (!made) {
    made = std::make_unique<Parts>();
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, made->block.addArgument(operand.getType(), operand.getLoc()));
    IRRewriter rewriter(op->getContext());
    rewriter.setInsertionPointToEnd(&made->block);
    auto copy = cast<linalg::AggregatedOpInterface>(rewriter.clone(*op, mapping));
    rewriter.setInsertionPoint(copy);
    FailureOr<SmallVector<Value>> results = copy.decomposeOperation(rewriter);
    if (failed(results))
      return op->emitOpError("has no reductions and elementwise operations that it stands for");
    made->results = std::move(*results);
    rewriter.eraseOp(copy);
  }
  // Copies: an insertion may move what the map holds.
  for (auto [argument, operand] : llvm::zip_equal(made->block.getArguments(), op->getOperands()))
    values[argument] = RuntimeValue(get(operand));
  for (Operation &part : made->block)
    if (failed(runOp(&part)))
      return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), made->results))
    values[result] = RuntimeValue(get(value));
  return success();
}

void Evaluator::setCaptures(Body &body) {
  for (auto [value, place] : body.getCaptures())
    *place.words = get(value).word;
  for (auto &[value, cell] : body.getTensors())
    *cell = get(value).array;
}

/// Trips that `numbers` of the loops around `op`, counted from the outermost, have made.
SmallVector<int64_t> Evaluator::getTrips(Operation *op, ArrayRef<int64_t> numbers) {
  SmallVector<scf::ForOp> loops;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    loops.insert(loops.begin(), loop);
  return llvm::map_to_vector(numbers, [&](int64_t number) {
    scf::ForOp loop = loops[number];
    return (getInteger(loop.getInductionVar()) - getInteger(loop.getLowerBound())) /
           getInteger(loop.getStep());
  });
}

LogicalResult Evaluator::runSums(linalg::GenericOp op) {
  std::unique_ptr<SumProgram> &program = sums[op];
  if (!program) {
    FailureOr<std::unique_ptr<SumProgram>> compiled = SumProgram::compile(op);
    if (failed(compiled))
      return failure();
    program = std::move(*compiled);
  }
  setCaptures(program->getBody());
  SmallVector<ArrayPtr> operands;
  for (Value input : op.getDpsInputs())
    operands.push_back(get(input).array);
  for (Value init : op.getDpsInits())
    operands.push_back(takeArray(op, init));
  program->run(operands, getTrips(op, program->getTileLoops()));
  if (Fault &fault = program->getBody().getFault())
    return fault.op->emitOpError(fault.message);
  for (auto [result, array] :
       llvm::zip_equal(op->getResults(), ArrayRef(operands).drop_front(op.getNumDpsInputs())))
    set(result, array);
  return success();
}
