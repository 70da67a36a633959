//===- ITensorType.cpp - Parsing, printing, facts and laws of itensors ----===//

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

using namespace mlir;
using namespace streamtensor::itensor;

static ParseResult parseIntegerList(AsmParser &parser, SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
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
      parser.parseType(elementType) || parser.parseComma() ||
      parser.parseKeyword("iter_space") || parser.parseColon() ||
      parseIntegerList(parser, trips) || parser.parseStar() ||
      parseIntegerList(parser, steps) || parser.parseComma() ||
      parser.parseKeyword("iter_map") || parser.parseColon() ||
      parser.parseAffineMap(map))
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

SmallVector<unsigned> ITensorType::getLoopsOf(unsigned dim) const {
  SmallVector<unsigned> loops;
  AffineExpr result = getMap().getResult(dim);
  for (unsigned loop = 0; loop < getIterRank(); ++loop)
    if (result.isFunctionOfDim(loop))
      loops.push_back(loop);
  return loops;
}

std::optional<unsigned> ITensorType::getDataDimOf(unsigned loop) const {
  for (unsigned dim = 0; dim < getDataRank(); ++dim)
    if (getMap().getResult(dim).isFunctionOfDim(loop))
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

LogicalResult ITensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> elementShape, Type elementType,
                                  ArrayRef<int64_t> trips, ArrayRef<int64_t> steps, AffineMap map,
                                  ArrayRef<int64_t> statedShape) {
  if (trips.size() != steps.size())
    return emitError() << "iteration space has " << trips.size() << " trip counts but "
                       << steps.size() << " steps";
  if (map.getNumDims() != trips.size() || map.getNumResults() != elementShape.size())
    return emitError() << "iteration map must take " << trips.size() << " dimensions to "
                       << elementShape.size() << " offsets";
  return success();
}
