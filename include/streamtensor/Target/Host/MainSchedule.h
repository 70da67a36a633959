//===- MainSchedule.h - The launches of @main -------------------*- C++ -*-===//
//
// What a host does around the designs: which tensors it holds, which it hands
// to which launch, which it returns.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_TARGET_HOST_MAINSCHEDULE_H
#define STREAMTENSOR_TARGET_HOST_MAINSCHEDULE_H

#include "streamtensor/Dialect/Dataflow/IR/BindScalars.h"
#include "streamtensor/Target/HLSCpp/KernelModel.h"

#include "mlir/IR/BuiltinOps.h"

namespace streamtensor::target {

struct MainArgument {
  unsigned value;
  std::string name, kind;
  mlir::RankedTensorType type;
};

/// A number that the program takes for its launches.
struct MainScalar {
  std::string name;
  int64_t low, high, step;
};

/// What a launch has for a scalar: one of the program's, by its number, or a constant.
struct ScalarOperand {
  std::optional<unsigned> scalar;
  int64_t value = 0;
};

struct MainStep {
  enum Kind { Launch, Reshape, Pack, Unpack } kind;
  /// Launch: the kernel.
  std::string design;
  llvm::SmallVector<unsigned> inputs, outputs;
  /// Pack and unpack: strides and offset in elements of the row-major tensor, one stride per
  /// dimension of the packed one; the elements of a word that are data, 0 where there are no words.
  llvm::SmallVector<int64_t> strides = {};
  int64_t offset = 0, lanes = 0;
  llvm::SmallVector<ScalarOperand> scalars = {};
};

struct MainConstant {
  unsigned value;
  std::string file;
  mlir::ElementsAttr data;
  /// How its elements lie in the file, if not row-major.
  std::optional<MainStep> packing = std::nullopt;
};

struct MainSchedule {
  llvm::SmallVector<MainArgument> arguments;
  llvm::SmallVector<MainScalar> scalars;
  std::vector<MainConstant> constants;
  std::vector<MainStep> steps;
  llvm::SmallVector<unsigned> results;
  /// Results that are arguments with new elements; `argument` is its number among `arguments`.
  llvm::SmallVector<dataflow::Update> updates;
  /// Through how many layers of a model its launch goes at most; 0 where it runs one.
  int64_t layers = 0;
  /// Type of each value, by its number.
  llvm::SmallVector<mlir::RankedTensorType> types;
};

/// Reads the one `func.func @main`. A module of designs alone has an empty schedule.
llvm::FailureOr<MainSchedule> readSchedule(mlir::ModuleOp module);

/// Bytes of a constant of type `type` as it lies in memory, elements widened to whole bytes.
std::vector<char> constantBytes(const MainConstant &constant, mlir::RankedTensorType type);

} // namespace streamtensor::target

#endif
