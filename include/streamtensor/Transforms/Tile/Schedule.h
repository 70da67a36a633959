//===- Schedule.h - The choices of a compilation as a file ------*- C++ -*-===//
//
// One entry per operation, named by the module that it comes from and its number among the
// operations of that module, with what it is (to be recognised) and what was chosen (to be edited).
// Format: docs/schedules.md.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_SCHEDULE_H
#define STREAMTENSOR_TRANSFORMS_TILE_SCHEDULE_H

#include "streamtensor/Dialect/Dataflow/IR/Tiling.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"

namespace streamtensor {

/// How a file names an operation, and by what it is known again. Readable, so that whoever edits
/// the choices sees what they are for.
struct OperationKey {
  std::string operation;          ///< Path of the PyTorch module; "op" for a program without names.
  int64_t number = 0;             ///< Among the operations with this path, in the program's order.
  std::string kind;               ///< contraction, reduction or map.
  std::vector<std::string> loops; ///< "parallel 16", "reduction 64", …
  std::string computes;           ///< The body's operations, in order.

  bool operator==(const OperationKey &other) const = default;
};

struct ScheduleEntry {
  OperationKey key;
  std::vector<int64_t> laneLoops; ///< To be read: where `unroll` may be above 1.
  std::vector<int64_t> tile, order, unroll;
  std::vector<int64_t> vector; ///< Empty: follows from the unroll factors.
  std::string engine;          ///< Empty: the operation has multipliers of its own.
  unsigned line = 1;           ///< Where the entry begins in its file.
};

struct Schedule {
  std::string device;
  std::string program;              ///< Digest of the program without its choices and its weights.
  dataflow::OddFactors odd;         ///< Of padded extents.
  std::vector<int64_t> padded = {}; ///< Extents as they were padded, in place of factors.
  int64_t tokenInputs = 0;          ///< Of an engine of a single token; 0 if there is none.
  std::vector<ScheduleEntry> entries;
};

/// The operations of `function` that have choices, in its order, with their names.
std::vector<std::pair<mlir::linalg::GenericOp, OperationKey>>
nameOperations(mlir::func::FuncOp function);

/// A digest of what `function` computes: neither choices, nor locations, nor the values of large
/// constants are part of it.
std::string getProgramDigest(mlir::func::FuncOp function);

/// As JSON, a line for each field.
std::string toJson(const Schedule &schedule);

/// The schedule in a text. Errors name the line, the entry and the field.
llvm::Expected<Schedule> parseSchedule(llvm::StringRef text);

/// The schedule in a file. Fails, with an error there, if it cannot be read.
mlir::FailureOr<Schedule> readSchedule(mlir::MLIRContext *context, llvm::StringRef file);

} // namespace streamtensor

#endif
