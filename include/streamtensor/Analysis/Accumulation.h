//===- Accumulation.h - How sums are carried --------------------*- C++ -*-===//

#ifndef STREAMTENSOR_ANALYSIS_ACCUMULATION_H
#define STREAMTENSOR_ANALYSIS_ACCUMULATION_H

#include "streamtensor/Device/DeviceModel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor {

/// The binary operation that adds a point to each result's accumulator; none if the body of one
/// is more than that.
llvm::SmallVector<mlir::Operation *> findCombiners(mlir::linalg::GenericOp generic);

/// Cycles from reading an accumulator in LUT memory until its new value may be read, slack of
/// floats included: as many points must lie between two additions to one element. Fails, with a
/// diagnostic, on a combiner that the device cannot price.
mlir::FailureOr<int64_t> getAccumulateCycles(llvm::ArrayRef<mlir::Operation *> combiners,
                                             const DeviceModel &device);

} // namespace streamtensor

#endif
