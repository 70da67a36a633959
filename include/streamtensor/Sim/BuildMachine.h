//===- BuildMachine.h - From a design to the machine it is ------*- C++ -*-===//

#ifndef STREAMTENSOR_SIM_BUILDMACHINE_H
#define STREAMTENSOR_SIM_BUILDMACHINE_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Sim/Machine.h"

namespace streamtensor::sim {

/// A machine and where its parts come from, by index.
struct DesignMachine {
  Machine machine;
  std::vector<dataflow::LeafOp> leaves;
  std::vector<dataflow::StreamOp> streams;
  std::vector<dataflow::BufferOp> buffers;
};

/// Needs scheduled leaves (`ii`, `depth`, stages). Diagnoses channels without two
/// ends and unequal numbers of tokens or blocks.
mlir::FailureOr<DesignMachine> buildMachine(dataflow::DesignOp design, const DeviceModel &device);

} // namespace streamtensor::sim

#endif
