//===- ITensorType.cpp - Parsing, printing, facts and laws of itensors ----===//

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Support/BitWidth.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::itensor;

static ParseResult parseIntegerList(AsmParser &parser, SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

static void printIntegerList(AsmPrinter &printer, ArrayRef<int64_t> values) {
  printer << '[';
  llvm::interleaveComma(values, printer);
  printer << ']';
}

Type ITensorType::parse(AsmParser &parser) {
  SmallVector<int64_t> element, trips, steps, stated;
  Type elementType;
  AffineMap map;
  llvm::SMLoc location = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(element, /*allowDynamic=*/false, /*withTrailingX=*/true) ||
      parser.parseType(elementType) || parser.parseComma() || parser.parseKeyword("iter_space") ||
      parser.parseColon() || parseIntegerList(parser, trips) || parser.parseStar() ||
      parseIntegerList(parser, steps) || parser.parseComma() || parser.parseKeyword("iter_map") ||
      parser.parseColon() || parser.parseAffineMap(map))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("of") || parser.parseColon() || parseIntegerList(parser, stated)))
    return {};
  if (parser.parseGreater())
    return {};
  return ITensorType::getChecked([&] { return parser.emitError(location); }, parser.getContext(),
                                 ArrayRef<int64_t>(element), elementType, ArrayRef<int64_t>(trips),
                                 ArrayRef<int64_t>(steps), map, ArrayRef<int64_t>(stated));
}

void ITensorType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t extent : getElementShape())
    printer << extent << 'x';
  printer << getElementType() << ", iter_space: ";
  printIntegerList(printer, getTrips());
  printer << " * ";
  printIntegerList(printer, getSteps());
  printer << ", iter_map: ";
  getMap().print(printer.getStream());
  if (!getStatedShape().empty()) {
    printer << ", of: ";
    printIntegerList(printer, getStatedShape());
  }
  printer << '>';
}

int64_t ITensorType::getNumTokens() const { return llvm::product_of(getTrips()); }

int64_t ITensorType::getTokenElements() const { return llvm::product_of(getElementShape()); }

int64_t ITensorType::getElementBitWidth() const { return getBitWidth(getElementType()); }

/// `isFunctionOfDim` looks the dimension up in the context at each step, which types are asked for
/// far too often.
static bool hasLoop(AffineExpr index, unsigned loop) {
  if (auto dim = dyn_cast<AffineDimExpr>(index))
    return dim.getPosition() == loop;
  auto binary = dyn_cast<AffineBinaryOpExpr>(index);
  return binary && (hasLoop(binary.getLHS(), loop) || hasLoop(binary.getRHS(), loop));
}

SmallVector<unsigned> ITensorType::getLoopsOf(unsigned dim) const {
  SmallVector<unsigned> loops;
  AffineExpr result = getMap().getResult(dim);
  for (unsigned loop = 0; loop < getIterRank(); ++loop)
    if (hasLoop(result, loop))
      loops.push_back(loop);
  return loops;
}

std::optional<unsigned> ITensorType::getDataDimOf(unsigned loop) const {
  for (unsigned dim = 0; dim < getDataRank(); ++dim)
    if (hasLoop(getMap().getResult(dim), loop))
      return dim;
  return std::nullopt;
}

SmallVector<int64_t> ITensorType::getDataShape() const {
  if (!getStatedShape().empty())
    return SmallVector<int64_t>(getStatedShape());
  SmallVector<int64_t> shape(getElementShape());
  for (unsigned dim = 0; dim < getDataRank(); ++dim)
    for (unsigned loop : getLoopsOf(dim))
      shape[dim] += (getTrips()[loop] - 1) * getSteps()[loop];
  return shape;
}

RankedTensorType ITensorType::getDataType() const {
  return RankedTensorType::get(getDataShape(), getElementType());
}

RankedTensorType ITensorType::getTokenType() const {
  return RankedTensorType::get(getElementShape(), getElementType());
}

//===----------------------------------------------------------------------===//
// Laws of the type
//===----------------------------------------------------------------------===//

using EmitError = function_ref<InFlightDiagnostic()>;

static LogicalResult verifyElement(EmitError emitError, ArrayRef<int64_t> shape, Type type) {
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (extent < 1)
      return emitError() << "[itensor.element] extent " << dim << " of the tile is " << extent
                         << ", it must be at least 1";
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
    return emitError() << "[itensor.element] a vector element must have a fixed length";
  if (!isa<IntegerType, FloatType, IndexType, ComplexType, VectorType, TupleType>(type))
    return emitError() << "[itensor.element] the element type must be a scalar, a vector or a "
                          "tuple of these, not "
                       << type;
  auto tuple = dyn_cast<TupleType>(type);
  for (Type member : tuple ? tuple.getTypes() : TypeRange())
    if (failed(verifyElement(emitError, {}, member)))
      return failure();
  if (getBitWidth(type) == 0)
    return emitError() << "[itensor.element] elements of type " << type << " have no bits";
  return success();
}

static LogicalResult verifySpace(EmitError emitError, ArrayRef<int64_t> trips,
                                 ArrayRef<int64_t> steps) {
  if (trips.size() != steps.size())
    return emitError() << "[itensor.space] the iteration space has " << trips.size()
                       << " trip counts but " << steps.size() << " steps";
  for (size_t loop = 0; loop < trips.size(); ++loop)
    if (trips[loop] < 1 || steps[loop] < 1)
      return emitError() << "[itensor.space] iteration dimension d" << loop << " has trip count "
                         << trips[loop] << " and step " << steps[loop]
                         << ", both must be at least 1";
  return success();
}

static std::string toString(AffineExpr expression) {
  std::string text;
  llvm::raw_string_ostream(text) << expression;
  return text;
}

/// Counts for each iteration dimension the data dimensions it feeds; fails if the
/// result is no sum of distinct dimensions.
static LogicalResult countFedDims(AffineExpr result, MutableArrayRef<int> feeds) {
  if (auto constant = dyn_cast<AffineConstantExpr>(result))
    return success(constant.getValue() == 0);
  if (auto dim = dyn_cast<AffineDimExpr>(result)) {
    ++feeds[dim.getPosition()];
    return success();
  }
  auto sum = dyn_cast<AffineBinaryOpExpr>(result);
  if (!sum || sum.getKind() != AffineExprKind::Add || isa<AffineConstantExpr>(sum.getLHS()) ||
      isa<AffineConstantExpr>(sum.getRHS()))
    return failure();
  return success(succeeded(countFedDims(sum.getLHS(), feeds)) &&
                 succeeded(countFedDims(sum.getRHS(), feeds)));
}

static LogicalResult verifyMap(EmitError emitError, AffineMap map, ArrayRef<int64_t> steps,
                               size_t dataRank) {
  if (map.getNumSymbols() != 0 || map.getNumDims() != steps.size() ||
      map.getNumResults() != dataRank)
    return emitError() << "[itensor.map] the iteration map must take the " << steps.size()
                       << " iteration dimensions to " << dataRank
                       << " offsets, one for each dimension of the tile";
  SmallVector<int> feeds(steps.size(), 0);
  for (auto [dim, result] : llvm::enumerate(map.getResults()))
    if (failed(countFedDims(result, feeds)))
      return emitError() << "[itensor.map] offset " << dim << " is " << toString(result)
                         << ", it must be a sum of distinct iteration dimensions or the "
                            "constant 0; a factor belongs into the step";
  for (size_t loop = 0; loop < steps.size(); ++loop) {
    if (feeds[loop] > 1)
      return emitError() << "[itensor.map] iteration dimension d" << loop << " is used "
                         << feeds[loop] << " times, it may feed one data dimension once";
    if (feeds[loop] == 0 && steps[loop] != 1)
      return emitError() << "[itensor.revisit] iteration dimension d" << loop
                         << " is used by no offset: a revisit has step 1, not " << steps[loop];
  }
  return success();
}

/// Checks a stated data shape and that every count fits into 62 bits.
static LogicalResult verifyDataShape(EmitError emitError, ArrayRef<int64_t> element,
                                     ArrayRef<int64_t> trips, ArrayRef<int64_t> steps,
                                     AffineMap map, ArrayRef<int64_t> stated) {
  if (!stated.empty() && stated.size() != element.size())
    return emitError() << "[itensor.of] the stated data shape has rank " << stated.size()
                       << ", the tile has rank " << element.size();
  constexpr double limit = 4e18;
  double tokens = 1, elements = 1;
  for (int64_t count : trips)
    tokens *= count;
  for (size_t dim = 0; dim < element.size(); ++dim) {
    double reach = element[dim];
    for (size_t loop = 0; loop < trips.size(); ++loop)
      if (hasLoop(map.getResult(dim), loop))
        reach += static_cast<double>(trips[loop] - 1) * steps[loop];
    if (!stated.empty() && stated[dim] < reach)
      return emitError() << "[itensor.of] the tiles reach "
                         << static_cast<int64_t>(std::min(reach, limit))
                         << " elements along data dimension " << dim
                         << ", the stated data shape has only " << stated[dim];
    elements *= stated.empty() ? reach : stated[dim];
  }
  if (tokens > limit || elements > limit)
    return emitError() << "[itensor.space] tokens or elements do not fit into 62 bits";
  return success();
}

LogicalResult ITensorType::verify(EmitError emitError, ArrayRef<int64_t> elementShape,
                                  Type elementType, ArrayRef<int64_t> trips,
                                  ArrayRef<int64_t> steps, AffineMap map,
                                  ArrayRef<int64_t> statedShape) {
  if (failed(verifyElement(emitError, elementShape, elementType)) ||
      failed(verifySpace(emitError, trips, steps)) ||
      failed(verifyMap(emitError, map, steps, elementShape.size())))
    return failure();
  return verifyDataShape(emitError, elementShape, trips, steps, map, statedShape);
}
