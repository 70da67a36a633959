//===- ProgramDialect.cpp - What a program says of itself -----------------===//

#include "streamtensor/Dialect/Program/IR/Program.h"

using namespace mlir;
using namespace streamtensor;
using namespace streamtensor::program;

#include "streamtensor/Dialect/Program/IR/ProgramDialect.cpp.inc"

void ProgramDialect::initialize() {}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

std::optional<int64_t> program::getLayers(FunctionOpInterface program) {
  auto layers = program->getAttrOfType<IntegerAttr>(layersAttrName);
  return layers ? std::optional(layers.getInt()) : std::nullopt;
}

std::optional<int64_t> program::getLoopedLayers(FunctionOpInterface program) {
  return program->hasAttr(loopedAttrName) ? getLayers(program) : std::nullopt;
}

std::optional<unsigned> program::findArgument(FunctionOpInterface program, StringAttr name) {
  for (unsigned number = 0; number < program.getNumArguments(); ++number)
    if (program.getArgAttr(number, nameAttrName) == name)
      return number;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

namespace {
/// What one attribute must be. `number` is that of the argument or the result.
struct Rule {
  StringRef name;
  bool (*holds)(Attribute value, FunctionOpInterface program, unsigned number);
  StringRef law, says;
};
} // namespace

static bool isText(Attribute value, FunctionOpInterface, unsigned) {
  return isa<StringAttr>(value);
}

static bool isFlag(Attribute value, FunctionOpInterface, unsigned) { return isa<UnitAttr>(value); }

static bool isCount(Attribute value, FunctionOpInterface, unsigned) {
  auto count = dyn_cast<IntegerAttr>(value);
  return count && count.getInt() >= 1;
}

static bool isLooped(Attribute value, FunctionOpInterface program, unsigned) {
  return isa<UnitAttr>(value) && program->hasAttr(layersAttrName);
}

static bool isFile(Attribute value, FunctionOpInterface program, unsigned) {
  return isa<StringAttr>(value) && program.isDeclaration();
}

static bool isKind(Attribute value, FunctionOpInterface, unsigned) {
  auto kind = dyn_cast<StringAttr>(value);
  return kind && (kind == inputKind || kind == parameterKind);
}

static bool isBelow(Attribute value, int64_t end) {
  auto number = dyn_cast<IntegerAttr>(value);
  return number && number.getInt() >= 0 && number.getInt() < end;
}

static bool isResult(Attribute value, FunctionOpInterface program, unsigned) {
  return isBelow(value, program.getNumResults());
}

static bool areExtents(Attribute value, FunctionOpInterface program, unsigned number) {
  auto names = dyn_cast<ArrayAttr>(value);
  auto tensor = dyn_cast<RankedTensorType>(program.getArgumentTypes()[number]);
  return names && tensor && int64_t(names.size()) == tensor.getRank() &&
         llvm::all_of(names, llvm::IsaPred<StringAttr>);
}

static bool areTurns(Attribute value, FunctionOpInterface program, unsigned number) {
  auto range = dyn_cast<DenseI64ArrayAttr>(value);
  return range && program.getArgumentTypes()[number].isIndex() && range.size() == 2 &&
         0 <= range[0] && range[0] <= range[1];
}

static bool isArgument(Attribute value, FunctionOpInterface program, unsigned number) {
  auto name = dyn_cast<StringAttr>(value);
  return name && findArgument(program, name) && program.getResultAttr(number, atAttrName);
}

static bool isPlace(Attribute value, FunctionOpInterface program, unsigned number) {
  return isa<StringAttr>(value) && program.getResultAttr(number, intoAttrName);
}

static bool isDimension(Attribute value, FunctionOpInterface program, unsigned number) {
  auto tensor = dyn_cast<RankedTensorType>(program.getResultTypes()[number]);
  return tensor && isBelow(value, tensor.getRank()) && program.getResultAttr(number, intoAttrName);
}

static constexpr Rule ofProgram[] = {
    {layersAttrName, isCount, "[layers.count]", "is the number of layers, 1 at least"},
    {loopedAttrName, isLooped, "[layers.count]", "is a flag beside 'streamtensor.layers'"},
    {programAttrName, isFile, "[program.attribute]",
     "names the file of a program, at a function without a body"}};

static constexpr Rule ofArgument[] = {
    {nameAttrName, isText, "[program.attribute]", "is a string"},
    {kindAttrName, isKind, "[program.attribute]", "is \"input\" or \"parameter\""},
    {nextAttrName, isResult, "[program.attribute]", "is the number of a result"},
    {stackedAttrName, isFlag, "[program.attribute]", "is a flag"},
    {extentsAttrName, areExtents, "[counts.extents]",
     "names the extent of each dimension, \"\" where it is fixed"},
    {rowMajorAttrName, isFlag, "[program.attribute]", "is a flag"},
    {turnsAttrName, areTurns, "[program.attribute]",
     "is the least and the largest value of an index, array<i64: 1, 32>"}};

static constexpr Rule ofResult[] = {
    {rowMajorAttrName, isFlag, "[program.attribute]", "is a flag"},
    {intoAttrName, isArgument, "[inplace.result]",
     "names the argument that the result goes into, beside 'streamtensor.at'"},
    {atAttrName, isPlace, "[inplace.result]",
     "names the scalar that says where, beside 'streamtensor.into'"},
    {alongAttrName, isDimension, "[inplace.result]",
     "is a dimension of the result, beside 'streamtensor.into'"}};

/// `place` is empty, or names the argument or the result.
static LogicalResult verify(Operation *op, ArrayRef<Rule> rules, unsigned number,
                            NamedAttribute attribute, const Twine &place) {
  auto program = dyn_cast<FunctionOpInterface>(op);
  const Rule *rule = llvm::find_if(
      rules, [&](const Rule &rule) { return attribute.getName().getValue() == rule.name; });
  if (!program || rule == rules.end())
    return op->emitOpError("[program.attribute] ")
           << place << "'" << attribute.getName().getValue() << "' does not belong here";
  if (rule->holds(attribute.getValue(), program, number))
    return success();
  return op->emitOpError(rule->law) << " " << place << "'" << rule->name << "' " << rule->says;
}

LogicalResult ProgramDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  return verify(op, ofProgram, 0, attribute, "");
}

LogicalResult ProgramDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                       NamedAttribute attribute) {
  return verify(op, ofArgument, argument, attribute, "argument " + Twine(argument) + ": ");
}

LogicalResult ProgramDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned result,
                                                          NamedAttribute attribute) {
  return verify(op, ofResult, result, attribute, "result " + Twine(result) + ": ");
}
