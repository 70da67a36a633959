//===- Schedule.cpp - The operations of a program by name -----------------===//

#include "streamtensor/Transforms/Tile/Schedule.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"
#include "streamtensor/Support/Naming.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace streamtensor;

static StringRef getKind(linalg::LinalgOp op) {
  if (isContraction(op))
    return "contraction";
  return op.getNumReductionLoops() > 0 ? "reduction" : "map";
}

static std::vector<std::string> describeLoops(linalg::LinalgOp op) {
  std::vector<std::string> loops;
  for (auto [iterator, extent] :
       llvm::zip_equal(op.getIteratorTypesArray(), op.getStaticLoopRanges()))
    loops.push_back((utils::stringifyIteratorType(iterator) + " " + Twine(extent)).str());
  return loops;
}

static std::string describeBody(linalg::GenericOp op) {
  SmallVector<StringRef> names;
  for (Operation &inner : op.getBody()->without_terminator())
    names.push_back(inner.getName().getStringRef());
  return llvm::join(names, " ");
}

std::vector<std::pair<linalg::GenericOp, OperationKey>>
streamtensor::nameOperations(func::FuncOp function) {
  std::vector<std::pair<linalg::GenericOp, OperationKey>> named;
  llvm::StringMap<int64_t> count;
  for (auto op : function.getOps<linalg::GenericOp>()) {
    StringRef path = getModulePath(op.getLoc());
    std::string name = path.empty() ? "op" : path.str();
    named.push_back(
        {op, {name, count[name]++, getKind(op).str(), describeLoops(op), describeBody(op)}});
  }
  return named;
}

std::string streamtensor::getProgramDigest(func::FuncOp function) {
  constexpr int64_t largestShown = 16;
  constexpr size_t digits = 16;
  OwningOpRef<func::FuncOp> bare(function.clone());
  bare->walk([](linalg::GenericOp op) { // Without what is decided.
    op->removeDiscardableAttr(dataflow::DataflowDialect::TilingAttrHelper::getNameStr());
    op->removeDiscardableAttr(dataflow::DataflowDialect::LeastAttrHelper::getNameStr());
  });
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto flags = OpPrintingFlags().useLocalScope().elideLargeElementsAttrs(largestShown);
  bare->print(stream, flags.enableDebugInfo(false)); // whatever the command line asks for
  auto hash = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
  return llvm::toHex(hash, /*LowerCase=*/true).substr(0, digits);
}
