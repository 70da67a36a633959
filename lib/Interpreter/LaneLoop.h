//===- LaneLoop.h - Points that can run together ----------------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_LANELOOP_H
#define STREAMTENSOR_LIB_INTERPRETER_LANELOOP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor::interpreter {

/// How many points of a loop run together: the largest divisor of its extent up to 256.
int64_t getLaneWidth(int64_t extent);

/// The parallel loop along which the most points can run together, because each access is linear
/// and each result moves with the loop; none if there is no such loop.
std::optional<unsigned> chooseLaneLoop(mlir::linalg::LinalgOp op, llvm::ArrayRef<int64_t> extents);

} // namespace streamtensor::interpreter

#endif
