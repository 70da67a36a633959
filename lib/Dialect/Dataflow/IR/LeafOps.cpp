//===- LeafOps.cpp - Building, parsing and printing leaf tasks ------------===//

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace streamtensor::dataflow;

void LeafOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   ArrayRef<int64_t> trips, ValueRange reads, ArrayRef<int64_t> readLevels,
                   ValueRange writes, ArrayRef<int64_t> writeLevels, Role role,
                   TypeRange privates) {
  state.addOperands(reads);
  state.addOperands(writes);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {static_cast<int32_t>(reads.size()),
                                    static_cast<int32_t>(writes.size()), 0};
  properties.name = builder.getStringAttr(name);
  properties.trips = builder.getDenseI64ArrayAttr(trips);
  properties.readLevels = builder.getDenseI64ArrayAttr(readLevels);
  properties.writeLevels = builder.getDenseI64ArrayAttr(writeLevels);
  properties.role = RoleAttr::get(builder.getContext(), role);
  Block &block = state.addRegion()->emplaceBlock();
  for (size_t loop = 0; loop < trips.size(); ++loop)
    block.addArgument(builder.getIndexType(), state.location);
  for (Type type : privates)
    block.addArgument(type, state.location);
}

StorageAttr LeafOp::getStorageOf(Value memory) {
  if (auto buffer = memory.getDefiningOp<BufferOp>())
    return buffer.getStorageAttr();
  auto argument = dyn_cast<BlockArgument>(memory);
  if (!argument || !getStorages())
    return {};
  return cast<StorageAttr>(getStoragesAttr()[argument.getArgNumber() - getNumLoops()]);
}

SmallVector<int64_t> BufferOp::getPartition() {
  if (getStorage() && !getStorage()->getPartition().empty())
    return SmallVector<int64_t>(getStorage()->getPartition());
  return SmallVector<int64_t>(getType().getShape().size(), 1);
}

int64_t LeafOp::getSerialLevel() {
  int64_t level = getSerial();
  for (int64_t acquire : llvm::concat<const int64_t>(getReadLevels(), getWriteLevels()))
    level = std::max(level, acquire);
  return level;
}

//===----------------------------------------------------------------------===//
// dataflow.leaf "name" compute [36, 16] reads(%b at 1 : type) writes(...) {
//   ^bb0(...)
//===----------------------------------------------------------------------===//

static ParseResult parseAcquires(OpAsmParser &parser, StringRef keyword,
                                 SmallVectorImpl<OpAsmParser::UnresolvedOperand> &buffers,
                                 SmallVectorImpl<int64_t> &levels, SmallVectorImpl<Type> &types) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&]() -> ParseResult {
    return failure(parser.parseOperand(buffers.emplace_back()) || parser.parseKeyword("at") ||
                   parser.parseInteger(levels.emplace_back()) ||
                   parser.parseColonType(types.emplace_back()));
  });
}

/// `counts affine_map<()[s0] -> (s0 ceildiv 4, 16)> (%n)`
static ParseResult parseCounts(OpAsmParser &parser, StringAttr name, NamedAttrList &attributes,
                               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &scalars) {
  if (failed(parser.parseOptionalKeyword("counts")))
    return success();
  AffineMapAttr counts;
  if (parser.parseAttribute(counts, name, attributes))
    return failure();
  return parser.parseOperandList(scalars, AsmParser::Delimiter::Paren);
}

ParseResult LeafOp::parse(OpAsmParser &parser, OperationState &result) {
  std::string name;
  StringRef roleName;
  SmallVector<int64_t> trips, readLevels, writeLevels;
  SmallVector<OpAsmParser::UnresolvedOperand> reads, writes, scalars;
  NamedAttrList attributes;
  SmallVector<Type> readTypes, writeTypes;
  llvm::SMLoc roleLoc;
  if (parser.parseString(&name) || parser.getCurrentLocation(&roleLoc) ||
      parser.parseKeyword(&roleName))
    return failure();
  std::optional<Role> role = symbolizeRole(roleName);
  if (!role)
    return parser.emitError(roleLoc, "unknown role '") << roleName << "'";
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&]() -> ParseResult { return parser.parseInteger(trips.emplace_back()); }) ||
      parseCounts(parser, getCountsAttrName(result.name), attributes, scalars) ||
      parseAcquires(parser, "reads", reads, readLevels, readTypes) ||
      parseAcquires(parser, "writes", writes, writeLevels, writeTypes))
    return failure();
  llvm::SMLoc attributesLoc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDictWithKeyword(attributes))
    return failure();
  SmallVector<Value> operands;
  if (parser.resolveOperands(reads, readTypes, roleLoc, operands) ||
      parser.resolveOperands(writes, writeTypes, roleLoc, operands) ||
      parser.resolveOperands(scalars, parser.getBuilder().getIndexType(), operands))
    return failure();
  result.addOperands(operands);
  Builder &builder = parser.getBuilder();
  attributes.set(getNameAttrName(result.name), builder.getStringAttr(name));
  attributes.set(getRoleAttrName(result.name), RoleAttr::get(builder.getContext(), *role));
  attributes.set(getTripsAttrName(result.name), builder.getDenseI64ArrayAttr(trips));
  attributes.set(getReadLevelsAttrName(result.name), builder.getDenseI64ArrayAttr(readLevels));
  attributes.set(getWriteLevelsAttrName(result.name), builder.getDenseI64ArrayAttr(writeLevels));
  attributes.set(getOperandSegmentSizesAttrName(result.name),
                 builder.getDenseI32ArrayAttr({static_cast<int32_t>(reads.size()),
                                               static_cast<int32_t>(writes.size()),
                                               static_cast<int32_t>(scalars.size())}));
  for (StringAttr field :
       {getIiAttrName(result.name), getDepthAttrName(result.name), getSerialAttrName(result.name)})
    if (Attribute value = attributes.get(field); value && !isa<IntegerAttr>(value))
      return parser.emitError(attributesLoc, "'") << field.getValue() << "' must be an integer";
  result.addAttributes(attributes);
  return parser.parseRegion(*result.addRegion());
}

static void printAcquires(OpAsmPrinter &printer, StringRef keyword, OperandRange buffers,
                          ArrayRef<int64_t> levels) {
  if (buffers.empty())
    return;
  printer << ' ' << keyword << '(';
  llvm::interleaveComma(llvm::zip_equal(buffers, levels), printer, [&](auto pair) {
    auto [buffer, level] = pair;
    printer << buffer << " at " << level << " : " << buffer.getType();
  });
  printer << ')';
}

void LeafOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printAttributeWithoutType(getNameAttr());
  printer << ' ' << stringifyRole(getRole()) << " [";
  llvm::interleaveComma(getTrips(), printer);
  printer << ']';
  if (std::optional<AffineMap> counts = getCounts()) {
    printer << " counts affine_map<";
    counts->print(printer.getStream());
    printer << "> (" << getScalars() << ')';
  }
  printAcquires(printer, "reads", getReads(), getReadLevels());
  printAcquires(printer, "writes", getWrites(), getWriteLevels());
  SmallVector<StringRef> elided = {getNameAttrName(),        getRoleAttrName(),
                                   getTripsAttrName(),       getReadLevelsAttrName(),
                                   getWriteLevelsAttrName(), getOperandSegmentSizesAttrName(),
                                   getCountsAttrName()};
  if (getIi() == 0)
    elided.push_back(getIiAttrName());
  if (getDepth() == 0)
    elided.push_back(getDepthAttrName());
  if (getSerial() == 0)
    elided.push_back(getSerialAttrName());
  if (getStyle() == PipelineStyle::Flp)
    elided.push_back(getStyleAttrName());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), elided);
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/true, /*printBlockTerminators=*/false);
}
