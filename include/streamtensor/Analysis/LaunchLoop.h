//===- LaunchLoop.h - Launches that one kernel makes in turn ----*- C++ -*-===//
//
// A loop of a program over launches is one kernel: a host starts it once, and it calls its designs
// one after the other, turn by turn. Tensors that a turn hands to the next stay where they lie, so
// each has one place in memory, whatever values of the program stand for it.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_ANALYSIS_LAUNCHLOOP_H
#define STREAMTENSOR_ANALYSIS_LAUNCHLOOP_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace streamtensor {

class LaunchLoop {
public:
  /// A place in memory: what is there before the loop and after it.
  struct Tensor {
    mlir::Value given; ///< Null where nothing is: the loop was given a `tensor.empty`.
    mlir::Value left;  ///< A result of the loop; null where the launches only read.
  };

  /// Law [launch.loop]: launches, loops around them and reshapes, each tensor in one place, no
  /// launch that reads where it writes anew or writes two values into one place, and nothing read
  /// that was overwritten. Law [launch.scalars], for any number of turns.
  static mlir::FailureOr<LaunchLoop> read(mlir::scf::ForOp loop);

  mlir::scf::ForOp getLoop() const { return loop; }
  /// In the order in which a turn runs them.
  llvm::ArrayRef<dataflow::LaunchOp> getLaunches() const { return launches; }
  /// Those only read come first, then those read and written, then those that begin with nothing.
  llvm::ArrayRef<Tensor> getTensors() const { return tensors; }
  /// The place of a value of the program, by its number among the tensors.
  unsigned getTensor(mlir::Value value) const { return places.at(value); }
  /// What lies where a launch writes a result that is not one of its operands: what it does not
  /// write of it stays.
  mlir::Value getOverwritten(mlir::OpResult result) const { return overwritten.lookup(result); }

  /// Arguments of the program that launches of the loop have for scalars, or that say how often it
  /// goes round; in their order.
  llvm::SmallVector<mlir::BlockArgument> getNumbers() const;

private:
  friend class LaunchLoopReader;

  mlir::scf::ForOp loop;
  llvm::SmallVector<dataflow::LaunchOp> launches;
  llvm::SmallVector<Tensor> tensors;
  llvm::DenseMap<mlir::Value, unsigned> places;
  llvm::DenseMap<mlir::Value, mlir::Value> overwritten;
};

/// The loop of the program that a launch is in; the outermost one. Null where it is in none.
mlir::scf::ForOp getOutermostLoop(dataflow::LaunchOp launch);

} // namespace streamtensor

#endif
