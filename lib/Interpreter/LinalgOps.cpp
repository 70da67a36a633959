//===- LinalgOps.cpp - Running Linalg operations --------------------------===//

#include "Evaluator.h"
#include "GenericProgram.h"
#include "SumProgram.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

FailureOr<std::unique_ptr<GenericProgram>> GenericProgram::compile(linalg::LinalgOp op) {
  auto program = std::make_unique<GenericProgram>();
  program->extents = op.getStaticLoopRanges();
  if (llvm::any_of(program->extents, ShapedType::isDynamic))
    return op.emitOpError("has shapes that are known only at run time");
  for (OpOperand &operand : op->getOpOperands())
    program->accesses.push_back({OperandAccess::create(operand, op),
                                 program->body.bind(op.getMatchingBlockArgument(&operand))});
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      program->indices.push_back({index.getDim(), program->body.bind(index.getResult())});
    else if (failed(program->body.add(&inner)))
      return failure();
  }
  size_t firstInit = op.getNumDpsInputs();
  for (auto [index, yielded] : llvm::enumerate(op.getBlock()->getTerminator()->getOperands()))
    program->accesses[firstInit + index].yielded = program->body.use(yielded).words;
  return program;
}

void GenericProgram::runPoint(ArrayRef<Word *> operands, ArrayRef<int64_t> places) {
  for (auto [access, operand, place] : llvm::zip_equal(accesses, operands, places))
    *access.argument.words = operand[place];
  body.run();
  for (auto [access, operand, place] : llvm::zip_equal(accesses, operands, places))
    if (access.yielded)
      operand[place] = *access.yielded;
}

void GenericProgram::run(ArrayRef<Word *> operands) {
  SmallVector<int64_t> index(extents.size(), 0);
  SmallVector<int64_t> places =
      llvm::map_to_vector(accesses, [](const Access &access) { return access.where.offset; });
  for (int64_t left = llvm::product_of(extents); left > 0; --left) {
    for (auto [dim, place] : indices)
      *place.words = Word::of(index[dim]);
    for (auto [access, place] : llvm::zip_equal(accesses, places))
      if (access.where.place)
        place = access.where.getPlace(index);
    runPoint(operands, places);
    for (size_t dim = extents.size(); dim-- > 0;) {
      bool wraps = ++index[dim] == extents[dim];
      int64_t advance = wraps ? 1 - extents[dim] : 1;
      for (auto [access, place] : llvm::zip_equal(accesses, places))
        place += advance * access.where.steps[dim];
      if (!wraps)
        break;
      index[dim] = 0;
    }
  }
}

LogicalResult Evaluator::runLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return op.emitOpError("works on memory; the interpreter executes tensors");
  if (op->hasAttr("dataflow.sums"))
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

void Evaluator::setCaptures(Body &body) {
  for (auto [value, place] : body.getCaptures())
    *place.words = get(value).word;
  for (auto &[value, cell] : body.getTensors())
    *cell = get(value).array;
}

/// Trips of the innermost `count` loops around `op` that have been made, outermost first.
SmallVector<int64_t> Evaluator::getTrips(Operation *op, unsigned count) {
  SmallVector<int64_t> trips;
  auto loop = op->getParentOfType<scf::ForOp>();
  for (; count > 0 && loop; --count, loop = loop->getParentOfType<scf::ForOp>())
    trips.insert(trips.begin(),
                 (getInteger(loop.getInductionVar()) - getInteger(loop.getLowerBound())) /
                     getInteger(loop.getStep()));
  return trips;
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
  program->run(operands, getTrips(op, program->getNumTileLoops()));
  if (Fault &fault = program->getBody().getFault())
    return fault.op->emitOpError(fault.message);
  for (auto [result, array] :
       llvm::zip_equal(op->getResults(), ArrayRef(operands).drop_front(op.getNumDpsInputs())))
    set(result, array);
  return success();
}
