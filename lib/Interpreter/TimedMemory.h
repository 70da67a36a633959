//===- TimedMemory.h - A private memory of overlapping iterations -*- C++ -*-===//
//
// Iterations are executed one after the other, but a load gets what the memory would hold at
// its own time, when iterations begin every interval and each access happens at its stage: a
// value of an earlier iteration may not have arrived yet. With a right schedule nothing changes.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_TIMEDMEMORY_H
#define STREAMTENSOR_LIB_INTERPRETER_TIMEDMEMORY_H

#include "streamtensor/Interpreter/Array.h"
#include "streamtensor/Interpreter/Interpreter.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace streamtensor::interpreter {

class TimedMemory {
public:
  explicit TimedMemory(const Array &array);

  /// What `place` holds in cycle `time`.
  const Word &read(int64_t place, int64_t time);

  /// From cycle `time` on `place` holds `value`. False if an access that comes before in the
  /// program reads the place in that cycle or later. No access before cycle `now` follows.
  bool write(int64_t place, int64_t time, int64_t now, const Word &value);

private:
  struct Place {
    /// Values with the cycles from which they can be read, in the order of the cycles.
    llvm::SmallVector<std::pair<int64_t, Word>, 2> values;
    int64_t lastRead;
  };
  std::vector<Place> places;
};

/// Time in a leaf whose iterations overlap as its schedule says.
struct PipelineTime {
  int64_t issue = 0; ///< Of the iteration that runs, in cycles.
  int64_t depth = 0; ///< Of its pipeline.
  llvm::DenseMap<mlir::Value, std::shared_ptr<TimedMemory>> memories;

  TimedMemory &getMemory(mlir::Value value, const Array &array) {
    std::shared_ptr<TimedMemory> &memory = memories[value];
    if (!memory)
      memory = std::make_shared<TimedMemory>(array);
    return *memory;
  }
};

} // namespace streamtensor::interpreter

#endif
