//===- TokenEnumeration.h - Itensor types by brute force --------*- C++ -*-===//
//
// What the algebra computes in closed form, enumerated token by token and element
// by element, and generators of random types. Shares no code with the algebra.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_UNITTESTS_DIALECT_ITENSOR_TOKENENUMERATION_H
#define STREAMTENSOR_UNITTESTS_DIALECT_ITENSOR_TOKENENUMERATION_H

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace streamtensor::itensor::test {

using Index = std::vector<int64_t>;
using Sequence = std::vector<Index>;

/// A loop as the tests write it: trips, step, data dimension or -1.
struct PlainLoop {
  int64_t trips, step;
  int dim;
};

inline ITensorType makeType(mlir::MLIRContext &context, const std::vector<int64_t> &element,
                            const std::vector<PlainLoop> &loops,
                            const std::vector<int64_t> &stated = {}) {
  std::vector<int64_t> trips, steps;
  std::vector<mlir::AffineExpr> results(element.size(), mlir::getAffineConstantExpr(0, &context));
  for (const PlainLoop &loop : loops) {
    if (loop.dim >= 0)
      results[loop.dim] = results[loop.dim] + mlir::getAffineDimExpr(trips.size(), &context);
    trips.push_back(loop.trips);
    steps.push_back(loop.step);
  }
  auto map = mlir::AffineMap::get(trips.size(), 0, results, &context);
  return ITensorType::get(&context, element, mlir::Float32Type::get(&context), trips, steps, map,
                          stated);
}

/// Calls `visit` with every point of a box of `extents`, last dimension fastest.
template <typename Visit> void forEachPoint(llvm::ArrayRef<int64_t> extents, Visit visit) {
  Index point(extents.size(), 0);
  while (true) {
    visit(point);
    size_t dim = extents.size();
    while (dim > 0 && ++point[dim - 1] == extents[dim - 1])
      point[--dim] = 0;
    if (dim == 0)
      return;
  }
}

inline Index add(const Index &a, const Index &b) {
  Index sum(a);
  for (size_t i = 0; i < sum.size(); ++i)
    sum[i] += b[i];
  return sum;
}

inline int64_t linearize(const Index &index, llvm::ArrayRef<int64_t> shape) {
  int64_t result = 0;
  for (size_t i = 0; i < index.size(); ++i)
    result = result * shape[i] + index[i];
  return result;
}

/// The tile offset at an iteration point (a trip number per loop), by the map.
inline Index getOffset(ITensorType type, const Index &point) {
  llvm::SmallVector<int64_t> scaled;
  for (size_t loop = 0; loop < point.size(); ++loop)
    scaled.push_back(point[loop] * type.getSteps()[loop]);
  llvm::SmallVector<int64_t> offset = type.getMap().compose(scaled);
  return Index(offset.begin(), offset.end());
}

/// The offsets of all tokens in the order in which they flow.
inline Sequence getTokens(ITensorType type) {
  Sequence tokens;
  forEachPoint(type.getTrips(),
               [&](const Index &point) { tokens.push_back(getOffset(type, point)); });
  return tokens;
}

/// The elements of the tokens, row-major within each, as linear indices.
inline std::vector<int64_t> getElements(ITensorType type) {
  std::vector<int64_t> elements;
  llvm::SmallVector<int64_t> shape = type.getDataShape();
  for (const Index &offset : getTokens(type))
    forEachPoint(type.getElementShape(), [&](const Index &inner) {
      elements.push_back(linearize(add(offset, inner), shape));
    });
  return elements;
}

//===----------------------------------------------------------------------===//
// Random types
//===----------------------------------------------------------------------===//

inline int64_t draw(int64_t low, int64_t high) { return *rc::gen::inRange(low, high + 1); }

inline int64_t drawDivisor(int64_t value) {
  std::vector<int64_t> divisors;
  for (int64_t divisor = 1; divisor <= value; ++divisor)
    if (value % divisor == 0)
      divisors.push_back(divisor);
  return *rc::gen::elementOf(divisors);
}

template <typename T> void shuffle(std::vector<T> &values) {
  for (size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[draw(0, i - 1)]);
}

/// Loops that tile `extent` by `tile` exactly: one per random factor.
inline std::vector<PlainLoop> drawTiling(int64_t extent, int64_t tile, int dim) {
  std::vector<PlainLoop> loops;
  for (int64_t step = tile; step < extent;) {
    int64_t trips = drawDivisor(extent / step);
    if (trips > 1 || draw(0, 3) == 0)
      loops.push_back({trips, step, dim});
    step *= trips;
  }
  return loops;
}

/// An exact cover of `shape`: random tiles, factors and loop order.
inline ITensorType drawExactCover(mlir::MLIRContext &context, const std::vector<int64_t> &shape) {
  std::vector<int64_t> element;
  std::vector<PlainLoop> loops;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    element.push_back(drawDivisor(shape[dim]));
    for (PlainLoop loop : drawTiling(shape[dim], element.back(), dim))
      loops.push_back(loop);
  }
  shuffle(loops);
  return makeType(context, element, loops);
}

inline std::vector<int64_t> drawShape(int64_t maximumRank) {
  std::vector<int64_t> shape(draw(0, maximumRank));
  for (int64_t &extent : shape)
    extent = *rc::gen::element<int64_t>(1, 2, 3, 4, 6, 8, 12);
  return shape;
}

} // namespace streamtensor::itensor::test

#endif
