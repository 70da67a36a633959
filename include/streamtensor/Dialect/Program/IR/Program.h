//===- Program.h - What a program says of itself ----------------*- C++ -*-===//
//
// The attributes of a program, of its arguments and of its results, which Program.td declares, by
// their names: those of arguments and results stand in lists of the function.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_PROGRAM_IR_PROGRAM_H
#define STREAMTENSOR_DIALECT_PROGRAM_IR_PROGRAM_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "streamtensor/Dialect/Program/IR/ProgramDialect.h.inc"

namespace streamtensor::program {

inline constexpr llvm::StringLiteral layersAttrName =
    ProgramDialect::LayersAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral loopedAttrName =
    ProgramDialect::LoopedAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral programAttrName =
    ProgramDialect::ProgramAttrHelper::getNameStr();

inline constexpr llvm::StringLiteral nameAttrName = ProgramDialect::NameAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral kindAttrName = ProgramDialect::KindAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral nextAttrName = ProgramDialect::NextAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral stackedAttrName =
    ProgramDialect::StackedAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral extentsAttrName =
    ProgramDialect::ExtentsAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral turnsAttrName = ProgramDialect::TurnsAttrHelper::getNameStr();

inline constexpr llvm::StringLiteral rowMajorAttrName =
    ProgramDialect::RowMajorAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral intoAttrName = ProgramDialect::IntoAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral atAttrName = ProgramDialect::AtAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral alongAttrName = ProgramDialect::AlongAttrHelper::getNameStr();

/// What `kind` says of an argument.
inline constexpr llvm::StringLiteral inputKind = "input", parameterKind = "parameter";

/// The layers of the model of which the program is one; nothing if it says none.
std::optional<int64_t> getLayers(mlir::FunctionOpInterface program);

/// The layers that a launch goes through at most; nothing if it runs one.
std::optional<int64_t> getLoopedLayers(mlir::FunctionOpInterface program);

/// The argument that is called `name`.
std::optional<unsigned> findArgument(mlir::FunctionOpInterface program, mlir::StringAttr name);

} // namespace streamtensor::program

#endif
