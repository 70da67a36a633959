//===- Lanes.h - Multiply-adds of a leaf in a cycle -------------*- C++ -*-===//

#ifndef STREAMTENSOR_SCHEDULE_LANES_H
#define STREAMTENSOR_SCHEDULE_LANES_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::schedule {

/// Scalar multiplications per iteration whose products reach an accumulation: a sum that is stored
/// where one of its terms was loaded, or a sum of lanes of one vector (a step of a reduction tree).
/// Nests that run together add up; nests that run one after the other share their operators, so
/// that the one with the most counts.
int64_t countMultiplyAddLanes(dataflow::LeafOp leaf);

/// Scalar multiply-adds of one activation: those of each nest in all of its iterations, as they are
/// carried out, padding and revisits included. Scalars have their largest values.
int64_t countMultiplyAdds(dataflow::LeafOp leaf);

} // namespace streamtensor::schedule

#endif
