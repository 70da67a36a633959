//===- BindScalars.h - Designs with the values of a launch put in -*- C++ -*-===//
//
// Only the verifier and the emitter read counts, guards and maps over scalars. Whoever runs a
// design binds its scalars first and has one with numbers.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_BINDSCALARS_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_BINDSCALARS_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace streamtensor::dataflow {

/// A design whose trips, guards, maps, tests and scalar values are constants. It stands beside the
/// design that it was made of, under the same name, as long as this lives; leaves and channels come
/// in the same order. A design without scalars is taken as it is.
class BoundDesign {
public:
  /// Errors: those of `checkScalars`.
  static mlir::FailureOr<BoundDesign> bind(DesignOp design, llvm::ArrayRef<int64_t> values,
                                           mlir::Operation *op);
  BoundDesign(BoundDesign &&other)
      : design(std::exchange(other.design, {})), isClone(other.isClone) {}
  BoundDesign(const BoundDesign &) = delete;
  ~BoundDesign();

  DesignOp get() const { return design; }

private:
  BoundDesign(DesignOp design, bool isClone) : design(design), isClone(isClone) {}

  DesignOp design;
  bool isClone;
};

/// Law [launch.scalars]: one value for each scalar of `design`, within its range; else an error at
/// `op`.
mlir::LogicalResult checkScalars(DesignOp design, llvm::ArrayRef<int64_t> values,
                                 mlir::Operation *op);

/// Replaces the scalars of `design` by values within their ranges.
void bindScalars(DesignOp design, llvm::ArrayRef<int64_t> values);

/// The largest value of each scalar: what depths, blocks and buffers are made for.
llvm::SmallVector<int64_t> getLargestScalars(DesignOp design);

/// The scalars that alone say how often cycles of leaves go round.
llvm::DenseSet<mlir::Value> getRoundScalars(DesignOp design);

/// The largest again, but that cycles of leaves go round `rounds` times at most, where a scalar
/// alone says how often they do.
llvm::SmallVector<int64_t> getLargestScalars(DesignOp design, int64_t rounds);

/// Values by the names of scalars, as a user gives them.
using ScalarValues = llvm::StringMap<int64_t>;

/// Reads `tokens=5` for each of `settings`; an error names one that is no number.
llvm::Expected<ScalarValues> parseScalarValues(llvm::ArrayRef<std::string> settings);

/// What a program has for a scalar of a launch: a constant, one of its arguments, the turn of a
/// loop around the launch, or an argument plus a turn.
struct ProgramNumber {
  mlir::BlockArgument argument; ///< Null where there is none.
  mlir::BlockArgument turn;     ///< Null where there is none.
  int64_t value;                ///< Of the constant, else 0.
};
std::optional<ProgramNumber> getProgramNumber(mlir::Value value);

/// Least and largest number of turns; nothing where a loop does not go from 0 in steps of 1 to a
/// number whose range is known. `emitTurns` says so.
std::optional<std::pair<int64_t, int64_t>> getTurns(mlir::scf::ForOp loop);
mlir::LogicalResult emitTurns(mlir::scf::ForOp loop);

/// Law [launch.scalars]: the scalars of `launch` are numbers of the program, and constants and bare
/// turns lie in the ranges of the design, for any number of turns. Arguments have ranges of their
/// own, `getScalarArguments`.
mlir::LogicalResult checkScalars(LaunchOp launch);

/// An `index` argument of a program that is handed to launches as a scalar, or says how often a
/// loop over launches goes round. Its name is the argument's `streamtensor.name`, else that of the
/// design's scalar or "turns", with a number behind it if another has that name. Its range lies in
/// that of each, in the last turn of a loop, too.
struct ScalarArgument {
  unsigned argument;
  std::string name;
  int64_t low, high;
  int64_t step; ///< Values up to the same multiple of it give the same trip counts.
};
llvm::SmallVector<ScalarArgument> getScalarArguments(mlir::FunctionOpInterface entry);

/// Law [launch.scalars]: every scalar of every program of the module has values and a name of its
/// own.
mlir::LogicalResult checkScalarArguments(mlir::Operation *module);

/// A result that is an argument with new elements, `count` of them along `dim`, from the value of a
/// scalar on.
struct Update {
  unsigned result, argument, dim;
  std::string scalar;
  int64_t count;
};
llvm::SmallVector<Update> getUpdates(mlir::FunctionOpInterface entry);

/// Values of the scalars of one launch in no loop: constants, or arguments of the program, which
/// have the value given by their name, else the largest. Anything else is an error at the launch.
mlir::FailureOr<llvm::SmallVector<int64_t>> getScalars(LaunchOp launch, const ScalarValues &given);

/// The same for a design that nothing launches.
llvm::SmallVector<int64_t> getScalars(DesignOp design, const ScalarValues &given);

/// Launches in the order in which a host runs them, turn by turn of a loop, with their scalars.
struct ProgramRun {
  LaunchOp launch;
  llvm::SmallVector<int64_t> scalars;
};
mlir::FailureOr<llvm::SmallVector<ProgramRun>> getRuns(mlir::Operation *module,
                                                       const ScalarValues &given);

/// Law [launch.scalars]: every name of `given` is that of a scalar of the module, and what is one
/// of the program lies in its range.
mlir::LogicalResult checkGivenScalars(mlir::Operation *module, const ScalarValues &given);

} // namespace streamtensor::dataflow

#endif
