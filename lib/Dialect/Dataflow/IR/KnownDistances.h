//===- KnownDistances.h - Reuse distances found before ----------*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_IR_KNOWNDISTANCES_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_IR_KNOWNDISTANCES_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::dataflow {

/// The dialect keeps what the integer programs of reuse distances gave.
void addKnownDistances(DataflowDialect &dialect);

} // namespace streamtensor::dataflow

#endif
