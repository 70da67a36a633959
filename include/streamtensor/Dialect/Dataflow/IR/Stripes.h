//===- Stripes.h - What accesses to striped ports move ----------*- C++ -*-===//
//
// An access to a port that is striped over several interfaces moves whole rows, of which each
// stripe holds a part, or stores the part of a row that one of the stripes holds.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_STRIPES_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_STRIPES_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::dataflow {

/// The stripes that an access to a port moves in an iteration: all of the port's, or one.
int64_t countMovedStripes(AccessOpInterface access);

/// What it moves of each of them.
llvm::SmallVector<int64_t> getStripeBox(AccessOpInterface access);

/// Where the first element of that lies within its stripe.
mlir::AffineMap getStripePlace(AccessOpInterface access);

/// The stripe that it moves, by the loops around it; null if it moves all of them.
mlir::AffineExpr getMovedStripe(AccessOpInterface access);

} // namespace streamtensor::dataflow

#endif
