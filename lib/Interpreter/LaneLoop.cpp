//===- LaneLoop.cpp - Points that can run together ------------------------===//

#include "LaneLoop.h"

#include "OperandAccess.h"

using namespace mlir;
using namespace streamtensor::interpreter;

/// Points that run together, at most: their registers stay in the first cache.
constexpr int64_t maxWidth = 256;

int64_t streamtensor::interpreter::getLaneWidth(int64_t extent) {
  int64_t width = std::min(extent, maxWidth);
  while (extent % width != 0)
    --width;
  return width;
}

std::optional<unsigned> streamtensor::interpreter::chooseLaneLoop(linalg::LinalgOp op,
                                                                  ArrayRef<int64_t> extents) {
  SmallVector<OperandAccess> accesses;
  for (OpOperand &operand : op->getOpOperands())
    accesses.push_back(OperandAccess::create(operand, op));
  if (llvm::any_of(accesses, [](const OperandAccess &access) { return access.place; }))
    return std::nullopt;
  std::optional<unsigned> choice;
  auto iterators = op.getIteratorTypesArray();
  for (unsigned loop = 0; loop < extents.size(); ++loop) {
    bool moves = llvm::all_of(ArrayRef(accesses).drop_front(op.getNumDpsInputs()),
                              [&](const OperandAccess &access) { return access.steps[loop] != 0; });
    if (iterators[loop] == utils::IteratorType::parallel && moves && extents[loop] > 0 &&
        (!choice || getLaneWidth(extents[loop]) > getLaneWidth(extents[*choice])))
      choice = loop;
  }
  return choice;
}
