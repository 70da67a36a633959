//===- LinalgOps.cpp - Running Linalg operations --------------------------===//

#include "Evaluator.h"
#include "GenericProgram.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

/// The coefficient of each dimension in `expression`; false if it is not linear.
static bool addCoefficients(AffineExpr expression, int64_t factor, SmallVectorImpl<int64_t> &steps,
                            int64_t &offset) {
  if (auto dim = dyn_cast<AffineDimExpr>(expression)) {
    steps[dim.getPosition()] += factor;
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expression)) {
    offset += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addCoefficients(binary.getLHS(), factor, steps, offset) &&
           addCoefficients(binary.getRHS(), factor, steps, offset);
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && scale &&
         addCoefficients(binary.getLHS(), factor * scale.getValue(), steps, offset);
}

LogicalResult GenericProgram::addAccess(OpOperand &operand, linalg::LinalgOp op) {
  Access access;
  access.argument = body.bind(op.getMatchingBlockArgument(&operand));
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  access.isScalar = !type;
  access.steps.assign(extents.size(), 0);
  if (type) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<int64_t> strides = getStrides(type.getShape());
    access.place = getAffineConstantExpr(0, op.getContext());
    bool isLinear = true;
    for (auto [result, stride] : llvm::zip_equal(map.getResults(), strides)) {
      isLinear &= addCoefficients(result, stride, access.steps, access.offset);
      access.place = access.place + result * stride;
    }
    if (isLinear)
      access.place = {};
  }
  accesses.push_back(access);
  return success();
}

FailureOr<std::unique_ptr<GenericProgram>> GenericProgram::compile(linalg::LinalgOp op) {
  auto program = std::make_unique<GenericProgram>();
  program->extents = op.getStaticLoopRanges();
  if (llvm::any_of(program->extents, ShapedType::isDynamic))
    return op.emitOpError("has shapes that are known only at run time");
  for (OpOperand &operand : op->getOpOperands())
    if (failed(program->addAccess(operand, op)))
      return failure();
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
      llvm::map_to_vector(accesses, [](const Access &access) { return access.offset; });
  for (int64_t left = llvm::product_of(extents); left > 0; --left) {
    for (auto [dim, place] : indices)
      *place.words = Word::of(index[dim]);
    for (auto [access, place] : llvm::zip_equal(accesses, places))
      if (access.place)
        place = evaluate(access.place, index);
    runPoint(operands, places);
    for (size_t dim = extents.size(); dim-- > 0;) {
      bool wraps = ++index[dim] == extents[dim];
      int64_t advance = wraps ? 1 - extents[dim] : 1;
      for (auto [access, place] : llvm::zip_equal(accesses, places))
        place += advance * access.steps[dim];
      if (!wraps)
        break;
      index[dim] = 0;
    }
  }
}

LogicalResult Evaluator::runLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return op.emitOpError("works on memory; the interpreter executes tensors");
  std::unique_ptr<GenericProgram> &program = generics[op];
  if (!program) {
    FailureOr<std::unique_ptr<GenericProgram>> compiled = GenericProgram::compile(op);
    if (failed(compiled))
      return failure();
    program = std::move(*compiled);
  }
  Body &body = program->getBody();
  for (auto [value, place] : body.getCaptures())
    *place.words = get(value).word;
  for (auto &[value, cell] : body.getTensors())
    *cell = get(value).array;
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
