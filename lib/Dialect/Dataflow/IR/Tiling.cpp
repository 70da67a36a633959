//===- Tiling.cpp - Laws of the tiling space ------------------------------===//
//
// Each law has a label, in brackets, that docs/rationale/decide.md and the tests repeat.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"

#include "DeviceInterfaces.h"

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::dataflow;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

TilingNumbers dataflow::getNumbers(TilingAttr tiling) {
  return {tiling.getTile(), tiling.getOrder(), tiling.getUnroll(),
          tiling.getVector() ? tiling.getVector().asArrayRef() : ArrayRef<int64_t>()};
}

std::string dataflow::listDivisors(int64_t number) {
  constexpr size_t most = 12, shownLast = 2;
  SmallVector<std::string> divisors;
  for (int64_t divisor = 1; divisor <= number; ++divisor)
    if (number % divisor == 0)
      divisors.push_back(std::to_string(divisor));
  if (divisors.size() > most) {
    divisors.erase(divisors.begin() + (most - shownLast), divisors.end() - shownLast);
    divisors.insert(divisors.end() - shownLast, "...");
  }
  return llvm::join(divisors, ", ");
}

static bool divides(int64_t divisor, int64_t number) {
  return divisor >= 1 && number % divisor == 0;
}

/// The fault that `divisor` of loop `loop` does not divide `number`, the `what` of the loop.
static TilingFault makeDivisorFault(StringRef law, int64_t divisor, size_t loop, int64_t number,
                                    StringRef what) {
  return {law, llvm::formatv("is {0} for loop {1}, which does not divide the {2} {3}; it can be "
                             "{4}",
                             divisor, loop, what, number, listDivisors(number))};
}

static bool isPermutation(ArrayRef<int64_t> order) {
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  return llvm::equal(sorted, llvm::seq<int64_t>(0, order.size()));
}

static std::optional<TilingFault> findCountFault(StringRef law, size_t count, size_t wanted,
                                                 StringRef what) {
  if (count == wanted)
    return std::nullopt;
  return TilingFault{law,
                     llvm::formatv("has {0} numbers, one per {1} makes {2}", count, what, wanted)};
}

std::optional<TilingFault> dataflow::findFault(const TilingNumbers &numbers) {
  size_t loops = numbers.tile.size();
  if (auto fault = findCountFault("[tiling.order]", numbers.order.size(), loops, "loop"))
    return fault;
  if (auto fault = findCountFault("[tiling.unroll]", numbers.unroll.size(), loops, "loop"))
    return fault;
  for (auto [loop, tile] : llvm::enumerate(numbers.tile))
    if (tile < 1)
      return TilingFault{
          "[tiling.tile]",
          llvm::formatv("is {0} for loop {1}; a tile has at least 1 element", tile, loop)};
  if (!isPermutation(numbers.order))
    return TilingFault{
        "[tiling.order]",
        llvm::formatv("is [{0}], which is no order of the loops; it names each of 0 to {1} once",
                      llvm::join(llvm::map_range(numbers.order,
                                                 [](int64_t dim) { return std::to_string(dim); }),
                                 ", "),
                      int64_t(loops) - 1)};
  for (auto [loop, unroll, tile] : llvm::enumerate(numbers.unroll, numbers.tile))
    if (!divides(unroll, tile))
      return makeDivisorFault("[tiling.unroll]", unroll, loop, tile, "tile");
  for (int64_t lanes : numbers.vector)
    if (lanes < 1)
      return TilingFault{"[tiling.vector]",
                         llvm::formatv("is {0}; a FIFO has at least 1 lane", lanes)};
  return std::nullopt;
}

/// Elements along the last dimension of a result's tile.
static int64_t getRow(linalg::LinalgOp op, OpResult result, ArrayRef<int64_t> tile) {
  AffineMap map = op.getIndexingMapMatchingResult(result);
  return map.getNumResults() == 0 ? 1 : itensor::getExtent(map.getResults().back(), tile);
}

static std::optional<TilingFault> findVectorFault(const TilingNumbers &numbers,
                                                  linalg::LinalgOp op) {
  if (numbers.vector.empty())
    return std::nullopt;
  if (auto fault =
          findCountFault("[tiling.vector]", numbers.vector.size(), op->getNumResults(), "result"))
    return fault;
  for (auto [result, lanes] : llvm::zip_equal(op->getResults(), numbers.vector))
    if (int64_t row = getRow(op, result, numbers.tile); !divides(lanes, row))
      return TilingFault{"[tiling.vector]",
                         llvm::formatv("is {0} for result {1}, whose tile has rows of "
                                       "{2}; it can be {3}",
                                       lanes, result.getResultNumber(), row, listDivisors(row))};
  return std::nullopt;
}

std::optional<TilingFault> dataflow::findFault(const TilingNumbers &numbers, linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (auto fault = findCountFault("[tiling.tile]", numbers.tile.size(), extents.size(), "loop"))
    return fault;
  for (auto [loop, tile, extent] : llvm::enumerate(numbers.tile, extents))
    if (!divides(tile, extent))
      return makeDivisorFault("[tiling.tile]", tile, loop, extent, "extent");
  return findVectorFault(numbers, op);
}

std::string dataflow::toString(const TilingFault &fault) {
  StringRef field = fault.law;
  field.consume_front("[tiling.");
  field.consume_back("]");
  return llvm::formatv("{0} '{1}' {2}", fault.law, field, fault.reason);
}

LogicalResult TilingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 DenseI64ArrayAttr tile, DenseI64ArrayAttr order,
                                 DenseI64ArrayAttr unroll, DenseI64ArrayAttr vector, StringAttr) {
  TilingNumbers numbers{tile, order, unroll, vector ? vector.asArrayRef() : ArrayRef<int64_t>()};
  if (std::optional<TilingFault> fault = findFault(numbers))
    return emitError() << toString(*fault);
  return success();
}

LogicalResult dataflow::verifyTiling(Operation *op, Attribute value) {
  auto tiling = dyn_cast<TilingAttr>(value);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!tiling || !generic)
    return op->emitError("[tiling.place] 'dataflow.tiling' is a #dataflow.tiling<...> of a "
                         "linalg.generic");
  if (std::optional<TilingFault> fault = findFault(getNumbers(tiling), generic))
    return op->emitError(toString(*fault));
  return success();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

LogicalResult SumsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               DenseI64ArrayAttr loops, DenseI64ArrayAttr points,
                               DenseI64ArrayAttr lanes, DenseI64ArrayAttr trees,
                               DenseI64ArrayAttr banks) {
  if (!isPermutation(points) || lanes.size() != points.size())
    return emitError() << "[sums.points] 'points' orders the loops of the operation, and 'lanes' "
                          "has a number for each of them";
  if (llvm::any_of(loops.asArrayRef(), [](int64_t loop) { return loop < 0; }) ||
      banks.size() < loops.size())
    return emitError() << "[sums.loops] 'loops' counts tile loops from the outermost one, each "
                          "with a number of 'banks'";
  for (DenseI64ArrayAttr counts : {lanes, banks})
    if (llvm::any_of(counts.asArrayRef(), [](int64_t count) { return count < 1; }))
      return emitError() << "[sums.count] 'lanes' and 'banks' are at least 1";
  return success();
}

LogicalResult dataflow::verifySums(Operation *op, Attribute value) {
  auto sums = dyn_cast<SumsAttr>(value);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!sums || !generic || generic.getNumReductionLoops() == 0)
    return op->emitError("[sums.place] 'dataflow.sums' is a #dataflow.sums<...> of a "
                         "linalg.generic that reduces");
  SmallVector<int64_t> extents = generic.getStaticLoopRanges();
  auto iterators = generic.getIteratorTypesArray();
  if (sums.getLanes().size() != int64_t(extents.size()))
    return op->emitError("[sums.points] 'points' and 'lanes' have a number per loop: ")
           << extents.size();
  for (auto [lanes, extent] : llvm::zip_equal(sums.getLanes().asArrayRef(), extents))
    if (extent % lanes != 0)
      return op->emitError("[sums.lanes] ")
             << lanes << " lanes do not divide " << extent << " points";
  for (int64_t dim : sums.getTrees().asArrayRef())
    if (dim < 0 || dim >= int64_t(extents.size()) ||
        iterators[dim] != utils::IteratorType::reduction)
      return op->emitError("[sums.trees] loop ") << dim
                                                 << " is no reduction: no tree adds its "
                                                    "lanes";
  if (sums.getBanks().size() != sums.getLoops().size() + generic.getNumReductionLoops())
    return op->emitError("[sums.banks] 'banks' has a number for each tile loop and each point loop "
                         "over the reduction");
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles that a launch fills in part
//===----------------------------------------------------------------------===//

LogicalResult dataflow::verifyLeast(Operation *op, Attribute value) {
  auto least = dyn_cast<DenseI64ArrayAttr>(value);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!least || !generic || least.size() != int64_t(generic.getNumLoops()))
    return op->emitError("[least.place] 'dataflow.least' has a number for each loop of a "
                         "linalg.generic");
  for (auto [loop, count, extent] :
       llvm::enumerate(least.asArrayRef(), generic.getStaticLoopRanges()))
    if (count < 1 || count > extent)
      return op->emitError("[least.count] is ")
             << count << " for loop " << loop << "; it can be 1 to " << extent;
  return success();
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

LogicalResult dataflow::verifyLanes(Operation *op, Attribute value) {
  auto lanes = dyn_cast<DenseI64ArrayAttr>(value);
  SmallVector<itensor::ITensorType> types;
  for (Type type : op->getResultTypes())
    if (auto stream = dyn_cast<itensor::ITensorType>(type))
      types.push_back(stream);
  if (!lanes || lanes.size() != int64_t(types.size()))
    return op->emitError("[lanes.count] 'dataflow.lanes' has a number for each itensor that the "
                         "operation gives: ")
           << types.size();
  for (auto [count, type] : llvm::zip_equal(lanes.asArrayRef(), types))
    if (!itensor::areLanes(type, count))
      return op->emitError("[lanes.row] ")
             << count << " lanes neither divide the row of a token, "
             << itensor::getLaneExtent(type) << " elements, nor are they whole rows that cut it";
  return success();
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

static DataflowDialect &getDialect(Operation *op) {
  return *op->getContext()->getOrLoadDialect<DataflowDialect>();
}

TilingAttr dataflow::getTiling(Operation *op) {
  return getDialect(op).getTilingAttrHelper().getAttr(op);
}

void dataflow::setTiling(Operation *op, TilingAttr tiling) {
  getDialect(op).getTilingAttrHelper().setAttr(op, tiling);
}

FailureOr<TilingAttr> dataflow::requireTiling(Operation *op) {
  if (TilingAttr tiling = getTiling(op))
    return tiling;
  return op->emitError("[tiling.missing] has no #dataflow.tiling; run streamtensor-decide-tiling "
                       "or streamtensor-read-schedule first");
}

bool dataflow::isTiled(linalg::LinalgOp op) {
  TilingAttr tiling = getTiling(op);
  return tiling && llvm::equal(tiling.getTile().asArrayRef(), op.getStaticLoopRanges());
}

SumsAttr dataflow::getSums(Operation *op) { return getDialect(op).getSumsAttrHelper().getAttr(op); }

void dataflow::setSums(Operation *op, SumsAttr sums) {
  getDialect(op).getSumsAttrHelper().setAttr(op, sums);
}

DenseI64ArrayAttr dataflow::getLeast(Operation *op) {
  return getDialect(op).getLeastAttrHelper().getAttr(op);
}

void dataflow::setLeast(Operation *op, ArrayRef<int64_t> least) {
  getDialect(op).getLeastAttrHelper().setAttr(op, DenseI64ArrayAttr::get(op->getContext(), least));
}

bool dataflow::isFilledInPart(linalg::LinalgOp op, unsigned loop) {
  DenseI64ArrayAttr least = getLeast(op);
  return least && least[loop] < op.getStaticLoopRanges()[loop];
}

DenseI64ArrayAttr dataflow::getLanes(Operation *op) {
  return getDialect(op).getLanesAttrHelper().getAttr(op);
}

void dataflow::setLanes(Operation *op, ArrayRef<int64_t> lanes) {
  getDialect(op).getLanesAttrHelper().setAttr(op, DenseI64ArrayAttr::get(op->getContext(), lanes));
}

int64_t dataflow::getLanes(OpResult stream) {
  DenseI64ArrayAttr lanes = getLanes(stream.getOwner());
  return lanes ? lanes[stream.getResultNumber()] : 0;
}

OddFactors dataflow::getOdd(Operation *function) {
  DenseI64ArrayAttr odd = getDialect(function).getOddAttrHelper().getAttr(function);
  return odd ? OddFactors{odd[0], odd[1]} : OddFactors();
}

void dataflow::setOdd(Operation *function, OddFactors odd) {
  auto factors = DenseI64ArrayAttr::get(function->getContext(), {odd.beside, odd.rows});
  getDialect(function).getOddAttrHelper().setAttr(function, factors);
}

int64_t dataflow::getTokenInputs(Operation *function) {
  IntegerAttr inputs = getDialect(function).getTokenInputsAttrHelper().getAttr(function);
  return inputs ? inputs.getInt() : 0;
}

void dataflow::setTokenInputs(Operation *function, int64_t inputs) {
  auto type = IntegerType::get(function->getContext(), 64);
  getDialect(function).getTokenInputsAttrHelper().setAttr(function, IntegerAttr::get(type, inputs));
}

DenseI64ArrayAttr dataflow::getPadded(Operation *function) {
  return getDialect(function).getPaddedAttrHelper().getAttr(function);
}

void dataflow::setPadded(Operation *function, ArrayRef<int64_t> extents) {
  getDialect(function).getPaddedAttrHelper().setAttr(
      function, DenseI64ArrayAttr::get(function->getContext(), extents));
}

//===----------------------------------------------------------------------===//
// Discardable attributes of the dialect
//===----------------------------------------------------------------------===//

static LogicalResult verifyOddAttribute(Operation *op, Attribute odd) {
  auto factors = dyn_cast<DenseI64ArrayAttr>(odd);
  if (isa<FunctionOpInterface>(op) && factors && factors.size() == 2 &&
      llvm::all_of(factors.asArrayRef(), [](int64_t odd) { return odd > 0 && odd % 2 == 1; }))
    return success();
  return op->emitOpError(
      "[odd.factor] 'dataflow.odd' is two odd numbers, on a function: for rows of "
      "tensors in memory the second");
}

static LogicalResult verifyTokenInputs(Operation *op, Attribute inputs) {
  auto number = dyn_cast<IntegerAttr>(inputs);
  if (isa<FunctionOpInterface>(op) && number && number.getValue().isStrictlyPositive())
    return success();
  return op->emitOpError("[token.inputs] 'dataflow.token_inputs' is a positive number, on a "
                         "function");
}

static LogicalResult verifyPaddedAttribute(Operation *op, Attribute padded) {
  auto extents = dyn_cast<DenseI64ArrayAttr>(padded);
  if (isa<FunctionOpInterface>(op) && extents &&
      llvm::all_of(extents.asArrayRef(), [](int64_t extent) { return extent > 0; }))
    return success();
  return op->emitOpError("[padded.extents] 'dataflow.padded' is a list of extents, on a function");
}

static LogicalResult verifyTimingAttribute(Operation *op, Attribute timing) {
  if (isa_and_present<NestOpInterface>(op->getParentOp()) && isa<TimingAttr>(timing))
    return success();
  return op->emitOpError("[leaf.schedule] 'dataflow.timing' is a #dataflow.timing and stands on "
                         "operations in the body of a leaf");
}

static LogicalResult verifyOrderAttribute(Operation *op, Attribute order) {
  auto type = dyn_cast<TypeAttr>(order);
  if (isa<StreamReadOp, StreamWriteOp>(op) && type && isa<itensor::ITensorType>(type.getValue()))
    return success();
  return op->emitOpError("[design.order] 'dataflow.order' must be an itensor type, on an access to "
                         "a FIFO");
}

LogicalResult DataflowDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == TilingAttrHelper::getNameStr())
    return verifyTiling(op, attribute.getValue());
  if (name == SumsAttrHelper::getNameStr())
    return verifySums(op, attribute.getValue());
  if (name == LeastAttrHelper::getNameStr())
    return verifyLeast(op, attribute.getValue());
  if (name == LanesAttrHelper::getNameStr())
    return verifyLanes(op, attribute.getValue());
  if (name == OddAttrHelper::getNameStr())
    return verifyOddAttribute(op, attribute.getValue());
  if (name == TokenInputsAttrHelper::getNameStr())
    return verifyTokenInputs(op, attribute.getValue());
  if (name == PaddedAttrHelper::getNameStr())
    return verifyPaddedAttribute(op, attribute.getValue());
  if (name == TimingAttrHelper::getNameStr())
    return verifyTimingAttribute(op, attribute.getValue());
  if (name == OrderAttrHelper::getNameStr())
    return verifyOrderAttribute(op, attribute.getValue());
  if (name == DeviceAttrHelper::getNameStr())
    return verifyDeviceAttribute(op, attribute.getValue());
  return success();
}
