//===- BuildMachine.h - From a design to the machine it is ------*- C++ -*-===//

#ifndef STREAMTENSOR_SIM_BUILDMACHINE_H
#define STREAMTENSOR_SIM_BUILDMACHINE_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Sim/Machine.h"

namespace streamtensor::sim {

/// A machine and where its parts come from, by index.
struct DesignMachine {
  dataflow::DesignOp design;
  Machine machine;
  std::vector<dataflow::LeafOp> leaves;
  std::vector<dataflow::StreamOp> streams;
  std::vector<dataflow::BufferOp> buffers;
};

/// The machine that a scheduled design describes; nothing else is asked. Diagnoses leaves that are
/// not scheduled, channels without two ends and unequal numbers of tokens or blocks.
mlir::FailureOr<DesignMachine> buildMachine(dataflow::DesignOp design);

} // namespace streamtensor::sim

#endif
