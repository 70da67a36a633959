//===- KernelModel.h - What a host starts by itself -------------*- C++ -*-===//
//
// A design, or the designs that a loop of the program launches in turn. It is one kernel of a
// binary; a design that is cut is one for each die, and all are started together.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_TARGET_HLSCPP_KERNELMODEL_H
#define STREAMTENSOR_TARGET_HLSCPP_KERNELMODEL_H

#include "streamtensor/Analysis/LaunchLoop.h"
#include "streamtensor/Target/HLSCpp/DesignModel.h"

namespace streamtensor::target {

/// An argument of a kernel's top function: an argument of one of its designs.
struct KernelArgument {
  PortArgument *argument;
  std::string name, bundle;
  /// Where the host has the tensor; in a loop it may be the channel of another design.
  dataflow::ChannelOp channel;

  /// As the binary names it: `HBM[3]`.
  std::string memory() const;
};

/// A tensor that the host hands to a kernel.
struct KernelPort {
  std::string name;
  dataflow::Direction direction;
  /// How it lies in memory: as every design has it that reads or writes it.
  dataflow::PortOp port;
  /// Places among the arguments of the top function.
  llvm::SmallVector<unsigned> arguments;
};

/// A number that the host hands to a kernel, behind the tensors.
struct KernelScalar {
  std::string name;  ///< In C++.
  std::string label; ///< As the program calls it.
  int64_t low, high;
};

/// A kernel of a binary: all that the host starts, or what of it lies on one die.
struct KernelPart {
  /// The top function.
  std::string name;
  /// Empty where it is all, whose tasks lie where they say.
  llvm::StringRef die;
  /// Which of the arguments and of the scalars it takes, in order; links follow.
  llvm::SmallVector<unsigned> arguments, scalars;
};

/// A FIFO from part to part; both know it by its name.
struct PartLink {
  std::string name;
  unsigned writer, reader;
  int64_t depth;
};

struct KernelModel {
  /// The top function in C++; how steps of the program name the kernel.
  std::string name, symbol;
  llvm::SmallVector<DesignModel *> designs;
  llvm::SmallVector<KernelArgument> arguments;
  llvm::SmallVector<KernelPort> ports;
  llvm::SmallVector<KernelScalar> scalars;
  /// At least one.
  llvm::SmallVector<KernelPart> parts;
  llvm::SmallVector<PartLink> links;
  /// What launches the designs in turn; nothing where the kernel is a design.
  std::optional<LaunchLoop> loop;
  /// C++ names of the program's numbers and of the turns of loops.
  llvm::DenseMap<mlir::Value, std::string> numbers;
  /// What counts the calls within a turn, by the turn.
  llvm::DenseMap<mlir::Value, std::string> steps;

  /// Its C++ files are `<stem>.cpp`: its own, and those of the designs that it calls.
  llvm::SmallVector<std::string> getStems() const;
  /// Are tensors that it only writes zeros before it runs? Turns leave them as they were where they
  /// write nothing, and a design with scalars need not write all.
  bool beginsCleared() const { return loop || !scalars.empty(); }
};

/// How steps of the program name the kernel of a loop: after its designs, as no design and no other
/// loop of the module is called.
std::string getKernelName(const LaunchLoop &loop);

/// Every design is in one kernel. Fails with a diagnostic, law [launch.loop], on a loop that cannot
/// be a kernel.
llvm::FailureOr<std::vector<KernelModel>> buildKernels(mlir::ModuleOp module,
                                                       llvm::MutableArrayRef<DesignModel> models);

} // namespace streamtensor::target

#endif
