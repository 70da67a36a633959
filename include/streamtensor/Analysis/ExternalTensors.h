//===- ExternalTensors.h - Tensors that no kernel makes ---------*- C++ -*-===//

#ifndef STREAMTENSOR_ANALYSIS_EXTERNALTENSORS_H
#define STREAMTENSOR_ANALYSIS_EXTERNALTENSORS_H

#include "mlir/IR/BuiltinOps.h"

namespace streamtensor {

/// Does the operation give its operand another shape, row-major as it is?
bool isReshape(mlir::Operation *op);

/// What `value` is the elements of in row-major order: itself, or what its reshapes start from.
mlir::Value stripReshapes(mlir::Value value);

/// The value that reshapes and slices take the elements of `value` from.
mlir::Value stripSlices(mlir::Value value);

/// What the host makes `value` from by reshapes and packs.
mlir::Value stripHostSteps(mlir::Value value);

/// Is `value` a tensor in external memory for every kernel: a function argument, a
/// constant, a reshape of one, or what the host packs from one?
bool isExternal(mlir::Value value);

/// Is it an argument that others write or read too, in row-major order?
bool mustStayRowMajor(mlir::Value value);

/// Does `module` have an entry @main that returns external tensors only? Such a program has
/// no design: the host passes its tensors on.
bool returnsOnlyExternal(mlir::ModuleOp module);

} // namespace streamtensor

#endif
