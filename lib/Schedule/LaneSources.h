//===- LaneSources.h - Where each lane of a value comes from ----*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_SCHEDULE_LANESOURCES_H
#define STREAMTENSOR_LIB_SCHEDULE_LANESOURCES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace streamtensor::schedule {

/// An output of hardware: of a FIFO, a memory or an operator, and the lane there.
struct LaneSource {
  const void *giver = nullptr;
  int64_t lane = 0;
  auto operator<=>(const LaneSource &) const = default;
};

/// Follows lanes through extensions and moves, which are wires, to what gives them.
class LaneSources {
public:
  using Lanes = std::vector<LaneSource>;
  /// What gives the results of an operation that is no wire.
  using Find = std::function<Lanes(mlir::Value)>;

  explicit LaneSources(Find find) : find(std::move(find)) {}
  const Lanes &get(mlir::Value value);

private:
  Lanes trace(mlir::Value value);

  Find find;
  llvm::DenseMap<mlir::Value, std::unique_ptr<Lanes>> known;
};

} // namespace streamtensor::schedule

#endif
