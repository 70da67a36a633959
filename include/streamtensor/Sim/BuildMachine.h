//===- BuildMachine.h - From a design to the machine it is ------*- C++ -*-===//

#ifndef STREAMTENSOR_SIM_BUILDMACHINE_H
#define STREAMTENSOR_SIM_BUILDMACHINE_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Sim/Machine.h"

namespace streamtensor::sim {

/// A machine and where its parts come from, by index.
struct DesignMachine {
  dataflow::DesignOp design;
  std::vector<int64_t> scalars; // values that the machine was made for
  Machine machine;
  std::vector<dataflow::LeafOp> leaves;
  std::vector<dataflow::StreamOp> streams;
  std::vector<dataflow::BufferOp> buffers;
};

/// The machine that a scheduled design describes; nothing else is asked. Diagnoses leaves that are
/// not scheduled, channels without two ends and unequal numbers of tokens or blocks. The scalars
/// have their largest values.
mlir::FailureOr<DesignMachine> buildMachine(dataflow::DesignOp design);
/// The same for these values of the scalars.
mlir::FailureOr<DesignMachine> buildMachine(dataflow::DesignOp design,
                                            llvm::ArrayRef<int64_t> scalars);

} // namespace streamtensor::sim

#endif
