//===- Widen.h - A program without the roundings of f32 ---------*- C++ -*-===//
//
// What a Linalg program of f32 gives in f64 shows how well it is conditioned: where both are far
// apart, no order of the same sums is better than another.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_INTERPRETER_WIDEN_H
#define STREAMTENSOR_INTERPRETER_WIDEN_H

#include "mlir/IR/BuiltinOps.h"

namespace streamtensor::interpreter {

/// Makes each f32 of a Linalg module an f64: types, constants, bodies. Casts between the two
/// become nothing; roundings to narrower types stay. Fails, with an error, where the result is no
/// program: what takes the bits of an f32, say.
mlir::LogicalResult widenFloats(mlir::ModuleOp module);

} // namespace streamtensor::interpreter

#endif
