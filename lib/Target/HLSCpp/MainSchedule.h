//===- MainSchedule.h - The launches of @main -------------------*- C++ -*-===//
//
// What a host does around the designs: which tensors it holds, which it hands
// to which launch, which it returns.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_TARGET_HLSCPP_MAINSCHEDULE_H
#define STREAMTENSOR_LIB_TARGET_HLSCPP_MAINSCHEDULE_H

#include "DesignModel.h"

#include "mlir/IR/BuiltinOps.h"

namespace streamtensor::target {

struct MainArgument {
  unsigned value;
  std::string name, kind;
  mlir::RankedTensorType type;
};

struct MainStep {
  enum Kind { Launch, Reshape, Pack, Unpack } kind;
  /// Launch: the design.
  std::string design;
  llvm::SmallVector<unsigned> inputs, outputs;
  /// Pack and unpack: strides and offset in elements of the row-major tensor, one stride per
  /// dimension of the packed one; the elements of a word that are data, 0 where there are no words.
  llvm::SmallVector<int64_t> strides = {};
  int64_t offset = 0, lanes = 0;
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
  std::vector<MainConstant> constants;
  llvm::SmallVector<MainStep> steps;
  llvm::SmallVector<unsigned> results;
  /// Type of each value, by its number.
  llvm::SmallVector<mlir::RankedTensorType> types;
};

/// Reads the one `func.func @main`. A module of designs alone has an empty schedule.
llvm::FailureOr<MainSchedule> readSchedule(mlir::ModuleOp module);

/// Bytes of a constant of type `type` as it lies in memory, elements widened to whole bytes.
std::vector<char> constantBytes(const MainConstant &constant, mlir::RankedTensorType type);

} // namespace streamtensor::target

#endif
