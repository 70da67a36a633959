//===- MatrixRows.cpp - Rows of matrices that come at once ----------------===//
//
// A product of a matrix and a vector takes as long as memory brings the matrix. All masters bring
// 32 words in a cycle; a tile of 16 rows has 16 words. So the tile has as many rows as masters are
// left for its matrix: 30 for one matrix beside a vector and a result, 14 for two that are needed
// at the same time. Those of a chain of products are needed one after the other.
//
// A channel sustains less than a master moves. Where lanes leave masters, words come in halves over
// twice as many (StripeLoads.cpp): 15 rows over 30 masters come sooner than 16 over 16.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/Tile/MatrixRows.h"

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Analysis/SharedReads.h"
#include "streamtensor/Support/BitWidth.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace streamtensor;

int64_t streamtensor::getLargestDivisor(int64_t extent, int64_t limit) {
  for (int64_t divisor = std::min(extent, limit); divisor > 1; --divisor)
    if (extent % divisor == 0)
      return divisor;
  return 1;
}

/// Elements of `tensor` in a word of memory.
static int64_t getWord(Value tensor, const DeviceModel &device) {
  int64_t bits = getBitWidth(getElementTypeOrSelf(tensor.getType()));
  return device.port().getElements(bits);
}

/// The matrix in memory that `op` multiplies with a vector, or none.
static Value findMatrix(linalg::GenericOp op, const DeviceModel &device) {
  for (OpOperand *input : getDataInputs(op)) {
    Value tensor = input->get();
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    if (type && type.getRank() == 2 && isExternal(tensor) &&
        llvm::is_contained(getReadsOnce(tensor), input) &&
        op.getMatchingIndexingMap(input).isProjectedPermutation() &&
        type.getDimSize(1) >= getWord(tensor, device))
      return tensor;
  }
  return {};
}

/// Masters beside those of `matrices`: for each result, and for each operation that takes an
/// argument.
static int64_t countOthers(func::FuncOp function, const llvm::SetVector<Value> &matrices) {
  int64_t others = function.getNumResults();
  for (auto op : function.getOps<linalg::GenericOp>())
    others += llvm::count_if(getDataInputs(op), [&](OpOperand *input) {
      Value tensor = stripHostSteps(input->get());
      return isa<BlockArgument>(tensor) && !matrices.contains(tensor);
    });
  return others;
}

namespace {
/// The matrices of the products of a function, as the host has them.
struct Matrices {
  llvm::SetVector<Value> all;
  llvm::DenseMap<Value, llvm::DenseSet<Value>> related; ///< One computes with what the other gave.

  void relate(Value matrix, Value other) {
    related[matrix].insert(other);
    related[other].insert(matrix);
  }
  int64_t countBeside(Value matrix) const { return all.size() - related.lookup(matrix).size(); }
};
} // namespace

static Matrices collectMatrices(func::FuncOp function,
                                const llvm::MapVector<Operation *, Value> &matrixOf) {
  Matrices matrices;
  llvm::DenseMap<Operation *, llvm::DenseSet<Value>> before; // An operation, itself included.
  for (Operation &op : function.getBody().front()) {
    llvm::DenseSet<Value> &own = before[&op];
    for (Value operand : op.getOperands())
      if (Operation *writer = operand.getDefiningOp())
        own.insert_range(llvm::DenseSet<Value>(before.lookup(writer)));
    Value matrix = matrixOf.lookup(&op);
    if (!matrix)
      continue;
    matrix = stripHostSteps(matrix);
    matrices.all.insert(matrix);
    for (Value other : own)
      if (other != matrix)
        matrices.relate(matrix, other);
    own.insert(matrix);
  }
  return matrices;
}

int64_t streamtensor::getRowsAtOnce(int64_t extent, int64_t words, const MatrixRows &rows) {
  int64_t whole = getLargestDivisor(extent, rows.most / words);
  int64_t inHalves = getLargestDivisor(extent, std::min(whole, rows.mostInHalves / words));
  return whole * rows.sustained < inHalves ? inHalves : whole;
}

SmallVector<MatrixRows> streamtensor::findMatrixRows(func::FuncOp function,
                                                     const DeviceModel &device, int64_t tileSize,
                                                     int64_t lanes, int64_t lanesOfTask) {
  llvm::MapVector<Operation *, Value> found;
  for (auto op : function.getOps<linalg::GenericOp>()) {
    if (!isContraction(op))
      continue;
    if (Value matrix = findMatrix(op, device))
      found[op] = matrix;
    else if (getSummedProduct(op))
      return {};
  }
  Matrices matrices = collectMatrices(function, found);
  int64_t masters = device.externalMemory().masters - countOthers(function, matrices.all);
  double sustained = std::min(1.0, 8 * device.getBytesOfCycle() / device.port().bits);
  llvm::MapVector<Value, MatrixRows> rows;
  for (auto [op, matrix] : found) {
    int64_t word = getWord(matrix, device);
    int64_t ofMatrix = masters / matrices.countBeside(stripHostSteps(matrix));
    int64_t most = std::min({ofMatrix, lanes / int64_t(found.size()) / word, lanesOfTask / word});
    if (most < 1 || 2 * most < tileSize)
      return {};
    rows.insert({matrix, {matrix, most, ofMatrix / 2, sustained, word}});
  }
  return llvm::map_to_vector(rows, [](const auto &entry) { return entry.second; });
}
