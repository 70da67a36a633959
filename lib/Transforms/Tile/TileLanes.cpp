//===- TileLanes.cpp - Tiles that lanes of a budget divide ----------------===//
//
//   44 lanes, tiles of 16 x 16 x 16:  4 x 8 x 1 = 32 of them
//   44 lanes, tiles of 16 x 16 x 80:  1 x 8 x 5 = 40 of them
//
// One class of dimensions after the other gets the tile with which the slowest contraction takes
// the fewest cycles, until none gains any more.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/TileLanes.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Support/BitWidth.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace streamtensor;

/// Tiles that a class could have: half to twice the tile size, along rows whole parts of the tile
/// that it has, up to five times that size.
static SmallVector<int64_t> getCandidates(const DimensionClasses &classes, unsigned ofClass,
                                          int64_t tileSize) {
  int64_t extent = classes.getDivisible(ofClass), tile = classes.getTile(ofClass);
  bool isRow = classes.isRow(ofClass);
  int64_t step = isRow ? tile : 1;
  int64_t least = isRow ? tile : (tileSize + 1) / 2, most = (isRow ? 5 : 2) * tileSize;
  SmallVector<int64_t> candidates;
  for (int64_t next = step; next <= std::min(extent, most); next += step)
    if (next >= least && next != tile && extent % next == 0)
      candidates.push_back(next);
  return candidates;
}

/// Cycles in which all channels bring what contractions take from external memory, each tensor
/// once.
static int64_t getCyclesOfMemory(func::FuncOp function, const DeviceModel &device) {
  llvm::SetVector<Value> tensors;
  for (auto op : function.getOps<linalg::GenericOp>())
    if (isContraction(op))
      for (OpOperand *input : getDataInputs(op))
        if (Value source = stripHostSteps(input->get()); isExternal(source))
          tensors.insert(source);
  int64_t bits = 0;
  for (Value tensor : tensors) {
    auto type = cast<ShapedType>(tensor.getType());
    bits += type.getNumElements() * getBitWidth(type.getElementType());
  }
  return bits / (8 * device.getBytesOfCycle() * device.externalMemory().channels);
}

void streamtensor::suitTilesToLanes(func::FuncOp function, DimensionClasses &classes,
                                    const DeviceModel &device, int64_t tileSize,
                                    const LaneLimits &limits) {
  SmallVector<unsigned> free = classes.getFreeClasses(function);
  SmallVector<int64_t> before =
      llvm::map_to_vector(free, [&](unsigned each) { return classes.getTile(each); });
  auto first = getContractionCycles(function, classes, device, limits), best = first;
  for (bool gains = true; gains;) {
    gains = false;
    for (unsigned each : free) {
      int64_t chosen = classes.getTile(each);
      for (int64_t candidate : getCandidates(classes, each, tileSize)) {
        classes.setTile(each, candidate);
        if (auto cycles = getContractionCycles(function, classes, device, limits); cycles < best) {
          best = cycles;
          chosen = candidate;
          gains = true;
        }
      }
      classes.setTile(each, chosen);
    }
  }
  int64_t least = std::max(best.first, getCyclesOfMemory(function, device));
  if (least < first.first)
    return;
  for (auto [each, tile] : llvm::zip_equal(free, before))
    classes.setTile(each, tile);
}
