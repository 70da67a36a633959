//===- VitisCores.cpp - Operations that pragma bind_op binds --------------===//

#include "streamtensor/Device/VitisCores.h"

#include "streamtensor/Device/ScalarOperations.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace streamtensor {
namespace {

struct Core {
  StringLiteral operation, implementation;
  int64_t mostCycles;
};

constexpr Core cores[] = {
#define VITIS_CORE(operation, implementation, most) {#operation, #implementation, most},
#include "streamtensor/Device/VitisCores.def"
};

/// An operation with the word in what bind_op calls it. Functions of half are computed in float
/// (st_math.h), so that only those with a sign in C++ are operations of half.
struct Bound {
  StringLiteral operation, word;
  bool isSign;
};

constexpr Bound bounds[] = {{"arith.addf", "add", true},  {"arith.subf", "sub", true},
                            {"arith.mulf", "mul", true},  {"arith.divf", "div", true},
                            {"math.exp", "exp", false},   {"math.log", "log", false},
                            {"math.sqrt", "sqrt", false}, {"math.rsqrt", "rsqrt", false}};

} // namespace

/// Empty for types whose operations have no name.
static StringRef getLetter(StringRef typeName) {
  return llvm::StringSwitch<StringRef>(typeName)
      .Case("f16", "h")
      .Case("f32", "f")
      .Case("f64", "d")
      .Default("");
}

static std::string getName(const Bound &bound, StringRef typeName) {
  StringRef letter = getLetter(typeName);
  bool isBound = !letter.empty() && (bound.isSign || letter != "h");
  return isBound ? (letter + bound.word).str() : "";
}

std::string getVitisOperation(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (op->getNumResults() != 1)
    return "";
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (name == "arith.muli") // of single bits a conjunction
    return type.isInteger(1) ? "" : "mul";
  const Bound *bound = llvm::find_if(bounds, [&](const Bound &b) { return b.operation == name; });
  if (bound == std::end(bounds))
    return "";
  std::string typeName;
  llvm::raw_string_ostream(typeName) << type;
  return getName(*bound, typeName);
}

std::vector<std::string> getVitisOperations(StringRef operatorName) {
  auto [kind, typeName] = operatorName.rsplit('_');
  if (operatorName == "mul_int")
    return {"mul"};
  std::vector<std::string> names;
  for (const Bound &bound : bounds)
    if (getOperatorKind(bound.operation) == kind)
      if (std::string name = getName(bound, typeName); !name.empty())
        names.push_back(name);
  return names;
}

std::optional<int64_t> getMostCycles(StringRef operation, StringRef implementation) {
  for (const Core &core : cores)
    if (core.operation == operation && core.implementation == implementation)
      return core.mostCycles;
  return std::nullopt;
}

std::string listImplementations(StringRef operation) {
  std::vector<StringRef> found;
  for (const Core &core : cores)
    if (core.operation == operation)
      found.push_back(core.implementation);
  return llvm::join(found, ", ");
}

} // namespace streamtensor
