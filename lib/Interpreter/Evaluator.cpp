//===- Evaluator.cpp - Running functions, loops, kernels and tasks --------===//

#include "Evaluator.h"
#include "GenericProgram.h"
#include "SumProgram.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/Matchers.h"
#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::interpreter;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

RankedTensorType interpreter::getArrayType(Type type) {
  if (auto stream = dyn_cast<itensor::ITensorType>(type)) {
    SmallVector<int64_t> shape{stream.getNumTokens()};
    llvm::append_range(shape, stream.getElementShape());
    if (auto tuple = dyn_cast<TupleType>(stream.getElementType())) {
      // The words of one tuple stand side by side, whatever they are.
      shape.push_back(tuple.size());
      return RankedTensorType::get(shape, IntegerType::get(type.getContext(), 64));
    }
    return RankedTensorType::get(shape, stream.getElementType());
  }
  return cast<RankedTensorType>(type);
}

const RuntimeValue &Evaluator::get(Value value) const {
  auto it = values.find(value);
  assert(it != values.end() && "operations run in order of dominance");
  return it->second;
}

/// The last operation of the value's own block that needs it; null if it takes the value as an
/// operand and needs it inside, too.
static Operation *findLastUse(Value value) {
  Operation *last = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *inBlock = value.getParentBlock()->findAncestorOpInBlock(*user);
    if (!last || last->isBeforeInBlock(inBlock))
      last = inBlock;
  }
  bool isInside = last && llvm::any_of(value.getUsers(), [&](Operation *user) {
                    return last->isProperAncestor(user);
                  });
  return isInside && llvm::is_contained(last->getOperands(), value) ? nullptr : last;
}

bool Evaluator::isLastUse(Operation *op, Value operand) {
  if (llvm::count(op->getOperands(), operand) != 1)
    return false;
  // In a branch, too, if neither the branch nor what follows needs the value again.
  for (; op->getBlock() != operand.getParentBlock(); op = op->getParentOp())
    if (!isa<scf::IfOp>(op->getParentOp()) ||
        llvm::any_of(operand.getUsers(), [&](Operation *user) {
          Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
          return inBlock && op->isBeforeInBlock(inBlock);
        }))
      return false;
  auto [it, isNew] = lastUses.try_emplace(operand);
  if (isNew)
    it->second = findLastUse(operand);
  return it->second == op;
}

RuntimeValue Evaluator::take(Operation *op, Value operand) {
  if (isLastUse(op, operand))
    return std::move(values[operand]);
  return get(operand);
}

ArrayPtr Evaluator::takeArray(Operation *op, Value operand) {
  ArrayPtr array = take(op, operand).array;
  return array.use_count() == 1 ? array : std::make_shared<Array>(*array);
}

ArrayPtr Evaluator::makeResult(Value result) {
  RankedTensorType type = getArrayType(result.getType());
  return makeArray(type.getShape(), type.getElementType());
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<RuntimeValue>> Evaluator::call(Operation *function,
                                                     ArrayRef<RuntimeValue> arguments) {
  Block &block = function->getRegion(0).front();
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = value;
  if (failed(runBlock(block)))
    return failure();
  return llvm::map_to_vector(block.getTerminator()->getOperands(),
                             [&](Value result) { return get(result); });
}

LogicalResult Evaluator::runBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(runOp(&op)))
      return failure();
  return success();
}

LogicalResult Evaluator::runOp(Operation *op) {
  Attribute constant;
  if (op->getNumResults() == 1 && matchPattern(op, m_Constant(&constant)))
    return runConstant(op, constant);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return runLinalg(linalgOp);
  if (auto aggregate = dyn_cast<linalg::AggregatedOpInterface>(op))
    return runAggregate(aggregate);
  if (std::optional<LogicalResult> done = runTensorOp(op))
    return *done;
  if (std::optional<LogicalResult> done = runITensorOp(op))
    return *done;
  if (std::optional<LogicalResult> done = runStreamOp(op))
    return *done;
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp loop) { return runFor(loop); })
      .Case([&](scf::IfOp branch) { return runIf(branch); })
      .Case([&](dataflow::KernelOp kernel) { return runRegion(kernel, kernel.getInputs()); })
      .Case([&](dataflow::TaskOp task) { return runRegion(task, task.getOuts()); })
      .Case([&](dataflow::LaunchOp launch) { return runLaunch(launch); })
      .Case([&](cf::AssertOp check) -> LogicalResult {
        if (get(check.getArg()).word.isTrue())
          return success();
        return check.emitOpError("does not hold: ") << check.getMsg();
      })
      .Default([&](Operation *other) { return runScalar(other); });
}

LogicalResult Evaluator::runConstant(Operation *op, Attribute value) {
  Value result = op->getResult(0);
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements) {
    if (!isa<IntegerAttr, FloatAttr>(value) || !getWordWidth(result.getType()))
      return op->emitOpError("is a constant of a type the interpreter does not know: ")
             << result.getType();
    set(result, getWord(value));
    return success();
  }
  if (values.contains(result)) // In a loop: the same array again.
    if (get(result).array)
      return success();
  ArrayPtr array = makeArray(elements);
  if (!array)
    return op->emitOpError("is a constant whose elements the interpreter cannot read: ")
           << result.getType();
  set(result, array);
  return success();
}

/// Places of launches in turn that begin with nothing: a host clears them. Only outermost loops are
/// looked through, which begin once.
static void clearPlaces(scf::ForOp op, MutableArrayRef<RuntimeValue> carried) {
  if (op->getParentOfType<scf::ForOp>() ||
      !op.walk([](dataflow::LaunchOp) { return WalkResult::interrupt(); }).wasInterrupted())
    return;
  for (auto [init, value] : llvm::zip_equal(op.getInitArgs(), carried))
    if (init.getDefiningOp<tensor::EmptyOp>()) {
      value.array = std::make_shared<Array>(*value.array);
      llvm::fill(value.array->words, Word());
    }
}

LogicalResult Evaluator::runFor(scf::ForOp op) {
  int64_t step = getInteger(op.getStep()), end = getInteger(op.getUpperBound());
  if (step <= 0)
    return op.emitOpError("has a step that is not positive");
  SmallVector<RuntimeValue> carried =
      llvm::map_to_vector(op.getInitArgs(), [&](Value init) { return take(op, init); });
  clearPlaces(op, carried);
  Operation *yield = op.getBody()->getTerminator();
  for (int64_t index = getInteger(op.getLowerBound()); index < end; index += step) {
    set(op.getInductionVar(), Word::of(index));
    for (auto [argument, value] : llvm::zip_equal(op.getRegionIterArgs(), carried))
      values[argument] = std::move(value);
    if (failed(runBlock(*op.getBody())))
      return failure();
    for (auto [value, yielded] : llvm::zip_equal(carried, yield->getOperands()))
      value = take(yield, yielded);
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), carried))
    values[result] = std::move(value);
  return success();
}

LogicalResult Evaluator::runIf(scf::IfOp op) {
  Region &region = get(op.getCondition()).word.isTrue() ? op.getThenRegion() : op.getElseRegion();
  if (region.empty())
    return success();
  if (failed(runBlock(region.front())))
    return failure();
  Operation *yield = region.front().getTerminator();
  for (auto [result, yielded] : llvm::zip_equal(op.getResults(), yield->getOperands()))
    values[result] = take(yield, yielded);
  return success();
}

/// A kernel or a task: its arguments stand for what it is given.
LogicalResult Evaluator::runRegion(Operation *op, ValueRange arguments) {
  Block &block = op->getRegion(0).front();
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = take(op, value);
  if (failed(runBlock(block)))
    return failure();
  Operation *yield = block.getTerminator();
  for (auto [result, yielded] : llvm::zip_equal(op->getResults(), yield->getOperands()))
    values[result] = take(yield, yielded);
  return success();
}

/// Scalars, and tensors of them lane by lane, of known size.
static bool isComputable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return type.isIntOrIndexOrFloat() || (tensor && tensor.hasStaticShape());
}

/// Arithmetic outside of bodies.
LogicalResult Evaluator::runScalar(Operation *op) {
  std::unique_ptr<Body> &body = scalarBodies[op];
  if (!body) {
    body = std::make_unique<Body>();
    if (!llvm::all_of(op->getResultTypes(), isComputable) ||
        !llvm::all_of(op->getOperandTypes(), isComputable))
      return rejectUnknown(op);
    if (failed(body->add(op)))
      return failure();
  }
  for (auto [value, place] : body->getCaptures())
    if (ArrayPtr array = get(value).array)
      llvm::copy(array->words, place.words);
    else
      *place.words = get(value).word;
  body->run();
  if (Fault &fault = body->getFault())
    return op->emitOpError(fault.message);
  for (Value result : op->getResults()) {
    Registers place = body->use(result);
    if (!isa<RankedTensorType>(result.getType())) {
      set(result, *place.words);
      continue;
    }
    ArrayPtr array = makeResult(result);
    std::copy_n(place.words, place.lanes, array->words.begin());
    set(result, array);
  }
  return success();
}

/// In a loop of a program, what lies where each result will: a launch leaves what it does not
/// write.
FailureOr<SmallVector<ArrayPtr>> Evaluator::getKept(dataflow::LaunchOp op) {
  scf::ForOp loop = getOutermostLoop(op);
  if (!loop)
    return SmallVector<ArrayPtr>(op->getNumResults());
  auto it = launchLoops.find(loop);
  if (it == launchLoops.end()) {
    FailureOr<LaunchLoop> read = LaunchLoop::read(loop);
    if (failed(read))
      return failure();
    it = launchLoops.try_emplace(loop, std::move(*read)).first;
  }
  return llvm::map_to_vector(op->getResults(), [&](OpResult result) {
    Value before = it->second.getOverwritten(result);
    return before ? get(before).array : ArrayPtr();
  });
}

LogicalResult Evaluator::runLaunch(dataflow::LaunchOp op) {
  auto design = SymbolTable::lookupNearestSymbolFrom<dataflow::DesignOp>(op, op.getDesignAttr());
  SmallVector<ArrayPtr> inputs =
      llvm::map_to_vector(op.getInputs(), [&](Value input) { return get(input).array; });
  SmallVector<int64_t> scalars = llvm::map_to_vector(
      op.getScalars(), [&](Value scalar) { return get(scalar).word.asInteger(); });
  FailureOr<SmallVector<ArrayPtr>> kept = getKept(op);
  if (failed(kept))
    return failure();
  FailureOr<dataflow::BoundDesign> bound = dataflow::BoundDesign::bind(design, scalars, op);
  if (failed(bound))
    return failure();
  FailureOr<SmallVector<ArrayPtr>> outputs =
      runDesign(bound->get(), inputs, *kept, overlaps, /*zeroed=*/!scalars.empty());
  if (failed(outputs))
    return failure();
  for (auto [result, array] : llvm::zip_equal(op.getResults(), *outputs))
    set(result, array);
  return success();
}
