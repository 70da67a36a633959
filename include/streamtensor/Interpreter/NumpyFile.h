//===- NumpyFile.h - Tensors as .npy files ----------------------*- C++ -*-===//
//
// Format: NumPy's own (version 1.0, C order, little endian), which numpy.load and numpy.save
// read and write. Types that NumPy has not: bf16 lies in two bytes (`<u2`), integers of other
// widths than 8, 16, 32 and 64 lie in the next larger one, i1 is `|b1`, index is `<i8`.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_INTERPRETER_NUMPYFILE_H
#define STREAMTENSOR_INTERPRETER_NUMPYFILE_H

#include "streamtensor/Interpreter/Array.h"
#include "llvm/Support/Error.h"

namespace streamtensor::interpreter {

/// NumPy's name of an element type, such as `<f4`.
std::string getNumpyType(mlir::Type elementType);

/// Reads a tensor of `type`. Errors: no such file, another format, shape or element type.
llvm::Expected<Array> readNumpyFile(llvm::StringRef path, mlir::RankedTensorType type);

llvm::Error writeNumpyFile(llvm::StringRef path, const Array &array);

} // namespace streamtensor::interpreter

#endif
