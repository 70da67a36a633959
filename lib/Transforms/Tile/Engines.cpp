//===- Engines.cpp - Contractions with one set of multipliers -------------===//

#include "streamtensor/Transforms/Tile/Engines.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace streamtensor;

/// Does `op` take each element of the input for the few tokens of a pass, one after the other, and
/// for nothing else? An engine holds it for so long. Many tokens keep an array of each linear busy.
static bool takesForFewTokens(linalg::LinalgOp op, OpOperand *input) {
  constexpr int64_t fewTokens = 8;
  AffineMap map = op.getMatchingIndexingMap(input);
  auto iterators = op.getIteratorTypesArray();
  int64_t times = 1;
  for (auto [loop, extent] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (extent == 1 || map.isFunctionOfDim(loop))
      continue;
    if (iterators[loop] != utils::IteratorType::parallel)
      return false;
    times *= extent;
  }
  return times <= fewTokens;
}

/// Does it take a parameter of which each layer has its own?
static bool takesParameter(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    auto argument = dyn_cast<BlockArgument>(stripHostSteps(input->get()));
    auto function =
        dyn_cast_or_null<func::FuncOp>(argument ? argument.getOwner()->getParentOp() : nullptr);
    if (!function || !function.getArgAttr(argument.getArgNumber(), program::stackedAttrName))
      return false;
    auto kind =
        function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), program::kindAttrName);
    return kind && kind == program::parameterKind && takesForFewTokens(op, input);
  });
}

/// The operator that makes the products; empty if there are several.
static std::string getProduct(linalg::LinalgOp op, const DeviceModel &device) {
  std::string name;
  for (Operation &nested : op.getBlock()->without_terminator()) {
    if (!isa<arith::MulIOp, arith::MulFOp>(nested))
      continue;
    std::optional<Operator> found = device.operatorOf(&nested, SharedLanes::OfOne);
    if (!found || !name.empty())
      return "";
    name = found->name;
  }
  return name;
}

/// Does `op` add up floats, which it multiplies, of the sums that a contraction of `engine` gives?
/// What scales the sums of groups takes as long as what makes them.
static bool scalesSums(linalg::LinalgOp op, const Engines &engines, StringAttr engine) {
  return isContraction(op) && isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())) &&
         llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           Operation *writer = stripHostSteps(input->get()).getDefiningOp();
           return writer && engines.lookup(writer) == engine &&
                  op.getMatchingIndexingMap(input).isPermutation();
         });
}

Engines streamtensor::chooseEngines(func::FuncOp function, const DeviceModel &device,
                                    int64_t tileSize, int64_t lanes, bool allProducts) {
  Engines engines = getTokenEngine(function, device);
  if (!engines.empty())
    return engines;
  if (!program::getLayers(function))
    return allProducts ? findProductEngine(function, device, lanes)
                       : findPassEngine(function, device, tileSize, lanes);
  llvm::MapVector<StringAttr, SmallVector<Operation *>> alike;
  function.walk([&](linalg::GenericOp generic) {
    linalg::LinalgOp op = generic;
    // Sums of floats need partial sums beside the products, which keeps most of their leaf apart.
    if (!isContraction(op) || !takesParameter(op) ||
        !getElementTypeOrSelf(op->getResult(0).getType()).isInteger())
      return;
    if (std::string product = getProduct(op, device); !product.empty())
      alike[StringAttr::get(function.getContext(), product)].push_back(op);
  });
  unsigned number = 0;
  for (auto &[product, ops] : alike) {
    if (ops.size() < 2)
      continue;
    std::string name = number == 0 ? "engine" : "engine_" + std::to_string(number);
    ++number;
    auto engine = StringAttr::get(function.getContext(), name);
    for (Operation *op : ops)
      engines[op] = engine;
    SmallVector<Operation *> scaling;
    function.walk([&](linalg::GenericOp generic) {
      if (scalesSums(generic, engines, engine))
        scaling.push_back(generic);
    });
    if (scaling.size() < 2)
      continue;
    auto scales = StringAttr::get(function.getContext(), name + "_scales");
    for (Operation *op : scaling)
      engines[op] = scales;
  }
  return engines;
}
